"""Chapters 6.5.2, 7.4, 7.7 and 7.8: all attacks of a unit on a target weighed: whom they fall on, what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.odds import again, chances
from grognard.games.wh40k.odds.chances import Told, Ways
from grognard.games.wh40k.rolls import steps
from grognard.games.wh40k.rolls.steps import Attack
from grognard.kernel.odds.odds import OddsStep
from grognard.kernel.odds.sums import Moves, field, moves, pack, pair_of, sum_of, unpack, wander
from grognard.kernel.odds.weigh import Distribution

PAIN = "wh40k:7.9.1-fnp"
#: Wounds left among the models attacks are allocated to first, and among the CHARACTERS these protect; and whether
#: the target's player has Command Re-roll left (wh40k:13.2.1-command-reroll).
State = tuple[int, int, bool]
#: Of some attacks: the mortal wounds they leave for later, by weight, for each number of wounds to be saved.
Times = Mapping[int, Mapping[int, int]]


class Mark(NamedTuple):
    """One model of the target: the wounds it has left, its Feel No Pain, and how it saves against each volley."""

    left: int
    pain: int
    saves: tuple[Ways, ...]


class Volley(NamedTuple):
    """Attacks with one profile: how many each of the bearers makes, their numbers, their damage, and what else."""

    attacks: Amount
    extra: int  # for each bearer, not rolled
    bearers: int
    attack: Attack
    damage: Amount
    devastating: str = ""
    precise: str = ""
    command: str = ""  # wh40k:13.2.1-command-reroll  used for a "hit" or a "wound"
    besides: Amount | None = None  # wh40k:7.8.4-still  mortal wounds of each Critical Wound beside its damage
    rules: tuple[str, ...] = ()


class Toll(NamedTuple):
    """What the attacks have come to: models slain, wounds lost, and how many of the slain were protected."""

    slain: int
    damage: int
    heroes: int = 0


class Group:
    """wh40k:7.4.2-forced  Models in the order attacks are allocated to them: one takes them all until it is gone."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self.at: list[tuple[Mark, int]] = []
        self.standing = [0]
        for number, mark in enumerate(reversed(marks), 1):
            for left in range(1, mark.left + 1):
                self.at.append((mark, left))
                self.standing.append(number)
        self.total = len(self.at)


class Salvo:
    """Volleys one after another at one target, mortal wounds last."""

    def __init__(
        self, marks: Sequence[Mark], heroes: Sequence[Mark] = (), *, fish: bool = False, free: str = "",
        spare: bool = False,
    ) -> None:  # fmt: skip
        self.guards, self.heroes = Group(marks), Group(heroes)
        self.fish, self.free, self.spare = fish, free, spare
        self.rules: dict[str, None] = {}
        self._known: dict[tuple[int, int, int, bool], Distribution[tuple[int, bool]]] = {}

    @property
    def whole(self) -> State:
        return self.guards.total, self.heroes.total, self.spare

    def weigh(self, volleys: Sequence[Volley], mortal: Told | None = None) -> Distribution[Toll]:
        """wh40k:7.8.3-after  The toll of all volleys, and then of the mortal wounds they leave and those given."""
        if volleys:
            several = sum(self.whole[:2]) > 1
            self._heard(("wh40k:7.4.1-owner", *(["wh40k:7.4.2-forced"] if several else [])))
        reach: Sequence[State] = [self.whole]
        plans: list[tuple[Times, Moves[State]]] = []
        denominator = 1
        for number, volley in enumerate(volleys):
            times, out_of = self._times(volley)
            step = moves(reach, lambda state, n=number, v=volley: self._wound(state, n, v))  # type: ignore[misc]
            reach = step.states
            plans.append((times, step))
            denominator *= out_of * step.denominator ** max(times)
        first: Mapping[int, int] = {0: 1}
        if mortal is not None:
            first = mortal.found.weights
            denominator *= mortal.found.denominator
            self._heard(mortal.rules)
        width = field(denominator.bit_length())
        states: dict[State, int] = {self.whole: pack(first, width)}
        for times, step in plans:
            packed = {number: pack(weights, width) for number, weights in times.items()}
            rows = {
                state: {number: weight * chance for number, chance in packed.items()}
                for state, weight in states.items()
            }
            states = wander(rows, step)
        return self._mortally(states, denominator, width)

    def _heard(self, rules: Iterable[str]) -> None:
        self.rules.update(dict.fromkeys(rules))

    def _times(self, volley: Volley) -> tuple[Times, int]:
        """wh40k:8.15-devastating, wh40k:23.11-melta-devastating
        How many wounds a volley causes, and the mortal wounds it leaves."""
        one = chances.one_attack(volley.attack, bool(volley.devastating), self.fish)
        many = self._many(volley)
        self._heard((*volley.rules, *one.rules))
        both: Distribution[tuple[int, int]] | None = None
        if volley.command:
            told = again.wounded(many, volley.attack, volley.command, bool(volley.devastating), self.fish)
            self._heard(told.rules)
            both = told.found
        if volley.devastating:
            self._heard((volley.devastating, "wh40k:7.8.3-after", "wh40k:23.12-devastating-timing"))
            harm = chances.harm(volley.damage)
        elif volley.besides is not None:
            self._heard(("wh40k:7.8.4-still", "wh40k:7.8.3-after"))
            harm = chances.amount(volley.besides, "mortal")
        else:
            made = both.map(lambda pair: pair[0]) if both else sum_of(many, one.found.map(lambda p: p[0]).reduced())
            return {number: {0: weight} for number, weight in made.weights.items()}, made.denominator
        both = both or pair_of(many, one.found)
        most = max(second for _, second in both.weights)
        powers = [sum_of(Distribution.certain(n), harm.found) for n in range(most + 1)]
        found: dict[int, dict[int, int]] = {}
        for (ordinary, critical), weight in both.weights.items():
            row = found.setdefault(ordinary, {})
            scale = weight * harm.found.denominator ** (most - critical)
            for points, times in powers[critical].weights.items():
                row[points] = row.get(points, 0) + scale * times
        return found, both.denominator * harm.found.denominator**most

    def _many(self, volley: Volley) -> Distribution[int]:
        """wh40k:6.5.1-attacks, wh40k:11.4.3-random-other, wh40k:23.40-random-timing  How many attacks a volley is."""
        each = chances.amount(volley.attacks, "attacks")
        self._heard(("wh40k:6.5.1-attacks", *each.rules))
        found = each.found if volley.bearers == 1 else sum_of(Distribution.certain(volley.bearers), each.found)
        more = volley.extra * volley.bearers
        return found.map(lambda number: number + more) if more else found

    # ------------------------------------------------------------------ whom it falls on

    def _wound(self, state: State, number: int, volley: Volley) -> Distribution[State]:
        """wh40k:7.4.1-owner, wh40k:8.10-precision, wh40k:12.5.6-protection, wh40k:12.5.7-last  One wounding attack."""
        if not state[0] and not state[1]:
            return Distribution.certain(state)
        precise = bool(volley.precise) and bool(state[0]) and bool(state[1])
        if precise:
            self._heard((volley.precise, "wh40k:8.10-precision"))
        return self._falls(state, precise, number, volley.damage)

    def _mortal(self, state: State) -> Distribution[State]:
        """wh40k:7.8.1-def, wh40k:7.8.2-spill, wh40k:23.13-mortal-attached  One mortal wound."""
        return self._falls(state, False, -1, None) if state[0] or state[1] else Distribution.certain(state)

    def _falls(self, state: State, precise: bool, number: int, damage: Amount | None) -> Distribution[State]:
        guards, heroes, spare = state
        protected = bool(guards) and not precise
        mark, left = self.guards.at[guards - 1] if protected else self.heroes.at[heroes - 1]
        lost = self._lost(mark, left, number, damage, spare)
        if self.heroes.total:
            self._heard(("wh40k:12.5.6-protection",) if protected else ("wh40k:12.5.7-last",) if not guards else ())
        if protected:
            return lost.map(lambda cost: (guards - cost[0], heroes, spare and not cost[1]))
        return lost.map(lambda cost: (guards, heroes - cost[0], spare and not cost[1]))

    def _lost(
        self, mark: Mark, left: int, number: int, damage: Amount | None, spare: bool
    ) -> Distribution[tuple[int, bool]]:
        """wh40k:7.7.2-excess  What a model with so many wounds left loses to a volley's attack or to a mortal wound.

        And whether Command Re-roll was used for its save.
        """
        key = (id(mark), left, number, spare)
        if key not in self._known:
            told = chances.hurt(1, mark.pain)
            if damage is not None:
                told = chances.lost(mark.saves[number], self.free, damage, mark.pain, spare)
            self._heard(told.rules)
            self._heard(["wh40k:7.7.2-excess"] if damage is not None and damage.most > left else ())
            if spare and damage is not None:
                self._known[key] = told.found.map(lambda cost: (left - steps.suffer(left, cost[0]), cost[1]))
            else:
                self._known[key] = told.found.map(lambda points: (left - steps.suffer(left, points), False))
        return self._known[key]

    def _mortally(self, states: dict[State, int], denominator: int, width: int) -> Distribution[Toll]:
        """wh40k:7.8.3-after  The mortal wounds, when all else is done; then what is left."""
        rows = {state: unpack(packed, width) for state, packed in states.items()}
        most = max((points for row in rows.values() for points in row), default=0)
        if most:
            self._heard(("wh40k:7.8.1-def", *(["wh40k:7.8.2-spill"] if most > 1 else [])))
            self._heard(["wh40k:23.13-mortal-attached"] if self.heroes.total else ())
            step = moves(list(rows), self._mortal)
            rows = {state: {0: weight} for state, weight in wander(rows, step).items()}
            denominator *= step.denominator**most
        tolls: dict[Toll, int] = {}
        for state, row in rows.items():
            toll = self._toll(state)
            tolls[toll] = tolls.get(toll, 0) + row[0]
        return Distribution(tolls, denominator).reduced()

    def _toll(self, state: State) -> Toll:
        guards = self.guards.standing[-1] - self.guards.standing[state[0]]
        heroes = self.heroes.standing[-1] - self.heroes.standing[state[1]]
        return Toll(guards + heroes, sum(self.whole[:2]) - sum(state[:2]), heroes)

    # ------------------------------------------------------------------ why

    def why(self, volley: Volley) -> list[OddsStep]:
        """How likely each roll of a volley against the first model is to succeed."""
        hit = chances.hits(volley.attack, self.fish).found
        wound = chances.wounds(volley.attack, 1, bool(volley.devastating), self.fish).found
        mark = (self.guards.at or self.heroes.at)[-1][0]
        kept = chances.kept(mark.saves[0], self.free).found.chance(lambda outcome: outcome[0])
        rule = volley.attack.torrent or volley.attack.only_sixes or "wh40k:7.2.1-roll"
        lines = [
            OddsStep("an attack hits", hit.chance(lambda h: bool(h.hits or h.wounds)), rule),
            OddsStep("a hit wounds", wound.chance(lambda w: bool(w.wounds or w.critical)), "wh40k:7.3.1-table"),
            OddsStep("a wound is not saved", 1 - kept, "wh40k:7.5.1-armour"),
        ]
        if mark.pain < 7:
            lines.append(OddsStep("a lost wound is not ignored", chances.hurt(1, mark.pain).found.probability(1), PAIN))
        return lines

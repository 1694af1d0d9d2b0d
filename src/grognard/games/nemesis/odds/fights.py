"""Chapter 19: A round of melee between two units on the table, weighed blow by blow."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import lcm
from typing import NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit, Used
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.odds.policy import chooser, swordsman
from grognard.games.nemesis.odds.shots import tally_key, tester_key, victim_key
from grognard.games.nemesis.rolls.rerolls import holds, spend
from grognard.games.nemesis.rolls.stats import value
from grognard.games.nemesis.rolls.steps import Blow, Struck, blow
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script

#: A melee with more different courses than this is not weighed.
MOST_STATES = 60_000


class Fighter(NamedTuple):
    """All a model may come to in a round of melee."""

    s: int
    doomed: bool
    gone: bool
    mad: bool
    used: Used
    hypnotised_by: tuple[str, ...]


State = tuple[Fighter, ...]
#: Blows already weighed, by what they roll.
Blows = dict[Hashable, Distribution[Struck]]
#: Models lost and survival lost by those that stay, of both sides.
Toll = tuple[int, int, int, int]
Plan = tuple[tuple[str, str], ...]


class Fight:
    """The models of two units that fight each other this turn.

    The battle's own functions say who strikes whom with which numbers and what a wound does; this only keeps
    account of where everyone may stand. Each model strikes the enemy in reach that has drawn the fewest blows.
    """

    def __init__(
        self, battle: Battle, ours: Sequence[Model], theirs: Sequence[Model], means: str, blows: Blows
    ) -> None:
        self.battle = battle
        self.own = len(ours)
        self.models = [m.id for m in (*ours, *theirs)]
        self.means = means
        self.weigher = Weigher(chooser(means))
        self.start: State = tuple(_read(battle.models[key]) for key in self.models)
        self._tables: dict[tuple[str, ...], Battle] = {}
        self._blows = blows
        self._struck: dict[tuple[State, str, str], Distribution[State]] = {}

    # ------------------------------------------------------------------ the round

    def round(self) -> Distribution[State]:
        """nemesis:19.1-order  Both steps of the combat phase, each in activation order, then the losses leave."""
        states = self._opened()
        for first in (True, False):
            for seat in self.battle.order:
                states = self.strikes(states, seat, first=first)
        return self._settle(states)

    def charge(self, seat: str) -> Distribution[State]:
        """nemesis:16.2-strike-first  Only the blows of the side that charged."""
        return self._settle(self.strikes(self._opened(), seat, first=True))

    def _opened(self) -> Distribution[State]:
        """nemesis:A1.18-hypnotism  As the phase begins, with everyone tested who faces a hypnotist."""
        if not any(holds(self.battle, self.battle.models[key], "hypnotic") for key in self.models):
            return Distribution.certain(self.start)
        return self.weigher.run(self._gaze)

    def _gaze(self) -> Script[State]:
        battle = self.table(self.start)
        yield from melee.hypnotise(battle, self.models)
        return self._save(battle)

    def strikes(self, states: Distribution[State], seat: str, *, first: bool) -> Distribution[State]:
        """nemesis:19.1-allocate  All blows of a player in one step: who strikes whom is fixed before any is rolled."""
        plans: dict[Plan, dict[State, int]] = {}
        for state, weight in states.weights.items():
            plans.setdefault(self.plan(state, seat, first), {})[state] = weight
        parts = []
        for plan, weights in plans.items():
            part = Distribution(weights, states.denominator)
            for attacker, target in plan:
                part = bind(part, lambda state, a=attacker, t=target: self._one(state, a, t))  # type: ignore[misc]
                if len(part.weights) > MOST_STATES:
                    raise BadInput("this melee has too many courses to weigh; ask about fewer models")
            parts.append(part)
        return _together(parts).reduced()

    def tolls(self, states: Distribution[State]) -> Distribution[Toll]:
        """What either side has lost."""
        return states.map(self.toll).reduced()

    def toll(self, state: State) -> Toll:
        """What either side has lost in one course."""
        return *self._losses(state, 0, self.own), *self._losses(state, self.own, len(state))

    def _losses(self, state: State, low: int, high: int) -> tuple[int, int]:
        pairs = list(zip(self.start[low:high], state[low:high], strict=True))
        lost = sum(after.doomed or after.gone for _, after in pairs)
        return lost, sum(before.s - after.s for before, after in pairs if not (after.doomed or after.gone))

    # ------------------------------------------------------------------ who strikes whom

    def plan(self, state: State, seat: str, first: bool) -> Plan:
        """nemesis:19.1-who, nemesis:19.1-attacks  Whom each model of a player strikes in a step."""
        battle = self.table(state)
        drawn: dict[str, int] = {}
        plan: list[tuple[str, str]] = []
        for attacker in melee.strikers(battle, seat, first=first):
            if attacker.id not in self.models:
                continue
            foes = [m for m in melee.targets_of(battle, attacker) if m.id in self.models]
            if not foes:
                continue
            spread = attacker.card.is_hero
            mark = min(foes, key=lambda m: (m.doomed, drawn.get(m.id, 0)))
            for _ in range(max(1, value(battle, attacker, "A"))):
                if spread:
                    mark = min(foes, key=lambda m: (m.doomed, drawn.get(m.id, 0)))
                drawn[mark.id] = drawn.get(mark.id, 0) + 1
                plan.append((attacker.id, mark.id))
        return tuple(plan)

    # ------------------------------------------------------------------ one blow

    def _one(self, state: State, attacker: str, target: str) -> Distribution[State]:
        """nemesis:19.2-roll, nemesis:16.2-instant-losses  One blow and what it does; blows at someone gone are lost."""
        key = (state, attacker, target)
        if key not in self._struck:
            if state[self.models.index(target)].gone or state[self.models.index(attacker)].gone:
                self._struck[key] = Distribution.certain(state)
            else:
                struck = self._weigh(self.table(state), attacker, target)
                self._struck[key] = bind(struck, lambda found: self.after(state, attacker, target, found))
        return self._struck[key]

    def _weigh(self, battle: Battle, attacker: str, target: str) -> Distribution[Struck]:
        numbers = melee.blow_for(battle, battle.models[attacker], battle.models[target])
        key = blow_key(numbers)
        if key not in self._blows:
            weigher = Weigher(swordsman(numbers, self.means))
            found = weigher.run(lambda: blow(numbers))
            self._blows[key] = found.map(lambda s: Struck(s.result, 0, s.attacker_used, s.defender_used))
            self.weigher.touched.update(weigher.touched)
        return self._blows[key]

    def after(self, state: State, attacker: str, target: str, struck: Struck) -> Distribution[State]:
        """nemesis:16.2-instant-losses, nemesis:21.1
        What was used and who is lost; whom a charger slays leaves at once."""
        if struck.result != "wounded" and not (struck.attacker_used or struck.defender_used):
            return Distribution.certain(state)
        battle = self.table(state)
        by, mark = battle.models[attacker], battle.models[target]
        spend(battle, by, struck.attacker_used)
        spend(battle, mark, struck.defender_used)
        slain = None
        if struck.result == "wounded":
            slain = casualties.hurt(battle, mark, by=by, melee=True, cause_rule="nemesis:19.2-survival")
        at_once = slain is not None and by.charged and by is not mark
        return self._removed(self._save(battle), [slain.id] if at_once and slain is not None else [])

    # ------------------------------------------------------------------ leaving

    def _settle(self, states: Distribution[State]) -> Distribution[State]:
        """nemesis:21-timing  At the end of the phase everyone lost leaves."""
        return bind(states, lambda state: self._removed(state, [k for k, f in self._pairs(state) if f.doomed]))

    def _removed(self, state: State, lost: list[str]) -> Distribution[State]:
        """nemesis:A1.26-regeneration  Leaving, but for those who regenerate in time."""
        states = Distribution.certain(state)
        for key in lost:
            place = self.models.index(key)
            states = bind(states, lambda now, place=place: self._take(now, place))  # type: ignore[misc]
        return states

    def _take(self, state: State, place: int) -> Distribution[State]:
        gone = (*state[:place], state[place]._replace(doomed=False, gone=True), *state[place + 1 :])
        if holds(self.battle, self.battle.models[self.models[place]], "regenerates") is None:
            return Distribution.certain(gone)
        found = self.weigher.run(lambda: self._regrow(state, self.models[place]))
        return found.map(lambda f: (*state[:place], f._replace(doomed=False, gone=f.doomed), *state[place + 1 :]))

    def _regrow(self, state: State, key: str) -> Script[Fighter]:
        model = self.table(state).models[key]
        model.doomed = not (yield from casualties.regenerate(self.table(state), model))
        return _read(model)

    # ------------------------------------------------------------------ the table as a state has it

    def table(self, state: State) -> Battle:
        """The battle with everyone as the state has him; lent until the next one is asked for."""
        away = tuple(key for key, fighter in self._pairs(state) if fighter.gone)
        if away not in self._tables:
            self._tables[away] = _without(self.battle, away)
        battle = self._tables[away]
        for key, fighter in self._pairs(state):
            model = battle.models[key]
            model.s, model.doomed, model.mad = fighter.s, fighter.doomed, fighter.mad
            model.used, model.hypnotised_by = fighter.used, fighter.hypnotised_by
        return battle

    def _pairs(self, state: State) -> list[tuple[str, Fighter]]:
        return list(zip(self.models, state, strict=True))

    def _save(self, battle: Battle) -> State:
        return tuple(_read(battle.models[key]) for key in self.models)


def _read(model: Model) -> Fighter:
    return Fighter(model.s, model.doomed, not model.on_table, model.mad, model.used, model.hypnotised_by)


def _without(battle: Battle, away: Sequence[str]) -> Battle:
    """The table when these have left it."""
    twin = battle.copy()
    twin.cited = battle.cited
    for key in away:
        model = twin.models[key]
        unit = twin.unit_of(model)
        model.on_table = False
        twin.bodies.remove(model.body)
        unit.models = tuple(other for other in unit.models if other != key)
        unit.hero = None if unit.hero == key else unit.hero
    return twin


def blow_key(b: Blow) -> Hashable:
    """Blows with the same key roll alike."""
    tallies = [b.attack, b.skill, b.strength, *([b.defence] if b.defence is not None else [])]
    testers = tester_key(b.attacker), tester_key(b.defender)
    return *map(tally_key, tallies), b.defence_stat, testers, victim_key(b.victim), b.swap


def _together(parts: Sequence[Distribution[State]]) -> Distribution[State]:
    """Parts of one whole, put back together."""
    common = lcm(*(part.denominator for part in parts))
    weights: dict[State, int] = {}
    for part in parts:
        scale = common // part.denominator
        for state, weight in part.weights.items():
            weights[state] = weights.get(state, 0) + weight * scale
    return Distribution(weights, common)


# ---------------------------------------------------------------------- many small melees


def weigh_round(
    battle: Battle, one: Unit, other: Unit, means: str, *, only: str | None = None, blows: Blows | None = None
) -> tuple[Distribution[Toll], tuple[str, ...]]:
    """A whole round of melee: what both units lose, and the rules that had a say.

    With `only` just the blows that side strikes first, by a charge. `blows` remembers from one round to another.
    Where a unit's melees cannot touch each other (no model can take two wounds, so none passes on) each is
    weighed alone, equal ones once.
    """
    total: Distribution[Toll] = Distribution.certain((0, 0, 0, 0))
    known: dict[Hashable, Distribution[Toll]] = {}
    touched: dict[str, None] = {}
    remembered: Blows = {} if blows is None else blows
    for ours, theirs in _melees(battle, one, other):
        key = _likeness(battle, ours, theirs)
        if key not in known:
            fight = Fight(battle, ours, theirs, means, remembered)
            known[key] = fight.tolls(fight.round() if only is None else fight.charge(only))
            touched.update(fight.weigher.touched)
        total = bind(total, lambda toll, key=key: known[key].map(lambda more: _add(toll, more)))  # type: ignore[misc]
    return total.reduced(), tuple(touched)


def _add(one: Toll, other: Toll) -> Toll:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def _melees(battle: Battle, one: Unit, other: Unit) -> list[tuple[list[Model], list[Model]]]:
    """The models of two units in groups that fight each other and nobody else."""
    ours, theirs = battle.standing(one), battle.standing(other)
    reach = {m.id: [t.id for t in melee.targets_of(battle, m)] for m in (*ours, *theirs)}
    blows: dict[str, int] = {}
    for model in (*ours, *theirs):
        attacks = max(1, value(battle, model, "A"))
        if attacks > 1:
            battle.cite("nemesis:5.1-A", "nemesis:19.1-attacks")
        for key in reach[model.id]:
            blows[key] = blows.get(key, 0) + attacks
    troopers = [m.id for m in (*ours, *theirs) if not m.card.is_hero and battle.unit_of(m).regiment]
    if any(blows.get(key, 0) > 1 for key in troopers):
        return [(ours, theirs)]
    groups: list[list[str]] = []
    for model in (*ours, *theirs):
        touching = [g for g in groups if any(k in reach[model.id] or model.id in reach[k] for k in g)]
        groups = [g for g in groups if g not in touching] + [[*(k for g in touching for k in g), model.id]]
    return [([m for m in ours if m.id in g], [m for m in theirs if m.id in g]) for g in groups]


def _likeness(battle: Battle, ours: list[Model], theirs: list[Model]) -> Hashable:
    """Melees with the same key go alike: the same cards in the same state, touching in the same way."""
    every = [*ours, *theirs]
    place = {m.id: i for i, m in enumerate(every)}
    links = tuple(tuple(place.get(key, -1) for key in battle.contacts(m)) for m in every)
    stands = tuple((m.card.name, m.unit, m.charged, m.champion, m.weapon, _read(m)) for m in every)
    spells = tuple(e.spell for e in battle.enchantments for m in every if e.target == m.id)
    return len(ours), stands, links, spells

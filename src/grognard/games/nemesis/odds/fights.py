"""nemesis:19  A round of melee between two units on the table, weighed blow by blow."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from grognard.games.nemesis import casualties, melee
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.means import holds, spend
from grognard.games.nemesis.odds.policy import chooser, swordsman
from grognard.games.nemesis.odds.shots import tally_key, tester_key, victim_key
from grognard.games.nemesis.stats import value
from grognard.games.nemesis.steps import Blow, Struck, blow
from grognard.kernel.errors import BadInput
from grognard.kernel.weigh import Distribution, Weigher, bind

#: A melee with more different courses than this is not weighed.
MOST_STATES = 60_000


class Fighter(NamedTuple):
    """All a model may come to in a round of melee."""

    s: int
    doomed: bool
    gone: bool
    mad: bool
    rerolled: bool
    bonus_used: bool
    swapped: bool
    regenerated: bool


State = tuple[Fighter, ...]
#: Models lost and survival lost by those that stay, of both sides.
Toll = tuple[int, int, int, int]
Plan = tuple[tuple[str, str], ...]


class Fight:
    """The models of two units that fight each other this turn.

    The battle's own functions say who strikes whom with which numbers and what a wound does; this only keeps
    account of where everyone may stand. Each model strikes the enemy in reach that has drawn the fewest blows.
    """

    def __init__(self, battle: Battle, one: Unit, other: Unit, means: str) -> None:
        self.battle = battle
        self.sides = (one, other)
        self.models = [m.id for unit in (one, other) for m in battle.standing(unit)]
        self.means = means
        self.weigher = Weigher(chooser(means))
        self.start: State = tuple(_read(battle.models[key]) for key in self.models)
        self._tables: dict[tuple[str, ...], Battle] = {}
        self._blows: dict[Hashable, Distribution[Struck]] = {}
        self._struck: dict[tuple[State, str, str], Distribution[State]] = {}

    # ------------------------------------------------------------------ the round

    def round(self) -> Distribution[State]:
        """nemesis:19.1-order  Both steps of the combat phase, each in activation order, then the losses leave."""
        states = Distribution.certain(self.start)
        for first in (True, False):
            for seat in self.battle.order:
                states = self.strikes(states, seat, first=first)
        return self._settle(states)

    def charge(self, seat: str) -> Distribution[State]:
        """nemesis:16.2-strike-first  Only the blows of the side that charged."""
        return self._settle(self.strikes(Distribution.certain(self.start), seat, first=True))

    def strikes(self, states: Distribution[State], seat: str, *, first: bool) -> Distribution[State]:
        """nemesis:19.1-allocate  All blows of a player in one step: who strikes whom is fixed before any is rolled."""
        plans: dict[Plan, dict[State, int]] = {}
        for state, weight in states.weights.items():
            plans.setdefault(self._plan(state, seat, first), {})[state] = weight
        parts = []
        for plan, weights in plans.items():
            part = Distribution(weights, states.denominator)
            for attacker, target in plan:
                part = bind(part, lambda state, a=attacker, t=target: self._one(state, a, t))  # type: ignore[misc]
                if len(part.weights) > MOST_STATES:
                    raise BadInput("this melee has too many courses to weigh; ask about fewer models")
            parts.append(part)
        return _together(parts)

    def tolls(self, states: Distribution[State]) -> Distribution[Toll]:
        """What either side has lost."""
        own = len(self.battle.standing(self.sides[0]))
        return states.map(lambda state: (*self._toll(state, 0, own), *self._toll(state, own, len(state)))).reduced()

    def _toll(self, state: State, low: int, high: int) -> tuple[int, int]:
        pairs = list(zip(self.start[low:high], state[low:high], strict=True))
        lost = sum(after.doomed or after.gone for _, after in pairs)
        return lost, sum(before.s - after.s for before, after in pairs if not (after.doomed or after.gone))

    # ------------------------------------------------------------------ who strikes whom

    def _plan(self, state: State, seat: str, first: bool) -> Plan:
        battle = self._load(state)
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
        """nemesis:19.2-roll, 16.2-instant-losses  One blow and what it does; blows at someone gone are lost."""
        key = (state, attacker, target)
        if key not in self._struck:
            if state[self.models.index(target)].gone or state[self.models.index(attacker)].gone:
                self._struck[key] = Distribution.certain(state)
            else:
                struck = self._weigh(self._load(state), attacker, target)
                hurt = bind(struck, lambda found: Distribution.certain(self._after(state, attacker, target, found)))
                self._struck[key] = bind(hurt, self._leave)
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

    def _after(self, state: State, attacker: str, target: str, struck: Struck) -> State:
        if struck.result != "wounded" and not (struck.attacker_used or struck.defender_used):
            return state
        battle = self._load(state)
        by, mark = battle.models[attacker], battle.models[target]
        spend(battle, by, struck.attacker_used)
        spend(battle, mark, struck.defender_used)
        if struck.result == "wounded":
            instant = by.charged and by is not mark
            casualties.hurt(
                battle, mark, by=by, melee=True, cause_rule="nemesis:19.2-survival", instant=instant
            )  # fmt: skip
        return self._save(battle)

    # ------------------------------------------------------------------ leaving

    def _leave(self, state: State) -> Distribution[State]:
        """nemesis:16.2-instant-losses  Whoever a charger has slain leaves at once."""
        battle = self._load(state)
        slain = [key for key in self.models if battle.models[key].instant and battle.models[key].doomed]
        return self._removed(state, slain)

    def _settle(self, states: Distribution[State]) -> Distribution[State]:
        """nemesis:21-timing  At the end of the phase everyone lost leaves."""
        return bind(states, lambda state: self._removed(state, [k for k, f in zip(self.models, state) if f.doomed]))

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
        key = self.models[place]

        def roll(): # type: ignore[no-untyped-def]
            battle = self._load(state)
            model = battle.models[key]
            saved = yield from casualties.regenerate(battle, model)
            model.doomed = not saved
            return self._save(battle)[place]

        found = self.weigher.run(roll)
        return found.map(lambda f: (*state[:place], f._replace(doomed=False, gone=f.doomed), *state[place + 1 :]))

    # ------------------------------------------------------------------ the table as a state has it

    def _load(self, state: State) -> Battle:
        away = tuple(key for key, fighter in zip(self.models, state, strict=True) if fighter.gone)
        if away not in self._tables:
            self._tables[away] = _without(self.battle, away)
        battle = self._tables[away]
        for key, fighter in zip(self.models, state, strict=True):
            model = battle.models[key]
            model.s, model.doomed, model.mad = fighter.s, fighter.doomed, fighter.mad
            model.instant = False
            model.rerolled, model.bonus_used, model.swapped = fighter.rerolled, fighter.bonus_used, fighter.swapped
            model.regenerated = fighter.regenerated
        return battle

    def _save(self, battle: Battle) -> State:
        return tuple(_read(battle.models[key]) for key in self.models)

"""t9a:15.D  A Round of Combat weighed, from Fear to the Break Tests, Initiative step by Initiative step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Loss, Unit
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.melee import break_tests, combat_round, combat_score, initiative
from grognard.games.t9a.melee.combat_round import Tale
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.odds.harm import Harm
from grognard.games.t9a.odds.policy import Choose
from grognard.games.t9a.odds.sums import Losses
from grognard.games.t9a.rolls import stats
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script

#: A round with more different courses than this is not weighed.
MOST_STATES = 20_000
#: How a unit comes out of a round.
STANDS, BROKEN, DESTROYED = "stands", "broken", "destroyed"

State = Hashable


class Toll(NamedTuple):
    """What one unit lost: Health Points, models, and whether anything is left."""

    lost: int
    slain: int
    end: str


class Round(NamedTuple):
    """How a Round of Combat went, seen from one side: Health Points lost by both, the difference of the scores, and
    what became of the unit that was asked about and of its enemy.
    """

    lost: int
    enemy_lost: int
    margin: int
    end: str
    enemy_end: str


class Combat:
    """The units of one combat. The battle's own steps are run on copies of the table, one for each different state.

    `strikes` says whose attacks are made; those of everybody, if it is left out.
    """

    def __init__(
        self, battle: Battle, units: Sequence[Unit], choose: Choose, strikes: Callable[[Entry], bool] | None = None
    ) -> None:
        self.units = [unit.id for unit in units]
        self.weigher = Weigher(choose)
        self.strikes = strikes or (lambda entry: True)
        self.touched: dict[str, None] = {}
        self._tables: dict[State, tuple[Battle, Tale]] = {}
        self._ends: dict[Hashable, Distribution[Any]] = {}
        self._start = battle.copy()
        self._start.combat = tuple(self.units)
        for unit in self._start.units.values():
            # t9a:17.A-immune  what happens here to friends who do not fight is another question
            unit.this_phase = unit.this_phase.but(panicked=unit.this_phase.panicked or unit.id not in self.units)

    # ------------------------------------------------------------------ the round

    def blows(self) -> Distribution[State]:
        """t9a:15.D  Steps 1 to 6."""
        return bind(self.weigher.run(self._opening), self._all_steps).reduced()

    def _opening(self) -> Script[State]:
        battle = self._twin(self._start)
        units = [battle.units[key] for key in self.units]
        yield from combat_round.before_blows(battle, units)
        return self._keep(battle, Tale(battle, units))

    def _all_steps(self, state: State) -> Distribution[State]:
        """t9a:15.D.a  From Initiative 10 down to 0; the order is fixed before the first blow."""
        battle, _ = self._tables[state]
        schedule = initiative.order(battle, [battle.units[key] for key in self.units])
        states: Distribution[State] = Distribution.certain(state)
        for step in range(10, -1, -1):
            entries = tuple(entry for entry in schedule.get(step, ()) if self.strikes(entry))
            if entries:
                states = bind(states, lambda now, entries=entries: self._step(now, entries))  # type: ignore[misc]
                if len(states.weights) > MOST_STATES:
                    raise BadInput("this combat has too many courses to weigh; ask about fewer models")
        return states

    def _step(self, state: State, entries: tuple[Entry, ...]) -> Distribution[State]:
        battle, _ = self._tables[state]
        losses = Harm(battle, self.weigher).step(entries)
        battle.events.clear()
        return bind(losses, lambda taken: self._after(state, taken))

    def _after(self, state: State, losses: Losses) -> Distribution[State]:
        """t9a:15.F.a.1  Chapter 16: The table when the losses of a step are taken, counted for the Combat Score."""
        if not losses:
            return Distribution.certain(state)
        return self.weigher.run(lambda: self._lose(state, losses))

    def _lose(self, state: State, losses: Losses) -> Script[State]:
        before, tale = self._tables[state]
        battle, now = self._twin(before), _copied(before, tale)
        lost = yield from casualties.lose(battle, [Loss(pool, amount) for pool, amount in losses], panic=False)
        now.count(battle, lost)
        return self._keep(battle, now)

    # ------------------------------------------------------------------ states

    def _twin(self, battle: Battle) -> Battle:
        twin = battle.copy()
        twin.cited = self.touched
        return twin

    def _keep(self, battle: Battle, tale: Tale) -> State:
        battle.events.clear()
        units = tuple(_unit_key(battle.units[key]) for key in self.units)
        models = tuple(
            (m.id, m.hp, m.gone, m.unit, m.duel.overkill, m.duel.foe, m.duel.refused, m.weapon, m.crushing)
            for m in battle.models.values()
            if m.unit in self.units
        )
        state = (units, models, battle.engagements, tuple(tale.lost.values()))
        self._tables.setdefault(state, (battle, tale))
        return state

    def table(self, state: State) -> Battle:
        return self._tables[state][0]

    # ------------------------------------------------------------------ what it came to

    def toll(self, state: State, unit: str) -> Toll:
        """What a unit has lost by blows alone."""
        before, after = self._start.units[unit], self.table(state).units[unit]
        lost = self._start.hp(before) - _left(self.table(state), after)
        slain = self._start.size(before) - self.table(state).size(after)
        return Toll(lost, slain, STANDS if after.where == "table" else DESTROYED)

    def settled(self, state: State, own: str, enemy: str) -> Distribution[Round]:
        """t9a:15.G  Chapter 15.F: The Combat Score, and the Break Tests of those who lost."""
        battle, tale = self._tables[state]
        now = _copied(battle, tale)
        winners = combat_score.settle(battle, now)
        seat = self._start.units[own].seat
        margin = 0 if len(winners) > 1 else now.margin if winners[0] == seat else -now.margin
        ends = self._tested(state, now, winners)
        lost, taken = now.lost[battle.other(seat)], now.lost[seat]

        def told(end: Any) -> Round:
            fates, crumbled = end
            more, fate = dict(crumbled), dict(fates)
            return Round(lost + more[seat], taken + more[battle.other(seat)], margin, fate[own], fate[enemy])

        return ends.map(told)

    def _tested(self, state: State, tale: Tale, winners: list[str]) -> Distribution[Any]:
        """What became of every unit, and the Health Points that crumbled, by seat; equal tests are weighed once."""
        battle = self.table(state)
        tested = [] if len(winners) > 1 else break_tests.beaten(battle, tale, battle.other(winners[0]))
        crumbling = any(battle.any_has(unit, "unstable") for unit in tested)
        key: Hashable = (state, tale.margin) if crumbling else self._likeness(battle, tale, tested)
        if key not in self._ends:
            self._ends[key] = self.weigher.run(lambda: self._break(battle, tale, winners))
        return self._ends[key]

    def _likeness(self, battle: Battle, tale: Tale, tested: list[Unit]) -> Hashable:
        """States with the same key test alike: on the same Discipline, with the same dice, as often."""
        where = tuple((key, battle.units[key].where == "table") for key in self.units)
        needs = tuple(
            (
                unit.id, psychology.discipline(battle, unit, break_tests.penalty(battle, unit, tale.margin)).value,
                stats.swing(battle, unit, "Break Test"), bool(battle.any_has(unit, "unbreakable")),
                bool(psychology.lenders(battle, unit, "rally-around-the-flag", 12.0)),
            )
            for unit in tested
        )  # fmt: skip
        return where, needs

    def _break(self, before: Battle, tale: Tale, winners: list[str]) -> Script[Any]:
        battle = self._twin(before)
        left = {k: battle.hp(u) for k in self.units if (u := battle.units[k]).where == "table"}
        loose = [k for k in left if battle.any_has(battle.units[k], "unstable")]
        yield from break_tests.tests(battle, tale, winners)
        fates = tuple((key, _fate(battle.units[key])) for key in self.units)
        crumbled = dict.fromkeys(battle.seats, 0)
        for key in loose:
            crumbled[battle.units[key].seat] += left[key] - _left(battle, battle.units[key])
        return fates, tuple(crumbled.items())


def _fate(unit: Unit) -> str:
    if unit.where != "table":
        return DESTROYED
    return BROKEN if unit.nerve.fleeing else STANDS


def _left(battle: Battle, unit: Unit) -> int:
    return battle.hp(unit) if unit.where == "table" else 0


def _copied(battle: Battle, tale: Tale) -> Tale:
    twin = Tale(battle, [battle.units[key] for key in tale.units])
    twin.lost = dict(tale.lost)
    return twin


def _unit_key(unit: Unit) -> Hashable:
    return (
        unit.where, unit.troops, unit.lost, unit.guests, unit.command.champion, unit.command.musician,
        unit.command.standard, unit.command.banner, unit.weapon, unit.nerve.afraid, unit.block,
    )  # fmt: skip

"""Chapters 4.7 and 4.8: falling back, and Desperate Escape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grognard.games.wh40k.attacks import allocation, casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.movement import movement, moves
from grognard.games.wh40k.movement.moves import MoveJudge, Step, Trip
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.rolls import steps
from grognard.games.wh40k.shooting import overwatch
from grognard.games.wh40k.table import reserve_pockets
from grognard.games.wh40k.table.ground import Way, landing
from grognard.games.wh40k.table.placing import FINE, STARTS, TIGHT, inside, lattice, pack
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.placing.tracks import Track
from grognard.kernel.questions import Place, Script

RULE = "wh40k:4.7.1-fall-back"
TEST = "wh40k:4.8.3-procedure"


class FallBackJudge(MoveJudge):
    """wh40k:4.8.5-declare  A Fall Back; once tests were taken (`tested`), nobody else moves over enemies."""

    tested: frozenset[str] | None = None

    def proposals(self) -> Sequence[str]:
        return [*super().proposals(), TIGHT]

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        if name != TIGHT:
            return super().suggest(name)
        others = [other for other in super().proposals() if self.propose(other) is not None]
        return None if others else self._squeeze()

    def _squeeze(self) -> Mapping[str, Track] | None:
        """wh40k:4.7.1-fall-back  Straight over everybody to whatever corners are free, if there is such a way."""
        battle, members = self.battle, self.movers
        starts = np.array([battle.pose(m)[:2] for m in members])
        far = np.array([self.budget(m) for m in members])
        big = max(members, key=battle.radius)
        middle = starts.mean(axis=0)
        spread = float((far + np.hypot(*(starts - middle).T)).max())
        fine = FINE if len(members) > 1 else FINE / 3
        spots = inside(battle, lattice((float(middle[0]), float(middle[1])), fine, spread), battle.radius(big))
        spots = spots[landing(battle, big, self.way, self.unit.models).stand_all(spots)]
        reach = np.hypot(*(spots - starts[:, None]).transpose(2, 0, 1)) <= far[:, None] + EPS
        for start in range(0, len(spots), max(1, len(spots) // STARTS)):
            chosen = pack(spots, start, reach, 2 * battle.radius(big))
            if chosen is None:
                continue
            ends = spots[chosen].tolist()
            trips = {m.id: Trip([battle.pose(m)[:2], (x, y)]) for m, (x, y) in zip(members, ends, strict=True)}
            tracks = self.laid(trips)
            if self.legal(tracks) is not None:
                return tracks
        return None

    def check_unit(self, steps: list[Step], ends: dict[str, Pose]) -> None:
        if self.tested is None:
            return
        for step in steps:
            if step.model.id not in self.tested and crosses(self.battle, step):
                raise self.refuse("refuse.not-tested", "wh40k:4.8.5-declare", step.model)


def crosses(battle: Battle, step: Step) -> bool:
    """wh40k:4.8.1-over  Whether a model needs a test for its way: FLY and TITANIC models do not."""
    if step.model.has("FLY") or step.model.has("TITANIC"):
        return False
    return bool(moves.crossed_enemies(battle, step))


def _judge(battle: Battle, unit: Unit, far: dict[str, float] | None = None) -> FallBackJudge:
    def budget(model: Model) -> float:
        if far is not None:
            return inches(far[model.id])
        move = model.profile.M
        dice = 0 if move is None or move.fixed else move.count * move.sides
        return inches(movement.reach(battle, model) + dice)

    return FallBackJudge(battle, unit, battle.members(unit), Way("fall-back"), budget, RULE)


def possible(battle: Battle, unit: Unit) -> bool:
    """wh40k:4.7.1-fall-back  Whether there may be a way out, with the best roll where M is random.

    Where none is found for the unit but every model has a place to go, its player may know one.
    """
    battle.crowd()
    key = ("way out", unit.id)
    if key not in battle._memo:
        judge = _judge(battle, unit)
        known = any(judge.propose(name) is not None for name in judge.proposals())
        battle._memo[key] = known or all(
            reserve_pockets.refuge(battle, m, judge.budget(m)) for m in battle.members(unit)
        )
    return bool(battle._memo[key])


@cites
def fall_back(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:4.7.1-fall-back, wh40k:4.7.2-fall-back-limits  The intended moves, the tests they call for, then the moves.

    wh40k:4.8.5-declare  Who means to cross enemies is known before anybody tests.
    Ruling: the paths say who will cross enemies. If anybody is lost the survivors may move otherwise, but only those
    who have tested may cross; if they then have no legal move they stay and count as having Fallen Back.
    """
    unit.phase = unit.phase.but(fell_back_shocked=unit.shocked)
    far = yield from movement.rolled_move(battle, unit)
    yield from overwatch.window(battle, unit, "start")
    if not unit.models:
        return
    made = yield from _ask(battle, unit, far)
    if made is None:
        unit.turn = unit.turn.but(moved="stationary")
        battle.tell("move.stationary", "wh40k:4.4-stationary", (unit.id,))
        return
    unit.turn = unit.turn.but(moved="fall-back")
    testers = _testers(battle, unit, made)
    before = unit.models
    if testers:
        yield from _tests(battle, unit, testers)
    if not unit.models:
        return
    if unit.models != before:
        battle.cite("wh40k:4.8.5-declare")
        made = yield from _ask(battle, unit, far, frozenset(m.id for m in testers))
    gone = moves.apply(battle, made or [])
    battle.tell("move.made", RULE, (unit.id,), move="option.move-fall-back", inches=round(gone / MM_PER_INCH, 2))


def _ask(
    battle: Battle, unit: Unit, far: dict[str, float], tested: frozenset[str] | None = None
) -> Script[list[Step] | None]:
    """The moves a player wants; None where no way is known and he knows none either: then nobody moves."""
    judge = _judge(battle, unit, far)
    judge.tested = tested
    known = any(judge.propose(name) is not None for name in judge.proposals())
    if not known:
        battle.cite("wh40k:4.8.5-declare")
    made: list[Step] | None = yield Place(
        unit.seat, "move", unit.models, judge, rule=RULE, about=(unit.id,), optional=not known, aside=not known,
        data={"kind": "option.move-fall-back", "inches": max(far.values())},
    )  # fmt: skip
    return made


def _testers(battle: Battle, unit: Unit, made: list[Step]) -> list[Model]:
    """wh40k:4.8.1-over, wh40k:4.8.2-shocked, wh40k:4.8.4-once, wh40k:3.3.5-fall-back
    Those who cross enemies, or everybody if Battle-shocked."""
    crossing = [s.model for s in made if crosses(battle, s)]
    battle.cite("wh40k:4.8.1-over")
    if unit.phase.fell_back_shocked:
        battle.cite("wh40k:4.8.2-shocked", "wh40k:3.3.5-fall-back")
        crossing = battle.members(unit)
    battle.cite("wh40k:4.8.4-once")
    return [m for m in crossing if not m.escape_tested]


def _tests(battle: Battle, unit: Unit, testers: list[Model]) -> Script[None]:
    """wh40k:4.8.3-procedure  A D6 each before anybody moves; for each 1 or 2 one model of the unit is destroyed."""
    for model in testers:
        model.escape_tested = True
    rolled = yield from steps.escapes(stratagems.roller(battle, unit), len(testers))
    battle.cite(*rolled.rules)
    for _ in range(sum(face < 3 for face in rolled.faces)):
        if not unit.models:
            return
        members = battle.members(unit)
        lost = yield from allocation.one_of(unit, "escape.lost", members, TEST, same=allocation.alike(members))
        yield from casualties.destroy(battle, lost, TEST)

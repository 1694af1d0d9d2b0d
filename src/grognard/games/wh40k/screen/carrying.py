"""Units carried by hand: in their formation where it fits, else gathered as near to the hand as they find room."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.charge import joint_moves
from grognard.games.wh40k.charge.combat_moves import CombatJudge
from grognard.games.wh40k.forces import Model
from grognard.games.wh40k.movement import suggestions
from grognard.games.wh40k.movement.moves import MoveJudge, Trip
from grognard.games.wh40k.table.levels import GROUND, Surface, may_stand, surface_at, surfaces
from grognard.games.wh40k.table.placing import SetUpJudge, cluster, huddle
from grognard.games.wh40k.terrain import floors, partly_on, pieces_near, wholly_on
from grognard.kernel.geometry.base import Pose
from grognard.kernel.placing.judges import standing
from grognard.kernel.placing.tracks import write

Point = tuple[float, float]
#: How many stand in a row of a unit that is set up by hand, and how far apart (mm).
ROW, APART = 5, 5.0
#: How much of the way into combat is tried, all of it first.
SHARES = (1.0, 0.7, 0.4)


def level(battle: Battle, model: Model, at: Pose) -> int:
    """wh40k:15.2.4-hill, wh40k:15.5.3-floors
    What is under a base: a hill's top, or of a ruin's floors the one of `at`."""
    base = battle.bodies.base(model.body)
    held = [p for p in pieces_near(battle.table, at.x, at.y, base.reach) if partly_on(p, base, at)]
    if any(piece.kind == "hill" for piece in held):
        return 1
    high = [
        len(floors(piece)) for piece in held
        if wholly_on(piece, base, at) and may_stand(model, Surface(piece, 1, 0.0))
    ]  # fmt: skip
    return min(at.level, max(high, default=0))


def levels(judge: MoveJudge | SetUpJudge) -> tuple[int, ...]:
    """wh40k:15.5.3-floors  The ground and every floor of the battlefield that somebody of them may stand on.

    What stands on a hill stands on its top: there is nothing to choose.
    """
    movers = [judge.battle.models[key] for key in judge.moving]
    above = [s for s in surfaces(judge.battle.table) if s.floor and any(may_stand(model, s) for model in movers)]
    return tuple(range(max(surface.level for surface in above) + 1)) if above else ()


def carried(judge: MoveJudge, mover: str, to: Point, wish: int | None) -> Any:
    """wh40k:4.3.1-path  The unit on its way to a point where its formation cannot go there; None where it cannot."""
    battle = judge.battle
    lead = battle.pose(battle.models[mover])
    by = to[0] - lead.x, to[1] - lead.y
    surface = surface_at(battle.table, Pose(*to, 0.0, lead.level if wish is None else wish))
    if isinstance(judge, CombatJudge):
        return _into_combat(judge, by)
    way: dict[str, Trip] | None
    if surface == GROUND:
        way = suggestions.go(judge, by)
    else:
        x, y = suggestions.centre(battle, judge.movers)
        way = suggestions.regroup(judge, (x + by[0], y + by[1]), surface)
    return judge.wire(way) if way else None


def _into_combat(judge: CombatJudge, by: Point) -> Any:
    """wh40k:9.4.2-conditions, wh40k:10.7.1-pile-in
    As far that way as all can go who have a duty, else as is proposed."""
    starts = {m.id: judge.battle.pose(m) for m in judge.movers}
    for share in SHARES:
        x, y = by[0] * share, by[1] * share
        ahead = {key: Trip(((at.x, at.y), (at.x + x, at.y + y)), at.level) for key, at in starts.items()}
        wire = judge.wire(joint_moves.mended(judge, ahead))
        if wire is not None:
            return wire
    return next((wire for name in judge.proposals() if (wire := judge.propose(name)) is not None), None)


def set_up(judge: SetUpJudge, mover: str, to: Point, facing: float | None, wish: int | None) -> Any:
    """wh40k:1.6.4-setup  In rows with the mover at a point, or crowded round it; None where there is no room."""
    battle = judge.battle
    turned = judge.facing if facing is None else facing
    rows = _rows(judge, mover, to, turned)
    settled = {
        key: at._replace(level=level(battle, battle.models[key], at._replace(level=wish or 0)))
        for key, at in rows.items()
    }
    wire = judge.legal(standing(settled))
    if wire is not None:
        return wire
    surface = surface_at(battle.table, Pose(*to, 0.0, wish or 0))
    loose = None
    for gather in (cluster, huddle):
        spots = gather(judge, to, surface)
        crowd = standing({k: Pose(*at, turned, surface.level).snapped() for k, at in (spots or {}).items()})
        wire = judge.legal(crowd) if crowd else None
        if wire is not None:
            return wire
        loose = loose or (write(crowd) if crowd else None)
    return loose


def _rows(judge: SetUpJudge, mover: str, to: Point, facing: float) -> dict[str, Pose]:
    """Everybody side by side, the mover at the point."""
    battle, keys = judge.battle, list(judge.unit.models)
    step = 2 * max(battle.radius(battle.models[key]) for key in keys) + APART
    turn = math.radians(facing)
    places = {key: divmod(number, ROW) for number, key in enumerate(keys)}
    back, right = places.get(mover, (0, 0))
    found = {}
    for key, (row, file) in places.items():
        across, behind = (file - right) * step, (row - back) * step
        x = to[0] + across * math.cos(turn) - behind * math.sin(turn)
        y = to[1] - across * math.sin(turn) - behind * math.cos(turn)
        found[key] = Pose(x, y, facing).snapped()
    return found

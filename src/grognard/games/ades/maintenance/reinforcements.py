"""ades:13.2-renfort-return, ades:13.2-renfort-caps  Fighters who come back at the start of a turn."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.mystics import recovery
from grognard.games.ades.records import Fear, Marks, Round
from grognard.games.ades.scenarios import zones
from grognard.games.ades.table import ground, setting_down, standing
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry import room
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.units import cm, snap
from grognard.kernel.questions import Pick, Place, Script, option

RETURN, CAPS = "ades:13.2-renfort-return", "ades:13.2-renfort-caps"
#: How whoever comes back stands, unless its player says otherwise.
FACING = 180.0


def recall(battle: Battle, seat: str) -> Script[None]:
    """ades:13.2-renfort-return  Whoever drew this turn may be recalled, within the limits of the format."""
    side = battle.sides[seat]
    while True:
        late = battle.house["recall"] == "later"
        gone = [f for f in battle.fighters.values() if f.seat == seat and not f.alive and f.recall]
        ready = [f for f in gone if f.recall == battle.turn or (late and f.recall < battle.turn)]
        able = [
            f for f in ready
            if side.recalled + f.val <= battle.format // 5 and side.recalled_now + f.val <= battle.format // 10
        ]  # fmt: skip
        barred = {f.id: Refusal("refuse.recall-cap", CAPS, {"fighter": f.id}) for f in ready if f not in able}
        if not ready:
            return
        if not able:
            battle.cite(CAPS)
        who: Fighter | None = yield Pick(
            seat, "recall", [option(f.id, f, about=(f.id,)) for f in able], optional=True, barred=barred, rule=RETURN
        )
        if who is None:
            return
        who.recall = 0
        yield from _bring_back(battle, who)


def _bring_back(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.2-renfort-return  In its own zone, at the edge of the table if there is room, away from enemies."""
    side = battle.sides[fighter.seat]
    base = fighter.profile.foot

    def allowed(key: str, pose: Pose) -> Refusal | None:
        refusal = zones.outside(battle, fighter.seat, base, pose)
        if refusal is not None:
            return Refusal("refuse.not-in-zone", RETURN, {"fighter": key})
        foe = next(iter(ground.touched(battle, fighter, pose)), None)
        return None if foe is None else Refusal("refuse.enemy-contact", RETURN, {"fighter": key, "other": foe.id})

    free = shapely.intersection(
        standing.open_ground(battle, base, FACING, 0), zones.area(battle, fighter.seat, base, FACING)
    )
    free = shapely.difference(free, standing.touching_foes(battle, fighter, FACING, 0))
    rim = [
        at for at in (*_rim(battle, base), *_ends(battle, base, free))
        if setting_down.fits(battle, fighter.id, base, at, RETURN) is None and allowed(fighter.id, at) is None
    ]  # fmt: skip

    def region(key: str, pose: Pose) -> Refusal | None:
        if rim and not _at_edge(battle, base, pose):
            return Refusal("refuse.not-at-edge", RETURN, {"fighter": key})
        return allowed(key, pose)

    anchors = {f"edge:{n}": (at.x, at.y) for n, at in enumerate(rim[:: max(1, len(rim) // 8)])}

    def spots(key: str) -> list[tuple[float, float]]:
        inner = [(at.x, at.y) for at in rim]
        return inner or [(snap(x), snap(y)) for x, y in room.spots(free, (0.0, 0.0), cm(5)).tolist()]

    anchors |= zones.edge_anchors(battle, fighter.seat, base)
    judge = setting_down.PutJudge(battle, {fighter.id: base}, RETURN, region, anchors, facing=FACING, more=spots)
    if not judge.possible():
        return
    poses = yield Place(fighter.seat, "recall.place", (fighter.id,), judge, rule=RETURN, about=(fighter.id,))
    reset(battle, fighter)
    battle.put(fighter, poses[fighter.id])
    side.recalled += fighter.val
    side.recalled_now += fighter.val
    battle.cite(CAPS)
    battle.tell("recalled", RETURN, (fighter.id,))


def _at_edge(battle: Battle, base: Base, pose: Pose) -> bool:
    off = min(pose.x, pose.y, battle.table.width - pose.x, battle.table.height - pose.y)
    return off <= base.half_width + cm(0.1)


def _rim(battle: Battle, base: Base) -> list[Pose]:
    """Places in contact with the edges of the table, every 2 cm."""
    r, wide, high = base.half_width, battle.table.width, battle.table.height
    across = [r + cm(2) * n for n in range(int((wide - 2 * r) // cm(2)) + 1)]
    up = [r + cm(2) * n for n in range(int((high - 2 * r) // cm(2)) + 1)]
    found = [Pose(x, y) for y in (r, high - r) for x in across]
    return found + [Pose(x, y) for x in (r, wide - r) for y in up]


def _ends(battle: Battle, base: Base, free: BaseGeometry) -> list[Pose]:
    """Places in contact with the edges of the table: the ends and the middle of every stretch where there is room."""
    r, wide, high = base.half_width, battle.table.width, battle.table.height
    line = shapely.boundary(shapely.box(r, r, wide - r, high - r))
    found = []
    for part in shapely.get_parts(shapely.line_merge(shapely.intersection(line, free))):
        if isinstance(part, shapely.LineString) and not part.is_empty:
            middle = part.interpolate(0.5, normalized=True)
            found += [*shapely.get_coordinates(part)[[0, -1]].tolist(), (middle.x, middle.y)]
    return [Pose(snap(x), snap(y)) for x, y in found]


def reset(battle: Battle, fighter: Fighter) -> None:
    """ades:13.2-renfort-return  As it was deployed; it may only walk this turn."""
    fighter.alive, fighter.pv, fighter.hidden = True, fighter.profile.pv, False
    fighter.fear, fighter.marks = Fear(), Marks()
    fighter.stance = fighter.stance.but(charged=False, dodging=False)
    fighter.powers = fighter.powers.but(spent=())
    fighter.new_turn()
    fighter.round = Round(returned=True)
    recovery.start(battle, fighter)

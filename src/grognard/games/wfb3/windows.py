"""wfb3:22.2, 22.3  Shooting out of buildings, and at those inside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.wfb3 import fear, missiles, rooms, sight, steps, terrain, walls
from grognard.games.wfb3.aiming import Shot
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.engines import Hurt
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rooms import SIDES, Room
from grognard.games.wfb3.weapons import Missile
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.outlook import sees as looks
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Option, Script
from grognard.kernel.tally import Tally


class Stand(NamedTuple):
    """Where somebody shoots from or is shot at: an outline, points to look from, a level (0 outdoors), the room."""

    outline: Outline
    eyes: list[Point]
    level: int
    room: Room | None


def stands(battle: Battle, unit: Unit, towards: Outline | None = None) -> list[tuple[Stand, list[Model]]]:
    """wfb3:22.2-firing-points, 22.3-shoot-in  The openings a unit holds, with those at them; on the table its block."""
    if unit.where != "building":
        block = battle.block_of(unit)
        return [(Stand(block.outline, [block.front, *block.boundary.corners[:2]], 0, None), battle.members(unit))]
    found = []
    for key, ids in unit.rooms:
        room = battle.rooms[key]
        left = [battle.models[m] for m in ids]
        if room.down or (battle.engaged(unit) and any(True for _ in rooms.held(battle, key, battle.other(unit.seat)))):
            continue
        for side in room.outer:
            edge = SIDES[side]
            if towards is not None and gap(fan(room.rect, edge), towards) > TOUCH:
                continue
            battle.cite("wfb3:22.2-firing-points")
            at, left = left[: room.points(side)], left[room.points(side) :]
            if at:
                a, b = room.rect.side(edge)
                middle = room.rect.middle(edge)
                found.append((Stand(Outline((a, b, b)), [middle, a, b], room.level, room), at))
    return found


def height(battle: Battle, stand: Stand) -> int:
    """wfb3:22.2-height-range  How high somebody is: the ground level of a building is no higher than the plain."""
    hill = terrain.level(battle.table, stand.eyes[0])
    return (stand.level - 1 if stand.level else 0) + 2 * hill


def reach(battle: Battle, weapon: Missile, own: Stand, other: Stand) -> Tally:
    """wfb3:22.2-height-range, 22.3-range  Inches: a tenth more from above, a tenth less from below, rounded."""
    tally = Tally(weapon.range, "range", weapon.table)
    up = height(battle, own) - height(battle, other)
    if up > 0 and own.level:
        tally.set(math.floor(weapon.range * 1.1 + 0.5), "above", "wfb3:22.2-height-range")
    elif up < 0 and other.level:
        tally.set(math.floor(weapon.range * 0.9 + 0.5), "below", "wfb3:22.3-range")
    battle.cite(*tally.rules)
    return tally


def over(battle: Battle, piece: Piece, own: Stand, far: float, half: float) -> bool:
    """wfb3:22.2-over-terrain  Whether one shoots over a piece of scenery from a building; sight is mutual.

    Ruling: the level the shooters hold is what is compared.
    """
    battle.cite("wfb3:22.2-over-terrain")
    if terrain.level(battle.table, own.eyes[0]) and not terrain.level(battle.table, piece.points[0]):
        return True
    what = terrain.kind(piece)
    if what.ground == "linear":
        return own.level >= 2
    if piece.kind in rooms.KINDS:
        top = max((r.level for r in battle.rooms.values() if r.piece == piece.id and r.standing), default=0)
        return own.level - top >= (1 if far <= half + EPS else 2)
    if piece.kind in ("wood", "hill", "steep hill"):
        return own.level >= 3
    return False


def sees(battle: Battle, own: Stand, other: Stand, unit: Unit, target: Unit, half: float) -> bool:
    """wfb3:22.2-over-terrain  Whether anybody at an opening sees anybody at the other end."""
    high = max((own, other), key=lambda s: s.level)
    far = gap(own.outline, other.outline)
    skip = {s.room.piece for s in (own, other) if s.room is not None}
    goals = other.eyes if other.room is not None else sight.spots(other.outline)
    found: list[tuple[tuple[Point, ...], bool]] = []
    woods = False
    for piece in battle.table.pieces:
        what = terrain.kind(piece)
        opaque = what.sight in ("solid", "wall") or (what.ground == "linear" and not what.negative)
        if piece.id in skip or not (opaque or what.sight == "area"):
            continue
        if terrain.inside(piece, [*own.eyes[:1], *goals[-1:]]) and what.sight == "wall":
            continue
        if over(battle, piece, high, far, half):
            continue
        shape = terrain.outline(piece, battle.table)
        if what.ground == "linear" and min(gap(shape, own.outline), gap(shape, other.outline)) <= sight.AT_WALL:
            continue
        if what.sight == "area":
            woods = True
            continue
        found += [(ring, False) for ring in sight.rings(battle, piece)]
    if high.level < 2:
        found += [(battle.block_of(u).outline.points, False) for u in battle.here() if u not in (unit, target)]
    if woods:
        return sight.free(battle, own.eyes, goals, found)
    return looks(own.eyes, goals, found)


def pairs(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile
) -> list[tuple[Stand, list[Model], Stand, list[Model]]]:
    """Openings and blocks from which, and at which, these may shoot."""
    found = []
    own_side = battle.block_of(unit).outline if unit.where == "table" else battle.rooms[unit.rooms[0][0]].outline
    for goal, who in stands(battle, target, own_side):
        if goal.room is not None and not target.revealed:
            continue
        for own, shooters in stands(battle, unit, goal.outline):
            if goal.room is not None and goal.room.wall:
                continue
            if goal.room is not None and not _faces(goal, own):
                continue
            if sees(battle, own, goal, unit, target, weapon.half):
                found.append((own, shooters, goal, who))
    return found


def _faces(goal: Stand, own: Stand) -> bool:
    """wfb3:22.3-shoot-in  Whether an opening looks towards a shooter."""
    assert goal.room is not None
    for side in goal.room.outer:
        if goal.room.rect.middle(SIDES[side]) == goal.eyes[0]:
            return gap(fan(goal.room.rect, SIDES[side]), own.outline) <= TOUCH
    return False


def may_aim(battle: Battle, unit: Unit, target: Unit, weapon: Missile) -> bool:
    return any(
        any(weapon.name in m.kit.missiles for m in shooters)
        for _, shooters, _, _ in pairs(battle, unit, target, weapon)
    )


def volley(battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, at_chargers: bool = False) -> Script[int]:
    """wfb3:22.2-firing-points, 22.3-shoot-in, 22.3-range  A volley that leaves or enters a building."""
    total = 0
    used: set[str] = set()
    fired = wasted = 0
    for own, shooters, goal, _ in pairs(battle, unit, target, weapon):
        who = [m for m in shooters if m.id not in used and weapon.name in m.kit.missiles]
        if unit.where == "table":
            from grognard.games.wfb3 import aiming

            ready = {battle.models[unit.models[p.number]].id for p in aiming.ranked(battle, unit, unit)}
            who = [m for m in who if m.id in ready]
        far = inches(float(reach(battle, weapon, own, goal).value))
        near = [m for m in who if gap(_spot(battle, m, own), goal.outline) <= far + EPS]
        used.update(m.id for m in who)
        wasted += len(who) - len(near)
        if not near or target.where not in ("table", "building"):
            continue
        fired += len(near)
        tally = need(battle, unit, target, weapon, own, goal, far, at_chargers=at_chargers)
        strength = weapon.strength if weapon.strength is not None else max(1, unit.profile.S + weapon.plus)
        distance = gap(own.outline, goal.outline)
        made = Shot(int(tally.value), strength, weapon.modifier(distance), False, tally)
        hits, _ = yield from steps.missile_hits(
            unit.seat, len(near), tally, "wfb3:6.2-tohit-table", (unit.id, target.id)
        )
        total += yield from missiles.strike(battle, unit, target, weapon, made, hits)
    unit.revealed = unit.revealed or unit.where == "building"
    battle.tell(
        "shoot.volley", "wfb3:22.2-firing-points" if unit.where == "building" else "wfb3:22.3-shoot-in",
        (unit.id, target.id), weapon=weapon.name, shots=fired, out_of_range=wasted,
    )  # fmt: skip
    return total


def _spot(battle: Battle, model: Model, own: Stand) -> Outline:
    """wfb3:22.2-firing-points  Ranges are measured from the building's base."""
    if own.room is not None:
        return own.outline
    pose = battle.pose(model)
    return Outline(((pose.x, pose.y),), battle.base(model).length / 2)


def need(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, own: Stand, goal: Stand, far: float,
    *, at_chargers: bool = False,
) -> Tally:  # fmt: skip
    """wfb3:6.2.5-modifiers, 22.3-shoot-in, 22.6-collapse-table  The score needed through a window."""
    from grognard.games.wfb3 import aiming

    tally = Tally(steps.missile_need(unit.profile.BS), "BS", "wfb3:6.2-tohit-table")
    aiming.common(battle, unit, target, weapon, tally, at_chargers=at_chargers)
    if gap(own.outline, goal.outline) > far / 2 + EPS and not weapon.thrown:
        tally.add(1, "long", "wfb3:6.2.5-modifiers")
    if own.room is not None and own.room.condition == "failing":
        tally.add(1, "shaky", "wfb3:22.6-collapse-table")
    if goal.room is not None:
        if goal.room.condition:
            tally.add(1, "soft-cover", "wfb3:22.6-collapse-table")
        elif goal.room.terrace:
            battle.cite("wfb3:22.3-shoot-in")
        else:
            tally.add(2, "hard-cover", "wfb3:22.3-shoot-in")
            battle.cite("wfb3:6.2.3-cover-openings")
    else:
        kind, rule = _cover(battle, own, target)
        if kind:
            tally.add(2 if kind == "hard" else 1, f"{kind}-cover", rule)
    if unit.block is not None and target.block is not None and fear.in_radius(battle, unit, target):
        tally.add(1, "fear", "wfb3:10.8-radius")
    return tally.at_least(2, "best", "wfb3:6.2.5-floor")


def _cover(battle: Battle, own: Stand, target: Unit) -> tuple[str, str]:
    """wfb3:6.2.3-cover-types  What shelters a target outside: woods and ruins it stands in, near walls."""
    from grognard.games.wfb3 import cover
    from grognard.kernel.formation.block import Place
    from grognard.kernel.geometry.base import Pose, rect_base

    x, y = own.eyes[0]
    spot = Place(0, 0, 0, 1, 1, rect_base(1.0, 1.0), Pose(x, y, 0.0))
    return cover.cover(battle, target, spot, target)


def shoot(battle: Battle, unit: Unit, target: Unit | Room, weapon: Missile) -> Script[None]:
    """One unit's volley where a building is at either end of it, or is itself the mark."""
    from grognard.games.wfb3 import fires

    unit.fired = battle.clock
    if isinstance(target, Room):
        yield from at_wall(battle, unit, target, weapon)
        return
    unit.fired_at = target.id
    wounds = yield from volley(battle, unit, target, weapon)
    if weapon.fire:
        yield from fires.attacked(battle, unit, target, wounds)


def power(battle: Battle, weapon: Missile, room: Room, unit: Unit) -> int:
    """wfb3:22.4-toughness, 23.2-effects  The strength of a missile against a wall."""
    from grognard.games.wfb3 import fires

    strength = weapon.strength if weapon.strength is not None else max(1, unit.profile.S + weapon.plus)
    return strength + (1 if weapon.fire and fires.flammable(battle, room, within=False) else 0)


def walls_in_sight(battle: Battle, unit: Unit, weapon: Missile) -> list[Option]:
    """wfb3:22.4-toughness  Section/levels that missiles of this strength can hurt, in arc and sight."""
    found = []
    for room in battle.rooms.values():
        if room.down or not room.outer or power(battle, weapon, room, unit) < walls.least_strength(room):
            continue
        if unit.where != "table" or not markers(battle, unit, room):
            continue
        found.append(Option(room.id, room, about=(room.id,)))
    return found


def any_wall(battle: Battle, unit: Unit, carried: Sequence[Missile]) -> bool:
    """wfb3:22.4-toughness, 23.1.2-fire-missiles  Whether a unit could hurt some building it has before it."""
    if not battle.rooms or unit.where != "table":
        return False
    hot = unit.fire_missiles and unit.brazier and unit.moved != battle.clock
    kinds = [*carried, *(msgspec.structs.replace(w, fire=True) for w in carried if hot)]
    return any(walls_in_sight(battle, unit, weapon) for weapon in kinds)


def markers(battle: Battle, unit: Unit, room: Room) -> list[Model]:
    """Models of the front rank that have a wall in their arc."""
    from grognard.games.wfb3 import aiming

    places = aiming.ranked(battle, unit, unit)
    around = aiming.all_round(battle, unit)
    return [battle.models[unit.models[p.number]] for p in places if sight.in_arc(p, room.outline, around)]


def at_wall(battle: Battle, unit: Unit, room: Room, weapon: Missile) -> Script[None]:
    """wfb3:22.4-toughness  Missiles against masonry: a large target, one point of damage for each that tells."""
    shooters = [m for m in markers(battle, unit, room) if weapon.name in m.kit.missiles]
    far = gap(battle.block_of(unit).outline, room.outline)
    if far > weapon.reach + EPS:
        shooters = []
    tally = Tally(steps.missile_need(unit.profile.BS), "BS", "wfb3:6.2-tohit-table")
    tally.add(-1, "large", "wfb3:6.2.5-modifiers")
    if unit.moved == battle.clock:
        tally.add(1, "moved", "wfb3:6.2.5-modifiers")
    if far > weapon.half + EPS:
        tally.add(1, "long", "wfb3:6.2.5-modifiers")
    tally.at_least(2, "best", "wfb3:6.2.5-floor")
    hits, _ = yield from steps.missile_hits(unit.seat, len(shooters), tally, "wfb3:6.2-tohit-table", (unit.id, room.id))
    strength = weapon.strength if weapon.strength is not None else max(1, unit.profile.S + weapon.plus)
    battle.tell("building.shot", "wfb3:22.4-toughness", (unit.id, room.id), shots=len(shooters), hits=hits)
    yield from walls.strike(battle, unit.seat, room, strength, hits, Hurt(0, 0, 1), (unit.id,), fire=weapon.fire)

"""Chapters 22.2, 22.3: shooting out of buildings, and at those inside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.wfb3.army.machine_table import Hurt
from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.buildings import building_damage
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.pieces import SIDES, Room
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.shooting import aiming, targeting
from grognard.games.wfb3.table import cover, crews, flyers, sections, sight, terrain
from grognard.kernel.citing import cites
from grognard.kernel.formation import block
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.outlook import sees as looks
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry import base
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Option, Script
from grognard.kernel.words.tally import Tally


class Stand(NamedTuple):
    """Where somebody shoots from or is shot at: an outline, points to look from, a level (0 outdoors), the room."""

    outline: Outline
    eyes: list[Point]
    level: int
    room: Room | None


def stands(battle: Battle, unit: Unit, towards: Outline | None = None) -> list[tuple[Stand, list[Model]]]:
    """wfb3:22.2-firing-points, wfb3:22.3-shoot-in
    The openings a unit holds, with those at them; on the table its block."""
    if unit.where != "building":
        block = battle.block_of(unit)
        return [(Stand(block.outline, [block.front, *block.boundary.corners[:2]], 0, None), battle.members(unit))]
    found = []
    for key, ids in unit.indoors.rooms:
        room = battle.rooms[key]
        left = [battle.models[m] for m in ids]
        if room.down or (
            battle.engaged(unit) and any(True for _ in sections.held(battle, key, battle.other(unit.seat)))
        ):
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
    """wfb3:22.2-height-range, wfb3:22.3-range  Inches: a tenth more from above, a tenth less from below, rounded."""
    tally = Tally(weapon.range, "range", weapon.table)
    up = height(battle, own) - height(battle, other)
    if up > 0 and own.level:
        tally.set(math.floor(weapon.range * 1.1 + 0.5), "above", "wfb3:22.2-height-range")
    elif up < 0 and other.level:
        tally.set(math.floor(weapon.range * 0.9 + 0.5), "below", "wfb3:22.3-range")
    battle.cite(*tally.rules)
    return tally


@cites
def over(battle: Battle, piece: Piece, own: Stand, half: float) -> bool:
    """wfb3:22.2-over-terrain  Whether one shoots over a piece of scenery from a building; sight is mutual.

    Over a house a level less is enough where it stands within half range of the shooters.

    Ruling: the level the shooters hold is what is compared.
    """
    if terrain.level(battle.table, own.eyes[0]) and not terrain.level(battle.table, piece.points[0]):
        return True
    what = terrain.kind(piece)
    if what.ground == "linear":
        return own.level >= 2
    if piece.kind in sections.KINDS:
        top = max((r.level for r in battle.rooms.values() if r.piece == piece.id and r.standing), default=0)
        far = gap(own.outline, terrain.outline(piece, battle.table))
        return own.level - top >= (1 if far <= half + EPS else 2)
    if piece.kind in ("wood", "hill", "steep hill"):
        return own.level >= 3
    return False


def sees(battle: Battle, own: Stand, other: Stand, unit: Unit, target: Unit, half: float) -> bool:
    """wfb3:22.2-over-terrain  Whether anybody at an opening sees anybody at the other end."""
    if sight.aloft(unit, target):
        return True
    high = max((own, other), key=lambda s: s.level)
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
        if over(battle, piece, high, half):
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
    own_side = (
        battle.block_of(unit).outline if unit.where == "table" else battle.rooms[unit.indoors.rooms[0][0]].outline
    )
    for goal, who in stands(battle, target, own_side):
        for own, shooters in stands(battle, unit, goal.outline):
            if _open(battle, own, goal, unit, target, weapon.half):
                found.append((own, shooters, goal, who))
    return found


def _open(battle: Battle, own: Stand, goal: Stand, unit: Unit, target: Unit, half: float) -> bool:
    """wfb3:22.3-shoot-in  Whether those at one stand, who have shown themselves, can be shot at from another."""
    if goal.room is not None and (not target.indoors.revealed or goal.room.wall or not _faces(goal, own)):
        return False
    return sees(battle, own, goal, unit, target, half)


def seen_from(battle: Battle, own: Stand, unit: Unit, target: Unit) -> list[Point]:
    """wfb3:22.3-shoot-in  The middles of the openings at which somebody of a target is seen from a stand."""
    goals = [goal for goal, _ in stands(battle, target, own.outline)]
    return [goal.eyes[0] for goal in goals if _open(battle, own, goal, unit, target, 0.0)]


def through_openings(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, gunner: Model, own: Stand, mark: Model | None = None
) -> list[Aimed]:
    """wfb3:22.3-shoot-in, wfb3:19.6-fire  One machine's shots at those who look out of windows, the best first."""
    goals = [goal for goal, _ in stands(battle, target, own.outline)]
    made = [
        _shot(battle, unit, target, weapon, gunner, own.outline, own, goal, at_chargers=False, twice=False, mark=mark)
        for goal in goals
        if _open(battle, own, goal, unit, target, weapon.half)
    ]
    return sorted(made, key=lambda aimed: aimed.shot.need if aimed.shot is not None else 99)


def _faces(goal: Stand, own: Stand) -> bool:
    """wfb3:22.3-shoot-in  Whether an opening looks towards a shooter."""
    assert goal.room is not None
    for side in goal.room.outer:
        if goal.room.rect.middle(SIDES[side]) == goal.eyes[0]:
            return gap(fan(goal.room.rect, SIDES[side]), own.outline) <= TOUCH
    return False


def may_aim(battle: Battle, unit: Unit, target: Unit, weapon: Missile) -> bool:
    """wfb3:6.2.1-arc, wfb3:22.3-shoot-in
    Whether anybody of a unit has a target in his arc and sight, in range or not."""
    return any(
        any(weapon.name in model.kit.missiles for model, _ in _ready(battle, unit, own, at, goal))
        for own, at, goal, _ in pairs(battle, unit, target, weapon)
    )


class Aimed(NamedTuple):
    """What one model's shot needs and does, None where it does not carry; how far it flies, and by which openings."""

    model: Model
    shot: aiming.Shot | None
    far: float
    by: str


def shots(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, at_chargers: bool = False, twice: bool = False,
    mark: Model | None = None, only: Sequence[str] | None = None,
) -> list[Aimed]:  # fmt: skip
    """wfb3:22.2-firing-points, wfb3:22.3-shoot-in, wfb3:22.3-range
    Everybody who has a shot that leaves or enters a building.

    Each takes the opening at which he needs least.
    """
    found: dict[str, Aimed] = {}
    for own, at, goal, _ in pairs(battle, unit, target, weapon):
        for model, spot in _ready(battle, unit, own, at, goal):
            if weapon.name not in model.kit.missiles or (only is not None and model.id not in only):
                continue
            made = _shot(
                battle, unit, target, weapon, model, spot, own, goal, at_chargers=at_chargers, twice=twice, mark=mark
            )
            kept = found.get(model.id)
            if kept is None or _better(made.shot, kept.shot):
                found[model.id] = made
    return list(found.values())


def _better(one: aiming.Shot | None, other: aiming.Shot | None) -> bool:
    return one is not None and (other is None or one.need < other.need)


def _ready(battle: Battle, unit: Unit, own: Stand, at: Sequence[Model], goal: Stand) -> list[tuple[Model, Outline]]:
    """wfb3:6.2.1-arc, wfb3:6.2.2-rear-ranks, wfb3:22.2-firing-points
    Who may shoot from a stand, and whence it is measured.

    From a building ranges are measured from its base; outside everybody shoots from where he is.
    """
    if own.room is not None:
        return [(model, own.outline) for model in at]
    if unit.kind in crews.CARRIERS:
        places = zip(battle.block_of(unit).places, battle.members(unit), strict=True)
        steady = [(place, carrier) for place, carrier in places if not crews.idle(battle, carrier)]
        return [(member, place.outline) for place, carrier in steady for member in crews.aboard(battle, carrier)]
    around = aiming.all_round(battle, unit)
    return [
        (battle.models[unit.models[place.number]], place.outline)
        for place in aiming.ranked(battle, unit, unit)
        if sight.in_arc(place, goal.outline, around)
    ]


def _shot(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, model: Model, spot: Outline, own: Stand, goal: Stand,
    *, at_chargers: bool, twice: bool, mark: Model | None,
) -> Aimed:  # fmt: skip
    """wfb3:22.2-height-range, wfb3:21.3.1-shoot-at, wfb3:21.3.2-flyer-shoots  One model's shot through a window."""
    whole = inches(float(reach(battle, weapon, own, goal).value))
    by = ">".join(stand.room.id if stand.room is not None else "" for stand in (own, goal))
    near = targeting.limit(battle, unit, target, weapon) or targeting.limit_of_mark(battle, target, model, mark, weapon)
    most = inches(9) if weapon.name == "sling" and twice else whole / 2 if near is not None else whole
    far = gap(spot, goal.outline) + flyers.added(battle, unit, target)
    if far > most + EPS:
        if not at_chargers or weapon.thrown:
            return Aimed(model, None, far, by)
        far = most
    tally = need(battle, unit, target, weapon, own, goal, model, far > whole / 2 + EPS, at_chargers=at_chargers,
                 twice=twice and weapon.name == "repeating crossbow", mark=mark)  # fmt: skip
    strength = weapon.strength if weapon.strength is not None else max(1, model.profile.S + weapon.plus)
    if weapon.weak and far > whole / 2 + EPS:
        strength = weapon.weak
    rear = goal.room is None and aiming.behind(battle, own.outline, target)
    return Aimed(model, aiming.Shot(int(tally.value), strength, weapon.modifier(far), rear, tally), far, by)


def need(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, own: Stand, goal: Stand, model: Model, long: bool,
    *, at_chargers: bool = False, twice: bool = False, mark: Model | None = None,
) -> Tally:  # fmt: skip
    """wfb3:6.2.5-modifiers, wfb3:22.3-shoot-in, wfb3:22.6-collapse-table  The score needed through a window."""
    tally = Tally(steps.missile_need(model.profile.BS), "BS", "wfb3:6.2-tohit-table")
    aiming.common(battle, unit, target, weapon, tally, at_chargers=at_chargers, mark=mark)
    if long and not weapon.thrown:
        tally.add(1, "long", "wfb3:6.2.5-modifiers")
    if twice:
        tally.add(1, "twice", "wfb3:13.7.5-repeating-crossbow")
    if own.room is not None and own.room.condition == "failing":
        tally.add(1, "shaky", "wfb3:22.6-collapse-table")
    _sheltered(battle, unit, target, own, goal, tally)
    if fear.in_radius(battle, unit, target):
        tally.add(1, "fear", "wfb3:10.8-radius")
    return tally.at_least(2, "best", "wfb3:6.2.5-floor")


def _sheltered(battle: Battle, unit: Unit, target: Unit, own: Stand, goal: Stand, tally: Tally) -> None:
    """wfb3:22.3-shoot-in, wfb3:6.2.3-cover-openings  What hides the target: walls with windows, or scenery outside."""
    if goal.room is None:
        kind, rule = _cover(battle, own, target) if not sight.aloft(unit, target) else ("", "")
        if kind:
            tally.add(2 if kind == "hard" else 1, f"{kind}-cover", rule)
    elif goal.room.condition:
        tally.add(1, "soft-cover", "wfb3:22.6-collapse-table")
    elif goal.room.terrace:
        battle.cite("wfb3:22.3-shoot-in")
    else:
        tally.add(2, "hard-cover", "wfb3:22.3-shoot-in")
        battle.cite("wfb3:6.2.3-cover-openings")


def in_view(battle: Battle, unit: Unit, target: Unit, weapon: Missile) -> list[str]:
    """wfb3:22.3-shoot-in  The models of a target that somebody of a unit can see, at openings or outside."""
    return [model.id for _, _, _, who in pairs(battle, unit, target, weapon) for model in who]


def in_view_of(battle: Battle, own: Stand, unit: Unit, target: Unit) -> list[str]:
    """wfb3:22.3-shoot-in  The same from one stand."""
    goals = stands(battle, target, own.outline)
    return [model.id for goal, who in goals if _open(battle, own, goal, unit, target, 0.0) for model in who]


def _cover(battle: Battle, own: Stand, target: Unit) -> tuple[str, str]:
    """wfb3:6.2.3-cover-types  What shelters a target outside: woods and ruins it stands in, near walls."""
    x, y = own.eyes[0]
    spot = block.Place(0, 0, 0, 1, 1, base.rect_base(1.0, 1.0), base.Pose(x, y, 0.0))
    return cover.cover(battle, target, spot, target)


def power(battle: Battle, weapon: Missile, room: Room, unit: Unit) -> int:
    """wfb3:22.4-toughness, wfb3:23.2-effects  The strength of a missile against a wall."""
    strength = weapon.strength if weapon.strength is not None else max(1, unit.profile.S + weapon.plus)
    return strength + (1 if weapon.fire and fires.flammable(battle, room, within=False) else 0)


def walls_in_sight(battle: Battle, unit: Unit, weapon: Missile) -> list[Option]:
    """wfb3:22.4-toughness  Section/levels that missiles of this strength can hurt, in arc and sight."""
    found = []
    for room in battle.rooms.values():
        if room.down or not room.outer or power(battle, weapon, room, unit) < building_damage.least_strength(room):
            continue
        if unit.where != "table" or not markers(battle, unit, room):
            continue
        found.append(Option(room.id, room, about=(room.id,)))
    return found


def any_wall(battle: Battle, unit: Unit, carried: Sequence[Missile]) -> bool:
    """wfb3:22.4-toughness, wfb3:23.1.2-fire-missiles  Whether a unit could hurt some building it has before it."""
    if not battle.rooms or unit.where != "table":
        return False
    hot = unit.fire.fire_missiles and unit.fire.brazier and unit.march.moved != battle.clock
    kinds = [*carried, *(msgspec.structs.replace(w, fire=True) for w in carried if hot)]
    return any(walls_in_sight(battle, unit, weapon) for weapon in kinds)


def markers(battle: Battle, unit: Unit, room: Room) -> list[Model]:
    """Models of the front rank that have a wall in their arc."""
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
    if unit.march.moved == battle.clock:
        tally.add(1, "moved", "wfb3:6.2.5-modifiers")
    if far > weapon.half + EPS:
        tally.add(1, "long", "wfb3:6.2.5-modifiers")
    tally.at_least(2, "best", "wfb3:6.2.5-floor")
    hits, _ = yield from steps.missile_hits(unit.seat, len(shooters), tally, "wfb3:6.2-tohit-table", (unit.id, room.id))
    strength = weapon.strength if weapon.strength is not None else max(1, unit.profile.S + weapon.plus)
    battle.tell("building.shot", "wfb3:22.4-toughness", (unit.id, room.id), shots=len(shooters), hits=hits)
    yield from building_damage.strike(
        battle, unit.seat, room, strength, hits, Hurt(0, 0, 1), (unit.id,), fire=weapon.fire
    )

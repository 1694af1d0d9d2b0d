"""Chapters 22.1, 22.2, 22.6.2, 23.3: buildings as sections and levels: where, of what, and who is inside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from shapely import Polygon

from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.pieces import DOORS, SIDES, Room
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Outline, Point, Rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import bearing, inches

if TYPE_CHECKING:
    from grognard.games.wfb3.battle import Battle

#: wfb3:22.1-sections  The longest wall of one section.
SECTION = inches(4)
#: wfb3:22.1.1-capacity, 22.6-collapse-table  Models of human size a side, whole and unstable.
ROOM_FOR, SHAKY_ROOM = 12, 6
#: wfb3:22.4-toughness
TOUGHNESS = {"stone": 10, "wood": 9, "wattle": 8}
#: wfb3:22.6.1-materials  What can bring down what: only its equals and what is weaker.
WEIGHT = {"wattle": 0, "wood": 1, "stone": 2}
KINDS = ("building", "fortress wall")
#: Keys a building may have beside those of every piece.
KEYS = ("levels", "material", "doors", "roof", "windows", "terrace", "on")


# ---------------------------------------------------------------------- reading


def traits(entry: dict[str, Any], where: str) -> tuple[str, ...]:
    """What a building's entry says, as traits of its piece."""
    found = list(read.words(entry.get("traits") or (), f"{where}.traits"))
    levels = read.whole(entry.get("levels", 2 if entry.get("kind") == "building" else 1), f"{where}.levels")
    material = entry.get("material", "stone" if entry.get("kind") == "fortress wall" else "wattle")
    of = [material] * levels if isinstance(material, str) else read.listing(material, f"{where}.material")
    if len(of) != levels or any(m not in list(TOUGHNESS) for m in of):
        raise BadInput(
            "{where}: material is one of {known}, or a list with one for each level (wfb3:22.4-toughness)",
            where=where, known=", ".join(TOUGHNESS),
        )  # fmt: skip
    found += [f"levels={levels}", f"material={','.join(of)}"]
    usual = ["front"] if entry.get("kind") == "building" else []
    doors = entry.get("doors", usual)
    every = [doors] if isinstance(doors, str | dict) else read.listing(doors, f"{where}.doors")
    for number, door in enumerate(every):
        data = (
            {"side": door}
            if isinstance(door, str)
            else read.mapping(door, f"{where}.doors[{number}]", ("side", "section", "kind"))
        )
        side = read.one_of(data.get("side", "front"), f"{where}.doors[{number}].side", tuple(SIDES))
        kind = read.one_of(data.get("kind", "door"), f"{where}.doors[{number}].kind", tuple(DOORS))
        section = read.whole(data.get("section", 0), f"{where}.doors[{number}].section")
        found.append(f"door={side},{kind},{section}")
    for key in ("roof", "on"):
        if entry.get(key):
            found.append(f"{key}={entry[key]}")
    if "windows" in entry:
        found.append(f"windows={read.whole(entry['windows'], f'{where}.windows')}")
    if entry.get("terrace"):
        found.append("terrace=yes")
    return tuple(found)


def _said(piece: Piece, key: str) -> list[str]:
    return [t.partition("=")[2] for t in piece.traits if t.startswith(f"{key}=")]


def frame(piece: Piece) -> Rect:
    """A building's footprint as a rectangle; its front is the far side of its first wall."""
    points = piece.points
    if len(points) != 4:
        box: Any = piece.polygon.minimum_rotated_rectangle
        points = tuple((float(x), float(y)) for x, y in list(box.exterior.coords)[:4])
    (ax, ay), (bx, by), (cx, cy), _ = points
    x, y = sum(p[0] for p in points) / 4, sum(p[1] for p in points) / 4
    facing = (bearing(bx - ax, by - ay) - 90.0) % 360.0
    return Rect(x, y, facing, math.hypot(bx - ax, by - ay) / 2, math.hypot(cx - bx, cy - by) / 2)


def sections(piece: Piece) -> list[Rect]:
    """wfb3:22.1-sections  As few equal parts as leave no wall longer than four inches.

    >>> from grognard.kernel.geometry.terrain import rectangle
    >>> sizes = ((5, 2), (9, 2), (8, 4), (4, 4))
    >>> made = [Piece("h", "building", rectangle(0, 0, inches(w), inches(d))) for w, d in sizes]
    >>> [len(sections(p)) for p in made]
    [2, 3, 2, 1]
    """
    whole = frame(piece)
    wide = max(1, math.ceil(whole.width / SECTION - 1e-6))
    deep = max(1, math.ceil(whole.length / SECTION - 1e-6))
    a, b = whole.half_width / wide, whole.half_length / deep
    return [
        Rect(*whole.at((2 * i + 1) * a - whole.half_width, (2 * j + 1) * b - whole.half_length), whole.facing, a, b)
        for j in range(deep)
        for i in range(wide)
    ]


def build(battle: Battle) -> None:
    """wfb3:22.1-sections, wfb3:22.6.2-walls, wfb3:22.6.3-fortifications
    The sections and levels of every building on the table."""
    for piece in battle.table.pieces:
        if piece.kind not in KINDS or any(r.piece == piece.id for r in battle.rooms.values()):
            continue
        wall = piece.kind == "fortress wall"
        levels = int((_said(piece, "levels") or ["2"])[0])
        material = (_said(piece, "material") or [",".join(["wattle"] * levels)])[0].split(",")
        for number, rect in enumerate(sections(piece), 1):
            for level in range(1, levels + 1):
                room = Room(piece.id, number, level, rect, material[level - 1], wall=wall)
                room.top = level == levels
                room.roof = (_said(piece, "roof") or [""])[0] if room.top else ""
                room.terrace = bool(room.top and _said(piece, "terrace"))
                room.on = (_said(piece, "on") or [""])[0]
                room.windows = int(_said(piece, "windows")[0]) if _said(piece, "windows") else None
                battle.rooms[room.id] = room
        battle.cite("wfb3:22.1-sections")
    for room in battle.rooms.values():
        room.outer = tuple(side for side in SIDES if not _walled(battle, room, SIDES[side]))
    for piece in battle.table.pieces:
        for door in _said(piece, "door"):
            _hang(battle, piece.id, *door.split(","))


def _walled(battle: Battle, room: Room, side: Edge) -> bool:
    """Whether another section lies against a side on the same level."""
    x, y = room.rect.middle(side)
    hx, hy = math.sin(math.radians(room.rect.outward(side))), math.cos(math.radians(room.rect.outward(side)))
    spot = (x + hx * 2.0, y + hy * 2.0)
    for other in battle.rooms.values():
        if other.level == room.level and other.id != room.id:
            right, ahead = other.rect.local(spot)
            if abs(right) < other.rect.half_width and abs(ahead) < other.rect.half_length:
                return True
    return False


def _hang(battle: Battle, piece: str, side: str, kind: str, section: str) -> None:
    """A door in an outer wall of the ground level."""
    here = [r for r in battle.rooms.values() if r.piece == piece and r.level == 1 and side in r.outer]
    if int(section):
        here = [r for r in here if r.section == int(section)]
    if not here:
        raise BadInput("{piece}: there is no outer wall {side} for a door (wfb3:22.1.4-doors)", piece=piece, side=side)
    room = here[len(here) // 2]
    if (side, kind) not in room.doors:
        room.doors = (*room.doors, (side, kind))


# ---------------------------------------------------------------------- neighbours


def neighbours(battle: Battle, room: Room) -> list[Room]:
    """wfb3:22.1.2-movement  Sections beside it on its level, and the levels above and below; nothing diagonal."""
    return [
        *beside(battle, room),
        *(r for r in battle.rooms.values() if _stacked(room, r) and abs(r.level - room.level) == 1),
    ]


def _stacked(a: Room, b: Room) -> bool:
    return a.piece == b.piece and a.section == b.section and a.level != b.level


def beside(battle: Battle, room: Room) -> list[Room]:
    """Sections that share a wall with it on the same level."""
    memo: dict[str, list[str]] = battle.table.memo.setdefault("wfb3-beside", {})
    if room.id not in memo:
        own = Polygon(room.rect.corners).buffer(1.0, join_style="mitre")
        memo[room.id] = [
            r.id for r in battle.rooms.values()
            if r.level == room.level and r.id != room.id and own.intersection(Polygon(r.rect.corners)).area > 5.0
        ]  # fmt: skip
    return [battle.rooms[key] for key in memo[room.id]]


def above(battle: Battle, room: Room) -> list[Room]:
    """Everything directly above, from the lowest; wfb3:22.6.2-walls what was built on a fortress wall too."""
    found = [r for r in battle.rooms.values() if _stacked(room, r) and r.level > room.level]
    if room.wall:
        own = Polygon(room.rect.corners)
        found += [
            r for r in battle.rooms.values()
            if r.on == room.piece and own.intersection(Polygon(r.rect.corners)).area > 5.0
        ]  # fmt: skip
    return sorted(found, key=lambda r: (r.on == room.piece, r.level))


def below(battle: Battle, room: Room) -> list[Room]:
    """Everything directly below, from the highest."""
    found = [r for r in battle.rooms.values() if _stacked(room, r) and r.level < room.level]
    return sorted(found, key=lambda r: -r.level)


# ---------------------------------------------------------------------- occupants


def inside(battle: Battle, seat: str | None = None) -> list[Unit]:
    """Units in buildings, in muster order."""
    return [u for u in battle.units.values() if u.where == "building" and (seat is None or u.seat == seat)]


def held(battle: Battle, room: str, seat: str | None = None) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Who is in a section/level: unit and models."""
    for unit in inside(battle, seat):
        for key, models in unit.indoors.rooms:
            if key == room and models:
                yield unit, models


def crowd(battle: Battle, room: str, seat: str | None = None) -> int:
    """wfb3:22.1.1-capacity  Models in it, those over three metres counting two."""
    return sum(weight(battle.models[m]) for _, models in held(battle, room, seat) for m in models)


def weight(model: Model) -> int:
    return 2 if model.profile.large else 1


def space(battle: Battle, room: Room, seat: str) -> int:
    """wfb3:22.1.1-capacity, wfb3:22.6-collapse-table  Room left for a side."""
    battle.cite("wfb3:22.1.1-capacity")
    most = SHAKY_ROOM if room.condition == "unstable" else ROOM_FOR
    if most == SHAKY_ROOM:
        battle.cite("wfb3:22.6-collapse-table")
    return max(0, most - crowd(battle, room.id, seat))


def where(unit: Unit, model: str) -> str:
    """The section/level a model is in."""
    return next((key for key, models in unit.indoors.rooms if model in models), "")


def shapes(battle: Battle, unit: Unit) -> list[Outline]:
    """The ground a unit takes up: its formation, or the sections it is in."""
    if unit.where == "building":
        return [battle.rooms[key].outline for key, models in unit.indoors.rooms if models]
    return [unit.block.outline] if unit.block is not None else []


def spot(battle: Battle, model: Model) -> Point | None:
    """Where a model is: its place on the table, or the middle of its section; None where it is nowhere."""
    carrier = battle.models[model.ride.aboard] if model.ride.aboard else model
    if carrier.on_table:
        pose = battle.pose(carrier)
        return pose.x, pose.y
    room = battle.rooms.get(where(battle.units[model.unit], model.id))
    return (room.rect.x, room.rect.y) if room is not None else None


def put(unit: Unit, places: dict[str, list[str]]) -> None:
    """Note who is where, in the order of the unit's models."""
    order = {m: n for n, m in enumerate(unit.models)}
    unit.indoors = unit.indoors.but(
        rooms=tuple(
            ((key, tuple(sorted(models, key=lambda m: order.get(m, 999)))) for key, models in places.items() if models)
        )
    )


def places(unit: Unit) -> dict[str, list[str]]:
    return {key: list(models) for key, models in unit.indoors.rooms}


def connected(battle: Battle, keys: list[str]) -> bool:
    """wfb3:22.1.3-cohesion  Whether section/levels hang together."""
    if not keys:
        return True
    seen, queue = {keys[0]}, [keys[0]]
    while queue:
        for other in neighbours(battle, battle.rooms[queue.pop()]):
            if other.id in keys and other.id not in seen and other.standing:
                seen.add(other.id)
                queue.append(other.id)
    return len(seen) == len(set(keys))


def steps(battle: Battle, start: str) -> dict[str, int]:
    """How many section/levels lie between one and every other it leads to."""
    far, queue = {start: 0}, [start]
    while queue:
        key = queue.pop(0)
        for other in neighbours(battle, battle.rooms[key]):
            if other.standing and other.id not in far:
                far[other.id] = far[key] + 1
                queue.append(other.id)
    return far


class Door(NamedTuple):
    """wfb3:22.1.4-doors  A way into the ground level of a section."""

    room: Room
    side: str
    kind: str

    @property
    def key(self) -> str:
        return f"{self.room.id}:{self.side}"

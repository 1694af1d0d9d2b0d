"""A battle carried to another frame: every pose, point, bearing and side in its state.

What a thing of the state is shows by its type (poses, blocks, rectangles, sides, whatever has x and y) or by the name
of the field that holds it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grognard.games.wfb3.setup.held_forces import SEGMENT
from grognard.kernel.battle import Battle
from grognard.kernel.formation.block import Block, Guest, Post, Seat
from grognard.kernel.formation.shapes import Rect, Side
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import snap, snap_facing
from grognard.kernel.state.field import slots
from tests.metamorphic.motion import Motion

_SIDES = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
_POSTS = {Post.LEFT: Post.RIGHT, Post.RIGHT: Post.LEFT}
#: What never holds a place: cards, and what is shared by copies.
_SHARED = frozenset({"profile", "card", "sheet", "kit", "mount", "library", "house", "table", "events", "cited"})


#: What belongs to the players' sides of the table.
OF_SIDES = frozenset({"zone", "train", "edge", "short_edge", "half", "reserves"})


def carried(battle: Battle, motion: Motion, size: tuple[float, float], sides: Motion | None = None) -> None:
    """Carry everything of a battle to another frame, onto a table of that size; `sides` carries what belongs to the
    players' sides of the table, where that goes elsewhere.
    """
    kept = {key: dict(side.__dict__) for key, side in getattr(battle, "sides", {}).items()}
    table = battle.table
    pieces = tuple(piece(p, motion) for p in table.pieces)
    battle.table = Table(*size, pieces)
    for name in slots(type(battle)):
        if name not in _SHARED and not name.startswith("_"):
            setattr(battle, name, _field(name, getattr(battle, name), motion))
    bodies: Any = getattr(battle, "bodies", None)
    for index in range(len(bodies) if bodies is not None else 0):
        bodies.place(index, pose(bodies.pose(index), motion))
    for key, held in kept.items():
        side, way = battle.sides[key], motion if sides is None else sides  # type: ignore[attr-defined]
        for name in OF_SIDES & held.keys() if sides is not None else ():
            setattr(side, name, _field(name, held[name], way))
        if held.get("reserves"):
            size = (table.width, table.height)
            side.reserves = tuple(_force(force, held["edge"], size, way) for force in held["reserves"])


def piece(held: Piece, motion: Motion) -> Piece:
    points = tuple((snap(x), snap(y)) for x, y in map(motion.point, held.points))
    return msgspec.structs.replace(held, points=points[::-1] if motion.mirrored else points)


def pose(at: Pose, motion: Motion) -> Pose:
    return Pose(*motion.point(at), motion.bearing(at.facing), at.level).snapped()


def block(held: Block, motion: Motion) -> Block:
    """A formation in another frame; in a mirror its files are counted from its other end."""
    x, y = motion.point(held.front)
    if motion.mirrored:
        held = mirrored(held)
    return msgspec.structs.replace(held, x=x, y=y, facing=motion.bearing(held.facing)).snapped()


def mirrored(held: Block) -> Block:
    """The formation with left and right exchanged, where it stands."""
    row = held.rows[-1] if held.rows else ()
    last = tuple(sorted(held.files - 1 - file for file in row))
    return msgspec.structs.replace(
        held,
        rear=held.rear if last == row else last,
        guests=tuple(_guest(held, guest) for guest in held.guests),
        seats=tuple(_seat(held, seat) for seat in held.seats),
    )


def _guest(held: Block, guest: Guest) -> Guest:
    if guest.post is not Post.RANKS:
        return msgspec.structs.replace(guest, post=_POSTS[guest.post])
    return msgspec.structs.replace(guest, file=held.files - held.cells(guest)[0] - guest.file)


def _seat(held: Block, seat: Seat) -> Seat:
    file = held.files - 1 - seat.file if 0 <= seat.file < held.files else seat.file
    return seat._replace(right=-seat.right, turn=-seat.turn % 360.0, file=file)


def _force(force: Any, own: str, size: tuple[float, float], motion: Motion) -> Any:
    """A force that comes in over a stretch of an edge; the stretches are counted from the left or from below."""
    level = force.edge in ("north", "south")
    count = 2 if level and force.edge != own else max(1, round(size[0 if level else 1] / SEGMENT))
    back = motion.quarters == 2 or (motion.mirrored and level)
    segment = count + 1 - force.segment if back else force.segment
    return force._replace(edge=motion.edge(force.edge), segment=segment)


# ---------------------------------------------------------------------- fields


def _point(at: Any, motion: Motion) -> Any:
    if at is None:
        return None
    x, y = motion.point(at)
    return (snap(x), snap(y))


def _zone(zone: Any, motion: Motion) -> Any:
    """A deployment zone: x, y, width, height; a word before and a distance after them; or a ring of points.

    A rectangle that does not stay upright is none: whoever is deployed by it cannot be turned so.
    """
    if not zone or not isinstance(zone, tuple):
        return zone
    if isinstance(zone[0], tuple):
        ring = tuple(_point(at, motion) for at in zone)
        return ring[::-1] if motion.mirrored else ring
    word = zone[:1] if isinstance(zone[0], str) else ()
    box, more = zone[len(word) : len(word) + 4], zone[len(word) + 4 :]
    if motion.quarters is None:
        return () if word else None
    return (*word, *(snap(n) for n in motion.box(box)), *more)


def _box(box: Any, motion: Motion) -> Any:
    return None if box is None or motion.quarters is None else tuple(snap(n) for n in motion.box(box))


def _half(half: int, motion: Motion) -> int:
    """The lower (0) or the upper half of the table."""
    return 1 - half if motion.quarters in (1, 2) else half


def _diagonal(word: str, motion: Motion) -> str:
    turned = motion.mirrored != (motion.quarters in (1, 3))
    return {"rising": "falling", "falling": "rising"}.get(word, word) if turned else word


def _hands(words: Any, motion: Motion) -> Any:
    """Left and right, wherever they stand in nested tuples."""
    if isinstance(words, str):
        return motion.hand(words)
    return tuple(_hands(part, motion) for part in words) if isinstance(words, tuple) else words


#: What the fields of sides, units, models and machines hold, where their type does not tell.
_FIELDS: Mapping[str, Callable[[Any, Motion], Any]] = {
    "zone": _zone,
    "train": _box,
    "exit": _point,
    "goal": _point,
    "last_centre": _point,
    "duds": lambda points, motion: tuple(_point(at, motion) for at in points),
    "declared_at": lambda rows, motion: tuple((key, *_point((x, y), motion)) for key, x, y in rows),
    "flight": lambda bearing, motion: snap_facing(motion.bearing(bearing)),
    "edge": lambda word, motion: motion.edge(word),
    "short_edge": lambda word, motion: motion.edge(word),
    "half": _half,
    "diagonal": _diagonal,
    "face": lambda word, motion: motion.hand(word),
    "seat_left": _hands,
    "doors": _hands,
    "outer": _hands,
    "uses": _hands,
}
_PLAIN = (int, float, str, bool, bytes, type(None))


def _field(name: str, value: Any, motion: Motion) -> Any:
    if name in _FIELDS:
        return _FIELDS[name](value, motion)
    if name == "post" and isinstance(value, str):
        return motion.hand(value)
    return _value(value, motion)


def _value(value: Any, motion: Motion) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Block:
        return block(value, motion)
    if kind is Pose:
        return pose(value, motion)
    if kind is Rect:
        x, y = motion.point((value.x, value.y))
        return value._replace(x=snap(x), y=snap(y), facing=snap_facing(motion.bearing(value.facing)))
    if kind is Side:
        return _SIDES.get(value, value) if motion.mirrored else value
    if kind is dict:
        return {key: _value(part, motion) for key, part in value.items()}
    if kind is tuple:
        return tuple(_value(part, motion) for part in value)
    if hasattr(value, "_fields"):
        return _named(value, motion)
    if isinstance(value, msgspec.Struct):
        return _struct(value, motion)
    if hasattr(value, "copy") and hasattr(value, "__dict__") and hasattr(value, "id"):
        _token(value, motion)
    return value


def _named(value: Any, motion: Motion) -> Any:
    """A named tuple; `at` of three numbers is a point and a facing."""
    found = {key: _field(key, part, motion) for key, part in value._asdict().items()}
    if isinstance(found.get("at"), tuple) and len(found["at"]) == 3:
        x, y, facing = value.at
        found["at"] = (*_point((x, y), motion), snap_facing(motion.bearing(facing)))
    return value._replace(**found)


def _struct(value: msgspec.Struct, motion: Motion) -> Any:
    """A frozen value: what has x and y is somewhere, what holds sides has them."""
    names = value.__struct_fields__
    changed: dict[str, Any] = {}
    if "x" in names and "y" in names:
        held: Any = value
        changed["x"], changed["y"] = _point((held.x, held.y), motion)
    for name in names:
        part = getattr(value, name)
        if type(part) is Side or name == "declared_at":
            changed[name] = _field(name, part, motion)
        elif name == "data" and isinstance(part, dict) and "x" in part and "y" in part:
            x, y = _point((part["x"], part["y"]), motion)
            changed[name] = {**part, "x": x, "y": y}
    return msgspec.structs.replace(value, **changed) if changed else value


def _token(token: Any, motion: Motion) -> None:
    """A model, unit, side, machine or thing."""
    held = token.__dict__
    if motion.mirrored and isinstance(held.get("block"), Block) and "models" in held:
        held["models"] = _ranked(held["block"], held["models"], motion)
    if motion.mirrored and held.get("posts") and isinstance(held.get("block"), Block):
        files = held["block"].files
        held["posts"] = tuple((who, files - 1 - file, rank) for who, file, rank in held["posts"])
    if isinstance(held.get("x"), float) and isinstance(held.get("y"), float):
        held["x"], held["y"] = _point((held["x"], held["y"]), motion)
        if isinstance(held.get("facing"), float):
            held["facing"] = snap_facing(motion.bearing(held["facing"]))
    for name, value in held.items():
        if name not in _SHARED and name not in ("x", "y", "facing", "posts"):
            held[name] = _field(name, value, motion)


def _ranked(held: Block, models: tuple[str, ...], motion: Motion) -> tuple[str, ...]:
    """The models of a formation in the order in which they stand in its mirror image."""
    if len(models) != held.size:
        return models
    spots = [motion.point(at) for at in held.centres()]
    there = block(held, motion).centres()
    order = [min(range(len(spots)), key=lambda n: math.dist(spots[n], at)) for at in there]
    return tuple(models[n] for n in order) if len(set(order)) == len(order) else models

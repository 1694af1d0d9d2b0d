"""Chapter 20: Terrain: what each kind of feature is, and which models stand in it."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from shapely import LineString, contains_xy
from shapely import Point as ShapelyPoint

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.formation import shapes
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches

#: How near to a Wall, in mm, still touches it.
NEAR = 1.0


class Kind(msgspec.Struct, frozen=True):
    """t9a:20.B.b
    Chapter 20.B: One kind of feature. `cover`: how it covers ("inside", "behind"); `hard` its strength."""

    name: str
    rule: str
    opaque: bool = False
    inside: str = ""  # soft, hard: for targets inside
    behind: str = ""
    danger: tuple[tuple[str, int], ...] = ()  # Type, or "" for all others, and X
    towering: bool = True  # whether boundaries with Towering Presence get its cover
    sight: str = "open"


KINDS = {
    "field": Kind("field", "t9a:20.B.b", inside="soft", towering=False, sight="cover"),
    "hill": Kind("hill", "t9a:20.B.c", opaque=True, behind="hard", sight="wall"),
    "forest": Kind(
        "forest",
        "t9a:20.B.d",
        inside="soft",
        behind="soft",
        sight="cover",
        danger=(("Cavalry", 1), ("Construct", 1), ("fly", 1)),
    ),
    "wall": Kind("wall", "t9a:20.B.e", behind="hard", towering=False, sight="cover", danger=(("Construct", 2),)),
    "ruins": Kind(
        "ruins",
        "t9a:20.B.f",
        inside="hard",
        towering=False,
        sight="cover",
        danger=(("Cavalry", 2), ("Construct", 2), ("", 1)),
    ),
    "water": Kind("water", "t9a:20.B.g", danger=(("foot", 1),)),
    "impassable": Kind("impassable", "t9a:20.B.h", opaque=True, behind="hard", sight="solid"),
}


def piece(key: str, kind: str, points: tuple[tuple[float, float], ...]) -> Piece:
    if kind not in KINDS:
        raise BadInput("terrain is one of {known}, not {kind} (t9a:20.B.a)", known=", ".join(KINDS), kind=kind)
    return Piece(key, kind, points, sight=KINDS[kind].sight)


def centres_in(battle: Battle, unit: Unit) -> dict[str, int]:
    """How many of the unit's models have the centre of their base in each piece, by the piece's id."""
    block = battle.block(unit)

    def count() -> dict[str, int]:
        if not battle.table.pieces:
            return {}
        points = np.asarray(block.centres())
        found: dict[str, int] = {}
        for one in battle.table.pieces:
            inside = int(contains_xy(one.polygon, points[:, 0], points[:, 1]).sum())
            if inside:
                found[one.id] = inside
        return found

    found: dict[str, int] = battle.remember(("centres", unit.id), count)
    return found


def mostly_in(battle: Battle, unit: Unit, kind: str) -> Piece | None:
    """The piece of a kind in which more than half of the unit's models have their centres."""
    size = battle.size(unit)
    inside = centres_in(battle, unit)
    total = 0
    for one in battle.table.pieces:
        if one.kind == kind and one.id in inside:
            total += inside[one.id]
            if 2 * total > size:
                return one
    return None


def mostly_off(battle: Battle, unit: Unit, kind: str) -> bool:
    """Whether more than half of the unit's models have their centres in no piece of a kind."""
    spots = np.asarray(battle.block(unit).centres())
    inside = np.zeros(len(spots), dtype=bool)
    for one in battle.table.pieces:
        if one.kind == kind:
            inside |= contains_xy(one.polygon, spots[:, 0], spots[:, 1])
    return 2 * int((~inside).sum()) > len(spots)


def partly_in(battle: Battle, unit: Unit, kind: str) -> bool:
    """Whether any of the unit's models has its centre in a piece of a kind."""
    inside = centres_in(battle, unit)
    return bool(inside) and any(p.kind == kind and p.id in inside for p in battle.table.pieces)


def guided(battle: Battle, pool: str, kind: str) -> str:
    """t9a:21.A.b.18, t9a:21.A.b.31  The rule by which a model passes Dangerous Terrain Tests of a kind of terrain."""
    for trait in battle.traits(pool, "strider"):
        if not trait.args or any(a.casefold() == kind for a in trait.args):
            if any(part.rider for part in battle.pool_profile(pool).parts):
                battle.cite("t9a:21.A")
            return trait.rule
    return battle.has(pool, "ghost-step")


def broken_ranks(battle: Battle, unit: Unit) -> str:
    """t9a:20.B.d-broken-ranks, t9a:20.B.g-broken-ranks  The rule by which terrain takes Steadfast from a unit."""
    for kind, rule in (("forest", "t9a:20.B.d-broken-ranks"), ("water", "t9a:20.B.g-broken-ranks")):
        if not partly_in(battle, unit, kind):
            continue
        battle.cite(rule)
        if mostly_in(battle, unit, kind) is None:
            continue
        at_home = sum(battle.pool_count(p) for p in battle.pools(unit) if guided(battle, p, kind))
        if 2 * at_home > battle.size(unit):
            battle.cite("t9a:21.A.b.18")
            continue
        return rule
    return ""


def guerrilla(battle: Battle, unit: Unit) -> bool:
    """t9a:20.B.d-guerrilla  Infantry with Light Troops in a Forest is Stubborn."""
    if not partly_in(battle, unit, "forest") or not battle.all_have(unit, "light-troops"):
        return False
    battle.cite("t9a:20.B.d-guerrilla")
    if mostly_in(battle, unit, "forest") is None:
        return False
    if any(battle.pool_profile(p).type != "Infantry" for p in battle.pools(unit)):
        return False
    return not (battle.any_has(unit, "towering-presence") or battle.any_has(unit, "fly"))


def elevated(battle: Battle, x: float, y: float) -> bool:
    """t9a:20.B.c-elevated  A base whose centre is on a Hill."""
    return any(p.kind == "hill" for p in battle.table.pieces_at(x, y))


def defends(battle: Battle, unit: Unit) -> Piece | None:
    """t9a:20.B.e-defend  The Wall that more than half of the unit's front touches."""
    if not any(p.kind == "wall" for p in battle.table.pieces):
        return None
    block = battle.block(unit)
    ends = [ShapelyPoint(*end) for end in block.boundary.side(shapes.Side.FRONT)]
    front = LineString(ends)
    for one in battle.table.pieces:
        if one.kind != "wall" or not front.intersects(near := one.polygon.buffer(NEAR)):
            continue
        battle.cite("t9a:20.B.e-defend", "t9a:20.B.e")
        beyond = NEAR * sum(not near.covers(end) for end in ends)  # where the wall ends before the front does
        if front.intersection(near).length - beyond > front.length / 2 + 0.1:
            return one
    return None


def read_pieces(said: Any, where: str) -> tuple[Piece, ...]:
    """Terrain of a case or setup: {id, kind, at: [x, y], size: [w, h], turn} or {id, kind, points: [[x, y], …]}, in
    inches.
    """
    found: list[Piece] = []
    for number, entry in enumerate(read.listing(said or [], where)):
        here = f"{where}[{number}]"
        if not isinstance(entry, dict) or not set(entry) <= {"id", "kind", "at", "size", "points", "turn"}:
            raise BadInput("{here} has id, kind and either points or at and size (t9a:20.B.a)", here=here)
        try:
            if "points" in entry:
                points = tuple((inches(float(x)), inches(float(y))) for x, y in entry["points"])
            else:
                points = box(entry["at"], entry.get("size", (6, 6)), float(entry.get("turn", 0)))
        except (TypeError, ValueError, KeyError):
            raise BadInput("{here}: points are pairs of numbers, in inches (t9a:20.B.a)", here=here) from None
        made = piece(str(entry.get("id", f"piece{number + 1}")), str(entry.get("kind")), points)
        if len(points) < 3 or not made.polygon.is_valid or made.polygon.area <= 0:
            raise BadInput("{here} is no area: its points make no simple outline (t9a:20.B.a)", here=here)
        found.append(made)
    return tuple(found)


def box(at: Any, size: Any, turn: float) -> tuple[tuple[float, float], ...]:
    """A rectangle about its centre, turned clockwise."""
    x, y = (inches(float(n)) for n in at)
    width, length = (inches(float(n)) for n in size)
    return shapes.Rect(x, y, turn, width / 2, length / 2).corners

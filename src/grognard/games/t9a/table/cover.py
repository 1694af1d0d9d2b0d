"""t9a:14.C.d  Cover, shooter by shooter: how much of the target's side is hidden from a point of his front."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from shapely import Polygon

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import sight, terrain
from grognard.games.t9a.table.ground import located_model
from grognard.games.t9a.table.sight import Ring
from grognard.games.t9a.table.zones import polygons
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.hiding import SLACK, always_half_hidden, always_point_hidden, within
from grognard.kernel.formation.lines import Front
from grognard.kernel.formation.outlook import convex_parts, shadow
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading


class Cover(NamedTuple):
    """ "", "soft" or "hard", and the rule it comes by."""

    kind: str
    rule: str = ""

    @property
    def penalty(self) -> int:
        return {"": 0, "soft": 1, "hard": 2}[self.kind]


class Screen(NamedTuple):
    """Something that may hide: how hard ("" not at all), by which rule, and its convex ring; or, with no ring, what
    hides itself only: the parts of a feature the target may stand in.
    """

    kind: str
    rule: str
    ring: Ring = ()
    inside: tuple[Ring, ...] = ()


NONE = Cover("")


def cover(
    battle: Battle, unit: Unit, place: Place, target: Unit, *, volley: bool = False, without: tuple[str, ...] = ()
) -> Cover:
    """t9a:14.C.d  The Cover a target has from one shooter."""
    key = ("cover", unit.id, place.number, target.id, volley, without)
    found: Cover = battle.remember(key, lambda: _cover(battle, unit, place, target, volley, without))
    return found


@cites
def _cover(battle: Battle, unit: Unit, place: Place, target: Unit, volley: bool, without: tuple[str, ...]) -> Cover:
    """t9a:14.C.d-ignore, t9a:14.C.d, t9a:14.C.d-side  (t9a:14.C.d-notlos, t9a:14.C.d.1, t9a:14.C.d.2)"""
    screens = _screens(battle, unit, place, target, volley, without)
    own = sight.standing_in(battle, place)
    battle.cite(*(terrain.KINDS[p.kind].rule for p in battle.table.pieces if p.id in own))
    if not screens:
        return NONE
    battle.cite("t9a:14.C.d-point", "t9a:14.C.d-notlos")
    look = _Look(battle, place, target)
    soft, hard = ([s for s in screens if s.kind == kind and look.may_hide(s)] for kind in ("soft", "hard"))
    if any(not s.kind and look.hides([s], any_part=True) for s in screens):
        battle.cite("t9a:14.C.d.1", "t9a:14.C.d-sizes")
    if not look.hides([*soft, *hard]):
        return NONE
    if look.hides(hard):
        battle.cite("t9a:14.C.d.2", *(s.rule for s in hard))
        if soft:
            battle.cite("t9a:14.C.d.3")
        return Cover("hard", "t9a:14.C.d.2")
    battle.cite(*(s.rule for s in (*soft, *hard)))
    rule = "t9a:14.C.d.1" if look.hides(soft) else "t9a:14.C.d.3"
    battle.cite(rule)
    return Cover("soft", rule)


class _Look:
    """t9a:14.C.d-side, t9a:14.C.d-point, t9a:14.C.d-round
    A shooter's front, any point of which may be taken, and the side of
    the target it is located at; of a round target, its nearest point.

    Ruling: exactly half is never Cover, also where soft and hard screens hide it together (t9a:14.C.d.3).
    """

    def __init__(self, battle: Battle, place: Place, target: Unit) -> None:
        self.eyes = _eyes(sight.front_of(place))
        self.rim = (*self.eyes, self.eyes[0]) if len(self.eyes) > 2 else self.eyes
        block = battle.block(target)
        self.disc = block.outline.circle if block.is_round else None
        self.side = self.standing = ((0.0, 0.0), (0.0, 0.0))
        if self.disc is not None:
            battle.cite("t9a:14.C.d-round")
            x, y, r = self.disc
            around = [(x - r, y - r), (x + r, y + r)]
        else:
            edge = located_model(battle, target, place)
            self.side, (hx, hy) = block.boundary.side(edge), heading(block.boundary.outward(edge))
            # who stands up to the very edge of a feature is in it, whose front only touches it is not
            one, two = ((x - hx * SLACK, y - hy * SLACK) for x, y in self.side)
            self.standing = one, two
            around = list(self.side)
        points = [*around, *self.eyes]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.box = min(xs), min(ys), max(xs), max(ys)

    def may_hide(self, screen: Screen) -> bool:
        """Whether something reaches between front and target at all."""
        west, south, east, north = self.box
        points = screen.ring or [p for ring in screen.inside for p in ring]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs) <= east and max(xs) >= west and min(ys) <= north and max(ys) >= south

    def hides(self, screens: list[Screen], *, any_part: bool = False) -> bool:
        """Whether screens hide more than half of the side from every point of the front; `any_part`, any of it from
        its middle.
        """
        if not screens:
            return False
        rings = [s.ring for s in screens if s.ring]
        inside = [ring for s in screens for ring in s.inside]
        if self.disc is not None:
            x, y, r = self.disc
            # on a round base nothing is nearer on a line to the target's centre than its rim
            return all(always_point_hidden(edge, (x, y), r, rings, inside) for edge in pairwise(self.rim))
        parts = [stretch for ring in inside for stretch in within(self.standing, ring)]
        if any_part:
            xs, ys = zip(*self.eyes, strict=True)
            eye = sum(xs) / len(xs), sum(ys) / len(ys)
            return bool(parts) or any(shadow(eye, *self.side, ring) is not None for ring in rings)
        return always_half_hidden(self.eyes, self.side, rings, parts)


def _eyes(front: Front) -> tuple[Point, ...]:
    """t9a:14.C.d-point  Where the point may be taken: between the ends of the front; of a round base anywhere on it."""
    return sight.round_ring(*front.a, front.radius) if front.radius else (front.a, front.b)


def _screens(
    battle: Battle, unit: Unit, place: Place, target: Unit, volley: bool, without: tuple[str, ...]
) -> list[Screen]:
    """Everything that could hide the target: models by Size (t9a:14.C.d-sizes), terrain by its kind."""
    pool = battle.pool_at(unit, place.number)
    own, theirs = sight.size_of(battle.pool_profile(pool).size), sight.size_of(battle.unit_size(target))
    tall, target_tall = bool(battle.has(pool, "tall")), bool(battle.most_have(target, "tall"))
    raised = terrain.elevated(battle, place.pose.x, place.pose.y)
    if raised or terrain.partly_in(battle, target, "hill"):
        battle.cite("t9a:20.B.c-elevated")
    high = raised or terrain.mostly_in(battle, target, "hill") is not None
    cited = "t9a:14.C.d.1" in battle.cited
    found: list[Screen] = []
    for figure in sight.figures(battle):
        if figure.unit in (unit.id, target.id, *without):
            continue
        if high and not figure.raised:
            continue
        if volley and figure.size <= own:
            battle.cite("t9a:21.G.b.28")
            continue
        if sight.blocks_sight(figure, own, theirs, tall, target_tall):
            found.append(Screen("hard", "t9a:14.C.d-sizes", figure.ring))
        elif max(own, theirs) == 2 and figure.size == 0:
            if not cited:
                found.append(Screen("", "t9a:14.C.d-sizes", figure.ring))  # no Cover, but the rule has had its say
        else:
            if figure.skirmish:
                battle.cite("t9a:21.A.b.48")
            found.append(Screen("soft", "t9a:14.C.d-sizes", figure.ring))
    return found + _terrain_screens(battle, place, target)


def _terrain_screens(battle: Battle, place: Place, target: Unit) -> list[Screen]:
    """t9a:20.A.c  Covering Terrain; a shooter ignores the feature he stands in (t9a:21.A.b.36-br)."""
    if not battle.table.pieces:
        return []
    found: list[Screen] = []
    ignored = sight.standing_in(battle, place)
    towering = bool(battle.most_have(target, "towering-presence"))
    for piece in battle.table.pieces:
        kind = terrain.KINDS[piece.kind]
        if piece.id in ignored or not (kind.inside or kind.behind):
            continue
        if towering and not kind.towering:
            if kind.rule not in battle.cited and _piece_screens(battle, piece, kind, target):
                battle.cite(kind.rule)
            battle.cite("t9a:21.A.b.36-br")
            continue
        found += _piece_screens(battle, piece, kind, target)
    return found


def _piece_screens(battle: Battle, piece: Piece, kind: terrain.Kind, target: Unit) -> list[Screen]:
    footprint = Polygon(sight.outline_ring(battle.block(target)))
    rings = convex_parts([(float(x), float(y)) for x, y in piece.points])
    battle.cite("t9a:20.A.c")
    if kind.name == "wall":
        defended = terrain.defends(battle, target)
        if defended is None or defended.id != piece.id:
            return []
    if kind.name == "hill":
        on_it = piece.polygon.intersection(footprint).area > 1.0
        strength = "soft" if on_it else "hard"
        if on_it:
            rings = [r for ring in rings for r in _outside(ring, footprint)]
        return [Screen(strength, kind.rule, ring) for ring in rings]
    if kind.behind:
        return [Screen(kind.behind, kind.rule, ring) for ring in rings]
    # inside only: what of the target is in the feature hides itself, what lies before it does not
    if not piece.polygon.intersects(footprint):
        return []
    return [Screen(kind.inside, kind.rule, inside=tuple(rings))]


def _outside(ring: Ring, footprint: Polygon) -> list[Ring]:
    """The part of a Hill before a unit that stands on it: it is behind what rises between it and the shooter."""
    left = Polygon(ring).difference(footprint)
    return [
        r for part in polygons(left) for r in convex_parts([(float(x), float(y)) for x, y in part.exterior.coords[:-1]])
    ]

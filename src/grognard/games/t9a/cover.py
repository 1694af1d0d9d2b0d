"""t9a:14.C.d  Cover, shooter by shooter: how much of the target's side is hidden from a point of his front."""

from __future__ import annotations

from typing import NamedTuple

from shapely import Polygon

from grognard.games.t9a import sight, terrain
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.ground import located_model
from grognard.games.t9a.zones import polygons
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.outlook import convex_parts, covered, shadow
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import bearing, heading


class Cover(NamedTuple):
    """ "", "soft" or "hard", and the rule it comes by."""

    kind: str
    rule: str = ""

    @property
    def penalty(self) -> int:
        return {"": 0, "soft": 1, "hard": 2}[self.kind]


class Screen(NamedTuple):
    """Something that may hide: its convex ring, how hard ("" not at all), and by which rule."""

    ring: tuple[Point, ...]
    kind: str
    rule: str


NONE = Cover("")


def cover(
    battle: Battle, unit: Unit, place: Place, target: Unit, *, volley: bool = False, without: tuple[str, ...] = ()
) -> Cover:
    """t9a:14.C.d  The Cover a target has from one shooter."""
    key = ("cover", unit.id, place.number, target.id, volley, without)
    found: Cover = battle.remember(key, lambda: _cover(battle, unit, place, target, volley, without))
    return found


def _cover(battle: Battle, unit: Unit, place: Place, target: Unit, volley: bool, without: tuple[str, ...]) -> Cover:
    screens = _screens(battle, unit, place, target, volley, without)
    battle.cite("t9a:14.C.d", "t9a:14.C.d-side", "t9a:14.C.d-ignore")
    own = sight.standing_in(battle, place)
    battle.cite(*(terrain.KINDS[p.kind].rule for p in battle.table.pieces if p.id in own))
    if not screens:
        return NONE
    start, end = _side(battle, target, place)
    best = Cover("hard", "t9a:14.C.d.2")
    for eye in sight.front_points(place):
        battle.cite("t9a:14.C.d-point", "t9a:14.C.d-notlos")
        found = _from(battle, eye, start, end, screens, battle.block(target).is_round)
        if found.penalty < best.penalty:
            best = found
        if not best.kind:
            break
    return best


def _side(battle: Battle, target: Unit, place: Place) -> tuple[Point, Point]:
    """t9a:14.C.d-side, 14.C.d-round  The side the shooter is located at; of a round base, a stretch at its nearest
    point.
    """
    block = battle.block(target)
    if block.is_round:
        battle.cite("t9a:14.C.d-round")
        x, y, r = block.outline.circle
        towards = bearing(place.pose.x - x, place.pose.y - y)
        hx, hy = heading(towards)
        px, py = x + hx * r, y + hy * r
        return (px - hy * 0.5, py + hx * 0.5), (px + hy * 0.5, py - hx * 0.5)
    return block.boundary.side(located_model(battle, target, place))


def _from(battle: Battle, eye: Point, start: Point, end: Point, screens: list[Screen], is_round: bool) -> Cover:
    soft: list[tuple[float, float]] = []
    hard: list[tuple[float, float]] = []
    hard_rule = soft_rule = ""
    for screen in screens:
        hidden = shadow(eye, start, end, screen.ring)
        if hidden is None:
            continue
        if not screen.kind:
            battle.cite("t9a:14.C.d.1", screen.rule)
        elif screen.kind == "hard":
            hard.append(hidden)
            hard_rule = screen.rule
        else:
            soft.append(hidden)
            soft_rule = screen.rule
    if covered(hard) > 0.5 + 1e-6:
        battle.cite("t9a:14.C.d.2", hard_rule)
        if soft:
            battle.cite("t9a:14.C.d.3")
        return Cover("hard", "t9a:14.C.d.2")
    if covered([*soft, *hard]) > 0.5 + 1e-6:
        if covered(soft) <= 0.5 + 1e-6:
            battle.cite("t9a:14.C.d.3", soft_rule or hard_rule, hard_rule or soft_rule)
        else:
            battle.cite("t9a:14.C.d.1", soft_rule)
        return Cover("soft", "t9a:14.C.d.1" if covered(soft) > 0.5 + 1e-6 else "t9a:14.C.d.3")
    return NONE


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
            found.append(Screen(figure.ring, "hard", "t9a:14.C.d-sizes"))
        elif max(own, theirs) == 2 and figure.size == 0:
            if not cited:
                found.append(Screen(figure.ring, "", "t9a:14.C.d-sizes"))  # no Cover, but the rule has had its say
        else:
            if figure.skirmish:
                battle.cite("t9a:21.A.b.48")
            found.append(Screen(figure.ring, "soft", "t9a:14.C.d-sizes"))
    return found + _terrain_screens(battle, place, target)


def _terrain_screens(battle: Battle, place: Place, target: Unit) -> list[Screen]:
    """t9a:20.A.c  Covering Terrain; a shooter ignores the feature he stands in."""
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
        return [Screen(ring, strength, kind.rule) for ring in rings]
    if kind.behind:
        return [Screen(ring, kind.behind, kind.rule) for ring in rings]
    # inside only: the part of the footprint in the feature hides itself, what lies before it does not
    inside = piece.polygon.intersection(footprint)
    if inside.is_empty or inside.area <= 1.0:
        return []
    parts = polygons(inside)
    return [
        Screen(ring, kind.inside, kind.rule)
        for part in parts
        for ring in convex_parts([(x, y) for x, y in _grown(part)])
    ]


def _grown(part: Polygon) -> list[tuple[float, float]]:
    """The corners of a polygon a millimetre larger all round."""
    larger = polygons(part.buffer(1.0, join_style="mitre"))
    return [(float(x), float(y)) for x, y in larger[0].exterior.coords[:-1]]


def _outside(ring: tuple[Point, ...], footprint: Polygon) -> list[tuple[Point, ...]]:
    """The part of a Hill before a unit that stands on it: it is behind what rises between it and the shooter."""
    left = Polygon(ring).difference(footprint.buffer(0.5))
    return [
        r for part in polygons(left) for r in convex_parts([(float(x), float(y)) for x, y in part.exterior.coords[:-1]])
    ]

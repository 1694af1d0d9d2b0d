"""A map as SVG, drawn from a scene: table, terrain, zones, markers, models true to scale, and where units came from."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple

from grognard.kernel.screen.scene import Figure, Point, Scene
from grognard.kernel.screen.svg import breadth

#: The colours of the table in the browser, by place; the second cue is the mark on the base.
COLOURS = ("#b5401f", "#1d5f9a", "#15795a", "#8c4a83", "#8a6d00", "#3f8fa8", "#7f3fbf", "#555555", "#a05a2c")
#: The words people use for terrain in any game, as the table in the browser knows them, and its colours on paper.
LOOKS = (
    (r"wood|forest|copse|jungle|tree|grove|hedge", "#cfe0c3"), (r"hill|mound|rise|slope|dune", "#e3d9b4"),
    (r"rock|cliff|boulder|crag|scree", "#b3ada4"), (r"ruin|crater|debris|rubble|wreck", "#d8cfc0"),
    (r"fence|wall|barricade|obstacle|barrier|palisade", "#a8906f"),
    (r"building|house|tower|fort|bunker|village|container|statuary|temple", "#c4bcb0"),
    (r"water|river|lake|pond|stream|sea|ford", "#bcd6e2"), (r"mud|marsh|swamp|bog", "#cbbf9f"),
    (r"field|scrub|crop|brush|grass", "#e4e3b8"), (r"road|path|bridge", "#e6dcc8"),
)  # fmt: skip
#: Of what has another name by what it does to sight.
TERRAIN = {"solid": "#b9b3a7", "wall": "#e3d9b4", "area": "#cfe0c3", "cover": "#dfd3b8", "open": "#e9e4d4"}
Say = Callable[[str], str]


def chart(scene: Scene, before: Mapping[str, Point], say: Say, fallen: Iterable[tuple[str, Point]] = ()) -> str:
    """The map; `before` is where each unit was on the map before, `fallen` who was lost since, and where.

    `say` tells a name in the reader's language.
    """
    table = scene.table
    margin = table.width * 0.01
    parts = [_grid(scene), *_terrain(scene, say), *_zones(scene), *_trails(scene, before)]
    parts += [_cross(scene, side, at) for side, at in fallen]
    parts += [_model(scene, figure, say) for figure in scene.models if figure.pose is not None]
    parts += _tokens(scene, say)
    parts += _labels(scene, say)
    box = f"{-margin:g} {-margin:g} {table.width + 2 * margin:g} {table.height + 2 * margin:g}"
    return f'<svg class="map" viewBox="{box}" role="img">{"".join(parts)}</svg>'


def centres(scene: Scene) -> dict[str, Point]:
    """The middle of every unit that stands on the table."""
    found = {}
    poses = {figure.id: figure.pose for figure in scene.models}
    for unit in scene.units:
        spots = [pose for key in unit.models if (pose := poses.get(key)) is not None]
        if spots:
            found[unit.id] = (sum(p.x for p in spots) / len(spots), sum(p.y for p in spots) / len(spots))
    return found


def _colour(scene: Scene, side: str | None) -> str:
    place = next((player.colour for player in scene.sides if player.id == side), -1)
    return COLOURS[place % len(COLOURS)] if place >= 0 else "#333"


def _place(scene: Scene, side: str) -> int:
    return next((player.colour for player in scene.sides if player.id == side), 0)


def _up(scene: Scene, y: float) -> float:
    """A height on the table as SVG counts, downward."""
    return scene.table.height - y


def _points(scene: Scene, points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{_up(scene, y):.1f}" for x, y in points)


def _grid(scene: Scene) -> str:
    """The table, with a line every ten centimetres or six inches."""
    table = scene.table
    step = table.unit_mm * (10 if table.unit == "cm" else 6)
    lines = "".join(f"M{x * step:.1f} 0V{table.height:g}" for x in range(1, math.ceil(table.width / step)))
    lines += "".join(
        f"M0 {table.height - y * step:.1f}H{table.width:g}" for y in range(1, math.ceil(table.height / step))
    )
    ground = f'<rect class="ground" width="{table.width:g}" height="{table.height:g}"/>'
    return f'{ground}<path class="grid" d="{lines}"/>'


def _terrain(scene: Scene, say: Say) -> Iterable[str]:
    for piece in scene.terrain:
        known = next((colour for words, colour in LOOKS if re.search(words, piece.kind)), None)
        fill = known or TERRAIN.get(piece.sight, TERRAIN["open"])
        title = f"<title>{escape(say(piece.name))}</title>"
        yield f'<polygon class="terrain" fill="{fill}" points="{_points(scene, piece.points)}">{title}</polygon>'


def _zones(scene: Scene) -> Iterable[str]:
    for zone in scene.zones:
        colour = _colour(scene, zone.side)
        yield f'<polygon class="zone" stroke="{colour}" points="{_points(scene, zone.points)}"/>'


def _trails(scene: Scene, before: Mapping[str, Point]) -> Iterable[str]:
    """How far each unit has come since the map before."""
    sides = {unit.id: unit.side for unit in scene.units}
    for key, (x, y) in centres(scene).items():
        start = before.get(key)
        if start is not None and math.dist(start, (x, y)) > scene.table.unit_mm:
            way = f"M{start[0]:.1f} {_up(scene, start[1]):.1f}L{x:.1f} {_up(scene, y):.1f}"
            yield f'<path class="trail" stroke="{_colour(scene, sides[key])}" d="{way}"/>'


def _model(scene: Scene, figure: Figure, say: Say) -> str:
    """A base with its facing; sides differ in colour and in the mark at the middle."""
    pose, base = figure.pose, figure.base
    assert pose is not None
    colour, place = _colour(scene, figure.side), _place(scene, figure.side)
    w, d = base.width / 2, base.depth / 2
    if base.shape == "rectangle":
        shape = f'<rect x="{-w:g}" y="{-d:g}" width="{base.width:g}" height="{base.depth:g}" rx="1"/>'
    else:
        shape = f'<ellipse rx="{w:g}" ry="{d:g}"/>'
    size = min(w, d)
    marks = ("", f'<circle class="mark" r="{size * 0.4:.1f}"/>', _square(size * 0.7), _bar(size))
    inside = f'{shape}<path class="look" d="M0 {-d * 0.35:.1f}V{-d:.1f}"/>{marks[place % len(marks)]}'
    turn = f"translate({pose.x:.1f} {_up(scene, pose.y):.1f}) rotate({pose.facing:.1f})"
    return f'<g class="model" fill="{colour}" transform="{turn}"><title>{escape(say(figure.name))}</title>{inside}</g>'


def _square(size: float) -> str:
    return f'<rect class="mark" x="{-size / 2:.1f}" y="{-size / 2:.1f}" width="{size:.1f}" height="{size:.1f}"/>'


def _bar(size: float) -> str:
    return f'<path class="bar" d="M{-size * 0.6:.1f} 0H{size * 0.6:.1f}"/>'


def _cross(scene: Scene, side: str, at: Point) -> str:
    x, y, arm = at[0], _up(scene, at[1]), scene.table.width * 0.006
    way = f"M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}"
    return f'<path class="fallen" stroke="{_colour(scene, side)}" d="{way}"/>'


def _tokens(scene: Scene, say: Say) -> Iterable[str]:
    arm = scene.table.width * 0.011
    for token in scene.tokens:
        x, y = token.x, _up(scene, token.y)
        way = f"M{x:.1f} {y - arm:.1f}l{arm:.1f} {arm:.1f}l{-arm:.1f} {arm:.1f}l{-arm:.1f} {-arm:.1f}z"
        yield f'<path class="token" d="{way}"><title>{escape(say(token.name))}</title></path>'


class _Spot(NamedTuple):
    """Where a label stands: its middle, its baseline, half its breadth."""

    x: float
    y: float
    half: float


def _labels(scene: Scene, say: Say) -> Iterable[str]:
    """The names of the units: below or above them, where they cover the fewest models and no other name."""
    size = scene.table.width * 0.019
    bases = [(f.pose.x, _up(scene, f.pose.y), f.base.depth / 2) for f in scene.models if f.pose is not None]
    taken: list[_Spot] = []
    names = {unit.id: unit for unit in scene.units}
    for key, (x, _) in centres(scene).items():
        said = say(names[key].name)
        name = said[:1].upper() + said[1:]
        half = breadth(name, size, bold=True) / 2
        at = min(_places(scene, key, x, half, size), key=lambda spot: _hidden(spot, size, bases, taken))
        taken.append(at)
        yield (
            f'<text class="label" x="{at.x:.1f}" y="{at.y:.1f}" font-size="{size:.1f}" '
            f'fill="{_colour(scene, names[key].side)}">{escape(name)}</text>'
        )


def _places(scene: Scene, unit: str, x: float, half: float, size: float) -> list[_Spot]:
    """Where the name of a unit may stand, the best first, all of it on the table."""
    stands = [(f.pose.y, f.base.depth / 2) for f in scene.models if f.pose is not None and f.unit == unit]
    below = max((_up(scene, y) + reach for y, reach in stands), default=0.0) + size
    above = min((_up(scene, y) - reach for y, reach in stands), default=0.0) - size * 0.4
    aside = min(max(x, half), max(half, scene.table.width - half))
    steps = [below + step * size * 0.5 for step in range(12)] + [above - step * size * 0.5 for step in range(12)]
    heights = [y for y in steps if size <= y <= scene.table.height - size * 0.3]
    return [_Spot(aside, y, half) for y in heights] or [_Spot(aside, below, half)]


def _hidden(spot: _Spot, size: float, bases: Iterable[tuple[float, float, float]], taken: Iterable[_Spot]) -> int:
    """How much a label would cover: another name is worse than any number of models."""
    names = sum(abs(spot.y - other.y) < size and abs(spot.x - other.x) < spot.half + other.half for other in taken)
    middle = spot.y - size * 0.35
    models = sum(abs(middle - y) < size * 0.4 + r and abs(spot.x - x) < spot.half + r for x, y, r in bases)
    return names * 1000 + models

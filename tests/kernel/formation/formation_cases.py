"""Random shapes and blocks for the formation tests, and shapely's view of them."""

from __future__ import annotations

import shapely
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline, Rect
from grognard.kernel.geometry.base import rect_base

places = st.integers(-300, 300).map(float)
bearings = st.one_of(st.integers(0, 359).map(float), st.floats(0, 359.99))
halves = st.integers(5, 80).map(float)
rects = st.builds(Rect, places, places, bearings, halves, halves)
discs = st.builds(lambda x, y, r: Outline(((x, y),), r), places, places, halves)
outlines = st.one_of(rects.map(lambda rect: rect.outline), discs)
turns = st.floats(1, 180).flatmap(lambda t: st.sampled_from([t, -t]))
bases = st.sampled_from([rect_base(20, 20), rect_base(25, 25), rect_base(25, 50), rect_base(40, 40)])


@st.composite
def blocks(draw: st.DrawFn, most_files: int = 7, most_ranks: int = 4) -> Block:
    files = draw(st.integers(1, most_files))
    troops = draw(st.integers(files, files * most_ranks))
    return Block(draw(places), draw(places), draw(bearings), files, troops, draw(bases))


def polygon(outline: Outline) -> BaseGeometry:
    """The ring or point without its radius: shapely's circles are polygons."""
    return shapely.Polygon(outline.points) if len(outline.points) > 2 else shapely.Point(outline.points[0])


def distance(a: Outline, b: Outline) -> float:
    return max(0.0, float(polygon(a).distance(polygon(b))) - a.radius - b.radius)

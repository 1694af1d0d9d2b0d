"""What the property tests of the geometry share: bases at random, and shapely's opinion of them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from shapely import Polygon
from shapely.affinity import rotate, translate

from grognard.kernel.geometry.base import Base, Pose, Shape, oval_base, rect_base, round_base

#: How far shapely's many-cornered circles may stray from round ones.
STRAY = 2e-3

SIZES = st.sampled_from([20.0, 25.0, 32.0, 35.0, 60.0, 105.0])
RIM = np.radians(np.arange(0.0, 360.0, 0.25))

quick = settings(max_examples=80, deadline=None, derandomize=True)
few = settings(max_examples=30, deadline=None, derandomize=True)

circles = SIZES.map(round_base)
ovals = st.tuples(SIZES, SIZES).filter(lambda s: s[0] != s[1]).map(lambda s: oval_base(*s))
rects = st.builds(rect_base, SIZES, SIZES)
bases = st.one_of(circles, ovals, rects)


def poses(spread: float = 120.0) -> st.SearchStrategy[Pose]:
    where = st.floats(-spread, spread, allow_nan=False).map(lambda v: round(v, 3))
    facing = st.one_of(st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]), st.integers(0, 3599).map(lambda n: n / 10))
    return st.builds(Pose, where, where, facing, st.just(0))


def outline(base: Base, pose: Pose) -> Polygon:
    """The base as a polygon, with very many corners where it is round."""
    w, l = base.width / 2, base.length / 2
    if base.shape is Shape.RECT:
        local = [(-w, -l), (w, -l), (w, l), (-w, l)]
    else:
        local = list(zip(w * np.cos(RIM), l * np.sin(RIM), strict=True))
    return translate(rotate(Polygon(local), -pose.facing, origin=(0, 0)), pose.x, pose.y)


def toward(pose: Pose, degrees: float, distance: float) -> Pose:
    angle = math.radians(degrees)
    return Pose(pose.x + distance * math.sin(angle), pose.y + distance * math.cos(angle), pose.facing, pose.level)

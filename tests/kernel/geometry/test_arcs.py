"""Arcs, against points sampled in the bases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.geometry.arcs import FRONT, LEFT, REAR, RIGHT, front_mask, in_arc, side_facing
from grognard.kernel.geometry.base import Base, Pose, rect_base, round_base
from grognard.kernel.geometry.units import bearing
from tests.kernel.geometry.geometry_oracle import bases, circles, outline, poses, quick

WIDTHS = st.sampled_from([45.0, 90.0, 120.0, 180.0, 270.0, 315.0])
CENTRES = st.sampled_from([0.0, 90.0, 180.0, 270.0, 30.0])


def off_centre(pose: Pose, centre: float, x: float, y: float) -> float:
    """Degrees between the arc's middle and a point."""
    return abs((bearing(x - pose.x, y - pose.y) - pose.facing - centre + 180) % 360 - 180)


@quick
@given(poses(80), bases, CENTRES, WIDTHS, bases, poses(80))
def test_in_arc_agrees_with_points_on_the_rim(
    pose: Pose, base: Base, centre: float, width: float, other: Base, at: Pose
) -> None:
    shape = outline(other, at)
    rim = [shape.exterior.interpolate(n / 720, normalized=True) for n in range(720)]
    off = np.array([off_centre(pose, centre, p.x, p.y) for p in rim])
    any_in, all_in = (in_arc(pose, base, centre, width, other, at, how) for how in ("any", "all"))
    if (off < width / 2 - 0.5).any():
        assert any_in
    if (off > width / 2 + 0.5).any():
        assert not all_in
    margin = np.abs(off - width / 2).min()
    if not shape.buffer(1.0).covers(outline(round_base(0.1), pose)) and margin > 1.0:
        assert any_in == all_in == bool((off < width / 2).all())
    middle = off_centre(pose, centre, at.x, at.y)
    if abs(middle - width / 2) > 1e-3 and math.hypot(at.x - pose.x, at.y - pose.y) > 1:
        assert in_arc(pose, base, centre, width, other, at, "centre") == (middle < width / 2)


@quick
@given(poses(80), CENTRES, WIDTHS, st.lists(st.tuples(circles, poses(80)), min_size=1, max_size=6))
def test_mask_agrees_with_single_questions(
    pose: Pose, centre: float, width: float, others: list[tuple[Base, Pose]]
) -> None:
    xs, ys = np.array([p.x for _, p in others]), np.array([p.y for _, p in others])
    rs = np.array([b.width / 2 for b, _ in others])
    for how in ("any", "all", "centre"):
        mask = front_mask(pose.x, pose.y, pose.facing, xs, ys, rs, width, how, centre)
        assert mask.tolist() == [in_arc(pose, round_base(25), centre, width, b, p, how) for b, p in others]


def test_view_of_half_a_circle() -> None:
    eye, disc = Pose(0, 0, 0), round_base(20)
    assert in_arc(eye, disc, FRONT, 180, disc, Pose(50, -10), "any")
    assert not in_arc(eye, disc, FRONT, 180, disc, Pose(50, -10.01), "any")
    assert in_arc(eye, disc, FRONT, 180, disc, Pose(50, 10), "all")
    assert not in_arc(eye, disc, FRONT, 180, disc, Pose(50, 9.99), "all")
    assert in_arc(eye, disc, FRONT, 180, disc, Pose(50, 0), "centre")
    assert in_arc(eye, disc, FRONT, 360, disc, Pose(0, -50), "all")
    assert front_mask(0.0, 0.0, 0.0, np.array([0.0]), np.array([-5.0]), np.array([1.0]), 360.0, "all").all()
    with pytest.raises(ValueError, match="most"):
        in_arc(eye, disc, FRONT, 180, disc, Pose(50, 0), "most")


@quick
@given(poses(80), poses(150), st.sampled_from([(100.0, 20.0), (20.0, 100.0), (60.0, 60.0)]))
def test_sides_from_corners(pose: Pose, at: Pose, size: tuple[float, float]) -> None:
    base = rect_base(*size)
    angle = math.radians(pose.facing)
    dx, dy = at.x - pose.x, at.y - pose.y
    right, ahead = dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle)
    over, out = abs(right) - base.half_width, abs(ahead) - base.half_length
    if max(over, out) < 0.01 or abs(over - out) < 0.01:
        return
    expected = (FRONT if ahead > 0 else REAR) if out > over else (RIGHT if right > 0 else LEFT)
    assert side_facing(base, pose, at.x, at.y) == expected


def test_block_arcs_reach_bases_across_the_line() -> None:
    block, at = rect_base(100, 60), Pose(0, 0, 0)
    astride = rect_base(20, 20), Pose(100, 80)
    for side in (FRONT, RIGHT):
        assert in_arc(at, block, side, 90, *astride, "any", "corners")
        assert not in_arc(at, block, side, 90, *astride, "all", "corners")
    assert not in_arc(at, block, LEFT, 90, *astride, "any", "corners")
    assert in_arc(at, block, FRONT, 270, *astride, "all", "corners")
    assert in_arc(at, block, REAR, 90, rect_base(20, 20), Pose(0, -300), "all", "corners")
    with pytest.raises(ValueError, match="edge"):
        in_arc(at, block, FRONT, 90, *astride, "any", "edge")

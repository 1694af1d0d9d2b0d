"""Motions are what they say."""

from __future__ import annotations

import pytest

from grognard.kernel.geometry.units import heading
from tests.metamorphic.motion import Motion

MOTIONS = [
    Motion("half", 180.0, dx=900.0, dy=600.0),
    Motion("quarter", 90.0, dy=900.0),
    Motion("mirror", mirrored=True, dx=900.0),
    Motion("turned", 37.0, dx=5000.0, dy=4000.0),
    Motion("both", 37.0, mirrored=True, dx=12.0, dy=-7.0),
]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda m: m.name)
def test_back_undoes_forth(motion: Motion) -> None:
    assert motion.back.point(motion.point((123.4, 56.7))) == pytest.approx((123.4, 56.7))
    assert motion.back.bearing(motion.bearing(71.0)) == pytest.approx(71.0)
    assert motion.back.edge(motion.edge("west")) == "west"


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda m: m.name)
def test_bearings_go_with_points(motion: Motion) -> None:
    hx, hy = heading(71.0)
    (ax, ay), (bx, by) = motion.point((10.0, 20.0)), motion.point((10.0 + hx, 20.0 + hy))
    assert (bx - ax, by - ay) == pytest.approx(heading(motion.bearing(71.0)))


def test_words() -> None:
    half, quarter, mirror = MOTIONS[:3]
    assert [half.edge(word) for word in ("south", "left", "top")] == ["north", "right", "bottom"]
    assert [quarter.edge(word) for word in ("north", "west", "lower")] == ["east", "north", "left"]
    assert [mirror.edge(word) for word in ("south", "west", "right")] == ["south", "east", "left"]
    assert [mirror.hand(word) for word in ("wider-left", "at:right", "front")] == ["wider-right", "at:left", "front"]
    assert half.hand("left") == "left"

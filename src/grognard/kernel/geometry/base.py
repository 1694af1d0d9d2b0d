"""Bases and poses: what a model stands on and where it stands."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import NamedTuple

import msgspec

from grognard.kernel.geometry.units import snap, snap_facing


class Shape(IntEnum):
    """The three outlines a base can have."""

    CIRCLE = 0
    OVAL = 1
    RECT = 2


class Base(msgspec.Struct, frozen=True):
    """A base's outline in millimetres: width across the front, length front to back."""

    shape: Shape
    width: float
    length: float

    @property
    def half_width(self) -> float:
        return self.width / 2

    @property
    def half_length(self) -> float:
        return self.length / 2

    @property
    def reach(self) -> float:
        """Radius of the circle around the whole base."""
        if self.shape is Shape.RECT:
            return math.hypot(self.width, self.length) / 2
        return max(self.width, self.length) / 2


def round_base(diameter: float) -> Base:
    return Base(Shape.CIRCLE, diameter, diameter)


def oval_base(width: float, length: float) -> Base:
    return round_base(width) if width == length else Base(Shape.OVAL, width, length)


def rect_base(width: float, length: float) -> Base:
    return Base(Shape.RECT, width, length)


class Pose(NamedTuple):
    """Where a base stands: centre in mm, facing as a compass bearing, level of the terrain."""

    x: float
    y: float
    facing: float = 0.0
    level: int = 0

    def snapped(self) -> Pose:
        """The same pose as it is kept in the state."""
        return Pose(snap(self.x), snap(self.y), snap_facing(self.facing), self.level)

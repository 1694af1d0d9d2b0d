"""Lengths. Millimetres inside; books speak inches or centimetres.

Axes: the table's origin is its lower left corner, x to the right, y up.
Facing is a compass bearing in degrees: 0 looks along +y, 90 along +x (clockwise).
"""

from __future__ import annotations

import math

MM_PER_INCH = 25.4
MM_PER_CM = 10.0

#: Two bases touch when the gap between them is at most this many millimetres.
TOUCH = 0.05


def inches(n: float) -> float:
    """Millimetres in n inches.

    >>> inches(4)
    101.6
    """
    return n * MM_PER_INCH


def cm(n: float) -> float:
    """Millimetres in n centimetres."""
    return n * MM_PER_CM


def snap(value: float) -> float:
    """A coordinate as it enters the state: rounded to 0.001 mm, never minus zero."""
    return round(value, 3) + 0.0


def snap_facing(degrees: float) -> float:
    """A bearing in [0, 360), rounded to a ten-thousandth of a degree."""
    turned = round(degrees % 360.0, 4)
    return 0.0 if turned >= 360.0 else turned + 0.0


def heading(degrees: float) -> tuple[float, float]:
    """The unit vector a bearing looks along."""
    angle = math.radians(degrees)
    return math.sin(angle), math.cos(angle)


def bearing(dx: float, dy: float) -> float:
    """The bearing of a vector, in [0, 360).

    >>> bearing(1, 0)
    90.0
    """
    return math.degrees(math.atan2(dx, dy)) % 360.0

"""wh40k:23.32-b2b-check  Which angles of a contact circle are tried."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.kernel.geometry.units import TOUCH

Disc = tuple[float, float, float]
#: How many parts an arc is cut into.
SAMPLES = 6
#: How far to either side of a limit on a contact circle a place is tried (radians).
ASIDE = 1e-4


def tried(begin: float, long: float, toward: float, cuts: Sequence[float]) -> list[float]:
    """Angles of an arc worth trying: the nearest, the ends, some between, either side of cuts."""
    full = 2 * math.pi
    found = [toward] if (toward - begin) % full <= long else []
    found += [begin, begin + long]
    found += [begin + long * k / SAMPLES for k in range(1, SAMPLES)]
    return found + [a for cut in cuts for a in (cut - ASIDE, cut + ASIDE) if (a - begin) % full <= long]


def crossings(circle: Disc, limit: Disc) -> list[float]:
    """The angles at which a circle crosses another."""
    x, y, reach = circle
    away = math.hypot(limit[0] - x, limit[1] - y)
    if away < TOUCH:
        return []
    cosine = (reach * reach + away * away - limit[2] * limit[2]) / (2 * reach * away)
    if abs(cosine) > 1.0:
        return []
    middle, half = math.atan2(limit[1] - y, limit[0] - x), math.acos(cosine)
    return [middle - half, middle + half]

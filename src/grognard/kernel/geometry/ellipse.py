"""Ellipses: the nearest point on one, and how far two of them stand apart."""

from __future__ import annotations

import math
from typing import NamedTuple


class Ellipse(NamedTuple):
    """An ellipse's half axes and the cosine and sine of its facing; where it stands is the caller's."""

    a: float
    b: float
    cos: float
    sin: float

    def support(self, ux: float, uy: float) -> tuple[float, float, float, float]:
        """Farthest point along the unit vector u: its offset, its extent and the curve's radius there."""
        a2, b2 = self.a * self.a, self.b * self.b
        right, ahead = ux * self.cos - uy * self.sin, ux * self.sin + uy * self.cos
        extent = math.hypot(self.a * right, self.b * ahead)
        px, py = a2 * right / extent, b2 * ahead / extent
        x, y = px * self.cos + py * self.sin, py * self.cos - px * self.sin
        return x, y, extent, a2 * b2 / (extent * extent * extent)


def _multiplier(p: float, q: float, k: float) -> float:
    """The u >= 0 with (p/u)^2 + (q/(u+k))^2 = 1, or 0 where there is none.

    The left side is convex and falls, so Newton's steps from the left never overshoot.
    """
    u = max(p, q - k)
    if u <= 0.0:
        return 0.0
    for _ in range(100):
        f, g = p / u, q / (u + k)
        f, g = f * f, g * g
        step = (f + g - 1.0) / (2.0 * (f / u + g / (u + k)))
        u += step
        if step <= 1e-15 * u:
            break
    return u


def nearest_on_ellipse(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """The point of the ellipse's rim nearest to (x, y), in the frame of its axes."""
    if a < b:
        ny, nx = nearest_on_ellipse(b, a, y, x)
        return nx, ny
    px, py, k = abs(x), abs(y), a * a - b * b
    if k == 0.0:
        far = math.hypot(px, py)
        return (x * a / far, y * a / far) if far > 0.0 else (0.0, b)
    u = _multiplier(b * py, a * px, k)
    nx = a * a * px / (u + k)
    ny = b * b * py / u if u > 0.0 else b * math.sqrt(max(0.0, 1.0 - (nx / a) ** 2))
    return math.copysign(nx, x), math.copysign(ny, y)


def point_to_ellipse(a: float, b: float, x: float, y: float) -> float:
    """Signed distance of a point from the ellipse's rim, negative inside."""
    nx, ny = nearest_on_ellipse(a, b, x, y)
    distance = math.hypot(x - nx, y - ny)
    return distance if (x / a) ** 2 + (y / b) ** 2 >= 1.0 else -distance


def ellipse_separation(dx: float, dy: float, one: Ellipse, other: Ellipse) -> tuple[float, float, float]:
    """Distance between two ellipses and the unit normal from the first to the second.

    (dx, dy) leads from the first centre to the second. A distance of zero or less says that
    they meet; how deeply it does not say.

    The distance is the largest separation over all directions u, d.u - h1(u) - h2(u). Where that
    is positive it has one peak; elsewhere its value on the tangent line to the circle of
    directions is concave and leads there. Newton, held in a bracket.
    """
    far = math.hypot(dx, dy)
    if far == 0.0:
        return -1.0, 0.0, 1.0
    ex, ey = dx / far, dy / far
    low, high, angle = -math.pi / 2, math.pi / 2, 0.0
    apart = ux = uy = 0.0
    for _ in range(80):
        c, s = math.cos(angle), math.sin(angle)
        ux, uy = ex * c - ey * s, ex * s + ey * c
        ax, ay, ha, ra = one.support(ux, uy)
        bx, by, hb, rb = other.support(ux, uy)
        wx, wy = dx - bx - ax, dy - by - ay
        apart = far * c - ha - hb
        if apart > 0.0:
            slope = wy * ux - wx * uy
            step = slope / (apart + ra + rb)
        else:
            slope = wy * ex - wx * ey
            step = math.atan(math.tan(angle) + slope / ((ra + rb) * c * c * c)) - angle
        if abs(step) < 1e-13 or high - low < 1e-13:
            break
        if slope > 0.0:
            low = angle
        else:
            high = angle
        angle = angle + step if low < angle + step < high else (low + high) / 2
    return apart, ux, uy

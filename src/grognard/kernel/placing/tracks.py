"""Placements of single models: for each mover a path of points and where it looks at the end.

On the wire a placement is {"mover": {"path": [[x, y], …], "facing": degrees}}; {"mover": [x, y]} is short for
one straight leg. Movers are moved in the order in which they are written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.units import snap, snap_facing

Point = tuple[float, float]
MAX_LEGS = 64


class Track(NamedTuple):
    """The points a mover goes through after its start, its facing at the end (None: unchanged), its level."""

    path: tuple[Point, ...]
    facing: float | None = None
    level: int = 0

    def snapped(self) -> Track:
        """As it is written and read again."""
        path = tuple([(snap(x), snap(y)) for x, y in self.path])
        return Track(path, None if self.facing is None else snap_facing(self.facing), self.level)


def parse(wire: Any, movers: Sequence[str], rule: str) -> dict[str, Track]:
    """Tracks by mover, in order; raises Refused naming the mover and what is wrong."""
    if not isinstance(wire, dict):
        raise _bad("it is not a mapping of movers", rule)
    found: dict[str, Track] = {}
    for mover, given in wire.items():
        if mover not in movers:
            raise _bad(f"{mover} is not among {', '.join(movers)}", rule)
        found[mover] = _track(given, mover, rule)
    return found


#: What may be said of a mover.
KEYS = frozenset({"path", "at", "facing", "level"})


def _track(given: Any, mover: str, rule: str) -> Track:
    """A mover's track; where it has only one point that may be written `at`, or as the path itself."""
    if isinstance(given, list | tuple):
        points = [given] if given and not isinstance(given[0], list | tuple) else given
        return Track(tuple(_point(p, mover, rule) for p in points))
    if not isinstance(given, dict) or not set(given) <= KEYS or {"path", "at"} <= set(given):
        raise _bad(f"{mover} needs a path and a facing", rule)
    path = given.get("path") or given.get("at") or []
    if isinstance(path, list | tuple) and path and not isinstance(path[0], list | tuple):
        path = [path]
    if not isinstance(path, list | tuple) or len(path) > MAX_LEGS:
        raise _bad(f"the path of {mover} is not a list of at most {MAX_LEGS} points", rule)
    facing, level = given.get("facing"), given.get("level", 0)
    if facing is not None and not _number(facing):
        raise _bad(f"the facing of {mover} is not a number", rule)
    if type(level) is not int:
        raise _bad(f"the level of {mover} is not a whole number", rule)
    turned = None if facing is None else snap_facing(facing)
    return Track(tuple(_point(p, mover, rule) for p in path), turned, level)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _point(point: Any, mover: str, rule: str) -> Point:
    if not isinstance(point, list | tuple) or len(point) != 2 or not all(map(_number, point)):
        raise _bad(f"a point of {mover} is not [x, y]", rule)
    return snap(float(point[0])), snap(float(point[1]))


def _bad(problem: str, rule: str) -> Refused:
    return Refused(Refusal("refuse.bad-placement", rule, {"problem": problem}))


def write(tracks: Mapping[str, Track]) -> dict[str, Any]:
    """The wire form, in full."""
    done: dict[str, Any] = {}
    for mover, track in tracks.items():
        done[mover] = {"path": [list(p) for p in track.path]}
        if track.facing is not None:
            done[mover]["facing"] = track.facing
        if track.level:
            done[mover]["level"] = track.level
    return done

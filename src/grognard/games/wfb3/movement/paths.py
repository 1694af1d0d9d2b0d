"""Chapter 5.6: moves of a unit as they are written: a list of steps.

{"steps": [{"forward": 50}, {"wheel": "left", "angle": 30}, {"turn": "right"}, {"turn": "about"}, {"files": [1, 1]},
{"back": 20}, {"wheel_back": "left", "angle": 10}, {"pivot": 15}]}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import About, Advance, Pivot, Refile, Step, Turn, Wheel

T = TypeVar("T")
QUARTERS = {"right": 1, "about": 2, "left": 3}
#: The same said in degrees.
DEGREES = {90: "right", 180: "about", -180: "about", -90: "left", 270: "left"}
_SIDES = {"left": Edge.LEFT, "right": Edge.RIGHT}


def _bad(rule: str, why: str) -> Refused:
    return Refused(Refusal("refuse.not-a-path", rule, {"why": why}))


def _number(value: Any, rule: str, *, negative: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e5:
        raise _bad(rule, "number")
    if value < 0 and not negative:
        raise _bad(rule, "negative")
    return float(value)


def _word(value: Any, known: Mapping[str, T], rule: str) -> T:
    if not isinstance(value, str) or value not in known:
        raise _bad(rule, "step")
    return known[value]


def step(said: Any, rule: str) -> Step:
    """One step from its written form."""
    if not isinstance(said, dict):
        raise _bad(rule, "step")
    keys = set(said)
    if keys == {"forward"}:
        return Advance(_number(said["forward"], rule))
    if keys == {"back"}:
        return Advance(-_number(said["back"], rule))
    if keys == {"wheel", "angle"}:
        return Wheel(_word(said["wheel"], _SIDES, rule), _number(said["angle"], rule))
    if keys == {"wheel_back", "angle"}:
        return Wheel(_word(said["wheel_back"], _SIDES, rule), -_number(said["angle"], rule))
    if keys == {"turn"}:
        turn = said["turn"]
        return Turn(_word(DEGREES.get(turn, turn) if type(turn) in (int, float) else turn, QUARTERS, "wfb3:5.6.1-turn"))
    if keys == {"pivot"}:
        return Pivot(_number(said["pivot"], rule, negative=True), About.FRONT)
    if keys == {"files"}:
        both = said["files"]
        if isinstance(both, list | tuple) and len(both) == 2 and all(type(n) is int for n in both):
            return Refile(both[0], both[1])
    raise _bad(rule, "step")


def parse(wire: Any, rule: str) -> Manoeuvre:
    """A path from its written form; a single step may stand alone."""
    if isinstance(wire, dict) and wire and "steps" not in wire:
        wire = {"steps": [wire]}
    if not isinstance(wire, dict) or not set(wire) <= {"steps"}:
        raise _bad(rule, "keys")
    steps = wire.get("steps", [])
    if not isinstance(steps, list) or len(steps) > 20:
        raise _bad(rule, "steps")
    return Manoeuvre(tuple(step(s, rule) for s in steps))


def write(path: Manoeuvre) -> dict[str, Any]:
    """The written form of a path."""
    return {"steps": [_written(s) for s in path.steps]}


def _written(s: Step) -> dict[str, Any]:
    if isinstance(s, Advance):
        return {"forward": round(s.distance, 4)} if s.distance >= 0 else {"back": round(-s.distance, 4)}
    if isinstance(s, Wheel):
        word = "wheel" if s.degrees >= 0 else "wheel_back"
        return {word: "left" if s.corner is Edge.LEFT else "right", "angle": round(abs(s.degrees), 6)}
    if isinstance(s, Turn):
        return {"turn": next(word for word, quarters in QUARTERS.items() if quarters == s.quarters)}
    if isinstance(s, Pivot):
        return {"pivot": round(s.degrees, 6)}
    if isinstance(s, Refile):
        return {"files": [s.left, s.right]}
    raise TypeError(type(s).__name__)

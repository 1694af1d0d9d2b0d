"""A case tried in other frames: which of them it must hold in is decided by the case itself.

Every case is mirrored and turned by a quarter with its table, and turned by no round angle on a table so wide that no
edge of it is near. Where a case does not hold so it may be that it speaks of edges of the table, or of the players'
sides of it, which games know only as upright rectangles and as north and south. That is found out without turning
anything: by making the table wide, or exchanging the players' sides, or stretching the table, while everything else
stays as it is. If the case
does not hold then either, the edges or sides matter, and it is excused from that turn (from a quarter turn only if a
half turn does it no harm).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from importlib import import_module
from typing import NamedTuple

import msgspec

from grognard.check import Case, run_case
from grognard.kernel.ruleset import Ruleset
from tests.metamorphic.motion import Motion
from tests.metamorphic.window import Carried, Plan, Size, through

ANGLE = 37.0
#: How much wider the table is on which no edge is near.
WIDER = 12.0


def half(size: Size) -> Carried:
    return Carried(Motion("half", 180.0, dx=size[0], dy=size[1]), size)


def quarter(size: Size) -> Carried:
    """Clockwise: what lay at the upper edge lies at the right one."""
    return Carried(Motion("quarter", 90.0, dy=size[0]), (size[1], size[0]))


def mirror(size: Size) -> Carried:
    return Carried(Motion("mirror", mirrored=True, dx=size[0]), size)


#: Where the author's table comes to lie on a wide one, in shares of it: off every line by which games divide tables.
PLACE = (0.4, 0.3)


def turned(size: Size) -> Carried:
    """By no round angle, on a wide table."""
    return _wide(size, ANGLE, PLACE)


def _wide(size: Size, degrees: float, where: tuple[float, float], sides: Motion | None = None) -> Carried:
    """A wide table with the middle of the author's at a place on it, in shares of its width and height."""
    side = WIDER * max(size)
    x, y = Motion("", degrees).point((size[0] / 2, size[1] / 2))
    return Carried(Motion("wide", degrees, dx=side * where[0] - x, dy=side * where[1] - y), (side, side), sides)


def exchanged(size: Size) -> Carried:
    """Nothing is turned but the players' sides of the table."""
    return Carried(Motion("exchanged"), size, half(size).motion)


def reshaped(size: Size) -> Carried:
    """Nothing is turned, but the table is longer upwards than across."""
    return Carried(Motion("reshaped"), (size[0], 1.5 * max(size)))


def _widened(where: tuple[float, float]) -> Plan:
    """Nothing is turned; no edge is near, another one is nearest, and nobody has a zone."""
    return lambda size: _wide(size, 0.0, where, Motion("nowhere", 180.001))


WIDENED = tuple(_widened(where) for where in (PLACE, (0.1, 0.4), (0.4, 0.9), (0.9, 0.4)))


class Verdict(Enum):
    """What became of a case in another frame."""

    HOLDS = "holds"
    EXCUSED = "excused"
    FAILS = "fails"


class Tried(NamedTuple):
    """A case tried in a frame; `why` it is excused or what failed first."""

    verdict: Verdict
    why: str = ""


HOLDS = Tried(Verdict.HOLDS)
#: Why a case may be excused from a frame in which it does not hold.
LAID = "the scenario lays the table out in its own frame"
SIDES = "the players' sides of the table or its shape matter: a half turn instead"
EDGES = "an edge of the table or a zone on it matters"
FILES = "files are counted from the left"
USUAL = "of left and right the usual one is taken"
COMPASS = "a point of the compass or a length along the table's edges is named"

#: Games of ranked formations.
RANKED = ("t9a", "wfb3")
#: What counts places in a formation from its left end: keys and questions.
_COUNTED = re.compile(
    r"\b[a-z][\w-]*\.\d+\b|\b(file|rank|seats|rear|posts|number|touches|casualties\.(musician|rear)|make\.way)\b"
    r"|\b(join\.place|widen)\b"
)
#: A length and a width along the edges of the table.
_ALONG = re.compile(r'"size":\[')


class Failed(NamedTuple):
    """What failed first in another frame; whether of left and right the usual one could be taken on the way, and
    whether directions were named as the table lies.
    """

    why: str
    usual: bool
    aligned: bool


def tried(ruleset: Ruleset, case: Case, plan: Plan) -> Failed | None:
    """What fails of a case in another frame; None where it holds."""
    window = through(ruleset, plan)
    outcome = run_case(window, case)
    if outcome.passed:
        return None
    first = outcome.failures[0]
    parts = (" ".join(part.split())[:160] for part in (first.what, first.expected, first.got) if part)
    frame = getattr(window, "frame", None)
    return Failed(" | ".join(parts), getattr(frame, "usual", False), getattr(frame, "aligned", False))


def _laid(case: Case) -> bool:
    """Whether a case begins before the battle, while the table is laid out."""
    before = import_module(f"grognard.games.{case.game}.battle").BEFORE
    given = case.text.given
    return not isinstance(given, dict) or given.get("phase") in before


def _says(case: Case, pattern: re.Pattern[str]) -> bool:
    written = msgspec.json.encode([case.text.do, case.text.expect, case.text.otherwise]).decode()
    return pattern.search(written) is not None


def mirrored(ruleset: Ruleset, case: Case) -> Tried:
    """Left and right exchanged."""
    failed = tried(ruleset, case, mirror)
    if failed is None:
        return HOLDS
    if _laid(case):
        return Tried(Verdict.EXCUSED, LAID)
    if case.game in RANKED and _says(case, _COUNTED):
        return Tried(Verdict.EXCUSED, FILES)
    return _named(failed)


def quartered(ruleset: Ruleset, case: Case) -> Tried:
    """A quarter turn; where the players' sides of the table matter, a half turn."""
    failed = tried(ruleset, case, quarter)
    if failed is None:
        return HOLDS
    laid = _laid(case)
    if not laid and tried(ruleset, case, exchanged) is None and tried(ruleset, case, reshaped) is None:
        return _named(failed)
    failed = tried(ruleset, case, half)
    if failed is None:
        return Tried(Verdict.EXCUSED, SIDES)
    return Tried(Verdict.EXCUSED, LAID) if laid else _named(failed)


def freely_turned(ruleset: Ruleset, case: Case) -> Tried:
    """A turn by no round angle on a wide table."""
    failed = tried(ruleset, case, turned)
    if failed is None:
        return HOLDS
    if _laid(case):
        return Tried(Verdict.EXCUSED, LAID)
    if any(tried(ruleset, case, wide) is not None for wide in WIDENED):
        return Tried(Verdict.EXCUSED, EDGES)
    return Tried(Verdict.EXCUSED, COMPASS) if _says(case, _ALONG) else _named(failed)


def _named(failed: Failed) -> Tried:
    """Excused where a direction was named as the table lies, or one of left and right taken without a word."""
    if failed.aligned:
        return Tried(Verdict.EXCUSED, COMPASS)
    return Tried(Verdict.EXCUSED, USUAL) if failed.usual else Tried(Verdict.FAILS, failed.why)


TRIALS: Mapping[str, Callable[[Ruleset, Case], Tried]] = {
    "mirrored": mirrored,
    "quartered": quartered,
    "turned": freely_turned,
}

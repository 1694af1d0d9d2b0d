"""Loose models carried by hand as one body: everybody goes alike, as far as the rules let all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import snap_facing
from grognard.kernel.placing import halving
from grognard.kernel.placing.tracks import Track
from grognard.kernel.questions import Place

Point = tuple[float, float]
Wire = dict[str, Any]
#: The level somebody ends on who is set down like this.
Settle = Callable[[str, Pose], int]
#: How many shares of a way are tried, the whole first, and how often what lies between two of them is halved.
STEPS, HALVES = 8, 5


def furthest(legal: Callable[[Wire], bool], wire: Callable[[float], Wire]) -> Wire | None:
    """The placement of the largest share of a way that is legal, the whole first; None where none is."""

    def tried(share: float) -> Wire | None:
        made = wire(share)
        return made if legal(made) else None

    for step in range(STEPS, 0, -1):
        found = tried(step / STEPS)
        if found is None:
            continue
        return found if step == STEPS else halving.nearest(step / STEPS, (step + 1) / STEPS, tried, HALVES) or found
    return None


def shifted(stands: Mapping[str, Pose], by: Point, facing: float | None, level: int | None, settle: Settle) -> Wire:
    """Everybody by the same way, those in front first; whoever leaves a floor comes down."""
    found = {}
    for name in sorted(stands, key=lambda one: -(stands[one].x * by[0] + stands[one].y * by[1])):
        here = stands[name]
        end = Pose(
            round(here.x + by[0], 3), round(here.y + by[1], 3), here.facing if facing is None else facing,
            here.level if level is None else level,
        )  # fmt: skip
        found[name] = track(end, settle(name, end))
    return found


def track(end: Pose, level: int) -> Wire:
    """A straight way to a place, as it is written."""
    told: Wire = {"path": [[end.x, end.y]], "facing": end.facing}
    return told | ({"level": level} if level else {})


def carry(
    question: Place, stands: Mapping[str, Pose], mover: str, to: Point, facing: float | None, level: int | None,
    settle: Settle,
) -> Wire | None:  # fmt: skip
    """One mover as near to a point as everybody can go alike; None where nobody can."""
    lead = stands.get(mover)
    if lead is None:
        return None
    far = to[0] - lead.x, to[1] - lead.y
    turned = None if facing is None else snap_facing(facing)

    def wire(share: float) -> Wire:
        return shifted(stands, (far[0] * share, far[1] * share), turned, level, settle)

    return furthest(lambda wire: question.refusal(wire) is None, wire)


def ends(tracks: Mapping[str, Track], stands: Mapping[str, Pose]) -> dict[str, Pose]:
    """Where a placement puts everybody; whoever it leaves out stays."""
    found = dict(stands)
    for name, way in tracks.items():
        here = found.get(name)
        spot = way.path[-1] if way.path else here[:2] if here is not None else None
        if spot is not None:
            turned = (here.facing if here is not None else 0.0) if way.facing is None else way.facing
            found[name] = Pose(*spot, turned, way.level)
    return found

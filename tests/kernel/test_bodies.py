"""Loose models carried by hand: as far as all may go, on the levels there are, with what was corrected kept."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.placing import bodies
from grognard.kernel.placing.tracks import Track, parse
from grognard.kernel.questions import Place

STANDS = {"a": Pose(0.0, 0.0), "b": Pose(30.0, 0.0, 90.0, 1)}


class Fence:
    """Nobody may end beyond x = `edge`."""

    def __init__(self, edge: float) -> None:
        self.edge = edge

    def decode(self, wire: Any) -> Any:
        tracks = parse(wire, tuple(STANDS), "test:1")
        if any(track.path and track.path[-1][0] > self.edge for track in tracks.values()):
            raise Refused(Refusal("refuse.far", "test:1", {}))
        return tracks


def question(edge: float) -> Place:
    return Place("red", "move", tuple(STANDS), Fence(edge), rule="test:1")  # type: ignore[arg-type]


def flat(name: str, at: Pose) -> int:
    return 0


def kept(name: str, at: Pose) -> int:
    return at.level


def test_all_go_alike_and_those_in_front_first() -> None:
    wire = bodies.carry(question(1000), STANDS, "a", (100.0, 40.0), None, None, kept)
    assert wire == {
        "b": {"path": [[130.0, 40.0]], "facing": 90.0, "level": 1},
        "a": {"path": [[100.0, 40.0]], "facing": 0.0},
    }
    assert list(wire) == ["b", "a"]


@pytest.mark.parametrize("edge", [111.0, 95.5, 47.3])
def test_the_body_stops_where_its_first_may_go_no_further(edge: float) -> None:
    """Within a few thousandths of the way, not at some sixteenth of it."""
    wire = bodies.carry(question(edge), STANDS, "a", (100.0, 0.0), None, None, kept)
    assert wire is not None
    stop = wire["b"]["path"][0][0]
    assert edge - 0.5 <= stop <= edge


def test_nowhere_to_go() -> None:
    assert bodies.carry(question(-50), STANDS, "a", (100.0, 0.0), None, None, kept) is None
    assert bodies.carry(question(1000), STANDS, "c", (100.0, 0.0), None, None, kept) is None


def test_levels_are_what_is_under_them() -> None:
    wire = bodies.carry(question(1000), STANDS, "a", (10.0, 0.0), 45.0, 2, flat)
    assert wire == {name: {"path": [[at.x + 10.0, 0.0]], "facing": 45.0} for name, at in reversed(STANDS.items())}
    wished = bodies.carry(question(1000), STANDS, "a", (10.0, 0.0), None, 2, kept)
    assert wished is not None
    assert {name: way["level"] for name, way in wished.items()} == {"a": 2, "b": 2}


def test_a_placement_half_made_is_carried_on() -> None:
    tracks = {"a": Track(((5.0, 5.0), (10.0, 20.0)), None, 1)}
    assert bodies.ends(tracks, STANDS) == {"a": Pose(10.0, 20.0, 0.0, 1), "b": STANDS["b"]}
    assert bodies.ends({"c": Track(())}, STANDS) == STANDS
    assert bodies.ends({"b": Track((), 10.0, 1)}, STANDS)["b"] == Pose(30.0, 0.0, 10.0, 1)

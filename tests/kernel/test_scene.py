"""The drawable description of a battle: its parts, what a view alone can draw, and what both games draw."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from grognard.kernel.geometry.base import Pose, oval_base, rect_base, round_base
from grognard.kernel.geometry.terrain import Piece, rectangle
from grognard.kernel.screen import scene as draw
from grognard.kernel.screen.sketch import from_view

VIEW: dict[str, Any] = {
    "table": {"width": 300.0, "height": 200.0},
    "turn": 2,
    "phase": "march",
    "acting": "red",
    "terrain": [{"id": "wood-1", "kind": "wood", "sight": "area", "points": [[0, 0], [9, 0], [9, 9]]}],
    "models": {
        "a.1": {"side": "red", "unit": "a", "pose": {"x": 10.0, "y": 20.0, "facing": 90.0}, "base": 30.0},
        "a.2": {"side": "red", "unit": "a", "pose": None, "base": 30.0},
        "b": {"side": "blue", "unit": "b", "pose": {"x": 5.0, "y": 5.0, "facing": 0.0, "level": 1}, "base": 40.0},
    },
    "markers": [
        {"id": "m1", "x": 1.0, "y": 2.0, "bearer": "b"},
        {"id": "m2", "x": 1.0, "y": 2.0, "destroyed": True},
    ],
}
NAMES = {"red": "Red", "blue": "Blue", "a": "archers", "a.1": "archers 1", "wood-1": "wood 1"}


def drawn() -> draw.Scene:
    return from_view(VIEW, NAMES, ("red", "blue"), unit="inch", unit_mm=25.4, phases=("bid", "march"))


def test_a_view_is_enough_to_draw() -> None:
    scene = drawn()
    assert scene.table == draw.Board(300.0, 200.0, "inch", 25.4)
    assert [(s.id, s.name, s.colour) for s in scene.sides] == [("red", "Red", 0), ("blue", "Blue", 1)]
    assert [(step.code, step.now) for step in scene.clock.phases] == [("bid", False), ("march", True)]
    assert scene.clock.acting == "red" and scene.clock.turn == 2
    one, two, three = scene.models
    assert one.pose == draw.Stand(10.0, 20.0, 90.0) and one.name == "archers 1" and one.base.width == 30.0
    assert two.pose is None
    assert three.pose is not None and three.pose.level == 1
    assert [(unit.id, unit.side, unit.models) for unit in scene.units] == [
        ("a", "red", ("a.1", "a.2")),
        ("b", "blue", ("b",)),
    ]
    assert [(token.id, token.bearer) for token in scene.tokens] == [("m1", "b")]
    assert scene.terrain[0].name == "wood 1" and scene.terrain[0].sight == "area"


def test_an_empty_view_draws_the_bare_table() -> None:
    scene = from_view({}, {}, ("red",), unit="cm", unit_mm=10.0, table=(120.0, 80.0))
    assert (scene.table.width, scene.table.height) == (120.0, 80.0)
    assert scene.models == () and scene.clock.phases == ()


def test_scenes_travel_and_wrong_ones_are_told() -> None:
    wire = msgspec.json.decode(msgspec.json.encode(drawn().plain()))
    assert draw.read(wire) == drawn()
    wire["models"][0]["base"]["shape"] = "star"
    with pytest.raises(msgspec.ValidationError, match="shape"):
        draw.read(wire)


def test_class_travels_under_its_own_name() -> None:
    piece = Piece("w", "wood", rectangle(0, 0, 10, 10), 5.0, "area", ("difficult",))
    shown = msgspec.to_builtins(draw.terrain(piece, "wood", "difficult", (3.0,)))
    assert shown["class"] == "difficult" and shown["levels"] == (3.0,) and shown["height"] == 5.0


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        (round_base(32), draw.Foot("circle", 32, 32)),
        (oval_base(60, 35), draw.Foot("oval", 60, 35)),
        (rect_base(25, 50), draw.Foot("rectangle", 25, 50)),
    ],
)
def test_bases(base: Any, shown: draw.Foot) -> None:
    assert draw.foot(base) == shown


def test_states_are_those_that_hold() -> None:
    assert draw.states(moved=True, fell_back="yes", fleeing=0) == (draw.said("moved"), draw.said("fell-back"))
    assert draw.said("spell", "toy:1", spell="Fog") == draw.Said("spell", "state.spell", {"spell": "Fog"}, "toy:1")


def test_zones() -> None:
    zone = draw.box("z", "deployment", (0.0, 10.0, 20.0, 5.0), "red")
    assert zone.points == ((0, 10), (20, 10), (20, 15), (0, 15)) and zone.data == {"side": "red"}
    ring = draw.disc("o", "objective", 5.0, 5.0, 3.0)
    assert ring.circle == draw.Circle(5.0, 5.0, 3.0) and ring.side is None and ring.data == {}
    assert all(math.isclose(math.dist(point, (5, 5)), 3.0, abs_tol=0.01) for point in ring.points)


def test_a_phase_out_of_the_list_is_shown_too() -> None:
    assert [step.code for step in draw.clock(1, "over", ("bid",)).phases] == ["bid", "over"]
    assert draw.clock(0, "", ("bid",)).phases == (draw.Step("bid", "phase.bid"),)


def test_cards_are_keyed_by_name_and_told_apart() -> None:
    class Sheet(msgspec.Struct, frozen=True):
        name: str
        cost: int

    one, two = Sheet("Guard", 5), Sheet("Guard", 6)
    assert draw.keyed([one, two, one], lambda sheet: sheet.name) == {one: "Guard", two: "Guard (2)"}
    assert draw.cells(one, ("name", "cost")) == (draw.Cell("stat.name", "Guard"), draw.Cell("stat.cost", "5"))
    assert draw.grid("arms", [], ("name",)) == ()
    assert draw.grid("arms", [two], ("cost",)) == (draw.Grid("grid.arms", ("stat.cost",), (("6",),)),)


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "-"), ((), "-"), (6.0, "6"), (2.5, "2.5"), (True, "x"), (("a", "b"), "a, b"), (0, "0")]
)
def test_printed(value: Any, shown: str) -> None:
    assert draw.printed(value) == shown


def test_stand_keeps_the_level() -> None:
    assert draw.stand(Pose(1.0, 2.0, 3.0, 1)) == draw.Stand(1.0, 2.0, 3.0, 1)

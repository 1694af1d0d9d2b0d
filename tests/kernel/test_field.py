"""Battles of models in units, judges of their placements, and what views and states of them have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import pytest

from grognard.kernel.errors import BadInput, Refusal, Refused
from grognard.kernel.geometry.base import Pose, round_base
from grognard.kernel.geometry.moving import ways
from grognard.kernel.geometry.terrain import Piece, Table, rectangle
from grognard.kernel.placing.judges import SpotJudge, TrackJudge, pose, poses, standing
from grognard.kernel.placing.tracks import Track
from grognard.kernel.state import field, views


class Model(field.Model):
    def __init__(self, model_id: str, seat: str, unit: str, body: int) -> None:
        super().__init__(model_id, seat, unit, body, on_table=False)
        self.wounds = 2


class Battle(field.Field[Model, field.Unit, field.Side]):
    __slots__ = ("plans", "turn")

    def __init__(self) -> None:
        super().__init__(
            ("red", "blue"),
            Table(500.0, 400.0, (Piece("wood-1", "wood", rectangle(0, 0, 50, 50)),)),
            {},
            "duel",
            "start",
        )
        self.turn = 1
        self.plans: dict[str, int] = {"red": 1}

    def copy(self) -> Self:
        twin = super().copy()
        twin.plans = dict(self.plans)
        return twin


def battle() -> Battle:
    made = Battle()
    for seat in made.seats:
        made.enlist(field.Side(seat, seat.capitalize()))
    rows = made.embody([round_base(30.0)] * 3)
    ids = ["red.guard.1", "red.guard.2", "red.guard.3"]
    guard = [Model(key, "red", "red.guard", row) for key, row in zip(ids, rows, strict=True)]
    made.muster(field.Unit("red.guard", "red", "guard", tuple(ids)), guard)
    (row,) = made.embody([round_base(40.0)], [Pose(200.0, 200.0, 90.0, 1)], [25.0])
    hero = Model("hero", "blue", "hero", row)
    hero.on_table = True
    made.muster(field.Unit("hero", "blue", "hero", ("hero",)), [hero])
    return made


def test_models_off_and_on_the_table() -> None:
    field_ = battle()
    assert [m.id for m in field_.on_table()] == ["hero"] and list(field_.on_table("red")) == []
    guard = field_.model("red.guard.1")
    assert not field_.bodies.is_present(guard.body)
    field_.put(guard, Pose(10.0, 20.0))
    assert field_.pose(guard) == Pose(10.0, 20.0) and [m.id for m in field_.on_table("red")] == ["red.guard.1"]
    field_.lift(guard)
    assert not guard.on_table and not field_.bodies.is_present(guard.body)
    assert field_.unit_of(guard).id == "red.guard" and len(field_.members(field_.unit_of(guard))) == 3
    assert field_.base(field_.model("hero")).width == 40.0


def test_copies_go_their_own_way() -> None:
    one = battle()
    two = one.copy()
    two.put(two.model("red.guard.1"), Pose(1.0, 1.0))
    two.model("hero").wounds = 0
    two.units["red.guard"].models = ()
    two.plans["red"] = 2
    two.turn, two.phase = 5, "end"
    two.tell("x", "toy:1")
    assert one.model("hero").wounds == 2 and one.units["red.guard"].models and one.plans == {"red": 1}
    assert not one.bodies.is_present(one.model("red.guard.1").body)
    assert (one.turn, one.phase, one.events) == (1, "start", [])
    assert two.table is one.table and type(two) is Battle


def test_what_does_not_fit_together_is_told() -> None:
    field_ = battle()
    assert list(field.disagreements(field_)) == []
    field_.model("red.guard.1").on_table = True
    field_.units["hero"].models = ("hero", "red.guard.2")
    field_.units["red.guard"].models = ("red.guard.2", "ghost")
    assert list(field.disagreements(field_)) == [
        "red.guard: ghost does not belong to it",
        "hero: red.guard.2 does not belong to it",
        "red.guard.2: is in red.guard and in hero",
        "red.guard.1: is on the table as a model or as a base, not as both",
        "red.guard.1: is on the table in no unit",
    ]


def test_names_poses_and_terrain() -> None:
    field_ = battle()
    names = views.names(field_, {"m1": "objective 1"})
    assert names["red"] == "Red" and names["red.guard"] == "guard" and names["red.guard.2"] == "guard 2"
    assert names["hero"] == "hero" and names["m1"] == "objective 1" and names["wood-1"] == "wood 1"
    assert views.pose(field_, field_.model("hero")) == {"x": 200.0, "y": 200.0, "facing": 90.0, "level": 1}
    assert views.pose(field_, field_.model("red.guard.1")) is None
    assert views.terrain(field_.table.pieces[0], spells=1)["spells"] == 1
    assert views.table(field_) == {"width": 500.0, "height": 400.0}
    assert views.plain({"a": (Refusal("c", "r"),)}) == {"a": [{"code": "c", "rule": "r", "data": {}, "also": []}]}


def test_states_by_id() -> None:
    field_ = battle()

    def state(thing: str) -> dict[str, Any]:
        return views.state(
            field_, thing, whole=lambda b: {"turn": b.turn}, unit=lambda b, u: {"strength": len(u.models)},
            model=lambda b, m: views.facts(m, ("wounds",)), side=lambda b, s: {"name": s.name},
            others=((lambda b, p: {"kind": p.kind}, field_.table.pieces),),
        )  # fmt: skip

    assert state("battle") == {"turn": 1} and state("red") == {"name": "Red"} and state("wood-1") == {"kind": "wood"}
    assert state("hero") == {"strength": 1, "wounds": 2} and state("red.guard.1") == {"wounds": 2}
    with pytest.raises(BadInput, match="there is no ghost here; there are battle, red, blue"):
        state("ghost")


# ---------------------------------------------------------------------- judges


class Near(TrackJudge[dict[str, Track]]):
    """Nobody goes further right than 100."""

    def __init__(self) -> None:
        super().__init__(("a", "b"), "toy:1")
        self.asked = 0

    def judged(self, tracks: Mapping[str, Track]) -> dict[str, Track]:
        self.asked += 1
        if any(x > 100 for track in tracks.values() for x, _ in track.path):
            raise Refused(Refusal("refuse.far", "toy:2"))
        return dict(tracks)

    def proposals(self) -> Sequence[str]:
        return ["nowhere", "far", "near"]

    def suggest(self, name: str) -> Mapping[str, Track] | None:
        return {"near": {"a": Track(((50.0, 0.0),), 90.0)}, "far": {"a": Track(((200.0, 0.0),))}}.get(name)


def test_judges_read_remember_and_propose_only_what_is_legal() -> None:
    judge = Near()
    assert judge.possible() == "near" and judge.propose("far") is None and judge.propose("nowhere") is None
    wire = judge.propose("near")
    assert wire == {"a": {"path": [[50.0, 0.0]], "facing": 90.0}}
    asked = judge.asked
    assert judge.decode(wire) == {"a": Track(((50.0, 0.0),), 90.0)} and judge.propose("near") is wire
    assert judge.asked == asked, "what was found legal is not judged again"
    assert judge.encode({"b": [1, 2]}) == {"b": {"path": [[1.0, 2.0]]}}
    for wrong, code in ({"c": [1, 2]}, "refuse.bad-placement"), ({"b": [101, 2]}, "refuse.far"):
        with pytest.raises(Refused) as refused:
            judge.decode(wrong)
        assert refused.value.refusal.code == code


def test_spots() -> None:
    off = Refusal("refuse.off", "toy:3")
    spots = {"in": Pose(5.0, 5.0, 45.0), "out": Pose(50.0, 5.0)}
    judge = SpotJudge("m1", lambda at: off if at.x > 10 else None, spots, "toy:1", facing=30.0)
    assert judge.decode({"m1": [1, 2]}) == Pose(1.0, 2.0, 30.0)
    assert judge.encode({"m1": [1, 2]}) == {"m1": {"path": [[1.0, 2.0]], "facing": 30.0}}
    assert judge.possible() == "in" and judge.propose("out") is None
    for wrong in ({}, {"m1": [[1, 2], [3, 4]]}, {"m1": [50, 0]}):
        with pytest.raises(Refused):
            judge.decode(wrong)


def test_everyone_must_stand_somewhere() -> None:
    tracks = {"a": Track(((1.0, 2.0),)), "b": Track(((3.0, 4.0),), 90.0, 1)}
    assert poses(tracks, ("a", "b"), "toy:1", 45.0) == {"a": Pose(1.0, 2.0, 45.0), "b": Pose(3.0, 4.0, 90.0, 1)}
    assert standing({"b": pose(tracks["b"])}) == {"b": tracks["b"]}
    with pytest.raises(Refused) as refused:
        poses(tracks, ("a", "c"), "toy:1")
    assert "c must stand somewhere" in refused.value.refusal.data["problem"]


def test_ways() -> None:
    path = [(0.0, 0.0), (3.0, 4.0), (3.0, 10.0)]
    assert ways.length(path) == 11.0 and ways.length(path[:1]) == 0.0
    assert ways.upto(path, 8.0) == [(0.0, 0.0), (3.0, 4.0), (3.0, 7.0)] and ways.upto(path, 99.0) == path
    assert (
        ways.to_leg((0.0, 5.0), (0.0, 0.0), (0.0, 3.0)) == 2.0
        and ways.to_leg((3.0, 4.0), (0.0, 0.0), (0.0, 0.0)) == 5.0
    )
    assert ways.to_path((6.0, 7.0), path) == 3.0 and ways.to_path((3.0, 4.0), path[:1]) == 5.0

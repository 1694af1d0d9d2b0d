"""Blocks carried by hand: one that was turned is turned, and what it had gone it still goes."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.kernel.formation.preview import Carried, Paced, Resumed
from grognard.kernel.geometry.units import inches
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place

SPEARS = {"side": "red", "profile": "League Spears", "models": 25, "front": [30, 10], "files": 5}
DEAD = {"side": "blue", "profile": "Barrow Dead", "models": 20, "at": [30, 40], "files": 5}
MEN = {"side": "red", "creature": "Human", "count": 10, "at": [20, 10]}
FOE = {"side": "blue", "creature": "Human", "count": 10, "at": [20, 40]}
GIVEN: dict[str, dict[str, Any]] = {
    "t9a": {"turn": 2, "active": "red", "phase": "movement", "stage": 3, "units": {"spears": SPEARS, "foe": DEAD}},
    "wfb3": {"units": {"men": MEN, "foe": FOE}},
}
ANSWERS = {"t9a": ("spears", "march"), "wfb3": (None, "men", "move")}


def asked(game: str) -> Place:
    """Where a block is to go."""
    match = Match(RULESETS[game], {"given": GIVEN[game]}, dice=Seeded(1))
    for answer in ANSWERS[game]:
        match.answer(answer)
    question = match.question()
    assert isinstance(question, Place)
    return question


@pytest.mark.parametrize("game", list(GIVEN))
@pytest.mark.parametrize("gone", [0.0, 2.0])
def test_a_block_is_turned_where_it_stands(game: str, gone: float) -> None:
    question = asked(game)
    assert isinstance(question.judge, Carried)
    start = question.judge.stages({"steps": []})[0]
    to = (start.centre[0], start.centre[1] + inches(gone))
    for facing in (15.0, 30.0, 345.0):
        wire = question.judge.carry(to, facing)
        question.judge.decode(wire)
        end = question.judge.stages(wire)[-1]
        assert end.facing == pytest.approx(facing, abs=0.01)
        assert end.centre[1] - start.centre[1] > inches(gone) * 0.8
        assert isinstance(question.judge, Paced) and inches(gone) * 0.8 < question.judge.spent(wire)


@pytest.mark.parametrize("game", list(GIVEN))
def test_a_block_turned_again_and_back_makes_one_wheel(game: str) -> None:
    judge = asked(game).judge
    assert isinstance(judge, Carried) and isinstance(judge, Resumed)
    x, y = judge.stages({"steps": []})[0].centre
    wire = judge.carry((x, y + inches(1)), None)
    for facing in (15.0, 30.0, 20.0):
        wire = judge.carry_on(wire, judge.stages(wire)[-1].centre, facing)
        judge.decode(wire)
        assert [next(iter(step)) for step in wire["steps"]] == ["forward", "wheel"]
        assert judge.stages(wire)[-1].facing == pytest.approx(facing, abs=0.01)
    wire = judge.carry_on(wire, judge.stages(wire)[-1].centre, 0.0)
    assert wire["steps"] == [{"forward": pytest.approx(inches(1), abs=0.01)}]

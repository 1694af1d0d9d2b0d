"""Things that are no models and yet have a shape: machines pushed and pieces of terrain set down, as they are drawn."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.wfb3.machines import machine_moves
from grognard.games.wfb3.setup import generator
from grognard.kernel.geometry.base import Pose
from grognard.kernel.match.match import Match
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Place
from grognard.server.playing.telling import names_of, question_plain
from tests.wfb3.test_table import RULES, cannon

SLIP = (1, 1, "walled-house")


def drawn(judge: Any, mover: str, wire: Any) -> dict[str, Any]:
    gun = cannon()
    question = Place("red", "where", (mover,), judge, rule="wfb3:19.6-move")
    shown = RULES.tools.ghosts(RULES.scene(gun.battle, "red"), question, wire)
    assert shown is not None
    return dict(shown[mover])


def test_a_machine_shows_where_it_would_stand_and_which_way() -> None:
    gun = cannon()
    haul = machine_moves.HaulJudge(gun.battle, gun.machine, 3)
    wire = haul.carry((gun.machine.x, gun.machine.y + 50.0), 90.0)
    ghost = drawn(haul, gun.machine.id, wire)
    body, barrel = ghost["traces"]
    wide, deep = gun.machine.base
    xs, ys = zip(*body["points"], strict=True)
    assert body["closed"] and not barrel["closed"] and ghost["facing"] == 90.0
    assert max(xs) - min(xs) == pytest.approx(deep) and max(ys) - min(ys) == pytest.approx(wide)
    assert barrel["points"][1][0] == pytest.approx(gun.machine.x + deep / 2)


def test_a_piece_of_terrain_shows_all_it_is_made_of_and_turns() -> None:
    judge = SpotJudge(
        "piece", lambda pose: None, {"middle": Pose(500.0, 500.0, 0.0)}, "wfb3:2.3-placing",
        shape=lambda pose: [piece.points for piece in generator.made(SLIP, pose)],
    )  # fmt: skip
    one, other = (drawn(judge, "piece", {"piece": {"path": [[500, 500]], "facing": turn}}) for turn in (0, 90))
    assert len(one["traces"]) == len(generator.made(SLIP, Pose(0.0, 0.0, 0.0))) > 1
    assert (one["facing"], other["facing"]) == (0.0, 90.0) and one["traces"] != other["traces"]
    assert one["path"] == [[500.0, 500.0]], "it can be turned and pulled on as it is written"


def test_a_page_is_told_what_turns() -> None:
    gun = cannon()
    match = Match(RULES, RULES.default_setup())
    haul = machine_moves.HaulJudge(gun.battle, gun.machine, 3)
    spot = SpotJudge("point", lambda pose: None, {}, "wfb3:19.6-move")
    asked = [
        question_plain(RULES, Place("red", "where", ("x",), judge, rule="wfb3:19.6-move"), names_of(match))
        for judge in (haul, spot)
    ]
    assert [(one["turns"], one["block"]) for one in asked] == [(True, True), (False, False)]

"""Units carried by hand: formations, floors and hills, charges."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.fight.pile_in import PileJudge
from grognard.games.wh40k.movement import transports
from grognard.games.wh40k.movement.moves import MoveJudge
from grognard.games.wh40k.screen.tools import Wh40kTools
from grognard.games.wh40k.table.placing import SetUpJudge
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import inches
from grognard.kernel.placing.judges import Measured
from grognard.kernel.questions import Place
from tests.wh40k.field import RULES, battle
from tests.wh40k.test_placements import QUARTER, move, scene, wardens

TOOLS = Wh40kTools()


def few(datasheet: str, at: tuple[float, float]) -> Battle:
    """A small unit among ruins, a statue and a hill, with enemies far away."""
    claw = {"side": "red", "datasheet": datasheet, "at": list(at)}
    return battle({"claw": claw, "foe": wardens(5, (50, 40))}, phase="movement", terrain=QUARTER)


def asked(judge: MoveJudge | SetUpJudge) -> Place:
    return Place("red", "move", judge.moving, judge, rule=judge.rule)


def body(there: Battle, question: Place, to: tuple[float, float], **more: Any) -> Any:
    spot = inches(to[0]), inches(to[1])
    return TOOLS.body(there, RULES.scene(there, "red"), question, question.movers[0], spot, None, **more)


def left_over(wire: Any, mover: str, to: tuple[float, float]) -> float:
    x, y = wire[mover]["path"][-1]
    return math.hypot(x - inches(to[0]), y - inches(to[1])) / inches(1)


def test_a_unit_goes_as_far_as_it_may_in_its_formation() -> None:
    there = scene(10, (10, 6), {"foe": wardens(5, (50, 40))})
    question = asked(move(there, 6))
    first = there.pose(there.models[question.movers[0]])
    to = first.x / inches(1), first.y / inches(1) + 9
    wire = body(there, question, to)
    assert question.refusal(wire) is None
    assert left_over(wire, question.movers[0], to) == pytest.approx(3, abs=0.05)


def test_a_unit_goes_round_what_is_in_the_way() -> None:
    """The formation would stop before the statue; gathered anew it passes."""
    there = scene(10, (20, 12), {"foe": wardens(5, (50, 40))}, terrain=QUARTER)
    question = asked(move(there, 8))
    to = (22.5, 20.5)
    wire = body(there, question, to)
    assert question.refusal(wire) is None
    assert left_over(wire, question.movers[0], to) < 2


def test_on_a_floor_one_stays_and_off_it_one_comes_down() -> None:
    there = few("Brood Alpha", (28, 18))
    mover = there.members(there.units["claw"])[0]
    there.put(mover, Pose(inches(28), inches(18), 0.0, 2))
    question = asked(move(there, 9))
    kept = body(there, question, (30, 19))
    assert kept[mover.id]["level"] == 2 and question.refusal(kept) is None
    off = body(there, question, (30, 14))
    assert "level" not in off[mover.id]
    assert question.refusal(off) is None
    assert isinstance(question.judge, Measured)
    assert question.judge.lengths(off)[mover.id] > math.dist((28, 18), off[mover.id]["path"][-1]) / inches(1)
    assert TOOLS.levels(question) == (0, 1, 2)


def test_a_wished_floor_is_climbed_to() -> None:
    there = few("Stalkers", (28, 13))
    question = asked(move(there, 12))
    wire = body(there, question, (29, 18), level=1)
    assert question.refusal(wire) is None
    assert [way.get("level", 0) for way in wire.values()] == [1] * 5


def test_on_a_hill_nobody_needs_to_be_told_to_stand_on_top() -> None:
    there = few("Brood Alpha", (9, 16))
    question = asked(move(there, 12))
    wire = body(there, question, (9, 23))
    assert wire[question.movers[0]]["level"] == 1 and question.refusal(wire) is None


def test_set_up_by_hand_in_rows_or_crowded_where_rows_do_not_fit() -> None:
    there = scene(10, (10, 6), {"foe": wardens(5, (50, 40))}, terrain=QUARTER)
    unit = there.units["claw"]
    judge = SetUpJudge(there, unit, "wh40k:1.6.4-setup", lambda model, pose: None, {})
    question = asked(judge)
    rows = body(there, question, (12, 10))
    assert question.refusal(rows) is None
    assert len({way["path"][0][1] for way in rows.values()}) == 2
    crowd = body(there, question, (22.5, 15.6))
    assert question.refusal(crowd) is None
    up = body(there, question, (30, 19), level=2)
    assert question.refusal(up) is None
    assert {way["level"] for way in up.values()} == {2}


@pytest.mark.parametrize("turn", range(6))
def test_whoever_gets_out_crowds_round_the_hull(turn: int) -> None:
    """wh40k:5.5.1-disembark  Eleven find room wholly within 3 inches on whatever side of it they are set down."""
    units = {
        "hull": {"side": "red", "datasheet": "Bastion Carrier", "at": [20, 20]},
        "claw": {**wardens(10, (30, 30)), "side": "red"},
        "lord": {"side": "red", "datasheet": "Marshal", "at": [30, 34], "leads": "claw"},
    }
    fence = {"id": "fence", "kind": "barricade", "at": [17, 17], "size": [6, 0.6], "height": 1}
    there = battle(units, phase="movement", terrain=[fence])
    question = asked(transports.judge_near(there, there.units["claw"], there.units["hull"], inches(3)))
    around = math.radians(60 * turn)
    wire = body(there, question, (20 + 3.5 * math.cos(around), 20 + 3.5 * math.sin(around)))
    assert wire is not None and question.refusal(wire) is None


def test_among_friends_a_unit_that_is_set_up_stays_together() -> None:
    """wh40k:1.6.4-setup  The nearest free places lie on both sides of a crowd: it stands on one."""
    crowd = {
        "side": "red",
        "datasheet": "Clawkin",
        "models": {"Clawkin": 20},
        "at": [10, 3],
        "columns": 10,
        "step": [1.15, 1.15],
    }
    there = battle({"claw": {"side": "red", "datasheet": "Mortar Crew", "at": [30, 30]}, "crowd": crowd})
    judge = SetUpJudge(there, there.units["claw"], "wh40k:1.6.4-setup", lambda model, pose: None, {})
    question = asked(judge)
    for along in range(9, 22):
        wire = body(there, question, (along, 3.6))
        assert wire is not None and question.refusal(wire) is None, along


@pytest.mark.parametrize("seed", range(4))
def test_whichever_way_it_is_pulled_a_unit_piles_in(seed: int) -> None:
    """wh40k:10.7.2-pile-in-conditions  Where the way of the hand leaves a duty undone, another is gone."""
    rng = Random(seed)
    there = scene(10, (rng.uniform(17, 20), 11.5), {"foe": wardens(5, (20, 16.2))}, seed, phase="fight")
    judge = PileJudge(there, there.units["claw"], "pile-in")
    assert judge.propose("close") is not None
    question = asked(judge)
    for mover in rng.sample(question.movers, 2):
        at = there.pose(there.models[mover])
        to = at.x + rng.uniform(-60, 60), at.y + rng.uniform(-10, 70)
        wire = TOOLS.body(there, RULES.scene(there, "red"), question, mover, to, None)
        assert wire is not None and question.refusal(wire) is None

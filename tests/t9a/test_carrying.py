"""Units of the Ninth Age pulled by hand: as far as they may go, why they may not, and in how many files."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.cases import given as cases
from grognard.games.t9a.charge.overtaking import OvertakeJudge
from grognard.games.t9a.melee.combat_reform import CombatReformJudge
from grognard.games.t9a.movement.moves import MoveJudge
from grognard.games.t9a.ruleset import T9a
from grognard.games.t9a.units.placing import SpotJudge
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview
from grognard.kernel.formation.preview import Filed
from grognard.kernel.geometry.units import inches
from grognard.kernel.match.dice import Scripted
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place


def swords(front: list[float], side: str = "red", **more: Any) -> dict[str, Any]:
    return {"side": side, "profile": "City Swords", "models": 20, "files": 5, "front": front, **more}


def pulled(battle: Battle, kind: str, right: float, ahead: float) -> tuple[float, float, Refusal | None]:
    """How far to the right and ahead the reds are brought by pulling them so many inches, and what forbids it."""
    unit = battle.units["reds"]
    judge = MoveJudge(battle, unit, kind, inches(4 if kind == "advance" else 8))
    x, y = battle.block(unit).centre
    wire = judge.carry((x + inches(right), y + inches(ahead)), None)
    end = judge.stages(wire)[-1].centre
    try:
        judge.decode(wire)
    except Refused as refused:
        return (end[0] - x) / inches(1), (end[1] - y) / inches(1), refused.refusal
    return (end[0] - x) / inches(1), (end[1] - y) / inches(1), None


def field(gap: float) -> Battle:
    """Reds five abreast (100 mm) and a unit of theirs so many inches to their right."""
    units = {
        "reds": swords([30, 20]),
        "near": swords([30 + 100 / 25.4 + gap, 20]),
        "foe": swords([10, 40], "blue", facing=180),
    }
    return cases.create({"phase": "movement", "stage": 3, "units": units}, {})


def test_pulled_at_a_neighbour_a_unit_goes_as_far_as_it_may_stand() -> None:
    right, ahead, refusal = pulled(field(1.5), "advance", 2.0, 0.0)
    assert refusal is None and right == pytest.approx(0.5, abs=0.02) and ahead == 0.0


def test_where_it_cannot_go_at_all_it_is_told_why() -> None:
    right, _, refusal = pulled(field(1.0), "advance", 2.0, 0.0)
    assert right == pytest.approx(2.0)
    assert refusal is not None and refusal.rule == "t9a:4.C-advance" and refusal.data["other"] == "near"
    right, _, refusal = pulled(field(9.0), "march", 2.0, 0.0)
    assert right == pytest.approx(2.0)
    assert refusal is not None and refusal.rule == "t9a:12.D.c"


def test_pulled_again_a_unit_goes_on_from_there() -> None:
    """Straight on past a neighbour, then a wheel towards the hand; pulled back it goes less far."""
    battle = field(9.0)
    judge = MoveJudge(battle, battle.units["reds"], "march", inches(8))
    x, y = battle.block(battle.units["reds"]).centre
    kept = judge.carry((x, y + inches(2)), None)
    on = judge.carry_on(kept, (x + inches(2), y + inches(4)), None)
    judge.decode(on)
    assert on["steps"][0] == kept["steps"][0] and "wheel" in on["steps"][1]
    far = judge.carry_on(kept, (x + inches(9), y + inches(9)), None)
    judge.decode(far)
    assert far["steps"][0] == kept["steps"][0] and "wheel" in far["steps"][1] and judge.spent(far) > inches(7.9)
    back = judge.carry_on(kept, (x, y + inches(1)), None)
    assert back == {"steps": [{"forward": pytest.approx(inches(1), abs=0.01)}]}
    assert judge.carry_on(on, (x, y + inches(1)), None) == {"steps": [{"forward": pytest.approx(inches(1), abs=0.01)}]}


def test_a_unit_that_has_gone_all_its_way_still_follows_the_hand() -> None:
    battle = field(9.0)
    judge = MoveJudge(battle, battle.units["reds"], "march", inches(8))
    x, y = battle.block(battle.units["reds"]).centre
    kept = judge.carry((x, y + inches(9)), None)
    wire = judge.carry_on(kept, (x - inches(3), y + inches(7)), None)
    judge.decode(wire)
    assert "wheel" in wire["steps"][0] and judge.stages(wire)[-1].centre[0] < x - inches(2)


def test_side_steps_add_up() -> None:
    battle = field(9.0)
    judge = MoveJudge(battle, battle.units["reds"], "advance", inches(4))
    x, y = battle.block(battle.units["reds"]).centre
    wire = {"steps": [{"right": inches(1)}]}
    for right in (1.5, 4.0):
        wire = judge.carry_on(wire, (x + inches(right), y), None)
        judge.decode(wire)
        assert wire == {"steps": [{"right": pytest.approx(inches(min(right, 2.0)), abs=0.5)}]}


def test_files_are_the_players_to_choose_where_a_unit_is_set_up_or_reformed() -> None:
    battle = field(9.0)
    unit = battle.units["reds"]
    reform, pivot = ReformJudge(battle, unit, inches(20)), ReformJudge(battle, unit, inches(20), pivot_only=True)
    spot = SpotJudge(battle, unit, "t9a:10.C", lambda block: None, dict)
    assert all(isinstance(judge, Filed) for judge in (reform, pivot, spot))
    assert reform.file_counts() == spot.file_counts() == tuple(range(1, 21)) and pivot.file_counts() == (5,)
    middle = battle.block(unit).centre
    for judge in (reform, spot):
        made = judge.decode(judge.carry(middle, None, 10))
        assert (made.files, made.ranks) == (10, 2) and made.centre == pytest.approx(middle)
        assert judge.decode(judge.carry(middle, None)).files == 5


def test_files_in_a_combat_reform_keep_the_unit_in_contact() -> None:
    units = {"reds": swords([30, 20]), "foe": swords([30, 20], "blue", facing=180)}
    battle = cases.create({"phase": "melee", "units": units, "engaged": [["reds", "foe"]]}, {})
    judge = CombatReformJudge(battle, battle.units["reds"], {})
    at = judge.stages({"files": 10})[-1]
    assert judge.stages(judge.carry(battle.block(battle.units["reds"]).front, None, 10))[-1].centre == at.centre
    assert at.files == 10 and 10 in judge.file_counts()


def overtaking() -> OvertakeJudge:
    """Reds who have the blues within reach, fleeing before them."""
    units = {"reds": swords([30, 20]), "foe": swords([30, 28], "blue", facing=0, fleeing=True)}
    match = Match(T9a(), {"given": {"phase": "charge", "units": units}}, dice=Scripted([1, 1, 6, 6]))
    while match.question().name != "charge.move":
        answer = "reds>foe" if match.question().name == "charge.declare" and not match.answers else None
        match.answer(answer, match.question().seat)
    question = match.question()
    assert isinstance(question, Place) and isinstance(question.judge, OvertakeJudge)
    return question.judge


def reached(judge: OvertakeJudge, wheels: range, firsts: range) -> list[tuple[float, float]]:
    """Where legal moves of all these wheels and first stretches end."""
    found = []
    for turn, first in product(wheels, firsts):
        wheel = {"wheel": "left" if turn < 0 else "right", "angle": abs(turn)}
        wire = {"steps": [{"forward": first}, wheel, {"forward": 400}]}
        if preview.legal(judge, wire):
            found.append(judge.stages(wire)[-1].centre)
    return found


def test_whoever_runs_a_fleeing_unit_down_goes_where_the_hand_is() -> None:
    judge = overtaking()
    x, y = judge.stages(judge.propose("best"))[-1].centre
    every = reached(judge, range(-90, 91, 3), range(0, 200, 9))
    assert len(every) > 100
    for aside, back in ((-60, 4), (-23.7, 8), (0, 0), (5.2, 3), (30, 12), (60, 20), (90, 60), (40, -50)):
        hand = x + aside, y - back
        wire = judge.carry(hand, None)
        judge.decode(wire)
        assert math.dist(judge.stages(wire)[-1].centre, hand) < min(math.dist(end, hand) for end in every) + 2.0


def test_exactly_there_where_contact_can_be() -> None:
    judge = overtaking()
    for turn, first in ((-31.3, 20.0), (7.7, 0.0), (22.2, 70.0)):
        wheel = {"wheel": "left" if turn < 0 else "right", "angle": abs(turn)}
        wire = {"steps": [{"forward": first}, wheel, {"forward": 400}]}
        judge.decode(wire)
        hand = judge.stages(wire)[-1]
        for facing in (None, hand.facing):
            assert judge.stages(judge.carry(hand.centre, facing))[-1].centre == pytest.approx(hand.centre, abs=0.1)


def test_contact_ends_a_charge_before_it_wheels_through_its_target() -> None:
    judge = overtaking()
    through = {"steps": [{"forward": inches(9)}, {"wheel": "left", "angle": 20}, {"forward": 1}]}
    with pytest.raises(Refused, match="way"):
        judge.decode(through)

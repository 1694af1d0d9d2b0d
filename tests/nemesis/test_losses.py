"""nemesis:18, 20, 21, 22  Losses, courage, fear and disengaging, on tiny battles set up by hand."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.nemesis.disengage import disengage, disengage_moves
from grognard.games.nemesis.forces import Order, Unit
from grognard.games.nemesis.losses import casualties, courage
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.table import engagements
from grognard.kernel.errors import Refused
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Question, Roll
from tests.nemesis.field import CAPTAIN, HALBERDIER, SKELETON, Field, play

# ---------------------------------------------------------------------- losses


def test_rotten_wounds_cost_two_but_not_the_lifeless() -> None:
    field = Field()
    field.unit("red", "rotter", HALBERDIER, (50, 20), but={"abilities": ["Rotten"]})
    field.unit("blue", "captain", CAPTAIN, (50, 23))
    field.unit("blue", "lich", CAPTAIN, (60, 23), but={"abilities": ["Undead"]})
    for name in ("captain", "lich"):
        casualties.hurt(field.battle, field[name], by=field["rotter"], melee=True, cause_rule="nemesis:19.2-survival")
    assert (field["captain"].s, field["lich"].s) == (1, 2)
    assert "nemesis:A1.23-rotten" in field.battle.cited


def test_further_wounds_pass_on_and_at_last_to_the_hero() -> None:
    field = Field()
    unit = field.unit("blue", "halberdiers", HALBERDIER, (50, 23), (55, 23))
    field.unit("blue", "captain", CAPTAIN, (60, 23))
    field["captain"].unit, unit.hero, unit.models = "halberdiers", "captain", (*unit.models, "captain")
    for _ in range(3):
        casualties.hurt(field.battle, field["halberdiers1"], by=None, melee=True, cause_rule="nemesis:19.2-survival")
    assert field["halberdiers1"].doomed and field["halberdiers2"].doomed and field["captain"].s == 2
    assert "nemesis:21.2-excess" in field.battle.cited


def test_regeneration_before_removal() -> None:
    field = Field()
    field.unit("blue", "troll", CAPTAIN, (50, 23), but={"abilities": ["Regeneration (5)"]})
    troll = field["troll"]
    troll.s, troll.doomed = 0, True
    play(casualties.sweep(field.battle), [5], {"regenerate": "roll"})
    assert troll.on_table and troll.s == 1 and not troll.doomed


def test_madness_from_the_first_wound_in_melee() -> None:
    field = Field()
    field.unit("blue", "berserk", CAPTAIN, (50, 23), but={"abilities": ["Madness"]})
    casualties.hurt(field.battle, field["berserk"], by=None, melee=True, cause_rule="nemesis:19.2-survival")
    assert field["berserk"].mad and melee.combat_roll(field.battle, field["berserk"], field["berserk"]).value == 6


def test_a_wiped_out_unit_shakes_its_neighbours() -> None:
    field = Field()
    field.unit("blue", "lost", HALBERDIER, (50, 23), (53, 23))
    field.unit("blue", "near", HALBERDIER, (50, 30), (53, 30))
    field.unit("blue", "far", HALBERDIER, (50, 90), (53, 90))
    field.unit("red", "red", HALBERDIER, (50, 10))
    models = field.battle.members(field.battle.units["lost"])
    for model in models:
        model.doomed = True
    play(casualties.sweep(field.battle), [6])
    assert field.battle.units["lost"].wiped and field.battle.units["lost"].lost_this_turn == 2
    assert [e.about for e in field.battle.events if e.kind == "courage.passed"] == [("near",)]


# ---------------------------------------------------------------------- courage


def test_the_better_courage_of_a_hero_is_used_without_asking() -> None:
    field = Field()
    unit = field.unit("blue", "halberdiers", HALBERDIER, (50, 23), (55, 23))
    field.unit("blue", "captain", CAPTAIN, (60, 23))
    field["captain"].unit, unit.hero, unit.models = "halberdiers", "captain", (*unit.models, "captain")
    assert play(courage.test(field.battle, unit, "courage", "nemesis:20.1-half", flight=True), [8])
    assert "nemesis:6-hero" in field.battle.cited


def fear(size: int, tester: dict[str, Any], dice: list[int], *, charging: bool) -> tuple[str, Unit]:
    field = Field()
    unit = field.unit("red", "red", HALBERDIER, (50, 20), (55, 20), but=tester)
    beast = field.unit("blue", "beast", SKELETON, (50, 40), but={"size": size, "C": 5})
    return play(courage.fear_test(field.battle, unit, [beast], charging=charging), dice), unit


def test_fear_of_the_charged() -> None:
    result, unit = fear(3, {}, [6], charging=False)  # C 6 - 1
    assert result == "failed" and unit.shaken and unit.courage_failed and unit.fear_tested is False
    assert fear(3, {}, [5], charging=False)[0] == "brave"
    result, unit = fear(4, {}, [5], charging=False)
    assert result == "failed-big" and not unit.shaken


def test_fear_of_chargers() -> None:
    result, unit = fear(4, {}, [5], charging=True)
    assert result == "failed-big" and unit.stunned
    assert fear(2, {}, [7], charging=True)[0] == "failed"


@pytest.mark.parametrize("abilities", [["Immune to fear"], ["Fanatic"], ["Loyalty"], ["Undead"]])
def test_who_knows_no_fear(abilities: list[str]) -> None:
    assert fear(4, {"abilities": abilities}, [], charging=False)[0] == "immune"


def test_half_losses_only_the_worse_hit_tests() -> None:
    field = Field()
    red = field.unit("red", "red", HALBERDIER, (50, 20), (55, 20))
    blue = field.unit("blue", "blue", HALBERDIER, (50, 23), (55, 23))
    red.start_strength, red.lost_this_turn = 4, 2
    blue.start_strength, blue.lost_this_turn = 4, 2
    engagements.record(field.battle)
    play(courage.half_losses(field.battle))
    assert field.kinds() == ["losses.outdone", "losses.outdone"]
    blue.start_strength, blue.lost_this_turn = 5, 3
    play(courage.half_losses(field.battle), [6])
    assert [e.about for e in field.battle.events if e.kind == "courage.passed"] == [("blue",)]


# ---------------------------------------------------------------------- disengaging


def engaged() -> Field:
    field = Field()
    field.unit("red", "red", HALBERDIER, (50, 50), (53.1, 50))
    field.unit("blue", "blue", SKELETON, (50, 53), (53.1, 53), facing=180)
    field.battle.joined = {("blue", "red"): 1}
    field.battle.phase = "disengage"
    return field


def test_disengage_refusals() -> None:
    field = engaged()
    red = field.battle.units["red"]
    assert disengage.refusal(field.battle, red) is None
    field.battle.joined = {("blue", "red"): 2}
    assert _rule(field, red) == "nemesis:18-banned-same-turn"
    red.no_disengage_turn = 2
    assert _rule(field, red) == "nemesis:18-caught"
    red.defending = True
    assert _rule(field, red) == "nemesis:18-banned-position"
    field.battle.bodies.place(field["red1"].body, Pose(0, 0))
    field.battle.bodies.place(field["red2"].body, Pose(40, 0))
    assert _rule(field, red) == "nemesis:18-eligible"


def _rule(field: Field, unit: Unit) -> str:
    refused = disengage.refusal(field.battle, unit)
    assert refused is not None
    return refused.rule


def test_surrounded() -> None:
    field = Field()
    field.unit("red", "red", HALBERDIER, (50, 50))
    ring = [(53, 50), (51.5, 52.6), (48.5, 52.6), (47, 50), (48.5, 47.4), (51.5, 47.4)]
    field.unit("blue", "blue", SKELETON, *ring)
    field.battle.joined = {("blue", "red"): 1}
    assert _rule(field, field.battle.units["red"]) == "nemesis:18-banned-surrounded"


def test_disengaging_with_hits_move_and_pursuit() -> None:
    field = engaged()
    red, blue = field.battle.units["red"], field.battle.units["blue"]
    red.orders = (Order("disengage", None, red.models),)
    # two hits resisted (impact 1+2+3), 1D10+M = 13 cm straight away, pursuit 14 cm: caught
    dice = [1, 9, 1, 9, 3, 4]
    play(
        disengage.activate(field.battle, "red"), dice,
        {"disengage.direction": {"propose": "s"}, "pursue": "pursue"},
    )  # fmt: skip
    assert field.battle.pose(field["red1"]).y == pytest.approx(cm(37))
    assert "pursuit.caught" in field.kinds()
    assert blue.pursuit_turn == red.no_disengage_turn == 3
    assert melee.targets_of(field.battle, field["red1"]) == []  # that combat is fought next turn
    assert red.orders[0].done


def test_a_direction_toward_the_enemy_is_refused() -> None:
    field = engaged()
    red, blue = field.battle.units["red"], field.battle.units["blue"]
    script = disengage_moves.leave(field.battle, red, [blue], "nemesis:18-move")
    assert isinstance(next(script), Roll)
    ask = script.send((3,))
    assert isinstance(ask, Question) and ask.name == "disengage.direction"
    with pytest.raises(Refused) as refused:
        ask.decode({"bearing": 20})
    assert refused.value.refusal.rule == "nemesis:18-move"
    assert ask.decode({"bearing": 135, "facing": 0}) == (135.0, 0.0)

"""What the judges of moves and aims tell a table: blocks carried by hand, lines of fire, templates."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.games.wfb3.army.spells import SPELLS
from grognard.games.wfb3.army.weapons import WEAPONS
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given
from grognard.games.wfb3.forces import Force
from grognard.games.wfb3.machines import artillery, cannons, machine_moves, machine_targets
from grognard.games.wfb3.movement import moves
from grognard.games.wfb3.rolls import notes
from grognard.games.wfb3.ruleset import Wfb3
from grognard.games.wfb3.setup import advance_forces, deployment_places, held_forces
from grognard.kernel.errors import Refused
from grognard.kernel.formation.preview import Aimed, Carried, Filed, Traced, Warned
from grognard.kernel.geometry.units import inches
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Option, Pick
from grognard.kernel.words.texts import proposal
from grognard.server.playing.telling import names_of, question_plain

RULES = Wfb3()
MEN = {"side": "red", "creature": "Human", "count": 20, "files": 5, "at": [36, 10]}
FOE = {"side": "blue", "creature": "Human", "count": 10, "files": 5, "at": [36, 40]}


def create(units: dict[str, Any], **more: Any) -> Battle:
    agreed = {name: rule.default for name, rule in RULES.house_rules.items()}
    return given.create({"units": units, **more}, agreed)


def judge(far: float = 4.0, **changed: Any) -> moves.MoveJudge:
    battle = create({"men": MEN | changed, "foe": FOE})
    return moves.MoveJudge(battle, battle.units["men"], inches(far))


def pulled(one: moves.MoveJudge, ahead: float, right: float, facing: float | None = None) -> list[dict[str, Any]]:
    x, y = one.battle.block_of(one.unit).centre
    wire = one.carry((x + inches(right), y + inches(ahead)), facing)
    one.decode(wire)
    return list(wire["steps"])


def names(steps: list[dict[str, Any]]) -> list[str]:
    return [next(iter(step)) for step in steps]


@pytest.mark.parametrize("aside", [0.0, 0.4, -1.5])
def test_a_pull_ahead_of_the_front_is_no_wheel(aside: float) -> None:
    assert pulled(judge(), 3, aside) == [{"forward": pytest.approx(inches(3), abs=0.01)}]


def test_a_pull_aside_wheels_towards_the_place() -> None:
    assert "wheel" in names(pulled(judge(8), 6, 5))


def test_a_pull_back_steps_back_and_a_long_one_turns_about() -> None:
    assert names(pulled(judge(), -1, 0)) == ["back"]
    assert names(pulled(judge(), -4, 0)) == ["turn", "forward"]


def test_a_pull_to_the_side_turns_there() -> None:
    assert pulled(judge(), 0, 4)[0] == {"turn": "right"}


def test_a_block_that_keeps_its_facing_steps_aside_by_two_turns() -> None:
    steps = pulled(judge(), 0, 3, 0.0)
    assert steps == [{"turn": "right"}, {"forward": pytest.approx(inches(3), abs=0.1)}, {"turn": "left"}]


def test_turned_about_where_it_stands_or_after_going_on() -> None:
    assert pulled(judge(), 0, 0, 180.0) == [{"turn": "about"}]
    assert names(pulled(judge(), 3, 0, 180.0)) == ["forward", "turn"]


def test_wheels_there_and_back_where_the_move_allows_it() -> None:
    """Wheel, advance, wheel: two manoeuvres."""
    one = judge(12, files=3)
    steps = pulled(one, 7, 3, 0.0)
    assert names(steps) == ["wheel", "forward", "wheel"]
    end = one.stages({"steps": steps})[-1]
    assert min(end.facing, 360 - end.facing) < 3


def test_without_a_leader_nothing_is_carried_that_needs_a_test() -> None:
    one = judge()
    one.unit.leader = ""
    assert names(pulled(one, 0, 3, 0.0)) != ["turn", "forward", "turn"]


def test_who_turns_freely_goes_there_and_looks_as_wished() -> None:
    battle = create({"hero": {"side": "red", "creature": "Human", "level": 10, "at": [36, 10]}, "foe": FOE})
    one = moves.MoveJudge(battle, battle.units["hero"], inches(4))
    x, y = battle.block_of(one.unit).centre
    end = one.stages(one.carry((x + inches(2), y), 45.0))[-1]
    assert end.centre == pytest.approx((x + inches(2), y), abs=0.1)
    assert end.facing == pytest.approx(45.0, abs=0.01)


def test_a_moving_block_may_change_its_files() -> None:
    one = judge()
    assert isinstance(one, Filed) and isinstance(one, Carried)
    assert one.file_counts() == tuple(range(1, 18))
    x, y = one.battle.block_of(one.unit).centre
    wire = one.carry((x, y + inches(2)), None, 7)
    assert one.stages(wire)[-1].files == 7
    assert names(wire["steps"]) == ["files", "forward"]


def again(one: moves.MoveJudge, kept: list[dict[str, Any]], ahead: float, right: float, *more: Any) -> Any:
    """The steps after a second pull, by so many inches from where the first has brought the block."""
    x, y = one.stages({"steps": kept})[-1].centre
    wire = one.carry_on({"steps": kept}, (x + inches(right), y + inches(ahead)), *(more or (None,)))
    one.decode(wire)
    return wire["steps"]


def test_a_block_pulled_again_goes_on_from_there() -> None:
    """Two inches ahead, a wheel to the right; then straight on the new way as far as the move lasts."""
    one = judge(12, files=4)
    kept: list[dict[str, Any]] = [{"forward": inches(2)}, {"wheel": "right", "angle": 45.0}]
    steps = again(one, kept, 2, 2)
    assert steps[:2] == kept and names(steps[2:]) == ["forward"]
    assert steps[2]["forward"] == pytest.approx(inches(2) * math.sqrt(2), abs=0.1)
    far = again(one, steps, 20, 20)
    assert far[:2] == kept and one.spent({"steps": far}) == pytest.approx(one.allowance, abs=0.1)


def test_the_same_again_makes_no_second_step() -> None:
    one = judge(8)
    ahead = again(one, [{"forward": inches(2)}], 2, 0)
    assert ahead == [{"forward": pytest.approx(inches(4), abs=0.01)}]
    aside: list[dict[str, Any]] = [{"turn": "right"}, {"forward": inches(2)}, {"turn": "left"}]
    assert again(one, aside, 0, 1, 0.0) == [aside[0], {"forward": pytest.approx(inches(3), abs=0.1)}, aside[2]]


def test_pulled_back_it_goes_less_far() -> None:
    one = judge(12, files=4)
    kept: list[dict[str, Any]] = [{"forward": 75.0}, {"wheel": "right", "angle": 30.0}, {"forward": inches(3)}]
    back = again(one, kept, -math.cos(math.radians(30)), -0.5)
    assert back[:2] == kept[:2] and back[2]["forward"] == pytest.approx(inches(2), abs=0.1)
    x, y = one.battle.block_of(one.unit).centre
    assert one.carry_on({"steps": kept}, (x, y + inches(1)), None) == {"steps": [{"forward": pytest.approx(inches(1))}]}


def test_a_skirmisher_goes_round_a_corner_in_two_pulls() -> None:
    battle = create({"hero": {"side": "red", "creature": "Human", "level": 10, "at": [36, 10]}, "foe": FOE})
    one = moves.MoveJudge(battle, battle.units["hero"], inches(4))
    steps = again(one, [{"forward": inches(2)}], 0, 1.5)
    assert names(steps) == ["forward", "pivot", "forward"] and steps[0] == {"forward": inches(2)}
    x, y = battle.block_of(one.unit).centre
    assert one.stages({"steps": steps})[-1].centre == pytest.approx((x + inches(1.5), y + inches(2)), abs=0.1)


def test_files_are_changed_where_the_block_has_come_to() -> None:
    one = judge(8)
    wide = again(one, [{"forward": inches(2)}], 0, 0, None, 7)
    assert names(wide) == ["forward", "files"] and one.stages({"steps": wide})[-1].files == 7
    assert one.stages({"steps": again(one, wide, 0, 0, None, 8)})[-1].files == 8
    assert names(again(one, wide, 0, 0, None, 5)) == ["forward"]


def test_a_block_is_set_up_with_as_many_files_as_chosen() -> None:
    battle = create({"men": MEN, "foe": FOE})
    one = deployment_places.DeployJudge(battle, battle.units["men"])
    assert isinstance(one, Filed)
    assert one.file_counts() == tuple(range(1, 21))
    wire = one.carry((inches(36), inches(6)), None, 4)
    assert wire["files"] == 4 and one.stages(wire)[-1].files == 4
    assert one.carry((inches(36), inches(6)), None)["files"] != 4


def test_machines_are_set_up_where_there_is_room_for_them() -> None:
    crew = {"side": "red", "creature": "Human", "count": 3, "files": 3, "machines": [{"engine": "cannon"}]}
    battle = create({"first": crew | {"at": [30, 5]}, "crew": crew | {"at": [40, 5]}, "men": MEN, "foe": FOE})
    gun = battle.machines["first-cannon"]
    for key in ("crew", "men"):
        battle.remove(battle.units[key], "undeployed")
    battle.machines["crew-cannon"].placed = False
    there = {key: deployment_places.DeployJudge(battle, battle.units[key]) for key in ("crew", "men")}
    with pytest.raises(Refused, match="stands-on"):
        there["men"].decode({"x": gun.x, "y": gun.y + inches(1), "files": 5})
    with pytest.raises(Refused, match="stands-on"):
        there["crew"].decode({"x": gun.x + inches(1), "y": gun.y, "files": 3})
    there["crew"].decode({"x": gun.x + inches(6), "y": gun.y, "files": 3})


def test_who_arrives_at_an_edge_is_carried_along_it() -> None:
    battle = create({"men": MEN, "foe": FOE})
    battle.remove(battle.units["men"], "reserve")
    where = held_forces.Entry("west", 1, inches(10), inches(30))
    one = advance_forces.EdgeJudge(battle, battle.units["men"], where, "wfb3:25.2.3-arrival")
    for at in (20, 2, 46):
        wire = one.carry((inches(30), inches(at)), None, 4)
        assert one.decode(wire).files == 4


def test_a_machine_can_be_turned_at_whom_it_shall_shoot() -> None:
    gun = cannon()
    haul = machine_moves.HaulJudge(gun.battle, gun.machine, 3)
    for name in haul.proposals():
        assert proposal(RULES.texts, name, RULES.names(gun.battle)) is not None
    goal = haul.decode(haul.propose("face:foe"))
    assert (goal.x, goal.y) == (gun.machine.x, gun.machine.y)
    assert goal.facing == pytest.approx(0.0, abs=1.0) or goal.facing == pytest.approx(360.0, abs=1.0)


def cannon(**more: Any) -> machine_targets.LineJudge:
    crew = {"side": "red", "creature": "Human", "count": 3, "files": 3, "machines": [{"engine": "cannon"}]}
    battle = create({"crew": crew | {"at": [36, 5]}, "foe": FOE, **more}, phase="shooting")
    return machine_targets.LineJudge(battle, battle.units["crew"], battle.machines["crew-cannon"])


def test_the_line_of_fire_goes_to_the_edge_and_tells_no_range() -> None:
    one = cannon()
    assert isinstance(one, Aimed) and isinstance(one, Traced)
    assert one.point({"bearing": 0.0}) == pytest.approx((one.machine.muzzle[0], one.battle.table.height))
    x, y = one.point({"bearing": 30.0})
    assert y == pytest.approx(one.battle.table.height) or x == pytest.approx(one.battle.table.width)


def test_the_line_of_fire_tells_friends_it_crosses_in_order() -> None:
    one = cannon(men=MEN | {"at": [36, 20]})
    (line,) = one.traces({"bearing": 0.0})
    assert line.points[0] == one.machine.muzzle and not line.closed
    assert line.hits == ("men", "foe")
    assert one.traces({"bearing": 40.0})[0].hits == ()


def test_a_template_is_drawn_where_it_is_aimed() -> None:
    crew = {"side": "red", "creature": "Human", "count": 3, "files": 3, "machines": [{"engine": "catapult"}]}
    battle = create({"crew": crew | {"at": [36, 5]}, "foe": FOE}, phase="shooting")
    one = machine_targets.AimJudge(battle, battle.units["crew"], battle.machines["crew-catapult"])
    x, y = battle.block_of(battle.units["foe"]).centre
    (ring,) = one.traces({"x": x, "y": y})
    assert isinstance(one, Traced) and ring.closed and ring.hits == ("foe",)
    assert all(math.dist(point, (x, y)) == pytest.approx(inches(1), abs=0.01) for point in ring.points)
    assert one.traces({"x": x, "y": y - inches(6)})[0].hits == ()


def grids(battle: Battle, model: str, seat: str = "red") -> dict[str, Any]:
    scene = RULES.scene(battle, seat)
    card = scene.cards[next(figure.card for figure in scene.models if figure.id == model)]
    return {grid.text.removeprefix("grid."): grid.rows for grid in card.grids}


def test_cards_show_arms_mounts_machines_and_spells() -> None:
    crew = {"side": "red", "creature": "Human", "count": 3, "files": 3, "machines": [{"engine": "catapult"}]}
    battle = create(
        {
            "men": MEN | {"weapons": ["halberd"], "missiles": ["crossbow"]},
            "riders": MEN | {"count": 5, "weapons": ["lance"], "mount": "Warhorse", "at": [20, 10]},
            "crew": crew | {"at": [55, 5]},
            "mage": {"side": "red", "creature": "Human", "level": 5, "wizard": True, "at": [60, 10]},
            "foe": FOE,
        }
    )
    men = grids(battle, "men.2")
    assert men["missiles"][0][:4] == ("crossbow", '30"', "4", '-1 (15")')
    assert men["melee"][0][:2] == ("halberd", "+1")
    assert grids(battle, "riders.2")["mount"][0][:2] == ("Warhorse", "8")
    assert grids(battle, "crew.2")["machines"] == (("catapult", "3", '48"', '12"', "5", "-2", "D4", '1"'),)
    assert [row[0] for row in grids(battle, "mage")["spells"]] == list(battle.models["mage"].hero.spells)
    assert grids(battle, "foe.2") == {}


def test_every_special_of_a_weapon_and_every_spell_has_its_words() -> None:
    for weapon in WEAPONS.values():
        for mounted in (True, False):
            assert all(note.text in RULES.texts for note in notes.weapon(weapon, mounted=mounted))
    for spell in SPELLS.values():
        assert all(note.text in RULES.texts for note in notes.spell(spell))


def test_machines_alike_are_numbered() -> None:
    machines = [{"engine": "ballista"}, {"engine": "ballista"}, {"engine": "catapult"}]
    crew = {"side": "red", "creature": "Human", "count": 9, "files": 9, "machines": machines, "at": [36, 5]}
    battle = create({"crew": crew, "foe": FOE}, phase="shooting")
    called = [RULES.names(battle)[machine] for machine in battle.machines]
    assert called == ["ballista of crew 1", "ballista of crew 2", "catapult of crew"]
    options, _ = artillery.choices(battle)
    assert [option.about for option in options] == [(machine,) for machine in battle.machines]


def test_only_its_owner_is_told_the_advance_force() -> None:
    battle = create({"men": MEN, "more": MEN | {"at": [20, 10]}, "foe": FOE})
    for unit in (battle.units["men"], battle.units["more"]):
        battle.remove(unit, "undeployed")
    battle.sides["red"].advance = ("men",)
    battle.units["more"].where = "held"
    battle.sides["red"].reserves = (Force("more.1", ("more",), "west", 1, 3),)

    def states(seat: str) -> dict[str, list[str]]:
        return {unit.id: [said.code for said in unit.states][:2] for unit in RULES.scene(battle, seat).units}

    assert states("red")["men"] == ["undeployed", "advance"] and states("red")["more"] == ["reserve"]
    assert states("blue")["men"] == ["undeployed"] and states("blue")["more"] == ["undeployed"]
    told = RULES.say("event.forces.advance", {"about0": "men", "about1": "more"}, "en", RULES.names(battle))
    assert told == "The advance force: men, more."


@pytest.mark.parametrize(
    ("shots", "wasted", "told"),
    [(0, 5, "out of range"), (0, 0, "nobody has a shot"), (3, 2, "3 shots; 2 are out of range"), (3, 0, "3 shots.")],
)
def test_a_volley_without_shots_says_why(shots: int, wasted: int, told: str) -> None:
    data = {"about0": "men", "about1": "foe", "weapon": "bow", "shots": shots, "out_of_range": wasted}
    assert told in RULES.say("event.shoot.volley", data, "en", {"men": "Archers", "foe": "Orcs"})


@pytest.mark.parametrize("name", ["spot1", "wide2", "fine3", "half4", "thin5"])
def test_places_that_differ_by_a_number_only_end_in_it(name: str) -> None:
    """So that a page can gather them."""
    code, facts = proposal(RULES.texts, name, {}) or ("", {})
    assert RULES.say(code, facts).endswith(f"place {name[-1]}")


def warned(one: Any, wire: dict[str, Any]) -> list[str]:
    assert isinstance(one, Warned)
    return [note.text for note in one.warns(wire)]


def test_a_legal_move_warns_of_friends_ground_and_tests() -> None:
    wood = [{"id": "wood", "kind": "wood", "at": [20, 15], "size": [8, 4]}]
    units = {"men": MEN, "more": MEN | {"at": [36, 15]}, "third": MEN | {"at": [20, 11]}, "foe": FOE}
    battle = create(units, terrain=wood)
    there = {key: moves.MoveJudge(battle, battle.units[key], inches(4)) for key in ("men", "third")}
    ahead = {"steps": [{"forward": inches(4)}]}
    assert warned(there["men"], ahead) == ["note.in-the-way"]
    assert warned(there["third"], ahead) == ["note.slow"]
    assert warned(there["men"], {"steps": [{"turn": "right"}, {"turn": "right"}]}) == ["note.tests"]
    assert warned(there["men"], {"steps": [{"back": 20}]}) == ["note.tests"]
    assert warned(there["third"], {"steps": [{"forward": 10}]}) == []


def test_an_aim_warns_of_friends_and_of_what_nobody_sees() -> None:
    one = cannon(men=MEN | {"at": [36, 20]})
    assert warned(one, {"bearing": 0.0}) == ["note.line.friends"] and warned(one, {"bearing": 40.0}) == []
    crew = {"side": "red", "creature": "Human", "count": 3, "files": 3, "machines": [{"engine": "catapult"}]}
    battle = create({"crew": crew | {"at": [36, 5]}, "men": MEN | {"at": [36, 20]}, "foe": FOE}, phase="shooting")
    lob = machine_targets.AimJudge(battle, battle.units["crew"], battle.machines["crew-catapult"])
    x, y = battle.block_of(battle.units["men"]).centre
    assert warned(lob, {"x": x, "y": y}) == ["note.aim.friends"]
    assert warned(lob, {"x": x, "y": y + inches(6)}) == ["note.aim.blind"]


def test_the_odds_of_a_round_show_the_losses_of_both_first() -> None:
    units = {"men": MEN | {"at": [36, 10]}, "foe": FOE | {"at": [36, 10.02], "facing": 180}}
    battle = create(units, phase="combat", engaged=[["men", "foe"]])
    question = Pick("red", "combat.next", [Option("men", battle.units["men"])], rule="wfb3:7.6-sequence")
    odds = RULES.tools.odds(battle, question, "men")
    assert odds is not None and list(odds.parts)[:2] == ["defenders lost", "attackers lost"]


@pytest.mark.parametrize(
    ("inches_", "stopped", "told"),
    [
        (4, "spent", "moves 4 inches."),
        (2, "foe", "stops at Orcs."),
        (0, "", "not leave the spot"),
        (3, "north edge", "3 inches."),
    ],
)
def test_a_move_says_who_stopped_it(inches_: int, stopped: str, told: str) -> None:
    data = {"about0": "boss", "inches": inches_, "stopped": stopped}
    assert told in RULES.say("event.unit.moved", data, "en", {"boss": "Boss Grabnak", "foe": "Orcs"})


def test_a_spell_says_on_whom_it_is_cast() -> None:
    data = {"about0": "mage", "about1": "foe", "left": 3}
    called = {"mage": "Master Ewald", "foe": "Orcs"}
    assert "fire ball on Orcs" in RULES.say("event.spell.cast", {**data, "spell": "fire ball"}, "en", called)
    assert "Orcs" not in RULES.say("event.spell.cast", {**data, "spell": "rain"}, "en", called)


def test_a_hedge_shot_in_two_keeps_its_name() -> None:
    hedge = [{"id": "hedge-1", "kind": "hedge", "at": [36, 20], "size": [10, 0.5]}]
    battle = create({"men": MEN, "foe": FOE}, terrain=hedge)
    cannons.remove(battle, battle.table.pieces[0], (inches(36), inches(20)))
    assert len(battle.table.pieces) == 2 and RULES.names(battle)["hedge-1"] == "hedge 1"


def test_a_mounted_character_goes_as_a_block_though_a_model_bears_its_name() -> None:
    """Only its mount stands on the table; what is pulled is the unit."""
    lord = {"side": "red", "creature": "Human", "level": 10, "mount": "Griffon", "at": [36, 10]}
    match = Match(RULES, {"given": {"units": {"lord": lord, "foe": FOE}}}, dice=Seeded(1))
    for answer in (None, "lord", "move"):
        match.answer(answer)
    question = question_plain(RULES, match.question(), names_of(match))
    assert question["movers"] == ["lord"] and question["block"] is True

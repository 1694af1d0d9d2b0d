"""nemesis:17, 19  Shooting and melee: the printed examples, the steps weighed, the numbers of tiny battles."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from grognard.games.nemesis.forces import Order
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.rolls import steps
from grognard.games.nemesis.shooting import shooting
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Question, Roll
from grognard.kernel.words.tally import Tally
from tests.nemesis.field import ARCHER, CAPTAIN, HALBERDIER, SKELETON, Field, play


def shoot(field: Field, unit: str, target: str, dice: Iterable[int], **answers: Any) -> int:
    b = field.battle
    order = Order("shoot", target, b.units[unit].models)
    losses: int = play(shooting.volley(b, b.units[unit], order, b.units[target]), dice, answers)
    return losses


def tally(value: float, name: str = "x") -> Tally:
    return Tally(value, name, f"nemesis:5.1-{name}")


# ---------------------------------------------------------------------- the printed examples


def archer_and_skeleton() -> Field:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 20))
    field.unit("blue", "skeleton", SKELETON, (50, 45), facing=180)  # 22 cm between the edges of 3 cm bases
    return field


def test_example_17_3_is_exact() -> None:
    field = archer_and_skeleton()
    aim = shooting.aim(field.battle, field["archer"], field["archer"].card.ranged[0], field.battle.units["skeleton"])
    assert aim is not None and aim.in_range
    assert (aim.shot.accuracy.value, aim.shot.difficulty.value) == (5, 9)
    assert [(c.what, c.amount, c.rule) for c in aim.shot.accuracy.changes] == [
        ("HT", 4, "nemesis:5.1-HT"), ("short range", 1, "nemesis:17.4-short"),
    ]  # fmt: skip
    assert steps.shot_power(aim.shot, 4).value == 11
    assert shoot(field, "archer", "skeleton", [4, 3, 5]) == 1
    assert field["skeleton"].doomed and field.kinds() == ["shot.volley", "shot.hit", "model.wounded", "model.lost"]


def test_example_19_2_is_exact() -> None:
    field = Field()
    field.unit("red", "halberdier", HALBERDIER, (50, 20))
    field.unit("blue", "skeletons", SKELETON, (50, 23), (53.1, 23), but={"S": 2})
    struck = melee.blow_for(field.battle, field["halberdier"], field["skeletons1"])
    assert (struck.attack.value, struck.defence and struck.defence.value) == (4, 2)
    assert steps.impact(4, struck.skill, struck.strength, "nemesis:19.2-impact").value == 12
    result = play(melee.attack(field.battle, field["halberdier"], field["skeletons1"]), [4, 5, 3, 5])
    assert result == "wounded" and field["skeletons1"].doomed


def test_a_tie_blocks_and_ones_fail() -> None:
    field = Field()
    field.unit("red", "halberdier", HALBERDIER, (50, 20))
    field.unit("blue", "skeletons", SKELETON, (50, 23), (60, 23))
    pair = field["halberdier"], field["skeletons1"]
    assert play(melee.attack(field.battle, *pair), [4, 6]) == "blocked"
    assert play(melee.attack(field.battle, *pair), [1, 1]) == "missed"
    assert "nemesis:3.3-one-high" in field.battle.cited
    assert play(melee.attack(field.battle, *pair), [2, 1, 10]) == "resisted"
    assert "nemesis:3.3-defence-one" in field.battle.cited


# ---------------------------------------------------------------------- steps, weighed


def test_shot_odds_by_hand() -> None:
    """Needs 4+ to hit; the victim survives a tenth of what gets through."""
    shot = steps.Shot(steps.Tester("red"), tally(5, "HT"), tally(4, "HT"), tally(9, "DT"), tally(3, "F"))
    victim = steps.Victim(steps.Tester("blue"), tally(7, "R"), tally(1, "S"))
    got = Weigher().run(lambda: steps.shoot(shot, victim))
    through = Fraction(0)
    for face in range(4, 11):
        resisted = sum(1 for die in range(2, 11) if die + 7 >= face + 7)
        through += Fraction(1, 10) * Fraction(10 - resisted, 10)
    assert got.probability("missed") == Fraction(3, 10)
    assert got.probability("wounded") == through * Fraction(9, 10)


def plain_blow(**more: Any) -> steps.Blow:
    victim = steps.Victim(steps.Tester("blue", ("b",)), tally(7, "R"), tally(2, "S"))
    parts: dict[str, Any] = {
        "attacker": steps.Tester("red", ("a",)), "defender": steps.Tester("blue", ("b",)), "attack": tally(4, "HC"),
        "skill": tally(4, "HC"), "strength": tally(4, "F"), "defence": tally(2, "HC"), "defence_stat": 2.0,
        "victim": victim,
    }  # fmt: skip
    return steps.Blow(**(parts | more))


def brute_hits() -> Fraction:
    hits = 0
    for ours in range(1, 11):
        for theirs in range(1, 11):
            hits += ours > 1 and (theirs == 1 or ours + 4 > theirs + 2)
    return Fraction(hits, 100)


def test_blow_odds_agree_with_brute_force() -> None:
    got = Weigher().run(lambda: steps.blow(plain_blow()))
    assert got.chance(lambda s: s.result not in ("missed", "blocked")) == brute_hits()
    assert got.chance(lambda s: s.result == "missed") == Fraction(1, 10)


def test_dodge_and_hardened_each_re_roll_their_own_die_once() -> None:
    b = plain_blow(
        attacker=steps.Tester("red", ("a",), ("hardened",)), defender=steps.Tester("blue", ("b",), ("dodge",))
    )
    struck = _always_again(b, [8, 2, 10, 9, 10])  # a hit, dodged, struck again; each die is re-rolled once
    assert struck.attacker_used == ("hardened",) and struck.defender_used == ("dodge",)
    assert struck.result == "resisted"


def _always_again(b: steps.Blow, dice: list[int]) -> steps.Struck:
    script, faces = steps.blow(b), iter(dice)
    ask = next(script)
    while True:
        try:
            ask = script.send((next(faces),) if isinstance(ask, Roll) else ask.options[0].key)  # type: ignore[union-attr]
        except StopIteration as stop:
            done: steps.Struck = stop.value
            return done


def test_corruption_swaps_the_natural_dice() -> None:
    struck = play(steps.blow(plain_blow(swap="attacker")), [2, 10, 2, 9], {"corruption.swap": "swap"})
    assert (struck.attack_face, struck.result, struck.attacker_used) == (10, "wounded", ("corruption",))


def test_a_changed_stat_is_part_of_the_impact_a_modifier_is_not() -> None:
    cursed = tally(4, "HC").add(-1, "curse", "nemesis:A2.N.2-curse")
    power = steps.impact(6, cursed, tally(4, "F"), "nemesis:19.2-impact")
    assert power.value == 13
    assert "nemesis:A2.N.2-curse" in power.rules


def test_house_rules_of_one() -> None:
    strict = steps.Tester("red", one_fails_under=True)
    assert play(steps.under(steps.Tester("red"), "survival", tally(1, "S"), "r"), [1]).passed
    assert not play(steps.under(strict, "survival", tally(1, "S"), "r"), [1]).passed
    early = steps.Tester("red", one_before_stat=True)
    assert not steps.beats(2, tally(3, "HT"), 4, 0, early)
    assert steps.beats(2, tally(3, "HT"), 4, 0, steps.Tester("red"))


# ---------------------------------------------------------------------- shooting


def test_out_of_range_is_wasted_and_one_shot_a_turn() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 20))
    field.unit("blue", "skeleton", SKELETON, (50, 73.2))
    assert shoot(field, "archer", "skeleton", []) == 0
    assert "shot.wasted" in field.kinds()
    refused = shooting.may_shoot(field.battle, field.battle.units["archer"])
    assert refused is not None and refused.rule == "nemesis:17.2-one-shot"


def test_a_regiment_is_at_short_range_only_with_all_its_models() -> None:
    field = Field()
    field.unit("red", "archers", ARCHER, (50, 20), (50, 12))
    field.unit("blue", "skeleton", SKELETON, (53, 45))
    weapon = field["archers1"].card.ranged[0]
    aim = shooting.aim(field.battle, field["archers1"], weapon, field.battle.units["skeleton"])
    assert aim is not None and aim.shot.accuracy.value == 4
    assert "nemesis:17.4-regiment-short" in field.battle.cited


def test_size_and_movement_change_the_accuracy() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 10), but={"size": 1})
    field.unit("blue", "giant", SKELETON, (50, 50), but={"size": 4})
    field["archer"].moved = True
    weapon = field["archer"].card.ranged[0]
    aim = shooting.aim(field.battle, field["archer"], weapon, field.battle.units["giant"])
    assert aim is not None and [c.amount for c in aim.shot.accuracy.changes] == [4, 3, -1]


def test_the_nearest_in_sight_falls_and_no_more_than_are_seen() -> None:
    field = Field()
    field.unit("red", "archers", ARCHER, (50, 20), (53.1, 20), (46.9, 20))
    field.unit("blue", "skeletons", SKELETON, (46, 40), (54, 42))
    lost = shoot(field, "archers", "skeletons", [10, 2, 5, 10, 2, 5])
    assert lost == 2
    assert [e.about[0] for e in field.battle.events if e.kind == "model.lost"] == ["skeletons1", "skeletons2"]
    assert "shot.spare" in field.kinds() and "nemesis:17.2-visible-cap" in field.battle.cited


def test_equally_near_models_are_the_owners_choice() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 20))
    field.unit("blue", "skeletons", SKELETON, (46, 40), (54, 40))
    shoot(field, "archer", "skeletons", [10, 2, 5], **{"shot.casualty": "skeletons2"})
    assert field["skeletons2"].doomed and not field["skeletons1"].doomed


def test_a_hero_among_others_cannot_be_shot() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 20))
    unit = field.unit("blue", "halberdiers", HALBERDIER, (46, 45), (54, 45))
    field.unit("blue", "captain", CAPTAIN, (50, 35))
    field["captain"].unit, unit.hero, unit.models = "halberdiers", "captain", (*unit.models, "captain")
    field.battle.units["captain"].models = ()
    shoot(field, "archer", "halberdiers", [10, 2, 9], **{"shot.casualty": "halberdiers1"})
    assert field["halberdiers1"].doomed and field["captain"].s == 3


def test_shooting_into_a_melee() -> None:
    """-3; a miss hits the friend with a new die."""
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 10))
    field.unit("red", "friend", HALBERDIER, (50, 40))
    field.unit("blue", "skeleton", SKELETON, (53, 40))
    aim = shooting.aim(field.battle, field["archer"], field["archer"].card.ranged[0], field.battle.units["skeleton"])
    assert aim is not None and -3 in [c.amount for c in aim.shot.accuracy.changes]
    shoot(field, "archer", "skeleton", [5, 8, 2, 9])  # miss; impact 8+4+3 = 15 against 2+6; survival fails
    assert field["friend"].s == 1 and "shot.friend" in field.kinds()


def test_hits_in_a_melee_of_three_fall_at_random() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 10))
    field.unit("red", "friend", HALBERDIER, (50, 40))
    field.unit("blue", "skeletons", SKELETON, (53, 40), (47, 40))
    shoot(field, "archer", "skeletons", [10, 7, 2, 5])
    assert field["skeletons2"].doomed


def test_doomed_shooters_still_shoot() -> None:
    field = archer_and_skeleton()
    field["archer"].doomed = True
    assert shoot(field, "archer", "skeleton", [2]) == 0
    assert "nemesis:17-simultaneous" in field.battle.cited


def test_multiple_shots_each_at_minus_one() -> None:
    field = Field()
    field.unit("red", "archer", ARCHER, (50, 20), but={"abilities": ["Multiple shots (x2)"]})
    field.unit("blue", "skeleton", SKELETON, (50, 45))
    shoot(field, "archer", "skeleton", [4, 4])
    assert field.kinds().count("shot.missed") == 2


# ---------------------------------------------------------------------- melee


def duel() -> Field:
    field = Field()
    field.unit("red", "red", HALBERDIER, (50, 20), (60, 20))
    field.unit("blue", "blue", SKELETON, (50, 23), (60, 30))
    field.battle.phase = "combat"
    return field


def test_chargers_strike_first_and_their_victims_do_not_answer() -> None:
    field = duel()
    field["red1"].charged = True
    play(melee.fight(field.battle), [9, 2, 2, 9], {"combat.hold": []})
    assert not field["blue1"].on_table and field.battle.units["blue"].models == ("blue2",)
    assert {"nemesis:16.2-strike-first", "nemesis:16.2-bonus", "nemesis:19.2-mods"} <= set(field.battle.cited)


def test_without_a_charge_both_strike() -> None:
    field = duel()
    play(melee.fight(field.battle), [9, 2, 2, 9, 9, 2, 2, 9], {"combat.hold": []})
    assert field["blue1"].doomed and field["red1"].doomed
    assert "nemesis:19.3" in field.battle.cited
    play(casualties.sweep(field.battle))
    assert not field["blue1"].on_table and not field["red1"].on_table


def test_attacks_may_be_declined() -> None:
    field = duel()
    script = melee.fight(field.battle)
    asked = next(script)
    assert isinstance(asked, Question) and asked.name == "combat.hold" and asked.seat == "red" and asked.checkpoint
    asked = script.send(asked.decode(["red1"]))
    assert isinstance(asked, Question) and asked.seat == "blue"
    with pytest.raises(StopIteration):
        script.send(asked.decode(["blue1"]))


def test_a_hero_shares_his_attacks_others_do_not() -> None:
    field = Field()
    field.unit("red", "captain", CAPTAIN, (50, 20))
    field.unit("blue", "skeletons", SKELETON, (50, 23), (50, 17))
    script = melee.choose_targets(field.battle, field["captain"])
    asked = next(script)
    assert isinstance(asked, Question) and asked.kind == "split"
    with pytest.raises(StopIteration) as stop:
        script.send(asked.decode({"skeletons1": 1, "skeletons2": 1}))
    assert stop.value.value == ("skeletons1", "skeletons2")


def test_combat_modifiers_are_accounted_for() -> None:
    field = Field()
    field.unit("red", "captain", CAPTAIN, (50, 20), but={"size": 2})
    field.unit("blue", "ogres", HALBERDIER, (50, 23.5), (50, 16.5), (53.5, 20), but={"size": 4})
    unit = field.battle.units["captain"]
    unit.counter_charged, unit.shaken, unit.pursuit_turn = True, True, 2
    roll = melee.combat_roll(field.battle, field["captain"], field["ogres1"])
    assert {c.rule.removeprefix("nemesis:"): c.amount for c in roll.changes} == {
        "5.1-HC": 5, "19.2-mod-counter": 1, "18-caught": 2, "19.2-mod-outnumbered": -2, "19.2-mod-taller": 1,
        "22.1-charged": -1,
    }  # fmt: skip
    assert melee.combat_roll(field.battle, field["ogres1"], field["captain"]).value == 3


def test_the_counter_charge_switch() -> None:
    field = Field(countercharge_modifier=-1)
    field.unit("red", "red", HALBERDIER, (50, 20))
    field.unit("blue", "blue", HALBERDIER, (50, 23))
    field.battle.units["red"].counter_charged = True
    assert melee.combat_roll(field.battle, field["red"], field["blue"]).value == 3


def test_hypnotism_holds_who_fails_and_mirrors() -> None:
    field = Field()
    field.unit("red", "witch", CAPTAIN, (50, 20), but={"abilities": ["Hypnotism"]})
    field.unit("blue", "halberdiers", HALBERDIER, (50, 23), (50, 17))
    play(melee.hypnotise(field.battle), [9, 3], {"hypnotism.use": "use"})
    assert field["halberdiers1"].hypnotised_by == ("witch",) and not field["halberdiers2"].hypnotised_by
    assert melee.targets_of(field.battle, field["halberdiers1"]) == []
    assert melee.blow_for(field.battle, field["witch"], field["halberdiers1"]).defence is None


def test_corruption_is_mirrored() -> None:
    field = Field()
    field.unit("red", "a", CAPTAIN, (50, 20), but={"abilities": ["Corruption"]})
    field.unit("blue", "b", CAPTAIN, (50, 23), but={"abilities": ["Corruption"]})
    assert melee.blow_for(field.battle, field["a"], field["b"]).swap == ""
    assert "nemesis:A1-mirror" in field.battle.cited


def test_a_long_weapon_reaches_past_comrades() -> None:
    field = Field()
    pike = {"melee": [{"name": "pike", "reach": 4}]}
    field.unit("red", "pikes", HALBERDIER, (50, 20), (50, 17), but=pike)
    field.unit("blue", "skeleton", SKELETON, (50, 23))
    assert [m.id for m in melee.targets_of(field.battle, field["pikes2"])] == ["skeleton"]

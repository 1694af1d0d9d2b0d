"""What players are told: prompts, notes, options and events in words, cards and states of what stands on the table."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grognard.games.wh40k.attacks import allocation
from grognard.games.wh40k.battle import Battle
from grognard.kernel.match.dice import Scripted, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Pick, Question
from grognard.players import RandomPlayer
from tests.wh40k.field import RULES

#: A fact left out, a code, or the id of a model or a marker.
RAW = re.compile(r"[{}]|\b(?:ask|event|note|option|propose|refuse|roll|state)\.[a-z]|\b[a-z]+-[a-z-]+\.\d|\bmarker\d")
SHEETS: dict[str, Any] = {
    "Trooper": {
        "keywords": ["Infantry", "Smoke"],
        "models": {"Trooper": {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, "weapons": ["rifle", "knife"]}},
        "composition": {"Trooper": [1, 20]},
        "weapons": {
            "rifle": {"range": 24, "A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1},
            "knife": {"A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1},
        },
    }
}  # fmt: skip


def given(phase: str, **more: Any) -> dict[str, Any]:
    units = {
        "men": {"side": "red", "datasheet": "Trooper", "models": {"Trooper": 2}, "at": [[20, 10], [21.5, 10]]},
        "foes": {"side": "blue", "datasheet": "Trooper", "models": {"Trooper": 2}, "at": [[20, 18], [21.5, 18]]},
    }
    sides = {"red": {"cp": 2}, "blue": {"cp": 2}}
    return {"given": {"phase": phase, "datasheets": SHEETS, "sides": sides, "units": units, **more}}


def asked(match: Match) -> Question:
    (question,) = match.pending
    assert isinstance(question, Question)
    return question


def notes(match: Match, language: str = "en") -> list[str]:
    names = match.ruleset.named(match.battle, language)
    return [RULES.say(note.text, note.data, language, names) for note in asked(match).notes]


def sayings(match: Match, question: Any, language: str) -> list[str]:
    """All that is said in asking a question."""
    names = match.ruleset.named(match.battle, language)
    found = [RULES.prompt(question, names, language)]
    options = getattr(question, "options", ())
    found += [RULES.label(option, names, language) for option in options]
    told = [note for thing in (question, *options) for note in getattr(thing, "notes", ())]
    found += [RULES.say(note.text, note.data, language, names) for note in told]
    barred = question.barred.values() if isinstance(question, Pick) else ()
    return found + [RULES.say(refusal.code, refusal.data, language, names) for refusal in barred]


@pytest.mark.parametrize("seed", (5, 6))
def test_everything_is_said_in_words(seed: int) -> None:
    match = Match(RULES, RULES.default_setup(seed=seed), dice=Seeded(seed), history="none")
    players = {seat: RandomPlayer(f"{seat} {seed}") for seat in match.battle.seats}
    while not match.over:
        question = match.pending[0]
        said = [saying for language in ("en", "fr") for saying in sayings(match, question, language)]
        assert [saying for saying in said if RAW.search(saying)] == []
        events = match.answer(players[question.seat].choose(match, question), question.seat)
        for language in ("en", "fr"):
            names = match.ruleset.named(match.battle, language)
            told = [RULES.tell(event, names, language) for event in events]
            assert [sentence for sentence in told if RAW.search(sentence)] == []


def test_rules_are_told_without_remarks_on_the_copy_they_were_read_from() -> None:
    """What 'why?' opens: no lines of a source, and nothing about programs."""
    remark = re.compile(r"\bL\d{3}|\b[Ee]ngine (?:has|should)|\bhook\b|\b[Mm]oteur\b")
    told = [(rule.id, rule.told(language)) for rule in RULES.rulebook.rules for language in ("en", "fr")]
    assert [rule_id for rule_id, words in told if remark.search(words)] == []


def test_markers_are_named_before_they_stand() -> None:
    """wh40k:21.4-markers"""
    match = Match(RULES, RULES.default_setup(seed=1), dice=Seeded(1))
    question = asked(match)
    assert match.ruleset.named(match.battle, "en")["marker1"] == "objective 1"
    assert RULES.prompt(question, match.ruleset.named(match.battle, "fr"), "fr").endswith("placer objectif 1")


def test_nobody_is_asked_to_roll_the_highest_again() -> None:
    """wh40k:13.2.1-command-reroll  An Advance roll of 6 cannot get better; a 5 can."""
    for face, idle in ((6, True), (5, False)):
        match = Match(RULES, given("movement"), dice=Scripted([face]))
        match.answer("men")
        match.answer("advance")
        assert (asked(match).name, asked(match).idle) == ("reroll.sum", idle)


def test_a_charge_roll_says_whether_it_suffices() -> None:
    """wh40k:9.4.2-conditions  Of 6.7 inches between bases 5 leave more than one, 6 do not."""
    for faces, word in (([1, 4], "falls short"), ([3, 3], "suffices")):
        match = Match(RULES, given("charge"), dice=Scripted(faces))
        charger = next(o for o in asked(match).options if o.key == "men")  # type: ignore[attr-defined]
        assert charger.notes[0].data == {"target": "foes", "inches": 6.7}
        match.answer("men")
        if asked(match).name == "charge.targets":
            match.answer("foes")
        (note,) = notes(match)
        assert asked(match).name == "reroll.sum" and word in note and "6.7 inches away" in note


def test_who_may_answer_shots_is_told_of_them() -> None:
    """wh40k:13.2.9-go-to-ground, 13.2.10-smokescreen  Who shoots at whom with what, and what the Stratagem does."""
    match = Match(RULES, given("shooting"))
    match.answer("men")
    match.answer("foes")
    for name, effect in (("go-to-ground", "6+ invulnerable save"), ("smokescreen", "Stealth")):
        assert asked(match).name == name and asked(match).about == ("men",)
        does, *aimed = notes(match)
        assert effect in does and aimed == ["2 x rifle at foes"]
        assert "men shoot at foes" in RULES.prompt(asked(match), match.ruleset.names(match.battle))
        match.answer(None)


def test_an_overwatch_goes_from_who_fires() -> None:
    """wh40k:13.2.7-overwatch  An option is about the shooter first, then about whom it fires at."""
    match = Match(RULES, given("movement"))
    match.answer("men")
    match.answer("normal")
    question = asked(match)
    assert isinstance(question, Pick) and question.name == "overwatch"
    assert [option.about for option in question.options] == [("foes", "men")]


def test_only_what_is_looked_for_is_barred() -> None:
    """wh40k:23.38-terrain-target, 13.2.5-grenade, 13.2.6-tank-shock  Neither terrain nor grenades nobody has."""
    hut = [{"id": "hut", "kind": "debris", "at": [40, 40], "size": [2, 2]}]
    match = Match(RULES, given("shooting", terrain=hut))
    question = asked(match)
    assert isinstance(question, Pick) and list(question.barred) == []
    match.answer("men")
    target = asked(match)
    assert isinstance(target, Pick) and list(target.barred) == []
    refusal = target.refusal("hut")
    assert refusal is not None and "wh40k:23.38-terrain-target" in refusal.rules
    charge = asked(Match(RULES, given("charge")))
    assert isinstance(charge, Pick) and list(charge.barred) == []


def test_the_last_wound_is_told_as_such() -> None:
    """wh40k:7.7.1-damage"""
    sentence = RULES.say("event.wound.lost", {"about0": "Tank", "lost": 3, "left": 0})
    assert sentence == "Tank loses 3 wounds: none is left."
    assert RULES.say("event.wound.lost", {"about0": "Tank", "lost": 3, "left": 1}) == "Tank loses 3 wounds and has 1."


def test_every_target_is_named() -> None:
    facts = {"about0": "Levies", "about1": "Boyz", "about2": "Tank"}
    assert RULES.say("event.charge.declared", facts) == "Levies declare a charge against Boyz, Tank."
    assert RULES.say("event.shoot", facts) == "Levies shoot at Boyz, Tank."
    assert RULES.say("event.shoot", {"about0": "Levies"}) == "Levies hold their fire."


# ---------------------------------------------------------------------- cards and states


def _ours(match: Match) -> Battle:
    assert isinstance(match.battle, Battle)
    return match.battle


def battle_of(seed: int, phase: str) -> Match:
    """A battle played at random up to a phase."""
    match = Match(RULES, RULES.default_setup(seed=seed), dice=Seeded(seed))
    players = {seat: RandomPlayer(f"{seat} {seed}") for seat in match.battle.seats}
    while _ours(match).phase != phase:
        question = match.pending[0]
        match.answer(players[question.seat].choose(match, question), question.seat)
    return match


def test_a_card_tells_the_weapons_of_those_who_have_it() -> None:
    """wh40k:1.4  One Warden of ten carries a plasma gun, and only his card tells of it."""
    match = battle_of(3, "formations")
    scene = match.scene("red")
    armed = {model.id: [w.name for w in match.battle.models[model.id].weapons] for model in scene.models}  # type: ignore[attr-defined]
    for model in scene.models:
        rows = [row[0] for grid in scene.cards[model.card].grids for row in grid.rows]
        assert sorted(rows) == sorted(dict.fromkeys(armed[model.id]))
        (state,) = [state for state in model.states if state.code == "armed"]
        assert all(name in str(armed[model.id]) for name in state.data["weapons"])
    wardens = dict.fromkeys(m.card for m in scene.models if m.unit == "first-wardens")
    assert len(wardens) > 2


def test_a_transport_tells_what_it_carries() -> None:
    """wh40k:5.1-capacity"""
    match = battle_of(3, "formations")
    carrier = next(unit for unit in match.scene("red").units if unit.id == "carrier")
    assert [state.code for state in carrier.states if state.code in ("room", "laden")] == ["room"]


def test_own_declarations_are_shown_to_their_player_alone() -> None:
    """wh40k:19.4-formations"""
    match = battle_of(3, "formations")
    while not any(answer for _, _, answer in match.battle.plans["red"]):  # type: ignore[attr-defined]
        for question in match.pending:
            assert isinstance(question, Pick)
            match.answer(next(key for key in question.keys), question.seat)
    shown = {
        seat: str([u.states for u in match.scene(seat).units if u.side == "red"]) for seat in ("red", "blue", None)
    }
    assert "declared-" in shown["red"] and "declared-" not in shown["blue"] and "declared-" not in shown[None]


def test_who_is_armed_otherwise_than_most_says_how() -> None:
    """wh40k:7.4.1-owner  Of ten Wardens those with special weapons can be told from the others."""
    battle = battle_of(3, "formations").battle
    assert isinstance(battle, Battle)
    noted = [option for option in allocation.each(battle.members(battle.units["first-wardens"])) if option.notes]
    assert 0 < len(noted) < 5
    assert all(option.notes[0].data["weapons"] for option in noted)


def armed(weapons: dict[str, Any]) -> dict[str, Any]:
    """Troopers with these ranged weapons and a knife."""
    sheet = dict(SHEETS["Trooper"])
    sheet["weapons"] = {"knife": sheet["weapons"]["knife"], **weapons}
    sheet["models"] = {"Trooper": sheet["models"]["Trooper"] | {"weapons": list(sheet["weapons"])}}
    return {"Trooper": sheet}


RIFLE: dict[str, Any] = SHEETS["Trooper"]["weapons"]["rifle"]
RUIN: dict[str, Any] = {"id": "ruin", "kind": "ruins", "at": [10, 13], "size": [30, 2]}


def test_who_does_not_choose_pistols_fires_the_others() -> None:
    """wh40k:8.5.3-pistol-or  There is one way to say so, and no second that passes."""
    guns = armed({"rifle": RIFLE, "gun": RIFLE | {"abilities": ["Pistol"]}})
    match = Match(RULES, given("shooting", datasheets=guns))
    match.answer("men")
    question = asked(match)
    assert isinstance(question, Pick) and (question.name, question.nay) == ("shoot.pistols", "others")
    assert "2 x Trooper of men" in RULES.prompt(question, match.ruleset.names(match.battle))


@pytest.mark.parametrize(
    ("near", "terrain", "idle", "usual"),
    [(24, [], False, None), (24, [RUIN], True, "gun, near"), (6, [], True, "gun, far"), (6, [RUIN], True, "gun, near")],
)
def test_nobody_is_asked_for_a_profile_that_decides_nothing(
    near: int, terrain: list[Any], idle: bool, usual: str | None
) -> None:
    """wh40k:6.3.1-targets-first  With nobody in sight none matters, with one profile in reach only that one does."""
    guns = armed({"gun": {"profiles": {"gun, near": RIFLE | {"range": near}, "gun, far": RIFLE}}})
    match = Match(RULES, given("shooting", datasheets=guns, terrain=terrain))
    noted = [note.text for o in asked(match).options if o.key == "men" for note in o.notes]  # type: ignore[attr-defined]
    assert noted == (["note.no-target"] if terrain else [])
    match.answer("men")
    question = asked(match)
    assert isinstance(question, Pick) and question.name == "shoot.profile"
    assert (question.idle, question.nay) == (idle, usual)
    match.answer(usual or "gun, far")
    assert ("shoot" in [event.kind for event in match.events]) == bool(terrain)


def test_choices_say_what_they_mean() -> None:
    """wh40k:11.2.2-stats, 4.6.2-advance-limits, 8.13-heavy  The row of the datasheet; how far, and what is given up."""
    heavy = RIFLE | {"abilities": ["Heavy", "Rapid Fire 1"]}
    guns = armed({"gun": {"profiles": {"gun, light": RIFLE, "gun, heavy": heavy}}})

    def told(match: Match, language: str) -> list[str]:
        names = match.ruleset.named(match.battle, language)
        options = [o for o in asked(match).options if o.notes]  # type: ignore[attr-defined]
        return [RULES.say(note.text, note.data, language, names) for o in options for note in o.notes]

    match = Match(RULES, given("shooting", datasheets=guns))
    match.answer("men")
    rows = ['24", A 1, 3+, S 4, AP 0, D 1', '24", A 1, 3+, S 4, AP 0, D 1; Heavy, Rapid Fire 1']
    assert told(match, "en") == rows
    assert told(match, "fr")[1] == '24", A 1, 3+, F 4, PA 0, D 1 ; Lourd, Tir Rapide 1'
    moving = Match(RULES, given("movement", datasheets=guns))
    moving.answer("men")
    normal, advance, stationary = told(moving, "en")
    assert normal == "Up to 6 inches." and "Assault" in advance and "Heavy" in stationary


@pytest.mark.parametrize(("reach", "idle"), [(12, False), (6, True)])
def test_nobody_is_asked_for_pistols_that_do_not_reach(reach: int, idle: bool) -> None:
    """wh40k:8.5.3-pistol-or"""
    pistol = RIFLE | {"range": reach, "abilities": ["Pistol"]}
    match = Match(RULES, given("shooting", datasheets=armed({"rifle": RIFLE, "pistol": pistol})))
    match.answer("men")
    assert (asked(match).name, asked(match).idle) == ("shoot.pistols", idle)


def test_a_model_that_is_a_unit_is_named_once() -> None:
    facts = {"seat": "Red", "about0": "Tank", "models": "Tank", "number": 1}
    assert RULES.say("ask.fight.weapon", {**facts, "about1": "Tank"}) == "Red: with what does Tank fight?"
    assert RULES.say("ask.fight.weapon", {**facts, "about1": "Tank 2"}) == "Red: with what does Tank 2 (Tank) fight?"


def test_levels_are_counted_from_the_ground() -> None:
    """wh40k:15.5.3-floors  The first floor is level 1, as on the table."""
    assert RULES.say("propose.floor", {"what": "ruins 1", "place": "2"}) == "on level 1 of ruins 1"


def test_nobody_is_asked_to_roll_successes_again() -> None:
    """wh40k:8.4-twin-linked  They may be, but a weapon whose Critical Wounds do nothing gains nothing by it."""
    sheet = dict(SHEETS["Trooper"])
    sheet["weapons"] = sheet["weapons"] | {"rifle": sheet["weapons"]["rifle"] | {"abilities": ["Twin-linked"]}}
    for faces, idle in (([4, 5], True), ([3, 5], False)):
        dice = Scripted([6, 6, *faces])
        match = Match(RULES, given("shooting", datasheets={"Trooper": sheet}, sides={}), dice=dice)
        match.answer("men")
        match.answer("foes")
        assert (asked(match).name, asked(match).idle) == ("reroll.some", idle)

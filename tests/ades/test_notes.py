"""What players read where they decide, and whose cards they can read: prices, effects, what a die must show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.ades.ruleset import Ades
from grognard.kernel.match.dice import ByHand, Scripted
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Note, Pick, Place

RULES = Ades()
STATS = {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "COU": 4, "DIS": 2}
PROFILES: dict[str, Any] = {
    "Mage": {
        "army": "Lion", "rank": 2, "val": 40, "stats": {**STATS, "MYS": 4},
        "skills": ["Magician (6/Fire, Darkness)"], "classes": ["Incarnate"],
    },
    "Foe": {"army": "Hyène", "rank": 2, "val": 20, "classes": ["Incarnate"], "stats": STATS},
    "Baliste": {
        "army": "Lion", "rank": 2, "classes": ["War machine"], "size": "large", "val": 45, "pv": 6, "equ": 3, "poi": 5,
        "stats": {"RES": 8}, "weapons": {"bolt": "12/20 (heavy piercing)"},
    },
}  # fmt: skip
FIGHTERS: dict[str, Any] = {
    "mage": {"side": "red", "profile": "Mage", "at": [40, 30], "formulas": ["Ember Dart", "Call the Hound"]},
    "foe": {"side": "blue", "profile": "Foe", "at": [40, 55]},
}


def begun(*answers: Any, faces: tuple[int, ...] = (), **more: Any) -> Match:
    given = {"profiles": PROFILES, "fighters": FIGHTERS, **more}
    match = Match(RULES, {"given": given}, dice=Scripted(faces) if faces else ByHand(), history="none")
    for answer in answers:
        match.answer(answer, match.question().seat)
    return match


def told(match: Match, notes: Sequence[Note], language: str = "en") -> list[str]:
    return [RULES.say(note.text, note.data, language, match.ruleset.names(match.battle)) for note in notes]


def asked(match: Match, name: str) -> Pick:
    question = match.question()
    assert isinstance(question, Pick) and question.name == name
    return question


def test_actions_say_what_they_are_and_how_far_they_lead() -> None:
    match = begun()
    notes = {option.key: told(match, option.notes) for option in asked(match, "act").options}
    assert notes["walk"] == [
        "up to 10 cm, into contact with no enemy",
        "cumulative action",
    ]
    assert notes["run"][0] == "up to 20 cm, into contact with no enemy"
    assert notes["cast"][0] == "4 UM to spend; no shot goes with it"


def test_formulas_say_what_they_do_and_cost() -> None:
    match = begun("cast", sides={"red": {"pt": 0}}, fighters=FIGHTERS | {"foe": FIGHTERS["foe"] | {"at": [40, 42]}})
    notes = {option.key: told(match, option.notes) for option in asked(match, "cast.formula").options}
    assert notes["Ember Dart"] == ["1 UM, level 3", "on one enemy in the control zone", "a damage test with FOR 6"]
    assert notes["Call the Hound"] == ["2 UM, level 3", "summons: Bog Hound", "for 2 turns"]
    match.answer("Ember Dart", "red")
    french = told(match, asked(match, "cast.target").notes, "fr")
    assert french[2] == "un test de dégâts de FOR 6"


def test_an_interception_says_who_moves_its_price_and_what_the_die_needs() -> None:
    match = begun("run", {"mage": {"path": [[400, 450]]}}, sides={"blue": {"pt": 3, "commander": "foe"}})
    question = asked(match, "intercept")
    assert told(match, question.notes) == [
        "mage moves 15 cm (run) and would be met after 5 cm", "costs 2 of 3 PT",
    ]  # fmt: skip
    assert told(match, question.options[0].notes) == ["the die needs 4+ by INI, 4+ by MOU"]
    going = {"path": ((400, 300), (400, 450)), "x": 400, "y": 350, "facing": 0, "level": 0}
    assert question.wire()["underway"] == {"mage": going}
    match.answer("foe", "blue")
    assert asked(match, "intercept.stat").wire()["underway"] == {"mage": going}


def test_who_watches_is_told_and_shown_what_is_about_to_be_done() -> None:
    watching = FIGHTERS | {"foe": FIGHTERS["foe"] | {"vigilant": True}}
    match = begun("run", {"mage": {"path": [[400, 450]]}}, fighters=watching)
    question = asked(match, "vigilance.react")
    assert told(match, question.notes) == ["mage is about to move 15 cm (run)"]
    assert question.underway["mage"].path == ((400, 300), (400, 450))
    near = watching | {"foe": watching["foe"] | {"at": [40, 42]}}
    match = begun("cast", "Ember Dart", "foe", fighters=near)
    question = asked(match, "vigilance.react")
    assert told(match, question.notes) == ["mage is about to recite Ember Dart, on foe"]
    assert told(match, question.notes, "fr") == ["mage va réciter Trait de braise sur foe"]


def test_who_is_stopped_is_told_what_going_on_takes() -> None:
    sides = {"blue": {"pt": 3, "commander": "foe"}, "red": {"pt": 1, "commander": "mage"}}
    goes = {"mage": {"path": [[400, 450]]}}
    match = begun("mage", "run", goes, "foe", "INI", faces=(6,), sides=sides)
    into = match.question()
    assert isinstance(into, Place) and into.name == "assault.way"
    match.answer({"propose": into.judge.proposals()[0]}, "blue")
    question = asked(match, "force")
    assert told(match, question.notes) == ["costs 1 of 1 PT", "the test of FOR needs 5+"]
    assert question.underway["mage"].path[-1] == (400, 450)


def test_authority_pays_for_what_there_are_no_points_for() -> None:
    profiles = {"Foe": PROFILES["Foe"] | {"skills": ["Authority"]}}
    sides = {"blue": {"pt": 0, "commander": "foe"}}
    match = begun("run", {"mage": {"path": [[400, 450]]}}, sides=sides, profiles=PROFILES | profiles)
    cost = told(match, asked(match, "intercept").notes)[1]
    assert cost == "costs 2 of 0 PT, or nothing by the Authority of foe"


def test_whoever_chose_an_action_is_not_offered_never_to_take_it() -> None:
    match = begun("cast", fighters=FIGHTERS | {"foe": FIGHTERS["foe"] | {"at": [40, 42]}})
    assert not RULES.tools.window(asked(match, "cast.formula"))
    match = begun("run", {"mage": {"path": [[400, 450]]}}, sides={"blue": {"pt": 3, "commander": "foe"}})
    assert RULES.tools.window(asked(match, "intercept"))


def test_cards_tell_what_formulas_do() -> None:
    card = begun().scene("red").cards["Mage"]
    (grid,) = (grid for grid in card.grids if grid.text == "grid.formulas")
    cells = dict(zip(grid.columns, grid.rows[0], strict=True))
    assert (cells["stat.cost"], cells["stat.effect"]) == ("1", "damage FOR 6")


def test_a_war_weapon_is_on_the_list_of_its_army() -> None:
    scene = begun(things={"engine": {"kind": "weapon", "profile": "Baliste", "side": "red", "at": [60, 20]}}).scene(
        "blue"
    )
    (weapon,) = (unit for unit in scene.units if unit.id == "engine")
    assert (weapon.name, weapon.side, weapon.models) == ("Baliste", "red", ())
    assert scene.cards[weapon.card].grids[0].rows[0][0] == "bolt"


def test_the_summoned_are_called_by_their_own_name() -> None:
    match = begun("cast", "Call the Hound", 0, faces=(6,))
    match.answer(match.question().options[0].key, "red")  # type: ignore[union-attr]
    scene = match.scene("red")
    (hound,) = (model for model in scene.models if model.id == "mage-summoned1")
    units = {unit.id: unit for unit in scene.units}
    assert units[hound.unit].name == "Bog Hound" and units[hound.unit].models == (hound.id,)
    assert units["mage"].models == ("mage",)

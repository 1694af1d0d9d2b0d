"""What whoever decides is told beside the question: spells, dice, distances; and what a Wizard's card says."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.t9a.army.spells import known_paths, spell
from grognard.games.t9a.cases import given
from grognard.games.t9a.magic import spell_notes as notes
from grognard.games.t9a.magic.spell_targets import PointJudge
from grognard.games.t9a.ruleset import T9a
from grognard.kernel.formation.preview import Traced
from grognard.kernel.match.dice import Scripted, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Note, Number, Pick, Question
from grognard.server.playing.telling import names_of, question_plain

RULES = T9a()


def told(*found: Note, language: str = "en") -> list[str]:
    return [RULES.say(note.text, note.data, language, {}) for note in found]


def asked(match: Match, name: str, *answers: Any) -> Question:
    """The next question of that name, after these answers and after passing over what comes between."""
    for answer in answers:
        match.answer(answer, match.question().seat)
    while match.question().name != name:
        match.answer(None, match.question().seat)
    question = match.question()
    assert isinstance(question, Question)
    return question


def test_a_combat_names_all_who_fight_in_it() -> None:
    units = {
        "one": {"side": "red", "profile": "City Swords", "models": 10, "files": 5, "front": [30, 20]},
        "two": {"side": "red", "profile": "City Swords", "models": 10, "files": 5, "front": [34, 20]},
        "foe": {"side": "blue", "profile": "City Swords", "models": 20, "files": 10, "front": [32, 20], "facing": 180},
        "three": {"side": "red", "profile": "City Swords", "models": 10, "files": 5, "front": [50, 20]},
        "four": {"side": "blue", "profile": "City Swords", "models": 10, "files": 5, "front": [50, 20], "facing": 180},
    }
    engaged = [["one", "foe"], ["two", "foe"], ["three", "four"]]
    match = Match(RULES, {"given": {"phase": "melee", "units": units, "engaged": engaged}}, dice=Seeded(1))
    options = question_plain(RULES, asked(match, "combat.next"), names_of(match))["options"]
    assert [o["label"]["en"] for o in options] == ["one, two against foe", "three against four"]


def test_every_spell_of_ours_is_told_in_both_languages() -> None:
    for path in known_paths().values():
        for known in path.values():
            for language in ("en", "fr"):
                for line in told(*notes.of_spell(known), language=language):
                    assert "{" not in line and "spell." not in line


def test_a_spell_is_told_in_a_line() -> None:
    dart, flood = (notes.of_spell(spell(key, {})) for key in ("Embers:1", "Tides:6"))
    assert told(*dart)[0] == (
        "5+: Hex, Missile, Damage, within 24 inches, at once. "
        "D6 hits: Strength 4, AP 0, Flaming Attacks, Magical Attacks"
    )
    assert told(*flood)[1] == "D6 hits: Strength 3, AP 1, Magical Attacks"
    assert told(*notes.of_spell(spell("Tides:4", {})), language="fr")[0].endswith("La cible a Ægide (5+)")


MAGIC: dict[str, Any] = {
    "phase": "magic",
    "begun": True,
    "stage": 2,
    "sides": {"red": {"dice": 4}, "blue": {"dice": 3}},
    "units": {
        "mage": {"side": "red", "entry": "League Mage", "spells": ["Embers:1", "Embers:4"], "at": [30, 10]},
        "near": {"side": "blue", "profile": "City Swords", "models": 10, "files": 5, "front": [30, 20]},
        "far": {"side": "blue", "profile": "City Swords", "models": 10, "files": 5, "front": [40, 30]},
    },
}


def test_who_casts_and_who_dispels_knows_what_and_how_likely() -> None:
    match = Match(RULES, {"given": MAGIC}, dice=Scripted([6, 2]))
    cast = asked(match, "magic.cast")
    assert isinstance(cast, Pick) and told(*cast.options[0].notes)[0].startswith("5+: Hex")
    dice = asked(match, "magic.dice", "mage:Embers:1", "5")
    assert isinstance(dice, Number)
    # one die that shows 1 or 2 fails in any case; two make 5 or more in 30 of 36
    assert told(*dice.notes) == ["Chance by number of dice: 1 (33 %), 2 (83 %), 3 (98 %), 4 (100 %)"]
    dispel = asked(match, "magic.dispel", 2, "near")
    assert dispel.about == ("mage", "near")
    assert told(*dispel.notes)[0] == "Aimed at near"
    assert told(*dispel.notes)[2] == "Chance by number of dice: 1 (0 %), 2 (42 %), 3 (84 %)"


def test_an_aim_shows_whom_a_burst_strikes() -> None:
    battle = given.create(MAGIC, {name: rule.default for name, rule in RULES.house_rules.items()})
    judge = PointJudge(battle, battle.models["mage"], spell("Embers:4", {}).versions[0])
    x, y = battle.block(battle.units["near"]).centre
    assert isinstance(judge, Traced)
    (trace,) = judge.traces(judge.carry((x, y), None))
    assert trace.closed and trace.hits == ("near",)


def test_a_wizards_card_has_his_spells() -> None:
    battle = given.create(MAGIC, {name: rule.default for name, rule in RULES.house_rules.items()})
    scene = RULES.scene(battle, "red")
    mage = next(figure for figure in scene.models if figure.id == "mage")
    grid = next(grid for grid in scene.cards[mage.card].grids if grid.text == "grid.spells")
    assert [row[:3] for row in grid.rows] == [
        ("Ember Dart", "5+", "24"), ("Ember Dart", "8+", "36"), ("Burning Ground", "8+", "24"),
    ]  # fmt: skip
    assert grid.rows[2][-1] == "Hits (D3), Strength (4), AP (1), Flaming Attacks"


@pytest.mark.parametrize(("champion", "chance"), [(False, "92 %"), (True, "100 %")])
def test_a_charge_tells_how_far_and_how_likely(champion: bool, chance: str) -> None:
    units = {
        "reds": {"side": "red", "profile": "City Swords", "models": 10, "front": [30, 20], "champion": champion},
        "foe": {"side": "blue", "profile": "City Swords", "models": 10, "front": [30, 28], "facing": 180},
    }
    match = Match(RULES, {"given": {"phase": "charge", "units": units}}, dice=Scripted([6, 6]))
    declare = asked(match, "charge.declare")
    assert isinstance(declare, Pick)
    line = f"8 inches away, Advance Rate 4: the dice must make 4 or more, {chance}"
    assert told(*declare.options[0].notes) == [line]
    assert told(*asked(match, "charge.react", "reds>foe").notes) == [line]


def test_a_charge_to_be_carried_out_goes_from_the_charger_to_its_target() -> None:
    units = {
        "reds": {"side": "red", "profile": "City Swords", "models": 10, "front": [20, 20]},
        "more": {"side": "red", "profile": "City Swords", "models": 10, "front": [40, 20]},
        "foe": {"side": "blue", "profile": "City Swords", "models": 10, "front": [20, 28], "facing": 180},
        "other": {"side": "blue", "profile": "City Swords", "models": 10, "front": [40, 28], "facing": 180},
    }
    match = Match(RULES, {"given": {"phase": "charge", "units": units}}, dice=Scripted([6, 6]))
    chosen = asked(match, "charge.next", "reds>foe", "hold", "more>other", "hold")
    assert isinstance(chosen, Pick)
    assert [o.about for o in chosen.options] == [("reds", "foe"), ("more", "other")]


@pytest.mark.parametrize(
    ("code", "data", "sentence"),
    [
        ("event.magic.cast", {"about0": "Mage", "spell": "Pyre", "targets": ["King"]}, "Mage casts Pyre at King."),
        ("event.magic.cast", {"about0": "Mage", "spell": "Pyre", "targets": []}, "Mage casts Pyre."),
        ("event.model.lost", {"about0": "Mage", "about1": "Spears"}, "Mage of Spears falls."),
        ("event.model.lost", {"about0": "Mage", "about1": "Mage"}, "Mage falls."),
        ("event.zone.chosen", {"about0": "Red", "half": "upper"}, "Red takes the northern zone."),
        ("event.phase", {"phase": "first-turn"}, "who goes first"),
    ],
)
def test_what_happened_is_said_with_what_it_is_about(code: str, data: dict[str, Any], sentence: str) -> None:
    assert RULES.say(code, data) == sentence


def test_the_kinds_of_move_tell_how_far_they_go() -> None:
    units = {
        "reds": {"side": "red", "profile": "City Swords", "models": 10, "front": [20, 20]},
        "foe": {"side": "blue", "profile": "City Swords", "models": 10, "front": [40, 40], "facing": 180},
    }
    given = {"phase": "movement", "stage": 3, "units": units}
    match = Match(RULES, {"given": given}, dice=Scripted([]))
    kinds = asked(match, "move.kind", "reds")
    assert isinstance(kinds, Pick)
    assert {o.key: told(*o.notes) for o in kinds.options if o.key in ("advance", "march")} == {
        "advance": ["Up to 4 inches; back or sideways up to 2"],
        "march": ["Up to 8 inches forwards"],
    }


def test_only_what_others_bring_about_may_always_be_passed() -> None:
    units = {
        "reds": {"side": "red", "profile": "City Swords", "models": 10, "front": [30, 20]},
        "foe": {"side": "blue", "profile": "City Swords", "models": 10, "front": [30, 28], "facing": 180},
    }
    match = Match(RULES, {"given": {"phase": "charge", "units": units}}, dice=Scripted([6, 6]))
    names = names_of(match)
    assert not question_plain(RULES, asked(match, "charge.declare"), names)["automatic"]
    assert question_plain(RULES, asked(match, "charge.react", "reds>foe"), names)["automatic"]
    before = Match(RULES, RULES.default_setup("patrol", (), 3), dice=Seeded(3))
    while isinstance(question := before.question(), Question) and question.name != "special.declare":
        before.answer(question.candidates(1)[0], question.seat)
    assert not question_plain(RULES, before.question(), names_of(before))["automatic"]

"""What the table shows of Némésis and lets one do beside the questions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from grognard.games.nemesis.magic.casting_steps import concentrate
from grognard.games.nemesis.magic.spells import SPELLS
from grognard.games.nemesis.rolls import steps
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import cm
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import Note, Pick, Place, Question, Roll
from grognard.kernel.words.tally import Tally
from tests.nemesis.situations import NEMESIS


def choosing(armies: tuple[str, ...]) -> tuple[Match, Pick]:
    """A battle in which somebody has to choose a zone."""
    match = Match(NEMESIS, NEMESIS.default_setup(None, armies, 3), dice=Seeded(3))
    (question,) = match.pending
    assert isinstance(question, Pick)
    assert question.name == "zone.choose"
    return match, question


def labels(match: Match, question: Pick, language: str = "en") -> list[str]:
    names = NEMESIS.named(match.battle, language)
    return [NEMESIS.label(option, names, language) for option in question.options]


def free(match: Match) -> list[str]:
    return [zone.id for zone in match.scene(None).zones if zone.kind == "free"]


def test_zones_to_choose_from_are_drawn_and_named_by_the_compass() -> None:
    match, question = choosing(("realm-300", "undead-300"))
    assert labels(match, question) == ["the south zone", "the north zone"]
    assert [option.about for option in question.options] == [(zone,) for zone in free(match)]
    match.answer("north", question.seat)
    assert free(match) == []  # the other was left to the other
    assert [zone.kind for zone in match.scene(None).zones] == ["deployment"] * 2


def test_zones_of_many_are_named_by_the_compass() -> None:
    match, question = choosing(("realm-300", "undead-300", "cult-300"))
    ways = ("south-west", "south-east", "north-west", "north-east")
    assert labels(match, question) == [f"the {way} zone" for way in ways]
    assert labels(match, question, "fr")[2] == "zone nord-ouest"
    told = match.answer("zone-3", question.seat)
    said = [NEMESIS.tell(event, NEMESIS.names(match.battle)) for event in told]
    assert any("the north-west zone" in sentence for sentence in said)
    assert free(match) == ["zone:zone-1", "zone:zone-2", "zone:zone-4"]
    match, question = choosing(("realm-300", "undead-300") * 3)
    assert labels(match, question)[3:6] == ["the west zone", "the central zone", "the east zone"]


# ---------------------------------------------------------------------- pulling units

FOOT: dict[str, dict[str, Any]] = {"Foot": {"M": 10, "HC": 4, "F": 4, "R": 5, "HT": 4, "C": 5, "S": 1}}


def pulled(phase: str, action: str, to: tuple[float, float], **more: Any) -> tuple[dict[str, Any], Place, Any]:
    """Where three models go when the middle one is pulled from (64, 40) to a point (cm), and the question."""
    units = {
        "guard": {
            "side": "red", "card": "Foot", "models": [[60, 40], [64, 40], [68, 40]], "facing": 0,
            "orders": [{"action": action, "target": "enemy"}],
        },
        "enemy": {"side": "blue", "card": "Foot", "models": [[60, 80], [64, 80]], "facing": 180, **more},
    }  # fmt: skip
    setup = {"given": {"cards": FOOT, "phase": phase, "order": ["red", "blue"], "units": units}}
    match = Match(NEMESIS, setup, dice=Seeded(1))
    (question,) = match.pending
    assert isinstance(question, Place)
    spot = cm(to[0]), cm(to[1])
    wire = NEMESIS.tools.body(match.battle, match.scene(None), question, "guard.2", spot, None)
    return wire, question, wire["guard.2"]["path"][-1] if wire["guard.2"]["path"] else None


def test_an_approach_follows_the_pull() -> None:
    for to in ((64, 43), (66, 42), (62, 43.5), (64.0, 41)):
        wire, question, end = pulled("approach", "approach", to)
        assert question.refusal(wire) is None
        assert end == pytest.approx([cm(to[0]), cm(to[1])], abs=0.01), to


def test_an_approach_pulled_aside_goes_as_near_as_it_may() -> None:
    wire, question, end = pulled("approach", "approach", (69, 39.8))  # not nearer to the enemy
    assert question.refusal(wire) is None
    assert end[0] > cm(66)
    assert end[1] < cm(43)
    far = math.dist(end, (cm(64), cm(40)))
    assert far <= cm(5)


def test_an_approach_pulled_back_says_why_not() -> None:
    wire, question, _ = pulled("approach", "approach", (64, 36))
    refusal = question.refusal(wire)
    assert refusal is not None
    assert refusal.rule == "nemesis:15-direction"


def test_an_approach_stops_before_a_control_zone() -> None:
    wire, question, end = pulled("approach", "approach", (64, 45), models=[[64, 47.5]])
    assert question.refusal(wire) is None
    assert cm(41) < end[1] < cm(44.5)


def test_a_failed_charge_goes_all_the_way_it_must_where_it_is_pulled() -> None:
    for to in ((65, 41), (62, 44)):
        wire, question, end = pulled("engage", "charge", to)
        assert question.name == "charge.half"
        assert question.refusal(wire) is None
        assert math.dist(end, (cm(64), cm(40))) == pytest.approx(cm(5), abs=0.1)
        assert (end[0] - cm(64)) * (to[0] - 64) > 0


# ---------------------------------------------------------------------- what one is told before deciding


def told(notes: Iterable[Note], language: str = "en") -> list[str]:
    return [NEMESIS.say(note.text, note.data, language, {"mage": "Mage"}) for note in notes]


CARDS = {
    **FOOT,
    "Bow": {**FOOT["Foot"], "ranged": [{"name": "bow", "F": 3, "DT": 8, "P": 40}]},
    "Mage": {**FOOT["Foot"], "type": "mage", "CO": 5, "PC": 2, "S": 3},
    "Hero": {**FOOT["Foot"], "type": "hero", "PC": 2, "S": 3},
}


def battle(phase: str, **house: Any) -> Match:
    units = {
        "archers": {"side": "red", "card": "Bow", "models": [[60, 40], [64, 40]], "facing": 0},
        "mage": {
            "side": "red",
            "card": "Mage",
            "at": [56, 40],
            "facing": 0,
            "spells": ["R.1-care", "R.5-avenging-ray"],
        },
        "hero": {"side": "red", "card": "Hero", "at": [52, 40], "facing": 0},
        "enemy": {"side": "blue", "card": "Foot", "models": [[60, 57], [64, 57]], "facing": 180},
        "others": {"side": "blue", "card": "Foot", "at": [80, 60], "facing": 180},
    }
    sides = {"red": {"faction": "realm"}, "blue": {}}
    setup = {"given": {"cards": CARDS, "phase": phase, "order": ["red", "blue"], "sides": sides, "units": units}}
    return Match(NEMESIS, setup, house=house, dice=Seeded(1))


def aimed(match: Match, action: str) -> Odds:
    for answer in ("archers", "mage", action):
        (question,) = match.pending
        if isinstance(question, Pick) and answer in question.keys:
            match.answer(answer)
    (question,) = match.pending
    assert question.name == "order.target"
    assert isinstance(question, Question)
    odds = NEMESIS.tools.odds(match.battle, question, "enemy")
    assert odds is not None
    return odds


def test_odds_say_what_they_take_for_granted() -> None:
    (volley,) = told(aimed(battle("orders"), "shoot").assumed)
    assert volley == "Reckoned for 2 shooters at 24 cm of 40, no cover: nothing may be measured before"
    (charge,) = told(aimed(battle("orders"), "charge").assumed)
    assert charge == "Reckoned for a charge that gets there, 2 against 2: nothing may be measured before"
    (volley,) = told(aimed(battle("orders", allow_premeasure=True), "shoot").assumed)
    assert volley == "Reckoned for 2 shooters at 14 cm of 40, no cover"


def test_spells_say_what_they_do_and_only_mages_are_asked() -> None:
    match = battle("magic")
    (question,) = match.pending
    assert isinstance(question, Pick)
    care = next(option for option in question.options if option.key == "mage:R.1-care")
    assert told(care.notes) == ["one friendly model regains 1 S", "Difficulty 5, up to 30 cm"]
    assert told(care.notes, "fr")[1] == "Difficulté 5, jusqu'à 30 cm"
    assert told(question.notes) == ["Mage has 3 dice to cast with"]
    assert not [key for key in question.barred if key.startswith("hero:")]
    refusal = question.refusal("hero:R.1-care")
    assert refusal is not None
    assert "nemesis:14-who" in refusal.rules
    odds = NEMESIS.tools.odds(match.battle, question, "mage:R.5-avenging-ray")
    assert odds is not None
    assert told(odds.assumed) == ["Reckoned with 3 dice of Mage, the target in range, and nobody blocking"]


def test_every_spell_says_what_it_does() -> None:
    for spell in SPELLS.values():
        effect, line, *_ = told(spell.notes)
        assert effect != spell.effect
        assert "{" not in line
        assert told(spell.notes, "fr")[0] != effect


def test_units_of_one_name_are_told_apart_by_their_sides() -> None:
    match = Match(NEMESIS, NEMESIS.default_setup(None, ("realm-300", "orphans-300"), 3), dice=Seeded(3))
    names = NEMESIS.named(match.battle, "en")
    assert names["red.archers"] == "Archers of the Border Patrol"
    assert names["blue.archers.2"] == "Archers of the Lost Children 2"
    assert names["red.hounds"] == "Hounds"
    assert NEMESIS.named(match.battle, "fr")["blue.archers"].startswith("Archers d")
    event = Event("moved", "nemesis:12-basic", ("red.archers",), {})
    assert NEMESIS.tell(event, names) == "Archers of the Border Patrol move"
    event = Event("model.lost", "nemesis:21-timing", ("blue.archers.2",), {})
    assert NEMESIS.tell(event, names) == "Archers of the Lost Children 2 is lost"
    same = Match(NEMESIS, NEMESIS.default_setup(None, ("realm-300", "realm-300"), 3), dice=Seeded(3))
    names = NEMESIS.named(same.battle, "en")
    assert (names["red"], names["blue.hounds"]) == ("The Border Patrol (red)", "Hounds of the Border Patrol (blue)")


def test_reactions_say_who_charges_and_what_they_cost() -> None:
    units = {
        "guard": {"side": "red", "card": "Foot", "models": [[60, 40], [64, 40]], "facing": 0},
        "chief": {"side": "red", "card": "Hero", "at": [62, 36], "facing": 0},
        "enemy": {
            "side": "blue", "card": "Foot", "at": [60, 57], "facing": 180,
            "orders": [{"action": "charge", "target": "guard"}],
        },
    }  # fmt: skip
    setup = {"given": {"cards": CARDS, "phase": "orders", "stage": 1, "order": ["red", "blue"], "units": units}}
    match = Match(NEMESIS, setup, dice=Seeded(1))
    (question,) = match.pending
    assert isinstance(question, Pick)
    assert question.about == ("enemy", "guard")  # the arrow goes where the charge goes
    assert "charged by enemy" in NEMESIS.prompt(question, NEMESIS.names(match.battle))
    notes = {option.key: told(option.notes) for option in question.options}
    assert notes["hold"] == ["It stays where it is; that is free"]
    assert notes["retreat"] == ["1D10 + 10 cm away; next turn it needs courage to go toward the enemy"]
    price = "All but holding costs an order held, a command point, an action of a lone hero, or a test"
    assert told(question.notes) == [price]
    match.answer("counter", "red")
    (question,) = match.pending
    assert isinstance(question, Pick)
    ways = {option.key: told(option.notes) for option in question.options}
    assert ways == {"pc:chief": ["2 command points left"], "test": ["Only if a die shows 4 or less; tried once a turn"]}


def test_orders_say_what_they_come_to_and_nothing_of_distances() -> None:
    match = battle("orders")
    (question,) = match.pending
    assert isinstance(question, Question)
    assert told(question.notes) == ["Mage has 2 command points left", "hero has 2 command points left"]
    for answer in ("archers", "mage"):
        (question,) = match.pending
        if isinstance(question, Pick) and answer in question.keys:
            match.answer(answer)
    (question,) = match.pending
    assert isinstance(question, Pick)
    notes = {option.key: told(option.notes) for option in question.options}
    assert notes["approach"] == ["Up to 5 cm toward an enemy"]
    assert notes["shoot"] == ["Range: 40 cm"]


def test_nobody_is_offered_never_to_take_his_own_part() -> None:
    tools = NEMESIS.tools
    match = battle("orders")
    assert [tools.window(question) for question in match.pending] == [False]
    match.answer("archers")
    match.answer("mage")
    assert [(question.name, tools.window(question)) for question in match.pending] == [("order.action", False)]
    assert [tools.window(question) for question in battle("magic").pending] == [False]
    assert tools.window(Pick("red", "deploy.join", [], optional=True, rule="nemesis:6-hero"))


def test_the_weapon_in_hand_is_one_of_those_offered() -> None:
    """Whoever says nothing keeps it: in the first turn there is no "same as before"."""
    armed = {**FOOT["Foot"], "melee": [{"name": "sword", "F": 0}, {"name": "axe", "F": 1}]}
    units = {
        "guard": {"side": "red", "card": "Foot", "at": [60, 40]},
        "enemy": {"side": "blue", "card": "Foot", "at": [60, 80]},
    }
    setup = {"given": {"cards": {"Foot": armed}, "phase": "start", "order": ["red", "blue"], "units": units}}
    match = Match(NEMESIS, setup, dice=Seeded(1))
    (question,) = match.pending
    assert isinstance(question, Pick)
    assert (question.name, question.nay) == ("weapon.choose", "sword")


def test_a_unit_that_hides_says_so() -> None:
    cards = {"Sneak": {**FOOT["Foot"], "abilities": ["Hidden"]}}
    units = {
        "sneaks": {"side": "red", "card": "Sneak", "models": [[60, 40], [64, 40]], "hidden": True},
        "guard": {"side": "blue", "card": "Sneak", "models": [[60, 90], [64, 90]]},
    }
    match = Match(NEMESIS, {"given": {"cards": cards, "phase": "movement", "units": units}}, dice=Seeded(1))
    states = {unit.id: [state.code for state in unit.states] for unit in match.scene("blue").units}
    assert states == {"sneaks": ["hidden"], "guard": []}


def test_who_may_roll_again_is_told_what_it_takes() -> None:
    """nemesis:5.1-test, 14.4-test  What was rolled and is needed, and how often another die does it."""
    who, value = steps.Tester("red", ("guard",), again=("courage",)), Tally(4, "C", "nemesis:5.1-C")
    test = steps.under(who, "courage", value, "nemesis:22-test")
    assert isinstance(next(test), Roll)
    question = test.send((7,))
    assert isinstance(question, Pick)
    assert told(question.notes) == ["Rolled: 7; needed: 4. Another roll does it with 40 %"]
    names = {"guard": "Guard"}
    assert NEMESIS.prompt(question, names) == "Guard: roll again (courage)?"
    cast = concentrate(steps.Tester("red", ("guard",), again=("audacity",)), "cast.test", 3, Tally(5, "CO", ""), 9)
    assert isinstance(next(cast), Roll)
    question = cast.send((6, 1, 10))
    assert isinstance(question, Pick)
    assert told(question.notes) == ["Rolled: 6, 1, 10; needed: 9 with CO, and no 1 among the dice"]


def test_what_is_barred_is_called_by_its_name() -> None:
    match = battle("magic")
    names = NEMESIS.named(match.battle, "fr")
    assert names["R.2-armour"] == "Armure de protection"


def test_names_of_lists_are_words_in_sentences() -> None:
    match = Match(NEMESIS, NEMESIS.default_setup(None, ("undead-300", "cult-300"), 3), dice=Seeded(3))
    assert NEMESIS.named(match.battle, "en")["red.grave-knight"] == "Grave knight"
    assert NEMESIS.named(match.battle, "fr")["red.grave-knight"] == "Chevalier des tombes"

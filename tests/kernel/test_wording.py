"""Words that follow a number take its form, in either language."""

from __future__ import annotations

import doctest

import pytest

from grognard.kernel.errors import BadInput
from grognard.kernel.words import texts, wording
from grognard.kernel.words.tally import Tally

TEXTS = {"event.hit": "{about0}: {hits} {hits|hit|hits}, {left} {left|is|are} left"}


def test_the_examples() -> None:
    assert doctest.testmod(wording).failed == 0


@pytest.mark.parametrize(
    ("hits", "said"), [(0, "0 hits"), (1, "1 hit"), (1.0, "1 hit"), (2, "2 hits"), (1.5, "1.5 hits")]
)
def test_one_and_many_in_english(hits: float, said: str) -> None:
    assert texts.say(TEXTS, "event.hit", {"about0": "a", "hits": hits, "left": 1}, names={"a": "Orcs"}) == (
        f"Orcs: {said}, 1 is left"
    )


@pytest.mark.parametrize(("hits", "word"), [(0, "un"), (1, "un"), (1.5, "un"), (2, "deux"), (-3, "deux")])
def test_one_and_many_in_french(hits: float, word: str) -> None:
    assert wording.worded("{hits|un|deux}", {"hits": hits}, "fr") == word


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Halberdiers", "move"), ("Knights of the Ford", "move"), ("Tusk Boyz", "move"), ("Clawkin", "move"),
        ("The Lost Children", "move"), ("First Dead", "move"), ("archers 3", "moves"), ("Boss Grabnak", "moves"),
        ("Host of the Marches", "moves"), ("Marcus", "moves"), ("Odo, Berta", "move"), ("2D6", "move"),
    ],
)  # fmt: skip
def test_verbs_agree_with_names_in_english(name: str, said: str) -> None:
    told = texts.say({"x": "{about0} {about0|moves|move}"}, "x", {"about0": "a"}, names={"a": name})
    assert told == f"{name} {said}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Lances du Gué", "bougent"), ("Les enfants perdus", "bougent"), ("lances 3", "bouge"),
        ("Ost des Marches", "bouge"), ("Vieux Broyeur", "bouge"), ("Vieux tertres", "bougent"),
        ("Servant (Chars de guerre) 1", "bouge"),
    ],
)  # fmt: skip
def test_verbs_agree_with_names_in_french(name: str, said: str) -> None:
    assert wording.worded("{unit|bouge|bougent}", {"unit": name}, "fr") == said


@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("Pertes de {unit}", "Ogres", "Pertes d'Ogres"), ("Pertes de {unit}", "Écuyers", "Pertes d'Écuyers"),
        ("Pertes de {unit}", "Lances", "Pertes de Lances"), ("la zone de {unit}", "Le Roi", "la zone du Roi"),
        ("De {unit}", "Les Gars", "Des Gars"), ("face à {unit}", "Les Gars", "face aux Gars"),
        ("plus que {unit}", "Ost", "plus qu'Ost"), ("mande {unit}", "Ost", "mande Ost"),
    ],
)  # fmt: skip
def test_french_runs_words_together(template: str, name: str, said: str) -> None:
    assert wording.worded(template, {"unit": name}, "fr") == said
    assert wording.worded(template, {"unit": name}) == template.replace("{unit}", name)


def test_numbers_that_say_why_and_facts_that_are_missing() -> None:
    points = Tally(1, "base", "toy:1")
    assert (
        texts.say({"x": "{n} {n|point|points}"}, "x", {"n": {"value": points.value, "why": points.why()}}) == "1 point"
    )
    assert wording.worded("{n} {n|point|points}", {}) == "{n} points"
    assert wording.fields("{n} {n|point|points} of {who}") == {"n", "who"}
    assert str(BadInput("{n} {n|line|lines} too many", n=1)) == "1 line too many"


def test_abilities_with_values_are_named_by_their_words() -> None:
    assert texts.name_in("Aegis (4+)", "fr", "t9a") == "Ægide (4+)"
    assert texts.name_in("Nothing Known (4+)", "fr", "t9a") == "Nothing Known (4+)"
    assert texts.name_in("walled house 1.5 1/2", "fr", "wfb3") == "maison murée 1.5 1/2"

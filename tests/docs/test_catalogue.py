"""The French catalogues hold what is said, no more and no less."""

from functools import cache

import pytest

from grognard.games import RULESETS
from grognard.kernel.words.texts import KERNEL_TEXTS, gettext, name_in
from tests.cli.sentences import SOURCE
from tests.docs.catalogue import Said, catalogues, codes, gathered, known, path_of, quarrels, wanting, written

GAMES = {path.parent.name for path in (SOURCE / "games").glob("*/ruleset.py")}
each_catalogue = pytest.mark.parametrize("name", [n for n in catalogues() if n in RULESETS or n not in GAMES])


@cache
def said() -> dict[str, list[Said]]:
    """What is said, gathered where it is asked for: all the sources are read for it."""
    return gathered()


@each_catalogue
def test_everything_said_has_its_french(name: str) -> None:
    assert wanting(name, said()[name]) == []


@each_catalogue
def test_catalogues_are_up_to_date(name: str) -> None:
    assert path_of(name).read_bytes() == written(name, said()[name]), "run python -m tests.docs.catalogue"
    assert set(known(name)) == {one.text for one in said()[name]}


def test_catalogues_agree() -> None:
    assert quarrels(said()) == []


def test_no_catalogue_is_without_a_source() -> None:
    """A game has its catalogue before it is registered."""
    assert set(said()) <= set(catalogues()) <= set(said()) | GAMES


@pytest.mark.parametrize("game", RULESETS)
def test_every_code_has_a_text(game: str) -> None:
    texts = {**KERNEL_TEXTS, **RULESETS[game].texts}
    assert sorted({code for code in codes(RULESETS[game]) if code not in texts}) == []


def test_two_games_may_say_a_word_differently() -> None:
    assert (gettext("S", "fr", "nemesis"), gettext("S", "fr", "wh40k")) == ("S", "F")
    assert name_in("hill 1a", "fr", "wh40k") == "colline 1a"
    assert name_in("hill 2", "fr", "nemesis") == name_in("hill 2", "fr") == "colline douce 2"

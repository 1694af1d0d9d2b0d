"""Everything the rooms above the games say has its French, with the same facts."""

from __future__ import annotations

import pytest

from grognard.kernel.words import wording
from grognard.kernel.words.texts import catalogue
from grognard.terminal.desk import environment_language, globals_of
from tests.cli.sentences import sentences


def fields(text: str) -> list[str]:
    try:
        return sorted(wording.fields(text))
    except ValueError:
        return []


def test_every_sentence_has_french() -> None:
    known = catalogue("fr")
    assert [sentence for sentence in sentences() if sentence not in known] == []
    for sentence in sentences():
        assert fields(known[sentence]) == fields(sentence), sentence


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "fr"}, "fr"),
        ({"LANG": "de_DE"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "", "LC_ALL": "fr-CA"}, "fr"),
    ],
)
def test_the_language_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language


def test_options_that_stand_anywhere() -> None:
    assert globals_of(["games", "--lang", "fr", "--debug"], {}) == (["games"], "fr", True)
    assert globals_of(["--lang=fr", "rules", "--", "--debug"], {}) == (["rules", "--", "--debug"], "fr", False)

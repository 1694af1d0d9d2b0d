"""The page's sentences in French."""

from __future__ import annotations

import re

from tests.web.words import french, sentences


def test_every_sentence_has_french() -> None:
    known = french()
    assert [text for text in sentences() if not known.get(text)] == []


def test_nothing_is_translated_that_nobody_says() -> None:
    said = sentences()
    assert [text for text in french() if text not in said] == []


def test_translations_keep_their_fields() -> None:
    wrong = {text: told for text, told in french().items() if fields(text) != fields(told)}
    assert wrong == {}


def fields(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))

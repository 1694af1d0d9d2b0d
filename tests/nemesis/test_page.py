"""docs/cases-nemesis.md says what the game can do now."""

from __future__ import annotations

import re

from grognard.games.nemesis.cases.given import KEYS, SIDE_KEYS
from grognard.games.nemesis.cases.given_units import MODEL_KEYS, UNIT_KEYS
from tests.nemesis.page import MAKERS, NEMESIS, PAGE, REGION, kinds, made

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_lists_are_up_to_date() -> None:
    assert made(TEXT) == TEXT, "run python -m tests.nemesis.page"


def test_every_list_is_on_the_page() -> None:
    assert sorted(region[2] for region in REGION.finditer(TEXT)) == sorted(MAKERS)


def test_every_question_has_a_text() -> None:
    assert [name for name in kinds() if f"ask.{name}" not in NEMESIS.texts] == []


def test_every_key_of_given_is_explained() -> None:
    words = set(re.findall(r"`([a-z_]+)[`,]", TEXT)) | set(re.findall(r"[{ ]([a-z_]+)[,}:]", TEXT))
    assert {*KEYS, *SIDE_KEYS, *UNIT_KEYS, *MODEL_KEYS} <= words

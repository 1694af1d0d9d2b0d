"""docs/cases-wh40k.md says what the game can do now."""

from __future__ import annotations

import re

from grognard.games.wh40k.cases.given import KEYS, SIDE_KEYS, UNIT_KEYS
from tests.docs.lists import REGION, made
from tests.wh40k.field import RULES
from tests.wh40k.page import LISTS, MAKERS, PAGE

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_lists_are_up_to_date() -> None:
    assert made(TEXT, MAKERS) == TEXT, "run python -m tests.wh40k.page"


def test_every_list_is_on_the_page() -> None:
    assert sorted(region[2] for region in REGION.finditer(TEXT)) == sorted(MAKERS)


def test_every_question_has_a_text() -> None:
    assert [name for name in LISTS.kinds() if f"ask.{name}" not in RULES.texts] == []


def test_every_key_of_given_is_explained() -> None:
    words = set(re.findall(r"`([a-z_]+)[`,]", TEXT)) | set(re.findall(r"[{ ]([a-z_]+)[,}:]", TEXT))
    assert {*KEYS, *SIDE_KEYS, *UNIT_KEYS} <= words

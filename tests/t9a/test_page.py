"""docs/cases-t9a.md says what the game can do now."""

from __future__ import annotations

import re
from pathlib import Path

from grognard.games.t9a.cases.given import KEYS, UNIT_KEYS
from grognard.games.t9a.cases.given_parts import SIDE_KEYS
from tests.docs.lists import REGION, example_fails, made
from tests.t9a.page import LISTS, MAKERS, PAGE, RULES

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_lists_are_up_to_date() -> None:
    assert made(TEXT, MAKERS) == TEXT, "run python -m tests.t9a.page"


def test_every_list_is_on_the_page() -> None:
    assert sorted(region[2] for region in REGION.finditer(TEXT)) == sorted(MAKERS)


def test_every_question_has_a_text() -> None:
    assert [name for name in LISTS.kinds() if f"ask.{name}" not in RULES.texts] == []


def test_every_key_of_given_is_explained() -> None:
    words = set(re.findall(r"`([a-z_]+)[`,]", TEXT)) | set(re.findall(r"[{ `]([a-z_]+)[,}:]", TEXT))
    assert sorted({*KEYS, *SIDE_KEYS, *UNIT_KEYS} - words) == []


def test_the_example_holds(tmp_path: Path) -> None:
    assert example_fails(TEXT, RULES, tmp_path) == ""

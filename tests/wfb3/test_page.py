"""docs/cases-wfb3.md says what the game can do now."""

from __future__ import annotations

import re
from pathlib import Path

from grognard.games.wfb3.army.cards import UNIT_KEYS
from grognard.games.wfb3.cases.given import KEYS, MORE
from tests.docs.lists import REGION, example_fails, made
from tests.wfb3.page import LISTS, MAKERS, PAGE, RULES

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_lists_are_up_to_date() -> None:
    assert made(TEXT, MAKERS) == TEXT, "run python -m tests.wfb3.page"


def test_every_list_is_on_the_page() -> None:
    assert sorted(region[2] for region in REGION.finditer(TEXT)) == sorted(MAKERS)


def test_every_question_has_a_text() -> None:
    assert [name for name in LISTS.kinds() if f"ask.{name}" not in RULES.texts] == []


def test_every_key_of_given_is_explained() -> None:
    written = REGION.sub("", TEXT)
    words = set(re.findall(r"`([a-z_]+)[`,:]", written)) | set(re.findall(r"[{ `]([a-z_]+)[,}:]", written))
    assert sorted({*KEYS, *UNIT_KEYS, *MORE} - words) == []


def test_the_example_holds(tmp_path: Path) -> None:
    assert example_fails(TEXT, RULES, tmp_path) == ""

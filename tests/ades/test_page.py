"""docs/cases-ades.md says what the game can do now."""

from __future__ import annotations

import re
from pathlib import Path

from grognard.games.ades.army.card_reading import DOES, POWER_KEYS
from grognard.games.ades.army.cards import ARMY_KEYS, ENTRY_KEYS
from grognard.games.ades.cases.given import FIGHTER_KEYS, KEYS, SIDE_KEYS, THING_KEYS
from tests.ades.page import MAKERS, PAGE, RULES, kinds
from tests.docs.lists import REGION, example_fails, made

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_lists_are_up_to_date() -> None:
    assert made(TEXT, MAKERS) == TEXT, "run python -m tests.ades.page"


def test_every_list_is_on_the_page() -> None:
    assert sorted(region[2] for region in REGION.finditer(TEXT)) == sorted(MAKERS)


def test_every_question_has_a_text_and_a_kind() -> None:
    assert [name for name in kinds() if f"ask.{name}" not in RULES.texts] == []
    assert "|  |" not in next(region[3] for region in REGION.finditer(TEXT) if region[2] == "questions")


def test_every_key_is_explained() -> None:
    words = set(re.findall(r"`([a-z_]+)[`,]", TEXT)) | set(re.findall(r"[{ ]([a-z_-]+)[,}:]", TEXT))
    assert sorted({*KEYS, *SIDE_KEYS, *FIGHTER_KEYS, *THING_KEYS} - words) == []
    assert sorted({*ARMY_KEYS, *ENTRY_KEYS, *POWER_KEYS, *DOES} - words) == []


def test_the_example_holds(tmp_path: Path) -> None:
    assert example_fails(TEXT, RULES, tmp_path) == ""

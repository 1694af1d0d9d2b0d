"""The examples in docs/cases.md can be read, and those that are whole cases hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grognard.check import outcome_text, read_string, run_case
from tests.check.toy import TOY

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cases.md"
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
AROUND = "id: part\ntitle: A part of a case.\ngiven: {}\n"


@pytest.mark.parametrize("block", BLOCKS)
def test_example(block: str) -> None:
    whole = block.startswith("id:")
    reading = read_string(block if whole else AROUND + block, "docs/cases.md", game="toy")
    assert reading.problems == []
    for case in reading.cases if whole else ():
        outcome = run_case(TOY, case)
        assert outcome.passed, outcome_text(outcome)


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) >= 15

"""Every case lies in the folder of the chapter that its first rule is of (docs/cases.md, Where a new case goes)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grognard.check import find_files, read_file
from grognard.games import EVERY

CASES = Path(__file__).resolve().parents[2] / "cases"
#: The chapter's number as the book counts it, two digits, or its letter; then what it is about.
FOLDER = re.compile(r"(?P<chapter>\d\d|[a-z]\d?)-[a-z]+(-[a-z0-9]+)*")
FILE = re.compile(r"[a-z]+(-[a-z0-9]+)*\.yaml")


def chapter(rule: str) -> str:
    """`8` of `wfb3:8.3-free`, `A1` of `nemesis:A1.5-hidden`."""
    return re.split(r"[.-]", rule.partition(":")[2])[0]


def chapter_of_folder(name: str) -> str:
    found = FOLDER.fullmatch(name)
    return found["chapter"].removeprefix("0").upper() if found else ""


def astray(game: str, folder: Path) -> list[str]:
    """What is wrong with where the case files of a game lie."""
    known = {chapter(rule.id) for rule in EVERY[game].rulebook.rules}
    wrong = []
    for path in find_files([folder]):
        place = path.relative_to(folder)
        if len(place.parts) != 2 or not FILE.fullmatch(place.name):
            wrong.append(f"{place}: is not a file with a plain name in the folder of a chapter")
        elif (number := chapter_of_folder(place.parts[0])) not in known:
            wrong.append(f"{place}: the book has no chapter of that number")
        else:
            wrong += [
                f"{place}: {case.id} is about chapter {chapter(case.text.rules[0])}"
                for case in read_file(path).cases
                if case.text.rules and chapter(case.text.rules[0]) != number
            ]
    return wrong


@pytest.mark.parametrize("game", list(EVERY))
def test_every_case_lies_in_its_chapter(game: str) -> None:
    assert astray(game, CASES / game) == []


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("loose.yaml", "is not a file with a plain name in the folder of a chapter"),
        ("08-rout/deeper/free-hits.yaml", "is not a file with a plain name in the folder of a chapter"),
        ("08-rout/08-free-hits.yaml", "is not a file with a plain name in the folder of a chapter"),
        ("rout/free-hits.yaml", "the book has no chapter of that number"),
        ("99-rout/free-hits.yaml", "the book has no chapter of that number"),
        ("07-rout/free-hits.yaml", "one is about chapter 8"),
    ],
)
def test_a_case_that_lies_elsewhere_is_found(place: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("id: one\ntitle: One.\nrules: [wfb3:8.3-free]\ngiven: {}\n", encoding="utf-8")
    assert astray("wfb3", tmp_path) == [f"{place}: {told}"]
    path.rename(tmp_path / "kept")
    right = tmp_path / "08-rout" / "free-hits.yaml"
    right.parent.mkdir(exist_ok=True)
    (tmp_path / "kept").rename(right)
    assert astray("wfb3", tmp_path) == []

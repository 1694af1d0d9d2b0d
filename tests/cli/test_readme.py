"""What the README shows in Python is true."""

from __future__ import annotations

import doctest
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_tells_the_truth() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 8 and failed == 0


def test_the_pictures_of_the_readme_exist() -> None:
    shown = [part.split(")")[0] for part in README.read_text(encoding="utf-8").split("](")[1:]]
    pictures = [path for path in shown if path.endswith((".png", ".svg"))]
    assert pictures and all((README.parent / path).is_file() for path in pictures)

"""Cases that do not hold in another frame, each with its reason: a line `trial case reason`, in known.txt.

    python -m tests.metamorphic [game …]

tries every case, prints the counts, and tells what fails unlisted and what is listed and holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grognard.check import Case, find_files, read_file

FOLDER = Path(__file__).parent
CASES = FOLDER.parent.parent / "cases"


def known() -> dict[tuple[str, str], str]:
    """The reason by trial and case."""
    lines = (FOLDER / "known.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return {(trial, name): reason for trial, name, reason in rows}


def cases(game: str) -> Iterator[Case]:
    for path in find_files([CASES / game]):
        yield from read_file(path).cases

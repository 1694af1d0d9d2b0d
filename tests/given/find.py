"""Finds a case that needs it for every key of `given` that has none yet: python -m tests.given.find."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from grognard.check import Case, find_files, read_file, run_case
from grognard.games import EVERY
from tests.given.keys import CASES, FOLDER, PLACES, broke, every, table, uses, without

#: How many cases are tried for a key, the shortest first.
TRIES = 80


def cases(game: str) -> list[Case]:
    """The cases of a game that begin with a situation, the shortest first."""
    found = [case for path in find_files([CASES / game]) for case in read_file(path).cases]
    found = [case for case in found if isinstance(case.text.given, dict)]
    return sorted(found, key=lambda case: (len(msgspec.json.encode(case.text)), case.id))


def needed(game: str, known: list[Case], key: str) -> str:
    """A case that does not hold without a key; rather one that can still be played without it."""
    refused = ""
    for case in [case for case in known if uses(case, key)][:TRIES]:
        outcome = run_case(EVERY[game], without(case, key))
        if outcome.passed or broke(outcome):
            continue
        if not any("cannot be set up" in failure.what for failure in outcome.failures):
            return case.id
        refused = refused or case.id
    return refused


def main() -> None:
    for game in sys.argv[1:] or PLACES:
        rows, known = table(game), cases(game)
        here = {case.id: Path(case.where.file).relative_to(CASES / game).as_posix() for case in known}
        rows = {key: row for key, row in rows.items() if row.case in here and key in every(game)}
        found = {key: row.case for key, row in rows.items()}
        for key in every(game):
            if key not in found and (name := needed(game, known, key)):
                found[key] = name
        lines = [f"{key} {here[found[key]]} {found[key]}\n" for key in every(game) if key in found]
        (FOLDER / f"{game}.txt").write_text("".join(lines), encoding="utf-8")
        print(game, "left:", *[key for key in every(game) if key not in found])


if __name__ == "__main__":
    main()

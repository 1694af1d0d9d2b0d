"""What the games really ask, roll and tell, seen by playing every case: `python -m tests.docs.observed GAME …`.

It is kept as data beside this file, so that the pages can list it without playing thousands of cases; the tests of the
pages play a few battles and hold it against them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grognard.check import find_files, run_file
from grognard.games import EVERY
from grognard.kernel.events import Event
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.driver import Driver
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Option, Order, Pick, Question, Roll, Split, Together
from grognard.kernel.ruleset import Ruleset
from grognard.players import RandomPlayer

HERE = Path(__file__).resolve().parent / "observed"
CASES = Path(__file__).resolve().parents[2] / "cases"
#: More kinds of options than these are things of the battle or the books, not words to learn.
MAX_OPTIONS = 40
#: So many rolls may come before one.
MAX_BEFORE = 14
PARTS = re.compile(r"([:>/,+ ])")


class Observed:
    """Questions with their options, rolls with what comes before them, kinds of events with their data."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.questions: dict[str, dict[str, Any]] = {}
        self.rolls: dict[str, dict[str, Any]] = {}
        self.events: dict[str, dict[str, None]] = {}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Whatever is played meanwhile is seen."""
        settle, note_roll, run = Driver._settle, Driver._note_roll, Driver._run
        mine = self

        def settled(driver: Driver, ask: Question | Together) -> Any:
            for question in ask.questions if isinstance(ask, Together) else (ask,):
                mine._question(question, driver.ruleset.names(driver.battle))
            return settle(driver, ask)

        def rolled(driver: Driver, roll: Roll, faces: tuple[int, ...]) -> None:
            mine._roll(roll, driver.events)
            note_roll(driver, roll, faces)

        def ran(driver: Driver, value: Any) -> None:
            before = len(driver.events)
            run(driver, value)
            for event in driver.events[before:]:
                mine._event(event)

        Driver._settle, Driver._note_roll, Driver._run = settled, rolled, ran  # type: ignore[method-assign,assignment]
        try:
            yield
        finally:
            Driver._settle, Driver._note_roll, Driver._run = settle, note_roll, run  # type: ignore[method-assign]

    def _question(self, question: Question, names: Mapping[str, str]) -> None:
        seen = self.questions.setdefault(question.name, {"kind": question.kind, "options": {}})
        if isinstance(question, Pick | Order | Split):
            for option in question.options:
                pattern = self._pattern(option.key, names)
                if len(seen["options"]) <= MAX_OPTIONS or pattern in seen["options"]:
                    seen["options"].setdefault(pattern, self._meaning(option, names))

    def _pattern(self, key: str, names: Mapping[str, str]) -> str:
        """An option's key with the things of this battle replaced by what they are."""
        if key in names:
            return "ID"
        return "".join(
            "ID" if part in names or part.partition(".")[0] in names else "N" if part.isdigit() else part
            for part in PARTS.split(key)
        )

    def _meaning(self, option: Option, names: Mapping[str, str]) -> str:
        if option.text:
            return self.ruleset.texts.get(option.text, "")
        return "" if option.key in names else self.ruleset.texts.get(f"name.{option.key}", "")

    def _roll(self, roll: Roll, events: list[Event]) -> None:
        seen = self.rolls.setdefault(roll.name, {"dice": {}, "after": {}})
        seen["dice"][f"{'' if roll.count == 1 else 'n'}D{roll.sides}"] = None
        before = next((e.data["name"] for e in reversed(events) if e.kind == "roll"), "")
        if before and len(seen["after"]) < MAX_BEFORE:
            seen["after"][before] = None

    def _event(self, event: Event) -> None:
        if event.kind != "roll":
            self.events.setdefault(event.kind, {}).update(dict.fromkeys(map(str, event.data)))

    def plain(self) -> dict[str, Any]:
        """As it is kept: sorted, so that it changes only where the game does."""
        asked = {
            name: {"kind": seen["kind"], "options": dict(sorted(seen["options"].items()))}
            for name, seen in sorted(self.questions.items())
        }
        rolls = {
            name: {"dice": sorted(seen["dice"]), "after": sorted(seen["after"])}
            for name, seen in sorted(self.rolls.items())
        }
        return {"questions": asked, "rolls": rolls, "events": {k: sorted(d) for k, d in sorted(self.events.items())}}


def kept(game: str) -> dict[str, Any]:
    """What was seen of a game."""
    held: dict[str, Any] = json.loads((HERE / f"{game}.json").read_text(encoding="utf-8"))
    return held


def play(ruleset: Ruleset, seed: int) -> None:
    """A whole battle by chance."""
    scenarios = list(ruleset.scenarios)
    setup = ruleset.default_setup(scenarios[seed % len(scenarios)] if scenarios else None, seed=seed)
    match = Match(ruleset, setup, dice=Seeded(seed), history="none")
    player = RandomPlayer(seed)
    while not match.over:
        match.answer(player.choose(match, match.question()))


def main(games: list[str]) -> None:
    HERE.mkdir(exist_ok=True)
    for game in games or list(EVERY):
        seen = Observed(EVERY[game])
        with seen.watching():
            for path in find_files([CASES / game]):
                run_file(path, EVERY)
            for seed in range(len(EVERY[game].scenarios) or 1):
                play(EVERY[game], seed)
        text = json.dumps(seen.plain(), ensure_ascii=False, indent=1)
        (HERE / f"{game}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

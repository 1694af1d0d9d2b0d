"""Little matches: any script at a table of two, for tests that need one question and not a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel.battle import Battle
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Option, Pick, Script, option
from tests.kernel.toy import Toy, ToyBattle

Told = Callable[[ToyBattle], Script[None]]


class Little(Toy):
    """The toy's table with a script of the test's own."""

    def __init__(self, script: Told) -> None:
        self._script = script

    def script(self, battle: Battle) -> Script[None]:
        assert isinstance(battle, ToyBattle)
        return self._script(battle)


def little(script: Told, **more: Any) -> Match:
    """A match of that script."""
    ruleset = Little(script)
    return Match(ruleset, ruleset.default_setup("duel"), **more)


def options(*keys: str) -> list[Option]:
    return [option(key) for key in keys]


def pick(seat: str, name: str, *keys: str, **more: Any) -> Pick:
    return Pick(seat, name, options(*keys), rule="toy:1", **more)

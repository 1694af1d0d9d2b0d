"""Warhammer Fantasy Battle, 3rd edition, as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grognard.games.wfb3 import cards, listbuilding, referee, secrets, telling
from grognard.games.wfb3 import given as givens
from grognard.games.wfb3 import house as houses
from grognard.games.wfb3 import invariants as checks
from grognard.games.wfb3 import measures as numbers
from grognard.games.wfb3 import odds as chances
from grognard.games.wfb3 import scene as scenes
from grognard.games.wfb3 import setup as setups
from grognard.games.wfb3 import state as states
from grognard.games.wfb3 import view as views
from grognard.games.wfb3.battle import PHASES, Battle
from grognard.games.wfb3.table_tools import Wfb3Tools
from grognard.games.wfb3.texts import TEXTS
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Question, Script
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.scene import Player, Scene
from grognard.kernel.tools import Tools

FOLDER = Path(__file__).resolve().parent


class Wfb3(Ruleset):
    """Warhammer Fantasy Battle, 3rd edition, for two sides and a referee."""

    id = "wfb3"
    title = "Warhammer Fantasy Battle, 3rd edition"
    unit = "inch"
    unit_mm = MM_PER_INCH
    version = "1"
    complete = True
    folder = FOLDER
    sequence_rule = "wfb3:4-phases"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = setups.SCENARIOS
    phases = PHASES
    referee = referee.SEAT
    odds_questions = chances.QUESTIONS
    not_lengths = Ruleset.not_lengths | {"pivot", "inside", "height"}

    def game_master(self, house: Mapping[str, Any]) -> str:
        """wfb3:1.1-gm  The book itself needs no chair."""
        return self.referee if house["referee"] == "person" else ""

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        return setups.create(setup, house)

    def from_given(self, given: Any, house: dict[str, Any]) -> Battle:
        return givens.create(given, house)

    def script(self, battle: KernelBattle) -> Script[None]:
        from grognard.games.wfb3 import sequence

        return sequence.game(_ours(battle))

    def view(self, battle: KernelBattle, seat: str | None) -> dict[str, Any]:
        return views.view(_ours(battle), seat)

    def scene(self, battle: KernelBattle, seat: str | None) -> Scene:
        return scenes.scene(_ours(battle), seat)

    def reckoning(self, battle: KernelBattle) -> tuple[Player, ...]:
        return scenes.sides(_ours(battle))

    def imagine(self, battle: KernelBattle, seat: str) -> Battle:
        return secrets.imagine(_ours(battle), seat)

    def guesses(self, battle: KernelBattle, seat: str, now: KernelBattle) -> Iterator[KernelBattle]:
        return secrets.guesses(_ours(battle), seat, _ours(now))

    def secrets(self, battle: KernelBattle) -> bool:
        return secrets.anything(_ours(battle))

    def result(self, battle: KernelBattle) -> dict[str, Any] | None:
        return _ours(battle).outcome

    def names(self, battle: KernelBattle) -> Mapping[str, str]:
        return views.names(_ours(battle))

    def precise(self, code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        return telling.precise(code, data)

    def invariants(self, battle: KernelBattle) -> list[str]:
        return checks.invariants(_ours(battle))

    def default_setup(self, scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
        return setups.default_setup(scenario, armies, seed)

    @property
    def tools(self) -> Tools:
        return Wfb3Tools()

    def armies(self) -> Mapping[str, Path]:
        return cards.starters()

    def check_army(self, army: dict[str, Any]) -> list[Finding]:
        return listbuilding.check_army(army)

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        return listbuilding.roster(army)

    def state(self, battle: KernelBattle, thing: str) -> dict[str, Any]:
        return states.state(_ours(battle), thing)

    def measure(self, battle: KernelBattle, what: str, arguments: dict[str, Any]) -> Any:
        return numbers.measure(_ours(battle), what, arguments)

    def score(self, battle: KernelBattle, question: Question, answer: Any) -> float | None:
        from grognard.games.wfb3 import sense

        return sense.score(_ours(battle), question, answer)

    def value(self, battle: KernelBattle, seat: str) -> float:
        from grognard.games.wfb3 import sense

        return sense.value(_ours(battle), seat)

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        return chances.weigh(what, arguments)


def _ours(battle: KernelBattle) -> Battle:
    assert isinstance(battle, Battle)
    return battle

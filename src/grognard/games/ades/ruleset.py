"""L'Âge des Escarmouches as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.ades import cards, listbuilding, odds, scenarios
from grognard.games.ades import given as givens
from grognard.games.ades import house as houses
from grognard.games.ades import invariants as checks
from grognard.games.ades import measures as numbers
from grognard.games.ades import scene as scenes
from grognard.games.ades import sense as senses
from grognard.games.ades import setup as setups
from grognard.games.ades import state as states
from grognard.games.ades import view as views
from grognard.games.ades.battle import PHASES, Battle
from grognard.games.ades.texts import TEXTS
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Question, Roll, Script
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.scene import Player, Scene
from grognard.kernel.tools import Tools

FOLDER = Path(__file__).resolve().parent


class Ades(Ruleset):
    """L'Âge des Escarmouches 0.7, for two players."""

    id = "ades"
    title = "L'Âge des Escarmouches"
    unit = "cm"
    unit_mm = MM_PER_CM
    version = "3"
    complete = True
    folder = FOLDER
    sequence_rule = "ades:3.2.2"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = scenarios.SCENARIOS
    phases = PHASES
    odds_questions = odds.QUESTIONS

    # ------------------------------------------------------------------ playing

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        return setups.create(setup, house)

    def from_given(self, given: Any, house: dict[str, Any]) -> Battle:
        return givens.create(given, house)

    def script(self, battle: KernelBattle) -> Script[None]:
        from grognard.games.ades import sequence

        return sequence.game(_ours(battle))

    def view(self, battle: KernelBattle, seat: str | None) -> dict[str, Any]:
        return views.view(_ours(battle), seat)

    def scene(self, battle: KernelBattle, seat: str | None) -> Scene:
        return scenes.scene(_ours(battle), seat)

    def reckoning(self, battle: KernelBattle) -> tuple[Player, ...]:
        return scenes.sides(_ours(battle), {})

    def imagine(self, battle: KernelBattle, seat: str) -> Battle:
        return views.imagine(_ours(battle), seat)

    def secrets(self, battle: KernelBattle) -> bool:
        """ades:4.1.4-visibility  The order of cards still lying face down."""
        return any(len(side.pile) > 1 for side in _ours(battle).sides.values())

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """A question as a sentence; dice that are called like a decision have one of their own."""
        code = f"dice.{question.name}"
        if not isinstance(question, Roll) or code not in self.texts:
            return super().prompt(question, names, language)
        about = {f"about{place}": thing for place, thing in enumerate(question.about)}
        return self.say(code, about, language, names)

    def called(self, battle: KernelBattle, name: str) -> str:
        """ades:4.3.2-combat  A combat, whatever the order in which its fighters are named: `b1:s2+s1` is `b1:s1+s2`."""
        one, colon, others = name.partition(":")
        order = {key: number for number, key in enumerate(_ours(battle).fighters)}
        foes = others.split("+")
        if not colon or one not in order or any(foe not in order for foe in foes):
            return name
        if len(foes) == 1:
            return ":".join(sorted((one, *foes), key=order.__getitem__))
        return f"{one}:{'+'.join(sorted(foes, key=order.__getitem__))}"

    def result(self, battle: KernelBattle) -> dict[str, Any] | None:
        return _ours(battle).outcome

    def names(self, battle: KernelBattle) -> Mapping[str, str]:
        return views.names(_ours(battle))

    def invariants(self, battle: KernelBattle) -> list[str]:
        return checks.invariants(_ours(battle))

    def default_setup(self, scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
        return setups.default_setup(scenario, armies, seed)

    # ------------------------------------------------------------------ army lists

    def armies(self) -> Mapping[str, Path]:
        return cards.starters()

    @property
    def tools(self) -> Tools:
        from grognard.games.ades.table_tools import AdesTools

        return AdesTools()

    def check_army(self, army: dict[str, Any]) -> list[Finding]:
        return listbuilding.check_army(army)

    def army_rules(self, army: Any) -> tuple[str, ...]:
        return listbuilding.army_rules(army)

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        """ades:2.5-content  Every line of a list with its value."""
        return listbuilding.roster(army)

    # ------------------------------------------------------------------ cases, odds

    def state(self, battle: KernelBattle, thing: str) -> dict[str, Any]:
        return states.state(_ours(battle), thing)

    def measure(self, battle: KernelBattle, what: str, arguments: dict[str, Any]) -> Any:
        return numbers.measure(_ours(battle), what, arguments)

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        return odds.weigh(what, arguments)

    # ------------------------------------------------------------------ players

    def score(self, battle: KernelBattle, question: Question, answer: Any) -> float | None:
        return senses.score(_ours(battle), question, answer)

    def value(self, battle: KernelBattle, seat: str) -> float:
        return senses.value(_ours(battle), seat)


def _ours(battle: KernelBattle) -> Battle:
    assert isinstance(battle, Battle)
    return battle

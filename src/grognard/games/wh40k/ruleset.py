"""Warhammer 40,000 core rules as the rest of the house sees them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.wh40k import cards, listbuilding, mission, odds, telling
from grognard.games.wh40k import given as givens
from grognard.games.wh40k import house as houses
from grognard.games.wh40k import invariants as checks
from grognard.games.wh40k import measures as numbers
from grognard.games.wh40k import scene as scenes
from grognard.games.wh40k import sense as senses
from grognard.games.wh40k import setup as setups
from grognard.games.wh40k import state as states
from grognard.games.wh40k import view as views
from grognard.games.wh40k.battle import PHASES, Battle
from grognard.games.wh40k.stratagems import PRICES
from grognard.games.wh40k.texts import TEXTS
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Pick, Question, Roll, Script
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.scene import Player, Scene
from grognard.kernel.tools import Tools

#: Events that are about one model, or about a Leader or his Bodyguards apart.
OF_ONE = (
    "attached", "attack.saved", "demise", "detachment.healed", "model.destroyed", "unit.destroyed", "warlord",
    "wound.ignored", "wound.lost",
)  # fmt: skip

FOLDER = Path(__file__).resolve().parent


class Wh40k(Ruleset):
    """Warhammer 40,000, 10th edition, core rules, for two players."""

    id = "wh40k"
    title = "Warhammer 40,000"
    unit = "inch"
    unit_mm = MM_PER_INCH
    version = "2"
    complete = True
    folder = FOLDER
    sequence_rule = "wh40k:2.3-phases"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = mission.MISSIONS
    phases = PHASES
    odds_questions = odds.QUESTIONS

    # ------------------------------------------------------------------ playing

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        return setups.create(setup, house)

    def from_given(self, given: Any, house: dict[str, Any]) -> Battle:
        return givens.create(given, house)

    def script(self, battle: KernelBattle) -> Script[None]:
        from grognard.games.wh40k import sequence

        return sequence.game(_ours(battle))

    def view(self, battle: KernelBattle, seat: str | None) -> dict[str, Any]:
        return views.view(_ours(battle), seat)

    def scene(self, battle: KernelBattle, seat: str | None) -> Scene:
        return scenes.scene(_ours(battle), seat)

    def reckoning(self, battle: KernelBattle) -> tuple[Player, ...]:
        return scenes.sides(_ours(battle), {})

    def imagine(self, battle: KernelBattle, seat: str) -> Battle:
        return views.imagine(_ours(battle), seat)

    def called(self, battle: KernelBattle, name: str) -> str:
        """wh40k:12.5.4-single-unit  A Leader that is attached goes by the name of the unit he is in."""
        before, colon, unit = name.rpartition(":")
        known = _ours(battle).units.get(unit)
        return f"{before}{colon}{known.leading}" if known is not None and known.leading is not None else name

    def also_about(self, battle: KernelBattle, event: Event) -> tuple[str, ...]:
        """wh40k:12.5.4-single-unit  What a unit does, and what is done to it, its Leader has part in."""
        ours = _ours(battle)
        alone = event.kind in OF_ONE or event.data.get("name") in ("save", "damage", "feel-no-pain", "demise")
        units = [ours.units[key] for key in event.about if key in ours.units and not alone]
        return tuple(unit.leader for unit in units if unit.leader is not None)

    def forgotten(self, battle: KernelBattle) -> Battle:
        from grognard.games.wh40k import sequence

        after = _ours(battle).copy()
        sequence.forget(after)
        return after

    def secrets(self, battle: KernelBattle) -> bool:
        """wh40k:19.4-formations  Only declarations not yet revealed are secret."""
        return any(_ours(battle).plans.values())

    def result(self, battle: KernelBattle) -> dict[str, Any] | None:
        return _ours(battle).outcome

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """wh40k:13.1.1-cost  Whoever is asked whether to use a Stratagem is told its price."""
        said = super().prompt(question, names, language)
        cost = PRICES.get(question.rule) if isinstance(question, Pick) and not question.least else None
        return said if cost is None else self.say("ask.price", {"prompt": said, "cost": cost}, language, names)

    def precise(self, code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        return telling.precise(code, data)

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
        from grognard.games.wh40k.table_tools import Wh40kTools

        return Wh40kTools()

    def check_army(self, army: dict[str, Any]) -> list[Finding]:
        return listbuilding.check_army(army)

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        """wh40k:18.2-roster  Every unit of a list with its models and points."""
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

"""The Ninth Age as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.t9a import cards, listbuilding, telling
from grognard.games.t9a import given as givens
from grognard.games.t9a import house as houses
from grognard.games.t9a import invariants as checks
from grognard.games.t9a import measures as numbers
from grognard.games.t9a import setup as setups
from grognard.games.t9a import state as states
from grognard.games.t9a import view as views
from grognard.games.t9a.battle import PHASES, TURN, Battle
from grognard.games.t9a.odds import QUESTIONS
from grognard.games.t9a.texts import TEXTS
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Question, Roll, Script
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.scene import Player, Scene
from grognard.kernel.tools import Tools

FOLDER = Path(__file__).resolve().parent


class T9a(Ruleset):
    """The Ninth Age: Fantasy Battles, 2nd edition 2023, for two players."""

    id = "t9a"
    title = "The Ninth Age: Fantasy Battles"
    unit = "inch"
    unit_mm = MM_PER_INCH
    version = "1"
    complete = True
    folder = FOLDER
    sequence_rule = "t9a:2.A.a"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = setups.FORMATS
    phases = PHASES
    odds_questions = QUESTIONS
    not_lengths = Ruleset.not_lengths | {"seats", "reform", "rear"}

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        return setups.create(setup, house)

    def from_given(self, given: Any, house: dict[str, Any]) -> Battle:
        return givens.create(given, house)

    def script(self, battle: KernelBattle) -> Script[None]:
        from grognard.games.t9a import sequence

        return sequence.game(_ours(battle))

    def view(self, battle: KernelBattle, seat: str | None) -> dict[str, Any]:
        return views.view(_ours(battle), seat)

    def scene(self, battle: KernelBattle, seat: str | None) -> Scene:
        from grognard.games.t9a import scene

        return scene.scene(_ours(battle), seat)

    def reckoning(self, battle: KernelBattle) -> tuple[Player, ...]:
        from grognard.games.t9a import scene

        return scene.sides(_ours(battle))

    def forgotten(self, battle: KernelBattle) -> Battle:
        from grognard.games.t9a import sequence

        after = _ours(battle).copy()
        if after.phase in TURN:
            sequence.forget(after)
        return after

    def result(self, battle: KernelBattle) -> dict[str, Any] | None:
        return _ours(battle).outcome

    def names(self, battle: KernelBattle) -> Mapping[str, str]:
        return views.names(_ours(battle))

    def precise(self, code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        return telling.precise(code, data)

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """A question as a sentence; dice tell whose they are and against whom, where their text does not."""
        asked = super().prompt(question, names, language)
        text = self.texts.get(f"ask.{question.name}", "")
        who = [key for key in question.about if key != question.seat]
        if not isinstance(question, Roll) or not who or "{about" in text:
            return asked
        facts = {f"about{place}": key for place, key in enumerate(who)}
        code = "ask.dice.against" if len(who) > 1 else "ask.dice.of"
        return self.say(code, {"what": asked, **facts}, language, names)

    def invariants(self, battle: KernelBattle) -> list[str]:
        return checks.invariants(_ours(battle))

    def default_setup(self, scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
        return setups.default_setup(scenario, armies, seed)

    def armies(self) -> Mapping[str, Path]:
        return cards.starters()

    @property
    def tools(self) -> Tools:
        from grognard.games.t9a.table_tools import T9aTools

        return T9aTools()

    def check_army(self, army: Any) -> list[Finding]:
        return listbuilding.check_army(army)

    def army_rules(self, army: Any) -> tuple[str, ...]:
        return listbuilding.army_rules(army)

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        """t9a:8.A.a  Every unit of a list with its points."""
        loaded = cards.load_army(army)
        found = []
        for unit in loaded.units:
            command = [
                w
                for w, has in (("champion", unit.champion), ("musician", unit.musician), ("standard", unit.standard))
                if has
            ]
            marks = [w for w, has in (("general", unit.general), ("battle standard", unit.bsb)) if has]
            notes = (*marks, *command, *unit.options, *(n for n, _ in unit.items), *unit.banner)
            found.append(RosterLine(unit.name, unit.profile.name, unit.models, unit.points, tuple(notes)))
        return found

    def state(self, battle: KernelBattle, thing: str) -> dict[str, Any]:
        return states.state(_ours(battle), thing)

    def measure(self, battle: KernelBattle, what: str, arguments: dict[str, Any]) -> Any:
        return numbers.measure(_ours(battle), what, arguments)

    def score(self, battle: KernelBattle, question: Question, answer: Any) -> float | None:
        from grognard.games.t9a import sense

        return sense.score(_ours(battle), question, answer)

    def value(self, battle: KernelBattle, seat: str) -> float:
        from grognard.games.t9a import sense

        return sense.value(_ours(battle), seat)

    def weigh(self, what: str, arguments: dict[str, Any]) -> Odds:
        from grognard.games.t9a import odds

        return odds.weigh(what, arguments)


def _ours(battle: KernelBattle) -> Battle:
    assert isinstance(battle, Battle)
    return battle

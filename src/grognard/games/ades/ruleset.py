"""L'Âge des Escarmouches as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.ades import house as houses
from grognard.games.ades import odds, sequence
from grognard.games.ades import sense as senses
from grognard.games.ades.army import cards, listbuilding
from grognard.games.ades.battle import PHASES, Battle
from grognard.games.ades.cases import given as givens
from grognard.games.ades.cases import invariants as checks
from grognard.games.ades.cases import measures as numbers
from grognard.games.ades.cases import state as states
from grognard.games.ades.scenarios import scenarios
from grognard.games.ades.scenarios import setup as setups
from grognard.games.ades.screen import scene as scenes
from grognard.games.ades.screen import tools
from grognard.games.ades.screen import view as views
from grognard.games.ades.texts import TEXTS
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Question, Roll
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.scene import Player
from grognard.kernel.screen.tools import Tools

FOLDER = Path(__file__).resolve().parent


class Ades(Ruleset[Battle]):
    """L'Âge des Escarmouches 0.7, for two players."""

    id = "ades"
    title = "L'Âge des Escarmouches"
    unit = "cm"
    unit_mm = MM_PER_CM
    bounds = Bounds(unit=60, models=300, units=100)
    version = "4"
    complete = True
    folder = FOLDER
    sequence_rule = "ades:3.2.2"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = scenarios.SCENARIOS
    phases = PHASES
    odds_questions = odds.QUESTIONS

    # ------------------------------------------------------------------ playing

    from_setup = staticmethod(setups.create)
    from_given = staticmethod(givens.create)
    script = staticmethod(sequence.game)
    view = staticmethod(views.view)
    scene = staticmethod(scenes.scene)

    def reckoning(self, battle: Battle) -> tuple[Player, ...]:
        return scenes.sides(battle, {})

    imagine = staticmethod(views.imagine)

    def secrets(self, battle: Battle) -> bool:
        """ades:4.1.4-visibility  The order of cards still lying face down."""
        return any(len(side.pile) > 1 for side in battle.sides.values())

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """A question as a sentence; dice that are called like a decision have one of their own."""
        code = f"dice.{question.name}"
        if not isinstance(question, Roll) or code not in self.texts:
            return super().prompt(question, names, language)
        about = {f"about{place}": thing for place, thing in enumerate(question.about)}
        return self.say(code, about, language, names)

    def called(self, battle: Battle, name: str) -> str:
        """A combat, whatever the order in which its fighters are named: `b1:s2+s1` is `b1:s1+s2`."""
        one, colon, others = name.partition(":")
        order = {key: number for number, key in enumerate(battle.fighters)}
        foes = others.split("+")
        if not colon or one not in order or any(foe not in order for foe in foes):
            return name
        if len(foes) == 1:
            return ":".join(sorted((one, *foes), key=order.__getitem__))
        return f"{one}:{'+'.join(sorted(foes, key=order.__getitem__))}"

    def result(self, battle: Battle) -> dict[str, Any] | None:
        return battle.outcome

    names = staticmethod(views.names)
    invariants = staticmethod(checks.invariants)
    default_setup = staticmethod(setups.default_setup)

    # ------------------------------------------------------------------ army lists

    armies = staticmethod(cards.starters)

    @property
    def tools(self) -> Tools:
        return tools.AdesTools()

    check_army = staticmethod(listbuilding.check_army)
    army_rules = staticmethod(listbuilding.army_rules)
    #: ades:2.5-content Every line of a list with its value.
    roster = staticmethod(listbuilding.roster)

    # ------------------------------------------------------------------ cases, odds

    state = staticmethod(states.state)
    measure = staticmethod(numbers.measure)
    weigh = staticmethod(odds.weigh)

    # ------------------------------------------------------------------ players

    score = staticmethod(senses.score)
    value = staticmethod(senses.value)

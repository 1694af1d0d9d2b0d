"""The Ninth Age as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.t9a import house as houses
from grognard.games.t9a import listbuilding, odds, sense, sequence
from grognard.games.t9a.army import cards
from grognard.games.t9a.battle import PHASES, Battle
from grognard.games.t9a.cases import given as givens
from grognard.games.t9a.cases import invariants as checks
from grognard.games.t9a.cases import measures as numbers
from grognard.games.t9a.cases import state as states
from grognard.games.t9a.odds import QUESTIONS
from grognard.games.t9a.screen import scene as scenes
from grognard.games.t9a.screen import tools, wording
from grognard.games.t9a.screen import view as views
from grognard.games.t9a.setup import setup as setups
from grognard.games.t9a.texts import TEXTS
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.questions import Question, Roll
from grognard.kernel.ruleset import RosterLine, Ruleset
from grognard.kernel.screen.tools import Tools

FOLDER = Path(__file__).resolve().parent


class T9a(Ruleset[Battle]):
    """t9a:1.A, t9a:1.B  The Ninth Age: Fantasy Battles, 2nd edition 2023, for two players."""

    id = "t9a"
    title = "The Ninth Age: Fantasy Battles"
    unit = "inch"
    unit_mm = MM_PER_INCH
    bounds = Bounds(unit=200, models=1200, units=100)
    version = "2"
    complete = True
    folder = FOLDER
    sequence_rule = "t9a:2.A.a"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = setups.FORMATS
    phases = PHASES
    odds_questions = QUESTIONS
    not_lengths = Ruleset.not_lengths | {"seats", "reform", "rear"}

    from_setup = staticmethod(setups.create)
    from_given = staticmethod(givens.create)
    script = staticmethod(sequence.game)
    view = staticmethod(views.view)
    scene = staticmethod(scenes.scene)
    reckoning = staticmethod(scenes.sides)

    def result(self, battle: Battle) -> dict[str, Any] | None:
        return battle.outcome

    names = staticmethod(views.names)
    precise = staticmethod(wording.precise)

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

    invariants = staticmethod(checks.invariants)
    default_setup = staticmethod(setups.default_setup)
    armies = staticmethod(cards.starters)

    @property
    def tools(self) -> Tools:
        return tools.T9aTools()

    check_army = staticmethod(listbuilding.check_army)
    army_rules = staticmethod(listbuilding.army_rules)

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

    state = staticmethod(states.state)
    measure = staticmethod(numbers.measure)
    score = staticmethod(sense.score)
    value = staticmethod(sense.value)
    weigh = staticmethod(odds.weigh)

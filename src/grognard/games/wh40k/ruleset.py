"""Warhammer 40,000 core rules as the rest of the house sees them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.wh40k import house as houses
from grognard.games.wh40k import listbuilding, odds, sequence
from grognard.games.wh40k import sense as senses
from grognard.games.wh40k.army import cards
from grognard.games.wh40k.battle import PHASES, Battle
from grognard.games.wh40k.cases import given as givens
from grognard.games.wh40k.cases import invariants as checks
from grognard.games.wh40k.cases import measures as numbers
from grognard.games.wh40k.cases import state as states
from grognard.games.wh40k.command.stratagems import PRICES
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.screen import scene as scenes
from grognard.games.wh40k.screen import tools, wording
from grognard.games.wh40k.screen import view as views
from grognard.games.wh40k.setup import setup as setups
from grognard.games.wh40k.texts import TEXTS
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.questions import Pick, Question, Roll
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.scene import Player
from grognard.kernel.screen.tools import Tools

#: Events that are about one model, or about a Leader or his Bodyguards apart.
OF_ONE = (
    "attached", "attack.saved", "demise", "detachment.healed", "model.destroyed", "unit.destroyed", "warlord",
    "wound.ignored", "wound.lost",
)  # fmt: skip

FOLDER = Path(__file__).resolve().parent


class Wh40k(Ruleset[Battle]):
    """wh40k:0.2-summary, wh40k:0.4-tips  Warhammer 40,000, 10th edition, core rules, for two players."""

    id = "wh40k"
    title = "Warhammer 40,000"
    unit = "inch"
    unit_mm = MM_PER_INCH
    bounds = Bounds(unit=100, models=600, units=100)
    version = "3"
    complete = True
    folder = FOLDER
    sequence_rule = "wh40k:2.3-phases"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = mission.MISSIONS
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

    def called(self, battle: Battle, name: str) -> str:
        """wh40k:12.5.4-single-unit  A Leader that is attached goes by the name of the unit he is in."""
        before, colon, unit = name.rpartition(":")
        known = battle.units.get(unit)
        return f"{before}{colon}{known.leading}" if known is not None and known.leading is not None else name

    def also_about(self, battle: Battle, event: Event) -> tuple[str, ...]:
        """wh40k:12.5.4-single-unit  What a unit does, and what is done to it, its Leader has part in."""
        ours = battle
        alone = event.kind in OF_ONE or event.data.get("name") in ("save", "damage", "feel-no-pain", "demise")
        units = [ours.units[key] for key in event.about if key in ours.units and not alone]
        return tuple(unit.leader for unit in units if unit.leader is not None)

    def secrets(self, battle: Battle) -> bool:
        """wh40k:19.4-formations  Only declarations not yet revealed are secret."""
        return any(battle.plans.values())

    def result(self, battle: Battle) -> dict[str, Any] | None:
        return battle.outcome

    def prompt(self, question: Question | Roll, names: Mapping[str, str], language: str = "en") -> str:
        """wh40k:13.1.1-cost  Whoever is asked whether to use a Stratagem is told its price."""
        said = super().prompt(question, names, language)
        cost = PRICES.get(question.rule) if isinstance(question, Pick) and not question.least else None
        return said if cost is None else self.say("ask.price", {"prompt": said, "cost": cost}, language, names)

    precise = staticmethod(wording.precise)
    names = staticmethod(views.names)
    invariants = staticmethod(checks.invariants)
    default_setup = staticmethod(setups.default_setup)

    # ------------------------------------------------------------------ army lists

    armies = staticmethod(cards.starters)

    @property
    def tools(self) -> Tools:
        return tools.Wh40kTools()

    check_army = staticmethod(listbuilding.check_army)
    #: wh40k:18.2-roster Every unit of a list with its models and points.
    roster = staticmethod(listbuilding.roster)

    # ------------------------------------------------------------------ cases, odds

    state = staticmethod(states.state)
    measure = staticmethod(numbers.measure)
    weigh = staticmethod(odds.weigh)

    # ------------------------------------------------------------------ players

    score = staticmethod(senses.score)
    value = staticmethod(senses.value)

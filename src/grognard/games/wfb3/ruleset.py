"""Warhammer Fantasy Battle, 3rd edition, as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.wfb3 import house as houses
from grognard.games.wfb3 import listbuilding, referee, sense, sequence
from grognard.games.wfb3 import odds as chances
from grognard.games.wfb3.army import cards
from grognard.games.wfb3.battle import PHASES, Battle
from grognard.games.wfb3.cases import given as givens
from grognard.games.wfb3.cases import invariants as checks
from grognard.games.wfb3.cases import measures as numbers
from grognard.games.wfb3.cases import state as states
from grognard.games.wfb3.screen import scene as scenes
from grognard.games.wfb3.screen import view as views
from grognard.games.wfb3.screen import wording
from grognard.games.wfb3.screen.tools import Wfb3Tools
from grognard.games.wfb3.setup import setup as setups
from grognard.games.wfb3.texts import TEXTS
from grognard.games.wfb3.troops import secrets
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.tools import Tools

FOLDER = Path(__file__).resolve().parent


class Wfb3(Ruleset[Battle]):
    """Warhammer Fantasy Battle, 3rd edition, for two sides and a referee."""

    id = "wfb3"
    title = "Warhammer Fantasy Battle, 3rd edition"
    unit = "inch"
    unit_mm = MM_PER_INCH
    bounds = Bounds(
        unit=500, models=2000, units=200, counts={"levels": 20, "civilians": 200, "handlers": 50}, each=("crew",)
    )
    version = "2"
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

    from_setup = staticmethod(setups.create)
    from_given = staticmethod(givens.create)
    script = staticmethod(sequence.game)
    view = staticmethod(views.view)
    scene = staticmethod(scenes.scene)
    reckoning = staticmethod(scenes.sides)
    unknown = staticmethod(secrets.unknown)
    setup_for = staticmethod(secrets.setup_for)
    doubts = staticmethod(secrets.doubts)
    imagine = staticmethod(secrets.imagine)
    guesses = staticmethod(secrets.guesses)
    secrets = staticmethod(secrets.anything)

    def result(self, battle: Battle) -> dict[str, Any] | None:
        return battle.outcome

    names = staticmethod(views.names)
    precise = staticmethod(wording.precise)
    invariants = staticmethod(checks.invariants)
    default_setup = staticmethod(setups.default_setup)

    @property
    def tools(self) -> Tools:
        return Wfb3Tools()

    armies = staticmethod(cards.starters)
    check_army = staticmethod(listbuilding.check_army)
    roster = staticmethod(listbuilding.roster)
    state = staticmethod(states.state)
    measure = staticmethod(numbers.measure)
    score = staticmethod(sense.score)
    value = staticmethod(sense.value)
    weigh = staticmethod(chances.weigh)

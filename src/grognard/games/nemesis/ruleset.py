"""Némésis as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.nemesis import house as houses
from grognard.games.nemesis import odds, sense, sequence
from grognard.games.nemesis.army import cards
from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.cases import given as givens
from grognard.games.nemesis.cases import invariants as checks
from grognard.games.nemesis.cases import measures as numbers
from grognard.games.nemesis.cases import state as states
from grognard.games.nemesis.magic import spells
from grognard.games.nemesis.magic.spells import SPELLS
from grognard.games.nemesis.odds import QUESTIONS
from grognard.games.nemesis.screen import scene as scenes
from grognard.games.nemesis.screen import tools
from grognard.games.nemesis.screen import view as views
from grognard.games.nemesis.setup import listbuilding, missions
from grognard.games.nemesis.setup import setup as setups
from grognard.games.nemesis.texts import TEXTS
from grognard.kernel.data.bounds import Bounds
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.ruleset import RosterLine, Ruleset
from grognard.kernel.screen.tools import Tools
from grognard.kernel.words import texts

FOLDER = Path(__file__).resolve().parent

#: General rules, and how the ids begin of those in which they have their say: an ability that acts is on its model's
#: profile, of one of the two classes, and stands in for the ordinary rules; a modifier is a line of its table.
GENERAL = {
    "nemesis:5.1-abilities": ("nemesis:A1.",), "nemesis:A1-override": ("nemesis:A1.",),
    "nemesis:A1-class": ("nemesis:A1.",), "nemesis:A1.4-right-hand": ("nemesis:A1.4-right-hand-",),
    "nemesis:A1.5-hidden": ("nemesis:A1.5-hidden-",), "nemesis:17.4": ("nemesis:17.4-",),
    "nemesis:18-banned": ("nemesis:18-banned-",), "nemesis:19.2-mods": ("nemesis:19.2-mod-",),
    "nemesis:3.3-one": ("nemesis:3.3-one-", "nemesis:3.3-defence-one"), "nemesis:4-cm": ("nemesis:4-", "nemesis:5.1-M"),
}  # fmt: skip


class Nemesis(Ruleset[Battle]):
    """Némésis 1.0 by Zenit, for any number of players."""

    id = "nemesis"
    title = "Némésis"
    unit = "cm"
    unit_mm = MM_PER_CM
    bounds = Bounds(unit=200, models=600, units=100)
    version = "2"
    complete = True
    folder = FOLDER
    sequence_rule = "nemesis:10-activation"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = missions.SCENARIOS
    phases = PHASES
    odds_questions = QUESTIONS
    seats = (2, 9)

    @property
    def tools(self) -> Tools:
        return tools.NemesisTools()

    # ------------------------------------------------------------------ playing

    from_setup = staticmethod(setups.create)
    from_given = staticmethod(givens.create)
    script = staticmethod(sequence.game)
    view = staticmethod(views.view)
    scene = staticmethod(scenes.scene)
    reckoning = staticmethod(scenes.sides)

    def result(self, battle: Battle) -> dict[str, Any] | None:
        return battle.outcome

    names = staticmethod(views.names)

    def named(self, battle: Battle, language: str) -> Mapping[str, str]:
        """Lists write units small; in a sentence they are names: Where are Halberdiers deployed? So have spells theirs.

        What several sides field is told apart by its side, sides of one name by their colours.
        """
        ours, names = battle, dict(super().named(battle, language))
        cast = {key: key for key in SPELLS} | {lying.id: lying.spell for lying in ours.enchantments}
        names |= {key: texts.name_in(SPELLS[spell].name, language, self.id) for key, spell in cast.items()}
        names["pc"] = self.say("word.command point", {}, language)  # the head of an answer's key, before a hero's name
        for seat in views.namesakes(ours.sides.values(), lambda side: side.name):
            names[seat] = self.say("name.coloured", {"name": names[seat], "seat": seat}, language)
        shared = views.namesakes(ours.units.values(), lambda unit: unit.name.lower(), lambda unit: unit.seat)
        for unit in (ours.units[key] for key in shared):
            plain, facts = names[unit.id], {"what": names[unit.id], "name": names[unit.seat]}
            names[unit.id] = self.say("name.of", facts, language)
            for model in (m.id for m in ours.models.values() if m.home == unit.id and m.id != unit.id):
                names[model] = names[unit.id] + names[model].removeprefix(plain)
        return {
            key: _as_a_name(name, language) if key in ours.units or key in ours.models else name
            for key, name in names.items()
        }

    def precise(self, code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """An order without a target is told without one."""
        alone = code == "event.order.given" and not data.get("target")
        return (f"{code}-alone" if alone else code), data

    invariants = staticmethod(checks.invariants)
    default_setup = staticmethod(setups.default_setup)

    # ------------------------------------------------------------------ army lists

    armies = staticmethod(cards.starters)
    check_army = staticmethod(listbuilding.check_army)
    army_rules = staticmethod(listbuilding.army_rules)

    def speaks_through(self, rule: str) -> tuple[str, ...]:
        return GENERAL.get(rule, ())

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        """nemesis:5.1-cost  Every line of a list with its points, spells and stones."""
        loaded = cards.load_army(army)
        lines, found = [], cards.recruits(loaded)
        commander = listbuilding.commander_of(loaded, found)
        for recruit in found:
            entry = recruit.entry
            notes = ["commander"] if commander == recruit.name else []
            notes += [SPELLS[key].name if key in SPELLS else key for key in entry.spells]
            what = ", ".join(dict.fromkeys(card.name for card in recruit.cards))
            count, points = len(recruit.cards), recruit.cost
            lines.append(RosterLine(recruit.name, what, count, points, tuple(notes), entry.joins or ""))
        return lines

    # ------------------------------------------------------------------ cases, odds, players

    def called(self, battle: Battle, name: str) -> str:
        """nemesis:14.4-declare  A spell is announced by its key, its number or its name."""
        return spells.called(battle, _lone(battle, name))

    def also_about(self, battle: Battle, event: Event) -> tuple[str, ...]:
        """What is about a model is about its unit, and a unit's only model may be called by its number."""
        models = [battle.models[key] for key in event.about if key in battle.models]
        return tuple(f"{m.id}.1" if m.id == m.home else m.home for m in models)

    def state(self, battle: Battle, thing: str) -> dict[str, Any]:
        return states.state(battle, _lone(battle, thing))

    def measure(self, battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
        said = {key: _lone(battle, name) for key, name in arguments.items()}
        return numbers.measure(battle, what, said)

    weigh = staticmethod(odds.weigh)
    score = staticmethod(sense.score)
    value = staticmethod(sense.value)


def _as_a_name(written: str, language: str) -> str:
    """What lists write as one small word, as it stands in a sentence: Barrow king."""
    plain = written.replace("-", " ") if language == "en" else written
    return plain[:1].upper() + plain[1:]


def _lone(battle: Battle, name: Any) -> Any:
    """A unit's only model by the name it has, where it is called by its number."""
    if not isinstance(name, str) or name in battle.models:
        return name
    unit, _, number = name.rpartition(".")
    return unit if number == "1" and unit in battle.models and unit in battle.units else name

"""Némésis as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grognard.games.nemesis import cards, listbuilding, scenarios
from grognard.games.nemesis import given as givens
from grognard.games.nemesis import house as houses
from grognard.games.nemesis import invariants as checks
from grognard.games.nemesis import measures as numbers
from grognard.games.nemesis import scene as scenes
from grognard.games.nemesis import setup as setups
from grognard.games.nemesis import state as states
from grognard.games.nemesis import view as views
from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.odds import QUESTIONS
from grognard.games.nemesis.texts import TEXTS
from grognard.kernel import texts
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.events import Event
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Question, Script
from grognard.kernel.ruleset import Finding, RosterLine, Ruleset
from grognard.kernel.scene import Player, Scene
from grognard.kernel.tools import Tools

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


class Nemesis(Ruleset):
    """Némésis 1.0 by Zenit, for any number of players."""

    id = "nemesis"
    title = "Némésis"
    unit = "cm"
    unit_mm = MM_PER_CM
    version = "1"
    complete = True
    folder = FOLDER
    sequence_rule = "nemesis:10-activation"
    texts = TEXTS
    house_rules = houses.HOUSE_RULES
    scenarios = scenarios.SCENARIOS
    phases = PHASES
    odds_questions = QUESTIONS
    seats = (2, 9)

    @property
    def tools(self) -> Tools:
        from grognard.games.nemesis.table_tools import NemesisTools

        return NemesisTools()

    # ------------------------------------------------------------------ playing

    def from_setup(self, setup: dict[str, Any], house: dict[str, Any]) -> Battle:
        return setups.create(setup, house)

    def from_given(self, given: Any, house: dict[str, Any]) -> Battle:
        return givens.create(given, house)

    def script(self, battle: KernelBattle) -> Script[None]:
        from grognard.games.nemesis import sequence

        return sequence.game(_ours(battle))

    def view(self, battle: KernelBattle, seat: str | None) -> dict[str, Any]:
        return views.view(_ours(battle), seat)

    def scene(self, battle: KernelBattle, seat: str | None) -> Scene:
        return scenes.scene(_ours(battle), seat)

    def reckoning(self, battle: KernelBattle) -> tuple[Player, ...]:
        return scenes.sides(_ours(battle))

    def result(self, battle: KernelBattle) -> dict[str, Any] | None:
        return _ours(battle).outcome

    def names(self, battle: KernelBattle) -> Mapping[str, str]:
        return views.names(_ours(battle))

    def named(self, battle: KernelBattle, language: str) -> Mapping[str, str]:
        """Lists write units small; in a sentence they are names: Where are Halberdiers deployed? So have spells theirs.

        What several sides field is told apart by its side, sides of one name by their colours.
        """
        from grognard.games.nemesis.spells import SPELLS

        ours, names = _ours(battle), dict(super().named(battle, language))
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

    def invariants(self, battle: KernelBattle) -> list[str]:
        return checks.invariants(_ours(battle))

    def default_setup(self, scenario: str | None = None, armies: tuple[Any, ...] = (), seed: int = 0) -> dict[str, Any]:
        return setups.default_setup(scenario, armies, seed)

    # ------------------------------------------------------------------ army lists

    def armies(self) -> Mapping[str, Path]:
        return cards.starters()

    def check_army(self, army: Any) -> list[Finding]:
        return listbuilding.check_army(army)

    def army_rules(self, army: Any) -> tuple[str, ...]:
        return listbuilding.army_rules(army)

    def speaks_through(self, rule: str) -> tuple[str, ...]:
        return GENERAL.get(rule, ())

    def roster(self, army: dict[str, Any]) -> list[RosterLine]:
        """nemesis:5.1-cost  Every line of a list with its points, spells and stones."""
        from grognard.games.nemesis.spells import SPELLS

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

    def called(self, battle: KernelBattle, name: str) -> str:
        """nemesis:14.4-declare  A spell is announced by its key, its number or its name."""
        from grognard.games.nemesis import spells

        return spells.called(_ours(battle), _lone(_ours(battle), name))

    def also_about(self, battle: KernelBattle, event: Event) -> tuple[str, ...]:
        """What is about a model is about its unit, and a unit's only model may be called by its number."""
        models = [_ours(battle).models[key] for key in event.about if key in _ours(battle).models]
        return tuple(f"{m.id}.1" if m.id == m.home else m.home for m in models)

    def state(self, battle: KernelBattle, thing: str) -> dict[str, Any]:
        return states.state(_ours(battle), _lone(_ours(battle), thing))

    def measure(self, battle: KernelBattle, what: str, arguments: dict[str, Any]) -> Any:
        said = {key: _lone(_ours(battle), name) for key, name in arguments.items()}
        return numbers.measure(_ours(battle), what, said)

    def weigh(self, what: str, arguments: dict[str, Any]) -> Any:
        from grognard.games.nemesis import odds

        return odds.weigh(what, arguments)

    def score(self, battle: KernelBattle, question: Question, answer: Any) -> float | None:
        from grognard.games.nemesis import sense

        return sense.score(_ours(battle), question, answer)

    def value(self, battle: KernelBattle, seat: str) -> float:
        from grognard.games.nemesis import sense

        return sense.value(_ours(battle), seat)


def _ours(battle: KernelBattle) -> Battle:
    assert isinstance(battle, Battle)
    return battle


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

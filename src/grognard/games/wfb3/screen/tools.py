"""What the table offers beside the questions; nothing is measured before it matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grognard.games.wfb3.army.profiles import MENTAL, STATS
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.odds import answers, scene
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.shooting import aiming, who_may_shoot
from grognard.games.wfb3.table import cover, sight
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.errors import BadInput, Refusal
from grognard.kernel.formation.preview import foremost
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import OPEN, Pick, Question, Roll
from grognard.kernel.screen import around
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.tools import Seen, Tools
from grognard.kernel.words.tally import Tally


class Wfb3Tools(Tools):
    """wfb3:5.4.1-no-premeasure  Distances are judged by eye, unless the players agreed to measure."""

    def no_measuring(self, house: Mapping[str, Any]) -> Refusal | None:
        return None if house.get("premeasure") else Refusal("refuse.no-measuring", "wfb3:5.4.1-no-premeasure", {})

    def passing(self, question: Question | Roll) -> Any:
        """wfb3:7.2-responses  Whoever is charged may always hold."""
        holds = isinstance(question, Pick) and question.name == "charge.answer" and "hold" in question.keys
        return "hold" if holds else OPEN

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """wfb3:6.2.2-los, wfb3:6.2.3-cover-types  Which enemy units these models' units see, and in what cover."""
        assert isinstance(battle, Battle)
        found: list[Seen] = []
        for unit in battle.here():
            by = tuple(key for key in viewers if key in unit.models)
            if not by or unit.block is None:
                continue
            front = unit.block.places[unit.models.index(foremost(unit.models, unit.block))]
            for target in battle.enemies(unit):
                if target.block is not None and sight.visible(battle, unit, target):
                    kind, rule = cover.cover(battle, unit, front, target)
                    found.append(Seen(foremost(target.models, target.block), bool(kind), by, rule))
        return found

    def around(self, battle: KernelBattle, unit: str, models: Sequence[str]) -> list[Around]:
        """wfb3:6.2.1-arc  The arcs of a unit in formation."""
        assert isinstance(battle, Battle)
        block = battle.units[unit].block if unit in battle.units else None
        return [] if block is None or block.is_round else around.arcs(battle.table, block)

    def numbers(self, battle: KernelBattle, model: str) -> dict[str, Tally]:
        """wfb3:3-profile, wfb3:5.1-encumbrance, wfb3:11.1.2-unit-value
        The profile; of troops M and minds as a unit."""
        assert isinstance(battle, Battle)
        one = battle.models.get(model)
        unit = battle.units.get(one.unit) if one is not None else None
        if one is None or unit is None:
            return {}
        found = {f"stat.{name}": Tally(one.profile.stat(name), name, "wfb3:3-profile") for name in STATS}
        if one.role != "character":
            found |= {"stat.M": stats.move(battle, unit)}
            found |= {f"stat.{name}": stats.mental(battle, unit, name) for name in MENTAL}
        return found

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """wfb3:7.6-sequence, wfb3:7.1-declare, wfb3:6.2-procedure  The round, charge or volley an option would set off.

        wfb3:5.4.1-no-premeasure  Those of charges and volleys would tell distances: only where they may be measured.
        """
        assert isinstance(battle, Battle)
        if not isinstance(question, Pick) or option not in question.keys:
            return None
        battle = battle.copy()
        who, _, whom = option.partition(">")
        unit, other = battle.units.get(who), battle.units.get(whom)
        try:
            if question.name == "combat.weapon":
                unit = battle.units[question.about[0]]
                unit.combat = unit.combat.but(weapon=option)
            if question.name in ("combat.next", "combat.weapon") and unit is not None:
                foe = battle.foes(unit)[0][0]
                found = _losses_first(answers.fought(scene.Scene(battle, unit, foe), {}))
                return found.between({"attackers": unit.id, "defenders": foe.id})
            if self.no_measuring(battle.house) is not None:
                return None
            if question.name == "charge.declare" and unit is not None and other is not None:
                found = answers.charged(scene.Scene(battle, unit, other), {}, False, {})
                return found.between({"attackers": unit.id, "defenders": other.id})
            shooter = battle.units.get(question.about[0]) if question.about else None
            if question.name == "shoot.target" and shooter is not None and unit is not None:
                usable = [
                    w
                    for w in who_may_shoot.weapons(battle, shooter)
                    if aiming.weapon_refusal(battle, shooter, w) is None
                ]
                chosen = {"shoot.target": unit.id}
                return answers.shot(scene.Scene(battle, shooter, unit), chosen, {}) if len(usable) == 1 else None
        except BadInput:
            return None
        return None


def _losses_first(odds: Odds) -> Odds:
    """The losses of both before the result, which the steps tell: a screen pictures the first parts only."""
    lost = [name for name in ("defenders lost", "attackers lost") if name in odds.parts]
    order = [*lost, *(name for name in odds.parts if name not in lost)]
    return replace(odds, parts={name: odds.parts[name] for name in order})

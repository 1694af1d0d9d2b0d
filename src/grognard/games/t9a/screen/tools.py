"""What the table offers beside the questions: reach, which units are seen and in what Cover, odds of what is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import leaving_to_charge
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import melee
from grognard.games.t9a.movement.moves import MoveJudge
from grognard.games.t9a.odds import charges, policy, units
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.shooting import shooters
from grognard.games.t9a.table import cover, sight
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.block import Place as Spot
from grognard.kernel.formation.preview import foremost
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import OPEN, Pick, Place, Question, Roll
from grognard.kernel.screen import around
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.scene import Scene
from grognard.kernel.screen.tools import Reach, Seen, Tools, allowed
from grognard.kernel.words.tally import Tally

CHARGE = "charge.declare"
#: Questions of one's own deployment that are asked for one unit after the other.
DEPLOYING = ("ambush.with", "vanguard.kind")
#: What a card's cells call a value, where that is another name.
LABELS = {"def": "defence"}


class T9aTools(Tools):
    """The Ninth Age at the table; everything may be measured (chapter 2.B)."""

    def passing(self, question: Question | Roll) -> Any:
        """t9a:11.C  To hold is always possible where there is a choice."""
        holds = isinstance(question, Pick) and question.name == "charge.react" and "hold" in question.keys
        return "hold" if holds else OPEN

    def window(self, question: Question | Roll) -> bool:
        """Whoever never charges, moves, casts or deploys anything does not play: those are the steps of his own turn,
        and of his own deployment.
        """
        return not (isinstance(question, Question) and (question.checkpoint or question.name in DEPLOYING))

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """t9a:12.D.b, t9a:12.D.c  The rate of the move."""
        judge = question.judge
        if not isinstance(judge, MoveJudge | ReformJudge):
            return None
        march, flying = getattr(judge, "kind", "") == "march", getattr(judge, "flying", False)
        speed = stats.rate(judge.battle, judge.unit, "mar" if march else "adv", flying=flying)
        why = allowed(speed, judge.limit / MM_PER_INCH, question.rule)
        return Reach(mover, round(judge.limit, 3), why=why)

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """t9a:4.B, t9a:14.C.d  Which units these models see; in Cover where every one of them would shoot at it so."""
        assert isinstance(battle, Battle)
        eyes = list(_eyes(battle, viewers))
        found: list[Seen] = []
        for target in battle.on_table():
            seeing = [
                (name, cover.cover(battle, unit, spot, target))
                for name, unit, spot in eyes
                if unit.seat != target.seat and sight.model_sees(battle, unit, spot, target)
            ]
            if seeing:
                best = min((made for _, made in seeing), key=lambda made: made.penalty)
                by = tuple(name for name, _ in seeing)
                found.append(Seen(foremost(names(target), battle.block(target)), best.penalty > 0, by, best.rule))
        return found

    def around(self, battle: KernelBattle, unit: str, models: Sequence[str]) -> list[Around]:
        """t9a:3.B.h, t9a:14.B  The four arcs of a unit, and how far its Shooting Weapons reach to the front."""
        assert isinstance(battle, Battle)
        seen = battle.units[unit]
        if seen.block is None:
            return []
        block = battle.block(seen)
        arcs = [] if block.is_round else around.arcs(battle.table, block)
        weapons = {w.name: w for pool in battle.pools(seen) for _, w in shooters.weapons_of(battle, pool)}
        found = list(arcs)
        for name, weapon in weapons.items():
            ranged = around.reach(battle.table, name, [around.block_shape(block)], inches(weapon.range))
            found.append(around.within(ranged, arcs[0]) if arcs else ranged)
        return found

    def numbers(self, battle: KernelBattle, model: str) -> dict[str, Tally]:
        """t9a:5.A.a, t9a:5.A.b, t9a:21.E
        Global and defensive values with all that changes them, armour against shots."""
        assert isinstance(battle, Battle)
        pool = model if model in battle.models else model.rpartition(".")[0]
        if pool not in battle.models and pool not in battle.units:
            return {}
        found = {f"stat.{LABELS.get(name, name)}": stats.value(battle, pool, name) for name in stats.GLOBAL[:-1]}
        return found | {"stat.arm": stats.armour(battle, pool, melee=False, two_handed=False)}

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """t9a:11.E.a, t9a:14.A, t9a:15.D  The charge, volley or Round of Combat an option would set off.

        Where Special Items are hidden (t9a:8.E.a) nothing is told: odds would give them away.
        """
        assert isinstance(battle, Battle)
        if not isinstance(question, Pick) or option not in question.keys or battle.house["hidden_lists"]:
            return None
        battle = battle.copy()
        who, _, whom = option.partition(">")
        unit, target = battle.units.get(who), battle.units.get(whom.partition(":")[0])
        try:
            if question.name == "combat.next" and unit is not None:
                group = next(fighters for fighters in melee.combats(battle) if unit in fighters)
                foe = battle.foes(unit)[0][0]
                found = units.fought(battle, group, unit, foe, policy.chooser(battle))
                return found.between({"attackers": unit.id, "defenders": foe.id})
            if question.name == CHARGE and target is not None:  # a Character may leave his unit to charge
                return charges.reach(battle, leaving_to_charge.detached(battle, who), target, whom.endswith(":fly"))
            if question.name == "shoot.target" and unit is not None and target is not None:
                return units.volley(battle, unit, target)
            return None
        except BadInput:
            return None


def names(unit: Unit) -> tuple[str, ...]:
    """The models of a unit as they stand in its block: the Rank-and-File by number, then whoever has a pool."""
    return (*(f"{unit.id}.{number + 1}" for number in range(unit.troops)), *unit.guests)


def _eyes(battle: Battle, viewers: Sequence[str]) -> Iterator[tuple[str, Unit, Spot]]:
    for unit in battle.on_table():
        for name, spot in zip(names(unit), battle.block(unit).places, strict=False):
            if name in viewers:
                yield name, unit, spot

"""What the table offers beside the questions: reach, who sees whom and in what cover, the odds of an attack."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import command
from grognard.games.wh40k.mission import objectives
from grognard.games.wh40k.movement import movement
from grognard.games.wh40k.movement.moves import MoveJudge
from grognard.games.wh40k.odds import units
from grognard.games.wh40k.rolls.toughness import toughness
from grognard.games.wh40k.screen import carrying
from grognard.games.wh40k.table import sight
from grognard.games.wh40k.table.placing import SetUpJudge
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.odds.odds import Odds
from grognard.kernel.questions import Pick, Place, Question
from grognard.kernel.screen import around
from grognard.kernel.screen.around import Around
from grognard.kernel.screen.scene import Scene
from grognard.kernel.screen.tools import Point, Reach, Seen, Tools, allowed
from grognard.kernel.words.tally import Tally

#: Questions that choose whom a unit attacks, and the odds they ask for.
ATTACKS = {"shoot.target": "shooting", "fight.target": "fighting"}
#: A unit that comes so near to where it is dragged (mm) need not look for another way there.
NEAR = 3.0


class Wh40kTools(Tools):
    """Warhammer 40,000 at the table; everything may be measured."""

    def body(
        self, battle: KernelBattle, scene: Scene, question: Place, mover: str, to: Point, facing: float | None, *,
        level: int | None = None, files: int | None = None,
    ) -> Any:  # fmt: skip
        """wh40k:4.3.1-path, wh40k:1.6.4-setup
        The whole unit with the one that is dragged, round what is in the way."""
        judge = question.judge
        if isinstance(judge, SetUpJudge):
            return carrying.set_up(judge, mover, to, facing, level)
        straight = super().body(battle, scene, question, mover, to, facing, level=level, files=files)
        found = [] if straight is None else [straight]
        if isinstance(judge, MoveJudge) and not (found and _off(straight, mover, to, level) < (0, NEAR)):
            around = carrying.carried(judge, mover, to, level)
            found += [] if around is None else [around]
        return min(found, key=lambda wire: _off(wire, mover, to, level), default=None)

    def levels(self, question: Place) -> tuple[int, ...]:
        """wh40k:15.5.3-floors  The floors of the battlefield's ruins."""
        return carrying.levels(question.judge) if isinstance(question.judge, MoveJudge | SetUpJudge) else ()

    def level(self, battle: KernelBattle, question: Place, mover: str, at: Pose) -> int:
        """wh40k:15.2.4-hill, 15.5.3-floors"""
        assert isinstance(battle, Battle)
        return carrying.level(battle, battle.models[mover], at) if mover in battle.models else at.level

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """wh40k:4.3.6-distance  How far the model may go."""
        judge = question.judge
        if not isinstance(judge, MoveJudge) or mover not in judge.battle.models:
            return None
        left = judge.budget(judge.battle.models[mover])
        speed = self.numbers(judge.battle, mover).get("stat.M") or Tally(0, "M", "wh40k:11.4.3-random-other")
        return Reach(mover, round(left, 3), why=allowed(speed, left / MM_PER_INCH, question.rule))

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """wh40k:1.11.3-model  Which enemies they see, and who of them has the Benefit of Cover."""
        assert isinstance(battle, Battle)
        eyes = [battle.models[key] for key in viewers if key in battle.models]
        seat = eyes[0].seat if eyes else ""
        found: list[Seen] = []
        for unit in battle.units.values():
            marks = battle.members(unit) if unit.where == "table" and unit.seat != seat else []
            if not eyes or not marks:
                continue
            seen = sight.visible(battle, eyes, marks)
            for column, mark in enumerate(marks):
                by = [eye for row, eye in enumerate(eyes) if seen[row, column]]
                if by:
                    cover = mark.id in sight.covered(battle, by, unit)
                    found.append(Seen(mark.id, cover, tuple(eye.id for eye in by)))
        return found

    def around(self, battle: KernelBattle, unit: str, models: Sequence[str]) -> list[Around]:
        """wh40k:11.2.1-range  How far each of the unit's ranged weapons reaches."""
        assert isinstance(battle, Battle)
        members = [m for m in battle.members(battle.units[unit]) if m.on_table]
        ranged = {w.name: w for m in members for w in m.weapons if not w.melee}
        found = []
        for name, weapon in ranged.items():
            bearers = [m for m in members if weapon in m.weapons]
            shapes = [around.base_shape(battle.bodies.base(m.body), battle.pose(m)) for m in bearers]
            found.append(around.reach(battle.table, name, shapes, inches(weapon.range)))
        return found

    def numbers(self, battle: KernelBattle, model: str) -> dict[str, Tally]:
        """wh40k:12.5.5-toughness, wh40k:3.3.4-oc  The profile as the unit, its damage and Battle-shock leave it."""
        assert isinstance(battle, Battle)
        one = battle.models.get(model)
        if one is None or not one.on_table:
            return {}
        unit, profile = battle.unit_of(one), one.profile
        oc = Tally(profile.OC, "OC", "wh40k:11.1.6-oc")
        oc.add(objectives.control(battle, one) - profile.OC, "damaged", "wh40k:11.3.1-abilities")
        found = {
            "T": _of_unit(Tally(profile.T, "T", "wh40k:11.1.2-t"), toughness(battle, unit)),
            "Sv": Tally(profile.Sv, "Sv", "wh40k:11.1.3-sv"), "W": Tally(profile.W, "W", "wh40k:11.1.4-w"),
            "Ld": _of_unit(Tally(profile.Ld, "Ld", "wh40k:11.1.5-ld"), command.leadership(battle, unit)),
            "OC": oc.set(0, "Battle-shocked", "wh40k:3.3.4-oc") if unit.shocked else oc,
        }  # fmt: skip
        found = {name: tally for name, tally in found.items() if profile.rolled(name) is None}
        if profile.M is not None and profile.M.fixed:
            speed = Tally(profile.M.plus, "M", "wh40k:11.1.1-m")
            found["M"] = speed.add(movement.slowed(battle, one), "damaged", "wh40k:11.3.1-abilities")
        return {f"stat.{name}": tally for name, tally in found.items()}

    def odds(self, battle: KernelBattle, question: Question, option: str) -> Odds | None:
        """wh40k:6.5.1-attacks, wh40k:10.8.5-resolve
        What the attacks about to be aimed do to the unit under the pointer."""
        assert isinstance(battle, Battle)
        what = ATTACKS.get(question.name)
        if what is None or not isinstance(question, Pick) or option not in battle.units or not question.about:
            return None
        unit = battle.units[question.about[0]]
        try:
            return units.standing(battle, what, unit, battle.units[option], [str(question.data["weapon"])])
        except BadInput:
            return None


def _off(wire: Any, mover: str, to: Point, level: int | None) -> tuple[int, float]:
    """How many a placement leaves on another level than the wished one, and how far from a point it leaves a mover."""
    missed = 0 if level is None else sum(track.get("level", 0) != level for track in wire.values())
    path = wire.get(mover, {}).get("path")
    return missed, round(math.dist(path[-1], to), 3) if path else math.inf


def _of_unit(own: Tally, unit: Tally) -> Tally:
    """A model's own value, and that of its unit where it is another."""
    return own if own.value == unit.value else own.set(unit.value, "of the unit", unit.rules[-1])

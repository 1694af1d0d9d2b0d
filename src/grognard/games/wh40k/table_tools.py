"""What the table offers beside the questions: reach, who sees whom and in what cover, the odds of an attack."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k import attacks, command, movement, objectives, sight
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.moves import MoveJudge
from grognard.kernel import around
from grognard.kernel.around import Around
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Pick, Place, Question
from grognard.kernel.scene import Scene
from grognard.kernel.tally import Tally
from grognard.kernel.tools import Reach, Seen, Tools, allowed

#: Questions that choose whom a unit attacks, and the odds they ask for.
ATTACKS = {"shoot.target": "shooting", "fight.target": "fighting"}


class Wh40kTools(Tools):
    """Warhammer 40,000 at the table; everything may be measured."""

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """wh40k:4.3.6-distance  How far the model may go."""
        judge = question.judge
        if not isinstance(judge, MoveJudge) or mover not in judge.battle.models:
            return None
        left = judge.budget(judge.battle.models[mover])
        speed = self.numbers(judge.battle, mover).get("stat.M") or Tally(0, "M", "wh40k:11.4.3-random-other")
        return Reach(mover, round(left, 3), why=allowed(speed, left / MM_PER_INCH, question.rule))

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """wh40k:1.11.3-model, 15.2  Which enemies they see, and who of them has the Benefit of Cover."""
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
        """wh40k:11.1, 12.5.5-toughness, 3.3.4-oc  The profile as the unit, its damage and Battle-shock leave it."""
        assert isinstance(battle, Battle)
        one = battle.models.get(model)
        if one is None or not one.on_table:
            return {}
        unit, profile = battle.unit_of(one), one.profile
        oc = Tally(profile.OC, "OC", "wh40k:11.1.6-oc")
        oc.add(objectives.control(battle, one) - profile.OC, "damaged", "wh40k:11.3.1-abilities")
        found = {
            "T": _of_unit(Tally(profile.T, "T", "wh40k:11.1.2-t"), attacks.toughness(battle, unit)),
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
        """wh40k:6.5, 10.8  What the attacks about to be aimed do to the unit under the pointer."""
        from grognard.games.wh40k.odds import units

        assert isinstance(battle, Battle)
        what = ATTACKS.get(question.name)
        if what is None or not isinstance(question, Pick) or option not in battle.units or not question.about:
            return None
        unit = battle.units[question.about[0]]
        try:
            return units.standing(battle, what, unit, battle.units[option], [str(question.data["weapon"])])
        except BadInput:
            return None


def _of_unit(own: Tally, unit: Tally) -> Tally:
    """A model's own value, and that of its unit where it is another."""
    return own if own.value == unit.value else own.set(unit.value, "of the unit", unit.rules[-1])

"""Whom to charge, to shoot, to cast at; when to flee, pursue or challenge."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_range
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.sense.bouts import bout
from grognard.games.t9a.sense.shots import fire
from grognard.games.t9a.sense.worth import holding, shoots, standing
from grognard.kernel.formation.charging.charge import struck_side
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.questions import Number, Pick

#: What a failed charge costs, and one that is no better than even, in points.
FAILED = 10.0


def far_off(battle: Battle, one: Unit, two: Unit) -> float:
    """Inches between two units."""
    if one.block is None or two.block is None:
        return 99.0
    return gap(one.block.outline, two.block.outline) / MM_PER_INCH


def unit_of(battle: Battle, key: str) -> Unit | None:
    if key in battle.units:
        return battle.units[key]
    return battle.units.get(battle.models[key].unit) if key in battle.models else None


def likely(battle: Battle, unit: Unit, target: Unit, far: float | None = None) -> float:
    """How likely a charge reaches, 0 to 1; from so many inches away."""
    away = far_off(battle, unit, target) if far is None else far
    need, swift = math.ceil(away - speed(unit)), bool(unit.profile.has("swiftstride"))
    return charge_range.chance(need, int(swift), bool(unit.command.champion))


def speed(unit: Unit) -> float:
    """Inches a unit charges besides its dice."""
    fly = unit.profile.trait("fly")
    return max(float(unit.profile.adv), float(fly.value.split(",")[0]) if fly is not None and fly.value else 0.0)


def promise(battle: Battle, unit: Unit, target: Unit) -> float:
    """What charging somebody looks worth, in hundreds of points: who fares better there, from which side, and whether
    it gets there.
    """
    if unit.block is None or target.block is None:
        return -1.0
    if target.nerve.fleeing:
        gain = 0.6 * holding(battle, target)
        return likely(battle, unit, target) * gain / 100 - 0.05
    expected = bout(battle, unit, target, struck_side(unit.block, target.block))
    return (likely(battle, unit, target) * expected.net - FAILED) / 100


def declare(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:11.B  The most promising charge, or none."""
    if answer is None:
        return 0.0
    who, _, whom = str(answer).partition(">")
    unit, target = unit_of(battle, who), unit_of(battle, whom.partition(":")[0])
    return -0.5 if unit is None or target is None else promise(battle, unit, target)


def redirect(battle: Battle, question: Pick, answer: Any) -> float:
    if answer is None:
        return 0.02
    unit, target = unit_of(battle, question.about[0]), unit_of(battle, str(answer))
    return -0.5 if unit is None or target is None else promise(battle, unit, target)


def react(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:11.C  Shoot them if one can, and stand: who flees may flee for good."""
    return {"stand": 1.0, "hold": 0.6, "flee": -0.5}.get(str(answer), 0.1)


def shoot(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:14.B  Always shoot: where it takes most, and where most has been taken already."""
    if answer is None:
        return -1.0
    who, _, whom = str(answer).partition(">")
    unit, target = unit_of(battle, who), unit_of(battle, whom.partition(":")[0])
    if unit is None or target is None:
        return 0.0
    return 1.0 + fire(battle, unit, target) / 100 - 0.005 * far_off(battle, unit, target)


def cast(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:13.F  Cast while there are dice; spells not yet tried first."""
    if answer is None:
        return 0.3 if battle.sides[question.seat].dice < 2 else 0.0
    return 0.6 + 0.01 * (len(str(answer)) % 7)


def dice(battle: Battle, question: Number, answer: Any) -> float:
    """Enough dice to beat the casting value on average, one more if it can be had, and no more."""
    goal = float(question.data.get("value", 7) or 7)
    want = max(1.0, (goal + 1.5) / 3.5)
    return -abs(float(answer) - want)


def dispel(battle: Battle, question: Number, answer: Any) -> float:
    """As many dice as might do it; none against what is out of reach."""
    total = float(question.data.get("total", 8) or 8)
    want = (total + 1.0) / 3.5
    if want > float(question.high) + 0.6:
        return -float(answer)
    return -abs(float(answer) - want)


def aim(battle: Battle, question: Pick, answer: Any) -> float:
    """Harm to dear enemies, help to dear friends who fight."""
    if answer is None:
        return -0.1
    unit = unit_of(battle, str(answer))
    if unit is None:
        return 0.1
    fights = 0.5 if unit.where == "table" and battle.engaged(unit) else 0.0
    return standing(battle, unit) / 500 + (fights if unit.seat == question.seat else 0.0)


def challenge(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:15.E  A duel for whoever has the most Health Points and the harder blow."""
    if answer is None:
        return 0.1
    model = battle.models.get(str(answer))
    if model is None:
        return 0.0
    foes = [m for u in battle.units.values() if u.seat != question.seat and u.where == "table" and battle.engaged(u)
            for m in battle.guests(u)]  # fmt: skip
    best = max((m.hp * (m.profile.res + m.profile.arm) for m in foes), default=1)
    return 0.2 if model.hp * (model.profile.res + model.profile.arm) >= best else 0.0


def pursue(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:15.H  Run down what breaks; only shooters stay."""
    unit = unit_of(battle, question.about[0]) if question.about else None
    stays = unit is not None and shoots(unit) and unit.profile.parts[0].off is not None and unit.profile.dis < 8
    return (0.2 if stays else 1.0) if answer is not None else 0.5


def most(battle: Battle, question: Number, answer: Any) -> float:
    """t9a:13.D  All tokens become dice."""
    return float(answer)


def leave(battle: Battle, question: Pick, answer: Any) -> float:
    """Better leave a block as it stands than turn it about."""
    return 0.0 if answer else 1.0


def plainly(battle: Battle, question: Pick, answer: Any) -> float:
    """t9a:9.H  On the table from the start, where one can be counted on; Scouts scout."""
    return {"scout": 1.0, "no": 0.8}.get(str(answer), 0.8 if answer is None else 0.0)

"""What units are worth, and how far they shoot."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit

#: t9a:18.A-king, 18.A-banner  What the enemy gets for a General or Battle Standard Bearer.
PRIZE = 200.0
#: t9a:9.E.5  What a marked unit is worth besides.
MARKED = 100.0


def standing(battle: Battle, unit: Unit) -> float:
    """What is left of a unit, in points; what flees is worth half."""
    if unit.where == "gone" or unit.muster.summoned:
        return 0.0
    own = [m for m in battle.models.values() if m.home == unit.id and not m.gone]
    left = unit.troops * unit.profile.hp - unit.lost + sum(m.hp for m in own)
    share = min(1.0, max(0, left) / max(1, unit.muster.start_hp))
    return unit.points * (0.35 + 0.65 * share) * (0.5 if unit.nerve.fleeing else 1.0) if left > 0 else 0.0


def holding(battle: Battle, unit: Unit) -> float:
    """What a unit and everybody in it is worth: what is left of it, its Characters, a prize on their heads."""
    total = standing(battle, unit) + MARKED * unit.scoring.marked
    for model in battle.guests(unit):
        if model.home != unit.id:
            total += standing(battle, battle.units[model.home])
        total += PRIZE * (int(model.general) + int(model.bsb))
    return total


def ranges(unit: Unit) -> list[float]:
    """How far a unit's Shooting Weapons reach, in inches."""
    return [weapon.range for part in unit.profile.parts for weapon in part.shooting]


def shoots(unit: Unit) -> bool:
    return bool(ranges(unit))

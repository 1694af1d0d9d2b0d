"""What shooting at somebody looks worth, in points, by printed values."""

from __future__ import annotations

import math

from grognard.games.t9a import steps
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.profiles import Profile
from grognard.games.t9a.sense.bouts import LAST, unprotected
from grognard.games.t9a.sense.worth import holding

#: How many models an engine's shot strikes, about.
ENGINE = 3.0


def fire(battle: Battle, unit: Unit, target: Unit) -> float:
    """Points a volley takes: the last Health Points of a unit count most."""
    struck = target.profile if target.troops or not target.guests else battle.guests(target)[0].profile
    lost = 0.0
    for part in unit.profile.parts:
        for weapon in part.shooting[:1]:
            models = max(1, battle.size(unit)) * part.count if not weapon.kind else 1
            hits = models * weapon.shots.mean * max(0.0, (7 - weapon.aim) / 6)
            hits = hits * ENGINE if weapon.kind else hits
            lost += hits * pierced(weapon.strength or part.strength or 3, weapon.ap or 0, struck)
    left, start = float(battle.hp(target)), max(1.0, float(target.start_hp))
    gone = max(0.0, start - left)
    whole = holding(battle, target)
    after = min(start, gone + min(lost, left))
    return whole * (math.pow(after / start, LAST) - math.pow(min(1.0, gone / start), LAST))


def pierced(strength: int, ap: int, target: Profile) -> float:
    """How likely a hit takes a Health Point."""
    armour = target.arm + sum(plus for plus, _, _ in target.armour)
    need = steps.to_save(armour, ap)
    through = 1.0 if need > 6 else (need - 1) / 6
    return (7 - steps.to_wound(strength, target.res)) / 6 * through * unprotected(target)

"""What shooting at somebody looks worth, in points, its hits weighed by the battle's own steps."""

from __future__ import annotations

import math

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.sense import weighed
from grognard.games.t9a.sense.bouts import LAST
from grognard.games.t9a.sense.worth import holding
from grognard.games.t9a.shooting.shooters import Shooter

#: How many models an engine's shot strikes, about.
ENGINE = 3.0


def fire(battle: Battle, unit: Unit, target: Unit) -> float:
    """Points a volley takes: the last Health Points of a unit count most."""
    struck = target.id if target.troops or not target.guests else target.guests[0]
    pool = unit.id if unit.troops or not unit.guests else unit.guests[0]
    lost = 0.0
    for index, part in enumerate(unit.profile.parts):
        for weapon in part.shooting[:1]:
            models = max(1, battle.size(unit)) * part.count if not weapon.kind else 1
            hits = models * weapon.shots.mean * max(0.0, (7 - weapon.aim) / 6)
            hits = hits * ENGINE if weapon.kind else hits
            lost += hits * weighed.shot(battle, unit, Shooter(0, pool, index, weapon), target, struck)
    left, start = float(battle.hp(target)), max(1.0, float(target.muster.start_hp))
    gone = max(0.0, start - left)
    whole = holding(battle, target)
    after = min(start, gone + min(lost, left))
    return whole * (math.pow(after / start, LAST) - math.pow(min(1.0, gone / start), LAST))

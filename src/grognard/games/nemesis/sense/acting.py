"""What to order, whom to charge or shoot at, and how to meet a charge."""

from __future__ import annotations

from grognard.games.nemesis import actions, aiming
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.sense import moving, worth

#: A charge is declared up to this share of one's pace: the way round others takes some.
SURE = 0.95
#: What is left of a charge's worth for every enemy unit that stands before its target.
SCREENED = 0.15
#: What approaching is worth at the most.
APPROACH = 1.0


def order(battle: Battle, unit: Unit, action: str, target: Unit) -> float:
    """What an order is worth, in points of the enemy's it may cost him; below 0 it is better left."""
    far = worth.centimetres(battle, unit, target)
    role = worth.role(battle, unit)
    if action == "shoot":
        return -1.0 if aiming.brawl(battle, target, unit.seat)[1] else worth.volley(battle, unit, target)
    if action == "charge":
        if far > SURE * worth.pace(battle, unit) or role in ("bearer", "mage", "leader"):
            return -1.0
        busy = moving.errand(battle, unit) is not None
        gain = worth.exchange(battle, unit, target) + 0.5
        return gain * (0.3 if busy else 1.0) * _way_clear(battle, unit, target, far) - 3.0 * busy
    if action == "approach":
        if role in ("bearer", "leader") or (role != "fighter" and far < 30) or far < 4:
            return -1.0
        errand = moving.errand(battle, unit)
        return -0.5 if errand is not None else APPROACH * 10 / (10 + far)
    return -1.0


def _way_clear(battle: Battle, unit: Unit, target: Unit, far: float) -> float:
    """nemesis:12-zoc  How sure a charge is to get through: others nearer than its target keep it off."""
    nearer = sum(
        other is not target and worth.centimetres(battle, unit, other) < far - 0.5
        for other in battle.enemies(unit.seat)
    )
    return SCREENED**nearer


def best(battle: Battle, unit: Unit, action: str, model: Model | None = None) -> float:
    """What the best target of an action is worth."""
    if action == "disengage":
        return disengage(battle, unit)
    goals = [battle.units[o.key] for o in actions.targets(battle, unit, action, model)[0]]
    return max((order(battle, unit, action, goal) for goal in goals), default=-1.0)


def disengage(battle: Battle, unit: Unit) -> float:
    """nemesis:18  Leaving a melee: for those who have better to do, or no hope in it."""
    if worth.role(battle, unit) in ("bearer", "leader"):
        return 2.0
    foes = battle.opponents(unit)
    lost = sum(worth.blows(battle, foe, unit, charged=False) for foe in foes)
    won = sum(worth.blows(battle, unit, foe, charged=False) for foe in foes)
    return 1.0 if lost > 4 * won + 5 else -1.0


def opportunity(battle: Battle, unit: Unit, held: tuple[str, ...], model: Model | None = None) -> float:
    """What the best a unit (or a hero within) can still be told to do is worth."""
    menu = actions.menu(battle, unit, held, model)
    return max((best(battle, unit, action, model) for action, why in menu.items() if why is None), default=-1.0)


def reaction(battle: Battle, unit: Unit, kind: str, charger: Unit | None) -> float:
    """nemesis:16.1-mandatory  How to meet a charge."""
    if charger is None or not charger.models:
        return 0.1 if kind == "hold" else 0.0
    suffered = worth.blows(battle, charger, unit, charged=True)
    answer = worth.blows(battle, unit, charger, charged=False)
    if kind == "shoot":
        return 0.2 + worth.volley(battle, unit, charger)
    if kind == "counter":
        return 0.1 + 0.3 * answer
    if kind == "retreat":
        frail = worth.role(battle, unit) in ("bearer", "mage", "leader")
        return 0.3 * suffered - answer if frail else -0.2
    return 0.0

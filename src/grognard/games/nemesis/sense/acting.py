"""What to order, whom to charge or shoot at, and how to meet a charge."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.movement.approach import NEAR
from grognard.games.nemesis.orders import actions
from grognard.games.nemesis.sense import moving, ways, worth
from grognard.kernel.geometry.units import MM_PER_CM

#: A charge is declared up to this share of one's pace: the way round others takes some.
REACH = 0.95
#: What is left of a charge's worth if nobody, one or more of the unit have a straight way there.
SURE = (0.15, 0.8, 1.0)
#: What approaching is worth at the most.
APPROACH = 1.0
#: nemesis:15-nearest  Whoever is nearer than this (cm) must be approached first.
PRESSED = NEAR / MM_PER_CM
#: What is left of a volley's worth when one's own charge its target first.
CROWDED = 0.3


def order(battle: Battle, unit: Unit, action: str, target: Unit) -> float:
    """What an order is worth, in points of the enemy's it may cost him; below 0 it is better left."""
    far = worth.centimetres(battle, unit, target)
    role = worth.role(battle, unit)
    if action == "shoot":
        return worth.volley(battle, unit, target) * (CROWDED if _charged(battle, unit.seat, target) else 1.0)
    if action == "charge":
        if far > REACH * worth.pace(battle, unit) or role in ("bearer", "mage", "leader"):
            return -1.0
        busy = moving.errand(battle, unit) is not None
        gain = worth.exchange(battle, unit, target) + 0.5
        gain = gain * (0.3 if busy else 1.0) * _way_clear(battle, unit, target) - 3.0 * busy
        return gain - _spoilt(battle, unit.seat, target)
    if action == "approach":
        if role in ("bearer", "leader") or (role != "fighter" and far < 30) or far < 4:
            return -1.0
        if moving.errand(battle, unit) is not None or (far >= PRESSED and _pressed(battle, unit)):
            return -0.5
        wish = moving.appeal(battle, unit, target) if role == "fighter" else moving.interest(battle, unit, target)
        return APPROACH * wish / (wish + 1.0)
    return -1.0


def _pressed(battle: Battle, unit: Unit) -> bool:
    """nemesis:15-nearest  Whether an enemy is so near that nobody farther may be approached."""
    return any(worth.centimetres(battle, unit, enemy) < PRESSED for enemy in battle.enemies(unit.seat))


def _charged(battle: Battle, seat: str, target: Unit) -> bool:
    """nemesis:17.5-random  Whether one's own are about to charge a target, and would be in the way of shots."""
    return any(_aims(unit, "charge", target) for unit in battle.army(seat))


def _spoilt(battle: Battle, seat: str, target: Unit) -> float:
    """nemesis:17.5-random  What is lost of the volleys ordered at a target when one's own charge it."""
    shooters = [unit for unit in battle.army(seat) if _aims(unit, "shoot", target)]
    return (1.0 - CROWDED) * sum(worth.volley(battle, unit, target) for unit in shooters)


def _aims(unit: Unit, action: str, target: Unit) -> bool:
    return any(o.action == action and o.target == target.id and not o.done for o in unit.orders)


def _way_clear(battle: Battle, unit: Unit, target: Unit) -> float:
    """nemesis:12-zoc  How sure a charge is to get through: others keep it off, comrades fill the room."""
    return SURE[min(ways.open_ways(battle, unit, target), len(SURE) - 1)]


def best(battle: Battle, unit: Unit, action: str, model: Model | None = None) -> float:
    """What the best target of an action is worth."""
    if action == "disengage":
        return disengage(battle, unit)
    goals = [battle.units[o.key] for o in actions.targets(battle, unit, action, model)[0]]
    return max((order(battle, unit, action, goal) for goal in goals), default=-1.0)


def disengage(battle: Battle, unit: Unit) -> float:
    """Chapter 18: Leaving a melee: for those who have better to do, or no hope in it."""
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

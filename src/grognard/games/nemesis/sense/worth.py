"""What things are worth to a side: units as targets, exchanges of blows, shots."""

from __future__ import annotations

from grognard.games.nemesis.army.profiles import Card, Ranged
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.rolls.rerolls import spokesman
from grognard.games.nemesis.sense import chances
from grognard.games.nemesis.setup.missions import SCENARIOS
from grognard.games.nemesis.shooting import shot_numbers
from grognard.games.nemesis.shooting.shot_numbers import shots_of
from grognard.games.nemesis.table import sight
from grognard.kernel.geometry.units import MM_PER_CM

#: How much more than its points the enemy's commander is worth where his head is wanted, and a bearer of scrolls.
HEAD, BEARER = 6.0, 3.0
#: No more models than this of a unit get at an enemy at once.
FRONT = 6
#: What one's own losses count beside the enemy's.
CAUTION = 0.55
#: One's own commander or bearer is not worth hiding for ever.
DEAR = 1.5


def price(model: Model) -> float:
    """The points a wound on a model is worth."""
    lives = model.s if model.card.is_hero else 1
    return max(model.card.cost, 1.0) / max(lives, 1)


def prize(battle: Battle, unit: Unit) -> float:
    """How much more a unit is worth than its points, by the mission."""
    return max((dear(battle, battle.models[key]) for key in unit.models), default=1.0)


def dear(battle: Battle, model: Model) -> float:
    """How much more a model is worth than its points: the commander or who bears scrolls, where it is about them."""
    mission = SCENARIOS[battle.scenario]
    if mission.manuscripts and model.scrolls:
        return BEARER
    return HEAD if mission.head and battle.sides[model.seat].commander == model.id else 1.0


def points(battle: Battle, unit: Unit) -> float:
    """The points still standing in a unit."""
    return sum(price(m) * (m.s if m.card.is_hero else 1) for m in battle.standing(unit))


def centimetres(battle: Battle, a: Unit, b: Unit) -> float:
    """The distance between two units as the eye judges it."""
    return battle.unit_gap(a, b) / MM_PER_CM


def pace(battle: Battle, unit: Unit) -> float:
    """How far a unit's troopers move, in cm."""
    model = spokesman(battle, unit)
    return float(allowance(battle, model, flying=model.card.fly is not None).value)


# ---------------------------------------------------------------------- harm


def blows(battle: Battle, unit: Unit, enemy: Unit, *, charged: bool) -> float:
    """Points of an enemy a round of melee may cost it."""
    mark = spokesman(battle, enemy)
    room = min(FRONT, 2 * len(enemy.models))
    cards: dict[Card, int] = {}
    for model in battle.standing(unit):
        cards[model.card] = cards.get(model.card, 0) + 1
    harm = 0.0
    for card, count in sorted(cards.items(), key=lambda pair: -pair[0].A * pair[0].HC):
        harm += min(count, room) * card.A * chances.strike(card, mark.card, charged)
        room -= min(count, room)
    return min(harm * price(mark), points(battle, enemy)) * prize(battle, enemy)


def exchange(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """What charging an enemy is worth: harm done less harm suffered."""
    dealt = blows(battle, unit, enemy, charged=True)
    share = max(0.2, 1 - dealt / (points(battle, enemy) * prize(battle, enemy) + 1))
    own = prize(battle, unit)
    suffered = blows(battle, enemy, unit, charged=False) * share * min(own, DEAR) / own
    return dealt - CAUTION * suffered


def volley(battle: Battle, unit: Unit, enemy: Unit, *, blind: bool = False) -> float:
    """Points of an enemy the shots of those who see it in range may cost; into a melee less those of one's own.

    `blind`: as if all saw it.
    """
    archers = [m for m in battle.standing(unit) if m.card.ranged and not m.shot]
    if not blind:
        archers = [m for m in archers if not _unseen(battle, m, enemy)]
    bows = [(m, bow) for m in archers if (bow := _bow(battle, m, enemy)) is not None]
    if not bows:
        return 0.0
    foes, friends = shot_numbers.brawl(battle, enemy, unit.seat)
    if friends:
        return sum(_stray(battle, model, bow, foes, friends) for model, bow in bows)
    mark = spokesman(battle, enemy)
    harm = sum(chances.shot(m.card, bow.name, mark.card) * shots_of(battle, m, bow) for m, bow in bows)
    return min(harm * price(mark), points(battle, enemy)) * prize(battle, enemy)


def _unseen(battle: Battle, model: Model, enemy: Unit) -> bool:
    seen = sight.seen_by(battle, model)
    return not any(key in seen for key in enemy.models)


def _bow(battle: Battle, model: Model, enemy: Unit) -> Ranged | None:
    """The weapon a model shoots at an enemy with, if any reaches: the first of the strongest."""
    near = min((battle.bodies.gap(model.body, battle.models[k].body) for k in enemy.models), default=1e9)
    reaching = [weapon for weapon in model.card.ranged if near / MM_PER_CM <= weapon.P]
    if len(reaching) < 2:
        return reaching[0] if reaching else None
    mark = spokesman(battle, enemy).card
    return max(reaching, key=lambda w: chances.shot(model.card, w.name, mark) * shots_of(battle, model, w))


def _stray(battle: Battle, archer: Model, bow: Ranged, foes: list[Model], friends: list[Model]) -> float:
    """nemesis:17.5-random, nemesis:17.5-friend  A hit falls on any enemy of a melee, a miss on any friend."""
    card = archer.card
    hits = [chances.astray(card, bow.name, foe.card, friends[0].card)[0] * _stake(battle, foe) for foe in foes]
    misses = [chances.astray(card, bow.name, foes[0].card, m.card)[1] * _stake(battle, m) for m in friends]
    return (sum(hits) / len(hits) - sum(misses) / len(misses)) * shots_of(battle, archer, bow)


def _stake(battle: Battle, model: Model) -> float:
    return price(model) * dear(battle, model)


def reach(unit_models: list[Model]) -> float:
    """The longest range among models, in cm."""
    return max((weapon.P for m in unit_models for weapon in m.card.ranged), default=0.0)


# ---------------------------------------------------------------------- roles


def role(battle: Battle, unit: Unit) -> str:
    """What a unit is for: "bearer", "leader", "mage", "archer" or "fighter"."""
    members = battle.standing(unit) or battle.members(unit)
    if any(m.scrolls for m in members):
        return "bearer"
    if len(members) == 1 and members[0].card.is_hero:
        hero = members[0]
        if SCENARIOS[battle.scenario].head and battle.sides[unit.seat].commander == hero.id:
            return "leader"
        if hero.card.CO >= 3 and hero.card.HC < 5:
            return "mage"
    armed = [m for m in members if m.card.ranged]
    if 2 * len(armed) > len(members) and reach(armed) >= 30:
        return "archer"
    return "fighter"

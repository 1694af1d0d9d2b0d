"""Which spells to cast at whom, with how many dice, and when to block."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.magic import spells
from grognard.games.nemesis.magic.spells.base import Spell
from grognard.games.nemesis.rolls.rerolls import spokesman
from grognard.games.nemesis.rolls.stats import value
from grognard.games.nemesis.sense import chances, worth

#: Other spells meant for the enemy, and the share of the target's points they are worth.
HARM = {
    "N.2-curse": 0.06, "C.9-curse": 0.08, "O.7-ivy": 0.06, "C.7-paralysing-ice": 0.5, "C.10-mirage": 0.15,
    "C.11-submission": 0.12, "R.9-glacial": 0.15, "N.10-damnation": 0.25, "N.11-soul-swap": 0.3,
}  # fmt: skip
#: Spells meant for friends, and the share of the target's points they are worth.
HELP = {
    "N.3-putrid-flies": 0.08, "N.4-summon-1": 0.1, "N.5-summon-2": 0.15, "N.6-summon-3": 0.1, "N.8-ill-will": 0.05,
    "N.7-unusual-strength": 0.2, "C.3-shadow-cloak": 0.05, "R.3-agility": 0.05, "R.4-dexterity": 0.05,
    "R.7-flayed-iron": 0.06, "R.8-flayed-stone": 0.1, "R.12-supernatural-strength": 0.15, "O.2-falling-leaves": 0.03,
    "C.5-mad-courage": 0.02, "R.11-heroic-throw": 0.04, "O.8-swift-wind": 0.05, "R.10-vitality": 0.06,
    "O.4-visual-trick": 0.02,
}  # fmt: skip
#: Spells on oneself or the ground, worth this many points.
BOON = {"N.1-stored-magic": 1.0, "O.6-hidden-treasure": 2.5, "C.1-deception": 0.8, "O.9-fate-cheat": 6.0,
        "C.12-snake-eye": 3.0, "R.2-armour": 0.4, "C.6-offerings": 1.0}  # fmt: skip
#: How many dice are thrown at the most, and how much of a wound a fiasco costs.
MOST, HURT = 5, 0.6
HEALING = ("N.9-healing", "R.1-care", "O.10-tree-of-life")


def target(battle: Battle, seat: str, spell: Spell, mage: str, goal: str) -> float:
    """What a spell at a target is worth if it is cast; below 0 it is better left."""
    if spell.key in BOON:
        return BOON[spell.key]
    unit = battle.units.get(goal) or battle.units.get(battle.models[goal].unit if goal in battle.models else "")
    if unit is None or not unit.models:
        return 0.2
    if not _in_reach(battle, spell, mage, goal, unit):
        return -1.0
    friend = unit.seat == seat
    if spell.key in HEALING:
        lost = [m.s_start - m.s for m in battle.standing(unit) if goal in (m.id, unit.id)]
        return 4.0 * sum(lost) if friend and any(lost) else -1.0
    if spell.power:
        count = (1 + spell.hit_die) / 2
        mark = battle.models.get(goal) or spokesman(battle, unit)
        harm = count * chances.impact(spell.power, mark.card) * worth.price(mark) * _prize(battle, unit, goal)
        return harm if not friend else -1.0
    share, wanted = (HELP[spell.key], friend) if spell.key in HELP else (HARM.get(spell.key, 0.03), not friend)
    stake = worth.points(battle, unit) if goal in battle.units else worth.price(battle.models[goal])
    fighting = 1.5 if battle.engaged(unit) else 1.0
    return stake * share * fighting * _prize(battle, unit, goal) if wanted else -1.0


def _prize(battle: Battle, unit: Unit, goal: str) -> float:
    """As for a unit; of its models only the commander and the bearers are worth more."""
    model = battle.models.get(goal)
    if model is not None and goal not in battle.units:
        dear = model.scrolls or battle.sides[model.seat].commander == goal
        return worth.prize(battle, unit) if dear else 1.0
    return worth.prize(battle, unit)


def _in_reach(battle: Battle, spell: Spell, mage: str, goal: str, unit: Unit) -> bool:
    """nemesis:14.4-range  Whether the target looks near enough."""
    caster = battle.models[mage]
    keys = (goal,) if goal in battle.models else unit.models
    if mage in keys:
        return True
    near = min(battle.bodies.gap(caster.body, battle.models[key].body) for key in keys)
    return near <= (spell.range_cm or 0.0) * 10 + 1


def declare(battle: Battle, seat: str, key: str) -> float:
    """What declaring a spell ("mage:spell") or a dispelling ("mage:dispel:spell") is worth."""
    mage, _, what = key.partition(":")
    if what.startswith("dispel:"):
        return 1.0
    spell = spells.SPELLS[what]
    caster = battle.models[mage]
    goals = [o.key for o in spell.targets(battle, caster)[0]]
    gain = max((target(battle, seat, spell, mage, goal) for goal in goals), default=0.0)
    if gain <= 0:
        return -0.5
    best = max(range(1, 1 + max(1, pool(battle, mage))), key=lambda n: dice(battle, mage, spell.difficulty, n))
    cast, fiasco = chances.casting(best, value(battle, caster, "CO"), spell.difficulty)
    return gain * cast - HURT * fiasco * worth.price(caster)


def pool(battle: Battle, mage: str) -> int:
    """How many dice a mage may throw at the most, within reason."""
    model = battle.models[mage]
    return min(MOST, model.magic.creation_dice + min(model.magic.stones, value(battle, model, "CO")))


def dice(battle: Battle, mage: str, difficulty: int, count: int) -> float:
    """nemesis:14.4-test  What so many dice are worth; those beyond five are too many to think of."""
    if count > MOST:
        return -1.0
    cast, fiasco = chances.casting(count, value(battle, battle.models[mage], "CO"), difficulty)
    return cast - 0.5 * fiasco - 0.04 * count


def block(total: int, difficulty: int, count: int) -> float:
    """nemesis:14.5-block  What so many blocking dice are worth; none is worth nothing."""
    if not count or count > MOST:
        return -float(count)
    stopped, fiasco = chances.blocking(count, total - difficulty)
    return stopped - 0.5 * fiasco - 0.04 * count

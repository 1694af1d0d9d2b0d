"""Whom to charge, to shoot, to cast at; when to stand, to pursue, to challenge."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army.spells import SPELLS
from grognard.games.wfb3.army.weapons import WEAPONS
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import charge_orders, charging, declaring
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.psychology import animosity, fear
from grognard.games.wfb3.rolls.steps import combat_need, wound_need
from grognard.games.wfb3.sense.worth import edge, fight, passes, points, prize, standing, unsaved, volley, with_weapon
from grognard.games.wfb3.table import ground, terrain
from grognard.kernel.formation.charging.charge import best_charge
from grognard.kernel.formation.charging.scene import ChargeRules
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side
from grognard.kernel.formation.steps import Pay, Step
from grognard.kernel.geometry.units import MM_PER_INCH, bearing
from grognard.kernel.questions import Number, Pick, Split

#: By eye a charge is sure up to this share of its reach, and hopeless beyond the whole of it.
SURE = 0.8
#: The share of a charge's reach one plans with, judging by eye.
NEARLY = 0.97
#: How much more one's own losses weigh than the enemy's.
CAUTION = 1.5
#: Sound enemies nearer than this (inches) keep one from running after others.
WATCHED = 14.0
#: Attacks that make a hero fit to fight on his own.
HERO = 2


def far_off(battle: Battle, one: Unit, two: Unit) -> float:
    """Inches between two units, as one judges them by eye."""
    if one.block is None or two.block is None:
        return 99.0
    return battle.gap(one, two) / MM_PER_INCH


def unit_of(battle: Battle, key: str) -> Unit | None:
    if key in battle.models and key not in battle.units:
        return battle.units.get(battle.models[key].unit)
    return battle.units.get(key)


def likely(battle: Battle, unit: Unit, target: Unit) -> float:
    """wfb3:7.1-double  About how likely a charge gets there, 0 to 1."""
    share = battle.gap(unit, target) / max(1.0, fear.charge_reach(battle, unit))
    brave = passes(unit.profile.Cl) if fear.dread(battle, unit, target) is not None else 1.0
    return brave * max(0.0, min(1.0, (1.0 - share) / (1.0 - SURE)))


def opens(battle: Battle, unit: Unit, target: Unit, side: Side) -> bool:
    """wfb3:7.1.2-manoeuvre  Whether a way to the enemy's side is free, as far as one sees: nobody, no wall, no mire."""
    if unit.block is None or target.block is None or unit.kind == "chariot" or unit.air.height:
        return True
    if any(f.charge.target == target.id and f.charge.face == side.name for f in battle.friends(unit)):
        return False
    allowance = fear.charge_reach(battle, unit) * NEARLY
    things = charging.around(battle, unit, target)
    block = unit.block
    if manoeuvres.free_turner(unit):
        x, y = target.block.centre
        block = block.placed_by_centre(block.centre, bearing(x - block.centre[0], y - block.centre[1]))
        if ground.fits(battle, unit, block):
            return False
        steps: tuple[Step, ...] = ()
    else:
        others = [t for t in things if t.name != target.id and not t.name.endswith(" edge")]
        rules = ChargeRules(wheel=Pay.ARC, budget=allowance, max_turn=charge_orders.ALIGN)
        made = best_charge(block, target.block, side=side, obstacles=others, rules=rules, field=battle.board)
        if made is None:
            return False
        steps = made.path.steps
    fought_over = charging.defences(battle, target)
    walls = terrain.of_ground(battle.table, "linear")
    things += [Obstacle(p.id, terrain.outline(p, battle.table)) for p in walls if p.id not in fought_over]
    walk = Walk(battle, unit, allowance, things, block=block)
    walk.ignored = tuple(p.id for p in walls)
    for step in steps:
        if not walk.stopped:
            manoeuvres.take(battle, unit, walk, step)
    if not walk.stopped and walk.left > 0.0:
        walk.advance(walk.left)
    return walk.stopped == target.id


def beset(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Points friends who charge or fight an enemy are about to take from it, and what it takes from those it fights."""
    given = taken = 0.0
    for friend in battle.friends(unit):
        met = any(foe.id == target.id for foe, _, _ in battle.foes(friend))
        if met or friend.charge.target == target.id:
            gains, loses = fight(battle, friend, target, charging=not met)
            given, taken = given + gains, taken + (loses if met else 0.0)
    return given, taken


def caution(battle: Battle, seat: str) -> float:
    """How much one's own losses weigh: more for who is ahead near the end, less for who is behind."""
    if battle.limit - battle.turn > 1:
        return CAUTION
    ours, theirs = (sum(standing(battle, u) for u in battle.army(s)) for s in (seat, battle.other(seat)))
    share = (ours - theirs) / (ours + theirs + 1.0)
    return 2.0 if share > 0.08 else 0.8 if share < -0.02 else CAUTION


def promise(battle: Battle, unit: Unit, target: Unit) -> float:
    """What charging somebody looks worth, in hundreds of points: what it costs either, from which side, with whom."""
    if unit.block is None or target.block is None:
        return -1.0
    reach = likely(battle, unit, target)
    if reach <= 0.0:
        return -0.3
    side = declaring.face(battle, unit, target)
    dear = prize(battle, target)
    given, taken = beset(battle, unit, target)
    if target.rout.routed:
        # wfb3:7.3-failed-charge  they run on, and who does not catch them is in disorder
        gains, loses = (0.4 if unit.kind == "character" else 0.1) * dear, 0.0
    else:
        gains, loses = fight(battle, unit, target, side, charging=True)
        if fear.dread(battle, target, unit) is not None:
            gains += 0.4 * (dear - gains) * (1.0 - passes(target.profile.Cl))
        if given:
            loses *= 0.6
            gains = min(gains, max(0.15 * dear, dear - given))
        if taken:  # wfb3:10.7.2, and a friend in need
            flank = side is not Side.FRONT
            gains += 0.7 * taken + (0.6 * dear * (1.0 - passes(target.profile.Cl)) if flank else 0.0)
    worth = reach * (gains - caution(battle, unit.seat) * loses) / 100 - (1.0 - reach) * 0.3 - 0.08
    return worth if worth <= 0.0 or opens(battle, unit, target, side) else -0.2


def declare(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.1-declare  The most promising charge, or none."""
    if answer is None:
        return 0.0
    who, _, whom = str(answer).partition(">")
    unit, target = unit_of(battle, who), unit_of(battle, whom)
    return -0.5 if unit is None or target is None else promise(battle, unit, target)


def redirect(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.2.4-redirect"""
    if answer is None:
        return 0.0
    unit, target = unit_of(battle, question.about[0]), unit_of(battle, str(answer))
    return -0.5 if unit is None or target is None else promise(battle, unit, target)


def first(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.1-double  Those nearest to whom they charge go first, out of the others' way."""
    unit = unit_of(battle, str(answer))
    target = battle.units.get(unit.charge.target) if unit is not None else None
    return 0.0 if unit is None or target is None else -far_off(battle, unit, target)


def react(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.2-responses  Shoot them if one can; stand; run only from what is sure to destroy one."""
    target, charger = (unit_of(battle, key) for key in question.about[:2])
    if target is None or charger is None:
        return 0.0
    hopeless = edge(battle, charger, target) > 0.9 and 3 * points(battle, target) < points(battle, charger)
    return {"shoot": 1.0, "hold": 0.6, "flee": 0.7 if hopeless else -0.5}.get(str(answer), -0.2)


def shoot(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:6.2.1-one-target  Where a volley takes most; at what is near and dear where it takes nothing."""
    if answer is None:
        return -1.0
    unit, target = unit_of(battle, question.about[0]), unit_of(battle, str(answer))
    if target is None:
        return 0.0
    if unit is None or unit.block is None:
        return 1.0 + standing(battle, target) / 400
    if any(foe.seat == unit.seat for foe, _, _ in battle.foes(target)):  # wfb3:6.2.1, one hits one's friends
        return -2.0
    near = 0.002 * far_off(battle, unit, target)
    alone = 2.0 if target.kind == "character" else 1.0  # heroes on their own are the most dangerous
    return 1.0 + alone * volley(battle, unit, target) / 50 + standing(battle, target) / 5000 - near


def weapon(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:13.2-one-melee-weapon  The weapon that takes most; who says nothing has the first in hand."""
    unit = unit_of(battle, question.about[0])
    held = WEAPONS.get(str(answer or question.options[0].key))
    if unit is None or held is None:
        return 0.0
    foes = [foe for foe, _, _ in battle.foes(unit)] or battle.enemies(unit)
    if not foes:
        return 0.0
    bare = held.two_handed and unit.kit.shield
    gains = with_weapon(battle, unit, held, foes[0], charging=unit.charge.charged == battle.clock)
    return gains - (0.05 if bare else 0.0)


def hands(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:13.3-two-weapons  Two weapons pay against those who are hit easily, one against the skilled."""
    unit = unit_of(battle, question.about[0])
    foes = [foe for foe, _, _ in battle.foes(unit)] if unit is not None else []
    if unit is None or not foes:
        return 0.0
    model = battle.models.get(question.about[0])
    hard = combat_need((model or unit).profile.WS, foes[0].profile.WS) >= 5
    return 1.0 if (answer is None) != hard else 0.0


def cast(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:4-phases  Missiles first, then curses and boons; no play with fire."""
    if answer is None:
        return 0.1
    spell = SPELLS.get(str(answer).partition(":")[2])
    return 0.0 if spell is None else {"missile": 0.8, "curse": 0.5, "boon": 0.3}.get(spell.kind, 0.0)


def aim(battle: Battle, question: Pick, answer: Any) -> float:
    """Harm to dear enemies, help to dear friends who fight."""
    if answer is None:
        return -0.1
    unit = unit_of(battle, str(answer))
    if unit is None:
        return 0.1
    fights = 0.5 if unit.where == "table" and battle.engaged(unit) else 0.0
    return standing(battle, unit) / 500 + (fights if unit.seat == question.seat else 0.0)


def _bout(one: Model, two: Model) -> float:
    """The share of his wounds one takes from another in a round, on average."""
    best = max(WEAPONS[n].strength for n in (*one.kit.weapons, "hand weapon"))
    hits = (7 - min(6, combat_need(one.profile.WS, two.profile.WS))) / 6
    need = wound_need(one.profile.S + best, two.profile.T)
    wounds = 0.0 if need > 6 else (7 - need) / 6
    through = unsaved(two.profile, two.kit, two.mount, 0)
    return sum(n for _, n in one.profile.attacks) * hits * wounds * through / max(1, two.w)


def _champions(battle: Battle, unit: Unit) -> list[Model]:
    leader = battle.leader(unit)
    return [*battle.characters(unit), *([leader] if leader is not None and leader.role != "character" else [])]


def challenge(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.15-leader  Call out whom one beats, fearing the best of them."""
    if answer is None:
        return 0.0
    model, dared = battle.models.get(question.about[0]), battle.models.get(str(answer))
    foe = battle.units[dared.unit] if dared is not None else unit_of(battle, str(answer))
    if model is None or foe is None:
        return -0.1
    rivals = _champions(battle, foe)
    return min((_bout(model, r) - _bout(r, model) for r in rivals), default=0.0) - 0.05


def accept(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:7.15.2-accept  Take it up with whoever has the best chance; hide from certain death only."""
    if answer == "together":
        return 1.0
    model, rival = battle.models.get(str(answer)), battle.models.get(question.about[0])
    if model is None or rival is None:
        return -0.25
    return _bout(model, rival) - _bout(rival, model)


def share(battle: Battle, question: Split, answer: Any) -> float:
    """wfb3:11.2.2-choice  Blows where they win points: the troops, or a leader who falls easily."""
    total, spent = 0.0, 0
    for key, count in dict(answer).items():
        model = battle.models.get(str(key))
        hero = model is not None and model.role == "character"
        price = battle.units[model.home].price / max(1, model.profile.W) if model is not None else 6.0
        hard = (model.profile.T + model.profile.WS + (1 if hero else 0)) if model is not None else 6
        total += int(count) * price / max(4, hard)
        spent += int(count)
    return total + 0.1 * spent


def pursue(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:8.5-pursue  Run down what breaks, unless somebody else would fall upon one's disorder."""
    unit = unit_of(battle, question.about[0]) if question.about else None
    watched = unit is not None and any(
        not foe.rout.routed and not battle.engaged(foe) and foe.kind != "character" and foe.id not in question.about
        and far_off(battle, unit, foe) < WATCHED for foe in battle.enemies(unit)
    )  # fmt: skip
    return (0.3 if watched else 1.0) if str(answer) == "pursue" else 0.6 if str(answer) not in battle.units else 0.2


def widest(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:8.5.1-catch  The more abreast, the more blows."""
    return float(answer) / 20.0 if str(answer).isdigit() else 0.0


def leave(battle: Battle, question: Pick, answer: Any) -> float:
    """Better leave things as they are."""
    return 1.0 if answer is None else 0.0


def out(battle: Battle, question: Pick, answer: Any) -> float:
    """wfb3:14.6.3-leave, wfb3:7.12-ranks
    A fighting hero is worth more on his own: ranks count for nothing against him.

    Only he keeps the peace among those who quarrel (wfb3:10.3-roll).
    """
    if answer is None:
        return 1.0
    model = battle.models.get(str(answer).partition(":")[2])
    unit = battle.units[model.unit] if model is not None else None
    if model is None or unit is None or battle.engaged(unit) or battle.limit - battle.turn < 2:
        return 0.0
    if str(answer).startswith("command:"):
        return 1.1 if battle.leader(unit) is None else 0.0
    if model.id == unit.leader and animosity.subject(battle, unit):
        return 0.0
    return 1.2 if sum(n for _, n in model.profile.attacks) >= HERO else 0.0


def low(battle: Battle, question: Number, answer: Any) -> float:
    """The sooner the better."""
    return -float(answer)


def most(battle: Battle, question: Number, answer: Any) -> float:
    return float(answer)


def named(**worth: float) -> Any:
    """An opinion by the name of the option."""

    def opinion(battle: Battle, question: Pick, answer: Any) -> float:
        key = "none" if answer is None else str(answer).partition(":")[0].replace("-", "_")
        return worth.get(key, 0.1)

    return opinion

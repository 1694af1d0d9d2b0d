"""Chapter 21: Wounds and losses: who is hurt, who is lost, and how the lost leave the table."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.nemesis.army.profiles import Ranged
from grognard.games.nemesis.battle import OVERRIDE, Battle, weapon_traits
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.losses import courage
from grognard.games.nemesis.rolls.rerolls import MIRROR, heed, holds, overrides, spend, tester, victim
from grognard.games.nemesis.rolls.steps import under, wound
from grognard.games.nemesis.setup import missions
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally

TIMING = "nemesis:21-timing"
EDGE = "nemesis:X.2-table-edge"
ANNIHILATED = "nemesis:20.1-annihilated"
REGENERATION = "nemesis:A1.26-regeneration"
ROTTEN = "nemesis:A1.23-rotten"
UNDEAD = "nemesis:A1.21-undead"

#: nemesis:20.1-annihilated, X.14-bounds  Units nearer than this to a unit wiped out are shaken by it.
NEAR = cm(10)

#: nemesis:A1.23-rotten  Ruling: the undead are lifeless.
LIFELESS = ("lifeless", "undead", "demon", "golem", "magic creature", "magic-creature")

#: Where a model stood when it left: its base and its pose.
Stand = tuple[Base, Pose]


# ---------------------------------------------------------------------- wounds


def strike(
    battle: Battle, model: Model, power: Tally | int, *, by: Model | None, rule: str, melee: bool = False,
    overflow: bool = False, weapon: Ranged | None = None, instant: bool = False,
) -> Script[None]:  # fmt: skip
    """nemesis:14.2-power, nemesis:17.3-resist, nemesis:17.3-survival  One hit that needs no roll to hit.

    nemesis:A2-hits  Ruling: where the hit is meant for this very model (`overflow` False) what it cannot take is lost.
    """
    hurt_ = yield from heed(battle, wound(victim(battle, model), power, melee=melee))
    spend(battle, model, hurt_.used)
    about = (model.id, *((by.id,) if by else ()))
    if hurt_.wounded:
        hurt(battle, model, by=by, melee=melee, cause_rule=rule, overflow=overflow, weapon=weapon, instant=instant)
    else:
        battle.tell(f"impact.{hurt_.result}", rule, about, power=power)


def hurt(
    battle: Battle, model: Model, *, by: Model | None, melee: bool, cause_rule: str, instant: bool = False,
    overflow: bool = True, weapon: Ranged | None = None,
) -> Model | None:  # fmt: skip
    """nemesis:21.1, nemesis:21.2-hero  A wound not avoided; returns the model that is lost by it, if one is.

    A trooper is lost; a hero or a model that stands alone loses survival. What an already lost trooper takes
    passes to his regiment, and when nobody else is left to the hero within (nemesis:21.2-excess).
    """
    who = _sufferer(battle, model, overflow)
    if who is None:
        battle.tell("wound.wasted", "nemesis:21.1", (model.id,))
        return None
    unit = battle.unit_of(who)
    _madden(battle, who, melee)
    if unit.regiment and not who.card.is_hero:
        battle.cite("nemesis:21.1", "nemesis:5.2-troop")
        return doom(battle, who, by, cause_rule, instant)
    if who is not model:
        cause_rule = "nemesis:21.2-excess"
        battle.tell("wound.excess", cause_rule, (who.id, unit.id))
    return _lower(battle, who, by, cause_rule, instant, _cost(battle, who, by, melee, weapon))


def _sufferer(battle: Battle, model: Model, overflow: bool) -> Model | None:
    """nemesis:21.1, nemesis:21.2-excess
    Who takes a wound: the model, for one already lost a comrade, at last the hero."""
    unit = battle.unit_of(model)
    if model.card.is_hero or not unit.regiment or not model.doomed:
        return model
    if not overflow:
        return None
    hero = battle.models[unit.hero] if unit.hero is not None else None
    return _heir(battle, unit, model) or (None if hero is None or hero.doomed else hero)


def _heir(battle: Battle, unit: Unit, struck: Model) -> Model | None:
    """nemesis:21.1  Ruling: further wounds pass to other members in contact, the champion last, then the nearest."""
    heirs = [m for m in battle.standing(unit) if m.id not in (struck.id, unit.hero)]

    def rank(heir: Model) -> tuple[bool, bool, float]:
        touching = battle.engaged(heir)
        return not touching, touching and heir.champion, battle.gap(heir, struck)

    return min(heirs, key=rank, default=None)


def _cost(battle: Battle, model: Model, by: Model | None, melee: bool, weapon: Ranged | None) -> Tally:
    """nemesis:21.2-hero, nemesis:A1.23-rotten  One point of survival, two for a Rotten wound on a living enemy."""
    cost = Tally(1, "wound", "nemesis:21.2-hero")
    if by is None:
        return cost
    armed = battle.traits(by) if melee else (*by.card.traits, *(weapon_traits(weapon) if weapon else ()))
    if not any(trait.rots for trait in armed) or (not melee and weapon is None):
        return cost
    battle.cite(OVERRIDE, ROTTEN)
    if holds(battle, model, "rots"):
        battle.cite(MIRROR)
        return cost
    lifeless = any(map(model.card.has_keyword, LIFELESS)) or any(t.rule == UNDEAD for t in battle.traits(model))
    return cost.add(0 if lifeless else 1, "rotten", ROTTEN)


def _lower(battle: Battle, model: Model, by: Model | None, rule: str, instant: bool, cost: Tally) -> Model | None:
    """nemesis:21.2-hero, nemesis:X.12-floors  Survival is lowered for good; below 1 the model is eliminated."""
    battle.cite("nemesis:21.2-hero", f"nemesis:5.2-{model.card.type}")
    model.s = max(0, model.s - int(cost.value))
    battle.tell("model.wounded", rule, (model.id, *((by.id,) if by else ())), lost=cost, left=model.s)
    return doom(battle, model, by, "nemesis:21.2-hero", instant) if model.s < 1 and not model.doomed else None


def doom(battle: Battle, model: Model, by: Model | None, rule: str, instant: bool = False) -> Model:
    """nemesis:21-timing  Lost: it leaves at the end of the phase, or at once where the rules say so."""
    model.doomed = True
    model.instant = instant
    model.slayer = by.id if by is not None and by.seat != model.seat else ""
    battle.tell("model.lost", rule, (model.id, *((by.id,) if by else ())), at_once=instant)
    return model


def _madden(battle: Battle, model: Model, melee: bool) -> None:
    """nemesis:A1.8-madness  Ruling: from the first wound suffered in melee on, at once and once only."""
    rule = "" if model.mad else overrides(battle, model, "maddens")
    if rule and melee:
        model.mad = True
        battle.tell("model.mad", rule, (model.id,))


# ---------------------------------------------------------------------- leaving the table


def sweep(battle: Battle) -> Script[None]:
    """nemesis:21-timing  At the end of a phase everyone lost in it leaves, all together.

    nemesis:A1.26-regeneration  Ruling: whoever is wounded and has not yet tried this turn may in the last phase.
    """
    while doomed := [m for m in battle.on_table() if m.doomed]:
        yield from remove(battle, doomed, TIMING)
    if battle.phase == "results":
        for model in list(battle.on_table()):
            yield from regenerate(battle, model)


def remove(battle: Battle, models: Sequence[Model], rule: str) -> Script[None]:
    """nemesis:21-timing, nemesis:20.1-annihilated
    These models leave now, together; units near one wiped out test courage."""
    leaving = []
    for model in models:
        if model.on_table and not (yield from _regenerates(battle, model)):
            leaving.append(model)
    if not leaving:
        return
    battle.cite(TIMING)
    units = list(dict.fromkeys(m.unit for m in leaving))
    last = {key: [_stand(battle, m) for m in leaving if m.unit == key] for key in units}
    for model in leaving:
        counts = not (model.summoned and model.arrived == battle.turn)
        battle.unit_of(model).lost_this_turn += counts
        battle.unit_of(model).combat_losses += counts and battle.phase == "combat"
        if model.slayer:
            battle.models[model.slayer].kills += 1
        _take_off(battle, model, rule)
    missions.after_removal(battle)
    for key in units:
        if not battle.units[key].models:
            yield from _wiped_out(battle, battle.units[key], last[key])


@cites
def leave_table(battle: Battle, models: Sequence[Model], rule: str = EDGE) -> Script[None]:
    """nemesis:X.2-table-edge  Ruling: across the edge is out of play: a casualty for victory, not for 20.1."""
    for model in models:
        unit = battle.unit_of(model)
        _take_off(battle, model, rule)
        unit.wiped = not unit.models
    missions.after_removal(battle)
    yield from ()


def _stand(battle: Battle, model: Model) -> Stand:
    return battle.bodies.base(model.body), battle.pose(model)


def _take_off(battle: Battle, model: Model, rule: str) -> None:
    """nemesis:A3.2-victory  Off the table; its cost counts as lost, but for what was summoned."""
    unit, side = battle.unit_of(model), battle.sides.get(model.seat)
    model.on_table, model.doomed = False, False
    battle.bodies.remove(model.body)
    unit.models = tuple(m for m in unit.models if m != model.id)
    if unit.hero == model.id:
        unit.hero = None
    battle.tell("model.removed", rule, (model.id, unit.id), cost=0 if model.summoned else model.card.cost)
    if side is not None:
        side.lost_points += 0 if model.summoned else model.card.cost
        if side.commander == model.id:
            battle.tell("commander.lost", "nemesis:7-commander-lost", (model.id, model.seat))


def _wiped_out(battle: Battle, unit: Unit, last: list[Stand]) -> Script[None]:
    """nemesis:20.1-annihilated  Units of the same army less than 10 cm from where it fell test courage or flee."""
    unit.wiped = True
    battle.tell("unit.wiped", ANNIHILATED, (unit.id,))
    near = [u for u in battle.army(unit.seat) if any(_closer(_stand(battle, m), last) for m in battle.members(u))]
    for other in near:
        battle.cite("nemesis:X.14-bounds")
        if other.models and not (yield from courage.test(battle, other, "courage", ANNIHILATED, flight=True)):
            yield from courage.flee(battle, other, (), ANNIHILATED)


def _closer(stand: Stand, last: list[Stand]) -> bool:
    return any(gap(*stand, *other) < NEAR - TOUCH for other in last)


# ---------------------------------------------------------------------- regeneration


def _regenerates(battle: Battle, model: Model) -> Script[bool]:
    """nemesis:A1.26-regeneration  Ruling: rolled before removal; success keeps a hero with S 1, a trooper unharmed."""
    if not model.doomed or not (yield from regenerate(battle, model)):
        return False
    model.doomed = model.instant = False
    model.slayer = ""
    battle.tell("model.spared", REGENERATION, (model.id,), left=model.s)
    return True


def regenerate(battle: Battle, model: Model) -> Script[bool]:
    """nemesis:A1.26-regeneration  Once per turn, if the owner wants: 1D10 <= X regains 1 S, never above the start."""
    trait = holds(battle, model, "regenerates")
    if trait is None:
        return False
    battle.cite(REGENERATION)
    if model.used.regeneration or (model.s >= model.s_start and not model.doomed):
        return False
    wanted = yield Pick(
        model.seat, "regenerate", [option("roll", text="option.regenerate")], optional=True, rule=REGENERATION,
        about=(model.id,),
    )  # fmt: skip
    if wanted is None:
        return False
    model.used = model.used.but(regeneration=True)
    value = Tally(trait.number, "regeneration", REGENERATION)
    rolled = yield from heed(battle, under(tester(battle, model, kinds=("stat",)), "regeneration", value, REGENERATION))
    spend(battle, model, rolled.used)
    if rolled.passed:
        model.s = min(model.s_start, model.s + 1)
    kind = "regeneration.passed" if rolled.passed else "regeneration.failed"
    battle.tell(kind, REGENERATION, (model.id,), left=model.s)
    return rolled.passed

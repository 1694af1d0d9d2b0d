"""ades:4.2.7  What formulas, nexus, artefacts, abilities and capabilities do; gifts of life, and the rallying cry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.games.ades.army import army_value
from grognard.games.ades.army.profiles import Do, Power
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import EXCLUSIVE, Effect, Fighter
from grognard.games.ades.losses import casualties, damage, fear
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.movement import movement
from grognard.games.ades.mystics import power_notes, recovery
from grognard.games.ades.rolls import tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.scenarios import fielding
from grognard.games.ades.table import ground, hidden, setting_down, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import round_base
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Number, Pick, Script, option

SPECIAL = "ades:4.2.7"
NONE = Refusal("", SPECIAL)


def rule_of(power: Power) -> str:
    return {
        "spell": "ades:8.2-magician", "miracle": "ades:8.3-faithful", "nexus": "ades:12.4-procedure",
        "capability": "ades:11.3-play", "artefact": "ades:1.1.2.11", "ability": "ades:1.1.2.10",
    }.get(power.kind, SPECIAL)  # fmt: skip


def area(battle: Battle, power: Power, caster: Fighter | None, target: Fighter) -> list[Fighter]:
    """ades:8.4-area, ades:7.5  Everybody the power means within its area, measured from the target's base."""
    if not power.area:
        return [target]
    battle.cite("ades:8.4-area", "ades:7.5")
    if power.target == "around":
        return [f for f in battle.near(target, cm(power.area)) if not hidden.untouched(battle, f, target.seat)]
    near = [target, *battle.near(target, cm(power.area))]
    return [f for f in battle.on_table() if f in near and (f is target or suits(battle, power, caster, f))]


def suits(battle: Battle, power: Power, caster: Fighter | None, target: Fighter) -> bool:
    """Whether a fighter is one of those a power is meant for."""
    seat = caster.seat if caster is not None else ""
    if power.target == "friend" and target.seat != seat:
        return False
    if power.target == "enemy" and target.seat == seat:
        return False
    if power.target == "self" and target is not caster and not power.area:
        return False
    if power.target == "self" and power.area and target.seat != seat:
        return False
    if target.hidden and target.seat != seat:
        return False
    if not power.only:
        return True
    held = power.only.casefold() in [mark.casefold() for mark in battle.marks(target)]
    if held and "heliant" in power.only.casefold():
        battle.cite("ades:13.1-helianthe")
    if held and "black" in power.only.casefold():
        battle.cite("ades:13.1-noire")
    return held


def apply(
    battle: Battle, power: Power, caster: Fighter | None, targets: Sequence[Fighter], rule: str, *,
    source: str, level: int = 0, once: str = "ades:8.5-once",
    shifts: Callable[[Fighter], tuple[Shift, ...]] | None = None,
) -> Script[None]:  # fmt: skip
    """Everything a power does to everybody it reaches."""
    for target in targets:
        if power.name in target.recital.touched_by:
            battle.tell("power.again", once, (target.id,), power=power.name)
            continue
        if _immune(battle, target, power, caster):
            battle.tell("power.proof", "ades:13.2-immunite", (target.id,), power=power.name)
            continue
        target.recital = target.recital.but(touched_by=(*target.recital.touched_by, power.name))
        battle.cite(once)
        for do in power.does:
            if target.alive:
                more = shifts(target) if shifts is not None else ()
                yield from _one(battle, power, do, caster, target, rule, source, level, more)


def _immune(battle: Battle, target: Fighter, power: Power, caster: Fighter | None) -> bool:
    """ades:13.2-immunite  A power by its name, its kind, an element or grimoire, or by who uses it."""
    if not battle.has(target, "immunite"):
        return False
    words = (power.name, power.kind.capitalize(), *power.elements, power.book)
    mine = caster is target
    return any(battle.immune(target, word) for word in words if word) or (
        not mine and battle.immune_from(target, caster)
    )


def proof(battle: Battle, target: Fighter) -> bool:
    """ades:11.2-immune, ades:13.2.1-inalterable  Those that only damage tests can touch."""
    if target.profile.titan:
        battle.cite("ades:11.2-immune")
        return True
    return battle.uses(target, "inalterable")


def _one(
    battle: Battle, power: Power, do: Do, caster: Fighter | None, target: Fighter, rule: str, source: str, level: int,
    shifts: tuple[Shift, ...],
) -> Script[None]:  # fmt: skip
    """One effect on one fighter."""
    if do.kind == "damage":
        force = do.number + (level if power.level == 0 and power.kind in ("spell", "miracle") else 0)
        yield from damage.strike(battle, target, force, Source(shifts=shifts), rule, by=caster)
        return
    if do.kind in ("summon", "nexus"):
        if caster is not None:
            yield from (_summon if do.kind == "summon" else _found)(battle, power, do, caster)
        return
    own = power.kind == "capability" and target is caster  # a titan's capabilities do work on itself
    if not own and proof(battle, target):
        battle.tell("power.proof", "ades:11.2-immune", (target.id,), power=power.name)
        return
    if do.kind == "heal":
        casualties.heal(battle, target, do.number, rule)
    elif do.kind in ("stats", "skills"):
        told = len(caster.recital.recited) + 100 * battle.turn if caster is not None else 0
        _lay(battle, power, do, target, rule, source, told)
    elif do.kind == "lose":
        yield from casualties.lose(battle, target, do.number, rule, by=caster)
    elif do.kind == "rout":
        if not (yield from tests.test(battle, "power.courage", rule, target, "COU", do.number)):
            fear.rout(battle, target, None)
    elif do.kind == "rally":
        if target.fear.routed:
            yield from fear.rally(battle, target)
    elif do.kind == "drain":
        target.powers = target.powers.but(um=max(0, target.powers.um - do.number))
        battle.tell("drained", rule, (target.id,), left=target.powers.um)
    elif do.kind == "dispel":
        yield from _dispel(battle, target, rule)
    elif do.kind == "reveal":
        hidden.reveal(battle, target, rule)
    elif do.kind == "remove-nexus":
        for thing in battle.things_of("nexus"):
            if battle.gap_to_thing(target, thing) <= cm(do.number) + TOUCH:
                battle.cite("ades:12.3-pv")
                casualties.destroy(battle, thing, "ades:12.3-pv")
    elif do.kind == "move":
        yield from _pushed(battle, target, do.number, rule)


def _lay(battle: Battle, power: Power, do: Do, target: Fighter, rule: str, source: str, told: int) -> None:
    """ades:8.4-duration  Characteristics and skills that last."""
    until = battle.turn + max(1, power.duration) - 1
    battle.add_effect(Effect(power.name, rule, source, target.id, until, do.stats, do.words, power.name, told))
    battle.tell("effect", rule, (target.id,), power=power.name, until=until)


def _dispel(battle: Battle, target: Fighter, rule: str) -> Script[None]:
    """ades:8.10-duration  The formulas on a fighter end; whoever was summoned by one of them vanishes."""
    ended = [e for e in battle.effects if e.target == target.id and e.formula]
    battle.effects = tuple(e for e in battle.effects if e not in ended)
    battle.tell("dispelled", rule, (target.id,))
    if target.summons.summoner and any(e.formula == target.summons.summoned_by for e in ended):
        battle.cite("ades:8.10-duration")
        yield from casualties.eliminate(battle, target, "ades:8.10-duration", casualty=False)


def _pushed(battle: Battle, target: Fighter, far: int, rule: str) -> Script[None]:
    """A move granted by a power, like a walk."""
    if battle.free(target) and target.seat in battle.seats:
        way = ground.Way("walk", rule, ((battle.pose(target).level, cm(far)),))
        step = yield from movement.ask(battle, target, way)
        if step is not None:
            yield from movement.travel(battle, step, way, react=False)


# ---------------------------------------------------------------------- summoning


def summon_refusal(battle: Battle, power: Power, caster: Fighter) -> Refusal | None:
    """ades:8.10-cap, ades:8.10-place, ades:8.10-limits, ades:13.2-invocateur  Why nobody can be summoned."""
    names = [w for do in power.does if do.kind == "summon" for w in do.words]
    for name in names:
        profile = battle.library.profiles[name]
        facts = {"fighter": caster.id, "summoned": name}
        cap = 2 * caster.profile.rank
        if battle.has(caster, "invocateur"):
            cap += battle.number(caster, "invocateur")
            battle.cite("ades:13.2-invocateur")
        held = sum(f.profile.pui for f in battle.fighters.values() if f.alive and f.summons.summoner == caster.id)
        if held + profile.pui > cap:
            return Refusal("refuse.summon-cap", "ades:8.10-cap", facts)
        if profile.rank >= 3 and "creatures" not in battle.formats:
            return Refusal("refuse.summon-rank", "ades:8.10-limits", facts, ("ades:2.7.2",))
        if profile.val > army_value.limits(battle.format, battle.formats).troop:
            return Refusal("refuse.summon-value", "ades:8.10-limits", facts, ("ades:2.7.1-table",))
        if not setting_down.around(battle, caster, profile.foot):
            return Refusal("refuse.summon-room", "ades:8.10-place", facts)
    return None


def _summon(battle: Battle, power: Power, do: Do, caster: Fighter) -> Script[None]:
    """ades:8.10-place, ades:8.10-duration, ades:8.10-activation
    A fighter beside the summoner, acting from next turn on."""
    profile = battle.library.profiles[do.words[0]]
    places = setting_down.around(battle, caster, profile.foot)
    if not places:
        return
    hour = yield Pick(
        caster.seat, "summon.where", [option(h, text="option.hour", data={"hour": h}) for h in places],
        rule="ades:8.10-place", about=(caster.id,), data={"name": profile.name},
    )  # fmt: skip
    fighter = fielding.summon(battle, caster, profile, power.name)
    battle.put(fighter, places[hour])
    until = battle.turn + max(1, power.duration) - 1
    told = len(caster.recital.recited) + 100 * battle.turn
    battle.add_effect(Effect(power.name, "ades:8.10-duration", caster.id, fighter.id, until, (), (), power.name, told))
    battle.cite("ades:8.10-activation", "ades:8.10-cap", "ades:8.10-limits")
    battle.tell("summoned", "ades:8.10-place", (caster.id, fighter.id), until=until)


def _found(battle: Battle, power: Power, do: Do, caster: Fighter) -> Script[None]:
    """ades:12.1-created  A nexus made by a formula, in contact with its maker."""
    kind = battle.library.nexus[do.words[0]]
    base = round_base(cm(kind.size))
    places = setting_down.around(battle, caster, base)
    if not places:
        return
    hour = yield Pick(
        caster.seat, "summon.where", [option(h, text="option.hour", data={"hour": h}) for h in places],
        rule="ades:12.1-created", about=(caster.id,), data={"name": kind.name},
    )  # fmt: skip
    thing = fielding.add_nexus(battle, caster.seat, kind)
    thing.maker = caster.id
    fielding.set_thing(battle, thing, places[hour])
    battle.tell("nexus.created", "ades:12.1-created", (caster.id, thing.id))


# ---------------------------------------------------------------------- special actions


def open_powers(battle: Battle, fighter: Fighter) -> list[Power]:
    """ades:1.1.2.10, ades:2.9.3  Abilities and artefacts a fighter may use now."""
    kept = fighter.profile.class_abilities
    own = [a for a in fighter.profile.abilities if not fighter.stripped or a.name in kept]
    own += [battle.library.powers[name] for name in fighter.artefacts if name in battle.library.powers]
    found = []
    for power in own:
        if power.action == "passive" or power.name in fighter.recital.recited or power.name in fighter.powers.spent:
            continue
        if power.action == "exclusive" and any(not d.startswith("no-") for d in fighter.activation.done):
            continue
        if power.action == "cumulative" and any(d in EXCLUSIVE for d in fighter.activation.done):
            continue
        if power.target == "self" or marks(battle, power, fighter):
            found.append(power)
    return found


def marks(battle: Battle, power: Power, fighter: Fighter) -> list[Fighter]:
    """Whom a power may be used on."""
    if power.target in ("self", "none", "around"):
        return [fighter]
    found = [f for f in battle.on_table() if suits(battle, power, fighter, f)]
    level = battle.pose(fighter).level
    found = [f for f in found if abs(battle.pose(f).level - level) <= 1]  # ades:7.5
    if power.range:
        found = [f for f in found if battle.gap(fighter, f) <= cm(power.range) + TOUCH or f is fighter]
    return [f for f in found if f is fighter or sight.sees(battle, fighter, f)]


def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    if open_powers(battle, fighter):
        return None
    if fighter.stripped and fighter.profile.abilities:
        return Refusal("refuse.stripped", "ades:2.9.3", {"fighter": fighter.id})
    return NONE


def use(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:4.2.7, ades:1.1.2.10  Use an ability or artefact; each says itself what kind of action it is."""
    options = [
        option(p.name, p, text="option.power", data={"name": p.name}, notes=power_notes.ability(p))
        for p in open_powers(battle, fighter)
    ]
    power: Power | None = yield Pick(
        fighter.seat, "power.which", options, optional=True, rule=SPECIAL, about=(fighter.id,)
    )
    if power is None:
        return "held"
    target: Fighter | None = yield Pick(
        fighter.seat, "power.target", [option(f.id, f, about=(f.id,)) for f in marks(battle, power, fighter)],
        rule=SPECIAL, about=(fighter.id,), data={"name": power.name}, notes=power_notes.ability(power),
        optional=power.target not in ("self", "none", "around"),
    )  # fmt: skip
    if target is None:
        return "held"
    rule = rule_of(power)
    battle.tell("power", SPECIAL, (fighter.id, target.id), power=power.name)
    battle.cite(rule)
    fighter.recital = fighter.recital.but(recited=(*fighter.recital.recited, power.name))
    if not power.frequency:
        fighter.powers = fighter.powers.but(spent=(*fighter.powers.spent, power.name))
    if power.action in ("exclusive", "cumulative"):
        fighter.activation = fighter.activation.but(done=(*fighter.activation.done, f"power-{power.action}"))
    yield from apply(battle, power, fighter, area(battle, power, fighter, target), rule, source=fighter.id)
    return "done" if fighter.alive else "dead"


def may_cry(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:13.2-cri-de-ralliement"""
    if not battle.has(fighter, "cri-de-ralliement"):
        return NONE
    if any(word in fighter.powers.spent for word in ("cry", "Rallying cry", "Cri de ralliement")):
        return Refusal("refuse.cry-spent", "ades:13.2-cri-de-ralliement", {"fighter": fighter.id})
    return None if any(f.fear.routed for f in battle.friends(fighter)) else NONE


def cry(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:13.2-cri-de-ralliement  Once a game every routed friend tests, columns right by the crier's rank."""
    fighter.powers = fighter.powers.but(spent=(*fighter.powers.spent, "cry"))
    battle.tell("cry", "ades:13.2-cri-de-ralliement", (fighter.id,))
    for friend in battle.friends(fighter):
        if friend.fear.routed:
            yield from fear.rally(battle, friend, fighter.profile.rank)
    return "done"


# ---------------------------------------------------------------------- devotion and martyrdom


def _givers(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """ades:13.2-devotion, ades:13.2-martyr  Friends in the control zone who give their life for a mystic's units."""
    for mystic, skill in (("magicien", "devotion"), ("fidele", "martyr")):
        if battle.has(fighter, mystic):
            zone = cm(15) * fighter.profile.rank
            return [f for f in battle.near(fighter, zone) if f.seat == fighter.seat and battle.has(f, skill)]
    return []


def may_give(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    magic = battle.has(fighter, "magicien")
    rule, skill = ("ades:13.2-devotion", "devotion") if magic else ("ades:13.2-martyr", "martyr")
    if not _givers(battle, fighter):
        mystic = magic or battle.has(fighter, "fidele")
        if not mystic or not any(battle.has(f, skill) for f in battle.friends(fighter)):
            return NONE
        return Refusal("refuse.no-giver", rule, {"fighter": fighter.id}, ("ades:8.1-zone",))
    if not battle.free(fighter):
        return Refusal("refuse.not-free", rule, {"fighter": fighter.id}, ("ades:1.1.13-free",))
    if fighter.recital.offered >= fighter.profile.rank:
        return Refusal("refuse.gifts", rule, {"fighter": fighter.id})
    return None


def give(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:13.2-devotion, ades:13.2-martyr  X life points of a friend for X gems or faith."""
    battle.cite("ades:8.1-zone")
    magic = battle.has(fighter, "magicien")
    rule = "ades:13.2-devotion" if magic else "ades:13.2-martyr"
    giver: Fighter | None = yield Pick(
        fighter.seat, "gift.who", [option(f.id, f, about=(f.id,)) for f in _givers(battle, fighter)], optional=True,
        rule=rule, about=(fighter.id,),
    )  # fmt: skip
    if giver is None:
        return "held"
    count = yield Number(fighter.seat, "gift.pv", 1, giver.pv, rule=rule, about=(giver.id, fighter.id))
    fighter.recital = fighter.recital.but(offered=fighter.recital.offered + 1)
    recovery.gain(battle, fighter, int(count), rule)
    yield from casualties.lose(battle, giver, int(count), rule)
    return "done"

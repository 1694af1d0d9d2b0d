"""Chapters 18.1 to 18.4, 21.5:
Monsters and those they carry: two targets, struck and shot at apart, each striking for itself.
"""

from __future__ import annotations

from grognard.games.wfb3.army.weapons import MISSILES
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import casualties, sourceless_hits, striking
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import arms, steps, to_hit_to_wound
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.shooting import aiming, missiles
from grognard.games.wfb3.table import contacts, crews
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Roll, Script, Split
from grognard.kernel.words.tally import Tally

#: wfb3:18.1-shooting, 21.5-mounts  On a die up to this the creature is struck, above it whoever rides it.
CREATURE = 4
#: wfb3:18.2-reach
LONG = ("spear", "pike", "halberd")


def where_rule(carrier: Model) -> str:
    return "wfb3:21.5-mounts" if carrier.profile.flight is not None else "wfb3:18.1-shooting"


def shared(battle: Battle, seat: str, unit: Unit, hits: int) -> Script[list[tuple[Model, int]]]:
    """wfb3:18.3-units  Hits spread at random over the unit's monsters, creature by creature and crew by crew."""
    carriers = battle.numbered(unit)
    counts = {m.id: 0 for m in carriers}
    if len(carriers) == 1:
        counts[carriers[0].id] = hits
    else:
        faces = yield Roll(seat, "monster.which", len(carriers), hits, rule="wfb3:18.3-units", about=(unit.id,))
        for face in faces:
            counts[carriers[face - 1].id] += 1
    found: list[tuple[Model, int]] = []
    for carrier in carriers:
        if counts[carrier.id]:
            found += yield from _apart(battle, seat, carrier, counts[carrier.id])
    return found


def _apart(battle: Battle, seat: str, carrier: Model, hits: int) -> Script[list[tuple[Model, int]]]:
    """wfb3:18.1-shooting, wfb3:18-monster-definition  A die for every hit: 1-4 the creature, 5-6 one of the crew."""
    battle.cite("wfb3:18-monster-definition")
    if not carrier.ride.crew:
        return [(carrier, hits)]
    faces = yield Roll(
        seat, "monster.where", 6, hits, rule=where_rule(carrier), about=(carrier.id,), cuts=(CREATURE + 1,)
    )
    low = sum(face <= CREATURE for face in faces)
    found = [(carrier, low)] if low else []
    if hits - low:
        found += yield from among(battle, seat, crews.aboard(battle, carrier), hits - low)
    return found


def among(battle: Battle, seat: str, members: list[Model], hits: int) -> Script[list[tuple[Model, int]]]:
    """wfb3:18.4.4-driver  Nobody of a crew can be singled out: every hit strikes one of them at random."""
    if len(members) == 1:
        return [(members[0], hits)]
    faces = yield Roll(
        seat, "crew.whom", len(members), hits, rule="wfb3:18.4.4-driver", about=tuple(m.id for m in members)
    )
    counts = [sum(face == n + 1 for face in faces) for n in range(len(members))]
    return [(m, n) for m, n in zip(members, counts, strict=True) if n]


def shot(battle: Battle, unit: Unit, target: Unit, made: aiming.Shot, hits: int, *, quiet: bool = False) -> Script[int]:
    """wfb3:18.1-shooting  Missile hits on monsters; how many wounds they did."""
    total, before = 0, battle.size(target)
    for strength, some in (yield from missiles.strengths(battle, unit, target, made, hits)):
        for model, number in (yield from shared(battle, unit.seat, target, some)):
            if model.alive:
                blow = Blow(made.modifier, "wfb3:6.5-save-mods", False, made.rear)
                rule = where_rule(crew_or_self(battle, model))
                total += yield from sourceless_hits.on_model(
                    battle, unit.seat, model, number, strength, blow, rule, (unit.id,)
                )
    lost = max(0, before - battle.size(target))
    if (target.where == "table" or total) and not quiet:
        battle.tell("shoot.hurt", "wfb3:6.3-wounds", (unit.id, target.id), hits=hits, wounds=total, dead=lost)
    return total


def crew_or_self(battle: Battle, model: Model) -> Model:
    return battle.models[model.ride.aboard] if model.ride.aboard else model


# ---------------------------------------------------------------------- striking


def groups(battle: Battle, unit: Unit) -> list[Group]:
    """wfb3:18.4.3-crew-attacks, wfb3:18.4.4-driver
    Creatures as their attacks reach, crews all round, drivers to the front. Everybody strikes at the first enemy he
    touches, unless his player shares his blows among several; only what does not reach that one strikes elsewhere.
    """
    found: list[Group] = []
    touches = contacts.of_unit(battle, unit)
    foes = sorted(battle.foes(unit), key=lambda f: f[1].value)
    for number in sorted({t.number for t in touches if t.number < len(unit.models)}):
        carrier = battle.models[unit.models[number]]
        near = [(foe, side) for foe, side, _ in foes if any(t.foe == foe.id and t.number == number for t in touches)]
        left = dict(carrier.profile.attacks)
        for foe, side in near:
            if foe is near[0][0]:
                found += fighters(battle, unit, foe, carrier, side)
                left = {k: n for k, n in left.items() if not striking.reaches(k, side) and k not in striking.TURNED}
            elif attacks := sum(n for kind, n in left.items() if striking.reaches(kind, side)):
                beast, auto = carrier.profile, striking.auto_hits(battle, unit, foe)
                found.append(Group(unit.id, foe.id, carrier.id, 1, attacks, beast.I, beast, auto))
                left = {k: n for k, n in left.items() if not striking.reaches(k, side)}
    return found


def fighters(battle: Battle, unit: Unit, foe: Unit, carrier: Model, side: Edge) -> list[Group]:
    """Everybody on and under one monster who strikes at an enemy on this side of it.

    Ruling: a beast set upon from behind or the side keeps its head where it was, and its driver does not strike.
    """
    found = []
    beast = carrier.profile
    attacks = striking._attacks(beast, side)
    auto = striking.auto_hits(battle, unit, foe)
    if attacks:
        found.append(Group(unit.id, foe.id, carrier.id, 1, attacks, beast.I, beast, auto))
    if carrier.ride.crew and (rule := crews.idle(battle, carrier)):
        battle.cite(rule)
        return found
    for member in crews.fighting(battle, carrier):
        if member.id == carrier.ride.driver and side is not Edge.FRONT:
            battle.cite("wfb3:18.4.4-driver")
            continue
        battle.cite("wfb3:18.4.3-crew-attacks")
        gear = arms.arms(battle, unit, member, foe)
        number = sum(c for _, c in member.profile.attacks)
        if number:
            speed = striking.initiative(battle, member.profile, gear)
            found.append(Group(unit.id, foe.id, member.id, 1, number, speed, member.profile, auto))
    return found


def reaches_crew(battle: Battle, unit: Unit, group: Group) -> bool:
    """wfb3:18.2-reach  Whether these attackers can strike at those who ride a monster.

    Ruling: crews of chariots reach as riders of riding animals do.
    """
    if unit.air.height and battle.units[group.foe].air.height:
        battle.cite("wfb3:21.5-mounts")
        return True
    battle.cite("wfb3:18.2-reach")
    model = battle.models.get(group.who)
    if group.who in ("mounts", "team") or (model is not None and model.ride.crew):
        return False
    if model is not None and model.ride.aboard:
        return True
    if model is not None and model.mount is not None:
        return group.profile is not model.mount
    if battle.mounted(unit) or unit.profile.large:
        return True
    return arms.wielded(unit, model).name in LONG


def struck(battle: Battle, group: Group, attacks: int) -> Script[int]:
    """wfb3:18.2-reach, wfb3:18.3-units
    Blows at monsters: each monster in contact by itself, its crew where they reach it.
    """
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    if not attacks or foe.where != "table":
        return 0
    marks = touched(battle, unit, foe, group)
    options = [Option(m.id, m.id, "option.aim.creature", (m.id,)) for m in marks]
    if reaches_crew(battle, unit, group):
        options += [Option(f"{m.id}:crew", f"{m.id}:crew", "option.aim.crew", (m.id,)) for m in marks if m.ride.crew]
    if not options:
        return 0
    if len(options) == 1:
        shares = {options[0].key: attacks}
    else:
        battle.cite("wfb3:18.3-units" if len(marks) > 1 else "wfb3:18.2-reach")
        shares = yield Split(
            unit.seat, "combat.aim", options, attacks, exact=False, filled=True, rule="wfb3:18.2-reach",
            about=(unit.id, foe.id), data={"by": group.who},
        )  # fmt: skip
    total = 0
    for key, number in shares.items():
        name, _, what = key.partition(":")
        carrier = battle.models[name]
        if not number or not carrier.alive:
            continue
        if what:
            total += yield from at_crew(battle, group, carrier, number)
        else:
            total += yield from striking.strike(battle, group._replace(foe=carrier.unit), number, carrier)
    return total


def touched(battle: Battle, unit: Unit, foe: Unit, group: Group) -> list[Model]:
    """wfb3:18.3-units  The monsters of a unit these attackers touch; all of them where the contact is not of ranks."""
    touches = [t for t in contacts.of_unit(battle, unit) if t.foe == foe.id and t.number < len(unit.models)]
    model = battle.models.get(group.who)
    if model is not None:
        place = crew_or_self(battle, model).id
        touches = [t for t in touches if unit.models[t.number] == place] or touches
    numbers = sorted({t.foe_number for t in touches if t.foe_number < len(foe.models)})
    return [battle.models[foe.models[n]] for n in numbers] or battle.members(foe)


def at_crew(battle: Battle, group: Group, carrier: Model, attacks: int) -> Script[int]:
    """wfb3:18.2-reach, wfb3:18.4.4-driver  Blows at a crew: hits fall on its members at random.

    Ruling: all are rolled against the highest WS aboard.
    """
    unit = battle.units[group.unit]
    best = crews.highest(battle, carrier)
    if best is None:
        return 0
    gear = striking.geared(battle, group)
    hits = attacks
    if not group.free:
        need = to_hit_to_wound.to_hit(battle, group, gear, best.profile)
        hits = yield from steps.combat_hits(unit.seat, attacks, need, (group.who, carrier.id))
    total = 0
    if hits:
        for member, number in (yield from among(battle, unit.seat, crews.aboard(battle, carrier), hits)):
            total += yield from _wound(battle, group, gear, member, number)
    battle.tell(
        "blows", "wfb3:18.2-reach", (unit.id, carrier.id), attacks=attacks, hits=hits, wounds=total, by=group.who
    )
    return total


def _wound(battle: Battle, group: Group, gear: arms.Arms, member: Model, hits: int) -> Script[int]:
    need = to_hit_to_wound.to_wound(group, gear, battle, member.profile)
    blow = Blow(gear.modifier, gear.rule, True, False, not group.free, gear.generous)
    saved = save(battle, battle.units[member.unit], member, blow)
    rules = ("wfb3:7.9-wound", "wfb3:7.10-saves")
    blows = steps.Attacks(battle.units[group.unit].seat, member.seat, None, need, saved, rules, (group.who, member.id))
    hurt = (yield from steps.attack(blows, hits)).hurt
    return (yield from casualties.wound_model(battle, member, hurt, "wfb3:7.11-casualties"))


# ---------------------------------------------------------------------- shooting in combat


def choose_shots(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:18.4.3-crew-attacks  Those of a crew who shoot this round instead of striking."""
    for member in crews.of_unit(battle, unit):
        member.fight = member.fight.but(shoots=False)
    armed = [
        m
        for m in crews.of_unit(battle, unit)
        if m.kit.missiles and not m.fight.refused and not crews.idle(battle, battle.models[m.ride.aboard])
    ]
    if not armed or unit.kind != "monster":
        return
    chosen = yield Pick(
        unit.seat, "crew.shoot", [Option(m.id, m, about=(m.id,)) for m in armed], optional=True, most=len(armed),
        rule="wfb3:18.4.3-crew-attacks", about=(unit.id,),
    )  # fmt: skip
    for member in chosen if isinstance(chosen, tuple) else (chosen,):
        if member is not None:
            member.fight = member.fight.but(shoots=True)


def shoot_down(battle: Battle, group: Group) -> Script[int]:
    """wfb3:18.4.3-crew-attacks  A crewman's shot in his own fight; its wounds count in the result.

    Ruling: it is made at his initiative, at short range, with the target's size as its only modifier.
    """
    member, foe = battle.models[group.who], battle.units[group.foe]
    weapon = MISSILES[member.kit.missiles[0]]
    rule = "wfb3:18.4.3-crew-attacks"
    need = Tally(steps.missile_need(member.profile.BS), "BS", "wfb3:6.2-tohit-table")
    if battle.large(foe):
        need.add(-1, "large", "wfb3:6.2.5-modifiers")
    hits, _ = yield from steps.missile_hits(member.seat, 1, need.at_least(2, "best", "wfb3:6.2.5-floor"), rule,
                                            (member.id, foe.id))  # fmt: skip
    strength = weapon.strength if weapon.strength is not None else max(1, member.profile.S + weapon.plus)
    blow = Blow(weapon.modifier(0.0), "wfb3:6.5-save-mods")
    wounds = 0
    if hits and foe.kind == "monster":
        made = aiming.Shot(0, max(1, strength), blow.modifier, False, need)
        wounds = yield from shot(battle, battle.units[group.unit], foe, made, hits)
    elif hits:
        wounds = yield from sourceless_hits.on_unit(battle, member.seat, foe, hits, max(1, strength), blow, rule)
    battle.tell("crew.shot", rule, (member.id, foe.id), hits=hits, wounds=wounds)
    return wounds

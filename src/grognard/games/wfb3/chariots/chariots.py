"""Chapters 20.5 to 20.8: chariots in battle: who strikes, what their weight does, and how hits on them are noted."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army import vehicles
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import sourceless_hits
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.rolls import arms, dice, steps, to_hit_to_wound
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rolls.saves import Blow
from grognard.games.wfb3.table import contacts, crews
from grognard.kernel import errors
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Roll, Script, Split

#: wfb3:20.6-impact
IMPACT = 4
#: wfb3:20.7-character  From this many chariots on nobody's can be picked out.
MANY = 6
#: What makes a chariot unable to move: marks of damage.
STUCK = ("stuck", "axle", "pole", "wreck")


def running(carrier: Model) -> bool:
    """Whether a chariot can move at all."""
    return carrier.ride.team > 0 and not any(mark in STUCK for mark in carrier.ride.marks)


def driven(battle: Battle, carrier: Model) -> bool:
    """wfb3:20.8.1-damage-table  Whether a chariot can be driven now: a shaken crew can do nothing at all."""
    return running(carrier) and carrier.ride.shaken < battle.clock


def halted(battle: Battle, unit: Unit) -> bool:
    """wfb3:20.8.1-damage-table  Whether a unit has chariots that cannot move at all, or nobody drives."""
    return unit.kind == "chariot" and not all(driven(battle, m) for m in battle.members(unit))


def rooted(battle: Battle, unit: Unit) -> bool:
    """Whether chariots cannot leave the spot; where the pole has snapped, crew and team go on without the car."""
    if not unit.chariot.hitched:
        return True
    return not all(
        m.ride.team > 0 and not any(k in STUCK and k != "pole" for k in m.ride.marks) for m in battle.members(unit)
    )


def announce(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """wfb3:20.7-shooting-at, wfb3:20.7-character  Before rolling: all hits on one chariot at random, or each by itself.

    The chariot of a character may be picked out where there are fewer than six.
    """
    if target.kind != "chariot":
        return
    battle.cite("wfb3:20.7-shooting-at")
    target.chariot = target.chariot.but(salvo="")
    carriers = battle.members(target)
    if len(carriers) < 2:
        return
    options = [Option("one", "one", "option.salvo.one"), Option("each", "each", "option.salvo.each")]
    barred = {}
    for carrier in carriers:
        if not any(m.role == "character" for m in crews.aboard(battle, carrier)):
            continue
        battle.cite("wfb3:20.7-character")
        if len(carriers) >= MANY:
            barred[carrier.id] = errors.Refusal(
                "refuse.shoot.many-chariots", "wfb3:20.7-character", {"unit": target.id}
            )
        else:
            options.append(Option(carrier.id, carrier.id, "option.salvo.character", (carrier.id,)))
    chosen = yield Pick(
        unit.seat, "shoot.chariots", options, optional=True, nay="one", barred=barred, rule="wfb3:20.7-shooting-at",
        about=(unit.id, target.id),
    )  # fmt: skip
    target.chariot = target.chariot.but(salvo=chosen or "one")


def shot(battle: Battle, unit: Unit, target: Unit, hits: int) -> Script[int]:
    """wfb3:20.7-shooting-at  Hits on chariots are only counted; what they did is rolled for at the end of the phase."""
    carriers = battle.numbered(target)
    rule = "wfb3:20.7-shooting-at"
    if target.chariot.salvo in battle.models:
        struck = [battle.models[target.chariot.salvo]] * hits
    elif target.chariot.salvo == "each":
        faces = yield Roll(unit.seat, "chariot.which", len(carriers), hits, rule=rule, about=(target.id,))
        struck = [carriers[face - 1] for face in faces]
    else:
        one = yield from sourceless_hits.one_of(battle, unit.seat, carriers, rule, "chariot.which")
        struck = [one] * hits
    for carrier in struck:
        carrier.ride = carrier.ride.but(struck=carrier.ride.struck + 1)
    for carrier in dict.fromkeys(struck):
        battle.tell("chariot.hit", rule, (unit.id, carrier.id), hits=struck.count(carrier))
    return 0


# ---------------------------------------------------------------------- close combat


def groups(battle: Battle, unit: Unit) -> list[Group]:
    """wfb3:20.5-melee, wfb3:20.5-crew-weapons
    Crews strike to the front, and so do draught creatures that have attacks."""
    found: list[Group] = []
    taken: set[int] = set()
    touches = contacts.of_unit(battle, unit)
    for foe, side, _ in battle.foes(unit):
        if side is not Edge.FRONT:
            battle.cite("wfb3:20.5-melee")
            continue
        for number in sorted({t.number for t in touches if t.foe == foe.id and t.number < len(unit.models)} - taken):
            taken.add(number)
            found += fighters(battle, unit, foe, battle.models[unit.models[number]])
    return found


@cites
def fighters(battle: Battle, unit: Unit, foe: Unit, carrier: Model) -> list[Group]:
    """wfb3:20.5-melee  Everybody of one chariot who strikes."""
    found = []
    if rule := crews.idle(battle, carrier):
        battle.cite(rule)
    else:
        for member in crews.fighting(battle, carrier):
            number = sum(c for _, c in member.profile.attacks)
            if number:
                battle.cite("wfb3:20.5-crew-weapons")
                found.append(Group(unit.id, foe.id, member.id, 1, number, member.profile.I, member.profile))
    team = carrier.ride.car.team if carrier.ride.car is not None and unit.chariot.hitched else None
    if team is not None and carrier.ride.team:
        number = sum(c for _, c in team.attacks)
        if number:
            found.append(Group(unit.id, foe.id, "mounts", carrier.ride.team, number, team.I, team))
    return found


def impact(battle: Battle, units: Sequence[Unit]) -> Script[dict[str, int]]:
    """wfb3:20.6-impact

    In the round after a charge every chariot does D3 hits by its weight, and one a scythe, first of all.

    Ruling: scythes strike with strength 4 too; a fitted chariot has two.
    """
    wounds: dict[str, int] = {}
    for unit in units:
        if unit.kind != "chariot" or unit.charge.charged != battle.clock or unit.combat.rounds:
            continue
        touches = contacts.of_unit(battle, unit)
        for number, carrier in enumerate(battle.members(unit)):
            foes = [t.foe for t in touches if t.number == number and t.side is Edge.FRONT]
            if not foes:
                continue
            foe = battle.units[foes[0]]
            hits = yield from dice.d3(unit.seat, "impact", "wfb3:20.6-impact", (carrier.id, foe.id))
            scythes = vehicles.SCYTHES if carrier.ride.car is not None and carrier.ride.car.scythes else 0
            battle.tell("impact", "wfb3:20.6-impact", (carrier.id, foe.id), hits=hits, scythes=scythes)
            done = yield from sourceless_hits.on_unit(
                battle, unit.seat, foe, hits + scythes, IMPACT, Blow(0, "wfb3:20.6-impact", True), "wfb3:20.6-impact"
            )
            wounds[unit.id] = wounds.get(unit.id, 0) + done
    return wounds


def struck(battle: Battle, group: Group, attacks: int) -> Script[int]:
    """wfb3:20.8-melee-against  Blows at chariots: rolled against the best WS of the crew; hits are only counted."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    if not attacks or foe.where != "table":
        return 0
    marks = _touched(battle, unit, foe, group)
    shares = {marks[0].id: attacks}
    if len(marks) > 1:
        options = [Option(m.id, m.id, about=(m.id,)) for m in marks]
        shares = yield Split(
            unit.seat, "combat.aim", options, attacks, exact=False, filled=True, rule="wfb3:20.8-melee-against",
            about=(unit.id, foe.id), data={"by": group.who},
        )  # fmt: skip
    for key, number in shares.items():
        if number:
            yield from _blows(battle, group, battle.models[key], number)
    return 0


def _touched(battle: Battle, unit: Unit, foe: Unit, group: Group) -> list[Model]:
    return monsters.touched(battle, unit, foe, group)


def _blows(battle: Battle, group: Group, carrier: Model, attacks: int) -> Script[None]:
    unit, foe = battle.units[group.unit], battle.units[carrier.unit]
    best = crews.highest(battle, carrier)
    model = battle.models.get(group.who)
    gear = (
        arms.arms(battle, unit, model, foe)
        if group.who != "mounts"
        else arms.Arms("wfb3:7.8.2-mounted", modifier=group.profile.modifier)
    )
    about = (group.who if model is not None else unit.id, carrier.id)
    if group.auto or best is None:
        hits = attacks
    else:
        need = to_hit_to_wound.to_hit(battle, group, gear, best.profile)
        hits = yield from steps.combat_hits(unit.seat, attacks, need, about)
    carrier.ride = carrier.ride.but(struck=carrier.ride.struck + hits)
    battle.tell("chariot.hit", "wfb3:20.8-melee-against", about, hits=hits, attacks=attacks)

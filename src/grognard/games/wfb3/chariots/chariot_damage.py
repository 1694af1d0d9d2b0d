"""Chapters 20.8.1, 20.8.2, 20.8.4, 20.8.5: what hits and rough going do to chariots, their teams and crews."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import casualties, sourceless_hits
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.monsters import death_throes, leaving_mounts
from grognard.games.wfb3.movement import crossing
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.table import crews, ground
from grognard.kernel.citing import cites
from grognard.kernel.formation import shapes, sweeps
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

TABLE = "wfb3:20.8.1-damage-table"
RESULTS = {
    8: "wheel", 9: "reins", 10: "creature", 11: "crewman", 12: "shaken", 13: "axle", 14: "pole", 15: "overturned",
    16: "thrown out",
}  # fmt: skip


def after_phase(battle: Battle) -> Script[None]:
    """wfb3:20.8.1-damage-table  At the end of a phase every chariot that was hit is rolled for."""
    for unit in battle.here():
        yield from settle_hits(battle, unit, missiles=battle.phase in ("shooting", "magic"))


def settle_hits(battle: Battle, unit: Unit, *, missiles: bool) -> Script[None]:
    """wfb3:20.8.1-damage-table, wfb3:8.1-shooting
    What the hits on a unit's chariots did; those missiles cost it count.

    Ruling: chariots shot at while they charge are rolled for at once, before they go on.
    """
    for carrier in battle.members(unit):
        if carrier.ride.car is None or not carrier.ride.struck or not carrier.alive:
            continue
        own = battle.units[carrier.unit]
        before = battle.size(own)
        yield from roll(battle, own, carrier)
        if missiles:
            casualties.shot_down(battle, own, before)


def after_combat(battle: Battle) -> Script[None]:
    """wfb3:20.8.4-terrain, wfb3:20.9-bolt
    Rough going is rolled for even without hits; hitched wagons that were struck may bolt.
    """
    for unit in battle.here():
        for carrier in battle.members(unit):
            if carrier.ride.car is not None and carrier.alive:
                if carrier.ride.jolts[0] == battle.clock and carrier.ride.rolled != battle.clock:
                    battle.cite("wfb3:20.8.4-terrain")
                    yield from roll(battle, battle.units[carrier.unit], carrier)
                if carrier.alive and carrier.ride.car.type == "wagon":
                    yield from _bolt(battle, battle.units[carrier.unit], carrier)


def _bolt(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.9-bolt  A hitched wagon that is attacked bolts on 4+."""
    if not battle.engaged(unit) or not unit.chariot.hitched or carrier.ride.amok or not chariots.running(carrier):
        return
    (face,) = yield Roll(unit.seat, "wagon.bolt", 6, rule="wfb3:20.9-bolt", about=(carrier.id,), need=4, sense="high")
    if face >= 4:
        yield from runs_away(battle, unit, carrier, "wfb3:20.9-bolt")


def in_fight(battle: Battle, units: Sequence[Unit], score: Score) -> Script[None]:
    """wfb3:20.8.5-result  The chariots of a fight: damage, and what it is worth to the enemy.

    Ruling: damage done in close combat is rolled for when all blows of the fight are struck, before its result.
    """
    for unit in units:
        if unit.kind != "chariot" or unit.where != "table":
            continue
        seat = battle.other(unit.seat)
        for carrier in battle.members(unit):
            if not carrier.ride.struck:
                continue
            score.extra.append((seat, 1, f"hit {carrier.id}", "wfb3:20.8.5-result"))
            yield from roll(battle, unit, carrier)
            parted = any(mark in chariots.STUCK for mark in carrier.ride.marks)
            if not carrier.alive or carrier.ride.amok or not carrier.ride.team or not carrier.ride.crew or parted:
                score.extra.append((seat, 1, f"lost {carrier.id}", "wfb3:20.8.5-result"))


def roll(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.8.1-damage-table, wfb3:20.8.4-terrain  2D6, a point a hit, and what the ground adds."""
    plus = Tally(carrier.ride.struck, "hits", TABLE)
    clock, jolt = carrier.ride.jolts
    if clock == battle.clock:
        plus.add(jolt, "ground", "wfb3:20.8.4-terrain")
    carrier.ride = carrier.ride.but(struck=0, rolled=battle.clock)
    faces = yield Roll(unit.seat, "chariot.damage", 6, 2, rule=TABLE, about=(carrier.id,), plus=plus)
    total = int(sum(faces) + plus.value)
    what = RESULTS.get(min(16, total), "")
    battle.tell("chariot.damage", TABLE, (carrier.id,), total=total, result=what or "none")
    if what:
        yield from suffer(battle, unit, carrier, what)


def suffer(battle: Battle, unit: Unit, carrier: Model, what: str) -> Script[None]:
    """wfb3:20.8.1-damage-table  One line of the table."""
    if what in ("wheel", "reins", "pole"):
        carrier.ride = carrier.ride.but(marks=(*carrier.ride.marks, what))
    elif what == "axle":
        carrier.ride = carrier.ride.but(marks=(*carrier.ride.marks, "axle"), amok=False)
    elif what == "shaken":
        carrier.ride = carrier.ride.but(shaken=battle.clock + 1)
    elif what == "creature":
        yield from _creature(battle, unit, carrier)
    elif what == "crewman":
        yield from _crewman(battle, unit, carrier)
    elif what == "overturned":
        yield from overturn(battle, unit, carrier, 0)
    else:
        yield from thrown_out(battle, unit, carrier)


def _creature(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.8.1-damage-table

    A draught creature: its save or D10 wounds; where it dies chariot and team stand fast.
    """
    assert carrier.ride.car is not None
    if not carrier.ride.team or (yield from _barding(battle, unit, carrier)):
        return
    (wounds,) = yield Roll(unit.seat, "chariot.wounds", 10, rule=TABLE, about=(carrier.id,))
    if wounds >= carrier.ride.car.team.W:
        carrier.ride = carrier.ride.but(team=carrier.ride.team - 1, marks=(*carrier.ride.marks, "stuck"), amok=False)
        battle.tell("chariot.creature", TABLE, (carrier.id,), left=carrier.ride.team)


def _barding(battle: Battle, unit: Unit, carrier: Model) -> Script[bool]:
    """Whether a draught creature is saved by its barding."""
    assert carrier.ride.car is not None
    if not carrier.ride.car.barding:
        return False
    faces: tuple[int, ...] = yield Roll(
        unit.seat, "save", 6, rule=TABLE, about=(carrier.id,), need=6, sense="high", cuts=(6,)
    )
    return faces[0] >= 6


def _crewman(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.8.1-damage-table  One of the crew: a hit as strong as he is tough, his save allowed.

    Ruling: where all are alike it is one who does not drive.
    """
    members = crews.aboard(battle, carrier)
    if not members:
        return
    if any(m.role == "character" for m in members):
        battle.cite("wfb3:20.10.1-characters")
    alike = len({(m.profile, m.kit) for m in members}) == 1
    model = (
        members[-1] if alike else (yield from sourceless_hits.one_of(battle, unit.seat, members, TABLE, "crew.whom"))
    )
    yield from sourceless_hits.on_model(
        battle, unit.seat, model, 1, model.profile.T, Blow(0, TABLE), TABLE, (carrier.id,)
    )


def control(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.8.2-crew-killed

    A die whenever one of the crew dies: the team runs away on a 6, on 5 and 6 with cut reins.
    """
    if carrier.ride.amok or not chariots.running(carrier) or not carrier.alive or not unit.chariot.hitched:
        return
    need = 5 if "reins" in carrier.ride.marks else 6
    rule = "wfb3:20.8.2-crew-killed"
    (face,) = yield Roll(unit.seat, "chariot.control", 6, rule=rule, about=(carrier.id,), need=need, sense="high")
    if face >= need:
        yield from runs_away(battle, unit, carrier, rule)


@cites
def runs_away(battle: Battle, unit: Unit, carrier: Model, rule: str) -> Script[None]:
    """wfb3:20.8.3-runaway  The team is out of control, apart from its unit, for the rest of the battle."""
    carrier.ride = carrier.ride.but(amok=True)
    battle.tell("runaway", rule, (carrier.id,))
    apart = leaving_mounts.part(battle, unit, carrier)
    apart.rout = apart.rout.but(routed=False)
    yield from ()


def overturn(battle: Battle, unit: Unit, carrier: Model, modifier: int) -> Script[None]:
    """wfb3:20.8.1-damage-table  Overturned: crew and creatures save or take D6 wounds; the chariot is no more."""
    spot = battle.pose(carrier)
    yield from _spilt(battle, unit, carrier, modifier)
    left = crews.aboard(battle, carrier)
    far = inches(min((m.profile.M for m in left), default=0.0))
    hx, hy = heading(spot.facing)
    away = Pose(spot.x - hx * far, spot.y - hy * far, spot.facing)
    yield from destroy(battle, unit, carrier, TABLE, away)


def _spilt(battle: Battle, unit: Unit, carrier: Model, modifier: int) -> Script[None]:
    """Each of the crew makes his armour save or takes D6 wounds."""
    for member in crews.aboard(battle, carrier):
        needed = save(battle, unit, member, Blow(modifier, TABLE))
        failed = yield from steps.unsaved(member.seat, 1, needed, TABLE, (member.id,))
        if failed:
            (wounds,) = yield Roll(unit.seat, "chariot.wounds", 6, rule=TABLE, about=(member.id,))
            member.w -= min(wounds, member.w)
            if member.w <= 0:
                _dead(battle, unit, carrier, member)


def _dead(battle: Battle, unit: Unit, carrier: Model, member: Model) -> None:
    battle.tell("killed", TABLE, (member.id,), unit=unit.id, role=member.role or "crew")
    death_throes._fall(battle, unit, member)
    crews.off(battle, carrier, member)


def thrown_out(battle: Battle, unit: Unit, carrier: Model) -> Script[None]:
    """wfb3:20.8.1-damage-table

    The crew is thrown out, saving at -1 or taking D6 wounds; the team bolts with the car.
    """
    spot = battle.pose(carrier)
    yield from _spilt(battle, unit, carrier, -1)
    left = crews.aboard(battle, carrier)
    if left:
        leaving_mounts.on_foot(battle, carrier, left, spot, "wfb3:20.8.5-on-foot", bound=False)
    yield from runs_away(battle, unit, carrier, TABLE)


def destroy(battle: Battle, unit: Unit, carrier: Model, rule: str, spot: Pose) -> Script[None]:
    """wfb3:20.8.5-on-foot  A chariot is no more; those of its crew who live are a unit of their own where it was."""
    left = crews.aboard(battle, carrier)
    carrier.ride = carrier.ride.but(team=0)
    battle.tell("chariot.destroyed", rule, (carrier.id,), crew=len(left))
    foes = battle.foes(unit)
    casualties._drop(battle, unit, [carrier])
    if left:
        band = leaving_mounts.on_foot(battle, carrier, left, spot, "wfb3:20.8.5-on-foot", bound=False)
        for foe, _, theirs in foes:
            if band is not None and foe.where == "table" and battle.gap(band, foe) <= inches(0.5):
                battle.engage(band, shapes.Side.FRONT, foe, theirs)
    yield from ()


def crash(battle: Battle, unit: Unit, carrier: Model, piece: str) -> Script[None]:
    """wfb3:20.8.4-crash

    Driven into something hard: the chariot and its team are gone, the crew save unmodified or die.
    """
    rule = "wfb3:20.8.4-crash"
    spot = battle.pose(carrier)
    battle.tell("chariot.crash", rule, (carrier.id, piece))
    for member in crews.aboard(battle, carrier):
        needed = save(battle, unit, member, Blow(0, rule))
        if (yield from steps.unsaved(member.seat, 1, needed, rule, (member.id,))):
            member.w = 0
            _dead(battle, unit, carrier, member)
    yield from destroy(battle, unit, carrier, rule, spot)


def slides(battle: Battle) -> Script[None]:
    """wfb3:20.8.1-damage-table

    In the reserve phase a chariot with a broken axle slides D6 inches on, into whoever is there.
    """
    for unit in battle.here():
        for carrier in battle.members(unit):
            if carrier.ride.car is None or "axle" not in carrier.ride.marks:
                continue
            apart = leaving_mounts.part(battle, unit, carrier)
            carrier.ride = carrier.ride.but(marks=tuple("stuck" if m == "axle" else m for m in carrier.ride.marks))
            (far,) = yield Roll(unit.seat, "chariot.slide", 6, rule=TABLE, about=(carrier.id,))
            block = battle.block_of(apart)
            hx, hy = heading(block.facing)
            things = ground.things(battle, apart, near=0.0)
            met = crossing.stops(block.outline, sweeps.Shift(hx * inches(far), hy * inches(far)), things)
            gone = max(0.0, met.at) if met.obstacle is not None else inches(far)
            battle.form(apart, block.placed((block.x + hx * gone, block.y + hy * gone), block.facing))
            battle.tell("chariot.slide", TABLE, (carrier.id,), inches=round(gone / inches(1), 2))
            struck = battle.units.get(met.obstacle.name) if met.obstacle is not None else None
            if struck is not None and struck.where == "table":
                (hits,) = yield Roll(unit.seat, "chariot.slide-hits", 4, rule=TABLE, about=(carrier.id, struck.id))
                yield from sourceless_hits.on_unit(
                    battle, unit.seat, struck, hits, chariots.IMPACT, Blow(0, TABLE), TABLE
                )

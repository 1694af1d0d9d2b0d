"""Chapter 23.4: creatures that catch fire."""

from __future__ import annotations

import math

from shapely import Point as Dot
from shapely.ops import nearest_points

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import storming
from grognard.games.wfb3.charge import charging, declaring, responses
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import dice, stats, tests
from grognard.games.wfb3.rout import flight
from grognard.games.wfb3.table import ground, seating, sight, split_units, terrain
from grognard.kernel.formation.block import Block, single
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script

#: wfb3:23.4.2-extinguish
WATER = ("river", "stream", "marsh", "pond", "ford", "quagmire")


def wounded(battle: Battle, unit: Unit, wounds: int) -> Script[None]:
    """wfb3:23.4-creatures  Flammable and wounded by fire: a D6 of at most this turn's wounds lights one of them."""
    if not wounds or not fires.burns(battle, unit) or unit.fire.burning or not unit.models or fires.raining(battle):
        return
    before = unit.fire.fire_wounds[1] if unit.fire.fire_wounds[0] == battle.clock else 0
    unit.fire = unit.fire.but(fire_wounds=(battle.clock, before + wounds))
    rule = "wfb3:23.4-creatures"
    (face,) = yield Roll(
        battle.other(unit.seat),
        "fire.catches",
        6,
        rule=rule,
        about=(unit.id,),
        need=unit.fire.fire_wounds[1],
        sense="under",
    )
    if face <= unit.fire.fire_wounds[1]:
        catch(battle, unit)


def catch(battle: Battle, unit: Unit) -> None:
    """wfb3:23.4.1-burning  A creature in flames leaves its unit.

    Ruling: the one at the end of the rear rank.
    """
    if unit.where == "building":
        _out_of_doors(battle, unit)
        return
    if battle.size(unit) == 1 or unit.where != "table":
        unit.fire = unit.fire.but(burning=True)
        battle.tell("fire.ablaze", "wfb3:23.4.1-burning", (unit.id,))
        return
    victim = next(m for m in reversed(battle.members(unit)) if m.role != "character")
    pose, files = battle.pose(victim), battle.block_of(unit).files
    w = victim.profile.W - unit.combat.hurt
    lone = split_units.part(battle, unit, (victim.id,))
    lone.indoors = lone.indoors.but(wing="")
    unit.indoors = unit.indoors.but(wing="")
    lone.kind = "character"
    lone.fire = lone.fire.but(burning=True)
    lone.combat = lone.combat.but(hurt=0)
    unit.combat = unit.combat.but(hurt=0)
    victim.w = max(1, w)
    lone.leader = victim.id
    battle.form(unit, seating.settle(battle, unit, files))
    battle.form(lone, _aside(battle, lone, unit, single(seating.model_base(victim), pose)))
    battle.tell("fire.ablaze", "wfb3:23.4.1-burning", (lone.id, unit.id))


def _out_of_doors(battle: Battle, unit: Unit) -> None:
    """wfb3:23.4.1-burning  In a building the burning creature gets out by the nearest exit."""
    door, lone = storming.exits(battle, unit)[0], unit
    if battle.size(unit) == 1:
        battle.disengage(unit)
    else:
        victim = next(m for m in reversed(battle.members(unit)) if m.role != "character")
        lone = split_units.part(battle, unit, (victim.id,))
        split_units.forget(battle, unit)
        lone.indoors = lone.indoors.but(wing="")
        unit.indoors = unit.indoors.but(wing="")
        lone.kind, lone.leader = "character", victim.id
        victim.w = max(1, victim.profile.W - unit.combat.hurt)
        lone.combat = lone.combat.but(hurt=0)
        unit.combat = unit.combat.but(hurt=0)
    lone.fire = lone.fire.but(burning=True)
    storming.evacuate(battle, lone, door)
    battle.tell("fire.ablaze", "wfb3:23.4.1-burning", (lone.id, unit.id))


def _aside(battle: Battle, lone: Unit, unit: Unit, block: Block) -> Block:
    """Clear of its old unit: behind it, or to a side."""
    home = battle.block_of(unit)
    hx, hy = heading(home.facing)
    for far in range(1, 40):
        for aside in (0.0, inches(1), -inches(1), inches(3), -inches(3)):
            back = home.boundary.length + inches(far / 4)
            spot = block.placed((home.x - hx * back + hy * aside, home.y - hy * back - hx * aside), home.facing)
            if not ground.fits(battle, lone, spot):
                return spot
    return block


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:23.4.1-burning  D3 wounds at the start of each of its turns."""
    for unit in [u for u in battle.units.values() if u.fire.burning and u.seat == battle.active and u.models]:
        points = yield from dice.d3(unit.seat, "fire.burns", "wfb3:23.4.1-burning", (unit.id,))
        yield from casualties.wound_model(battle, battle.members(unit)[0], points, "wfb3:23.4.1-burning")


def move(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:23.4.1-burning, wfb3:23.4.1-charge, wfb3:23.4.2-extinguish
    To the nearest water at charge speed, anywhere without, or at an enemy."""
    unit.march = unit.march.but(done=True)
    reach = inches(float(stats.doubled(battle, unit, "charge").value))
    near = [f for f in battle.enemies(unit) if battle.gap(unit, f) <= reach and sight.visible(battle, unit, f)]
    if near:
        options = [Option("run", None, "option.fire.run"), *(Option(f.id, f, about=(f.id,)) for f in near)]
        foe = yield Pick(unit.seat, "fire.charge", options, rule="wfb3:23.4.1-charge", about=(unit.id,))
        if foe is not None:
            yield from _charge(battle, unit, foe)
            return
    pool = water(battle, unit)
    x, y = battle.block_of(unit).centre
    if pool is not None:
        px, py = nearest_point(pool, (x, y))
        way, far = bearing(px - x, py - y), math.hypot(px - x, py - y)
        gone = yield from flight.run(battle, unit, way, orderly=True, far=min(reach, far))
        if gone >= far - 15.0 or gap(battle.block_of(unit).outline, terrain.outline(pool, battle.table)) <= 1.0:
            unit.fire = unit.fire.but(burning=False)
            battle.tell("fire.doused", "wfb3:23.4.2-extinguish", (unit.id, pool.id))
    else:
        (hour,) = yield Roll(unit.seat, "fire.whither", 12, rule="wfb3:23.4.1-burning", about=(unit.id,), sense="value")
        way = (battle.block_of(unit).facing + 30.0 * hour) % 360.0  # twelve is straight ahead, as always
        yield from flight.run(battle, unit, way, orderly=True, far=reach)
    battle.tell("fire.runs", "wfb3:23.4.1-burning", (unit.id,))


def water(battle: Battle, unit: Unit) -> Piece | None:
    """wfb3:23.4.1-burning  The nearest water there is."""
    found = [p for p in battle.table.pieces if p.kind in WATER]
    block = battle.block_of(unit).outline
    return min(found, key=lambda p: gap(block, terrain.outline(p, battle.table)), default=None)


def nearest_point(piece: Piece, spot: Point) -> Point:
    found = nearest_points(piece.polygon, Dot(*spot))[0]
    return float(found.x), float(found.y)


def _charge(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:23.4.1-charge  It may go for an enemy in reach, and may work itself into a frenzy."""
    unit.charge = unit.charge.but(target=foe.id, face=declaring.face(battle, unit, foe).name)
    battle.tell("charge.declared", "wfb3:23.4.1-charge", (unit.id, foe.id), face=unit.charge.face.casefold())
    yield from responses.respond(battle, unit, foe)
    yield from charging.charge(battle, unit)
    if battle.engaged(unit) and not unit.minds.frenzied and not fear.immune(battle, unit):
        yield from _rage(battle, unit)


def _rage(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:23.4.1-charge, wfb3:10.5-test
    More than its Cl on two dice, and it is frenzied; if its player wants to try."""
    options = [Option("calm", False, "option.no"), Option("rage", True, "option.yes")]
    wants = yield Pick(unit.seat, "fire.frenzy", options, rule="wfb3:23.4.1-charge", about=(unit.id,))
    if not wants:
        return
    value = stats.mental(battle, unit, "Cl", "frenzy")
    calm = yield from tests.against(battle, unit, value, "test.frenzy", "wfb3:10.5-test")
    if not calm:
        unit.minds = unit.minds.but(frenzied=True)
        battle.tell("frenzied", "wfb3:23.4.1-charge", (unit.id,))

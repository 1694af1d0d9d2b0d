"""Chapters 23.2, 23.3: fire: what burns, how it catches, spreads and goes out, and what it does to those near it."""

from __future__ import annotations

from msgspec.structs import replace

from grognard.games.wfb3.abilities.elements import FireElemental, WaterElemental
from grognard.games.wfb3.abilities.troops import Flammable
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage, storming
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.fire import ablaze
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import dice, steps, tests
from grognard.games.wfb3.rout import flight, rout
from grognard.games.wfb3.table import sections
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import bearing, inches
from grognard.kernel.questions import Option, Pick, Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:23.3.4-spread  Points of damage by burning after which fire spreads; wfb3:23.3.4-panic  how near is too near.
SPREADS, NEAR = 6, inches(4)


def flammable(battle: Battle, room: Room, *, within: bool) -> bool:
    """wfb3:23.3-flammable, wfb3:23.3.6-elementals  Wood and wattle, roofs of wood or thatch; stone only from within."""
    battle.cite("wfb3:23.3-flammable")
    for unit, _ in sections.held(battle, room.id):
        if battle.trait(unit, WaterElemental) is not None:
            battle.cite("wfb3:23.3.6-elementals")
            return False
    if room.material in ("wood", "wattle") or room.roof in ("wood", "thatch"):
        return True
    return within and not room.wall


def burns(battle: Battle, unit: Unit) -> bool:
    """wfb3:23.4-creatures  Whether a unit's creatures are flammable."""
    return battle.trait(unit, Flammable) is not None


def raining(battle: Battle) -> bool:
    return battle.land.rain >= battle.clock


# ---------------------------------------------------------------------- catching fire


def scorch(battle: Battle, seat: str, room: Room, points: int, *, within: bool) -> Script[None]:
    """wfb3:23.3.3-ignite, wfb3:23.3.4-relight  Damaged by fire: a D6 of at most the points of this turn lights it."""
    before = room.scorched[1] if room.scorched[0] == battle.clock else 0
    room.scorched = (battle.clock, before + points)
    if room.burning:
        battle.cite("wfb3:23.3.4-relight")
        return
    if room.down or raining(battle) or not flammable(battle, room, within=within):
        return
    rule = "wfb3:23.3.3-ignite"
    (face,) = yield Roll(seat, "fire.ignite", 6, rule=rule, about=(room.id,), need=room.scorched[1], sense="under")
    if face <= room.scorched[1]:
        light(battle, room, rule)


def light(battle: Battle, room: Room, rule: str) -> bool:
    """wfb3:23.3.4-relight  A section/level is on fire; one that burns already is not lit again."""
    if room.burning or room.down:
        battle.cite("wfb3:23.3.4-relight")
        return False
    if raining(battle):
        battle.cite("wfb3:23.3.5-rain")
        return False
    room.burning = True
    room.fire = 0
    battle.tell("fire.lit", rule, (room.id,))
    return True


def put_out(battle: Battle, room: Room, rule: str) -> None:
    """wfb3:23.3.5-extinguish"""
    if room.burning:
        room.burning = False
        room.fire = 0
        battle.cite("wfb3:23.3.5-extinguish")
        battle.tell("fire.out", rule, (room.id,))


def arson(battle: Battle) -> Script[None]:
    """wfb3:23.3.3-arson  Torch bearers inside may set their section/level alight in their combat phase."""
    while True:
        options = [
            Option(f"{unit.id}>{key}", (unit, battle.rooms[key]), "option.fire.arson", (unit.id, key))
            for unit in sections.inside(battle, battle.active)
            if unit.kit.torches
            and not unit.rout.routed
            and unit.indoors.battered != battle.clock
            and not raining(battle)
            for key, _ in unit.indoors.rooms
            if not battle.rooms[key].burning and flammable(battle, battle.rooms[key], within=True)
        ]
        if not options:
            return
        chosen = yield Pick(
            battle.active, "fire.arson", options, optional=True, rule="wfb3:23.3.3-arson", checkpoint=True
        )
        if chosen is None:
            return
        unit, room = chosen
        unit.indoors = unit.indoors.but(battered=battle.clock)
        light(battle, room, "wfb3:23.3.3-arson")


def carried(battle: Battle, unit: Unit, before: tuple[tuple[str, tuple[str, ...]], ...]) -> Script[None]:
    """wfb3:23.3.3-accident, wfb3:23.3.6-elementals
    What comes of torches and elementals carried into a section/level."""
    old = {key for key, _ in before}
    for key, _ in unit.indoors.rooms:
        room = battle.rooms[key]
        if key in old or room.down:
            continue
        yield from elemental(battle, unit, room)
        if not unit.kit.torches or room.burning or not flammable(battle, room, within=True) or raining(battle):
            continue
        rule = "wfb3:23.3.3-accident"
        (face,) = yield Roll(unit.seat, "fire.accident", 6, rule=rule, about=(unit.id, key), need=6, sense="high")
        if face == 6:
            light(battle, room, rule)


def elemental(battle: Battle, unit: Unit, room: Room) -> Script[None]:
    """wfb3:23.3.6-elementals  Water puts fires out, fire lights what burns with D3 points of damage."""
    rule = "wfb3:23.3.6-elementals"
    if battle.trait(unit, WaterElemental) is not None:
        battle.cite(rule)
        put_out(battle, room, rule)
    elif battle.trait(unit, FireElemental) is not None and not room.burning and flammable(battle, room, within=True):
        points = yield from dice.d3(unit.seat, "fire.damage", rule, (room.id,))
        building_damage.harm(battle, room, points, rule, (unit.id,))
        light(battle, room, rule)


# ---------------------------------------------------------------------- burning


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:23.3.4-burning, wfb3:23.3.4-spread, wfb3:23.3.4-occupants, wfb3:23.3.4-panic
    What fires do as a player's turn begins."""
    if raining(battle):
        battle.cite("wfb3:23.3.5-rain")
    else:
        yield from _burn(battle)
    yield from _occupants(battle)
    yield from _panic(battle)
    yield from ablaze.start_of_turn(battle)


def _burn(battle: Battle) -> Script[None]:
    for room in [r for r in battle.rooms.values() if r.burning and r.standing]:
        points = yield from dice.d3(battle.active, "fire.damage", "wfb3:23.3.4-burning", (room.id,))
        building_damage.harm(battle, room, points, "wfb3:23.3.4-burning", burning=True)
        if room.fire >= SPREADS:
            for other in sections.neighbours(battle, room):
                if other.standing and not other.burning and flammable(battle, other, within=True):
                    light(battle, other, "wfb3:23.3.4-spread")


def _occupants(battle: Battle) -> Script[None]:
    """wfb3:23.3.4-occupants  Everybody in a fire as his own turn begins: S3 without save, S4 if flammable."""
    rule = "wfb3:23.3.4-occupants"
    for room in [r for r in battle.rooms.values() if r.burning and r.standing]:
        for unit, models in list(sections.held(battle, room.id, battle.active)):
            if raining(battle):
                battle.cite("wfb3:23.3.5-rain")
                continue
            strength = 4 if burns(battle, unit) else 3
            need = Tally(steps.wound_need(strength, unit.profile.T), f"S{strength}", rule)
            wounds = yield from steps.wounds(battle.other(unit.seat), len(models), need, rule, (room.id, unit.id))
            if not wounds:
                continue
            if not battle.ordinary(unit):
                yield from casualties.wound_model(battle, battle.members(unit)[0], wounds, rule)
            else:
                yield from casualties.hurt(battle, unit, wounds, rule)
            yield from ablaze.wounded(battle, unit, wounds)


def _panic(battle: Battle) -> Script[None]:
    """wfb3:23.3.4-panic  Units of the active side within four inches of a burning building."""
    burning = [r for r in battle.rooms.values() if r.burning and r.standing]
    if not burning:
        return
    for unit in battle.army(battle.active):
        near = [r for r in burning if gap(battle.block_of(unit).outline, r.outline) <= NEAR + 0.03]
        if near:
            spot = min(near, key=lambda r: gap(battle.block_of(unit).outline, r.outline)).rect.centre
            yield from frightened(battle, unit, "wfb3:23.3.4-panic", spot)
    for unit in sections.inside(battle, battle.active):
        here = [battle.rooms[key] for key, _ in unit.indoors.rooms]
        if any(gap(h.outline, r.outline) <= NEAR + 0.03 for h in here for r in burning):
            yield from _indoors(battle, unit, "wfb3:23.3.4-panic")


def _indoors(battle: Battle, unit: Unit, rule: str) -> Script[None]:
    """wfb3:23.3.4-panic  Those inside who fail run out of the building."""
    if rule in unit.minds.panicked or fear.immune(battle, unit):
        return
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, rule))
    battle.cite("wfb3:10.7-test")
    if not (yield from tests.cool(battle, unit, "panic", rule)):
        battle.tell("panicked", rule, (unit.id,))
        yield from storming.run_out(battle, unit)


def frightened(battle: Battle, unit: Unit, rule: str, spot: tuple[float, float]) -> Script[None]:
    """wfb3:23.2-panic, wfb3:23.3.4-panic  A panic test; who fails flees away from the fire."""
    if unit.rout.routed or unit.where != "table" or rule in unit.minds.panicked or fear.immune(battle, unit):
        return
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, rule))
    battle.cite("wfb3:10.7-test")
    passed = yield from tests.cool(battle, unit, "panic", rule)
    if passed:
        return
    battle.tell("panicked", rule, (unit.id,))
    foes = tuple(f.id for f, _, _ in battle.foes(unit))
    yield from rout.begin(battle, unit, foes, melee=bool(foes))
    if foes:
        yield from rout.broken(battle, unit, foes)
        return
    x, y = battle.block_of(unit).centre
    battle.disengage(unit)
    yield from flight.run(battle, unit, bearing(x - spot[0], y - spot[1]), orderly=False)


def attacked(battle: Battle, unit: Unit, target: Unit, wounds: int) -> Script[None]:
    """wfb3:23.2-panic, wfb3:23.4-creatures  What incendiary weapons do beside their wounds."""
    if target.where not in PRESENT or not target.models:
        return
    spot = None if target.block is None else battle.block_of(target).front
    if unit.block is not None:
        spot = battle.block_of(unit).centre
    yield from ablaze.wounded(battle, target, wounds)
    if target.where == "table" and spot is not None:
        yield from frightened(battle, target, "wfb3:23.2-panic", spot)
    elif target.where == "building" and not target.rout.routed:
        yield from _indoors(battle, target, "wfb3:23.2-panic")


# ---------------------------------------------------------------------- spells


def gust(battle: Battle, seat: str, room: Room) -> Script[None]:
    """wfb3:23.3.5-gust  1-2 it flares up, 3-4 it goes out, 5-6 as the caster likes."""
    rule = "wfb3:23.3.5-gust"
    (face,) = yield Roll(seat, "fire.gust", 6, rule=rule, about=(room.id,), cuts=(3, 5))
    out = face in (3, 4)
    if face >= 5:
        options = [Option("out", True, "option.fire.out"), Option("flare", False, "option.fire.flare")]
        out = yield Pick(seat, "fire.gust-choice", options, rule=rule, about=(room.id,))
    if out:
        put_out(battle, room, rule)
        return
    points = yield from dice.d3(seat, "fire.damage", rule, (room.id,))
    building_damage.harm(battle, room, points, rule, burning=True)


def rain(battle: Battle) -> None:
    """wfb3:23.3.5-rain  For a turn fire does nothing and nothing catches; torches and braziers go out, houses do not.

    Ruling: the turn is this player turn and the next.
    """
    battle.land = battle.land.but(rain=battle.clock + 1)
    for unit in battle.units.values():
        if unit.kit.torches:
            unit.kit = replace(unit.kit, torches=False, weapons=tuple(w for w in unit.kit.weapons if w != "torch"))
        unit.fire = unit.fire.but(brazier=False, burning=False)
    battle.tell("fire.rain", "wfb3:23.3.5-rain", ())


@cites
def extinguish(battle: Battle) -> None:
    """wfb3:23.3.5-other-spells  Every fire on the table goes out."""
    for room in battle.rooms.values():
        put_out(battle, room, "wfb3:23.3.5-other-spells")
    for unit in battle.units.values():
        unit.fire = unit.fire.but(burning=False)


@cites
def dust_storm(battle: Battle, crossed: Outline) -> None:
    """wfb3:23.3.5-other-spells  Fires a dust storm passes over go out."""
    for room in battle.rooms.values():
        if gap(room.outline, crossed) <= 0.0:
            put_out(battle, room, "wfb3:23.3.5-other-spells")


def animate_water(battle: Battle, seat: str, attacks: int) -> Script[None]:
    """wfb3:23.3.5-other-spells  One section/level is put out for every four attacks."""
    for _ in range(attacks // 4):
        options = [Option(r.id, r, about=(r.id,)) for r in battle.rooms.values() if r.burning]
        if not options:
            return
        room = yield Pick(seat, "fire.quench", options, rule="wfb3:23.3.5-other-spells")
        put_out(battle, room, "wfb3:23.3.5-other-spells")

"""Chapters 22.6, 22.6.1, 22.6.2: damaged buildings come down."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage, buildings, storming
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.rolls import dice, steps
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.table import indoor_fights, sections, split_units
from grognard.games.wfb3.table.sections import WEIGHT
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

#: wfb3:22.6-collapse-table  Beyond this many models a shaken section/level comes down.
CROWDED = 6
CONDITIONS = ("", "unstable", "very unstable", "failing")


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:22.6-collapse-test  A D6 for every section/level with six points of damage before this turn."""
    for room in list(battle.rooms.values()):
        if room.down or room.damage < building_damage.LIMIT or room.struck == battle.clock:
            continue
        rule = "wfb3:22.6-collapse-test"
        plus = Tally(0, "die", rule).add(room.damage - building_damage.LIMIT, "damage", rule)
        (face,) = yield Roll(battle.active, "building.collapse", 6, rule=rule, about=(room.id,), plus=plus)
        yield from result(battle, room, face + int(plus.value))
    yield from overloaded(battle)


def result(battle: Battle, room: Room, score: int) -> Script[None]:
    """wfb3:22.6-collapse-table"""
    rule = "wfb3:22.6-collapse-table"
    battle.tell("building.tested", rule, (room.id,), result=min(score, 10))
    if score <= 3:
        worse = max(score, CONDITIONS.index(room.condition))
        room.condition = CONDITIONS[worse]
        if score == 3 and len([r for r in sections.above(battle, room) if r.standing]) > 1:
            yield from fall(battle, room, [])
        return
    yield from fall(battle, room, reach(battle, room, score))
    if score >= 9:
        yield from _tertiary(battle, room, score)


def reach(battle: Battle, room: Room, score: int) -> list[Room]:
    """wfb3:22.6-collapse-table  What falls besides the section/level itself and all above it."""
    under = [r for r in sections.below(battle, room) if r.standing]
    up = [r for r in sections.above(battle, room) if r.standing]
    found: list[Room] = []
    if score == 5:
        found += under[:1]
    elif score in (6, 7):
        found += under[: max(1, len(up))]
    if score == 7:
        for other in _beside(battle, room):
            found += [other, *sections.above(battle, other)]
    elif score >= 8:
        found += under
        for other in _beside(battle, room):
            found += _column(battle, other)
    return found


def _beside(battle: Battle, room: Room) -> list[Room]:
    """Neighbours on its level; wfb3:22.6.2-walls a fortress wall brings down nothing beside it."""
    if room.wall:
        battle.cite("wfb3:22.6.2-walls")
        return []
    return [r for r in sections.beside(battle, room) if not r.wall]


def _column(battle: Battle, room: Room) -> list[Room]:
    return [room, *sections.above(battle, room), *sections.below(battle, room)]


def fall(battle: Battle, room: Room, more: list[Room]) -> Script[None]:
    """wfb3:22.6-collapse-table, wfb3:22.6.1-materials  A section/level falls with all above it and all it drags along.

    wfb3:7-contact  Who fought in it and is thrown apart fights no more.
    """
    falling = [room]
    for other in [*sections.above(battle, room), *more]:
        if other.down or other in falling:
            continue
        if WEIGHT[other.material] > WEIGHT[room.material]:
            battle.cite("wfb3:22.6.1-materials")
            continue
        falling.append(other)
    battle.cite("wfb3:22.6.2-walls") if room.wall else None
    for one in falling:
        one.down = True
        one.burning = False
        battle.tell("building.collapsed", "wfb3:22.6-collapse-table", (one.id,))
    battle.version += 1
    fought = [e for e in battle.engagements if all(battle.units[key].where == "building" for key in (e.a, e.b))]
    for one in falling:
        yield from buried(battle, one)
    for fight in fought:
        a, b = battle.units[fight.a], battle.units[fight.b]
        if not indoor_fights.shared(battle, a, b):
            battle.cite("wfb3:7-contact")
            battle.disengage(a, b)


def _tertiary(battle: Battle, room: Room, score: int) -> Script[None]:
    """wfb3:22.6-collapse-table  9: damaged neighbours of the neighbours fall; 10: undamaged ones take D6 points."""
    secondary = [r for other in _beside(battle, room) for r in _column(battle, other)]
    near = {r.id for s in secondary for r in _beside(battle, s) if r.standing}
    for other in [r for r in battle.rooms.values() if r.id in near]:
        if WEIGHT[other.material] > WEIGHT[room.material]:
            battle.cite("wfb3:22.6.1-materials")
        elif other.damage:
            yield from fall(battle, other, [])
        elif score >= 10:
            (face,) = yield Roll(
                battle.active, "building.shaken", 6, rule="wfb3:22.6-collapse-table", about=(other.id,), sense="value"
            )
            building_damage.harm(battle, other, face, "wfb3:22.6-collapse-table")


def buried(battle: Battle, room: Room) -> Script[None]:
    """wfb3:22.6-collapse-table  Those inside save unmodified or die; the tough save on 4+ and lose D3 wounds."""
    for unit, models in list(sections.held(battle, room.id)):
        plain: list[Model] = []
        for key in models:
            model = battle.models[key]
            if model.profile.T >= 5 or model.profile.W >= 3 or model.role == "character":
                yield from _one(battle, unit, model)
            else:
                plain.append(model)
        if plain:
            need = save(battle, unit, None, Blow(0, "wfb3:22.6-collapse-table"))
            dead = yield from steps.unsaved(unit.seat, len(plain), need, "wfb3:22.6-collapse-table", (unit.id, room.id))
            if dead:
                battle.tell("losses", "wfb3:22.6-collapse-table", (unit.id, room.id), dead=dead,
                            left=battle.size(unit) - dead)  # fmt: skip
                casualties._drop(battle, unit, plain[len(plain) - dead :])
        if unit.where == "building" and unit.models:
            _scramble(battle, unit, room)


def _one(battle: Battle, unit: Unit, model: Model) -> Script[None]:
    rule = "wfb3:22.6-collapse-table"
    tough = model.profile.T >= 5 or model.profile.W >= 3
    need = save(battle, unit, model, Blow(0, rule))
    if tough and (need is None or need.value > 4):
        need = Tally(4, "tough", rule)
    lost = yield from steps.unsaved(unit.seat, 1, need, rule, (model.id,))
    if not lost:
        return
    wounds = model.w
    if tough:
        wounds = yield from dice.d3(unit.seat, "building.crushed", rule, (model.id,))
    if model.role == "character" or unit.profile.W == 1:
        yield from casualties.wound_model(battle, model, wounds, rule)
    else:
        yield from casualties.hurt(battle, unit, min(wounds, unit.profile.W), rule)


def _scramble(battle: Battle, unit: Unit, room: Room) -> None:
    """Survivors of a fallen section/level.

    Ruling: they get out into the nearest section/level that stands and has room, else before the nearest door, else
    into the open beside the ruin.
    """
    held = sections.places(unit)
    lost = held.pop(room.id, [])
    for other in sections.neighbours(battle, room):
        if lost and other.standing and not buildings.contested(battle, other.id, unit.seat):
            space = sections.space(battle, other, unit.seat)
            held.setdefault(other.id, []).extend(lost[:space])
            lost = lost[space:]
    sections.put(unit, held)
    if not lost:
        return
    out = unit if not unit.indoors.rooms else split_units.part(battle, unit, tuple(lost))
    side = room.outer[0] if room.outer else "front"
    storming.evacuate(battle, out, sections.Door(room, side, "gate"))


def overloaded(battle: Battle) -> Script[None]:
    """wfb3:22.6-collapse-table  More than six models bring a very unstable or failing section/level down."""
    for room in list(battle.rooms.values()):
        if room.standing and room.condition in CONDITIONS[2:] and sections.crowd(battle, room.id) > CROWDED:
            battle.tell("building.overloaded", "wfb3:22.6-collapse-table", (room.id,))
            yield from fall(battle, room, [])

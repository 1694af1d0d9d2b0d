"""wfb3:22.1.6-after, wfb3:22.1.6-no-pursuit, wfb3:22.1.6-pursuit
Those who have cleared a house: they spread, or sally out."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import buildings
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.psychology import hatred
from grognard.games.wfb3.table import hidden_indoors, sections
from grognard.games.wfb3.table.sections import Door
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.questions import Option, Pick, Script, Split


def after(battle: Battle, unit: Unit, routers: Unit, door: Door | None) -> Script[None]:
    """wfb3:22.1.6-after, wfb3:22.1.6-no-pursuit, wfb3:22.1.6-pursuit
    The victors stay, spread as they like, or go after them.

    Ruling: who must always pursue, frenzied or against the hated, must pursue out of a building too.
    """
    unit.combat = unit.combat.but(won=battle.clock)
    wants = False
    if routers.where == "table" and door is not None and (unit.minds.frenzied or hatred.hates(battle, unit, routers)):
        battle.cite("wfb3:10.5-pursue" if unit.minds.frenzied else "wfb3:10.6-pursue")
        wants = True
    elif routers.where == "table" and door is not None:
        options = [Option("stay", False, "option.storm.stay"), Option("pursue", True, "option.pursue")]
        wants = yield Pick(
            unit.seat, "storm.pursue", options, optional=True, nay="stay", rule="wfb3:22.1.6-no-pursuit",
            about=(unit.id, routers.id),
        )  # fmt: skip
    if wants and door is not None:
        gather(battle, unit, door.room)
        unit.rout = unit.rout.but(pursuing=routers.id)
        routers.rout = routers.rout.but(caught=unit.id)
        battle.tell("storm.pursues", "wfb3:22.1.6-pursuit", (unit.id, routers.id))
        return
    yield from redeploy(battle, unit)
    unit.march = unit.march.but(frozen=battle.clock + (2 if unit.seat == battle.active else 1), frozen_why="reform")
    battle.tell("storm.stays", "wfb3:22.1.6-no-pursuit", (unit.id,))


def redeploy(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:22.1.6-after  The victors anywhere inside, within capacity and cohesion."""
    held = {key: len(models) for key, models in unit.indoors.rooms}
    near = sections.steps(battle, next(iter(held)))
    free = {
        key: held.get(key, 0) + sections.space(battle, battle.rooms[key], unit.seat)
        for key in near if not buildings.contested(battle, key, unit.seat)
    }  # fmt: skip
    if len(free) < 2:
        return
    options = [Option(key, key, about=(key,)) for key in free]
    for _ in range(3):
        shares = yield Split(
            unit.seat, "storm.redeploy", options, battle.size(unit), limits={k: (0, n) for k, n in free.items()},
            rule="wfb3:22.1.6-after", about=(unit.id,), secret=not unit.indoors.revealed,
        )  # fmt: skip
        chosen = [key for key, number in shares.items() if number]
        if sections.connected(battle, chosen):
            left = list(unit.models)
            placed: dict[str, list[str]] = {}
            for key in chosen:
                placed[key], left = left[: shares[key]], left[shares[key] :]
            sections.put(unit, placed)
            hidden_indoors.notice(battle)
            battle.tell("storm.redeployed", "wfb3:22.1.6-after", (unit.id,), seats=(unit.seat,))
            return
        battle.cite("wfb3:22.1.3-cohesion")


def gather(battle: Battle, unit: Unit, room: Room) -> None:
    """wfb3:22.1.6-pursuit  All of them in the ground level by the exit, those beyond twelve behind it."""
    left = list(unit.models)
    placed: dict[str, list[str]] = {}
    unit.indoors = unit.indoors.but(rooms=())
    for key in sorted(sections.steps(battle, room.id), key=lambda k: (sections.steps(battle, room.id)[k], k)):
        space = sections.space(battle, battle.rooms[key], unit.seat)
        placed[key], left = left[:space], left[space:]
        if not left:
            break
    sections.put(unit, placed)


def sally(battle: Battle, unit: Unit) -> bool:
    """wfb3:22.1.6-pursuit  Pursuers come out all at once, whatever the door; whether there was room for them."""
    held = [key for key, models in unit.indoors.rooms if models]
    doors = [d for d in buildings.doors(battle) if d.room.id in held] or buildings.doors(battle)
    routers = battle.units.get(unit.rout.pursuing)
    if routers is not None and routers.block is not None:
        after = routers.block.outline  # by the door they fled through
        doors.sort(key=lambda d: gap(after, Outline((d.room.door_point(d.side),), 0.0)))
    saved = unit.indoors.rooms
    unit.indoors = unit.indoors.but(rooms=())
    spot = buildings.before_door(battle, unit, doors[0], running=True) if doors else None
    if spot is None:
        unit.indoors = unit.indoors.but(rooms=saved)
        unit.rout = unit.rout.but(pursuing="")
        unit.block = None
        return False
    battle.form(unit, spot)
    battle.cite("wfb3:22.1.6-pursuit")
    battle.tell("building.left", "wfb3:22.1.6-pursuit", (unit.id, doors[0].room.id), models=battle.size(unit))
    return True

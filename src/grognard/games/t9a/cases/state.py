"""Everything a case may expect of a unit, model, side or the battle, by name, in inches."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import Battle, seat_rules
from grognard.games.t9a.forces import Model, Unit, plain
from grognard.games.t9a.melee import break_tests
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.screen.view import model_facts, unit_facts
from grognard.games.t9a.table import contacts, terrain
from grognard.games.t9a.units import command
from grognard.kernel.data.reading import INCHES
from grognard.kernel.errors import BadInput


def state(battle: Battle, thing: str) -> dict[str, Any]:
    """Every field of a thing; a model that is its own unit has the fields of both."""
    if thing == "battle":
        return _battle(battle)
    found: dict[str, Any] = {}
    if thing in battle.models:
        found |= _model(battle, battle.models[thing])
    if thing in battle.units:
        joined = battle.units[thing].where == "joined"
        own = ("where", "moved", "marched", "reformed", "weapon") if not joined else ()
        found = _unit(battle, battle.units[thing]) | {k: v for k, v in found.items() if k not in own}
    if found:
        return found
    if thing in battle.sides:
        return _side(battle, thing)
    for counter in battle.counters:
        if counter.id == thing:
            return {"at": INCHES.shown(counter.x, counter.y), "bearer": counter.bearer, "side": counter.seat}
    for piece in battle.table.pieces:
        if piece.id == thing:
            return {"kind": piece.kind}
    unit, _, number = thing.rpartition(".")
    if unit in battle.units and number.isdecimal() and 1 <= int(number) <= battle.units[unit].troops:
        return _trooper(battle, battle.units[unit], int(number) - 1)
    known = ", ".join(["battle", *battle.sides, *battle.units])
    raise BadInput("there is no {thing} here; there are {known}", thing=thing, known=known)


def _side(battle: Battle, seat: str) -> dict[str, Any]:
    """A side, and what it has done to the enemy so far (t9a:18.A)."""
    fallen = [m for m in battle.models.values() if m.seat != seat and m.gone]
    return {k: plain(v) for k, v in vars(battle.sides[seat]).items() if k != "zone"} | {
        "killed": [u.id for u in battle.units.values() if u.seat != seat and u.where == "gone"],
        "king": any(m.general for m in fallen),
        "banner": any(m.bsb for m in fallen),
    }


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "turn": battle.turn,
        "phase": battle.phase,
        "active": battle.active,
        "first": battle.first,
        "flux": battle.flux,
        "deployment": battle.deployment,
        "objective": battle.objective,
        "over": battle.outcome is not None,
        "clock": battle.clock,
        "chooser": battle.chooser,
        "units": [u.id for u in battle.on_table()],
        "engaged": [sorted((e.a, e.b)) for e in battle.engagements],
        "terrain": [p.id for p in battle.table.pieces],
    }


def _model(battle: Battle, model: Model) -> dict[str, Any]:
    found = model_facts(model)
    unit = battle.units[model.unit]
    at = None
    if unit.block is not None and model.id in unit.guests:
        place = unit.block.places[next(iter(battle.numbers(unit, model.id)))]
        at = INCHES.shown(place.pose.x, place.pose.y)
        found["file"], found["rank"] = place.file, place.rank
    return found | {"at": at, "side": model.seat, "effects": [e.key for e in model.effects], "items": list(model.items)}


def _trooper(battle: Battle, unit: Unit, number: int) -> dict[str, Any]:
    """One of the Rank-and-File, by its number from the front left."""
    found: dict[str, Any] = {"unit": unit.id, "side": unit.seat, "role": "rank-and-file", "at": None}
    if unit.block is not None:
        place = unit.block.places[number]
        found |= {"at": INCHES.shown(place.pose.x, place.pose.y), "file": place.file, "rank": place.rank}
    return found


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    found = unit_facts(unit)
    found |= {
        "side": unit.seat,
        "name": unit.name,
        "models": battle.size(unit),
        "hp": battle.hp(unit),
        "guests": list(unit.guests),
        "effects": [e.key for e in unit.effects],
        "charges": [a.target for a in unit.charge.aims],
        "charge_side": plain(unit.charge.aim.side) if unit.charge.aims else None,
        "champion": bool(unit.command.champion),
        "engaged": [f.id for f, _, _ in battle.foes(unit)],
        "is_shaken": battle.is_shaken(unit),
        "files_away": unit.arrival.files_away,
        "linger": list(unit.linger),
        "posts": {who: list(cell) for who, cell in command.standing(unit).items()},
    }
    block = unit.block
    if block is None:
        return found | {"at": None}
    battle.cite(*_formation_rules(battle, unit))
    return found | {
        "at": INCHES.shown(*block.centre),
        "front": INCHES.shown(*block.front),
        "facing": block.facing,
        "files": block.files,
        "ranks": block.ranks,
        "width": INCHES.shown(block.width)[0],
        "depth": INCHES.shown(block.depth)[0],
        "full_ranks": battle.full_ranks(unit),
        "rank_bonus": battle.rank_bonus(unit),
        "line": battle.in_line(unit),
        "size": battle.unit_size(unit),
        "type": battle.unit_type(unit),
        "scoring": objectives.scoring(battle, unit),
        "contacts": len(contacts.touching_numbers(battle, unit)),
        "terrain": list(terrain.centres_in(battle, unit)),
        "sides": {f.id: plain(theirs) for f, _, theirs in battle.foes(unit)},
        "stubborn": break_tests.stubborn(battle, unit),
    }


def _formation_rules(battle: Battle, unit: Unit) -> list[str]:
    """t9a:3.B, t9a:21.A.b.3  The rules by which a unit stands as it does."""
    found = ["t9a:3.B", "t9a:3.B.e"]
    block = battle.block(unit)
    if block.guests:
        found += ["t9a:21.A.b.3", *seat_rules(block)]
    if block.spacing:
        found.append("t9a:21.A.b.48")
    if any(model.profile.has("stand-behind") for model in battle.guests(unit)):
        found.append("t9a:21.A.b.43")
    if any(model.profile.is_platform for model in battle.guests(unit)):
        found.append("t9a:21.A.b.34-centre")
    return found

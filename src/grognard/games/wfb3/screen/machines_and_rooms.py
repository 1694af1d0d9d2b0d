"""wfb3:19.1-profile, wfb3:22.1.2-notes  War machines and buildings as views and screens show them."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Machine, Room
from grognard.games.wfb3.table import sections as rooms
from grognard.kernel.data.reading import INCHES
from grognard.kernel.geometry.units import inches
from grognard.kernel.screen import scene as draw
from grognard.kernel.state.views import plain


def shown(battle: Battle, machine: Machine) -> dict[str, Any]:
    """A machine as cases and views see it."""
    return {
        "engine": machine.engine.kind, "crew": machine.engine.crew, "unit": machine.unit, "holder": machine.holder,
        "side": machine.seat, "status": machine.status,
        "at": INCHES.shown(machine.x, machine.y) if machine.placed else None,
        "facing": machine.facing, "heat": machine.heat, "shots": machine.shots, "stuck": machine.stuck,
        "fired": machine.fired == battle.clock, "moved": machine.moved == battle.clock, "wheels": machine.wheels,
        "captors": len(machine.captors), "duds": [[round(n / inches(1), 2) for n in dud] for dud in machine.duds],
        "strength": machine.engine.strength, "range": machine.engine.range, "least": machine.engine.least,
        "radius": machine.engine.radius, "modifier": machine.engine.modifier, "wounds": machine.engine.wounds.name,
    }  # fmt: skip


def room(battle: Battle, one: Room) -> dict[str, Any]:
    """A section/level as cases and views see it; who is inside is secret (wfb3:22.1.2-notes)."""
    return {
        "building": one.piece, "section": one.section, "level": one.level, "material": one.material,
        "damage": one.damage, "fire": one.fire, "burning": one.burning, "condition": one.condition, "down": one.down,
        "doors": [f"{side} {kind}" for side, kind in one.doors], "outer": plain(one.outer), "roof": one.roof,
        "at": INCHES.shown(one.rect.x, one.rect.y),
        "points": {side: one.points(side) for side in one.outer},
        "held": {unit.id: len(models) for unit, models in rooms.held(battle, one.id)},
    }  # fmt: skip


def names(battle: Battle) -> dict[str, str]:
    """What machines and section/levels are called."""
    found: dict[str, str] = {}
    for machine in battle.machines.values():
        alike = [
            m.id for m in battle.machines.values() if (m.unit, m.engine.kind) == (machine.unit, machine.engine.kind)
        ]
        number = f" {alike.index(machine.id) + 1}" if len(alike) > 1 else ""
        found[machine.id] = f"{machine.engine.kind} of {battle.units[machine.unit].name}{number}"
    return found | {r.id: f"{r.piece.replace('-', ' ')} {r.section}/{r.level}" for r in battle.rooms.values()}


def tokens(battle: Battle) -> tuple[draw.Token, ...]:
    """Machines as screens draw them."""
    return tuple(
        draw.Token(
            m.id, m.engine.kind, called, m.x, m.y, max(m.base) / 2, battle.units[m.holder].seat if m.holder else None,
            None, draw.states(spiked=m.status == "spiked", stuck=m.stuck, captured=bool(m.captors)),
        )
        for m in battle.machines.values()
        if m.stands and not m.engine.portable and (called := names(battle)[m.id])
    )  # fmt: skip


def fires(battle: Battle, piece: str) -> tuple[draw.Said, ...]:
    """What can be seen of a building: burning, damaged, fallen."""
    here = [r for r in battle.rooms.values() if r.piece == piece]
    return draw.states(
        burning=any(r.burning for r in here), damaged=any(r.damage for r in here if r.standing),
        collapsed=bool(here) and any(r.down for r in here),
    )  # fmt: skip


def notes(unit: Unit, seat: str | None) -> dict[str, Any]:
    """wfb3:22.1.2-notes  Who of a unit is in which section/level, for those who may know."""
    known = seat in (None, unit.seat) or unit.indoors.revealed
    return {"rooms": [[key, list(models)] for key, models in unit.indoors.rooms] if known else []}


def seen(battle: Battle, one: Room, seat: str | None) -> dict[str, Any]:
    """wfb3:22.1.2-notes"""
    held = rooms.held(battle, one.id)
    return {"held": {u.id: len(m) for u, m in held if seat in (None, u.seat) or u.indoors.revealed}}

"""Chapter 23.3.5: spells that deal with fires; the book names them, their prices and reach here are ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import Model
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Script

#: How far a dust storm goes, and how many attacks animated water has.
STORM, ATTACKS = inches(24), 8


def targets(battle: Battle, wizard: Model, name: str, reach: float) -> list[Any]:
    """Burning section/levels in reach, or the wizard's own unit for spells that concern the whole table."""
    if name in ("gust of wind", "dust storm"):
        spot = battle.pose(wizard)
        own = Outline(((spot.x, spot.y),), 0.0)
        return [r for r in battle.rooms.values() if r.burning and gap(own, r.outline) <= inches(reach) + EPS]
    return [battle.units[wizard.unit]]


def _gust(battle: Battle, wizard: Model, room: Any) -> Script[None]:
    yield from fires.gust(battle, wizard.seat, room)


def _rain(battle: Battle, wizard: Model, target: Any) -> Script[None]:
    fires.rain(battle)
    yield from ()


def _extinguish(battle: Battle, wizard: Model, target: Any) -> Script[None]:
    fires.extinguish(battle)
    yield from ()


def _dust(battle: Battle, wizard: Model, room: Any) -> Script[None]:
    """wfb3:23.3.5-other-spells  A storm an inch wide, straight from the wizard over the fire it is sent at."""
    at = battle.pose(wizard)
    hx, hy = heading(bearing(room.rect.x - at.x, room.rect.y - at.y))
    end = (at.x + hx * STORM, at.y + hy * STORM)
    fires.dust_storm(battle, Outline(((at.x, at.y), end, end), inches(0.5)))
    yield from ()


def _water(battle: Battle, wizard: Model, target: Any) -> Script[None]:
    yield from fires.animate_water(battle, wizard.seat, ATTACKS)


EFFECTS: dict[str, Callable[[Battle, Model, Any], Script[None]]] = {
    "gust of wind": _gust,
    "rain": _rain,
    "extinguish": _extinguish,
    "dust storm": _dust,
    "animate water": _water,
}

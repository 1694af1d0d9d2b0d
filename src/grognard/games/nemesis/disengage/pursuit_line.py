"""nemesis:18-pursuit  The straight line by which a unit runs after those who left it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.movement import forced
from grognard.games.nemesis.table.ground import landing
from grognard.kernel.geometry.straight import brushes, samples
from grognard.kernel.geometry.units import bearing

#: A line that grazes a base passes it this much (degrees) to the side.
GRAZE = 0.005

#: A run that ends this much (mm) short of contact makes it.
SHORT = 0.01


class Line(NamedTuple):
    """A bearing, and how far along it contact is made (mm)."""

    way: float
    far: float


def line(battle: Battle, enemy: Unit, unit: Unit, distance: float) -> Line:
    """nemesis:18-pursuit  From the nearest model straight at the nearest of those who left.

    Ruling: where others stand in between, the line that swerves least and still makes contact within the distance.
    """
    pairs = sorted(product(battle.standing(enemy), battle.standing(unit)), key=lambda pair: battle.gap(*pair))
    here, there = (battle.pose(model) for model in pairs[0])
    straight = Line(bearing(there.x - here.x, there.y - here.y), battle.gap(*pairs[0]))
    lines = _lines(battle, pairs, straight)
    return next((found for hunter, found in lines if _clear(battle, hunter, found, distance)), straight)


def _lines(battle: Battle, pairs: list[tuple[Model, Model]], straight: Line) -> Iterator[tuple[Model, Line]]:
    """Straight ahead, then all that make contact, those that swerve least first."""
    yield pairs[0][0], straight
    swerves = [(hunter, found) for hunter, quarry in pairs for found in _swerves(battle, hunter, quarry)]
    yield from sorted(swerves, key=lambda swerve: abs(math.remainder(swerve[1].way - straight.way, 360.0)))


def _clear(battle: Battle, hunter: Model, found: Line, distance: float) -> bool:
    """Whether the distance is enough and nothing stops the hunter before contact."""
    return forced.run_length(battle, hunter, found.way, distance, found.far, edge=True) >= found.far - SHORT


def _swerves(battle: Battle, hunter: Model, quarry: Model) -> Iterator[Line]:
    """Lines that touch the quarry: straight at it, past whoever stands about, and between any two of those.

    Between two neighbouring bearings past things nothing changes, so that one of these is clear if any is.
    """
    here, there = battle.pose(hunter), battle.pose(quarry)
    touch = battle.base(hunter).reach + battle.base(quarry).reach
    straight, apart = bearing(there.x - here.x, there.y - here.y), math.hypot(there.x - here.x, there.y - here.y)
    past = brushes(landing(battle, hunter, forced=True), (here.x, here.y), (there.x, there.y, touch))
    grazing = [way + aside for way in past for aside in (GRAZE, -GRAZE)]
    for way in samples([(straight - 90.0, straight + 90.0)], [straight, *grazing]):
        turn = math.radians(way - straight)
        if abs(apart * math.sin(turn)) < touch:
            yield Line(way, apart * math.cos(turn) - math.sqrt(touch**2 - (apart * math.sin(turn)) ** 2))

"""nemesis:8.3-zones, nemesis:X.4-table  Deployment zones by the number of players."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from grognard.games.nemesis.battle import BEFORE, Battle
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import bearing, cm

Zone = tuple[float, float, float, float]  # x, y, width, height in mm


#: nemesis:X.4-table  Ruling: more than two players deploy in squares of this side where the table allows, cm.
SQUARE = 40.0
#: nemesis:8-gap  What lies between the zones of more than two players, cm; between two it follows from the table.
GAP = 70.0
#: The least side of a zone on a table that is too small for the gap, cm.
LEAST = 5.0


def table_size(house: Mapping[str, Any], players: int) -> tuple[float, float]:
    """nemesis:X.4-table  Ruling: with more than two players at least what their squares and the gaps between need."""
    across = _across(players)
    need = SQUARE * across + GAP * (across - 1) if players > 2 else 0.0
    return cm(max(house["table_width"], need)), cm(max(house["table_height"], need))


def _across(players: int) -> int:
    """How many zones lie side by side."""
    return math.ceil(math.sqrt(players))


def zones(table: Table, house: Mapping[str, Any], players: int) -> dict[str, Zone]:
    """nemesis:8.3-zones, nemesis:8-gap
    Two players: strips on opposite edges. Ruling: more: a grid of zones 70 cm apart."""
    deep = cm(house["zone_depth"])
    if players <= 2:
        return {
            "south": (0.0, 0.0, table.width, deep),
            "north": (0.0, table.height - deep, table.width, deep),
        }
    across = _across(players)
    width, height = (max((side - cm(GAP) * (across - 1)) / across, cm(LEAST)) for side in (table.width, table.height))
    step_x, step_y = (table.width - width) / (across - 1), (table.height - height) / (across - 1)
    corners = [(column * step_x, row * step_y) for row in range(across) for column in range(across)]
    return {f"zone-{number}": (x, y, width, height) for number, (x, y) in enumerate(corners, 1)}


def zones_of(battle: Battle) -> dict[str, Zone]:
    return zones(battle.table, battle.house, len(battle.seats))


def drawn(name: str) -> str:
    """What a zone is called on the table while nobody has it."""
    return f"zone:{name}"


def free(battle: Battle) -> dict[str, Zone]:
    """nemesis:8.3-zones  Those that can still be chosen."""
    taken = [side.zone for side in battle.sides.values()]
    if battle.phase not in BEFORE or None not in taken:
        return {}
    return {name: zone for name, zone in zones_of(battle).items() if zone not in taken}


def directions(battle: Battle) -> dict[str, str]:
    """The zones by the compass on the table's frame, as seen from its middle; the one in the middle is the centre."""
    found = {}
    for name, (x, y, width, height) in zones_of(battle).items():
        east, north = x + width / 2 - battle.table.width / 2, y + height / 2 - battle.table.height / 2
        up = "" if abs(north) < 1 else "north" if north > 0 else "south"
        aside = "" if abs(east) < 1 else "east" if east > 0 else "west"
        found[name] = "-".join(filter(None, (up, aside))) or "central"
    return found


def apart(first: Zone, second: Zone) -> float:
    """nemesis:8-gap  How far two zones lie apart."""
    dx = max(first[0] - second[0] - second[2], second[0] - first[0] - first[2], 0.0)
    dy = max(first[1] - second[1] - second[3], second[1] - first[1] - first[3], 0.0)
    return math.hypot(dx, dy)


def outlook(battle: Battle, zone: Zone) -> float:
    """Where troops of a zone look: across the table from a strip, to the centre from a square."""
    x, y = battle.table.width / 2 - zone[0] - zone[2] / 2, battle.table.height / 2 - zone[1] - zone[3] / 2
    return bearing(round(x, 6), round(y, 6))

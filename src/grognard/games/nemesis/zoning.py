"""nemesis:8.3-zones, nemesis:X.4-table  Deployment zones by the number of players."""

from __future__ import annotations

import math

from grognard.games.nemesis.battle import Battle
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import bearing, cm

Zone = tuple[float, float, float, float]  # x, y, width, height in mm


def table_size(house_width: float, house_height: float, depth: float, players: int) -> tuple[float, float]:
    """nemesis:X.4-table  Ruling: more than four players need a larger table, one zone every 95 cm."""
    across = math.ceil(math.sqrt(players))
    if across <= 2:
        return cm(house_width), cm(house_height)
    pitch_x, pitch_y = house_width - depth, house_height - depth
    return cm(depth + pitch_x * (across - 1)), cm(depth + pitch_y * (across - 1))


def zones(table: Table, depth: float, players: int) -> dict[str, Zone]:
    """nemesis:8.3-zones  Two players: strips on opposite edges; more: squares at equal distances (Ruling)."""
    deep = cm(depth)
    if players <= 2:
        return {
            "south": (0.0, 0.0, table.width, deep),
            "north": (0.0, table.height - deep, table.width, deep),
        }
    across = math.ceil(math.sqrt(players))
    step_x, step_y = (table.width - deep) / (across - 1), (table.height - deep) / (across - 1)
    corners = [(column * step_x, row * step_y) for row in range(across) for column in range(across)]
    return {f"zone-{number}": (x, y, deep, deep) for number, (x, y) in enumerate(corners, 1)}


def zones_of(battle: Battle) -> dict[str, Zone]:
    return zones(battle.table, battle.house["zone_depth"], len(battle.seats))


def apart(first: Zone, second: Zone) -> float:
    """nemesis:8-gap  How far two zones lie apart."""
    dx = max(first[0] - second[0] - second[2], second[0] - first[0] - first[2], 0.0)
    dy = max(first[1] - second[1] - second[3], second[1] - first[1] - first[3], 0.0)
    return math.hypot(dx, dy)


def outlook(battle: Battle, zone: Zone) -> float:
    """Where troops of a zone look: across the table from a strip, to the centre from a square."""
    x, y = battle.table.width / 2 - zone[0] - zone[2] / 2, battle.table.height / 2 - zone[1] - zone[3] / 2
    return bearing(round(x, 6), round(y, 6))

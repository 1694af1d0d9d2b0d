"""Crowded tables: situations in which somebody needs room, and a plain search that says whether there is any.

Each situation is written as a case would write it. The search knows nothing of the engine's own: it tries places or
bearings densely and asks shapely; what it finds has at least `SPARE` mm to spare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

Given = dict[str, Any]
Point = tuple[float, float]

#: How much room to spare (mm) makes a place that nobody may deny.
SPARE = 0.5
INCH = 25.4


class Scene(NamedTuple):
    """A situation and where, by the search, there is room; None where it found none."""

    given: Given
    room: Point | float | None


def spread(rng: Random, count: int, taken: list[tuple[Point, float]], place: Callable[[], Point], reach: float) -> None:
    """Up to so many more discs at random places that overlap nothing, added to those taken."""
    for _ in range(count):
        for _ in range(40):
            spot = place()
            if all(math.dist(spot, other) >= reach + wide + 0.1 for other, wide in taken):
                taken.append((spot, reach))
                break


def ring(rng: Random, centre: Point, near: float, far: float) -> Callable[[], Point]:
    """Places round a centre, between two distances."""

    def place() -> Point:
        angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(near, far)
        return round(centre[0] + away * math.sin(angle), 1), round(centre[1] + away * math.cos(angle), 1)

    return place


def along(start: Point, bearing: float, far: float) -> Point:
    angle = math.radians(bearing)
    return start[0] + far * math.sin(angle), start[1] + far * math.cos(angle)


# ---------------------------------------------------------------------- Némésis: a way out of a melee


def nemesis_hemmed(rng: Random) -> Scene:
    """nemesis:18-banned-surrounded  A man in contact with one enemy, others and rocks all round: M + 1 cm, straight."""
    start, reach, least = (600.0, 500.0), 15.0, 110.0
    foe = along(start, rng.uniform(0, 360), 2 * reach)
    foe = (round(foe[0], 2), round(foe[1], 2))
    taken = [(start, reach), (foe, reach)]
    spread(rng, rng.randint(3, 9), taken, ring(rng, start, 65, 130), reach)
    cards = {"Man": {"M": 10, "HC": 3, "F": 3, "R": 6, "C": 6, "S": 1}}
    cards["Lord"] = {**cards["Man"], "type": "hero", "PC": 2}  # type: ignore[dict-item]
    units: dict[str, Any] = {"men": {"side": "red", "card": "Man", "at": cm(start)}}
    units["foe"] = {"side": "blue", "card": "Man", "at": cm(foe)}
    units["lord"] = {"side": "red", "card": "Lord", "at": [60, 80]}
    bars: list[BaseGeometry] = [shapely.Point(600, 800).buffer(15)]
    for number, (spot, _) in enumerate(taken[2:]):
        side = rng.choice(["red", "blue", "blue"])
        units[f"{side}{number}"] = {"side": side, "card": "Man", "at": cm(spot)}
        zone = 30.1 if side == "blue" and math.dist(spot, foe) > 2 * reach + 1 else 0.2 if side == "blue" else 0.0
        bars.append(shapely.Point(spot).buffer(reach + zone, quad_segs=64))
    threat = math.degrees(math.atan2(foe[0] - start[0], foe[1] - start[1]))
    bars.append(shapely.Point(foe).buffer(reach + 0.2))
    given = {"phase": "orders", "turn": 2, "cards": cards, "units": units}
    for step in range(3600):
        way = step / 10
        if abs((way - threat + 180) % 360 - 180) < 90.1:
            continue
        path = shapely.LineString([start, along(start, way, least)])
        if all(path.distance(bar) >= reach + SPARE for bar in bars[:-1]):
            return Scene(given, way)
    return Scene(given, None)


def nemesis_summons(rng: Random) -> Scene:
    """nemesis:A2.N.6-summon-3  A skeleton in a crowd: a place within 5 cm of it, outside zones, clear of everybody."""
    start, reach = (600.0, 500.0), 15.0
    taken = [(start, reach)]
    spread(rng, rng.randint(25, 90), taken, ring(rng, start, 31, 112), reach)
    man: dict[str, Any] = {"M": 10, "HC": 3, "F": 3, "R": 6, "C": 6, "S": 1}
    mage = {**man, "type": "mage", "CO": 8, "S": 3, "PC": 2, "abilities": ["Swarm"], "size": 6, "base": 30}
    cards = {"Man": man, "Bones": {**man, "keywords": ["skeleton"], "size": 6, "base": 30}, "Mage": mage}
    units: dict[str, Any] = {"mage": {"side": "red", "card": "Mage", "at": [60, 70], "spells": ["N.6"]}}
    units["mage"]["dice"] = {"creation": 2, "block": 0}
    units["bones"] = {"side": "red", "card": "Bones", "at": cm(start)}
    away = [((600.0, 700.0), 30.0)]
    foes = [spot for spot, _ in taken[1:]][: rng.randint(0, 3)]
    for number, (spot, _) in enumerate(taken[1:]):
        units[f"m{number}"] = {"side": "blue" if spot in foes else "red", "card": "Man", "at": cm(spot)}
        engaged = any(math.dist(spot, other) < 30.2 for other, _ in taken if (other in foes) != (spot in foes))
        away.append((spot, 2 * reach + (0.1 if engaged else 30.1) * (spot in foes)))
    given = {"phase": "magic", "turn": 2, "cards": cards, "units": units}
    for i, j in _grid(*start, 80, 1.0):
        if 2 * reach + SPARE <= math.dist((i, j), start) <= 2 * reach + 50 - SPARE and all(
            math.dist((i, j), spot) >= apart + SPARE for spot, apart in away
        ):
            return Scene(given, (i, j))
    return Scene(given, None)


def cm(spot: Point) -> list[float]:
    return [round(spot[0] / 10, 3), round(spot[1] / 10, 3)]


# ---------------------------------------------------------------------- Warhammer 40,000: a way out of a transport


def wh40k_aboard(rng: Random) -> Scene:
    """wh40k:5.5.1-disembark  A man aboard a truck among men and walls: wholly within 3", clear of all, not engaged."""
    reach, (x, y) = 12.7, (20 * INCH, 20 * INCH)
    hull = shapely.box(x - 1.5 * INCH, y - 2.5 * INCH, x + 1.5 * INCH, y + 2.5 * INCH)
    taken: list[tuple[Point, float]] = []
    around = ring(rng, (x, y), 2.1 * INCH, 5.6 * INCH)

    def place() -> Point:
        spot = around()
        while hull.distance(shapely.Point(spot)) < reach + 0.2:
            spot = around()
        return spot

    spread(rng, rng.randint(14, 60), taken, place, reach)
    man = {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, "base": 25.4}
    car = {"M": 10, "T": 8, "Sv": 3, "W": 10, "Ld": 7, "OC": 2, "hull": [76.2, 127]}
    sheets: dict[str, Any] = {"Man": {"keywords": ["Infantry"], "models": {"Man": man}}}
    sheets["Car"] = {"keywords": ["Vehicle", "Transport"], "models": {"Car": car}, "capacity": 10}
    sheets["Car"]["carries"] = ["Infantry"]
    units: dict[str, Any] = {"car": {"side": "red", "datasheet": "Car", "at": [20, 20], "facing": 0}}
    units["rider"] = {"side": "red", "datasheet": "Man", "models": 1, "transport": "car"}
    walls = []
    for number, (spot, _) in enumerate(taken):
        side = rng.choice(["red", "red", "red", "blue"])
        if side == "blue" and hull.distance(shapely.Point(spot)) < reach + 1.1 * INCH:
            side = "red"
        units[f"m{number}"] = {"side": side, "datasheet": "Man", "at": [spot[0] / INCH, spot[1] / INCH]}
        walls.append((spot, 2 * reach + (INCH if side == "blue" else 0.0)))
    given = {"phase": "movement", "datasheets": sheets, "units": units}
    for i, j in _grid(x, y, 150, 1.5):
        off = hull.distance(shapely.Point(i, j))
        if not reach + SPARE <= off <= 3 * INCH - reach - SPARE:
            continue
        if all(math.dist((i, j), spot) >= apart + SPARE for spot, apart in walls):
            return Scene(given, (i, j))
    return Scene(given, None)


def _grid(x: float, y: float, wide: float, step: float) -> Iterator[Point]:
    count = int(wide / step)
    for i in range(-count, count + 1):
        for j in range(-count, count + 1):
            yield x + i * step, y + j * step


# ---------------------------------------------------------------------- L'Âge des Escarmouches: a place beside a mystic


def ades_beside(rng: Random) -> Scene:
    """ades:8.10-place, 10.2.1.3-disembark  A fighter among others: somewhere in contact with him."""
    centre, reach = (400.0, 400.0), 12.5
    taken = [(centre, reach)]
    spread(rng, rng.randint(4, 9), taken, ring(rng, centre, 25.2, 45), reach)
    stats = {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "COU": 4, "DIS": 2}
    fighters = {f"f{n}": {"side": "red", "profile": "Man", "at": cm(spot)} for n, (spot, _) in enumerate(taken)}
    fighters["b"] = {"side": "blue", "profile": "Man", "at": [80, 80]}
    profiles = {"Man": {"army": "Lion", "rank": 1, "val": 20, "stats": stats}}
    return Scene({"profiles": profiles, "fighters": fighters}, beside(centre, reach, taken[1:]))


def beside(centre: Point, reach: float, others: list[tuple[Point, float]]) -> float | None:
    """A bearing at which somebody of the same size stands in contact with a disc, clear of the others."""
    for step in range(3600):
        spot = along(centre, step / 10, 2 * reach)
        if all(math.dist(spot, other) >= reach + wide + SPARE for other, wide in others):
            return step / 10
    return None


# ---------------------------------------------------------------------- The Ninth Age: a stretch of table edge


def t9a_ambush(rng: Random) -> Scene:
    """t9a:21.A.b.12  Men in ambush, the table's edges walled up but for gaps: a stretch as wide as they are in
    single file, and an inch to either side (4.C)."""
    base = 20.0
    walls: list[dict[str, Any]] = []
    free: list[tuple[str, float]] = []
    for name in ("west", "east", "north", "south"):
        at, edge = 0.0, []
        while at < 36.0:
            long = round(rng.uniform(1.0, 8.0), 2)
            edge.append((at, min(36.0, at + long)))
            at = round(at + long + rng.choice([0.4, 1.8, 2.6, 2.75, 2.75, 2.84, 2.9]), 2)
        for number, (low, high) in enumerate(edge):
            x0, x1, y0, y1 = {
                "west": (0, 1, low, high), "east": (35, 36, low, high),
                "south": (low, high, 0, 1), "north": (low, high, 35, 36),
            }[name]  # fmt: skip
            corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
            walls.append({"id": f"{name}{number}", "kind": "impassable", "points": corners})
        gaps = [(high, low) for (_, high), (low, _) in pairwise(edge)]
        roomy = [(a, b) for a, b in gaps if (b - a) * INCH >= base + 2 * (INCH + SPARE)]
        free += [(name, (a + b) / 2) for a, b in roomy if a > 2.5 and b < 33.5]
    profile = {"adv": 4, "mar": 8, "dis": 7, "hp": 1, "def": 3, "res": 3, "arm": 0, "base": "20x20"}
    profile["parts"] = [{"name": "man", "att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3}]
    waiting = {"where": "reserve", "special": "ambush", "rules": ["Ambush"]}
    units = {
        "a": {"side": "red", "profile": "Men", "models": 2, "files": 1, **waiting},
        "x": {"side": "blue", "profile": "Men", "models": 5, "front": [18, 18], "files": 5},
    }  # fmt: skip
    given = {
        "phase": "movement", "stage": 2, "turn": 3, "table": {"width": 36, "height": 36}, "profiles": {"Men": profile},
        "terrain": walls, "units": units,
    }  # fmt: skip
    return Scene(given, free[0][1] if free else None)


# ---------------------------------------------------------------------- a lane through a deployment zone


class Lane(NamedTuple):
    """What is left of a deployment zone 12 inches deep between two blocks of impassable ground, in inches."""

    left: list[list[float]]
    right: list[list[float]]
    free: BaseGeometry


def lane(rng: Random, width: float, wide: float, deep: float = 12.0) -> Lane:
    """A lane about as wide as something that is to stand in it, upright or aslant."""
    at, slope = rng.uniform(16, width - 20), rng.choice([0.0, rng.uniform(-6, 6)])
    across = wide * math.hypot(1, slope / (deep + 1)) + rng.uniform(-0.3, 0.5)
    low, high = (round(at, 2), round(at + across, 2)), (round(at + slope, 2), round(at + slope + across, 2))
    top = deep + 1
    left = [[0.0, 0.0], [low[0], 0.0], [high[0], top], [0.0, top]]
    right = [[low[1], 0.0], [width, 0.0], [width, top], [high[1], top]]
    free = shapely.Polygon([(low[0], 0), (low[1], 0), (high[1], top), (high[0], top)])
    return Lane(left, right, free & shapely.box(0, 0, width, deep))


def fits(free: BaseGeometry, wide: float, long: float) -> Point | None:
    """Where in an area (inches) a rectangle has room with something to spare, at whatever angle."""
    half = (wide / 2 + SPARE / INCH, long / 2 + SPARE / INCH)
    x0, y0, x1, y1 = free.bounds
    across, up = np.meshgrid(np.arange(x0, x1, 0.04), np.arange(y0, y1, 0.5))
    spots = np.column_stack([across.ravel(), up.ravel()])
    shapely.prepare(free)
    for step in range(180):
        ux, uy = math.cos(math.radians(step)), math.sin(math.radians(step))
        corners = [(sx * half[0] * ux - sy * half[1] * uy, sx * half[0] * uy + sy * half[1] * ux) for sx, sy in
                   ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        held = [shapely.contains_xy(free, spots[:, 0] + dx, spots[:, 1] + dy) for dx, dy in corners]
        whole = np.all(held, axis=0)
        if whole.any():
            return float(spots[whole.argmax(), 0]), float(spots[whole.argmax(), 1])
    return None


def wh40k_lane(rng: Random) -> Scene:
    """wh40k:21.5-deploy, 23.49-no-room  A tank of 4 by 6 inches, a lane through its zone."""
    found = lane(rng, 60, 4)
    tank = {"M": 10, "T": 8, "Sv": 3, "W": 10, "Ld": 7, "OC": 2, "hull": [101.6, 152.4]}
    man = {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, "base": 25.4}
    sheets = {"Tank": {"keywords": ["Vehicle"], "models": {"Tank": tank}}}
    sheets["Man"] = {"keywords": ["Infantry"], "models": {"Man": man}}
    units = {
        "tank": {"side": "red", "datasheet": "Tank", "where": "undeployed"},
        "foe": {"side": "blue", "datasheet": "Man", "where": "undeployed"},
    }
    walls = [{"id": "l", "kind": "debris", "points": found.left}, {"id": "r", "kind": "debris", "points": found.right}]
    given = {"phase": "deployment", "attacker": "red", "datasheets": sheets, "terrain": walls, "units": units}
    return Scene(given, fits(found.free, 4, 6))


def t9a_lane(rng: Random) -> Scene:
    """t9a:10.C, 10.E.b  A chariot of 100 by 150 mm, a lane through its zone, with an inch to either side (4.C)."""
    wide, long = 100 / INCH, 150 / INCH
    found = lane(rng, 72, wide + 2)
    part = {"name": "crew", "att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3}
    cart = {"adv": 7, "mar": 7, "dis": 7, "hp": 4, "def": 3, "res": 4, "arm": 0, "base": "100x150", "parts": [part]}
    units = {
        "men": {"side": "red", "profile": "Cart", "models": 1},
        "x": {"side": "blue", "profile": "Cart", "models": 1},
    }
    walls = [{"id": n, "kind": "impassable", "points": p} for n, p in (("l", found.left), ("r", found.right))]
    given = {"phase": "deployment", "profiles": {"Cart": cart}, "terrain": walls, "units": units}
    near = shapely.union_all([shapely.Polygon(p).buffer(1.0, quad_segs=32) for p in (found.left, found.right)])
    return Scene(given, fits(found.free - near, wide, long))


def wfb3_lane(rng: Random) -> Scene:
    """wfb3:25.1-zone  Four men who may stand in any formation, a lane through their zone hardly wider than one."""
    wide, long = 20 / INCH, 80 / INCH
    found = lane(rng, 72, wide)
    units = {
        "men": {"side": "red", "creature": "Human", "count": 4},
        "foe": {"side": "blue", "creature": "Human", "count": 4},
    }
    walls = [{"id": n, "kind": "rocks", "points": p} for n, p in (("l", found.left), ("r", found.right))]
    given = {"phase": "deployment", "terrain": walls, "units": units}
    return Scene(given, fits(found.free, wide, long))


def wfb3_door(rng: Random) -> Scene:
    """wfb3:22.1.4-doors  One man behind a door, friends before it: his back to the wall, or a little further off."""
    door, half = (30 * INCH, 18 * INCH), 10.0
    taken: list[tuple[float, float]] = []
    for _ in range(rng.randint(150, 1500)):
        spot = (round(rng.uniform(27.2, 32.8), 2), round(rng.uniform(9.0, 17.95), 2))
        if all(abs(spot[0] - x) > 0.8 or abs(spot[1] - y) > 0.8 for x, y in taken):
            taken.append(spot)
    hall = {"id": "hall", "kind": "building", "at": [30, 20], "size": [4, 4], "levels": 1}
    hall["doors"] = [{"side": "rear", "kind": "gate"}]
    men: dict[str, Any] = {"side": "red", "creature": "Human", "count": 1}
    units: dict[str, Any] = {"men": {**men, "inside": "hall/1/1", "revealed": True}}
    for number, (x, y) in enumerate(taken):
        units[f"m{number}"] = {**men, "at": [x, y], "facing": 0}
    units["foe"] = {"side": "blue", "creature": "Orc", "count": 5, "at": [60, 44]}
    blocks = [shapely.box(x * INCH - half, y * INCH - 2 * half, x * INCH + half, y * INCH) for x, y in taken]
    given = {"terrain": [hall], "units": units}
    for far in np.arange(2 * half + 1.0, 8 * INCH, 2.0).tolist():
        for aside in np.arange(-2 * INCH, 2 * INCH + 0.1, 2.0).tolist():
            x, y = door[0] + aside, door[1] - far
            own = shapely.box(x - half - SPARE, y - SPARE, x + half + SPARE, y + 2 * half + SPARE)
            if y + 2 * half + SPARE < door[1] and not any(own.intersects(block) for block in blocks):
                return Scene(given, (x, y))
    return Scene(given, None)


# ---------------------------------------------------------------------- everybody close together


def cells(
    rng: Random, across: int, up: int, wide: float, deep: float, margin: float = 0.0
) -> Iterator[tuple[str, list[float]]]:
    """A chequer of places a little off their middles, each with the side that holds it; some are left empty."""
    for row in range(up):
        for column in range(across):
            if rng.random() < 0.85:
                side = rng.choice(["red", "blue"]) if 0 < row < up - 1 else "red" if row == 0 else "blue"
                x, y = (column + 0.5 + rng.uniform(-0.05, 0.05)) * wide, (row + 0.5 + rng.uniform(-0.05, 0.05)) * deep
                yield side, [round(x + margin, 2), round(y + margin, 2)]


def nemesis_crowd(rng: Random) -> Given:
    man: dict[str, Any] = {"M": 10, "HC": 3, "F": 3, "R": 6, "HT": 4, "C": 5, "S": 1}
    bow = [{"name": "bow", "F": 3, "DT": 8, "P": 30}]
    cards = {
        "Man": man, "Bow": {**man, "ranged": bow}, "Ghost": {**man, "abilities": ["Ethereal"]},
        "Bat": {**man, "M": 8, "fly": 20}, "Spy": {**man, "abilities": ["Hidden"]},
        "Ogre": {**man, "size": 5, "keywords": ["frightening"]}, "Lord": {**man, "type": "hero", "S": 3, "PC": 3},
        "Bones": {**man, "keywords": ["skeleton"]},
        "Mage": {**man, "type": "mage", "CO": 6, "S": 3, "PC": 2},
    }  # fmt: skip
    units: dict[str, Any] = {}
    for number, (side, at) in enumerate(cells(rng, 5, 5, 10.5, 10.5, 4.0)):
        card = rng.choice(["Man", "Man", "Bow", "Ghost", "Bat", "Spy", "Ogre", "Lord", "Bones", "Mage"])
        alone = card in ("Ogre", "Lord", "Mage", "Spy")
        unit = {"side": side, "card": card, "at": at, "facing": rng.choice([0, 90, 180, 270])}
        unit |= {"count": 1 if alone else rng.randint(1, 4), "columns": 2, "spacing": 0.2}
        unit |= {"hidden": True} if card == "Spy" else {}
        unit |= {"spells": ["N.6", "C.8", "C.10"]} if card == "Mage" else {}
        units[f"u{number}"] = unit
    return {"phase": "start", "turn": 2, "table": {"width": 61, "height": 61}, "cards": cards, "units": units}


def ades_crowd(rng: Random) -> Given:
    stats = {"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "TIR": 3, "COU": 3, "DIS": 2}
    plain: dict[str, Any] = {"rank": 1, "val": 20, "stats": stats, "weapons": {"bow": "7/15"}}
    profiles = {"R": {"army": "Lion", **plain}, "B": {"army": "Hyène", **plain}}
    places = enumerate(cells(rng, 6, 6, 3.6, 3.6))
    fighters = {f"f{n}": {"side": s, "profile": s[0].upper(), "at": at} for n, (s, at) in places}
    return {"table": {"width": 22, "height": 22}, "profiles": profiles, "fighters": fighters}


def wh40k_crowd(rng: Random) -> Given:
    man = {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, "base": 25.4, "weapons": ["rifle", "knife"]}
    car = {"M": 10, "T": 8, "Sv": 5, "W": 3, "Ld": 7, "OC": 2, "hull": [60, 90]}
    arms = {"rifle": {"range": 24, "A": 2, "skill": 3, "S": 9, "AP": -2, "D": 2}}
    arms["knife"] = {"A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1}
    sheets: dict[str, Any] = {"Man": {"keywords": ["Infantry"], "models": {"Man": man}, "weapons": arms}}
    sheets["Man"]["composition"] = {"Man": [1, 10]}
    sheets["Car"] = {"keywords": ["Vehicle", "Transport"], "models": {"Car": car}, "capacity": 6}
    sheets["Car"]["carries"] = ["Infantry"]
    units: dict[str, Any] = {}
    for number, (side, at) in enumerate(cells(rng, 5, 4, 4.6, 4.6)):
        if rng.random() < 0.3:
            units[f"u{number}"] = {"side": side, "datasheet": "Car", "at": at, "facing": rng.choice([0, 90])}
            units[f"r{number}"] = {"side": side, "datasheet": "Man", "models": 3, "transport": f"u{number}"}
            continue
        x, y = at
        spots = [[x - 1.1, y], [x, y], [x + 1.1, y]][: rng.randint(1, 3)]
        units[f"u{number}"] = {"side": side, "datasheet": "Man", "models": len(spots), "at": spots}
    return {"table": {"width": 23, "height": 18.4}, "phase": "command", "datasheets": sheets, "units": units}


def t9a_crowd(rng: Random) -> Given:
    part = {"name": "man", "att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3}
    men = {"adv": 5, "mar": 10, "dis": 6, "hp": 1, "def": 3, "res": 3, "arm": 0, "base": "20x20", "parts": [part]}
    units: dict[str, Any] = {}
    for number, (side, at) in enumerate(cells(rng, 4, 5, 6.2, 5.6, 2.0)):
        unit = {"side": side, "profile": "Men", "models": rng.randint(4, 10), "files": 4, "front": at}
        units[f"u{number}"] = unit | {"facing": rng.choice([0, 0, 180, 180, 90])}
    return {
        "table": {"width": 29, "height": 32},
        "turn": 2,
        "phase": "charge",
        "profiles": {"Men": men},
        "units": units,
    }


def wfb3_crowd(rng: Random) -> Given:
    units: dict[str, Any] = {}
    for number, (side, at) in enumerate(cells(rng, 4, 5, 7.0, 6.6, 2.0)):
        unit = {"side": side, "creature": rng.choice(["Human", "Orc", "Goblin"]), "count": rng.randint(4, 10)}
        units[f"u{number}"] = unit | {"files": 4, "at": at, "facing": rng.choice([0, 180])}
    return {"table": {"width": 32, "height": 37}, "turn": 2, "phase": "start", "units": units}


CROWDS: dict[str, Callable[[Random], Given]] = {
    "nemesis": nemesis_crowd, "ades": ades_crowd, "wh40k": wh40k_crowd, "t9a": t9a_crowd, "wfb3": wfb3_crowd,
}  # fmt: skip

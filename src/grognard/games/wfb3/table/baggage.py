"""Chapters 17.1, 17.2: the baggage train: what it is made of, where it stands, who is in it."""

from __future__ import annotations

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap, overlap
from grognard.kernel.geometry.units import bearing, inches

Area = tuple[float, float, float, float]
#: wfb3:17.1-composition  How deep the area is, how long for the first thousand points and for each further one.
DEEP, LONG, MORE = 6.0, 6.0, 2.0
CIVILIANS = 5


def composition(battle: Battle | None, points: float) -> tuple[int, int, float, float]:
    """wfb3:17.1-composition  Wagons, civilians, and the two sides of the area, for an army of so many points.

    >>> composition(None, 1000), composition(None, 3400)[:3], composition(None, 999)[0]
    ((1, 5, 6.0, 6.0), (3, 15, 6.0), 0)
    """
    thousands = int(points // 1000)
    if battle is not None:
        battle.cite("wfb3:17.1-composition")
    if thousands < 1:
        return 0, 0, 0.0, 0.0
    return thousands, CIVILIANS * thousands, DEEP, LONG + MORE * (thousands - 1)


def outline(area: Area) -> Outline:
    x, y, w, h = area
    return Outline(((x, y), (x + w, y), (x + w, y + h), (x, y + h)))


def area_for(battle: Battle, seat: str, points: float, x: float) -> Area:
    """wfb3:17.2-deploy  The area with its long side along the player's own edge, its left end at x (mm)."""
    _, _, deep, long = composition(battle, points)
    south = battle.sides[seat].edge == "south"
    return x, 0.0 if south else battle.table.height - inches(deep), inches(long), inches(deep)


def within(battle: Battle, unit: Unit, seat: str) -> bool:
    """Whether a unit stands wholly within a side's train."""
    area = battle.sides[seat].train
    if area is None or unit.block is None:
        return False
    x, y, w, h = area
    return all(x - 1 <= px <= x + w + 1 and y - 1 <= py <= y + h + 1 for px, py in unit.block.boundary.corners)


def touches(battle: Battle, unit: Unit, seat: str) -> bool:
    """Whether any of a unit stands in a side's train."""
    area = battle.sides[seat].train
    return area is not None and unit.block is not None and overlap(unit.block.outline, outline(area))


def enter(battle: Battle, unit: Unit) -> None:
    """wfb3:17.2-garrison  Units that come to stand in their own train defend it; those that leave act as usual."""
    if battle.sides[unit.seat].train is None or unit.where != "table":
        unit.baggage = unit.baggage.but(defends="")
        return
    here = unit.seat if within(battle, unit, unit.seat) else ""
    if here != unit.baggage.defends:
        unit.baggage = unit.baggage.but(defends=here)
        battle.tell("baggage.garrison" if here else "baggage.left", "wfb3:17.2-garrison", (unit.id,))


def defenders(battle: Battle, seat: str) -> list[Unit]:
    """Who defends a side's train now."""
    return [u for u in battle.army(seat) if u.baggage.defends == seat and not u.rout.routed]


def reach(battle: Battle, unit: Unit, seat: str) -> float:
    """From a unit to an enemy's train (mm)."""
    area = battle.sides[seat].train
    assert area is not None
    return gap(battle.block_of(unit).outline, outline(area))


def sheltered(battle: Battle, unit: Unit) -> bool:
    """wfb3:17.2-deploy  Wagons and barricades protect whoever defends the train."""
    if not unit.baggage.defends:
        return False
    battle.cite("wfb3:17.2-deploy")
    return True


def line_up(battle: Battle, charger: Unit, target: Unit) -> None:
    """wfb3:17.3-defence  As it is attacked its defenders form up behind the barricade, facing the attackers.

    Ruling: along the side of the area nearest to the attackers, as wide as it has room for.
    """
    area = battle.sides[target.baggage.defends].train if target.baggage.defends else None
    if area is None or battle.engaged(target) or target.seat == charger.seat:
        return
    x, y, w, h = area
    cx, cy = battle.block_of(charger).centre
    sides = {
        0.0: ((x + w / 2, y + h), w, abs(cy - (y + h))), 180.0: ((x + w / 2, y), w, abs(cy - y)),
        90.0: ((x + w, y + h / 2), h, abs(cx - (x + w))), 270.0: ((x, y + h / 2), h, abs(cx - x)),
    }  # fmt: skip
    middle = (x + w / 2, y + h / 2)
    way = bearing(cx - middle[0], cy - middle[1])
    facing = min(sides, key=lambda f: abs((f - way + 180) % 360 - 180))
    front, span, _ = sides[facing]
    width = seating.troop_base(target).width
    files = max(1, min(len(target.models), int((span + EPS) // width)))
    block = seating.settle(battle, target, files).placed(front, facing)
    if ground.fits(battle, target, block):
        return
    battle.form(target, block)
    battle.tell("baggage.lines", "wfb3:17.3-defence", (target.id, charger.id))

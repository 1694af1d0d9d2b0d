"""wfb3:17.1, 17.2  The baggage train: what it is made of, where it stands, who is in it."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3 import seating
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import gap, overlap
from grognard.kernel.geometry.units import bearing, inches
from grognard.kernel.questions import Option, Pick, Script

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


def set_up(battle: Battle, seat: str, points: float, x: float, creature: str = "") -> None:
    """wfb3:17.2-civilians  The area, and civilians of the army's commonest race in it."""
    from grognard.games.wfb3 import cards, fielding

    wagons, people, _, _ = composition(battle, points)
    side = battle.sides[seat]
    side.train, side.train_state, side.train_wagons = area_for(battle, seat, points, x), "safe", wagons
    name = creature or majority(battle, seat)
    entry = {
        "name": f"{seat} civilians", "creature": name, "count": people, "weapons": ["improvised"],
        "traits": ["Civilians"],
    }  # fmt: skip
    unit = fielding.add_unit(battle, seat, f"{seat}-civilians", cards.recruit(entry, "baggage"))
    unit.defends, unit.price = seat, 0.0
    left, low, wide, high = side.train
    south = side.edge == "south"
    block = seating.settle(battle, unit, people)
    front = (left + wide / 2, low + high / 2)
    battle.form(unit, block.placed(front, 0.0 if south else 180.0))
    battle.cite("wfb3:17.2-civilians")
    battle.tell("baggage.placed", "wfb3:17.2-deploy", (seat,), wagons=wagons, civilians=people)


def majority(battle: Battle, seat: str) -> str:
    """wfb3:17.2-civilians  The commonest creature of an army; halflings where there are any and the player wants."""
    counts: dict[str, int] = {}
    for unit in battle.units.values():
        if unit.seat == seat and unit.kind != "character":
            counts[unit.profile.name] = counts.get(unit.profile.name, 0) + len(unit.models)
    return max(counts, key=lambda name: counts[name]) if counts else "Human"


def deploy(battle: Battle) -> Script[None]:
    """wfb3:17.2-deploy  Before all other troops; where both have one, the lower of two dice places first."""
    from grognard.games.wfb3 import combat

    owners = tuple(s for s in battle.seats if battle.sides[s].train_state == "wanted")
    if len(owners) == 2 and not battle.queue:
        high = yield from combat.roll_off(battle, owners, "baggage.first", "wfb3:17.2-deploy")
        battle.queue = tuple(reversed(high))
    for seat in battle.queue or owners:
        side = battle.sides[seat]
        if side.train_state != "wanted":
            continue
        _, _, _, long = composition(battle, side.points)
        last = int(battle.table.width / inches(1) - long)
        options = [Option(str(n), n, "option.baggage.place", data={"inches": n}) for n in range(last + 1)]
        left = yield Pick(seat, "baggage.place", options, rule="wfb3:17.2-deploy", checkpoint=True)
        races = ["", *(["Halfling"] if has_halflings(battle, seat) else [])]
        chosen = races[0]
        if len(races) > 1:
            names = [Option("majority", "", "option.civilians.majority"), Option("Halfling", "Halfling")]
            chosen = yield Pick(seat, "baggage.civilians", names, rule="wfb3:17.2-civilians")
        set_up(battle, seat, side.points, inches(left), chosen)
    battle.queue = ()


def has_halflings(battle: Battle, seat: str) -> bool:
    return any(u.seat == seat and u.profile.race == "halfling" for u in battle.units.values())


def given(battle: Battle, seat: str, said: Any, where: str) -> None:
    """A baggage train in a case: {points, x, civilians: creature, state}."""
    data = read.mapping(said, where, ("points", "x", "civilians", "state", "undefended"))
    points = read.number(data.get("points", 1000), f"{where}.points")
    if points < 1000:
        raise BadInput("{where}: only an army of 1000 points has a baggage train (wfb3:17.1-composition)", where=where)
    battle.sides[seat].points = points
    set_up(battle, seat, points, inches(read.number(data.get("x", 33), f"{where}.x")), str(data.get("civilians") or ""))
    battle.sides[seat].train_state = read.one_of(data.get("state", "safe"), f"{where}.state", ("safe", "pillaged"))
    gone = battle.sides[seat].train_state == "pillaged" or data.get("civilians") == 0
    if read.flag(data.get("undefended", gone), f"{where}.undefended"):
        battle.remove(battle.units[f"{seat}-civilians"], "fled")
    for unit in battle.here():
        enter(battle, unit)


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
        unit.defends = ""
        return
    here = unit.seat if within(battle, unit, unit.seat) else ""
    if here != unit.defends:
        unit.defends = here
        battle.tell("baggage.garrison" if here else "baggage.left", "wfb3:17.2-garrison", (unit.id,))


def defenders(battle: Battle, seat: str) -> list[Unit]:
    """Who defends a side's train now."""
    return [u for u in battle.army(seat) if u.defends == seat and not u.routed]


def reach(battle: Battle, unit: Unit, seat: str) -> float:
    """From a unit to an enemy's train (mm)."""
    area = battle.sides[seat].train
    assert area is not None
    return gap(battle.block_of(unit).outline, outline(area))


def sheltered(battle: Battle, unit: Unit) -> bool:
    """wfb3:17.2-deploy  Wagons and barricades protect whoever defends the train."""
    if not unit.defends:
        return False
    battle.cite("wfb3:17.2-deploy")
    return True


def line_up(battle: Battle, charger: Unit, target: Unit) -> None:
    """wfb3:17.3-defence  As it is attacked its defenders form up behind the barricade, facing the attackers.

    Ruling: along the side of the area nearest to the attackers, as wide as it has room for.
    """
    area = battle.sides[target.defends].train if target.defends else None
    if area is None or battle.engaged(target) or target.seat == charger.seat:
        return
    from grognard.games.wfb3 import ground

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

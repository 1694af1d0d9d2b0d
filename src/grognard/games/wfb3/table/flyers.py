"""Chapters 21.1, 21.2, 21.3: what flies: profiles of flight, levels of height, ranges up and down."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option
from grognard.kernel.words.tally import Tally

#: wfb3:21.2.3-levels  As many as anybody wants.
HIGHEST = 12
ATTACK = 1
#: wfb3:21.2.3-climb  Inches flown for every level gained or lost.
CLIMB, DIVE = 20.0, 10.0
#: wfb3:21.2.4-buildings  The storey each level from attack level upwards is as high as.
STOREYS = (1, 5, 10, 15, 20)


def name(height: int) -> str:
    """wfb3:21.2.3-levels  What a level is called.

    >>> [name(n) for n in range(4)]
    ['ground', 'attack', '+10', '+20']
    """
    return ("ground", "attack")[height] if height < 2 else f"+{10 * (height - 1)}"


HEIGHTS = {name(n): n for n in range(HIGHEST)}


def named(said: object) -> object:
    """A level as it was said; a bare +10 is a number where it was written without quotation marks.

    >>> [named(said) for said in (10, "+20", "attack", 15)]
    ['+10', '+20', 'attack', 15]
    """
    plain = isinstance(said, int) and not isinstance(said, bool) and f"+{said}" in HEIGHTS
    return f"+{said}" if plain else said


def storey(height: int) -> int:
    """wfb3:21.2.4-buildings  The storey a level is as high as; five more for every level beyond +40.

    >>> [storey(n) for n in (1, 2, 5, 6)]
    [1, 5, 20, 25]
    """
    place = max(0, height - 1)
    return STOREYS[place] if place < len(STOREYS) else STOREYS[-1] + 5 * (place - len(STOREYS) + 1)


def low_stretch(start: int, end: int, far: float) -> tuple[float, float] | None:
    """wfb3:21.2.3-climb, wfb3:21.4.1-overfly  From where to where (mm) of so long a flight it can be at attack level.

    A level is lost with every ten inches flown and gained with every twenty. Ruling: who dives does so at once, who
    climbs does so last, as suits him who means to attack.

    >>> [low_stretch(*flight) for flight in ((1, 1, 508.0), (2, 1, 508.0), (1, 3, 1016.0), (3, 2, 508.0))]
    [(0.0, 508.0), (254.0, 508.0), (0.0, 508.0), None]
    """
    if min(start, end) != ATTACK:
        return None
    low, high = inches(DIVE * (start - end)) if start > end else 0.0, far
    if end > start:
        high = far - inches(CLIMB * (end - start - 1))
    return (low, high) if low <= high else None


def levelled_off(start: int, end: int) -> float:
    """wfb3:21.2.3-climb  How far (mm) it must have flown to be on the level it means to reach."""
    return inches(DIVE * (start - end) if start > end else CLIMB * (end - start))


def flight(unit: Unit) -> tuple[int, int, int] | None:
    """wfb3:21.1-profile  Minimum speed, maximum speed, acceleration, of whatever carries the unit."""
    return (unit.mount or unit.profile).flight


def chargeable(battle: Battle, unit: Unit) -> bool:
    """wfb3:21.4.1-charge-flyers  Whether ground troops can charge a unit: flyers only low, where that is agreed."""
    return not unit.air.height or (unit.air.height == ATTACK and bool(battle.house["charge_flyers"]))


def hovers(unit: Unit) -> bool:
    """wfb3:21.1-stall  Minimum speed 0."""
    made = flight(unit)
    return made is not None and made[0] == 0


def slowest(unit: Unit) -> float:
    """wfb3:21.1-acceleration  The slowest it can fly this turn."""
    made = flight(unit)
    return max(0.0, unit.air.speed - 2 * made[2]) if made is not None else 0.0


def kinds(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:21.2-when, wfb3:21.2.3-hover, wfb3:21.4.5-break-off  What the airborne may do in the movement phase."""
    fly = Option("fly", "fly", "option.move.fly")
    if hovers(unit) and slowest(unit) <= 0:
        battle.cite("wfb3:21.2.3-hover")
        return [fly, Option("stand", "stand", "option.move.hover")], {}
    return [fly], {
        "stand": Refusal("refuse.fly.stall", "wfb3:21.1-stall", {"unit": unit.id}, ("wfb3:21.1-acceleration",))
    }


def offers(battle: Battle, unit: Unit) -> list[Option]:
    """wfb3:21.2.5-takeoff, wfb3:21.6-restock  What flyers may do on the ground besides walking."""
    if flight(unit) is None or unit.air.height:
        return []
    found = [Option("take-off", "take-off", "option.move.take-off")]
    if not unit.air.loaded:
        found.append(Option("gather", "gather", "option.move.gather"))
    return found


def gather(battle: Battle, unit: Unit) -> None:
    """wfb3:21.6-restock  On the ground a unit may gather things to drop, instead of moving."""
    unit.march = unit.march.but(done=True)
    unit.air = unit.air.but(loaded=True)
    battle.tell("fly.loaded", "wfb3:21.6-restock", (unit.id,))


def levels(unit: Unit) -> int:
    """wfb3:21.3.3-air-to-air  Levels above attack level; who flies at attack level counts as on the ground."""
    return max(0, unit.air.height - 1)


def farther(battle: Battle, unit: Unit, target: Unit) -> Tally:
    """wfb3:21.3.1-shoot-at, wfb3:21.3.2-flyer-shoots, wfb3:21.3.3-air-to-air
    Inches that heights add to the distance of a shot.
    """
    up, own = levels(target), levels(unit)
    tally = Tally(0, "height", "wfb3:21.2.3-levels")
    if not unit.air.height and not target.air.height:
        return tally
    if not own:
        return tally.add(10 * up, name(target.air.height), "wfb3:21.3.1-shoot-at")
    if not up:
        battle.cite("wfb3:21.3.2-flyer-shoots")
        return tally.add(10 * max(0, own - 2), name(unit.air.height), "wfb3:21.3.2-flyer-shoots")
    battle.cite("wfb3:21.3.3-air-to-air")
    if up >= own:
        return tally.add(10 * (up - own), "upwards", "wfb3:21.3.3-air-to-air")
    return tally.add(10 * max(0, own - up - 2), "downwards", "wfb3:21.3.3-air-to-air")


def added(battle: Battle, unit: Unit, target: Unit) -> float:
    """The same in millimetres, cited."""
    if not unit.air.height and not target.air.height:
        return 0.0
    tally = farther(battle, unit, target)
    battle.cite(*tally.rules)
    if target.air.height and not unit.air.height:
        battle.cite("wfb3:21.3.1-shoot-at")
    return inches(float(tally.value))


def reached(unit: Unit, other: Unit) -> bool:
    """Whether two units are near enough in height to touch: both on the ground, or on the same level."""
    return unit.air.height == other.air.height


def beyond(battle: Battle, unit: Unit) -> bool:
    """wfb3:21.3.1-machines  Whether a unit flies out of reach of cannon, mortars and catapults."""
    if not unit.air.height:
        return False
    battle.cite("wfb3:21.3.1-machines")
    return True

"""Chapters 20.2, 20.3, 20.4.2, 20.5, 20.11: chariots and wagons as things: team, type, speed, room, price."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import rect_base
from grognard.kernel.words.tally import Tally

#: wfb3:20.2-team  What teams of one to four creatures lose of their own Move.
SLOWER = {1: 3, 2: 2, 3: 1, 4: 0}
#: wfb3:20.2-team, 20.2-other-teams  The draught creatures of tournaments.
USUAL = ("Horse", "Warhorse", "Giant Wolf", "Boar")
#: wfb3:20.5-capacity  Places for creatures of human size.
ROOM = {"light": 2, "heavy": 4, "wagon": 8}
#: wfb3:20.5-capacity  Places a creature takes; everybody else takes one.
PLACES = {"halfling": 1 / 2, "snotling": 1 / 3, "ogre": 2.0}
#: wfb3:20.4.1-light-turn, 20.4-turning, 20.4.2-wagon  Radius of turns, in distances declared.
RADIUS = {"light": 0.5, "heavy": 1.0, "wagon": 2.0}
#: wfb3:20.6-impact  A fitted chariot has two.
SCYTHES = 2
KEYS = ("team", "beasts", "wheels", "scythes", "barding")


class Car(msgspec.Struct, frozen=True):
    """A chariot or wagon: what draws it, its wheels, its scythes, its type."""

    team: Profile
    beasts: int
    wheels: int
    scythes: bool
    barding: bool
    type: str  # light, heavy, wagon


def car_type(beasts: int, wheels: int, crew: int) -> str:
    """wfb3:20.3-types  By wheels, team and crew.

    Ruling: two-wheeled chariots that meet neither definition are heavy.

    >>> car_type(2, 2, 2), car_type(3, 2, 3), car_type(2, 2, 3), car_type(1, 4, 1)
    ('light', 'heavy', 'heavy', 'wagon')
    """
    if wheels >= 4:
        return "wagon"
    return "light" if beasts <= 2 and crew <= 2 else "heavy"


def read_car(said: Any, known: dict[str, Profile], crew: int, where: str) -> Car:
    data = read.mapping(said, where, KEYS)
    team = sheets.named(data.get("team"), known, where, "team", "wfb3:20.2-team")
    beasts = read.whole(data.get("beasts", 2), f"{where}.beasts")
    if beasts not in SLOWER:
        raise BadInput(
            "{where}: a team has one to four creatures, not {beasts} (wfb3:20.2-team)", where=where, beasts=beasts
        )
    wheels = read.whole(data.get("wheels", 2), f"{where}.wheels")
    made = car_type(beasts, wheels, crew)
    return Car(team, beasts, wheels, bool(data.get("scythes")), bool(data.get("barding")), made)


def crowding(profiles: Sequence[Profile]) -> float:
    """wfb3:20.5-capacity  Places taken by these."""
    return sum(PLACES.get(p.race, 1.0) for p in profiles)


def check_room(car: Car, crew: Sequence[Profile], where: str) -> None:
    """wfb3:20.5-capacity"""
    if crowding(crew) > ROOM[car.type] + 1e-6:
        raise BadInput(
            "{where}: a {type} holds {room} of human size (wfb3:20.5-capacity)",
            where=where,
            type=car.type,
            room=ROOM[car.type],
        )


def speed(car: Car, beasts: int) -> Tally:
    """wfb3:20.2-team, wfb3:20.4.2-wagon
    Inches of a move: the creature's less what a small team loses, wagons two less."""
    tally = Tally(car.team.M, "M", "wfb3:3-profile")
    tally.add(-SLOWER[max(1, min(4, beasts))], "team", "wfb3:20.2-team")
    if car.type == "wagon":
        tally.add(-2, "wagon", "wfb3:20.4.2-wagon")
    return tally.at_least(0, "least", "wfb3:20.2-team")


def body(car: Car, crew: Sequence[Profile], name: str) -> Profile:
    """The chariot as one thing on the table; its base is 25 mm wide for every draught creature (wfb3:20.1-units)."""
    best = max(crew, key=lambda p: p.WS)
    base = rect_base(25.0 * max(1, car.beasts), 75.0 if car.type != "wagon" else 100.0)
    pace = float(speed(car, car.beasts).value)
    return msgspec.structs.replace(
        best, name=name, M=pace, base=base, attacks=(), large=False, W=1, rides="", flight=None, save=7
    )


def price(car: Car, crew: float, team: float) -> Tally:
    """wfb3:20.11-cost  Crew and team, twice; scythes on top.

    Ruling: barding costs what it costs a mount, before the doubling.
    """
    rule = "wfb3:20.11-cost"
    tally = Tally(crew, "crew", rule).add(team, "team", rule)
    if car.barding:
        tally.add(4.0 * car.beasts, "barding", "wfb3:24.2-armour-prices")
    tally.times(2, "chariot", rule)
    if car.scythes:
        tally.add(20, "scythes", rule)
    up = float(math.ceil(tally.value - 1e-9))
    return tally if up == tally.value else tally.set(up, "rounded", rule)


def same_gear(kits: Sequence[Kit]) -> bool:
    """wfb3:20.5-crew-gear  All crew wear the same armour; the driver may go without the others' shield."""
    return len({k.armour for k in kits}) <= 1 and len({k.shield for k in kits[1:]}) <= 1

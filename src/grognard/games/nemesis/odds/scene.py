"""Tables for odds: a `given` as cases write it, or one laid out from plain numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grognard.games.nemesis.army.cards import find_card, read_cards
from grognard.games.nemesis.army.profiles import BASE_BY_SIZE
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.cases import given
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.house import HOUSE_RULES
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.ruleset import agreed

Arguments = Mapping[str, Any]

#: Whoever is not described is an ordinary trooper with an ordinary bow.
TROOPER = {"M": 10, "HC": 3, "F": 3, "R": 6, "HT": 3, "C": 6, "S": 1}
BOW = {"name": "bow", "F": 3, "DT": 9, "P": 40}
#: The first model of odds stands here, in cm, on a table large enough for any range.
SPOT = (150.0, 150.0)
TABLE = {"width": 300, "height": 300}
#: A hair of room between bases that touch, in cm: touching, not overlapping.
KISS = 0.0005


def house_of(arguments: Arguments) -> dict[str, Any]:
    """nemesis:1  The house rules of the question, the others as ruled."""
    return agreed("nemesis", HOUSE_RULES, arguments.get("house") or {})


def create(arguments: Arguments, plan: dict[str, Any]) -> Battle:
    """The battle of a laid out table."""
    return given.create({"table": TABLE, "scenario": "for-miter", **plan}, house_of(arguments))


def given_battle(arguments: Arguments) -> Battle | None:
    """The battle of a case's `given`, if the question comes with one."""
    if arguments.get("given") is None:
        return None
    return given.create(arguments["given"], house_of(arguments))


def profile(arguments: Arguments, card: str, changes: Mapping[str, str], abilities: str) -> dict[str, Any]:
    """A card as plain data: the one named by argument `card`, or a trooper, with the arguments' changes.

    `changes` maps a field of the card to the argument that sets it.
    """
    name = arguments.get(card)
    found: dict[str, Any] = dict(TROOPER)
    if name is not None:
        inline = read_cards(arguments.get("cards") or {}, "cards")
        found = msgspec.to_builtins(find_card(name, inline, card))
        del found["name"]
    for key, argument in changes.items():
        if arguments.get(argument) is not None:
            found[key] = arguments[argument]
    more = [str(text) for text in arguments.get(abilities) or ()]
    found["abilities"] = [*found.get("abilities", ()), *more]
    return found


def armed(found: dict[str, Any], arguments: Arguments) -> dict[str, Any]:
    """nemesis:17.1-weapon  A card with a ranged weapon: its first one, or a bow, with the arguments' F, DT and P."""
    weapons = list(found.get("ranged") or [BOW])
    wanted = arguments.get("weapon")
    chosen = next((w for w in weapons if w["name"] == wanted), None) if wanted else weapons[0]
    if chosen is None:
        known = ", ".join(weapon["name"] for weapon in weapons)
        raise BadInput("there is no weapon {name}; there are {known}", name=wanted, known=known)
    numbers = {key: arguments[key] for key in ("F", "DT", "P") if arguments.get(key) is not None}
    return found | {"ranged": [{**chosen, **numbers}]}


def reach(found: Mapping[str, Any]) -> float:
    """nemesis:X.3-base-size  The radius of a card's base in cm."""
    size = found.get("size", 2)
    if size not in BASE_BY_SIZE:
        raise BadInput("size is a whole number from 1 to 6, not {size} (nemesis:5.3)", size=size)
    return float(found.get("base") or BASE_BY_SIZE[size]) / 2 / MM_PER_CM


def ring(centre: tuple[float, float], inner: float, outer: float, count: int) -> list[tuple[float, float]]:
    """Places in base contact round a base, evenly spread; as many as there is room for."""
    far = inner + outer + KISS
    room = max(1, int(math.pi / math.asin(min(1.0, (outer + KISS) / far))))
    number = min(count, room)
    return [
        (centre[0] + far * math.sin(math.tau * i / number), centre[1] - far * math.cos(math.tau * i / number))
        for i in range(number)
    ]


def shares(count: int, among: int) -> list[int]:
    """So many dealt out as evenly as can be.

    >>> shares(5, 3)
    [2, 2, 1]
    """
    return [count // among + (place < count % among) for place in range(among)]


# ---------------------------------------------------------------------- who is meant


def unit_named(battle: Battle, arguments: Arguments, name: str) -> Unit:
    """The unit an argument names, by its id or by one of its models."""
    wanted = arguments.get(name)
    if wanted in battle.units:
        return battle.units[str(wanted)]
    if wanted in battle.models:
        return battle.unit_of(battle.models[str(wanted)])
    known = ", ".join(battle.units)
    raise BadInput("{name} names one of {known}, not {value}", name=name, known=known, value=wanted)


def opponents(battle: Battle, arguments: Arguments) -> tuple[Unit, Unit]:
    """The unit that acts and the one it acts on, of another side."""
    unit, target = unit_named(battle, arguments, "from"), unit_named(battle, arguments, "to")
    if unit.seat == target.seat:
        known = ", ".join(key for key, other in battle.units.items() if other.seat != unit.seat)
        raise BadInput("{name} names one of {known}, not {value}", name="to", known=known, value=target.id)
    return unit, target


def models_named(battle: Battle, arguments: Arguments, name: str) -> list[Model]:
    """The models an argument names: one, or all of a unit."""
    wanted = arguments.get(name)
    if wanted in battle.models and wanted not in battle.units:
        return [battle.models[str(wanted)]]
    return battle.standing(unit_named(battle, arguments, name))


def rows(places: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """Models of a `given` unit at these places."""
    return [{"at": [x, y]} for x, y in places]

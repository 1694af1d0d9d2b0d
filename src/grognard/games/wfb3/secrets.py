"""wfb3:15.2-hidden, 15.9-hidden, 14.8.1-second-radius  What one side knows and the other does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grognard.games.wfb3 import assassins, baggage, lurking, rooms
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.questions import Roll, Script
from grognard.kernel.views import facts

#: What only a unit's own side knows of it.
OWN = ("weres", "were_form", "second_radius", "hides")


def hidden(battle: Battle, unit: Unit, seat: str | None) -> bool:
    """Whether a seat does not know that a unit is there at all."""
    return unit.where in ("hidden", "absent") and seat is not None and seat != unit.seat


def own(battle: Battle, unit: Unit, seat: str | None) -> dict[str, Any]:
    """What a unit's own side knows of it besides."""
    if seat is None or seat == unit.seat:
        return facts(unit, OWN)
    known = facts(unit, ("weres", "were_form")) if unit.were_known else {}
    return known | ({"where": "undeployed"} if unit.where == "held" else {})


def unknown(battle: Battle, seat: str | None) -> set[str]:
    """The ids of units and models a seat does not know of."""
    gone = {u.id for u in battle.units.values() if hidden(battle, u, seat)}
    return gone | {m.id for m in battle.models.values() if m.home in gone}


def anything(battle: Battle) -> bool:
    """Whether anybody hides something just now."""
    return any(_hides(u) or (u.second_radius and u.where != "destroyed") for u in battle.units.values())


def known(battle: Battle, seat: str | None) -> Battle:
    """The battle so far as a seat knows who is where: itself, unless the enemy hides somebody."""
    if seat is None or not any(u.seat != seat and _hides(u) for u in battle.units.values()):
        return battle
    return imagine(battle.copy(), seat)


def _hides(unit: Unit) -> bool:
    lurks = unit.where == "building" and not unit.revealed
    return lurks or unit.where == "hidden" or (unit.weres > 0 and not unit.were_known)


def imagine(
    battle: Battle, seat: str, now: Battle | None = None, reach: int = 7, *, indoors: bool = True
) -> Battle:  # fmt: skip
    """The battle as a seat may take it to be: nobody hides among the enemy, and his seconds reach seven inches.

    But for those who have shown themselves since, by the battle as it is `now`; seconds may have another `reach`, and
    hidden troops may be left where they are in their buildings.
    """
    later = (now or battle).units
    for side in battle.sides.values():
        if side.id != seat and not battle.scout:
            side.advance = ()
        side.reserves = tuple(f for f in side.reserves if side.id == seat or f.arrived)
    for unit in battle.units.values():
        if unit.seat == seat:
            continue
        if unit.where == "held":
            unit.where = "undeployed"
        if not later[unit.id].were_known:
            unit.weres, unit.were_form = 0, ""
        if unit.where == "hidden" and later[unit.id].where in ("hidden", "absent"):
            unit.where, unit.hides = "absent", ""
        if unit.second_radius:
            unit.second_radius = reach
    hidden = [u for u in rooms.inside(battle) if u.seat != seat and not (u.revealed or later[u.id].revealed)]
    if indoors:
        lurking.somewhere(battle, hidden)
    return battle


def guesses(battle: Battle, seat: str, now: Battle) -> Iterator[Battle]:
    """wfb3:15.2-hidden, 15.9-hidden, 14.8.1-second-radius  How the battle may have been a while ago.

    Who has shown himself since was there; seconds reach seven inches, unless a test since then says otherwise. While
    hidden troops are being moved about indoors only the truth fits.
    """
    seconds = any(u.second_radius and u.seat != seat for u in battle.units.values())
    for indoors in (True, False):
        for reach in (7, 6, 8, 5, 9, 4, 10, 3, 11, 2, 12) if seconds else (7,):
            yield imagine(battle.copy(), seat, now, reach, indoors=indoors)


def before_deployment(battle: Battle) -> Script[None]:
    """wfb3:17.2-deploy, 15.2-hidden, 14.8.1-second-radius  Trains placed, assassins hidden, seconds' reach rolled."""
    yield from baggage.deploy(battle)
    yield from assassins.assign(battle)
    for unit in battle.units.values():
        if unit.second and not unit.second_radius:
            faces = yield Roll(unit.seat, "second.radius", 6, 2, rule="wfb3:14.8.1-second-radius", about=(unit.id,))
            unit.second_radius = sum(faces)
            battle.cite("wfb3:14.8.1-seconds")

"""wfb3:15.2-hidden, wfb3:15.9-hidden, wfb3:14.8.1-second-radius  What one side knows and the other does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Side, Unit
from grognard.games.wfb3.table import hidden_indoors, sections
from grognard.games.wfb3.troops import assassins
from grognard.kernel.ruleset import SECRET
from grognard.kernel.state import records


def hidden(battle: Battle, unit: Unit, seat: str | None) -> bool:
    """Whether a seat does not know that a unit is there at all."""
    return seat is not None and seat != unit.seat and (unit.where == "absent" or lurks(battle, unit))


def lurks(battle: Battle, unit: Unit) -> bool:
    """wfb3:15.2-hidden  Whether an assassin hides in a unit, or will before anybody is deployed."""
    if unit.where != "undeployed":
        return unit.where == "hidden"
    model = battle.models.get(unit.id)
    return model is not None and model.hero.assassin and bool(assassins.hosts(battle, unit))


def price(battle: Battle, side: Side, seat: str | None) -> float:
    """wfb3:24-points  What an army costs as far as a seat knows: without those who hide, and without hidden weres."""
    if seat is None or seat == side.id or battle.outcome:
        return side.points
    unseen = (cost for key, cost in side.veiled if _veiled(battle, battle.units[key], seat))
    return side.points - sum(unseen)


def _veiled(battle: Battle, unit: Unit, seat: str) -> bool:
    model = battle.models.get(unit.id)
    if model is not None and model.hero.assassin:
        return hidden(battle, unit, seat)
    return not unit.troops.were_known


def own(battle: Battle, unit: Unit, seat: str | None) -> dict[str, Any]:
    """What a unit's own side knows of it besides."""
    if seat is None or seat == unit.seat:
        return records.seen(unit, own=True)
    known = {"weres": unit.troops.weres, "were_form": unit.troops.were_form} if unit.troops.were_known else {}
    return known | ({"where": "undeployed"} if unit.where == "held" else {})


def unknown(battle: Battle, seat: str | None) -> set[str]:
    """The ids of units and models a seat does not know of."""
    gone = {u.id for u in battle.units.values() if hidden(battle, u, seat)}
    return gone | {m.id for m in battle.models.values() if m.home in gone}


def anything(battle: Battle) -> bool:
    """Whether anybody hides something just now."""
    return any(
        _hides(battle, u) or (u.character.second_radius and u.where != "destroyed") for u in battle.units.values()
    )


def known(battle: Battle, seat: str | None) -> Battle:
    """The battle so far as a seat knows who is where: itself, unless the enemy hides somebody."""
    if seat is None or not any(u.seat != seat and _hides(battle, u) for u in battle.units.values()):
        return battle
    return imagine(battle.copy(), seat)


def _hides(battle: Battle, unit: Unit) -> bool:
    indoors = unit.where == "building" and not unit.indoors.revealed
    return indoors or lurks(battle, unit) or (unit.troops.weres > 0 and not unit.troops.were_known)


def imagine(
    battle: Battle, seat: str, now: Battle | None = None, reach: int = 7, *, indoors: bool = True
) -> Battle:  # fmt: skip
    """The battle as a seat may take it to be: nobody hides among the enemy, and his seconds reach seven inches.

    But for those who have shown themselves since, by the battle as it is `now`; seconds may have another `reach`, and
    hidden troops may be left where they are in their buildings.
    """
    later = (now or battle).units
    unseen = [u for u in battle.units.values() if lurks(battle, u) and hidden(now or battle, later[u.id], seat)]
    for side in battle.sides.values():
        if side.id != seat and not battle.vanguard.scout:
            side.advance = ()
        side.reserves = tuple(f for f in side.reserves if side.id == seat or f.arrived)
    for unit in battle.units.values():
        if unit.seat == seat:
            continue
        if unit.where == "held":
            unit.where = "undeployed"
        if not later[unit.id].troops.were_known:
            unit.troops = unit.troops.but(weres=0, were_form="")
        if unit in unseen:
            unit.where = "absent"
            unit.troops = unit.troops.but(hides="")
        if unit.character.second_radius:
            unit.character = unit.character.but(second_radius=reach)
    within = [
        u
        for u in sections.inside(battle)
        if u.seat != seat and not (u.indoors.revealed or later[u.id].indoors.revealed)
    ]
    if indoors:
        hidden_indoors.somewhere(battle, within)
    return battle


def guesses(battle: Battle, seat: str, now: Battle) -> Iterator[Battle]:
    """wfb3:15.2-hidden, wfb3:15.9-hidden, wfb3:14.8.1-second-radius  How the battle may have been a while ago.

    Who has shown himself since was there; seconds reach seven inches, unless a test since then says otherwise. While
    hidden troops are being moved about indoors only the truth fits.
    """
    seconds = any(u.character.second_radius and u.seat != seat for u in battle.units.values())
    for indoors in (True, False):
        for reach in (7, 6, 8, 5, 9, 4, 10, 3, 11, 2, 12) if seconds else (7,):
            yield imagine(battle.copy(), seat, now, reach, indoors=indoors)


def setup_for(setup: dict[str, Any], seats: Sequence[str], seat: str) -> dict[str, Any]:
    """wfb3:15.2-hidden, wfb3:15.9-hidden  Only one's own army list: others' tell of assassins and weres."""
    if "given" in setup:
        return {"given": SECRET}
    lists = zip(seats, setup["armies"], strict=False)
    return setup | {"armies": [army if owner == seat else SECRET for owner, army in lists]}


def doubts(battle: Battle, seat: str) -> Iterator[Battle]:
    """wfb3:14.8.1-second-radius  The enemy's seconds may reach from two to twelve inches."""
    if any(u.character.second_radius and u.seat != seat for u in battle.units.values()):
        for reach in range(2, 13):
            other = battle.copy()
            for unit in other.units.values():
                if unit.character.second_radius and unit.seat != seat:
                    unit.character = unit.character.but(second_radius=reach)
            yield other

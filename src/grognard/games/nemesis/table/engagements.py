"""nemesis:19-contact  Which units are in combat with which, since when, and whether they fight this turn.

`battle.joined` holds a pair of units from the turn their bases first touched. It is brought up to date when the
combat phase opens, so that its results still know who fought whom after the losses are gone.
"""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.kernel.citing import cites

CONTACT = "nemesis:19-contact"


def pair(a: Unit, b: Unit) -> tuple[str, str]:
    """Two units in the order the battle files them."""
    return (a.id, b.id) if a.id < b.id else (b.id, a.id)


@cites
def note_contact(battle: Battle, a: Unit, b: Unit) -> None:
    """nemesis:19-contact  Two units have come into base contact."""
    battle.joined.setdefault(pair(a, b), battle.turn)


def part(battle: Battle) -> None:
    """Forget the combats of units that no longer touch, and with them the fear they were fought in."""
    touching = [pair(unit, enemy) for unit in battle.units.values() for enemy in battle.opponents(unit)]
    battle.joined = {key: turn for key, turn in battle.joined.items() if key in touching}
    for unit in battle.units.values():
        if unit.shaken and not _still_afraid(battle, unit):
            unit.shaken, unit.shaken_by = False, ()
            battle.cite("nemesis:22.1-charged")


def _still_afraid(battle: Battle, unit: Unit) -> bool:
    """nemesis:22.1-charged  Whether the combat with those who shook a unit lasts."""
    if not unit.shaken_by:
        return battle.engaged(unit)
    return any(other in unit.shaken_by for other in rivals(battle, unit))


def record(battle: Battle) -> None:
    """The combats of this turn, as the combat phase finds them."""
    for unit in battle.units.values():
        for enemy in battle.opponents(unit):
            note_contact(battle, unit, enemy)
    part(battle)


def rivals(battle: Battle, unit: Unit) -> list[str]:
    """Ids of the units this one is, or this turn was, in combat with."""
    return [a if b == unit.id else b for a, b in battle.joined if unit.id in (a, b)]


def groups(battle: Battle) -> list[list[str]]:
    """Combats as groups of unit ids, each connected by contacts."""
    found: list[list[str]] = []
    left = list(dict.fromkeys(key for both in battle.joined for key in both))
    while left:
        group = [left.pop(0)]
        for key in group:
            near = [other for other in rivals(battle, battle.units[key]) if other in left]
            group.extend(near)
            left = [other for other in left if other not in near]
        found.append(group)
    return found


def fresh(battle: Battle, unit: Unit) -> list[str]:
    """nemesis:18-banned-same-turn  The rivals whose combat with this unit was joined this very turn."""
    return [other for other in rivals(battle, unit) if battle.joined[pair(unit, battle.units[other])] == battle.turn]


def deferred(battle: Battle, a: Unit, b: Unit) -> bool:
    """nemesis:18-caught  Whether these two fight only next turn, because one has just caught the other."""
    soon = battle.turn + 1
    return any(one.pursuit_turn == soon and other.no_disengage_turn == soon for one, other in ((a, b), (b, a)))

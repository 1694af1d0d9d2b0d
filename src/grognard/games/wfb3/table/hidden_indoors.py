"""wfb3:22.1.2-notes  Troops hidden in buildings: what their enemy knows, suspects, and runs into."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.pieces import Room
from grognard.games.wfb3.table import sections


def notice(battle: Battle) -> None:
    """wfb3:22.1.2-notes  Hidden troops are hidden no longer from enemies in a section/level beside theirs.

    Ruling: both then know where the other is, and so does everybody.
    """
    for unit in sections.inside(battle, battle.seats[0]):
        near = {n.id for key, _ in unit.indoors.rooms for n in sections.neighbours(battle, battle.rooms[key])}
        near.update(key for key, _ in unit.indoors.rooms)
        for foe in sections.inside(battle, battle.seats[1]):
            if any(key in near for key, _ in foe.indoors.rooms):
                unit.indoors = unit.indoors.but(revealed=True)
                foe.indoors = foe.indoors.but(revealed=True)


def suspected(battle: Battle, room: Room, seat: str) -> bool:
    """wfb3:22.1.2-notes  Whether enemies are known to be in a section/level, or hidden ones may be for all one sees."""
    foes = sections.inside(battle, battle.other(seat))
    if any(key == room.id for u in foes if u.indoors.revealed for key, _ in u.indoors.rooms):
        return True
    return any(
        key in sections.steps(battle, room.id) for u in foes if not u.indoors.revealed for key, _ in u.indoors.rooms
    )


def somewhere(battle: Battle, hidden: Sequence[Unit]) -> None:
    """wfb3:22.1.2-notes  Hidden troops in a building are taken to be in its first section/levels that have room.

    Never beside enemies, who would have noticed them.
    """
    starts = {
        u.id: next((k for k in battle.rooms if k in sections.steps(battle, u.indoors.rooms[0][0])), "") for u in hidden
    }
    truth = {u.id: u.indoors.rooms for u in hidden}
    for unit in hidden:
        unit.indoors = unit.indoors.but(rooms=())
    for unit in hidden:
        held: dict[str, list[str]] = {}
        left, queue, seen = list(unit.models), [starts[unit.id]], {starts[unit.id]}
        while queue and left:
            room = battle.rooms[queue.pop(0)]
            beside = sections.neighbours(battle, room)
            free = sections.space(battle, room, unit.seat)
            if room.standing and free and not any(_hostile(battle, r.id, unit.seat) for r in (room, *beside)):
                held[room.id], left = left[:free], left[free:]
            for other in beside:
                if other.id not in seen:
                    seen.add(other.id)
                    queue.append(other.id)
        sections.put(unit, held)
        if left or not sections.connected(battle, list(held)):
            unit.indoors = unit.indoors.but(rooms=truth[unit.id])


def _hostile(battle: Battle, room: str, seat: str) -> bool:
    return any(True for _ in sections.held(battle, room, battle.other(seat)))

"""t9a:11.E.a  The Charge Range roll as a step over plain numbers, and what whoever declares or suffers a charge should
know of it: how far there is to go, and the chance that the dice suffice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from grognard.games.t9a import amounts, declaring, stats, terrain
from grognard.games.t9a.amounts import Amount
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Note, Roll, Script
from grognard.kernel.weigh import Weigher

TWO_DICE = Amount(2, 6, 0)
#: t9a:21.C.a.1  With a Champion the dice count at least so much.
LED = 4


def roll(
    seat: str, swing: int, led: bool, enough: int | None, about: Sequence[str] = ()
) -> Script[tuple[int, tuple[int, ...]]]:
    """t9a:11.E.a, 20.B.c-downhill, 21.C.a.1  What 2D6 count, and their faces; who charges downhill rolls again if they
    are not `enough`.
    """
    total, faces = yield from amounts.roll(seat, "charge.range", TWO_DICE, "t9a:11.E.a", about, swing=swing)
    if enough is not None and _counted(total, led) < enough:
        dice = 2 + abs(swing)
        again = yield Roll(seat, "charge.range.again", 6, dice, rule="t9a:20.B.c-downhill", about=about[:1], drop=swing)
        faces = amounts.kept(again, swing) if swing else again
        total = sum(faces)
    return _counted(total, led), faces


def _counted(total: int, led: bool) -> int:
    return max(total, LED) if led else total


def needed(battle: Battle, unit: Unit, target: Unit, flying: bool) -> int:
    """t9a:11.E.a  What the dice must come to for the unit's Charge Range to reach its target."""
    rate = declaring.charge_rate(battle, unit, flying)
    return math.ceil(round((battle.gap(unit, target) - EPS) / inches(1) - rate, 9))


def downhill(battle: Battle, unit: Unit, target: Unit) -> bool:
    """t9a:20.B.c-downhill  More than half of the chargers on a Hill, more than half of the charged off it."""
    if not terrain.partly_in(battle, unit, "hill"):
        return False
    battle.cite("t9a:20.B.c-downhill")
    return terrain.mostly_in(battle, unit, "hill") is not None and terrain.mostly_in(battle, target, "hill") is None


def note(battle: Battle, unit: Unit, target: Unit, flying: bool) -> Note:
    """How far away the target is, what the dice must make and how likely that is; nothing that is hidden is used
    (t9a:8.E.a).
    """
    if battle.house["hidden_lists"]:
        battle = battle.copy()
        unit, target = battle.units[unit.id], battle.units[target.id]
    need, swing = needed(battle, unit, target, flying), stats.swing(battle, unit, "Charge Range")
    chance = _chance(need, swing, bool(unit.champion), downhill(battle, unit, target))
    facts = {
        "far": round(battle.gap(unit, target) / inches(1), 1),
        "rate": declaring.charge_rate(battle, unit, flying),
        "need": max(need, 0),
        "chance": f"{round(100 * chance)} %",
    }
    return Note("note.charge", facts, "t9a:11.E.a")


@lru_cache(maxsize=1024)
def _chance(need: int, swing: int, led: bool, again: bool) -> float:
    made = Weigher().run(lambda: roll("", swing, led, need if again else None))
    return float(made.chance(lambda outcome: outcome[0] >= need))

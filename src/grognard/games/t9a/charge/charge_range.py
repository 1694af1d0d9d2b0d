"""t9a:11.E.a  The Charge Range: the rate, the roll as a step over plain numbers, and what whoever declares or suffers a
charge should know of it: how far there is to go, and the chance that the dice suffice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import dice, stats
from grognard.games.t9a.table import terrain
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import inches
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Note, Roll, Script
from grognard.kernel.words.tally import Tally

#: t9a:21.C.a.1  With a Champion the dice count at least so much.
LED = 4


def roll(
    seat: str, swing: int, led: bool, enough: int | None, about: Sequence[str] = ()
) -> Script[tuple[int, tuple[int, ...]]]:
    """t9a:11.E.a, t9a:20.B.c-downhill, t9a:21.C.a.1
    What 2D6 count, and their faces; who charges downhill rolls again if they
    are not `enough`.
    """
    total, faces = yield from dice.step(seat, "charge.range", dice.TWO_DICE, "t9a:11.E.a", about, swing=swing)
    if enough is not None and _counted(total, led) < enough:
        more = 2 + abs(swing)
        again = yield Roll(seat, "charge.range.again", 6, more, rule="t9a:20.B.c-downhill", about=about[:1], drop=swing)
        faces = dice.kept(again, swing) if swing else again
        total = sum(faces)
    return _counted(total, led), faces


def _counted(total: int, led: bool) -> int:
    return max(total, LED) if led else total


def needed(battle: Battle, unit: Unit, target: Unit, flying: bool) -> int:
    """t9a:11.E.a  What the dice must come to for the unit's Charge Range to reach its target."""
    rate = charge_rate(battle, unit, flying)
    return math.ceil(round((battle.gap(unit, target) - EPS) / inches(1) - rate, 9))


def downhill(battle: Battle, unit: Unit, target: Unit) -> bool:
    """t9a:20.B.c-downhill  More than half of the chargers on a Hill, more than half of the charged off it."""
    if not terrain.partly_in(battle, unit, "hill"):
        return False
    battle.cite("t9a:20.B.c-downhill")
    return terrain.mostly_in(battle, unit, "hill") is not None and terrain.mostly_off(battle, target, "hill")


def note(battle: Battle, unit: Unit, target: Unit, flying: bool) -> Note:
    """How far away the target is, what the dice must make and how likely that is; nothing that is hidden is used
    (t9a:8.E.a).
    """
    if battle.house["hidden_lists"]:
        battle = battle.copy()
        unit, target = battle.units[unit.id], battle.units[target.id]
    need, swing = needed(battle, unit, target, flying), stats.swing(battle, unit, "Charge Range")
    likely = chance(need, swing, bool(unit.command.champion), downhill(battle, unit, target))
    facts = {
        "far": round(battle.gap(unit, target) / inches(1), 1),
        "rate": charge_rate(battle, unit, flying),
        "need": max(need, 0),
        "chance": f"{round(100 * likely)} %",
    }
    return Note("note.charge", facts, "t9a:11.E.a")


@lru_cache(maxsize=1024)
def chance(need: int, swing: int, led: bool, again: bool = False) -> float:
    """t9a:11.E.a  How likely the dice come to so much."""
    made = Weigher().run(lambda: roll("", swing, led, need if again else None))
    return float(made.chance(lambda outcome: outcome[0] >= need))


def reach(battle: Battle, unit: Unit, flying: bool) -> float:
    """t9a:11.B-range, t9a:21.A.b.15-ms  The furthest a unit could charge, in inches: its Advance Rate and 12."""
    return charge_rate(battle, unit, flying) + 12.0


def charge_rate(battle: Battle, unit: Unit, flying: bool) -> float:
    """A charging unit's Advance Rate in inches."""
    return float(charge_account(battle, unit, flying).value)


@cites
def charge_account(battle: Battle, unit: Unit, flying: bool) -> Tally:
    """t9a:11.E.a
    A charging unit's Advance Rate, the lowest of its models; Devastating Charge may add to that of its bearer
    (t9a:21.G.b.12)."""
    rates = [
        stats.rate(battle, unit, "adv", flying=flying, pool=pool).add(
            _devastating(battle, pool), "Devastating Charge", "t9a:21.G.b.12"
        )
        for pool in battle.pools(unit)
    ]
    return min(rates, key=lambda rate: rate.value)


def _devastating(battle: Battle, pool: str) -> int:
    """t9a:21.G.b.12  Inches a Devastating Charge adds: all of one part's, printed or granted, the best part's."""
    effects = battle.effects(pool)
    given = [t for e in effects for text in e.traits if text.startswith("Devastating") for t in parse(text)]
    best = 0
    for part in battle.pool_profile(pool).parts:
        if not given and not part.has("devastating-charge"):
            continue
        mine = [t for t in (*part.traits, *given) if t.key == "devastating-charge"]
        best = max(best, sum(_plus(a, "adv") for t in mine for a in t.args))
    if best:
        battle.cite("t9a:21.G.b.12")
    return best


def _plus(word: str, stat: str) -> int:
    parts = word.replace('"', "").split()
    return int(parts[0]) if len(parts) == 2 and parts[1].casefold() == stat and parts[0].lstrip("+-").isdigit() else 0


@cites
def far_enough(battle: Battle, target: Unit, charger: Unit) -> bool:
    """t9a:11.C.b-distance  At least the charger's Advance Rate away, with what its charge adds to it."""
    rate = charge_rate(battle, charger, charger.charge.flying)
    return battle.gap(target, charger) >= inches(rate) - EPS


def range_rolled(battle: Battle, unit: Unit) -> float:
    return charge_rate(battle, unit, unit.charge.flying) + unit.charge.total


def _reaches(battle: Battle, unit: Unit, target: Unit) -> bool:
    return inches(range_rolled(battle, unit)) + EPS >= battle.gap(unit, target)


def in_range(battle: Battle, unit: Unit, target: Unit) -> bool:
    """t9a:11.E.a  The roll reaches the target; its distance is measured now."""
    return target.where == "table" and _reaches(battle, unit, target)

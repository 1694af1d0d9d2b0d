"""t9a:5.A.a, t9a:21.A.b.30  How far units march, and how far those with Random Movement go."""

from __future__ import annotations

from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.rolls.dice import TWO_DICE
from grognard.kernel.data.amounts import Amount
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option


def distance_of(battle: Battle, unit: Unit, usual: Amount = TWO_DICE) -> Amount:
    """t9a:21.A.b.30  What a unit with Random Movement rolls instead of 2D6."""
    found = [amount(t.value) for p in battle.pools(unit) for t in battle.traits(p, "random-movement")]
    if found:
        battle.cite("t9a:21.A.b.30", *(["t9a:21.A.b.30-limits"] if len(found) > 1 else []))
        return min(found, key=lambda a: a.mean)
    return usual


def chosen_distance(battle: Battle, unit: Unit) -> Script[Amount]:
    """t9a:21.A.b.30-limits  Of several Random Movements with the same lowest average its owner says which it uses (the
    first, if he does not mind).
    """
    found = [t.value for p in battle.pools(unit) for t in battle.traits(p, "random-movement")]
    lowest = distance_of(battle, unit)
    tied = [v for v in dict.fromkeys(found) if amount(v).mean == lowest.mean]
    if len(tied) < 2:
        return lowest
    options = [option(v, text="option.copy", data={"value": v}) for v in tied]
    rule, about = "t9a:21.A.b.30-limits", (unit.id,)
    picked = yield Pick(unit.seat, "special.copy", options, optional=True, rule=rule, about=about)
    return amount(picked) if picked else lowest


def march_limit(battle: Battle, unit: Unit) -> float:
    """A unit's March Rate in mm; with Random Movement the most it can roll (t9a:21.A.b.30-limits)."""
    if battle.any_has(unit, "random-movement"):
        battle.cite("t9a:21.A.b.30-limits")
        return inches(distance_of(battle, unit).most)
    return inches(float(stats.rate(battle, unit, "mar").value))

"""t9a:11.E.f-order  Who of those charging one unit moves next, the ones whose charge fails among them."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import combined_charge, failed_charge
from grognard.games.t9a.charge.combined_charge import Arrangement
from grognard.games.t9a.forces import Unit
from grognard.kernel.geometry.units import inches

#: What a unit that fails has part in.
NOBODY = Arrangement()


def next_to_move(
    battle: Battle, target: Unit, able: Sequence[Unit], short: Sequence[Unit]
) -> dict[str, combined_charge.Arrangement]:
    """t9a:11.E.f-order  Everybody who may move next if contact is to be as good in the end as it can be, and the
    arrangement his move begins (`NOBODY` where he fails). Those who arrive come first, as found.
    """
    if not able or target.where != "table":
        return {u.id: NOBODY for u in (*able, *short)}
    plan = combined_charge.arrange(battle, target, able)
    fails = list(short) if plan.steps else [*able, *short]
    if len(able) + len(short) == 1:
        return {able[0].id: plan}
    after = {u.id: _after(battle, target, [u], able) for u in fails}
    best = min([plan.rank, *after.values()])
    if len(short) > 1 and len(plan.steps) < len(able) and _after(battle, target, short, able) < best:
        return {u.id: NOBODY for u in short}
    ways = _leads(battle, target, able, plan) if plan.rank <= best else {}
    return ways | {key: NOBODY for key, rank in after.items() if rank <= best}


def _leads(battle: Battle, target: Unit, able: Sequence[Unit], plan: Arrangement) -> dict[str, Arrangement]:
    """Who of those who arrive may be the first of them."""
    ways = {plan.steps[0].unit: plan} if plan.steps else {}
    for unit in able if len(plan.steps) > 1 else ():
        if unit.id not in ways and (found := combined_charge.led(battle, target, able, unit, plan)) is not None:
            ways[unit.id] = found
    return ways


def _after(battle: Battle, target: Unit, first: Sequence[Unit], able: Sequence[Unit]) -> tuple[float, ...]:
    """How good the contact of the others can be once some have made their failed moves."""
    trial = battle.copy()
    goal = battle.block(target).centre
    for unit in first:
        twin = trial.units[unit.id]
        path = failed_charge.failed_path(trial, twin, goal, inches(max(unit.charge.roll, default=0)))
        trial.put(twin, path.end(trial.block(twin)))
    moved = [u.id for u in first]
    rest = [trial.units[u.id] for u in able if u.id not in moved]
    return combined_charge.arrange(trial, trial.units[target.id], rest).rank

"""t9a:11.B-room, t9a:11.E.e, t9a:11.E.k  How a charge can be made: normally, touching others, or blocked."""

from __future__ import annotations

import itertools

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import blocked_path, charge_search
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.shapes import Side as Edge


class Plan(msgspec.Struct, frozen=True):
    """How a charge can be made: "normal", "multiple" (touching one of the `sets` as well) or "blocked" (t9a:11.E.k)."""

    kind: str
    sets: tuple[tuple[str, ...], ...] = ()


def plan(battle: Battle, unit: Unit, target: Unit, side: Edge, *, flying: bool = False) -> Plan | None:
    """t9a:11.B-room, t9a:11.E.e, t9a:11.E.k
    How the unit can come to the target: as few other enemies as possible, else
    blocked.
    """
    key = ("plan", unit.id, target.id, side.value, flying, charge_search.declared_by_friends(battle, unit))
    made: Plan | None = battle.remember(key, lambda: _plan(battle, unit, target, side, flying))
    return made


def _plan(battle: Battle, unit: Unit, target: Unit, side: Edge, flying: bool) -> Plan | None:
    battle.cite("t9a:11.B-room")
    if target.nerve.fleeing:
        return Plan("normal") if charge_search.runs_down(battle, unit, target, flying=flying) is not None else None
    if charge_search.reachable(battle, unit, target, side, flying=flying):
        return Plan("normal")
    near = _neighbours(battle, unit, target)
    if near and not charge_search.reachable(battle, unit, target, side, flying=flying, touch=near):
        near = []
    for count in range(1, len(near) + 1):
        sets = tuple(
            touch
            for touch in itertools.combinations(near, count)
            if charge_search.reachable(battle, unit, target, side, flying=flying, touch=touch)
        )
        if sets:
            battle.cite("t9a:11.E.d-p1", "t9a:11.E.e")
            return Plan("multiple", sets)
    return Plan("blocked") if not flying and blocked_path.may_be_used(battle, unit, target, side) else None


def _neighbours(battle: Battle, unit: Unit, target: Unit) -> list[str]:
    """Other enemies the charger could come to touch: those nearer to the target than the charger is wide."""
    wide = battle.block(unit).width
    found = [e for e in battle.enemies(unit.seat) if e.id != target.id and battle.gap(e, target) < wide]
    return [e.id for e in sorted(found, key=lambda e: battle.gap(e, target))[:4]]

"""t9a:11.B  Who may declare a charge, and at whom."""

from __future__ import annotations

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.charge import charge_plans, charge_range
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import ground, sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches


def cannot_charge(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:11.B  Why a unit may not declare a charge at all."""

    def no(code: str, rule: str, *also: str) -> Refusal:
        return Refusal(f"refuse.charge.{code}", rule, {"unit": unit.id}, ("t9a:11.B", *also))

    if unit.charge.charging or unit.charge.done:
        return no("again", "t9a:11.B")
    if battle.engaged(unit):
        return no("engaged", "t9a:11.E.g-locked")
    if unit.nerve.fleeing:
        return no("fleeing", "t9a:17.C")
    if battle.has_shaken(unit):
        return no("shaken", "t9a:17.B")
    if battle.any_has(unit, "war-machine"):
        return no("machine", "t9a:21.A.b.23")
    if battle.any_has(unit, "random-movement"):
        return no("random", "t9a:21.A.b.30-limits")
    if unit.no_charge == battle.clock:
        return no("barred", *_why_barred(battle, unit))
    return None


def _why_barred(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The rule by which a unit may not charge in this Player Turn; of a case that does not say why, either
    (t9a:21.A.b.11-charge)."""
    if unit.fight.reformed_at:
        return ("t9a:15.H.e.2",)
    if unit.arrival.vanguarded:
        return ("t9a:21.A.b.4-limits",)
    if unit.arrival.scouted or battle.clock == 1:
        return ("t9a:21.A.b.11-charge",)
    return "t9a:21.B.d.1", "t9a:15.H.e.2"


@cites
def target_refusal(battle: Battle, unit: Unit, target: Unit, flying: bool) -> Refusal | None:
    """t9a:11.B-range, t9a:4.A-premeasure, t9a:11.B
    Why this target may not be charged (t9a:11.B-los, t9a:11.B-room)."""
    facts = {"unit": unit.id, "target": target.id}
    if battle.gap(unit, target) > inches(charge_range.reach(battle, unit, flying)) + EPS:
        return Refusal("refuse.charge.range", "t9a:11.B-range", facts)
    battle.cite("t9a:11.B-los")
    if not sight.front_sees(battle, unit, target):
        return Refusal("refuse.charge.sight", "t9a:11.B-los", facts)
    side = ground.located(battle, target, unit)
    if charge_plans.plan(battle, unit, target, side, flying=flying) is None:
        return Refusal("refuse.charge.room", "t9a:11.B-room", facts)
    return None


def targets(battle: Battle, unit: Unit) -> tuple[list[tuple[Unit, bool]], dict[str, Refusal]]:
    """Whom a unit may charge, on the ground or in the air, and why not the others."""
    found: list[tuple[Unit, bool]] = []
    barred: dict[str, Refusal] = {}
    modes = [False, True] if stats.flight(battle, unit) is not None else [False]
    for foe in battle.enemies(unit.seat):
        for flying in modes:
            refusal = target_refusal(battle, unit, foe, flying)
            key = f"{unit.id}>{foe.id}{':fly' if flying else ''}"
            if refusal is None:
                found.append((foe, flying))
            else:
                barred[key] = refusal
    return found, barred


def chargers_of(battle: Battle, target: Unit) -> list[Unit]:
    """Units that declared a charge on a unit and have not moved."""
    return [
        u
        for u in battle.enemies(target.seat)
        if u.charge.charging and any(a.target == target.id for a in u.charge.aims)
    ]

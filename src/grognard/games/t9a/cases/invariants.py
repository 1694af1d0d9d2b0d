"""Whatever must hold after every answer, and does not, in words."""

from __future__ import annotations

from math import dist

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.sweeps import Shift, gap, overlap
from grognard.kernel.geometry.units import TOUCH


def invariants(battle: Battle) -> list[str]:
    found: list[str] = []
    for unit in battle.units.values():
        found += _unit(battle, unit)
    found += _engagements(battle)
    if battle.turn > 0 and battle.phase != "melee":
        found += _overlaps(battle)
    for seat, side in battle.sides.items():
        if side.dice < 0 or side.tokens < 0 or side.tokens > 40:
            found.append(f"{seat} has {side.dice} dice and {side.tokens} tokens")
    return found


def _unit(battle: Battle, unit: Unit) -> list[str]:
    found = []
    block = unit.block
    if (block is not None) != (unit.where == "table"):
        return [f"{unit.id} is {unit.where} but {'has' if block else 'has no'} block"]
    if unit.troops < 0 or unit.lost < 0 or (unit.troops and unit.lost >= unit.profile.hp):
        found.append(f"{unit.id} has {unit.troops} troops and lost {unit.lost}")
    if block is None:
        return found
    if block.troops != unit.troops or len(block.guests) != len(unit.guests):
        found.append(f"{unit.id}: block {block.troops}+{len(block.guests)}, unit {unit.troops}+{len(unit.guests)}")
    if not battle.field.holds(block.outline, Shift(0.0, 0.0)):
        found.append(f"{unit.id} hangs over the table's edge")
    for model in battle.guests(unit):
        if model.gone or model.hp <= 0 or model.unit != unit.id:
            found.append(f"{model.id} in {unit.id}: gone {model.gone}, hp {model.hp}, unit {model.unit}")
    return found


def _engagements(battle: Battle) -> list[str]:
    found = []
    for e in battle.engagements:
        a, b = battle.units[e.a], battle.units[e.b]
        if a.where != "table" or b.where != "table" or a.seat == b.seat:
            found.append(f"{e.a} ({a.where}) and {e.b} ({b.where}) cannot be engaged")
        elif battle.phase != "melee" and gap(battle.block(a).outline, battle.block(b).outline) > 4 * TOUCH:
            found.append(
                f"{e.a} and {e.b} are engaged {gap(battle.block(a).outline, battle.block(b).outline):.2f} mm apart"
            )
    return found


def _overlaps(battle: Battle) -> list[str]:
    units = [u for u in battle.on_table() if not u.nerve.running]
    rings = [battle.block(u).outline.circle for u in units]
    found = []
    for i, a in enumerate(units):
        for j, b in enumerate(units[i + 1 :], i + 1):
            if (
                b.id == a.charge.left
                or a.id == b.charge.left
                or dist(rings[i][:2], rings[j][:2]) > rings[i][2] + rings[j][2]
            ):
                continue
            if overlap(battle.block(a).outline.shrunk(0.3), battle.block(b).outline):
                found.append(f"{a.id} and {b.id} overlap")
    return found

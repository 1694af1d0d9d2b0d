"""wfb3:5.7  Advanced formations: square, shield wall, testudo."""

from __future__ import annotations

from grognard.games.wfb3 import ground, seating, trials
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.weapons import WEAPONS
from grognard.kernel.formation.changes import reformed
from grognard.kernel.questions import Option, Script

KINDS = ("square", "shield-wall", "testudo", "ranks")


def offers(battle: Battle, unit: Unit) -> list[Option]:
    """Formations a unit may try to take up, or leave, instead of moving."""
    found: list[Option] = []
    if unit.kind != "infantry" or battle.engaged(unit) or unit.manoeuvres or unit.split:
        return found
    led = battle.leader(unit) is not None
    if unit.formation in ("square", "shield-wall", "testudo"):
        return [Option("ranks", "ranks", "option.formation.ranks")] if led or unit.formation != "square" else []
    if unit.kit.shield:
        found.append(Option("shield-wall", "shield-wall", "option.formation.shield-wall"))
    one_handed = not any(WEAPONS[w].two_handed for w in unit.kit.weapons)
    rough = ground.in_difficult(battle, battle.block_of(unit))
    if led and unit.kit.shield and one_handed and battle.size(unit) >= 9:
        found.append(Option("testudo", "testudo", "option.formation.testudo"))
    if led and battle.size(unit) >= 8 and not rough:
        found.append(Option("square", "square", "option.formation.square"))
    return found


def form(battle: Battle, unit: Unit, kind: str) -> Script[None]:
    """wfb3:5.7.3-square, 5.7.6-shield-wall, 5.7.7-testudo  Taking up a formation."""
    rules = {
        "square": "wfb3:5.7.3-square", "shield-wall": "wfb3:5.7.6-shield-wall", "testudo": "wfb3:5.7.7-testudo",
        "ranks": {"square": "wfb3:5.7.3-square-revert", "shield-wall": "wfb3:5.7.6-shield-wall-end",
                  "testudo": "wfb3:5.7.7-testudo-end"}.get(unit.formation, "wfb3:5.3.3-formations"),
    }  # fmt: skip
    rule = rules[kind]
    tested = kind in ("square", "testudo") or (kind == "ranks" and unit.formation == "square")
    unit.manoeuvres += 3 if tested else 1
    unit.done = True
    if tested:
        passed = yield from trials.ld(battle, unit, "manoeuvre", rule)
        if not passed:
            unit.halted, unit.failed_complex = True, battle.clock
            battle.tell("manoeuvre.failed", "wfb3:5.6.2-complex", (unit.id,), step=kind)
            return
    if kind in ("square", "testudo"):
        block = battle.block_of(unit)
        after = reformed(block, min(seating.crowd(battle.size(unit)), block.troops), block.facing)
        if ground.fits(battle, unit, after):
            battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (unit.id,), step=kind, other="")
            return
        unit.block = after
        seating.swap_in(battle, unit)
        unit.moved = battle.clock
    unit.formation = kind
    battle.tell("formation", rule, (unit.id,), formation=kind)

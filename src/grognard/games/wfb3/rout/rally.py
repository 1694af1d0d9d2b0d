"""Chapter 8.6: rallying."""

from __future__ import annotations

import math

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement.crossing import divider
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.table import ground, seating, split_units
from grognard.games.wfb3.troops import assassins
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry import units
from grognard.kernel.questions import Option, Pick, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:8.6-rally, wfb3:8.6.1-difference, wfb3:10.3-fight-rally
    Routed units of the active side may each try once, if their player wishes."""
    yield from assassins.rallies(battle)
    while True:
        options: list[Option] = []
        barred: dict[str, Refusal] = {}
        for unit in battle.army(battle.active):
            if not unit.rout.routed or unit.rout.rallied == battle.clock:
                continue
            refusal = may_not(battle, unit)
            if refusal is not None:
                battle.cite(refusal.rule)
                barred[unit.id] = refusal
            else:
                options.append(Option(unit.id, unit, about=(unit.id,)))
        if not options and not barred:
            return
        for unit in battle.army(battle.active):
            if unit.combat.disordered and not unit.rout.routed:
                barred[unit.id] = Refusal("refuse.rally.disordered", "wfb3:8.6.1-difference", {"unit": unit.id})
        unit = yield Pick(
            battle.active, "rally.unit", options, barred=barred, optional=True, rule="wfb3:8.6-rally", checkpoint=True
        )
        if unit is None:
            return
        unit.rout = unit.rout.but(rallied=battle.clock)
        battle.cite("wfb3:8.6.1-difference")
        if unit.minds.by_friends:
            unit.minds = unit.minds.but(by_friends=False)
            battle.cite("wfb3:10.3-fight-rally")
            yield from rallied(battle, unit)
            continue
        passed = yield from tests.ld(battle, unit, "rally", "wfb3:8.6-rally")
        if passed:
            yield from rallied(battle, unit)


def may_not(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:8.6-cond-fear, wfb3:8.6-cond-turn, wfb3:8.6-cond-free  What keeps a routed unit from rallying."""
    facts = {"unit": unit.id}
    if unit.rout.routed_at == battle.clock:
        return Refusal("refuse.rally.turn", "wfb3:8.6-cond-turn", facts)
    if unit.rout.caught:
        return Refusal("refuse.rally.pursued", "wfb3:8.6-cond-free", facts)
    start, left = split_units.muster(battle, unit)
    if left < start // 4:
        return Refusal("refuse.rally.quarter", "wfb3:8.6-cond-quarter", facts)
    if fear.in_radius(battle, unit):
        return Refusal("refuse.rally.fear", "wfb3:8.6-cond-fear", facts)
    if not _near_friends(battle, unit):
        return Refusal("refuse.rally.near", "wfb3:8.6-cond-near", facts)
    battle.cite("wfb3:8.6-cond-free", "wfb3:8.6-cond-quarter", "wfb3:8.6-cond-near", "wfb3:8.6-cond-turn")
    return None


def _near_friends(battle: Battle, unit: Unit) -> bool:
    """wfb3:8.6-cond-near  Nearer to some sound friendly unit than to any enemy one."""

    def sound(other: Unit) -> bool:
        return battle.size(other) >= 5 and other.kind != "character" and not other.rout.routed

    friends = [battle.gap(unit, f) for f in battle.friends(unit) if sound(f)]
    foes = [battle.gap(unit, f) for f in battle.enemies(unit) if sound(f)]
    return bool(friends) and (not foes or min(friends) < min(foes) - EPS)


def rallied(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:8.6-rally  Any legal formation, centred on its leader; recovered at the end of the phase."""
    unit.rout = unit.rout.but(routed=False)
    battle.tell("rallied", "wfb3:8.6-rally", (unit.id,))
    yield from reformed(battle, unit, "wfb3:8.6-rally")


def reformed(battle: Battle, unit: Unit, rule: str, *, optional: bool = False) -> Script[None]:
    """A formation chosen anew on the spot: files and facing; declined where that may be, it stays as it was."""
    block = battle.block_of(unit)
    options = []
    nearest = ground.nearest_enemy(battle, unit)
    towards = block.facing
    if nearest is not None:
        x, y = battle.block_of(nearest).centre
        towards = units.bearing(x - block.centre[0], y - block.centre[1])
    ways = (("facing", towards), ("as-it-was", block.facing), ("away", (towards + 180) % 360),
            ("left", (towards - 90) % 360), ("right", (towards + 90) % 360))  # fmt: skip
    kept = unit.models
    shapes: dict[int, Block] = {}
    for files in dict.fromkeys((seating.usual_files(unit), block.files, *range(1, min(len(unit.models), 20) + 1))):
        shapes[files] = seating.settle(battle, unit, files)
        unit.models = kept
    room = _room(battle, unit, block.centre)
    for name, facing in ways:
        for files, shape in shapes.items():
            made = shape.placed_by_centre(block.centre, facing)
            if math.hypot(made.width, made.depth) / 2 < room or not ground.fits(battle, unit, made):
                shown = {"files": files, "way": f"way.{name}"}
                options.append(Option(f"{name}-{files}", (files, facing), "option.formation", data=shown))
    if not options:
        seating.swap_in(battle, unit)
        return
    if ground.hurdles(battle):
        clear = [o for o in options if not ground.astride(battle, _drawn(shapes, block, o.value))]
        options = clear or options
    chosen = yield Pick(unit.seat, "formation", options, optional=optional, rule=rule, about=(unit.id,))
    if chosen is None:
        return
    files, facing = chosen
    unit.block = seating.settle(battle, unit, files).placed_by_centre(block.centre, facing)
    unit.drill = unit.drill.but(
        split=divider(battle, unit, unit.block),
        formation="file"
        if unit.block.files == 1 and battle.size(unit) > 2 and unit.kind in ("infantry", "cavalry")
        else "ranks",
    )
    battle.form(unit, unit.block)


def _drawn(shapes: dict[int, Block], block: Block, chosen: tuple[int, float]) -> Block:
    """A formation of so many files, facing so, where a block stands."""
    return shapes[chosen[0]].placed_by_centre(block.centre, chosen[1])


def _room(battle: Battle, unit: Unit, centre: Point) -> float:
    """How far round a point nothing stands (mm)."""
    spot = Outline((centre,), 0.0)
    return min((gap(spot, thing.outline) for thing in ground.things(battle, unit, near=0.0)), default=math.inf)

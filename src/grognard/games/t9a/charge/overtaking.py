"""t9a:11.E.h  Charging a fleeing unit: any way into contact will do; it is gone, and the charger Shaken."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_judging, charge_search, failed_charge, overtake_following
from grognard.games.t9a.forces import Unit, plain
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.movement import dangerous
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.paths import parse, write
from grognard.games.t9a.units import reforms
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Pick, Place, Script, option


class OvertakeJudge:
    """t9a:11.E.h  A Charge Move against a fleeing unit: any side of it, no alignment, no best contact."""

    def __init__(self, battle: Battle, unit: Unit, target: Unit, ways: dict[Edge, Manoeuvre]) -> None:
        self.battle, self.unit, self.target = battle, unit, target
        self.ways = {"best": next(iter(ways.values())), **{plain(side): path for side, path in ways.items()}}

    def decode(self, wire: Any) -> Manoeuvre:
        known = next((path for path in self.ways.values() if write(path) == wire), None)
        return known or charge_judging.overtaken(self, wire)

    def encode(self, wire: Any) -> Any:
        return write(parse(wire, "t9a:11.E.h"))

    def carry(self, to: Point, facing: float | None) -> Any:
        return overtake_following.nearest(self, to, facing)

    def stages(self, wire: Any) -> list[Block]:
        block, box = self.battle.block(self.unit), self.battle.block(self.target)
        return preview.stages(block, charge_judging.until_contact(parse(wire, "t9a:11.E.h"), block, box))

    def proposals(self) -> list[str]:
        return list(self.ways)

    def propose(self, name: str) -> Any:
        return write(self.ways[name])


def run_down(battle: Battle, target: Unit, able: list[Unit], short: list[Unit]) -> Script[None]:
    """t9a:11.E.h, t9a:11.E.f-order, t9a:11.E.j
    All who charge a fleeing unit, or one that is gone, move one after the other.

    Ruling: contact is not maximised here, so in which order they move, those who fail among them, is the active
    player's choice (as mustered, if he does not mind).
    """
    while left := [u for u in (*able, *short) if u.where == "table" and u.charge.pending]:
        unit = left[0]
        if len(left) > 1:
            picked = yield Pick(
                battle.active,
                "charge.first",
                [option(u.id, u, about=(u.id,)) for u in left],
                optional=True,
                aside=unit not in able or target.where != "table",
                rule="t9a:11.E.f-order",
                about=(target.id,),
            )
            unit = picked or unit
        if unit in short or target.where != "table":
            yield from failed_charge.fail(battle, unit, target if target.where == "table" else None)
        else:
            yield from _move(battle, unit, target)


def _move(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """t9a:11.E.h, t9a:11.E.i
    The Charge Move of one of them, the straightest if its owner does not mind, or a failed one
    where something is in the way.
    """
    ways = charge_search.ways_down(battle, unit, target, flying=unit.charge.flying, declared=False)
    if not ways:
        battle.cite("t9a:11.E.i")
        yield from failed_charge.fail(battle, unit, target)
        return
    judge = OvertakeJudge(battle, unit, target, ways)
    path = yield Place(
        battle.active, "charge.move", (unit.id,), judge, optional=True, rule="t9a:11.E.h", about=(unit.id, target.id)
    )
    path = path or next(iter(ways.values()))
    before = battle.block(unit)
    way = dangerous.legs(before, path)
    yield from dangerous.pass_over(battle, unit, way, flying=unit.charge.flying)
    if unit.where == "table" and not unit.nerve.fleeing:
        battle.put(unit, dangerous.arrived(battle, unit, before, path))
        yield from _caught(battle, unit, target)


def _caught(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """t9a:11.E.h, t9a:11.E.h-shaken, t9a:11.E.h-pivot
    Contact removes the fleeing unit; the charger may pivot after a test."""
    unit.charge = unit.charge.but(done=True).over()
    unit.move = unit.move.but(moved=True)
    battle.shake(unit)
    battle.cite("t9a:11.E.h-shaken")
    battle.tell("charge.ran-down", "t9a:11.E.h", (unit.id, target.id))
    yield from casualties.remove_unit(battle, target, "t9a:11.E.h")
    yield from turn_after(battle, unit)


def turn_after(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:11.E.h-pivot  Who has run a fleeing unit down may test its Discipline and, if it passes, pivot."""
    if unit.where != "table" or unit.nerve.fleeing:
        return
    ground.stay_near(battle, unit)
    wish = yield Pick(
        unit.seat,
        "pivot.after",
        [option("test", text="option.pivot-test")],
        optional=True,
        rule="t9a:11.E.h-pivot",
        about=(unit.id,),
    )
    if wish and (yield from psychology.test(battle, unit, "pivot", "t9a:11.E.h-pivot")):
        yield from reforms.pivot(battle, unit)

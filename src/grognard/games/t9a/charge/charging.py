"""t9a:11.E  Moving chargers: Charge Range rolls, Charge Moves, and what comes of them."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.battle import Battle, seat_rules
from grognard.games.t9a.charge import (
    blocked_reform,
    charge_contacts,
    charge_following,
    charge_judging,
    charge_order,
    charge_plans,
    charge_range,
    charge_search,
    combined_charge,
    failed_charge,
    overtaking,
)
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.movement import dangerous, movement_items
from grognard.games.t9a.records import Aim
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.table import contacts, ground, paths
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refused
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point, piece_outline, turn_between
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Motion, Spin
from grognard.kernel.questions import Option, Pick, Place, Script, option


def waiting(battle: Battle) -> list[Unit]:
    """t9a:11.E  Units that declared a charge and have not moved."""
    return [u for u in battle.army(battle.active) if u.charge.pending and not battle.engaged(u)]


@cites
def move_chargers(battle: Battle) -> Script[None]:
    """t9a:11.E
    One charger, or all who charge the same unit, at a time, in the active player's order (t9a:11.E.f-order)."""
    while units := waiting(battle):
        for unit in units:
            _settle_target(battle, unit)
        goals = dict.fromkeys(u.charge.target for u in units)
        found = [_option(g, [u.id for u in units if u.charge.target == g]) for g in goals]
        goal = yield Pick(battle.active, "charge.next", found, rule="t9a:11.E", checkpoint=True)
        for unit in units:
            if goal in (unit.charge.target, unit.charge.former):
                yield from _one_of_two(battle, unit)
        if those := [u for u in units if u.charge.target == goal]:
            yield from _against(battle, battle.units[goal], those)


def _option(target: str, units: list[str]) -> Option:
    """All who charge the same unit."""
    about = (units[0], target, *units[1:])
    return option(target, text="option.charge-next", about=about, data={"unit": units, "target": target})


def _one_of_two(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:11.D-double  Who redirected and saw the second target flee as well says which of the two he charges, before
    he rolls.
    """
    former, target = battle.units.get(unit.charge.former), battle.units[unit.charge.target]
    if former is None or not target.nerve.fleeing:
        unit.charge = unit.charge.but(former="")
        return
    picked = yield Pick(
        battle.active,
        "charge.which",
        [option(u.id, about=(u.id,)) for u in (target, former)],
        rule="t9a:11.D-double",
        about=(unit.id,),
    )
    unit.charge = unit.charge.but(former="")
    if picked == former.id:
        _aim_at(battle, unit, former)


def _aim_at(battle: Battle, unit: Unit, target: Unit) -> None:
    unit.charge = unit.charge.but(aims=(Aim(target.id, ground.located(battle, target, unit)),))


def _settle_target(battle: Battle, unit: Unit) -> None:
    """t9a:11.D-double, t9a:11.E.e-primaryflees, t9a:11.E.e-avoidable  What the unit charges in the end."""
    target = battle.units[unit.charge.target]
    former = battle.units.get(unit.charge.former)
    if former is None or former.where != "table" or not former.nerve.fleeing:
        unit.charge = unit.charge.but(former="")
    elif target.where != "table":
        battle.cite("t9a:11.D-double")
        unit.charge = unit.charge.but(former="")
        _aim_at(battle, unit, former)
        target = former
    if len(unit.charge.aims) > 1:
        if target.where != "table" or target.nerve.fleeing:
            battle.cite("t9a:11.E.e-primaryflees")
            unit.charge = unit.charge.alone()
        else:
            unit.charge = unit.charge.but(
                aims=tuple(a for a in unit.charge.aims if a.primary or not battle.units[a.target].nerve.fleeing)
            )
            if charge_search.reachable(battle, unit, target, unit.charge.aim.side, flying=unit.charge.flying):
                battle.cite("t9a:11.E.e-avoidable")
                unit.charge = unit.charge.alone()


def _against(battle: Battle, target: Unit, units: list[Unit]) -> Script[None]:
    """t9a:11.E.a, t9a:11.E.f  Roll for all who charge a unit, see who can reach it, then move them."""
    if len(units) > 1:
        battle.cite("t9a:11.E.f", "t9a:11.E.f-order")
    for unit in units:
        yield from roll_range(battle, unit, target)
    able = [u for u in units if charge_range.in_range(battle, u, target)]
    short = [u for u in units if u not in able]
    if target.nerve.fleeing or target.where != "table":
        yield from overtaking.run_down(battle, target, able, short)
        return
    while left := [u for u in units if u.where == "table" and u.charge.pending]:
        ways = charge_order.next_to_move(
            battle, target, [u for u in left if u in able], [u for u in left if u in short]
        )
        unit, plan = yield from _next(battle, target, ways)
        if plan.steps:
            yield from _charge(battle, unit, target, plan.steps[0].contact, plan)
            continue
        if unit in able:
            _why_not(battle, unit, target)
        yield from failed_charge.fail(battle, unit, target if target.where == "table" else None)


def _next(
    battle: Battle, target: Unit, ways: dict[str, combined_charge.Arrangement]
) -> Script[tuple[Unit, combined_charge.Arrangement]]:
    """t9a:11.E.f-order  Where several orders are as good, who moves first is the active player's choice (as found, if
    he does not mind).
    """
    key = next(iter(ways))
    if len(ways) > 1:
        picked = yield Pick(
            battle.active,
            "charge.first",
            [option(k, about=(k,)) for k in ways],
            optional=True,
            aside=charge_order.NOBODY in ways.values(),
            rule="t9a:11.E.f-order",
            about=(target.id,),
        )
        key = picked or key
    return battle.units[key], ways[key]


def _why_not(battle: Battle, unit: Unit, target: Unit) -> None:
    """t9a:11.E.i, t9a:11.E.e-late  What keeps a unit from its target whose roll would have reached it."""
    if target.where != "table":
        return
    late = charge_plans.plan(battle, unit, target, unit.charge.aim.side, flying=unit.charge.flying)
    battle.cite("t9a:11.E.e-late" if late is not None and late.kind == "multiple" else "t9a:11.E.i")


def roll_range(battle: Battle, unit: Unit, target: Unit) -> Script[None]:
    """t9a:11.E.a  Charge Range: Advance Rate and 2D6; a Champion's dice count at least 4 (t9a:21.C.a.1)."""
    if unit.charge.roll:
        return
    movement_items.charging(battle, unit)
    swing = stats.swing(battle, unit, "Charge Range")
    battle.cite("t9a:2.B.a", "t9a:2.B.a-sum", *(["t9a:2.B.a.2"] if swing else []))
    again = target.where == "table" and charge_range.downhill(battle, unit, target)
    enough = charge_range.needed(battle, unit, target, unit.charge.flying) if again else None
    led = bool(unit.command.champion)
    total, faces = yield from charge_range.roll(unit.seat, swing, led, enough, (unit.id, target.id))
    if total > sum(faces):
        battle.cite("t9a:21.C.a.1", "t9a:21.C.a")
    unit.charge = unit.charge.but(roll=faces, total=total)
    battle.tell(
        "charge.rolled",
        "t9a:11.E.a",
        (unit.id, target.id),
        dice=list(unit.charge.roll),
        range=charge_range.range_rolled(battle, unit),
    )


# ---------------------------------------------------------------------- the move


class ChargeJudge:
    """t9a:11.E.b, t9a:11.E.c, t9a:11.E.d
    A Charge Move as the player makes it: one wheel, the right side, contact at its best.

    Where others charge the same unit, `plan` is what all of them can reach together.
    """

    def __init__(
        self, battle: Battle, unit: Unit, target: Unit, best: Contact, plan: combined_charge.Arrangement | None = None
    ) -> None:
        self.battle, self.unit, self.target, self.best = battle, unit, target, best
        self.plan = plan
        self._seen: tuple[Any, Contact] | None = None

    def decode(self, wire: Any) -> Contact:
        if isinstance(wire, dict) and wire == self.encode(None):
            return self.best
        if self._seen is None or self._seen[0] != wire:
            self._seen = wire, charge_judging.judged(self, wire)
        return self._seen[1]

    def encode(self, wire: Any) -> Any:
        return paths.write(self.best.path) if wire is None else paths.write(paths.parse(wire, "t9a:11.E.b"))

    def carry(self, to: Point, facing: float | None) -> Any:
        return charge_following.nearest(self, to)

    def stages(self, wire: Any) -> list[Block]:
        """The move, and where the charger stands when it has aligned; a move that is none only as it is written."""
        now = self.battle.block(self.unit)
        path = paths.parse(wire, "t9a:11.E.b")
        try:
            made = self.decode(wire)
        except Refused:
            return preview.stages(now, path)
        return [*preview.stages(now, made.path), made.charger]

    def proposals(self) -> list[str]:
        return ["best"]

    def propose(self, name: str) -> Any:
        return self.encode(None)


@cites
def _charge(
    battle: Battle, unit: Unit, target: Unit, contact: Contact, plan: combined_charge.Arrangement | None = None
) -> Script[None]:
    """t9a:11.E.d-p3, t9a:11.E.d, t9a:11.E.d-p1, t9a:11.E.d-p4
    A Charge Move, or a failed one where something came in the way (t9a:11.E.b, t9a:11.E.i, t9a:11.E.i-casualties)."""
    judge = ChargeJudge(battle, unit, target, contact, plan)
    made: Contact = yield Place(
        battle.active, "charge.move", (unit.id,), judge, rule="t9a:11.E.b", about=(unit.id, target.id)
    )
    way = whole_move(battle.block(unit), made)
    lost = yield from dangerous.pass_over(battle, unit, way, flying=unit.charge.flying)
    if unit.where != "table" or not unit.charge.charging:
        return
    if lost:
        again = charge_contacts.contact(battle, unit, target)
        if again is None:
            battle.cite("t9a:11.E.i-casualties")
            tested = [p.id for p in battle.table.pieces if dangerous.touching(way, piece_outline(p))]
            yield from failed_charge.fail(battle, unit, target, tested)
            return
        made = again
    yield from land(battle, unit, target, made)


def whole_move(start: Block, made: Contact) -> list[tuple[Block, Motion]]:
    """t9a:11.E.c  A Charge Move with its alignment, the turn about the point where the charger met the enemy."""
    way = dangerous.legs(start, made.path)
    met, aligned = made.path.end(start), made.charger
    turn = turn_between(met.facing, aligned.facing)
    if abs(turn) < 0.01:
        return way
    sine, less = math.sin(math.radians(turn)), 1.0 - math.cos(math.radians(turn))
    dx, dy = aligned.x - met.x, aligned.y - met.y
    # the point that a turn of so many degrees clockwise leaves where it is
    pivot = (met.x + (dx + dy * sine / less) / 2, met.y + (dy - dx * sine / less) / 2)
    return [*way, (met, Spin(pivot, turn))]


def land(battle: Battle, unit: Unit, target: Unit, made: Contact) -> Script[None]:
    """t9a:11.E.c, t9a:11.E.g  The charger stands aligned; both are engaged (t9a:11.E.c-nodanger)."""
    fresh = not battle.engaged(target)
    battle.put(unit, made.charger)
    reforms = unit.charge.blocked and not made.target_turned and made.target != battle.block(target)
    if made.target_turned or unit.charge.blocked:
        battle.put(target, made.target)
        battle.cite("t9a:11.E.c-charged", "t9a:11.E.c-nodanger", "t9a:11.E.d-p3")
        if unit.charge.blocked:
            battle.cite("t9a:11.E.k-move")
    battle.cite("t9a:11.C-side", "t9a:11.E.c", "t9a:11.E.c-direction")
    side = Edge.FRONT if battle.block(target).is_round else made.side
    if battle.block(target).is_round:
        battle.cite("t9a:21.A.b.23-round")
    battle.engage(unit, Edge.FRONT, target, side)
    joined(battle, unit, target, fresh)
    for other in unit.charge.secondary:
        foe = battle.units[other]
        if foe.where == "table" and battle.touching(unit, foe):
            fresh_foe = not battle.engaged(foe)
            ours, theirs = charge_search.side_touched(battle.block(unit), battle.block(foe))
            battle.engage(unit, ours, foe, theirs)
            joined(battle, unit, foe, fresh_foe)
    unit.charge = unit.charge.but(done=True)
    unit.move = unit.move.but(moved=True)
    ground.stay_near(battle, unit)
    met = contacts.contact_numbers(battle, unit, Edge.FRONT, target, side)
    battle.cite(*seat_rules(battle.block(unit)))
    battle.tell(
        "charge.done",
        "t9a:11.E.b",
        (unit.id, target.id),
        side=side.name.lower(),
        ours=len(met.ours),
        theirs=len(met.theirs),
    )
    if reforms:
        yield from blocked_reform.met(battle, unit, target, made)


@cites
def joined(battle: Battle, unit: Unit, target: Unit, fresh: bool) -> None:
    """t9a:15.B.a  The round after a charge is a first round: for the charger, and for a unit that was not engaged."""
    for one in (unit, target) if fresh else (unit,):
        one.fight = one.fight.but(first_round=True, rounds=0, newly_engaged=one.id in battle.combat)
        one.weapon = ""
        for model in battle.guests(one):
            model.weapon = ""

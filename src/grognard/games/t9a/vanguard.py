"""t9a:10.G, 10.I  Vanguard moves, and who plays first."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.moves import MoveJudge, ReformJudge
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Roll, Script, option
from grognard.kernel.tally import Tally


def moves(battle: Battle) -> Script[None]:
    """t9a:10.G, 21.A.b.4-order  Vanguard moves, unit by unit, starting with the last finisher; either may stop."""
    last = battle.other(battle.active)
    battle.cite("t9a:10.G")
    while True:
        rest = {s: _vanguards(battle, s) for s in battle.seats}
        if not any(rest.values()):
            battle.cite("t9a:10.H")
            return
        turn = last if battle.cursor % 2 == 0 else battle.other(last)
        seat = turn if rest[turn] else battle.other(turn)
        picked = yield Pick(
            seat,
            "vanguard.unit",
            [option(u.id, u, about=(u.id,)) for u in rest[seat]],
            optional=True,
            rule="t9a:21.A.b.4-order",
            checkpoint=True,
        )
        battle.cursor += 1
        if picked is None:
            battle.sides[seat].no_vanguard = True
            continue
        yield from _vanguard_move(battle, picked)


def _vanguards(battle: Battle, seat: str) -> list[Unit]:
    if battle.sides[seat].no_vanguard:
        return []
    return [u for u in battle.army(seat) if not u.vanguarded and battle.all_have(u, "vanguard")]


def _vanguard_move(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.A.b.4, 21.A.b.4-limits  X" (12") by Advance or Reform, at least 12" (6") from enemies all the way."""
    traits = [battle.trait(p, "vanguard") for p in battle.pools(unit)]
    far = min(t.number(0, 12) for t in traits if t is not None)
    shy = {e.id: inches(6 if e.vanguarded or e.scouted else 12) for e in battle.enemies(unit.seat)}
    kind = yield Pick(
        unit.seat,
        "vanguard.kind",
        [option("advance", text="option.advance"), option("reform", text="option.reform")],
        rule="t9a:21.A.b.4",
        about=(unit.id,),
    )
    unit.vanguarded = True
    if kind == "advance":
        judge = MoveJudge(battle, unit, "advance", inches(far), shy=shy, rule="t9a:21.A.b.4")
        path = yield Place(
            unit.seat, "vanguard.where", (unit.id,), judge, optional=True, rule="t9a:21.A.b.4", about=(unit.id,)
        )
        if path is not None and path.steps:
            battle.put(unit, path.end(battle.block(unit)))
    else:
        judge2 = ReformJudge(battle, unit, inches(far), "t9a:21.A.b.4")
        block = yield Place(
            unit.seat, "vanguard.reform", (unit.id,), judge2, optional=True, rule="t9a:21.A.b.4", about=(unit.id,)
        )
        if block is not None:
            battle.put(unit, block)
    unit.no_charge = 1
    battle.cite("t9a:21.A.b.4-limits")
    battle.tell("vanguard.moved", "t9a:21.A.b.4", (unit.id,))


def first_turn(battle: Battle) -> Script[None]:
    """t9a:10.I  Both roll, the first finisher adds the units the other had left; if higher his wish is law, else the
    other chooses.
    """
    finisher = battle.active
    other = battle.other(finisher)
    totals = {}
    for seat in (finisher, other):
        plus = Tally(0, "first turn", "t9a:10.I")
        if seat == finisher:
            plus.add(battle.sides[seat].undeployed, "undeployed units", "t9a:10.E")
        (face,) = yield Roll(seat, "first.roll", 6, rule="t9a:10.I", about=(seat,), plus=plus)
        totals[seat] = face + int(plus.value)
    if totals[finisher] > totals[other]:
        battle.first = finisher if battle.sides[finisher].wish == "first" else other
    else:
        pick = yield Pick(
            other,
            "first.choose",
            [option("first", text="option.first"), option("second", text="option.second")],
            rule="t9a:10.I",
        )
        battle.first = other if pick == "first" else finisher
    battle.tell("first.turn", "t9a:10.I", (battle.first,))

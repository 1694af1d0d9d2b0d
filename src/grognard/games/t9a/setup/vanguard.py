"""t9a:10.G, t9a:10.I  Vanguard moves, and who plays first."""

from __future__ import annotations

import msgspec

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.characters import joining, leaving
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.movement import movement
from grognard.games.t9a.movement.moves import TARIFF, MoveJudge
from grognard.games.t9a.units import character_bases, command
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.changes import displacements
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Option, Pick, Place, Roll, Script, option
from grognard.kernel.words.tally import Tally


@cites
def moves(battle: Battle) -> Script[None]:
    """t9a:10.G
    Vanguard moves, unit by unit, starting with the last finisher; either may stop (t9a:21.A.b.4-order, t9a:10.H)."""
    last = battle.other(battle.active)
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
        yield from _turn(battle, picked)


def _vanguards(battle: Battle, seat: str) -> list[Unit]:
    if battle.sides[seat].no_vanguard:
        return []
    return [
        u
        for u in battle.army(seat)
        if not u.arrival.vanguarded
        and u.id not in battle.queue
        and (battle.all_have(u, "vanguard") or _leavers(battle, u))
    ]


def _leavers(battle: Battle, unit: Unit) -> list[Model]:
    """Characters that could leave their unit with a Vanguard move of their own."""
    return [
        m
        for m in battle.characters(unit)
        if battle.has(m.id, "vanguard") and leaving.may_leave(battle, unit, m) is None
    ]


def _reach(battle: Battle, pool: str) -> float:
    return inches(max((t.number(0, 12) for t in battle.traits(pool, "vanguard")), default=0))


def _shy(battle: Battle, seat: str) -> dict[str, float]:
    """t9a:21.A.b.4  How far the move keeps from each enemy: 12", or 6" where he made one himself or scouted."""
    return {e.id: inches(6 if e.arrival.vanguarded or e.arrival.scouted else 12) for e in battle.enemies(seat)}


def _turn(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.A.b.4-order  A combined unit counts as one, though its parts move apart; what works on the unit works on
    all of them until they have moved.
    """
    whole = bool(battle.all_have(unit, "vanguard"))
    apart = {m.id: _reach(battle, m.id) for m in _leavers(battle, unit)}
    far = min(_reach(battle, p) for p in battle.pools(unit))
    while apart := {k: far for k, far in apart.items() if battle.size(unit) > 1}:
        key = yield Pick(
            unit.seat,
            "vanguard.leave",
            [Option(k, k, "option.leave", (k, unit.id)) for k in apart],
            optional=True,
            rule="t9a:21.A.b.4-order",
            about=(unit.id,),
        )
        if key is None:
            break
        unit = yield from _walk_out(battle, unit, battle.models[key], apart.pop(key))
    battle.queue = (*battle.queue, unit.id)
    if whole and battle.size(unit):
        yield from _vanguard_move(battle, unit, far)


def _walk_out(battle: Battle, unit: Unit, model: Model, far: float) -> Script[Unit]:
    """t9a:21.A.b.4, t9a:21.B.d.2  A Character leaves its unit; if it does not get away it stays. The unit it left."""
    before, guests = battle.block(unit), unit.guests
    home = leaving.separate(battle, unit, model)
    unit = battle.units[home.charge.left]
    yield from _vanguard_move(battle, home, far, old=unit)
    if home.where == "table" and home.charge.left:
        leaving.rejoin(battle, home, unit, before, guests)
        home.charge = home.charge.but(left="")
        home.arrival = home.arrival.but(vanguarded=False)
        home.no_charge = 0
    return unit


@cites
def _vanguard_move(battle: Battle, unit: Unit, left: float, old: Unit | None = None) -> Script[None]:
    """t9a:21.A.b.4-limits  X" (12") in Advances and Reforms, at least 12" (6") from enemies all the way (t9a:21.A.b.4).

    Ruling: the parts of the move share the X"; a Reform spends what the model that went furthest went.
    """
    shy = _shy(battle, unit.seat)
    unit.arrival = unit.arrival.but(vanguarded=True)
    unit.no_charge = 1
    first = True
    while left > TOUCH:
        joins, barred = _joins(battle, unit, left)
        kinds = [option("advance", text="option.advance")]
        kinds += [] if old is not None and first else [option("reform", text="option.reform")]
        kind = yield Pick(
            unit.seat,
            "vanguard.kind",
            [*kinds, *joins],
            optional=not first or old is not None,
            barred=barred,
            rule="t9a:21.A.b.4",
            about=(unit.id,),
            data={"inches": round(left / inches(1), 2)},
        )
        if kind is None:
            break
        if kind.startswith("join:"):
            unit.arrival = unit.arrival.but(vanguarded=False)
            unit.no_charge = 0
            yield from movement.join(battle, unit, battle.units[kind[5:]], left / inches(1))
            break
        spent = yield from (_advance if kind == "advance" else _reform)(battle, unit, left, shy)
        if not spent:
            break
        left, first = left - spent, False
    battle.tell("vanguard.moved", "t9a:21.A.b.4", (unit.id,))


def _joins(battle: Battle, unit: Unit, left: float) -> tuple[list[Option], dict[str, Refusal]]:
    """t9a:21.A.b.4, t9a:21.B.b  Units a lone Character could join with what is left of its move."""
    if unit.troops or len(unit.guests) != 1 or battle.models[unit.guests[0]].role != "character":
        return [], {}
    found, barred = joining.reach_options(battle, unit, left / inches(1))
    return [Option(f"join:{u.id}", f"join:{u.id}", "option.join", (u.id,)) for u in found], barred


def _advance(battle: Battle, unit: Unit, left: float, shy: dict[str, float]) -> Script[float]:
    judge = MoveJudge(battle, unit, "advance", left, shy=shy, rule="t9a:21.A.b.4")
    judge.things = [msgspec.structs.replace(o, over=o.over or o.name == unit.charge.left) for o in judge.things]
    path = yield Place(
        unit.seat,
        "vanguard.where",
        (unit.id,),
        judge,
        optional=True,
        rule="t9a:21.A.b.4",
        about=(unit.id,),
        data={"inches": round(left / inches(1), 2)},
    )
    if path is None or not path.steps:
        return 0.0
    before = battle.block(unit)
    battle.put(unit, path.end(before))
    command.take(battle, unit, judge.posts)
    unit.charge = unit.charge.but(left="")
    return float(path.cost(before, TARIFF))


class ShyReform(ReformJudge):
    """t9a:21.A.b.4  A Reform that keeps away from the enemy."""

    def __init__(self, battle: Battle, unit: Unit, limit: float, shy: dict[str, float]) -> None:
        super().__init__(battle, unit, limit, "t9a:21.A.b.4")
        self.shy = shy

    def refusal(self, block: Block) -> Refusal | None:
        for key, far in self.shy.items():
            if gap(block.outline, self.battle.block(self.battle.units[key]).outline) < far - EPS:
                return Refusal("refuse.vanguard.near", "t9a:21.A.b.4", {"unit": self.unit.id, "other": key})
        return super().refusal(block)


def _reform(battle: Battle, unit: Unit, left: float, shy: dict[str, float]) -> Script[float]:
    judge = ShyReform(battle, unit, left, shy)
    before = battle.block(unit)
    block = yield from character_bases.reform(battle, unit, judge, "vanguard.reform")
    return 0.0 if block is None else float(max(displacements(before, block)))


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

"""Chapters 11.E.b to d: a charger pulled by hand along the side it strikes: which legal contact is nearest to it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grognard.games.t9a.charge import charge_contacts, charge_search
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.table.paths import write
from grognard.kernel.formation import preview
from grognard.kernel.formation.charging.align import Laying, beside
from grognard.kernel.formation.shapes import Point
from grognard.kernel.placing import halving

if TYPE_CHECKING:
    from grognard.games.t9a.charge.charging import ChargeJudge

#: Places along the side are tried this close together (mm), and no more than so many of them.
SPACING, MOST = 4.0, 24
#: ... where others who charge the same unit must find room, which is looked for every time.
TOGETHER = 4
#: How often what is left between a legal place and the hand is halved.
HALVINGS = 5


def nearest(judge: ChargeJudge, to: Point) -> Any:
    """The Charge Move, with a contact as good as it must be, that brings the charger nearest to a point."""
    best = judge.best
    if judge.unit.charge.blocked:
        return judge.encode(None)
    if best.target_turned or best.charger.is_round or best.target.is_round:
        return _of_those_found(judge, to)
    wish, home = _offset(judge, to), _offset(judge, best.charger.centre)
    for offset in _places(judge, wish, home):
        if abs(offset - wish) >= abs(home - wish):
            break
        wire = _legal(judge, offset)
        if wire is not None:
            return wire if offset == wish else _closer(judge, offset, wish, wire)
    return _closer(judge, home, wish, judge.encode(None))


def _offset(judge: ChargeJudge, at: Point) -> float:
    """How far to the charger's right of the middle of the side a point lies, no further than contact reaches."""
    block, box, side = judge.battle.block(judge.unit), judge.battle.block(judge.target), judge.best.side
    limit = (box.boundary.span(side) + block.width) / 2
    return max(-limit, min(beside(block.boundary, box.boundary, side, 0.0).local(at)[0], limit))


def _places(judge: ChargeJudge, wish: float, home: float) -> Iterator[float]:
    """Places along the side, nearest to the hand first; those where enough models touch."""
    if judge.plan is not None and len(judge.plan.steps) > 1:
        yield from (wish + (home - wish) * part / TOGETHER for part in range(TOGETHER))
        return
    battle, target, side = judge.battle, judge.target, judge.best.side
    score = charge_search.score_for(battle, target, side)
    row = Laying(battle.block(judge.unit), battle.block(target), side, score)
    alone = not judge.unit.charge.secondary
    tried = sorted({wish, *row.offsets((), SPACING)}, key=lambda offset: (abs(offset - wish), offset))
    found = (o for o in tried if abs(o) <= row.limit and (not alone or row.at(o).score >= judge.best.score))
    for _, offset in zip(range(MOST), found, strict=False):
        yield offset


def _legal(judge: ChargeJudge, offset: float) -> Any:
    """The written move to a place at the side, or None where the rules forbid it."""
    made = charge_contacts.contact_at(judge.battle, judge.unit, judge.target, offset)
    return None if made is None else _judged(judge, made)


def _judged(judge: ChargeJudge, made: Contact) -> Any:
    wire = write(made.path)
    return wire if preview.legal(judge, wire) else None


def _closer(judge: ChargeJudge, good: float, wish: float, wire: Any) -> Any:
    """A legal place pushed as far towards the hand as it stays legal."""
    if judge.plan is not None and len(judge.plan.steps) > 1:
        return wire
    return halving.nearest(good, wish, lambda offset: _legal(judge, offset), HALVINGS) or wire


def _of_those_found(judge: ChargeJudge, to: Point) -> Any:
    """Where a disc is struck or strikes, or the target is turned: of the contacts the search finds the nearest."""
    found = charge_contacts.contacts(judge.battle, judge.unit, judge.target)
    for made in sorted(found, key=lambda made: math.dist(made.charger.centre, to)):
        if made.score >= judge.best.score and (wire := _judged(judge, made)) is not None:
            return wire
    return judge.encode(None)

"""Charges of ranked blocks: can the charger reach the side it must strike, how, and touching whom?

Serves t9a:11.E (one wheel, alignment, contact maximised in order of priority) and wfb3:7.1 (paid by
the path, alignment bounded). Enemies that may not be touched are obstacles at `APART`; the fewest
that must be touched (t9a:11.E.d-p1) are found by the game, asking again with some of them at 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from grognard.kernel.formation.arcs import located_arc
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import Lay, Score
from grognard.kernel.formation.charging.lanes import Lane
from grognard.kernel.formation.charging.round_bases import round_charges, round_reachable
from grognard.kernel.formation.charging.scene import Charge, ChargeRules, Scene, scene
from grognard.kernel.formation.charging.yielding import may_yield, yielding_charge
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Rect, Side
from grognard.kernel.geometry.units import TOUCH


def struck_side(charger: Block, target: Block) -> Side:
    """The side a charger must strike: where the middle of its front, or its disc, is located.

    A round target has only a front (t9a:3.B.h, t9a:11.C-side).
    """
    if target.is_round:
        return Side.FRONT
    return located_arc(target.boundary, charger.centre if charger.is_round else charger.front)


def charges(
    charger: Block,
    target: Block,
    *,
    side: Side | None = None,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    score: Score | None = None,
    field: Field | None = None,
    thorough: bool = True,
) -> Iterator[Charge]:
    """For every place at the side that can be reached its cheapest charge, best contact first; not `thorough`, only
    places tried.

    The target is turned only if nothing else will do, and then as little as found possible
    (t9a:11.E.d-p3).
    """
    at = scene(charger, target, side or struck_side(charger, target), obstacles, rules, field)
    if charger.is_round or target.is_round:
        yield from round_charges(at, score)
        return
    places = at.lays(score)
    reached = False
    for lay in places:
        if (found := _flush_charge(at, lay)) is not None:
            reached = True
            yield found
    if not reached and thorough:
        yield from _other_charges(at, score)


def _other_charges(at: Scene, score: Score | None) -> Iterator[Charge]:
    """Where no place tried is reached: at the very end of the budget, or along any free strip, the target turned if it
    must and may be.
    """
    found = _just_in_reach(at, score) if at.rules.budget < math.inf else yielding_charge(at, score)
    if found is not None:
        yield found


def can_charge(
    charger: Block,
    target: Block,
    *,
    side: Side | None = None,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    field: Field | None = None,
) -> bool:
    """Whether any charge is possible, whatever its contact: a few places in the open first, then all of them."""
    at = scene(charger, target, side or struck_side(charger, target), obstacles, rules, field)
    if not (charger.is_round or target.is_round):
        limit = (target.boundary.span(at.side) + charger.width) / 2 - 2 * TOUCH
        straight = [] if at.straight is None else [at.straight[0]]
        for offset in (*straight, 0.0, limit / 2, -limit / 2):
            flush = at.flush(offset)
            if at.stands_free(flush) and _lane_to(at, flush, offset) is not None:
                return True
        if at.any_place():
            return True
        return may_yield(at) if at.rules.budget == math.inf else _just_in_reach(at, None) is not None
    return round_reachable(at)


def best_charge(
    charger: Block,
    target: Block,
    *,
    side: Side | None = None,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    score: Score | None = None,
    field: Field | None = None,
) -> Charge | None:
    """The charge with the best contact, then the shortest; None when there is no room."""
    best: Charge | None = None
    for found in charges(charger, target, side=side, obstacles=obstacles, rules=rules, score=score, field=field):
        if best is not None and found.score < best.score:
            break
        if best is None or found.cost < best.cost - TOUCH:
            best = found
    return best


def shortest_charge(
    charger: Block,
    target: Block,
    *,
    side: Side | None = None,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    field: Field | None = None,
) -> Charge | None:
    """The charge whose path costs least, whatever its contact: the distance a charge needs (wfb3:7.1)."""
    found = charges(charger, target, side=side, obstacles=obstacles, rules=rules, field=field)
    best = min(found, key=lambda charge: charge.cost, default=None)
    if best is None or best.target_turn or charger.is_round or target.is_round:
        return best
    return _shortened(scene(charger, target, best.side, obstacles, rules, field), best, None)


def charge_at(
    charger: Block,
    target: Block,
    offset: float,
    *,
    side: Side,
    obstacles: Sequence[Obstacle] = (),
    rules: ChargeRules | None = None,
    score: Score | None = None,
    field: Field | None = None,
) -> Charge | None:
    """The cheapest charge to one place at a side, its middle `offset` mm to the charger's right of the side's."""
    if charger.is_round or target.is_round:
        return None
    at = scene(charger, target, side, obstacles, rules, field)
    return _flush_charge(at, at.laying(score).at(offset))


def _just_in_reach(at: Scene, score: Score | None) -> Charge | None:
    """A charge at the very end of the budget, between the places tried."""
    endless = msgspec.structs.replace(at, rules=msgspec.structs.replace(at.rules, budget=math.inf))
    found = (_flush_charge(endless, lay) for lay in endless.lays(score))
    best = min((c for c in found if c is not None), key=lambda charge: charge.cost, default=None)
    if best is None:
        return None
    best = _shortened(endless, best, score)
    return best if best.cost <= at.rules.budget + TOUCH else None


def _shortened(at: Scene, best: Charge, score: Score | None) -> Charge:
    """A charge slid along the side to where its path is shortest."""
    laying = at.laying(score)
    offset = at.flush(0.0).local(best.charger.boundary.centre)[0]
    step = 8.0
    while step > TOUCH / 2:
        beside = [o for o in (offset - step, offset + step) if abs(o) <= laying.limit]
        tried = [(c, o) for o in beside if (c := _flush_charge(at, laying.at(o))) is not None]
        better = min(tried, key=lambda pair: pair[0].cost, default=None)
        if better is not None and better[0].cost < best.cost - 1e-6:
            best, offset = better
        else:
            step /= 2
    return best


def _lane_to(at: Scene, flush: Rect, offset: float) -> Lane | None:
    """The cheapest clear lane to a free place at the side, with a wheel or without."""
    straight = at.straight
    if straight is not None and abs(straight[0] - offset) < 0.01:
        ahead = straight[1]
        # nothing is shorter than straight ahead
        if ahead.cost <= at.rules.budget + 1e-6 and at.turn_is_clear(ahead, flush) and at.path_is_clear(ahead):
            return ahead
    return at.cheapest(flush)


def _flush_charge(at: Scene, lay: Lay) -> Charge | None:
    """The cheapest charge to a place at the side that leaves the target where it stands."""
    flush = at.flush(lay.offset)
    made = _lane_to(at, flush, lay.offset) if at.stands_free(flush) else None
    if made is None:
        return None
    return Charge(
        path=at.steps(made),
        side=at.side,
        point=made.anchor,
        charger_turn=made.turn,
        target_turn=0.0,
        charger=at.charger.on(flush),
        target=at.target,
        meeting=lay.meeting,
        score=lay.score,
        cost=made.cost,
    )

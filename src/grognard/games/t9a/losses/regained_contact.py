"""t9a:15.D.f  Units that lost contact are nudged back into it, or drop out of the combat."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Engagement, Unit
from grognard.games.t9a.table import contacts
from grognard.games.t9a.table.ground import walls
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, blocked, gap, too_near
from grognard.kernel.geometry.units import TOUCH, heading
from grognard.kernel.questions import Pick, Script, option


def restore(battle: Battle, units: Collection[str], hurt: Collection[str]) -> Script[None]:
    """t9a:15.D.f  After the casualties of a step, engaged units that no longer touch are brought together again; of
    orders that help equally many and end differently the active player chooses (as mustered, if he does not mind).
    """
    orders = _orders(battle, apart(battle, units), hurt)
    place = 0
    while len(orders) > 1:
        ends = dict.fromkeys(order[place] for order, _ in orders)
        first = next(iter(ends))
        if len(ends) > 1 and len({end for _, end in orders}) > 1:
            options = [option(f"{e.a}+{e.b}", e, about=(e.a, e.b)) for e in ends]
            picked = yield Pick(battle.active, "nudge.next", options, optional=True, aside=True, rule="t9a:15.D.f")
            first = picked or first
        orders = [(order, end) for order, end in orders if order[place] == first]
        place += 1
    if orders:
        _carry_out(battle, orders[0][0], hurt)


def settle(battle: Battle, units: Collection[str], hurt: Collection[str]) -> list[Engagement]:
    """t9a:15.D.f  Bring together what lost contact, in the first order that helps most units; those who drop out."""
    orders = _orders(battle, apart(battle, units), hurt)
    return _carry_out(battle, orders[0][0], hurt) if orders else []


def _orders(
    battle: Battle, lost: Sequence[Engagement], hurt: Collection[str]
) -> list[tuple[tuple[Engagement, ...], str]]:
    """Every order of mending that leaves fewest apart, and how all would then stand."""
    orders = list(itertools.islice(itertools.permutations(lost), 24)) if lost else []
    if len(orders) < 2:
        return [(order, "") for order in orders]
    found = []
    for order in orders:
        trial = battle.copy()
        out = _mended(trial, order, hurt)
        stand = [(u.id, u.block) for u in trial.on_table()]
        found.append((len(out), order, repr((sorted((e.a, e.b) for e in out), stand))))
    best = min(count for count, _, _ in found)
    return [(order, end) for count, order, end in found if count == best]


def _carry_out(battle: Battle, order: Sequence[Engagement], hurt: Collection[str]) -> list[Engagement]:
    battle.cite("t9a:15.D.f")
    out = _mended(battle, order, hurt)
    for engagement in out:
        battle.disengage(battle.units[engagement.a], battle.units[engagement.b])
        battle.tell("combat.contact-lost", "t9a:15.D.f", (engagement.a, engagement.b))
    return out


def apart(battle: Battle, units: Collection[str]) -> list[Engagement]:
    """Engagements of the units whose models no longer touch; those with a unit that is gone end here."""
    found = []
    for engagement in list(battle.engagements):
        if engagement.a not in units and engagement.b not in units:
            continue
        a, b = battle.units[engagement.a], battle.units[engagement.b]
        if a.where != "table" or b.where != "table":
            battle.disengage(a, b)
        elif not contacts.contact_numbers(battle, a, engagement.a_side, b, engagement.b_side).pairs:
            found.append(engagement)
    return found


def _mended(battle: Battle, order: Sequence[Engagement], hurt: Collection[str]) -> list[Engagement]:
    """Nudge in this order; what could not be brought together."""
    out = []
    for e in order:
        a, b = battle.units[e.a], battle.units[e.b]
        if contacts.contact_numbers(battle, a, e.a_side, b, e.b_side).pairs:
            continue
        if not _together(battle, a, e.a_side, b, e.b_side, hurt):
            out.append(e)
    return out


def _together(battle: Battle, a: Unit, a_side: Edge, b: Unit, b_side: Edge, hurt: Collection[str]) -> bool:
    """The unit that lost contact without losses moves first; else the other. Never one that touches other enemies."""
    first, second = (a, b) if a.id not in hurt else (b, a) if b.id not in hurt else _active_first(battle, a, b)
    for mover, anchor in ((first, second), (second, first)):
        if any(foe.id != anchor.id and battle.touching(mover, foe) for foe, _, _ in battle.foes(mover)):
            continue
        mine, theirs = (a_side, b_side) if mover is a else (b_side, a_side)
        found = nudge(battle, mover, anchor, mine, theirs)
        if found is not None:
            battle.put(mover, found)
            battle.tell("unit.nudged", "t9a:15.D.f", (mover.id, anchor.id))
            return True
    return False


def _active_first(battle: Battle, a: Unit, b: Unit) -> tuple[Unit, Unit]:
    return (a, b) if a.seat == battle.active else (b, a)


def nudge(battle: Battle, mover: Unit, anchor: Unit, mine: Edge, theirs: Edge) -> Block | None:
    """The least straight move, or two at a right angle, that brings the sides together again."""
    block, other = battle.block(mover), battle.block(anchor)
    if block.is_round or other.is_round:
        return _straight_to(battle, mover, anchor, block, other)
    square, along = offsets(block, other, mine, theirs)
    hx, hy = heading(block.facing)
    for far in sorted(along, key=abs):
        right, ahead = (square, far) if mine.is_flank else (far, square)
        moved = block.placed((block.x + hx * ahead + hy * right, block.y + hy * ahead - hx * right), block.facing)
        if _fits(battle, mover, anchor, moved) and _way_there(battle, mover, block, right, ahead):
            return moved
    return None


def _way_there(battle: Battle, mover: Unit, block: Block, right: float, ahead: float) -> bool:
    """Whether one of the two ways, first along one direction and then the other, crosses no unit and no rock."""
    hx, hy = heading(block.facing)
    legs = (Shift(hx * ahead, hy * ahead), Shift(hy * right, -hx * right))
    solid = [battle.block(o).outline for o in battle.on_table() if o.id != mover.id]
    solid += [w.outline for w in walls(battle)]
    for first, second in (legs, legs[::-1]):
        after = first.carry(block.outline)
        if not any(blocked(block.outline, first, o) or blocked(after, second, o) for o in solid):
            return True
    return False


def offsets(block: Block, other: Block, mine: Edge, theirs: Edge) -> tuple[float, list[float]]:
    """How far to go square to the engaged side, and how far along it, for the sides to touch (mm, right or ahead)."""
    frame = block.boundary
    ours = [frame.local(p) for p in frame.side(mine)]
    them = [frame.local(p) for p in other.boundary.side(theirs)]
    out = 0 if mine.is_flank else 1
    low, high = sorted((ours[0][1 - out], ours[1][1 - out]))
    lo, hi = sorted((them[0][1 - out], them[1][1 - out]))
    along = [0.0]
    if high < lo or hi < low:
        along = [lo - high if high < lo else hi - low]
    more = [lo - high + w for w in (0.02, 10.0, 25.0)] + [hi - low - w for w in (0.02, 10.0, 25.0)]
    return them[0][out] - ours[0][out], along + more


def _straight_to(battle: Battle, mover: Unit, anchor: Unit, block: Block, other: Block) -> Block | None:
    apart = gap(block.outline, other.outline)
    (ax, ay), (bx, by) = block.centre, other.centre
    far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
    moved = block.placed((block.x + (bx - ax) / far * apart, block.y + (by - ay) / far * apart), block.facing)
    return moved if _fits(battle, mover, anchor, moved) else None


def _fits(battle: Battle, mover: Unit, anchor: Unit, block: Block) -> bool:
    """Touching the anchor, on the board, not on anything, and touching no enemy it did not touch before."""
    if gap(block.outline, battle.block(anchor).outline) > 2 * TOUCH or not battle.field.holds(
        block.outline, Shift(0.0, 0.0)
    ):
        return False
    if too_near(block.outline, battle.block(anchor).outline, 0.0):
        return False
    known = {foe.id for foe, _, _ in battle.foes(mover)}
    for other in battle.on_table():
        if other.id in (mover.id, anchor.id):
            continue
        near = 0.0 if other.seat == mover.seat or other.id in known else 0.2
        if too_near(block.outline, battle.block(other).outline, near):
            return False
    return not any(too_near(block.outline, w.outline, 0.0) for w in walls(battle))


#: Places are written with a few decimals: bases that line up but for this much (mm) are meant to.
HAIR = 0.3


def to_line_up(block: Block, other: Block, side: Edge, theirs: Edge) -> float:
    """How far (mm, to the right or ahead) until an edge of a model's base lines up with one of an enemy's, where only
    rounding keeps them from it.
    """
    across = 1 if side.is_flank else 0

    def edges(of: Block, edge: Edge) -> list[float]:
        start = min(block.boundary.local(p)[across] for p in of.boundary.side(edge))
        cell = (of.base.length if edge.is_flank else of.base.width) + of.spacing
        return [start + n * cell for n in range(round(of.boundary.span(edge) / cell) + 1)]

    apart = [b - a for a in edges(block, side) for b in edges(other, theirs)]
    least = min(apart, key=abs)
    return least if abs(least) <= HAIR else 0.0


def lined_up(block: Block, other: Block, side: Edge, theirs: Edge) -> Block:
    """The block moved along an enemy's side by what rounding left between the edges of their bases."""
    along = to_line_up(block, other, side, theirs)
    hx, hy = heading(block.facing)
    dx, dy = (hx * along, hy * along) if side.is_flank else (hy * along, -hx * along)
    return block.placed((block.x + dx, block.y + dy), block.facing)

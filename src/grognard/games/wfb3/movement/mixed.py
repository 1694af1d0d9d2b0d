"""Chapter 5.7.2: mixed formations: two differently armed units that stand and move as one.

`unit.mixed` names the other part, `unit.post` says which it is: front and rear, or centre and flanks. The part in front
or in the centre leads: it is the one that is moved, and the other goes with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.table import ground, layouts, seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block, Seat
from grognard.kernel.formation.contact import touching
from grognard.kernel.formation.shapes import Point, turn_between
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, heading, inches
from grognard.kernel.questions import Option, Pick, Roll, Script

RULE, SWAP, LOSSES, CHARGED = (
    "wfb3:5.7.2-mixed", "wfb3:5.7.2-mixed-swap", "wfb3:5.7.2-mixed-losses", "wfb3:5.7.2-mixed-charged",
)  # fmt: skip
KINDS = ("mixed", "swap-ranks", "front-to-flanks", "rear-to-flanks", "dissolve")
LEADS = ("front", "centre")


def partner(battle: Battle, unit: Unit) -> Unit | None:
    """The other part, while both are on the table and in order."""
    other = battle.units.get(unit.drill.mixed)
    if other is None or other.where != "table" or unit.where != "table" or other.drill.mixed != unit.id:
        return None
    return other


def in_line(battle: Battle, unit: Unit) -> bool:
    """Whether the other part stands beside a unit.

    Ruling: then neither part extends its front or wraps round an enemy.
    """
    return partner(battle, unit) is not None and unit.drill.post in ("centre", "flanks")


def leads(battle: Battle, unit: Unit) -> bool:
    return partner(battle, unit) is None or unit.drill.post in LEADS


def part(battle: Battle, unit: Unit) -> None:
    """The parts are units of their own again.

    Ruling: wings fall in behind the centre, or on its left where there is no room behind it.
    """
    other = battle.units.get(unit.drill.mixed)
    wings = next((u for u in (unit, other) if u is not None and u.drill.post == "flanks"), None)
    centre = other if wings is unit else unit
    for one in (unit, other):
        if one is not None:
            one.drill = one.drill.but(mixed="", post="")
    if wings is None or wings.block is None or not wings.block.seats or wings.drill.formation != "ranks":
        return
    places = [layouts.bare(wings.block)]
    if centre is not None and centre.block is not None:
        places.insert(0, behind(centre.block, wings.block))
    for made in places:
        if not ground.fits(battle, wings, made):
            wings.block = made
            seating.swap_in(battle, wings)
            return


# ---------------------------------------------------------------------- where they stand


def behind(front: Block, rear: Block) -> Block:
    """wfb3:5.7.2-mixed  The rear part against the back of the front one, whose short rank stands between them."""
    hx, hy = heading(front.facing)
    plain = msgspec.structs.replace(layouts.bare(rear), files=min(front.files, rear.troops), rear=())
    return plain.placed((front.x - front.depth * hx, front.y - front.depth * hy), front.facing)


def flanking(centre: Block, wings: Block) -> Block:
    """wfb3:5.7.2-mixed  One part in two halves on the flanks of the other: the left in ranks, the right at seats."""
    left = math.ceil(wings.troops / 2)
    deep = max(1, centre.ranks)
    wide, long = wings.base.width, wings.base.length
    files = [max(1, math.ceil(n / deep)) for n in (left, wings.troops - left)]
    hx, hy = heading(centre.facing)
    out = centre.width / 2 + files[0] * wide / 2
    ranked = msgspec.structs.replace(layouts.bare(wings), files=files[0], rear=(), seats=())
    start = centre.width + files[0] * wide / 2
    seats = []
    for number in range(wings.troops - left):
        rank, file = divmod(number, files[1])
        seats.append(Seat(start + (file + 0.5) * wide, (rank + 0.5) * long, 0.0, files[0] + file, rank))
    made = msgspec.structs.replace(ranked, seats=tuple(seats))
    return made.placed((centre.x - out * hy, centre.y + out * hx), centre.facing)


def combined(battle: Battle, unit: Unit) -> Block:
    """Both parts as one body, for a move."""
    lead, other = battle.block_of(unit), partner(battle, unit)
    assert other is not None
    rect = lead.boundary
    seats = []
    for place in (*lead.places, *battle.block_of(other).places):
        right, ahead = rect.local((place.pose.x, place.pose.y))
        seats.append(
            Seat(right, rect.length / 2 - ahead, turn_between(lead.facing, place.pose.facing), place.file, place.rank)
        )
    wide = max(s.right for s in seats) - min(s.right for s in seats) + lead.base.width
    deep = max(s.back for s in seats) + lead.base.length / 2
    return msgspec.structs.replace(
        lead, files=max(1, round(wide / lead.base.width)), troops=len(seats), rear=(), guests=(), seats=tuple(seats),
        box=max(1, round(deep / lead.base.length)),
    )  # fmt: skip


def carry(battle: Battle, unit: Unit, before: Block, after: Block) -> None:
    """The other part goes where the leading one has gone, in its old place beside it.

    Ruling: where there is no room for it there it stays behind, and the parts are units of their own again.
    """
    other = partner(battle, unit)
    if other is None or other.block is None:
        return
    right, ahead = before.boundary.local(other.block.front)
    out = before.boundary.half_length - ahead
    hx, hy = heading(after.facing)
    spot: Point = (after.x + right * hy - out * hx, after.y - right * hx - out * hy)
    turned = other.block.facing + turn_between(before.facing, after.facing)
    placed = other.block.placed(spot, turned)
    if ground.fits(battle, other, placed, ignoring=[unit.id, *(f.id for f, _, _ in battle.foes(unit))]):
        part(battle, unit)
        battle.tell("mixed", RULE, (unit.id, other.id), array="none")
        return
    battle.form(other, placed)
    other.march = other.march.but(moved=unit.march.moved)


def form_up(battle: Battle, unit: Unit, other: Unit, how: str) -> bool:
    """Both parts in their places: `how` is behind or flanks, of the other part. False where there is no room."""
    lead = battle.block_of(unit)
    if lead.guests or battle.block_of(other).guests or lead.base != battle.block_of(other).base:
        return False
    placed = behind(lead, battle.block_of(other)) if how == "behind" else flanking(lead, battle.block_of(other))
    unit.drill = unit.drill.but(mixed=other.id)
    other.drill = other.drill.but(mixed=unit.id)
    if ground.fits(battle, other, placed, ignoring=[unit.id]):
        return False
    posts = ("front", "rear") if how == "behind" else ("centre", "flanks")
    unit.drill, other.drill = unit.drill.but(post=posts[0]), other.drill.but(post=posts[1])
    other.block = placed
    seating.swap_in(battle, other)
    return True


# ---------------------------------------------------------------------- manoeuvres


def offers(battle: Battle, unit: Unit) -> list[Option]:
    """wfb3:5.7.2-mixed, wfb3:5.7.2-mixed-swap  Joining a neighbour, changing places with the other part, parting."""
    if partner(battle, unit) is None:
        return [Option("mixed", "mixed", "option.mixed.form")] if neighbours(battle, unit) else []
    kinds = ("swap-ranks", "front-to-flanks", "rear-to-flanks") if unit.drill.post == "front" else ("swap-ranks",)
    return [Option(kind, kind, f"option.mixed.{kind}") for kind in (*kinds, "dissolve")]


def neighbours(battle: Battle, unit: Unit) -> list[Unit]:
    """Differently armed friends in contact, on the same bases."""
    if unit.kind not in ("infantry", "cavalry") or unit.drill.formation != "ranks" or battle.block_of(unit).guests:
        return []
    return [
        u
        for u in battle.friends(unit)
        if u.kind == unit.kind and u.drill.formation == "ranks" and not u.drill.mixed and u.kit != unit.kit
        and not u.rout.routed and not battle.engaged(u) and not battle.block_of(u).guests
        and battle.block_of(u).base == battle.block_of(unit).base
        and gap(battle.block_of(u).outline, battle.block_of(unit).outline) <= 10 * TOUCH
    ]  # fmt: skip


def change(battle: Battle, unit: Unit, kind: str) -> Script[None]:
    """wfb3:5.7.2-mixed-swap  A simple manoeuvre of the whole formation."""
    if kind == "dissolve":
        part(battle, unit)
        battle.tell("mixed", RULE, (unit.id,), array="none")
        return
    unit.march = unit.march.but(manoeuvres=unit.march.manoeuvres + 1)
    if unit.march.manoeuvres > 1 and not (yield from tests.ld(battle, unit, "manoeuvre", "wfb3:5.6.1-second-third")):
        unit.march = unit.march.but(halted=True, done=True)
        battle.tell("manoeuvre.failed", SWAP, (unit.id,), step=kind)
        return
    if kind == "mixed":
        options = [Option(u.id, u, about=(u.id,)) for u in neighbours(battle, unit)]
        other = yield Pick(unit.seat, "mixed.with", options, rule=RULE, about=(unit.id,))
        other.march = other.march.but(done=True)
        exchange(battle, unit, other, "behind", RULE)
        return
    rearrange(battle, unit, kind)


def rearrange(battle: Battle, unit: Unit, kind: str) -> Unit:
    """The parts change places; which of them leads afterwards."""
    other = partner(battle, unit)
    assert other is not None
    if kind == "rear-to-flanks":
        return exchange(battle, unit, other, "flanks", SWAP)
    if kind == "front-to-flanks":
        return exchange(battle, other, unit, "flanks", SWAP)
    if unit.drill.post == "centre":
        return exchange(battle, unit, other, "behind", SWAP)
    return exchange(battle, other, unit, "behind", SWAP)


def exchange(battle: Battle, lead: Unit, other: Unit, how: str, rule: str) -> Unit:
    """One part leads where the formation's front was, the other stands behind it or on its flanks."""
    old = battle.block_of(lead if lead.drill.post != "rear" else other)
    kept = lead.block, other.block, (lead.drill.post, other.drill.post), lead.models, other.models
    plain = layouts.bare(battle.block_of(lead))
    files = old.files if lead.drill.post == "rear" else plain.files
    lead.block = msgspec.structs.replace(plain, files=min(files, plain.troops), rear=()).placed(old.front, old.facing)
    lead.drill = lead.drill.but(mixed=other.id)
    other.drill = other.drill.but(mixed=lead.id)
    if ground.fits(battle, lead, lead.block, ignoring=[other.id]) or not form_up(battle, lead, other, how):
        lead.block, other.block, posts, lead.models, other.models = kept
        lead.drill, other.drill = lead.drill.but(post=posts[0]), other.drill.but(post=posts[1])
        battle.tell("manoeuvre.no-room", "wfb3:5.5-base", (lead.id,), step=how, other="")
        return lead if lead.drill.post in LEADS else other
    seating.swap_in(battle, lead)
    when = battle.clock if lead.seat == battle.active else lead.march.moved
    lead.march = lead.march.but(moved=when)
    other.march = other.march.but(moved=when)
    lead.march = lead.march.but(manoeuvres=max(lead.march.manoeuvres, other.march.manoeuvres), done=False)
    other.march = other.march.but(done=True)
    battle.tell("mixed", rule, (lead.id, other.id), array=how)
    return lead


def join_in(battle: Battle, unit: Unit, target: Unit, side: Edge) -> None:
    """wfb3:5.7.2-mixed  Both parts of a formation fight: whoever of the other part touches the enemy is engaged too."""
    for mine in (unit, partner(battle, unit)):
        for theirs in (target, partner(battle, target)):
            if mine is None or theirs is None or (mine is unit and theirs is target):
                continue
            if _flush(battle.block_of(mine), battle.block_of(theirs)):
                battle.cite(RULE)
                battle.engage(mine, Edge.FRONT, theirs, side)


def _flush(mine: Block, theirs: Block) -> bool:
    """Whether somebody of one block touches somebody of another, and not by a corner alone."""
    for one, two in touching(mine, theirs, corners=False):
        a, b = mine.places[one].rect, theirs.places[two].rect
        right, ahead = (abs(n) for n in a.local(b.centre))
        if right < a.half_width + b.half_width - 1.0 or ahead < a.half_length + b.half_length - 1.0:
            return True
    return False


def shooter(battle: Battle, unit: Unit, can: Callable[[Unit], bool]) -> Unit:
    """wfb3:5.7.2-mixed-charged  The part of a charged formation that shoots at chargers: the other where it alone can.

    Ruling: missiles on the flanks shoot whichever part the charge is declared on.
    """
    other = partner(battle, unit)
    if other is None or other.drill.post not in ("flanks", "centre") or can(unit) or not can(other):
        return unit
    battle.cite(CHARGED)
    return other


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:5.7.2-mixed  The part that does not lead goes with the other."""
    if leads(battle, unit):
        return None
    return Refusal("refuse.move.mixed", RULE, {"unit": unit.id, "other": unit.drill.mixed})


def charged(battle: Battle, charger: Unit, target: Unit) -> Script[None]:
    """wfb3:5.7.2-mixed-charged  Charged, it may try to change places: a test, or it fights as it stands, confused."""
    other = partner(battle, target)
    away = target.rout.routed or target.rout.fled == battle.clock
    if (
        other is None
        or target.drill.post not in LEADS
        or battle.engaged(target)
        or away
        or target.drill.formation == "square"
    ):
        return
    options = [o for o in offers(battle, target) if o.key != "dissolve"]
    about = (target.id, charger.id)
    kind = yield Pick(target.seat, "charge.exchange", options, optional=True, rule=CHARGED, about=about)
    if kind is None:
        return
    if not (yield from tests.ld(battle, target, "manoeuvre", CHARGED, (charger.id,))):
        target.drill = target.drill.but(muddled=battle.clock)
        other.drill = other.drill.but(muddled=battle.clock)
        battle.tell("mixed.muddled", CHARGED, (target.id, charger.id))
        return
    new = rearrange(battle, target, kind)
    for unit in battle.army(battle.active):
        if unit.charge.target == target.id:
            unit.charge = unit.charge.but(target=new.id)
    new.charge = new.charge.but(answered=target.charge.answered)


# ---------------------------------------------------------------------- losses and rout


def share(battle: Battle, seat: str, target: Unit, hits: int) -> Script[list[tuple[Unit, int]]]:
    """wfb3:5.7.2-mixed-losses  Missiles strike either part at random, by numbers; blows the part that fights."""
    other = partner(battle, target)
    assert other is not None
    mine, theirs = battle.size(target), battle.size(other)
    sides = 6 if 6 * mine % (mine + theirs) == 0 else 100
    faces = yield Roll(seat, "shoot.part", sides, hits, rule=LOSSES, about=(target.id, other.id))
    struck = sum(face * (mine + theirs) <= sides * mine for face in faces)
    return [(u, n) for u, n in ((target, struck), (other, hits - struck)) if n]


def close_up(battle: Battle, unit: Unit) -> None:
    """wfb3:5.7.2-mixed  After losses the part that does not lead stands against the other again.

    Ruling: where it has no room to, or fights enemies of its own, it stays, and the parts are units of their own.
    """
    other = partner(battle, unit)
    if (
        other is None
        or unit.rout.routed
        or other.rout.routed
        or "square" in (unit.drill.formation, other.drill.formation)
    ):
        return
    lead, second = (unit, other) if unit.drill.post in LEADS else (other, unit)
    front, old = battle.block_of(lead), battle.block_of(second)
    made = behind(front, old) if second.drill.post == "rear" else flanking(front, old)
    if made == old:
        return
    if battle.engaged(second) or ground.fits(battle, second, made, ignoring=[lead.id]):
        if gap(old.outline, front.outline) > 10 * TOUCH:
            part(battle, lead)
            battle.tell("mixed", RULE, (lead.id, second.id), array="none")
        return
    battle.cite(RULE)
    second.block = made
    seating.swap_in(battle, second)


def rout_together(battle: Battle, unit: Unit) -> Unit | None:
    """wfb3:5.7.2-mixed, wfb3:8.2.1-mixed  Where one part routs the other runs too; they stay together as they run."""
    other = partner(battle, unit)
    return other if other is not None and not other.rout.routed else None


def pace(battle: Battle, unit: Unit, far: float) -> float:
    """wfb3:8.2.1-mixed  Routed parts run at the rate of the slower."""
    other = partner(battle, unit)
    if other is None or not other.rout.routed:
        return far
    battle.cite("wfb3:8.2.1-mixed")
    return min(far, inches(float(stats.doubled(battle, other, "rout").value)))


# ---------------------------------------------------------------------- squares


def square(battle: Battle, unit: Unit) -> Script[bool]:
    """wfb3:5.7.3-square-mixed  A square of two parts: one of them in the corners, or as an inner square."""
    other = partner(battle, unit)
    assert other is not None
    ways = (("corners", "option.square.corners"), ("inner", "option.square.inner"))
    options = [Option(f"{u.id}-{key}", (u, key), text, (u.id,)) for u in (other, unit) for key, text in ways]
    inner, where = yield Pick(unit.seat, "square.mixed", options, rule="wfb3:5.7.3-square-mixed", about=(unit.id,))
    lead, second = battle.block_of(unit), battle.block_of(other)
    deep = lead.ranks + second.ranks if unit.drill.post == "front" else lead.ranks
    whole = layouts.square(msgspec.structs.replace(layouts.bare(lead), troops=lead.troops + second.troops), deep)
    chosen = battle.block_of(inner).troops
    ordered = sorted(whole.seats, key=lambda s: _inwards(whole, s, where))
    parts = {inner.id: ordered[:chosen], (unit if inner is other else other).id: ordered[chosen:]}
    for one in (unit, other):
        seats = tuple(s for s in whole.seats if s in parts[one.id])
        made = msgspec.structs.replace(whole, troops=len(seats), seats=seats)
        if ground.fits(battle, one, made, ignoring=[unit.id, other.id]):
            return False
        one.block = made
        one.drill = one.drill.but(formation="square")
        one.march = one.march.but(done=True, moved=battle.clock)
        seating.swap_in(battle, one)
    battle.tell("formation", "wfb3:5.7.3-square-mixed", (unit.id, other.id), formation="square")
    return True


def _inwards(whole: Block, seat: Seat, where: str) -> tuple[float, float, float]:
    """Seats of a square by how well they suit the second part: nearest a corner, or innermost."""
    half = whole.width / 2
    corner = math.hypot(half - abs(seat.right), half - abs(seat.back - half))
    return (corner, seat.back, seat.right) if where == "corners" else (-seat.rank, seat.back, seat.right)

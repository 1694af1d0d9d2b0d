"""t9a:16.B  Taking casualties out of a block: from the rear, or from the ends of a single rank."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.t9a import seating
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.block import Block, Post
from grognard.kernel.formation.contact import meeting, meeting_round
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, heading


def remove(battle: Battle, unit: Unit, troops: int, guests: Sequence[str]) -> bool:
    """t9a:16.B.a-16.B.e  Take casualties out; True where nothing is left of the unit (t9a:16.B.d)."""
    if troops == 0 and not guests:
        return False
    before = unit.block
    wants = _wants(unit)
    unit.troops -= troops
    if unit.troops <= 0:
        unit.troops, unit.lost = 0, 0
    dead = [g for g in guests if g in unit.guests]
    for key in dead:
        _drop(battle, unit, key)
    _command(battle, unit)
    if battle.size(unit) == 0:
        battle.cite("t9a:16.B.d")
        return True
    if before is None:
        return False
    if dead:
        battle.cite("t9a:16.B.c", "t9a:21.A.b.3-gap")
    battle.put(unit, closed_up(battle, unit, before, {k: w for k, w in wants.items() if k in unit.guests}))
    return False


def _drop(battle: Battle, unit: Unit, key: str) -> None:
    from grognard.games.t9a.casualties import fall

    unit.guests = tuple(g for g in unit.guests if g != key)
    if unit.champion == key:
        unit.champion = ""
        battle.cite("t9a:21.C.e-champion")
    battle.tell("model.lost", "t9a:16.B.c", (key, unit.id))
    fall(battle, unit, key)


def _command(battle: Battle, unit: Unit) -> None:
    """t9a:21.C.e  Musician and Standard Bearer change places with plain Rank-and-File as long as there is one.

    Ruling: of two command models and one place left the Standard Bearer stays.
    """
    if unit.troops < int(unit.musician) + int(unit.standard):
        if unit.musician:
            unit.musician = False
            battle.tell("command.lost", "t9a:21.C.e", (unit.id,), who="musician")
        if unit.troops < int(unit.standard):
            unit.standard, unit.banner = False, ()
            battle.tell("command.lost", "t9a:21.C.e", (unit.id,), who="standard")
    elif unit.musician or unit.standard:
        battle.cite("t9a:21.C.e")


def corner(block: Block) -> Point:
    """Where the front left corner of the first file is, mismatching bases apart."""
    return block.boundary.at(block._margin(Post.LEFT) - block.boundary.half_width, block.boundary.half_length)


def at_corner(block: Block, point: Point, facing: float) -> Block:
    """The block with the front left corner of its first file at a point."""
    hx, hy = heading(facing)
    right = block.width / 2 - block._margin(Post.LEFT)
    return block.placed((point[0] + right * hy, point[1] - right * hx), facing)


def closed_up(battle: Battle, unit: Unit, before: Block, wants: dict[str, seating.Want]) -> Block:
    """The formation after casualties, its front where it was; a single rank gives way at its ends."""
    if unit.troops == 0:
        return _characters_alone(battle, unit, before)
    contracted = before.spacing > 0 and seating.spacing(battle, unit) == 0
    most = seating.widest(battle, unit)
    files = min(before.files, most)
    gone = before.files - files
    battle.cite("t9a:16.B.a")
    if unit.champion:
        battle.cite("t9a:21.C.a.3-casualty")
    if contracted:
        battle.cite("t9a:21.A.b.48-contract")
    if gone == 0:
        made = seating.shaped(battle, unit, files, wants)
        if made is None:
            made = seating.settle(battle, unit, files)
        return at_corner(made, corner(before), before.facing)
    battle.cite("t9a:16.B.e")
    return _narrowed(battle, unit, before, files, gone, wants)


def _wants(unit: Unit) -> dict[str, seating.Want]:
    """Where the guests stand."""
    if unit.block is None:
        return {}
    return {
        key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
        for key, g in zip(unit.guests, unit.block.guests, strict=True)
    }


def _narrowed(
    battle: Battle, unit: Unit, before: Block, files: int, gone: int, wants: dict[str, seating.Want]
) -> Block:
    """t9a:16.B.a, 16.B.b  From both ends as evenly as possible; engaged, so that contact suffers least."""
    best: tuple[tuple[float, ...], Block] | None = None
    engaged = battle.foes(unit)
    if engaged:
        battle.cite("t9a:16.B.b")
    cell = before.base.width + before.spacing
    for from_left in range(gone + 1):
        shifted = {k: (w[0] - from_left, w[1]) if isinstance(w, tuple) else w for k, w in wants.items()}
        shifted = {k: (min(max(w[0], 0), files - 1), w[1]) if isinstance(w, tuple) else w for k, w in shifted.items()}
        made = seating.shaped(battle, unit, files, shifted)
        if made is None:
            continue
        x, y = corner(before)
        hx, hy = heading(before.facing)
        stood = at_corner(made, (x + hy * cell * from_left, y - hx * cell * from_left), before.facing)
        rank = (*_contact_rank(battle, unit, stood), abs(from_left - gone / 2), from_left)
        if best is None or rank < best[0]:
            best = (rank, stood)
    return (
        best[1] if best is not None else at_corner(seating.settle(battle, unit, files), corner(before), before.facing)
    )


def _contact_rank(battle: Battle, unit: Unit, block: Block) -> tuple[float, ...]:
    """Units out of contact, then models in contact (more is better)."""
    lost, models = 0, 0
    for foe, ours, theirs in battle.foes(unit):
        other = battle.block(foe)
        if gap(block.outline, other.outline) > 2 * TOUCH:
            lost += 1
        elif other.is_round:
            models += len(meeting_round(block, ours, other))
        elif not block.is_round:
            met = meeting(block, ours, other, theirs)
            models += len(met.ours) + len(met.theirs)
    return (lost, -models)


def _characters_alone(battle: Battle, unit: Unit, before: Block) -> Block:
    """t9a:21.B.c  The Characters left of a unit stay together; Ruling: in one rank, about the middle of their old
    front.
    """
    battle.cite("t9a:21.B.c")
    unit.block = msgspec.structs.replace(before, guests=(), troops=1, files=1, rear=(), spacing=0.0)
    made = seating.settle(battle, unit, seating.widest(battle, unit), {})
    return made.placed(before.front, before.facing)

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
from grognard.kernel.formation.shapes import Side as Edge
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
    gaps = [w[0] for k in dead if isinstance(w := wants[k], tuple)] if not troops else []
    stay = {k: w for k, w in wants.items() if k in unit.guests}
    battle.put(unit, closed_up(battle, unit, before, stay, gaps[0] if len(gaps) == 1 else None))
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
            unit.musician, unit.fallen = False, (*unit.fallen, "musician")
            battle.tell("command.lost", "t9a:21.C.e", (unit.id,), who="musician")
        if unit.troops < int(unit.standard):
            unit.standard, unit.banner, unit.fallen = False, (), (*unit.fallen, "standard")
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


def closed_up(
    battle: Battle, unit: Unit, before: Block, wants: dict[str, seating.Want], gap_at: int | None = None
) -> Block:
    """The formation after casualties, its front where it was; a single rank gives way at its ends, or closes the one
    gap a fallen model left in it.
    """
    if unit.troops == 0:
        return _characters_alone(battle, unit, before)
    most = seating.widest(battle, unit)
    files = min(before.files, most)
    battle.cite("t9a:16.B.a")
    if unit.champion:
        battle.cite("t9a:21.C.a.3-casualty")
    if files == before.files:
        made = seating.shaped(battle, unit, files, wants)
        if made is None:
            made = seating.settle(battle, unit, files)
        return at_corner(made, corner(before), before.facing)
    battle.cite("t9a:16.B.e")
    return _narrowed(battle, unit, before, files, wants, gap_at)


def _wants(unit: Unit) -> dict[str, seating.Want]:
    """Where the guests stand."""
    if unit.block is None:
        return {}
    return {
        key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
        for key, g in zip(unit.guests, unit.block.guests, strict=True)
    }


def _narrowed(
    battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want], gap_at: int | None
) -> Block:
    """t9a:16.B.a, 16.B.b  From both ends as evenly as possible; engaged, so that contact suffers least.

    Ruling: where both ends are as good, the right gives up one more.
    """
    if battle.foes(unit):
        battle.cite("t9a:16.B.b")
    if gap_at is not None and before.files - files == 1:
        places = _slides(battle, unit, before, files, wants, gap_at)
    else:
        places = _narrowings(battle, unit, before, files, wants)
    if not places:
        return at_corner(seating.settle(battle, unit, files), corner(before), before.facing)
    return min(places, key=lambda p: p[:2])[2]


def _narrowings(
    battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want]
) -> list[tuple[tuple[float, ...], int, Block]]:
    """Every way to give up files at the ends: how good it is, how many go from the left, and the block."""
    gone = before.files - files
    cell = before.base.width + before.spacing
    found = []
    for from_left in range(gone + 1):
        shifted = {k: (w[0] - from_left, w[1]) if isinstance(w, tuple) else w for k, w in wants.items()}
        shifted = {k: (min(max(w[0], 0), files - 1), w[1]) if isinstance(w, tuple) else w for k, w in shifted.items()}
        made = seating.shaped(battle, unit, files, shifted)
        if made is None:
            continue
        x, y = corner(before)
        hx, hy = heading(before.facing)
        stood = at_corner(made, (x + hy * cell * from_left, y - hx * cell * from_left), before.facing)
        found.append(((*_contact_rank(battle, unit, stood), abs(from_left - gone / 2)), from_left, stood))
    return found


def _slides(
    battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want], gap_at: int
) -> list[tuple[tuple[float, ...], int, Block]]:
    """t9a:16.B.e  One half of a rank slides to close a gap: contact first, then as few models as possible move.

    Ruling: of two equal halves the right one slides.
    """
    closer = {k: (w[0] - (w[0] > gap_at), w[1]) if isinstance(w, tuple) else w for k, w in wants.items()}
    made = seating.shaped(battle, unit, files, closer)
    if made is None:
        return []
    x, y = corner(before)
    hx, hy = heading(before.facing)
    cell = before.base.width + before.spacing
    found = []
    for from_left, moved in ((0, before.files - 1 - gap_at), (1, gap_at)):
        stood = at_corner(made, (x + hy * cell * from_left, y - hx * cell * from_left), before.facing)
        found.append(((*_contact_rank(battle, unit, stood), float(moved)), from_left, stood))
    return found


def _contact_rank(battle: Battle, unit: Unit, block: Block) -> tuple[float, ...]:
    """t9a:16.B.b, 16.B.e  Units that drop out, units that lose contact, models in contact after all nudges."""
    from grognard.games.t9a import nudges

    lost = sum(not _meets(battle, unit, block, entry) for entry in battle.foes(unit))
    if not lost:
        return (0, 0, -sum(_meets(battle, unit, block, entry) for entry in battle.foes(unit)))
    trial = battle.copy()
    trial.put(trial.units[unit.id], block)
    out = len(nudges.settle(trial, [unit.id], [unit.id]))
    battle.cite("t9a:16.B.b-fig39")
    models = sum(_meets(trial, trial.units[unit.id], block, entry) for entry in trial.foes(trial.units[unit.id]))
    return (out, lost - out, -models)


def _meets(battle: Battle, unit: Unit, block: Block, entry: tuple[Unit, Edge, Edge]) -> int:
    """How many models of both would touch with the unit standing there."""
    foe, ours, theirs = entry
    other = battle.block(foe)
    if gap(block.outline, other.outline) > 2 * TOUCH:
        return 0
    if other.is_round:
        return 1 + len(meeting_round(block, ours, other))
    if block.is_round:
        return 1 + len(meeting_round(other, theirs, block))
    met = meeting(block, ours, other, theirs)
    return len(met.ours) + len(met.theirs)


def _characters_alone(battle: Battle, unit: Unit, before: Block) -> Block:
    """t9a:21.B.c  The Characters left of a unit stay together; Ruling: in one rank, about the middle of their old
    front.
    """
    battle.cite("t9a:21.B.c")
    if before.spacing:
        battle.cite("t9a:21.A.b.48-contract")
    unit.block = msgspec.structs.replace(before, guests=(), troops=1, files=1, rear=(), spacing=0.0)
    made = seating.settle(battle, unit, seating.widest(battle, unit), {})
    return made.placed(before.front, before.facing)

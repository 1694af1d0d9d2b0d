"""t9a:21.B.c  Chapter 16.B: How a unit closes up when models of it are gone: its ranks, its command, its Characters."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties, regained_contact
from grognard.games.t9a.units import seating
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block, Guest, Post
from grognard.kernel.formation.contact import meeting, meeting_round
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, heading

#: Ways to close up: how good, how many files go from the left, and the block.
Ways = list[tuple[tuple[float, ...], int, Block]]


def _drop(battle: Battle, unit: Unit, key: str) -> None:
    unit.guests = tuple(g for g in unit.guests if g != key)
    if unit.command.champion == key:
        unit.command = unit.command.but(champion="")
        battle.cite("t9a:21.C.e-champion")
    battle.tell("model.lost", "t9a:16.B.c", (key, unit.id))
    casualties.fall(battle, unit, key)


def drop_misfits(battle: Battle, unit: Unit) -> list[str]:
    """t9a:16.B.e  Where no formation of those who are left is legal, as few as possible of them fall as well."""
    found = seating.misfits(battle, unit)
    if found:
        battle.cite("t9a:16.B.e")
    for key in found:
        _drop(battle, unit, key)
    return list(found)


def _one_of_both(unit: Unit) -> bool:
    """One man is left where there were a Musician and a Standard Bearer."""
    return unit.troops == 1 and unit.command.musician and unit.command.standard


def command_left(battle: Battle, unit: Unit, first: str = "musician") -> None:
    """t9a:21.C.e  Musician and Standard Bearer change places with plain Rank-and-File as long as there is one.

    Ruling: who of two command models falls first, with no other man left, is their owner's choice; the Musician, if
    he does not mind.
    """
    if unit.troops >= int(unit.command.musician) + int(unit.command.standard):
        if unit.command.musician or unit.command.standard:
            battle.cite("t9a:21.C.e")
        return
    for who in (first, "standard" if first == "musician" else "musician"):
        if getattr(unit.command, who) and unit.troops < int(unit.command.musician) + int(unit.command.standard):
            unit.command = unit.command.but(**{who: False}, fallen=(*unit.command.fallen, who))
            if who == "standard" and unit.command.banner:
                battle.cite("t9a:16.B.f")
                unit.command = unit.command.but(banner=())
                unit.effects = tuple(e for e in unit.effects if not e.key.startswith("banner:"))
            battle.tell("command.lost", "t9a:21.C.e", (unit.id,), who=who)


def corner(block: Block) -> Point:
    """Where the front left corner of the first file is, mismatching bases apart."""
    return block.boundary.at(block._margin(Post.LEFT) - block.boundary.half_width, block.boundary.half_length)


def at_corner(block: Block, point: Point, facing: float) -> Block:
    """The block with the front left corner of its first file at a point."""
    hx, hy = heading(facing)
    right = block.width / 2 - block._margin(Post.LEFT)
    return block.placed((point[0] + right * hy, point[1] - right * hx), facing)


def gaps(before: Block, gone: Sequence[Guest]) -> tuple[int, ...]:
    """The files of the front rank in which guests stood who are no more there."""
    found = [g.file + n for g in gone if g.post is Post.RANKS and not g.rank for n in range(before.cells(g)[0])]
    return tuple(sorted(found))


def closed_up(
    battle: Battle, unit: Unit, before: Block, wants: dict[str, seating.Want], gaps: Sequence[int] = ()
) -> Block:
    """The formation after somebody left, its front where it was."""
    return closings(battle, unit, before, wants, gaps)[0]


def closings(
    battle: Battle, unit: Unit, before: Block, wants: dict[str, seating.Want], gaps: Sequence[int] = ()
) -> list[Block]:
    """The formation after casualties, its front where it was; a single rank gives way at its ends, or closes the gaps
    that
    fallen models of other pools left in it: every way that is as good as any (t9a:21.C.a.3-casualty)."""
    if unit.troops == 0:
        return _characters_alone(battle, unit, before, wants)
    most = seating.widest(battle, unit)
    files = min(before.files, most)
    battle.cite("t9a:16.B.a")
    if unit.command.champion:
        battle.cite("t9a:21.C.a.3-casualty")
    if files == before.files:
        made = seating.shaped(battle, unit, files, wants)
        if made is None:
            made = seating.settle(battle, unit, files)
        return [at_corner(made, corner(before), before.facing)]
    battle.cite("t9a:16.B.e")
    return _narrowed(battle, unit, before, files, wants, gaps)


def _narrowed(
    battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want], gaps: Sequence[int]
) -> list[Block]:
    """t9a:16.B.a, t9a:16.B.b  From both ends as evenly as possible; engaged, so that contact suffers least. The way in
    which the left end gives up least comes first.
    """
    if battle.foes(unit):
        battle.cite("t9a:16.B.b")
    if gaps and before.files - files == len(gaps):
        places = _slides(battle, unit, before, files, wants, gaps)
    else:
        places = _narrowings(battle, unit, before, files, wants)
    if not places:
        return [at_corner(seating.settle(battle, unit, files), corner(before), before.facing)]
    best = min(rank for rank, _, _ in places)
    return [block for rank, _, block in places if rank == best]


def _narrowings(battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want]) -> Ways:
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
    battle: Battle, unit: Unit, before: Block, files: int, wants: dict[str, seating.Want], gaps: Sequence[int]
) -> Ways:
    """t9a:16.B.c, t9a:16.B.e
    One part of a rank stands, the others slide to it to close the gaps: contact first, then as
    few models as possible move; where the gaps are at its ends nobody does.
    """
    left = [f for f in range(before.files) if f not in gaps]
    closer = {k: (sum(f < w[0] for f in left), w[1]) if isinstance(w, tuple) else w for k, w in wants.items()}
    made = seating.shaped(battle, unit, files, closer)
    if made is None:
        return []
    x, y = corner(before)
    hx, hy = heading(before.facing)
    cell = before.base.width + before.spacing
    shifts = [file - place for place, file in enumerate(left)]
    found = []
    for from_left in dict.fromkeys(shifts):
        stood = at_corner(made, (x + hy * cell * from_left, y - hx * cell * from_left), before.facing)
        moved = len(shifts) - shifts.count(from_left)
        found.append(((*_contact_rank(battle, unit, stood), float(moved)), from_left, stood))
    return found


def _contact_rank(battle: Battle, unit: Unit, block: Block) -> tuple[float, ...]:
    """t9a:16.B.b, t9a:16.B.e
    Units that drop out, units that lose contact, models in contact after all nudges (t9a:16.B.b-fig39)."""
    lost = sum(not _meets(battle, unit, block, entry) for entry in battle.foes(unit))
    if not lost:
        return (0, 0, -sum(_meets(battle, unit, block, entry) for entry in battle.foes(unit)))
    trial = battle.copy()
    trial.put(trial.units[unit.id], block)
    out = len(regained_contact.settle(trial, [unit.id], [unit.id]))
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


@cites
def _characters_alone(battle: Battle, unit: Unit, before: Block, wants: dict[str, seating.Want]) -> list[Block]:
    """t9a:21.B.c
    The Characters left of a unit stay together, each in the rank he is in; those of the front rank close up, as few of
    them as possible moving, and contact comes first (t9a:16.B.e, t9a:21.A.b.48-contract)."""
    if before.spacing:
        battle.cite("t9a:21.A.b.48-contract")
    if len(wants) > 1:
        battle.cite("t9a:16.B.e")
    spots = {key: before.boundary.local(_stood(before, want)) for key, want in wants.items()}
    front = sorted((k for k, w in wants.items() if not isinstance(w, tuple) or w[1] == 0), key=lambda k: spots[k][0])
    if not front:
        front = sorted(wants, key=lambda k: spots[k][0])
    unit.block = msgspec.structs.replace(before, guests=(), troops=1, files=1, rear=(), spacing=0.0)
    made = _in_order(battle, unit, front, wants)
    if before.spacing:
        return [_shifted(made, before, (spots[front[0]][0] + spots[front[-1]][0]) / 2)]
    here = {k: made.boundary.local(_pose(made, unit.guests.index(k)))[0] for k in front}
    found: Ways = []
    for key in front:
        shift = spots[key][0] - here[key]
        stood = _shifted(made, before, shift)
        moved = sum(abs(spots[k][0] - shift - here[k]) > 1.0 for k in front)
        found.append(((*_contact_rank(battle, unit, stood), float(moved)), round(shift), stood))
    best = min(rank for rank, _, _ in found)
    ways = {turn: block for rank, turn, block in found if rank == best}
    return [ways[turn] for turn in sorted(ways)]


def _shifted(made: Block, before: Block, right: float) -> Block:
    """A block on the old front line, its middle so many mm to the right of the old one's."""
    hx, hy = heading(before.facing)
    return made.placed((before.x + hy * right, before.y - hx * right), before.facing)


def _in_order(battle: Battle, unit: Unit, front: list[str], wants: dict[str, seating.Want]) -> Block:
    """The Characters of the front rank side by side as they stood, the others behind them."""
    asked: dict[str, seating.Want] = dict(wants)
    files = 0
    for key in front:
        cells = seating.matches(battle, unit, battle.models[key].profile.base)
        if cells is not None:
            asked[key] = (files, 0)
            files += cells[0]
    return seating.shaped(battle, unit, max(files, 1), asked) or seating.settle(battle, unit, max(files, 1), asked)


def _stood(before: Block, want: seating.Want) -> Point:
    """Where the middle of a guest's base was."""
    first = before.size - len(before.guests)
    for number, guest in enumerate(before.guests):
        if want == (guest.post.value if guest.post is not Post.RANKS else (guest.file, guest.rank)):
            return _pose(before, first + number)
    return before.front


def _pose(block: Block, number: int) -> Point:
    pose = block.places[number].pose
    return pose.x, pose.y

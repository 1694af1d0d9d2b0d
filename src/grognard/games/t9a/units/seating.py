"""t9a:3.B, t9a:21.A.b.3  Legal formations: where Champions and Characters stand in a unit of so many files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block, Guest, Post, cells_covered
from grognard.kernel.geometry.base import Base, Shape
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, option

#: t9a:21.A.b.48  Room between skirmishing models.
OPEN_ORDER = 12.5
Want = tuple[int, int] | str  # a cell (file, rank), or "left" or "right"


class Seat(NamedTuple):
    """A model to be placed: its base, where it would like to stand, and what is special about its place."""

    id: str
    base: Base
    want: Want | None = None
    behind: bool = False
    centre: bool = False
    asked: bool = False  # its owner said where; others make room (t9a:21.B.b)


def reference(battle: Battle, unit: Unit) -> Base:
    """t9a:21.A.b.3-matching  The Rank-and-File's base; among Characters alone, the one that leaves fewest
    mismatching.
    """
    if unit.troops:
        return unit.profile.base
    guests = battle.guests(unit)
    battle.cite("t9a:21.A.b.3-matching")
    if all(m.profile.base == guests[0].profile.base for m in guests):
        return guests[0].profile.base
    found = references(guests)
    return next((base for base in found if written(base) == unit.reference), found[0])


def references(guests: Sequence[Model]) -> list[Base]:
    """t9a:21.A.b.3-matching, t9a:21.A.b.34
    The bases that leave fewest of them mismatching, several where that is a tie; a
    War Platform's never mismatches.
    """
    bases = [m.profile.base for m in guests]
    platforms = [m.profile.base for m in guests if m.profile.is_platform]
    fair = [base for base in bases if all(cells_covered(b, base) is not None for b in platforms)] or bases
    odd = {base: sum(cells_covered(b, base) is None for b in bases) for base in fair}
    return [base for base, count in odd.items() if count == min(odd.values())]


def written(base: Base) -> str:
    """A base as cards write it, in mm."""
    return f"{base.width:g}" if base.shape is Shape.CIRCLE else f"{base.width:g}x{base.length:g}"


def spacing(battle: Battle, unit: Unit) -> float:
    """t9a:21.A.b.48  Units with Rank-and-File Skirmishers keep half an inch between models."""
    if unit.troops and unit.profile.has("skirmisher"):
        battle.cite("t9a:21.A.b.48")
        return OPEN_ORDER
    return 0.0


def matches(battle: Battle, unit: Unit, base: Base) -> tuple[int, int] | None:
    """t9a:21.A.b.3-matching, t9a:21.A.b.3-mismatch, t9a:21.A.b.48-join
    The cells a base covers in a unit, or None if it mismatches."""
    own = reference(battle, unit)
    if unit.troops and unit.profile.has("skirmisher") and base != own:
        battle.cite("t9a:21.A.b.48-join", "t9a:21.A.b.3-mismatch")
        return None
    cells = cells_covered(base, own)
    battle.cite("t9a:21.A.b.3-matching" if cells else "t9a:21.A.b.3-mismatch")
    return cells


def seats_of(
    battle: Battle, unit: Unit, wants: Mapping[str, Want] | None = None, kept: Mapping[str, Want] | None = None
) -> list[Seat]:
    """The guests of a unit with the places they have now (`kept` where its block does not tell), or want."""
    now: dict[str, Want] = dict(kept or {})
    if unit.block is not None and len(unit.block.guests) == len(unit.guests):
        for key, guest in zip(unit.guests, unit.block.guests, strict=True):
            now[key] = guest.post.value if guest.post is not Post.RANKS else (guest.file, guest.rank)
    asked = wants or {}
    return [_seat(battle.models[key], asked.get(key, now.get(key)), key in asked) for key in unit.guests]


def _seat(model: Model, want: Want | None, asked: bool) -> Seat:
    profile = model.profile
    centre = bool(profile.has("war-platform")) and model.role == "character"
    return Seat(model.id, profile.base, want, bool(profile.has("stand-behind")), centre, asked)


def arrange(
    troops: int, files: int, base: Base, seats: Sequence[Seat], skirmish: bool = False, wide_first: bool = False
) -> tuple[Guest, ...] | None:
    """t9a:21.A.b.3  Places for the guests as far forward as possible, `wide_first` where the others would be in the way
    of those on wide bases; None if there is no legal one.

    War Platforms take the centre of the front rank, of two central places the one nearer to where they want to stand
    (t9a:21.A.b.34-centre), matching bases free places of the foremost ranks nearest to where they want to stand,
    mismatching ones a flank each (t9a:21.A.b.3-mismatch).
    """
    taken: dict[tuple[int, int], str] = {}
    found: dict[str, Guest] = {}
    flanks: list[Post] = [Post.LEFT, Post.RIGHT]
    ranked: list[tuple[Seat, tuple[int, int]]] = []
    for seat in seats:
        cells = cells_covered(seat.base, base)
        if cells is None or (skirmish and seat.base != base):
            wanted = Post.RIGHT if seat.want == "right" else Post.LEFT
            post = wanted if wanted in flanks else (flanks[0] if flanks else None)
            if post is None or seat.centre:
                return None
            flanks.remove(post)
            found[seat.id] = Guest(seat.base, post=post)
        else:
            ranked.append((seat, cells))
    order = sorted(range(len(ranked)), key=lambda i: (*_turn(ranked[i][0]), i))
    if wide_first:
        order.sort(key=lambda i: -ranked[i][1][0])
        ranked = [(seat if seat.asked or seat.centre else seat._replace(want=(0, 0)), cells) for seat, cells in ranked]
    for i in order:
        seat, cells = ranked[i]
        place = _place(seat, cells, files, taken)
        if place is None:
            return None
        for f in range(cells[0]):
            for r in range(cells[1]):
                taken[place[0] + f, place[1] + r] = seat.id
        found[seat.id] = Guest(seat.base, place[0], place[1])
    return tuple(found[seat.id] for seat in seats)


def _turn(seat: Seat) -> tuple[bool, bool, int, bool]:
    """Who is placed first: War Platforms, those in front, of these who asked for his place."""
    rank = seat.want[1] if isinstance(seat.want, tuple) else 0
    return not seat.centre, seat.behind, rank, not seat.asked


def _place(
    seat: Seat, cells: tuple[int, int], files: int, taken: Mapping[tuple[int, int], str]
) -> tuple[int, int] | None:
    wide, deep = cells
    if wide > files:
        return None
    want = seat.want if isinstance(seat.want, tuple) else None
    if seat.centre:
        middle = (files - wide) // 2
        spots = [(middle, 0)] if (files - wide) % 2 == 0 else [(middle, 0), (middle + 1, 0)]
        if want is not None and abs(spots[-1][0] - want[0]) < abs(middle - want[0]):
            spots.reverse()
        return next((s for s in spots if _free(s, wide, deep, taken)), None)
    near = (files - wide) / 2 if want is None else want[0]
    first = want[1] if want is not None and seat.behind else 0
    for rank in range(first, first + 40):
        spots = sorted(((f, rank) for f in range(files - wide + 1)), key=lambda s: (abs(s[0] - near), s[0]))
        for spot in spots:
            if _free(spot, wide, deep, taken):
                return spot
    return None


def _free(spot: tuple[int, int], wide: int, deep: int, taken: Mapping[tuple[int, int], str]) -> bool:
    return all((spot[0] + f, spot[1] + r) not in taken for f in range(wide) for r in range(deep))


def widest(battle: Battle, unit: Unit) -> int:
    """The most files a unit can have: every model in one rank."""
    reference(battle, unit)
    return max(1, unit.troops + sum((matches(battle, unit, m.profile.base) or (0, 0))[0] for m in battle.guests(unit)))


def file_counts(battle: Battle, unit: Unit) -> tuple[int, ...]:
    """t9a:3.B  The numbers of files in which a unit has a legal formation, ascending."""
    return tuple(n for n in range(1, widest(battle, unit) + 1) if shaped(battle, unit, n) is not None)


def shaped(
    battle: Battle,
    unit: Unit,
    files: int,
    wants: Mapping[str, Want] | None = None,
    rear: tuple[int, ...] = (),
    kept: Mapping[str, Want] | None = None,
) -> Block | None:
    """The unit in so many files, somewhere; None where no legal formation has them (t9a:3.B)."""
    base = reference(battle, unit)
    gap = spacing(battle, unit)
    if not 1 <= files <= widest(battle, unit):
        return None
    seats = seats_of(battle, unit, wants, kept)
    made = _built(unit.troops, files, base, seats, gap, rear)
    while made is None and any(_held_back(seat) for seat in seats):
        seats = [_moved_up(seat) for seat in seats]
        made = _built(unit.troops, files, base, seats, gap, rear)
    if made is None:
        return None
    guests = made.guests
    battle.cite("t9a:3.B")
    if guests:
        battle.cite("t9a:21.A.b.3")
    if any(seat.centre for seat in seats):
        battle.cite("t9a:21.A.b.34-centre")
    if any(seat.behind for seat in seats):
        battle.cite("t9a:21.A.b.43")
    if made.rows and len(made.rows[-1]) < files:
        battle.cite("t9a:3.B-incomplete")
    if any(g.post is Post.RANKS and made.cells(g) != (1, 1) for g in guests):
        battle.cite("t9a:21.A.b.3-matching-rules")
    return made


def _built(
    troops: int, files: int, base: Base, seats: Sequence[Seat], gap: float, rear: tuple[int, ...]
) -> Block | None:
    wide = len(seats) > 1 and any(seat.base != base for seat in seats)
    for wide_first in (False, True) if wide else (False,):
        guests = arrange(troops, files, base, seats, bool(gap), wide_first)
        if guests is None:
            continue
        try:
            return Block(0.0, 0.0, 0.0, files, troops, base, rear, guests, 0, gap)
        except ValueError:
            continue
    return None


def _held_back(seat: Seat) -> bool:
    return seat.behind and isinstance(seat.want, tuple) and seat.want[1] > 0


def _moved_up(seat: Seat) -> Seat:
    """t9a:21.A.b.43  Who stands behind, a rank further forward, where nobody is left before him."""
    if seat.behind and isinstance(seat.want, tuple) and seat.want[1] > 0:
        return seat._replace(want=(seat.want[0], seat.want[1] - 1))
    return seat


def formed(
    battle: Battle, unit: Unit, files: int, wants: Mapping[str, Want], rear: tuple[int, ...] = (), rule: str = "t9a:3.B"
) -> Block:
    """t9a:3.B, t9a:21.A.b.3
    The unit in so many files with everybody in the file he was asked to stand in, as far forward
    as he must; refused where that is no legal formation.
    """
    made = shaped(battle, unit, files, wants, rear)
    if made is None:
        also = ("t9a:21.A.b.3-matching-rules",) if 1 <= files < narrowest(battle, unit) else ()
        raise Refused(Refusal("refuse.reform.formation", rule, {"unit": unit.id, "files": files}, also))
    for key, want in wants.items():
        guest = made.guests[unit.guests.index(key)]
        place: Want = guest.post.value if guest.post is not Post.RANKS else (guest.file, guest.rank)
        if place != want and (isinstance(place, str) or isinstance(want, str) or place[0] != want[0]):
            profile = battle.models[key].profile
            centre = profile.has("war-platform") and battle.models[key].role == "character"
            why = "t9a:21.A.b.34-centre" if centre else "t9a:21.A.b.3"
            also = ("t9a:21.A.b.3-mismatch",) if guest.post is not Post.RANKS else ("t9a:21.A.b.3-matching-rules",)
            facts = {"unit": unit.id, "model": key}
            raise Refused(Refusal("refuse.reform.place", why, facts, ("t9a:21.A.b.3-reposition", *also)))
    return made


def narrowest(battle: Battle, unit: Unit) -> int:
    """t9a:21.A.b.3-matching-rules  No unit of several ranks is narrower than the base of a model in it."""
    wide = [(matches(battle, unit, m.profile.base) or (0, 0))[0] for m in battle.guests(unit)]
    return max([1, *wide])


def settle(battle: Battle, unit: Unit, files: int, wants: Mapping[str, Want] | None = None) -> Block:
    """The legal formation nearest to so many files, at the unit's place on the table."""
    widths = sorted(range(1, widest(battle, unit) + 1), key=lambda n: (abs(n - files), n))
    for width in widths:
        made = shaped(battle, unit, width, wants)
        if made is not None:
            return made if unit.block is None else made.placed(unit.block.front, unit.block.facing)
    raise AssertionError(f"{unit.id} has no legal formation")


def file_option(battle: Battle, unit: Unit, file: int, value: Any, rank: int | None = None) -> Option:
    """A file of a unit to choose, counted from 1; pointing at it lights who stands there."""
    about = in_file(battle, unit, file, rank)
    return option(str(file), value, text="option.file", about=about, data={"file": file + 1})


def in_file(battle: Battle, unit: Unit, file: int, rank: int | None = None) -> tuple[str, ...]:
    """The models that stand in a file of a unit, or where it crosses a rank, for whoever points at it."""
    every = (*(f"{unit.id}.{number + 1}" for number in range(unit.troops)), *unit.guests)
    return tuple(
        key
        for key, place in zip(every, battle.block(unit).places, strict=False)
        if place.file <= file < place.file + place.wide and rank in (None, place.rank)
    )


def usual_files(battle: Battle, unit: Unit) -> int:
    """A width units are commonly deployed in: five abreast, six for big ones, bases allowing."""
    size = battle.unit_size(unit)
    most = widest(battle, unit)
    wish = {"Standard": 5 if most < 30 else 6, "Large": 3, "Gigantic": 1}[size]
    return max(narrowest(battle, unit), min(most, wish))


def may_hold(battle: Battle, unit: Unit, model: Model) -> bool:
    """t9a:21.B.b, t9a:21.A.b.3-matching-rules
    Whether a unit has a legal place for one more Character; a unit of several
    ranks that is narrower than his base has none.
    """
    trial = unit.copy()
    trial.guests = (*unit.guests, model.id)
    files = unit.block.files if unit.block is not None else usual_files(battle, unit)
    widths = (files,) if unit.block is not None and unit.block.ranks > 1 else (files, files + 1)
    return any(shaped(battle, trial, n) is not None for n in widths)


def fits(battle: Battle, unit: Unit) -> bool:
    """t9a:21.A.b.3-mismatch, t9a:21.A.b.34
    Whether a unit has any legal formation: at most two mismatching bases, no War
    Platform among them, and one of those at most.
    """
    guests = list(battle.guests(unit))
    odd = [m for m in guests if matches(battle, unit, m.profile.base) is None]
    platforms = [m for m in guests if m.profile.is_platform]
    return len(odd) <= 2 and len(platforms) <= 1 and not any(m in odd for m in platforms)


def misfits(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """t9a:16.B.e  As few models as possible without whom the unit has a legal formation; of several the last who
    joined.
    """
    if unit.troops or len(unit.guests) < 2 or fits(battle, unit):
        return ()
    trial = unit.copy()
    for many in range(1, len(unit.guests)):
        for out in combinations(reversed(unit.guests), many):
            trial.guests = tuple(g for g in unit.guests if g not in out)
            if fits(battle, trial):
                return out
    return unit.guests[1:]


def inches_of(mm: float) -> float:
    return mm / inches(1)

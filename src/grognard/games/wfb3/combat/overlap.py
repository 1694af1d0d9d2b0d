"""Chapter 7.14.2: overlapping: victors wrap round the flanks of those they follow up, until they stand behind them.

Overlappers stand at seats of their unit's block, outside its ranks; a seat's `file` tells the flank they came from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.army.profiles import REACH
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.table import contacts, ground, levies, seating
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block, Seat
from grognard.kernel.formation.changes import refiled
from grognard.kernel.formation.charging import align
from grognard.kernel.formation.shapes import Rect, base_rect
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, too_near
from grognard.kernel.geometry.base import Pose
from grognard.kernel.questions import Option, Pick, Script

#: Seats of overlappers by the flank of their own unit; STEP marks models that pressed on in a charge.
LEFT, RIGHT, STEP = -1, -2, -3
#: wfb3:7.14.2-overlap  At most so many more on each flank at a time.
MOST = 2
#: How far short of the enemy's corner a front may end and still reach round it (mm).
_CORNER = 2.0


def counts(block: Block) -> tuple[int, int]:
    """How many overlap on the left and on the right."""
    return sum(s.file == LEFT for s in block.seats), sum(s.file == RIGHT for s in block.seats)


def is_bent(unit: Unit) -> bool:
    return unit.block is not None and any(s.file in (LEFT, RIGHT) for s in unit.block.seats)


def is_out_of_line(block: Block) -> bool:
    """Whether some have left the ranks to overlap or to press on."""
    return any(s.file in (LEFT, RIGHT, STEP) for s in block.seats)


def opponent(battle: Battle, unit: Unit) -> tuple[Unit, Edge] | None:
    """The only enemy a unit fights to its front, and the side of it that is struck."""
    ahead = [(foe, theirs) for foe, own, theirs in battle.foes(unit) if own is Edge.FRONT and foe.block is not None]
    return ahead[0] if len(ahead) == 1 else None


# ---------------------------------------------------------------------- places


def _struck(battle: Battle, foe: Unit, side: Edge) -> Rect:
    """The enemy's box as if the struck side were its front."""
    box = battle.block_of(foe).boundary
    wide, deep = box.span(side) / 2, box.span(Edge.LEFT if side in (Edge.FRONT, Edge.REAR) else Edge.FRONT) / 2
    return Rect(box.x, box.y, box.outward(side), wide, deep)


def slots(block: Block, box: Rect, flank: int, count: int, deep: bool) -> list[Pose]:
    """Poses round one flank of the enemy, from its corner on along the flank and then along the rear.

    The enemy faces the unit, so the unit's left is the enemy's right. `deep` puts every second model outside the first,
    looking outwards.
    """
    wide, long = block.base.width, block.base.length
    sign = 1.0 if flank == LEFT else -1.0
    along = max(1, math.ceil((box.length - 0.5) / wide))
    found: list[Pose] = []
    for number in range(count):
        place, outer = (number // 2, number % 2) if deep else (number, 0)
        if place < along:
            off = box.half_width + long / 2 + outer * long
            point = box.at(sign * off, box.half_length - (place + 0.5) * wide)
            turn = box.facing - sign * 90.0 + 180.0 * outer
        else:
            inward = box.half_width - (place - along + 0.5) * wide
            point = box.at(sign * inward, -box.half_length - long / 2 - outer * long)
            turn = box.facing + 180.0 * outer
        found.append(Pose(point[0], point[1], turn % 360.0))
    return found


def reaches(battle: Battle, unit: Unit, foe: Unit, side: Edge, flank: int) -> bool:
    """wfb3:7.14.2-overlap  Whether the unit's front goes as far as the enemy's corner on that flank."""
    block, box = battle.block_of(unit), _struck(battle, foe, side)
    corner = block.corner(Edge.LEFT if flank == LEFT else Edge.RIGHT)
    right = box.local(corner)[0]
    return right >= box.half_width - _CORNER if flank == LEFT else right <= -box.half_width + _CORNER


def wrapped(battle: Battle, unit: Unit, foe: Unit, side: Edge, left: int, right: int, *, deep: bool) -> Block | None:
    """The unit with so many models round each flank, as many as find room; None where nobody does."""
    block, box = battle.block_of(unit), _struck(battle, foe, side)
    others = [t for t in ground.things(battle, unit, near=0.0) if t.name not in (unit.id, foe.id)]
    rect = block.boundary
    seats: list[Seat] = []
    for flank, count in ((LEFT, left), (RIGHT, right)):
        for number, pose in enumerate(slots(block, box, flank, count, deep)):
            outline = base_rect(block.base, pose).outline
            if not battle.board.holds(outline, Shift(0.0, 0.0)):
                break
            if any(too_near(outline, t.outline, 0.0) for t in others if not t.name.endswith(" edge")):
                break
            ahead = rect.local((pose.x, pose.y))
            back = rect.length / 2 - ahead[1]
            seats.append(Seat(ahead[0], back, (pose.facing - block.facing) % 360.0, flank, number % 2 if deep else 0))
    if not seats or block.troops - len(seats) < 1:
        return None
    files = min(block.files, block.troops - len(seats))
    return msgspec.structs.replace(block, files=files, rear=(), seats=tuple(seats))


# ---------------------------------------------------------------------- the follow-up


def follow_up(battle: Battle, unit: Unit, beaten: Unit, extended: tuple[int, int]) -> Script[None]:
    """wfb3:7.14.2-overlap, wfb3:7.14.2-extend  Up to two more models round each flank; who has no leader must.

    Ruling: on a flank on which the front was widened in the same follow-up nobody overlaps yet.
    """
    met = opponent(battle, unit)
    block = battle.block_of(unit)
    if met is None or met[0] is not beaten or block.guests or block.box or unit.drill.formation != "ranks":
        return
    if mixed.in_line(battle, unit):
        return
    had = counts(block)
    spare = block.troops - len(block.seats) - block.files
    room = [
        MOST if not wide and (n or reaches(battle, unit, beaten, met[1], flank)) else 0
        for n, wide, flank in zip(had, extended, (LEFT, RIGHT), strict=True)
    ]
    if spare < 1 or not any(room):
        return
    left, right, deep = yield from _wanted(battle, unit, beaten, room, spare)
    if not left + right:
        return
    made = wrapped(battle, unit, beaten, met[1], had[0] + left, had[1] + right, deep=deep or _is_deep(block))
    if made is None:
        return
    unit.block = made
    seating.swap_in(battle, unit)
    rule = "wfb3:7.14.2-extend" if any(had) else "wfb3:7.14.2-overlap"
    if deep:
        battle.cite("wfb3:7.14.2-two-deep")
    now = counts(made)
    battle.tell("overlap", rule, (unit.id, beaten.id), left=now[0], right=now[1])
    yield from faced(battle, beaten, unit)


def _is_deep(block: Block) -> bool:
    return any(s.rank for s in block.seats if s.file in (LEFT, RIGHT))


def told(text: str, left: int, right: int) -> str:
    """The text of so many on the left and on the right, or on one side only."""
    return text if left and right else f"{text}.left" if left else f"{text}.right"


def _wanted(battle: Battle, unit: Unit, beaten: Unit, room: Sequence[int], spare: int) -> Script[tuple[int, int, bool]]:
    """wfb3:7.14.2-overlap, wfb3:15.7-mob  How many wrap round; without a leader all who can, of a mob nobody."""
    if levies.mob(unit):
        battle.cite(levies.RULE)
        return 0, 0, False
    if battle.leader(unit) is None:
        left = min(room[0], spare)
        battle.cite("wfb3:7.13.3-extend")
        return left, min(room[1], spare - left), False
    options = [Option("none", (0, 0, False), "option.overlap.none")]
    for left in range(room[0] + 1):
        for right in range(room[1] + 1):
            facts = {"left": left, "right": right}
            if 0 < left + right <= spare:
                text = told("option.overlap", left, right)
                options.append(Option(f"{left}+{right}", (left, right, False), text, data=facts))
            if 0 < left + right <= spare and left != 1 and right != 1:
                text = told("option.overlap.deep", left, right)
                options.append(Option(f"{left}+{right} deep", (left, right, True), text, data=facts))
    chosen: tuple[int, int, bool] | None = yield Pick(
        unit.seat, "combat.overlap", options, optional=True, nay="none", rule="wfb3:7.14.2-overlap",
        about=(unit.id, beaten.id),
    )  # fmt: skip
    return chosen or (0, 0, False)


def faced(battle: Battle, beaten: Unit, unit: Unit) -> Script[None]:
    """wfb3:7.14.2-face, wfb3:7.14.2-panic
    Those not yet engaged turn to face; where nobody can, the unit tests at once.

    Ruling: while nobody stands behind it, a unit with a second rank has somebody to face its flanks.
    """
    touched = _round(battle, unit, beaten)
    attacked = sorted({t.foe_number for t in touched})
    busy, block = set(_ahead(battle, unit, beaten)), battle.block_of(unit)
    behind = any(abs((block.places[t.number].pose.facing - block.facing) % 360.0 - 180.0) < 1.0 for t in touched)
    spare = not behind and battle.block_of(beaten).ranks > 1
    if spare or any(n not in busy for n in attacked) or not attacked or beaten.drill.formation == "square":
        battle.cite("wfb3:7.14.2-face")
        return
    carrier = beaten.mount or beaten.profile
    if any("rear" in REACH[kind] and count for kind, count in carrier.attacks):
        return
    yield from panic.test(battle, beaten, "wfb3:7.14.2-panic", unit)


def _round(battle: Battle, unit: Unit, foe: Unit) -> list[contacts.Touch]:
    """Contacts of a unit's overlappers with an enemy."""
    block = battle.block_of(unit)
    ranked = block.troops - len(block.seats)
    return [t for t in contacts.of_unit(battle, unit) if t.foe == foe.id and ranked <= t.number < block.troops]


def _ahead(battle: Battle, unit: Unit, foe: Unit) -> set[int]:
    """Models of an enemy engaged with the ranks of a unit."""
    block = battle.block_of(unit)
    ranked = block.troops - len(block.seats)
    return {t.foe_number for t in contacts.of_unit(battle, unit) if t.foe == foe.id and t.number < ranked}


def unanswered(battle: Battle, unit: Unit, foe: Unit, numbers: Sequence[int]) -> list[int]:
    """wfb3:7.14.2-panic  Overlappers who strike from behind at models that cannot strike back hit automatically."""
    if not is_bent(unit) or foe.block is None or foe.drill.formation == "square":
        return []
    carrier = foe.mount or foe.profile
    if any("rear" in REACH[kind] and count for kind, count in carrier.attacks):
        return []
    busy, block = _ahead(battle, unit, foe), battle.block_of(unit)
    touched: dict[int, list[int]] = {}
    for touch in _round(battle, unit, foe):
        touched.setdefault(touch.number, []).append(touch.foe_number)
    found = []
    for number in numbers:
        behind = number in touched and abs((block.places[number].pose.facing - block.facing) % 360.0 - 180.0) < 1.0
        if behind and all(n in busy for n in touched[number]):
            found.append(number)
    return found


# ---------------------------------------------------------------------- and back


def unstepped(block: Block) -> Block:
    """wfb3:7.1.6-continue  Files that pressed on are back in line."""
    ahead = [s.right for s in block.seats if s.file == STEP and s.rank == 0]
    left = sum(right < 0 for right in ahead)
    return refiled(block, left, len(ahead) - left)


def fold(battle: Battle, unit: Unit, *, widen: bool) -> None:
    """wfb3:7.14.2-pushed  Overlappers fall in: up to two on each flank widen the front, the rest go to the rear.

    Ruling: where the rear finds no room for them they widen the front, if that does.
    """
    if unit.block is None or not is_out_of_line(unit.block):
        return
    block = unit.block
    had = counts(block)
    if any(s.file == STEP for s in block.seats):
        plain = unstepped(block)
    else:
        plain = msgspec.structs.replace(block, seats=(), files=min(block.files, block.troops), rear=())
    sides = [min(MOST, n) if widen else 0 for n in had]
    mine = [foe.id for foe, _, _ in battle.foes(unit)]
    unit.block = plain
    for left, right in dict.fromkeys([(sides[0], sides[1]), (0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 2)]):
        made = refiled(plain, left, right) if left + right else plain
        if not ground.fits(battle, unit, made, ignoring=mine):
            unit.block = made
            break
    seating.swap_in(battle, unit)
    if unit.drill.mixed:
        mixed.close_up(battle, unit)
    if any(had):
        rule = "wfb3:7.14.2-pushed" if widen else "wfb3:7.14.2-overlap"
        battle.tell("overlap.ends", rule, (unit.id,), files=battle.block_of(unit).files)


def closed_again(battle: Battle, unit: Unit, moved: Block) -> None:
    """wfb3:7.14.2-extend  Where the ranks now stand the overlappers close round the enemy, as many as find room."""
    met = opponent(battle, unit)
    left, right = counts(moved)
    unit.block = moved
    made = wrapped(battle, unit, met[0], met[1], left, right, deep=_is_deep(moved)) if met is not None else None
    unit.block = made or msgspec.structs.replace(moved, seats=(), files=min(moved.files, moved.troops), rear=())
    seating.swap_in(battle, unit)
    if made is None:
        battle.tell("overlap.ends", "wfb3:7.14.2-overlap", (unit.id,), files=battle.block_of(unit).files)


def tidy(battle: Battle) -> None:
    """Units whose fight is over stand in ranks again; others close round an enemy that has shrunk."""
    for unit in battle.here():
        if unit.block is None or not is_out_of_line(unit.block):
            continue
        met = opponent(battle, unit)
        if met is None:
            if not battle.engaged(unit):
                fold(battle, unit, widen=False)
            continue
        left, right = counts(unit.block)
        if not left + right:
            continue
        made = wrapped(battle, unit, met[0], met[1], left, right, deep=_is_deep(unit.block))
        if made is not None and made.seats != unit.block.seats:
            unit.block = made
            seating.swap_in(battle, unit)


def charged(battle: Battle, target: Unit, charger: Unit, side: Edge) -> Script[None]:
    """wfb3:7.14.2-charged, wfb3:7.14.2-two-deep  Overlappers show their backs: charged there, the unit tests for panic.

    Ruling: not where most of those attacked are free to strike the newcomers.
    """
    block = battle.block_of(target)
    ranked = block.troops - len(block.seats)
    mine = [t for t in contacts.of_unit(battle, target) if t.foe == charger.id]
    seated = {t.number for t in mine if ranked <= t.number < block.troops}
    if not seated:
        return
    if _is_deep(block):
        battle.cite("wfb3:7.14.2-two-deep")
    else:
        busy = {t.number for t in contacts.of_unit(battle, target) if t.foe != charger.id}
        if 2 * sum(n not in busy for n in seated) > len(seated):
            return
    yield from panic.test(battle, target, "wfb3:7.14.2-charged", charger)


def turn_front(battle: Battle, unit: Unit) -> None:
    """wfb3:7.14.2-charged  A unit that was overlapping and is pushed back has its new attackers to its front."""
    block = battle.block_of(unit)
    for foe, own, theirs in battle.foes(unit):
        if own is Edge.FRONT or foe.block is None or theirs is not Edge.FRONT:
            continue
        others = [t for t in ground.things(battle, foe, near=0.0) if t.name not in (foe.id, unit.id)]
        lay = align.best_lay(foe.block, block, Edge.FRONT, others)
        if lay is None:
            continue
        moved = foe.block.on(align.beside(foe.block.boundary, block.boundary, Edge.FRONT, lay.offset))
        if ground.fits(battle, foe, moved, ignoring=[unit.id]):
            continue
        battle.form(foe, moved)
        battle.engage(foe, Edge.FRONT, unit, Edge.FRONT)
        battle.cite("wfb3:7.14.2-charged")


@cites
def complete_ranks(battle: Battle, unit: Unit) -> int:
    """wfb3:5.3.3-full-rank  Ranks as strong as the front rank."""
    block = battle.block_of(unit)
    if any(s.file == STEP for s in block.seats):
        return unstepped(block).complete_ranks()
    if is_bent(unit):
        return max(1, block.troops // block.files)
    other = battle.units.get(unit.drill.mixed)
    behind = 0
    if (
        other is not None
        and unit.drill.post == "front"
        and other.block is not None
        and other.block.files == block.files
    ):
        behind = other.block.complete_ranks()
    return block.complete_ranks() + behind

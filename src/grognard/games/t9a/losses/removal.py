"""Chapter 16.B: Taking casualties out of a block: from the rear, or from the ends of a single rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.units import character_bases, command, seating
from grognard.kernel.formation.block import Block, Post
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Pick, Script, option


class Gap(NamedTuple):
    """A unit that closed up after casualties: how it stood, and every way to stand now that is as good as any."""

    unit: str
    before: Block
    ways: list[Block]
    stay: dict[str, seating.Want]
    gone: tuple[int, ...] = ()  # files of a rank in which none but Champions and Characters fell


def remove(battle: Battle, unit: Unit, troops: int, guests: Sequence[str]) -> Gap | None:
    """t9a:16.B.a, t9a:16.B.b, t9a:16.B.c, t9a:16.B.d, t9a:16.B.e
    Take casualties out; what is left of the unit, if anything is (t9a:16.B.d), closes up."""
    before = unit.block
    wants = _wants(unit)
    unit.troops -= troops
    if unit.troops <= 0:
        unit.troops, unit.lost = 0, 0
    dead = [g for g in guests if g in unit.guests]
    for key in dead:
        closing_up._drop(battle, unit, key)
    dead += closing_up.drop_misfits(battle, unit)
    if not closing_up._one_of_both(unit):
        closing_up.command_left(battle, unit)
    if battle.size(unit) == 0:
        battle.cite("t9a:16.B.d")
        return None
    if before is None:
        return None
    if dead:
        battle.cite("t9a:16.B.c", "t9a:21.A.b.3-gap")
    fallen = [before.guests[list(wants).index(k)] for k in dead] if not troops else []
    stay = {k: w for k, w in wants.items() if k in unit.guests}
    gone = closing_up.gaps(before, fallen)
    ways = closing_up.closings(battle, unit, before, stay, gone)
    battle.put(unit, ways[0])
    return Gap(unit.id, before, ways, stay, gone)


def close_up(battle: Battle, gap: Gap) -> Script[None]:
    """Chapter 16.B: Where the rules leave several ways to close up its owner chooses."""
    unit = battle.units[gap.unit]
    if closing_up._one_of_both(unit):
        about, rule = (unit.id,), "t9a:21.C.e"
        options = [option(who, text=f"option.{who}") for who in ("musician", "standard")]
        lost = yield Pick(unit.seat, "casualties.command", options, optional=True, aside=True, rule=rule, about=about)
        closing_up.command_left(battle, unit, lost or "musician")
    if (yield from character_bases.settle(battle, unit)):
        gap = gap._replace(ways=closing_up.closings(battle, unit, gap.before, gap.stay))
        battle.put(unit, gap.ways[0])
    if len(gap.ways) > 1:
        made = yield from _giving_way(battle, unit, gap.ways)
    else:
        made = yield from _from_the_rear(battle, unit, gap.before, gap.ways[0])
    if made is not gap.ways[0]:
        battle.put(unit, made)
    yield from command.relieved(battle, unit, gap.before, gap.gone)


def _giving_way(battle: Battle, unit: Unit, ways: list[Block]) -> Script[Block]:
    """t9a:16.B.a, t9a:16.B.b, t9a:16.B.e
    Of ways equally good, at which end one more falls, or which half of a rank slides,
    is its owner's choice; the right if he does not mind.
    """
    rule = "t9a:16.B.b" if battle.foes(unit) else "t9a:16.B.a"
    ends = {"right": ways[0], "left": ways[-1]}
    options = [option(end, text=f"option.flank-{end}") for end in ends]
    end = yield Pick(unit.seat, "casualties.end", options, optional=True, aside=True, rule=rule, about=(unit.id,))
    return ends[end or "right"]


def _from_the_rear(battle: Battle, unit: Unit, before: Block, made: Block) -> Script[Block]:
    """t9a:16.B.a  Whom of the rear rank he takes away is the owner's choice, too; it matters to enemies behind or
    beside the unit, and he is asked where there are any. Those nearest the middle stay if he does not mind.
    """
    last = len(made.rows) - 1
    if made.files != before.files or last < 1 or last >= len(before.rows):
        return made
    stood, left = before.rows[last], len(made.rows[last])
    gone = len(stood) - left
    if gone <= 0 or (not before.rear and not _behind(battle, unit)):
        return made
    picked: tuple[str, ...] = ()
    if _behind(battle, unit):
        options = [seating.file_option(battle, unit, f, str(f)) for f in stood]
        said = yield Pick(
            unit.seat, "casualties.rear", options, least=0, most=gone, aside=True, rule="t9a:16.B.a", about=(unit.id,)
        )
        picked = said if isinstance(said, tuple) else (said,) if said else ()
    if not picked and not before.rear:
        return made
    fall = [f for f in stood if str(f) in picked]
    middle = (before.files - 1) / 2
    fall += sorted((f for f in stood if f not in fall), key=lambda f: (-abs(f - middle), -f))[: gone - len(fall)]
    return msgspec.structs.replace(made, rear=tuple(f for f in stood if f not in fall))


def _behind(battle: Battle, unit: Unit) -> bool:
    return any(ours is not Edge.FRONT for _, ours, _ in battle.foes(unit))


def _wants(unit: Unit) -> dict[str, seating.Want]:
    """Where the guests stand."""
    if unit.block is None:
        return {}
    return {
        key: (g.post.value if g.post is not Post.RANKS else (g.file, g.rank))
        for key, g in zip(unit.guests, unit.block.guests, strict=True)
    }

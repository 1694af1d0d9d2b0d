"""t9a:21.A.b.3-matching  Among Characters alone: whose base those of the others match or not, where that is a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.games.t9a.units import command, seating
from grognard.kernel.formation.block import Block
from grognard.kernel.questions import Pick, Place, Script, option

if TYPE_CHECKING:
    from grognard.games.t9a.units.reforms import ReformJudge


def settle(battle: Battle, unit: Unit, joins: Model | None = None) -> Script[bool]:
    """t9a:21.A.b.3-matching  Of bases that leave as few mismatching the owner chooses, when the tie comes about (the
    first of them, if he does not mind). True where he chose another than the first.
    """
    tied = _tied(battle, unit, joins)
    if len(tied) < 2 or unit.reference in tied:
        return False
    unit.reference = (yield _ask(unit, tied)) or tied[0]
    return unit.reference != tied[0]


def reform(battle: Battle, unit: Unit, judge: ReformJudge, name: str) -> Script[Block | None]:
    """t9a:12.D.d, t9a:21.A.b.3-matching, t9a:21.C.d
    A unit put back in another formation, with the base among those tied that
    its owner chooses now (the one chosen before, if he does not mind), and the command group where he sends it.
    """
    was = yield from anew(battle, unit)
    block: Block | None = yield Place(
        unit.seat, name, (unit.id,), judge, optional=True, rule=judge.rule, about=(unit.id,)
    )
    if block is None:
        unit.reference = was
        return None
    battle.put(unit, block)
    command.take(battle, unit, judge.posts)
    return block


def anew(battle: Battle, unit: Unit) -> Script[str]:
    """t9a:21.A.b.3-matching  A unit that is lifted and put back may be measured by another of the tied bases. The base
    that it was measured by.
    """
    was, tied = unit.reference, _tied(battle, unit)
    if len(tied) > 1:
        unit.reference = (yield _ask(unit, tied)) or was
    return was


def _tied(battle: Battle, unit: Unit, joins: Model | None = None) -> list[str]:
    """Where Characters are alone, the bases that leave as few of them mismatching."""
    if unit.troops or len(unit.guests) + (joins is not None) < 2:
        return []
    guests = [*battle.guests(unit), *([joins] if joins is not None else [])]
    return [seating.written(base) for base in seating.references(guests)]


def _ask(unit: Unit, tied: list[str]) -> Pick:
    options = [option(base, text="option.base", data={"base": base}) for base in tied]
    rule, about = "t9a:21.A.b.3-matching", (unit.id,)
    return Pick(unit.seat, "unit.base", options, optional=True, aside=True, rule=rule, about=about)

"""t9a:2.B.a  Dice: amounts rolled as a step over plain numbers, and in the battle with what the rules of dice say."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.t9a.battle import Battle
from grognard.kernel.data.amounts import Amount
from grognard.kernel.questions import Roll, Script

#: t9a:2.B.a.1  Half a D6, rounded up.
D3 = Amount(1, 3)
TWO_DICE = Amount(2)


def kept(faces: Sequence[int], swing: int) -> tuple[int, ...]:
    """t9a:2.B.a.2  The dice that count of a roll with `swing` extra dice: positive drops the lowest, negative the
    highest.
    """
    ordered = sorted(faces)
    return tuple(ordered[swing:] if swing > 0 else ordered[: len(ordered) + swing])


def step(
    seat: str, name: str, what: Amount, rule: str, about: Sequence[str] = (), *, swing: int = 0
) -> Script[tuple[int, tuple[int, ...]]]:
    """The amount and the D6 faces it came from that count; nothing is rolled for a plain number.

    t9a:2.B.a.2  Ruling: Maximised and Minimised cancel one for one before the dice are rolled; `swing` is what is left.
    """
    if what.fixed:
        return what.plus, ()
    faces: tuple[int, ...] = yield Roll(
        seat, name, what.die, what.count + abs(swing), rule=rule, about=about, drop=swing
    )
    counted = kept(faces, swing) if swing else faces
    return what.total(counted), counted


def roll(
    battle: Battle, seat: str, name: str, what: Amount, rule: str, about: Sequence[str] = (), *, swing: int = 0
) -> Script[tuple[int, tuple[int, ...]]]:
    """t9a:2.B.a, t9a:2.B.a-sum, t9a:2.B.a-mod, t9a:2.B.a.1, t9a:2.B.a.2  The amount, and the faces that count."""
    if not what.fixed:
        battle.cite("t9a:2.B.a")
        if what.count > 1:
            battle.cite("t9a:2.B.a-sum")
        if what.plus:
            battle.cite("t9a:2.B.a-mod")
        if what.sides == 3:
            battle.cite("t9a:2.B.a.1")
        if swing:
            battle.cite("t9a:2.B.a.2")
    return (yield from step(seat, name, what, rule, about, swing=swing))

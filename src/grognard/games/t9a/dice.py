"""t9a:2.B.a  Dice rolled in the battle: an amount, with what the rules of dice say of it."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.t9a import amounts
from grognard.games.t9a.amounts import Amount
from grognard.games.t9a.battle import Battle
from grognard.kernel.questions import Script


def roll(
    battle: Battle, seat: str, name: str, what: Amount, rule: str, about: Sequence[str] = (), *, swing: int = 0
) -> Script[tuple[int, tuple[int, ...]]]:
    """t9a:2.B.a, 2.B.a-sum, 2.B.a-mod, 2.B.a.1, 2.B.a.2  The amount, and the faces that count."""
    if not what.fixed:
        battle.cite("t9a:2.B.a")
        if what.dice > 1:
            battle.cite("t9a:2.B.a-sum")
        if what.plus:
            battle.cite("t9a:2.B.a-mod")
        if what.sides == 3:
            battle.cite("t9a:2.B.a.1")
        if swing:
            battle.cite("t9a:2.B.a.2")
    return (yield from amounts.roll(seat, name, what, rule, about, swing=swing))

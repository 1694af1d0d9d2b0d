"""t9a:13.H  What a caster, or whoever may dispel, should know of his dice: the chance of so many of them."""

from __future__ import annotations

from functools import lru_cache

from grognard.games.t9a.magic import casting_steps
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Note
from grognard.kernel.words.tally import Tally


def casting(most: int, value: int, plus: Tally) -> tuple[Note, ...]:
    """t9a:13.H.a  The chance to reach a Casting Value, the targets' Magic Resistance aside."""
    chances = {str(n): _told(_cast(n, value, int(plus.value))) for n in range(1, most + 1)}
    return (Note("note.chances", {"chances": chances}, "t9a:13.H.a"),)


def dispelling(most: int, total: int, plus: Tally) -> tuple[Note, ...]:
    """t9a:13.H.b  The chance to stop a spell that was cast with such a total; up to the first that cannot fail."""
    chances: dict[str, str] = {}
    for n in range(1, most + 1):
        chance = _dispel(n, total, int(plus.value))
        chances[str(n)] = _told(chance)
        if chance >= 0.995:
            break
    return (Note("note.chances", {"chances": chances}, "t9a:13.H.b"),)


@lru_cache(maxsize=1024)
def _cast(dice: int, value: int, plus: int) -> float:
    return float(Weigher().run(lambda: casting_steps.cast("", dice, value, plus)).chance(lambda made: made[2]))


@lru_cache(maxsize=1024)
def _dispel(dice: int, total: int, plus: int) -> float:
    return float(Weigher().run(lambda: casting_steps.dispel("", dice, total, plus)).chance(lambda made: made[1]))


def _told(chance: float) -> str:
    return f"{round(100 * chance)} %"

"""t9a:19.C  The Size and Type of a unit of several kinds of models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grognard.games.t9a.forces import Unit
from grognard.kernel.questions import Pick, Script, option

if TYPE_CHECKING:
    from grognard.games.t9a.battle import Battle

#: In which order equals are taken where nobody says otherwise.
ORDER = ("Gigantic", "Large", "Standard", "Infantry", "Beast", "Cavalry", "Construct")


def leading(battle: Battle, unit: Unit, field: str) -> list[str]:
    """The Sizes or Types of which a unit has most models; several where they are equal."""
    counts: dict[str, int] = {}
    for pool in battle.pools(unit):
        word = getattr(battle.pool_profile(pool), field)
        counts[word] = counts.get(word, 0) + battle.pool_count(pool)
    if len(counts) > 1:
        battle.cite("t9a:19.C")
    return sorted((w for w in counts if counts[w] == max(counts.values())), key=ORDER.index)


def group(battle: Battle, unit: Unit, field: str) -> str:
    """t9a:19.C  The Size or Type of the largest fraction of the unit's models; of equals what the opponent chose.

    Ruling: he is asked when the tie comes about, and his choice stands while it lasts; if he does not mind, it is the
    larger Size, and of Types the first in the book's order.
    """
    found = leading(battle, unit, field)
    return next((w for w in found if w in unit.counts_as), found[0] if found else getattr(unit.profile, field))


def settle(battle: Battle, units: Iterable[Unit]) -> Script[None]:
    """t9a:19.C  Ties that nobody has settled yet."""
    for unit in units:
        for field in ("size", "type") if unit.guests and unit.where == "table" else ():
            found = leading(battle, unit, field)
            if len(found) < 2 or any(word in unit.counts_as for word in found):
                continue
            options = [option(word, text=f"option.{field}-{word.lower()}") for word in found]
            picked = yield Pick(
                battle.other(unit.seat),
                f"unit.{field}",
                options,
                optional=True,
                aside=True,
                rule="t9a:19.C",
                about=(unit.id,),
            )
            unit.counts_as = (*unit.counts_as, picked or found[0])

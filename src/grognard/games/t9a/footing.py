"""t9a:21.A.b.3-matching  Among Characters alone: whose base those of the others match or not, where that is a tie."""

from __future__ import annotations

from grognard.games.t9a import seating
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.kernel.questions import Pick, Script, option


def settle(battle: Battle, unit: Unit, joins: Model | None = None) -> Script[bool]:
    """t9a:21.A.b.3-matching  Of bases that leave as few mismatching the owner chooses, when the tie comes about (the
    first of them, if he does not mind). True where he chose another than the first.
    """
    guests = [*battle.guests(unit), *([joins] if joins is not None else [])]
    if unit.troops or len(guests) < 2:
        return False
    tied = [seating.written(base) for base in seating.references([m.profile.base for m in guests])]
    if len(tied) < 2 or unit.reference in tied:
        return False
    options = [option(base, text="option.base", data={"base": base}) for base in tied]
    rule, about = "t9a:21.A.b.3-matching", (unit.id,)
    picked = yield Pick(unit.seat, "unit.base", options, optional=True, aside=True, rule=rule, about=about)
    unit.reference = picked or tied[0]
    return unit.reference != tied[0]

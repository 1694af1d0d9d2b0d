"""wfb3:5.6.1-ld-test, wfb3:10.1-test  Two dice against Leadership or Cool."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import stats, steps
from grognard.kernel.citing import cites
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally


@cites
def ld(battle: Battle, unit: Unit, purpose: str, rule: str, about: Sequence[str] = ()) -> Script[bool]:
    """wfb3:5.6.1-ld-test  2D6: at most the unit's Ld is a pass."""
    return (yield from against(battle, unit, stats.mental(battle, unit, "Ld", purpose), f"test.{purpose}", rule, about))


def cool(
    battle: Battle, unit: Unit, purpose: str, rule: str, about: Sequence[str] = (), *, plus: int = 0, why: str = ""
) -> Script[bool]:
    """wfb3:10.1-test, wfb3:14.6.4-psychology  2D6 against Cl; `plus` (with its rule `why`) changes the Cl."""
    battle.cite("wfb3:10.1-test")
    if unit.kind != "character" and battle.characters(unit):
        battle.cite("wfb3:14.6.4-psychology", "wfb3:14.6.3-bound")
    value = stats.mental(battle, unit, "Cl", purpose)
    if plus:
        value.add(plus, purpose, why or rule)
    return (yield from against(battle, unit, value, f"test.{purpose}", rule, about))


def against(battle: Battle, unit: Unit, value: Tally, name: str, rule: str, about: Sequence[str] = ()) -> Script[bool]:
    """Two dice under a value."""
    total = yield from steps.test(unit.seat, name, value, rule, (unit.id, *about))
    passed = total <= value.value
    battle.tell("test", rule, (unit.id, *about), test=name, total=total, value=value, passed=passed)
    return passed

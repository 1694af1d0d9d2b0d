"""Spells that last: what they do to the numbers of those they lie on (a spell list of our own, see spells.py)."""

from __future__ import annotations

from grognard.games.wfb3.army import profiles
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.words.tally import Tally

RULE = "wfb3:4-phases"


def under(battle: Battle, unit: Unit, name: str) -> int:
    """How strong a spell of that name lies on a unit; 0 where none does."""
    return max((n for spell, n, until in unit.spells if spell == name and until >= battle.clock), default=0)


def lay(battle: Battle, unit: Unit, name: str, strength: int, turns: int) -> None:
    """A spell on a unit until so many player turns from now have been played."""
    kept = tuple(s for s in unit.spells if s[0] != name)
    unit.spells = (*kept, (name, strength, battle.clock + turns))


def mental(battle: Battle, unit: Unit, stat: str, tally: Tally) -> None:
    """Steady Heart and Black Dread: so many more or fewer of Ld and Cl."""
    for name, sign in (("steady heart", 1), ("black dread", -1)):
        strength = under(battle, unit, name)
        if strength:
            tally.add(sign * strength, name, RULE)


def move(battle: Battle, unit: Unit, tally: Tally) -> None:
    """Clinging Mire: half the move."""
    if under(battle, unit, "clinging mire"):
        tally.set(profiles.half_up(tally.value / 2), "clinging mire", RULE)


def lapse(battle: Battle) -> None:
    """Spells whose time is over."""
    for unit in battle.units.values():
        over = [s for s in unit.spells if s[2] < battle.clock]
        if over:
            unit.spells = tuple(s for s in unit.spells if s[2] >= battle.clock)
            for name, _, _ in over:
                battle.tell("spell.over", RULE, (unit.id,), spell=name)

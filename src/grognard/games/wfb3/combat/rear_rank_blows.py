"""wfb3:13.5.8-second-rank, wfb3:13.5.9-pike-ranks, wfb3:27.3.3-support  Those who strike from behind the front rank."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit


def rear_ranks(battle: Battle, unit: Unit, numbers: list[int]) -> int:
    """wfb3:13.5.8-second-rank, wfb3:13.5.9-pike-ranks, wfb3:13.5.9-pike-pushed
    Spears and pikes reach past the front rank, behind models that fight.
    """
    block = battle.block_of(unit)
    if unit.drill.formation == "wedge" or any(block.places[n].rank for n in numbers if n < len(block.places)):
        return 0
    files = {block.places[n].file for n in numbers if n < len(block.places)}
    by_rank: dict[int, list[int]] = {}
    for place in block.places:
        if place.rank and place.number < block.troops:
            by_rank.setdefault(place.rank, []).append(place.file)
    divisors: dict[int, int] = {}
    if unit.mount is None and unit.combat.weapon == "spear":
        divisors = {1: 2}
        battle.cite("wfb3:13.5.8-second-rank")
    elif unit.mount is None and unit.combat.weapon == "pike":
        battle.cite("wfb3:13.5.9-pike-pushed" if unit.combat.ever_pushed else "wfb3:13.5.9-pike-ranks")
        divisors = {} if unit.combat.ever_pushed else {1: 2, 2: 3, 3: 4}
    extra = 0
    for rank, divisor in divisors.items():
        held = by_rank.get(rank, [])
        extra += min(len(held) // divisor, sum(f in files for f in held))
    return extra


def support(battle: Battle, unit: Unit, numbers: list[int]) -> int:
    """wfb3:27.3.3-support  Optional: models right behind fighters make one attack each; not beside spears and pikes."""
    if not battle.house["support"] or unit.combat.weapon in ("spear", "pike"):
        return 0
    battle.cite("wfb3:27.3.3-support")
    block = battle.block_of(unit)
    files = {block.places[n].file for n in numbers if n < len(block.places)}
    return sum(p.rank == 1 and p.file in files and p.number < block.troops for p in block.places)

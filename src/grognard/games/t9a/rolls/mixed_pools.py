"""t9a:7.E-majority, t9a:16.A.a
Rank-and-File of several kinds in one Health Pool: whose values the dice are rolled on."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.questions import Pick, Script, option


def fellows(battle: Battle, unit: Unit) -> list[str]:
    """t9a:16.A.a, t9a:16.A.a-mixed
    Rank-and-File of another profile but of the unit's own Type and Size: they share its
    common Health Pool.
    """
    if not unit.troops or not unit.guests:
        return []
    own = (unit.profile.type, unit.profile.size)
    return [
        m.id
        for m in battle.guests(unit)
        if m.role == "extra" and not m.gone and (m.profile.type, m.profile.size) == own
    ]


def pool_of(battle: Battle, unit: Unit, pool: str) -> str:
    """The Health Pool an attack on a model goes to."""
    return unit.id if pool in fellows(battle, unit) else pool


def heads(battle: Battle, pool: str) -> int:
    """How many models a Health Pool has."""
    if pool in battle.models:
        return 1
    unit = battle.units[pool]
    return unit.troops + len(fellows(battle, unit))


def likeness(battle: Battle, pool: str, seat: str) -> Script[str]:
    """t9a:7.E-majority  The kind that is most numerous in a pool stands for all of it; of equals the attacker chooses.

    Ruling: a majority is the largest group, not necessarily more than half.
    """
    others = [] if pool in battle.models else fellows(battle, battle.units[pool])
    if not others:
        return pool
    counts = {pool: battle.units[pool].troops}
    for key in others:
        alike = next((k for k in counts if battle.pool_profile(k) == battle.pool_profile(key)), key)
        counts[alike] = counts.get(alike, 0) + 1
    battle.cite("t9a:7.E-majority")
    most = max(counts.values())
    leaders = [k for k, n in counts.items() if n == most]
    if len(leaders) == 1:
        return leaders[0]
    picked: str = yield Pick(
        seat, "majority.choose", [option(k, about=(k,)) for k in leaders], rule="t9a:7.E-majority", about=(pool,)
    )
    return picked


def words(battle: Battle, pool: str) -> tuple[str, ...]:
    """t9a:21.G.a  What conditions can ask of a Health Pool: what is so of all its models."""
    found = battle.words(pool)
    unit = battle.pool_unit(pool)
    others = fellows(battle, unit)
    for key in (unit.id, *others) if pool in (unit.id, *others) else ():
        theirs = battle.words(key)
        found = tuple(word for word in found if word in theirs)
    return found


def spill(battle: Battle, unit: Unit, excess: int) -> tuple[int, list[str]]:
    """t9a:16.A.a  What the unit's own kind could not take goes on to the others of the pool: lost, fallen.

    Ruling: models of the unit's own kind fall first, then the others in the order they joined.
    """
    lost, fallen = 0, []
    for key in fellows(battle, unit):
        model = battle.models[key]
        take = min(excess - lost, model.hp)
        model.hp -= take
        lost += take
        if model.hp == 0:
            fallen.append(key)
    return lost, fallen

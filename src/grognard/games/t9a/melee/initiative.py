"""t9a:15.D.a  The Initiative Order: at which step each part of each model strikes, fixed for the round."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import attributes_in_use
from grognard.games.t9a.rolls import stats, weapons_in_use
from grognard.games.t9a.shooting import breath
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.words.tally import Tally


class Entry(NamedTuple):
    """Attacks of one kind by one part of a pool's models: close, crush, impact, grind, stomp."""

    unit: str
    pool: str
    part: int
    kind: str


def agility(battle: Battle, unit: Unit, pool: str, part: Part) -> Tally:
    """t9a:15.D.a, t9a:15.D.b, t9a:21.F.a-spear, t9a:21.F.a-great  A part's Agility with all that changes it now."""
    more = attributes_in_use.charge_changes(battle, unit, pool, part, "agi")
    if unit.charge.charging:
        more.append(("add", 1, "Charging Momentum", "t9a:15.D.b"))
    weapon = weapons_in_use.weapon_of(battle, pool, part)
    if weapon is not None and weapon.name == "Spear" and braced(battle, unit):
        more.append(("add", 2, "Spear", "t9a:21.F.a-spear"))
    if weapon is not None and weapon.last:
        if any(t.key == "lightning-reflexes" for t in attributes_in_use.part_traits(battle, pool, part)):
            battle.cite("t9a:21.G.b.23")
        else:
            return Tally(0, weapon.name, weapon.rule)
    return stats.offensive(battle, pool, part, "agi", more, weapon.name if weapon is not None else "")


@cites
def braced(battle: Battle, unit: Unit) -> bool:
    """t9a:15.B.a  First round, not charging, not engaged in flank or rear (t9a:21.F.a-spear)."""
    if unit.charge.charging or not unit.fight.first_round:
        return False
    return all(ours is Edge.FRONT for _, ours, _ in battle.foes(unit))


@cites
def order(battle: Battle, units: list[Unit]) -> dict[int, list[Entry]]:
    """t9a:15.D.a  Every attack by its step; the active player's come first within a step (t9a:3.A.b-own)."""
    found: dict[int, list[Entry]] = {}
    for seat in (battle.active, battle.reactive):
        for unit in units:
            if unit.seat != seat or unit.where != "table":
                continue
            for pool in battle.pools(unit):
                parts = battle.pool_profile(pool).parts
                if len(parts) > 1:
                    battle.cite("t9a:3.A.b", "t9a:3.A.b-own")
                if any(part.rider for part in parts):
                    battle.cite("t9a:19.B.2", "t9a:19.B.4")
                for index, part in enumerate(parts):
                    for step, kind in _attacks(battle, unit, pool, index, part):
                        found.setdefault(max(0, min(10, step)), []).append(Entry(unit.id, pool, index, kind))
    return found


def _attacks(battle: Battle, unit: Unit, pool: str, index: int, part: Part) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    several = len(battle.pool_profile(pool).parts) > 1
    drawn = not several or bool(part.has("harnessed"))
    if weapons_in_use.granted(battle, pool, part, "impact-hits"):
        battle.cite("t9a:21.H.a.5")
        if unit.charge.charging and (drawn or part.has("inanimate")):
            found.append((10, "impact"))
    if (
        weapons_in_use.granted(battle, pool, part, "stomp-attacks")
        and drawn
        and battle.pool_profile(pool).type != "Construct"
    ):
        found.append((0, "stomp"))
    crushing = pool in battle.models and part.name in battle.models[pool].crushing
    if crushing or (pool not in battle.models and dict(unit.fight.crushing).get(part.name)):
        found.append((0, "crush"))
    speed = 0
    if part.agi is not None:
        tally = agility(battle, unit, pool, part)
        battle.cite(*tally.rules)
        speed = int(tally.value)
    elif battle.effects(pool):
        battle.cite("t9a:5.B.b-none")  # no spell gives it an Agility to strike at
    if part.has("inanimate"):
        battle.cite(part.has("inanimate"))
    elif part.att is not None and not crushing:
        found.append((speed, "close"))
    if weapons_in_use.granted(battle, pool, part, "grind-attacks"):
        found.append((speed, "grind"))
    if any(b.part == index for b in breath.breaths(battle, pool)):
        found.append((speed, "breath"))
    return found

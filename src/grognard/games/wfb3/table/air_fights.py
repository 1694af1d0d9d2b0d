"""Chapter 21.4: fights in and from the air: who fights whom, and who can strike at whom."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import AirFight, Model, Unit
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.kernel.formation.sweeps import gap

#: Flyers this near each other on one level are base to base (mm).
BASE = 1.5


def fights(battle: Battle, unit: Unit) -> list[AirFight]:
    return [f for f in battle.air if unit.id in (f.flyer, f.foe)]


def foes(battle: Battle, unit: Unit) -> list[Unit]:
    """Whom a unit fights in or from the air."""
    return [battle.units[f.foe if f.flyer == unit.id else f.flyer] for f in fights(battle, unit)]


def parted(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:21.5-no-amok  Whether one of two has flown out of a fight with the other."""
    return bool(unit.air.height or foe.air.height) and foe not in foes(battle, unit)


def pinned(battle: Battle, unit: Unit) -> bool:
    """wfb3:21.4.1-one-round  Troops with hovering enemies above them are engaged as with any enemy."""
    return not unit.air.height and any(f.foe == unit.id for f in battle.air)


def end(battle: Battle, fight: AirFight) -> None:
    battle.air = tuple(f for f in battle.air if f != fight)


def charged(battle: Battle, charger: Unit, flyer: Unit) -> None:
    """wfb3:21.4.1-charge-flyers  Ground troops reach flyers at attack level who accepted the fight."""
    battle.air = (*battle.air, AirFight(flyer.id, charger.id, "charged", battle.clock, _front(battle, charger)))
    battle.tell("fly.charged", "wfb3:21.4.1-charge-flyers", (charger.id, flyer.id))


def _front(battle: Battle, unit: Unit) -> tuple[str, ...]:
    places = battle.block_of(unit).places
    return tuple(m for p, m in zip(places, unit.models, strict=True) if p.rank == 0)


def able(battle: Battle, unit: Unit, foe: Unit) -> list[str]:
    """wfb3:21.4.1-overfly, wfb3:21.4.2-defence, wfb3:21.4.4-dogfight
    Those of a unit who can strike at another in the air.

    All flyers at those they fly over; of those flown over everybody who was, or who turned to them from another
    fight; in the air those base to base.
    """
    if unit.air.height and foe.air.height:
        return [m.id for m in touching(battle, unit, foe)]
    held = [f for f in battle.air if {f.flyer, f.foe} == {unit.id, foe.id}]
    if unit.air.height:
        return [m.id for m in battle.members(unit)]
    over = [key for f in held for key in f.models if battle.models[key].alive and battle.models[key].unit == unit.id]
    return [key for key in over if key in unit.air.busy] if battle.engaged(unit) else over


def turned(battle: Battle, unit: Unit, group: Group, number: int) -> dict[str, int]:
    """wfb3:21.4.1-overfly, wfb3:21.4.2-defence
    How many attacks of a group may go to other enemies of its fight instead."""
    rivals = list(dict.fromkeys(f.id for f in foes(battle, unit) if f.where == "table"))
    if group.foe not in rivals or len(rivals) < 2:
        return {}
    reached = {key: set(able(battle, unit, battle.units[key])) for key in rivals}
    mine = set(reached[group.foe])
    for key in rivals[: rivals.index(group.foe)]:
        mine -= reached[key]
    found: dict[str, int] = {}
    for key in rivals:
        both = mine & reached[key]
        if key == group.foe or not both:
            continue
        stands = battle.models[group.who].ride.aboard or group.who if group.who in battle.models else ""
        if stands and stands in both:
            found[key] = group.attacks * number
        elif not stands:
            found[key] = group.attacks * min(number, len(both))
    return found


def touching(battle: Battle, unit: Unit, foe: Unit) -> list[Model]:
    """wfb3:21.4.4-dogfight  Those base to base with the other unit."""
    shape = battle.block_of(foe).outline
    places = zip(battle.block_of(unit).places, battle.members(unit), strict=True)
    return [model for place, model in places if gap(place.outline, shape) <= BASE]


def marks(battle: Battle, unit: Unit, foe: Unit) -> list[tuple[Model, int]]:
    """wfb3:21.4.1-overfly  Leaders, bearers and characters whom flyers may pick out among those they fly over."""
    found = []
    for fight in fights(battle, unit):
        if foe.id != fight.foe or fight.kind == "dogfight":
            continue
        battle.cite("wfb3:21.4.1-overfly")
        for key in fight.models:
            model = battle.models[key]
            if model.alive and model.unit == foe.id and model.role and not model.fight.duel:
                found.append((model, len(unit.models)))
    return found

"""wfb3:8.3  Free hits: blows at the backs of those who turn and run."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import arms, behind, casualties, contacts, needs, steps
from grognard.games.wfb3.arms import Arms
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.needs import Group
from grognard.games.wfb3.profiles import Profile
from grognard.games.wfb3.saves import Blow, save
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Script

#: Kinds of units whose models carry others.
CARRIERS = ("monster", "chariot")


def free_hits(battle: Battle, unit: Unit, routers: Unit, *, series: int = 1) -> Script[int]:
    """wfb3:8.3-free, 8.3.1-multi  Everybody in the front rank who fought strikes; all blows hit, shields do not help.

    Ruling: who fought another enemy, which still stands before him, does not strike at the routers. The second series
    is struck by the whole front rank, later ones by as many as find room behind the routers.
    """
    touching = _touching(battle, unit, routers)
    fighters = [battle.models[unit.models[n]] for n in touching]
    if touching:
        fighters = survivors(battle, unit, routers, fighters)
    else:
        fighters = [battle.models[m] for m in _front(battle, unit)]
        if series == 1:
            fighters = fighters[: len(_front(battle, routers)) + 2]
    groups = _carried(battle, unit, routers, fighters) if unit.kind in CARRIERS else []
    if unit.kind not in CARRIERS:
        groups = _alike(unit, routers, fighters, behind.support(battle, unit, touching) if touching else 0)
    hits = sum(g.fighters * g.attacks for g in groups)
    battle.tell("free-hits", "wfb3:8.3-free", (unit.id, routers.id), hits=hits, series=series)
    total = 0
    for group in groups:
        if routers.where == "table" and group.fighters * group.attacks:
            total += yield from strike(battle, group, group.fighters * group.attacks)
    return total


def _alike(unit: Unit, routers: Unit, fighters: Sequence[Model], helpers: int) -> list[Group]:
    """Blows of the same strength together, riders' and mounts' apart; helpers strike once from behind."""
    found: dict[tuple[str, int, int], tuple[Profile, int]] = {}
    counts = [
        (one, sum(c for _, c in one.attacks)) for m in fighters for one in (m.profile, m.mount) if one is not None
    ]
    for one, number in [*counts, (unit.profile, helpers)] if helpers else counts:
        key = one.name, one.S, one.modifier
        found[key] = one, found[key][1] + number if key in found else number
    return [
        Group(unit.id, routers.id, "mounts" if one is unit.mount else "troops", number, 1, 0, one, True)
        for one, number in found.values()
    ]


def _carried(battle: Battle, unit: Unit, routers: Unit, carriers: Sequence[Model]) -> list[Group]:
    """wfb3:18.4.3-crew-attacks, 20.5-melee  Of beasts and chariots everybody strikes who would in a round of combat."""
    from grognard.games.wfb3 import chariots, monsters

    if unit.kind == "chariot":
        return [g for one in carriers for g in chariots.fighters(battle, unit, routers, one)]
    side = next((own for foe, own, _ in battle.foes(unit) if foe is routers), Edge.FRONT)
    return [g for one in carriers for g in monsters.fighters(battle, unit, routers, one, side)]


def note_round(battle: Battle, unit: Unit) -> None:
    """wfb3:8.3-free  Before blows: how many troops of a unit fight each enemy this round."""
    counts: dict[str, int] = {}
    for foe, _, _ in battle.foes(unit):
        models = [battle.models[unit.models[n]] for n in _touching(battle, unit, foe)]
        counts[foe.id] = sum(m.role != "character" for m in models)
    unit.fought = (battle.clock, tuple(counts.items()))


def note_losses(unit: Unit, foe: str, dead: int) -> None:
    """wfb3:8.3-free  Those who fell to an enemy are no longer among those who fought it."""
    if dead:
        when, counts = unit.fought
        unit.fought = (when, tuple((key, max(0, n - dead) if key == foe else n) for key, n in counts))


def survivors(battle: Battle, unit: Unit, routers: Unit, fighters: Sequence[Model]) -> list[Model]:
    """wfb3:8.3-free  Who fought this round and is alive, touching or not; men who stepped into gaps did not fight."""
    when, counts = unit.fought
    if when != battle.clock or battle.phase != "combat":
        return list(fighters)
    left = dict(counts).get(routers.id, 0)
    kept: list[Model] = []
    others = {n for foe, _, _ in battle.foes(unit) if foe is not routers for n in _touching(battle, unit, foe)}
    busy = {unit.models[n] for n in others}
    front = [battle.models[m] for m in _front(battle, unit) if m not in busy]
    for model in [*fighters, *(m for m in front if m not in fighters and m.role != "character")]:
        if model.role == "character":
            kept.append(model)
        elif left:
            kept.append(model)
            left -= 1
    return kept


def _touching(battle: Battle, unit: Unit, foe: Unit) -> list[int]:
    """The places of a unit's models that touch an enemy unit."""
    touched = {t.number for t in contacts.of_unit(battle, unit) if t.foe == foe.id}
    return sorted(n for n in touched if n < len(unit.models))


def _front(battle: Battle, unit: Unit) -> list[str]:
    block = battle.block_of(unit)
    return [m for p, m in zip(block.places, unit.models, strict=True) if p.rank == 0]


def strike(battle: Battle, group: Group, hits: int) -> Script[int]:
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    gear = (
        arms.arms(battle, unit, battle.models.get(group.who), foe)
        if group.who != "mounts"
        else Arms("wfb3:7.8.2-mounted", modifier=group.profile.modifier)
    )
    need = needs.to_wound(group, gear, battle, foe.profile)
    if unit.frenzied:
        battle.cite("wfb3:10.5-duration")
    needed = save(battle, foe, None, Blow(gear.modifier, gear.rule, True, False, False, gear.generous))
    free = ("wfb3:8.3-free", "wfb3:8.3-free")
    blows = steps.Attacks(unit.seat, foe.seat, None, need, needed, free, (unit.id, foe.id))
    hurt = (yield from steps.attack(blows, hits)).hurt
    if foe.kind == "character":
        return (yield from casualties.wound_model(battle, battle.models[foe.models[0]], hurt, "wfb3:8.3-free"))
    return (yield from casualties.hurt(battle, foe, hurt, "wfb3:8.3-free", melee=True))

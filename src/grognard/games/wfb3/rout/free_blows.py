"""Chapter 8.3: free hits: blows at the backs of those who turn and run."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import casualties, picking, rear_rank_blows, striking
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.rolls import arms, steps, to_hit_to_wound
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.table import contacts
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Script

#: Kinds of units whose models carry others.
CARRIERS = ("monster", "chariot")


def free_hits(battle: Battle, unit: Unit, routers: Unit, *, series: int = 1) -> Script[int]:
    """wfb3:8.3-free, wfb3:8.3.1-multi
    Everybody in the front rank who fought strikes; all blows hit, shields do not help.

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
        fresh = unit.combat.fought[0] != battle.clock or battle.phase != "combat" or not touching
        groups = _alike(battle, unit, routers, fighters, fresh=fresh)
        if touching and (helpers := rear_rank_blows.support(battle, unit, touching)):
            groups.append(Group(unit.id, routers.id, "troops", helpers, 1, 0, unit.profile, True))
    hits = sum(g.fighters * g.attacks for g in groups)
    battle.tell("free-hits", "wfb3:8.3-free", (unit.id, routers.id), hits=hits, series=series)
    total = 0
    for group in groups:
        if routers.where == "table" and group.fighters * group.attacks:
            total += yield from strike(battle, group, group.fighters * group.attacks)
    return total


def _alike(battle: Battle, unit: Unit, routers: Unit, fighters: Sequence[Model], *, fresh: bool) -> list[Group]:
    """wfb3:8.3-free, wfb3:13.3-two-weapons, wfb3:10.9-combat
    Blows of the same kind together, each with the weapon in hand.

    Heroes and horses strike apart; of the stupid half strike, who have been told off already where they have just
    fought.
    """
    plain = striking.in_the_ranks(battle, unit, routers, fighters)
    number = striking.able(battle, unit, plain) if fresh else len(plain)
    each = sum(c for _, c in unit.profile.attacks) * (2 if arms.both_hands(unit, None) else 1)
    made = [Group(unit.id, routers.id, "troops", number, each, 0, unit.profile, True)]
    if unit.mount is not None:
        each = sum(c for _, c in unit.mount.attacks)
        made.append(Group(unit.id, routers.id, "mounts", number, each, 0, unit.mount, True))
    for model in fighters:
        if model.role not in striking.APART or not _strikes(unit, routers, model):
            continue
        hands = 2 if model.role == "character" and arms.both_hands(unit, model) else 1
        each = sum(c for _, c in model.profile.attacks) * hands
        made.append(Group(unit.id, routers.id, model.id, 1, each, 0, model.profile, True))
        if model.mount is not None:
            each = sum(c for _, c in model.mount.attacks)
            made.append(Group(unit.id, routers.id, model.id, 1, each, 0, model.mount, True))
    return [g for g in made if g.fighters * g.attacks]


def by_sections(battle: Battle, unit: Unit, routers: Unit, fighters: Sequence[Model], sections: int) -> list[Group]:
    """wfb3:22.1.6-free-hits  Inside a building everybody who fought strikes once for each section/level on the way."""
    plain = striking.in_the_ranks(battle, unit, routers, fighters)
    number = striking.able(battle, unit, plain)
    single = [m for m in fighters if m.role in striking.APART and _strikes(unit, routers, m)]
    made = [Group(unit.id, routers.id, "troops", number, sections, 0, unit.profile, True)] if number else []
    made += [Group(unit.id, routers.id, m.id, 1, sections, 0, m.profile, True) for m in single]
    return [g._replace(blind=True) for g in made]  # all of them fall on the whole unit


def _strikes(unit: Unit, routers: Unit, model: Model) -> bool:
    """wfb3:14.6.3-step-back, wfb3:10.9-combat, wfb3:7.15.3-refuse, wfb3:10.3-fight
    Whether one who strikes by himself has fought."""
    return not (
        model.role == "altar"
        or model.fight.back
        or model.fight.dazed
        or model.fight.refused
        or unit.seat == routers.seat
    )


def _carried(battle: Battle, unit: Unit, routers: Unit, carriers: Sequence[Model]) -> list[Group]:
    """wfb3:18.4.3-crew-attacks, wfb3:20.5-melee
    Of beasts and chariots everybody strikes who would in a round of combat."""
    if unit.kind == "chariot":
        return [g for one in carriers for g in chariots.fighters(battle, unit, routers, one)]
    side = next((own for foe, own, _ in battle.foes(unit) if foe is routers), Edge.FRONT)
    return [g for one in carriers for g in monsters.fighters(battle, unit, routers, one, side)]


def note_round(battle: Battle, unit: Unit) -> None:
    """wfb3:8.3-free  Before blows: how many troops of a unit fight each enemy this round."""
    counts: dict[str, int] = {}
    for foe, _, _ in battle.foes(unit):
        models = [battle.models[unit.models[n]] for n in _touching(battle, unit, foe)]
        counts[foe.id] = striking.able(battle, unit, striking.in_the_ranks(battle, unit, foe, models))
    unit.combat = unit.combat.but(fought=(battle.clock, tuple(counts.items())))


def note_losses(unit: Unit, foe: str, dead: int) -> None:
    """wfb3:8.3-free  Those who fell to an enemy are no longer among those who fought it."""
    if dead:
        when, counts = unit.combat.fought
        unit.combat = unit.combat.but(
            fought=(when, tuple((key, max(0, n - dead) if key == foe else n) for key, n in counts))
        )


def survivors(battle: Battle, unit: Unit, routers: Unit, fighters: Sequence[Model]) -> list[Model]:
    """wfb3:8.3-free  Who fought this round and is alive, touching or not; men who stepped into gaps did not fight."""
    when, counts = unit.combat.fought
    if when != battle.clock or battle.phase != "combat":
        return list(fighters)
    left = dict(counts).get(routers.id, 0)
    kept: list[Model] = []
    others = {n for foe, _, _ in battle.foes(unit) if foe is not routers for n in _touching(battle, unit, foe)}
    busy = {unit.models[n] for n in others}
    front = [battle.models[m] for m in _front(battle, unit) if m not in busy]
    for model in [*fighters, *(m for m in front if m not in fighters and m.role not in striking.APART)]:
        if model.role in striking.APART:
            kept.append(model)
        elif left and not model.fight.refused:
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
    """wfb3:8.3-free, wfb3:18.2-reach, wfb3:14.6.7-melee, wfb3:20.8-melee-against
    Blows that hit by themselves; on chariots they are only counted. Of beasts they fall on beast or crew, and of a
    unit on whomever of those they touch they choose, as in a round of combat.
    """
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    group = group._replace(auto=True, free=True)
    if foe.kind == "chariot":
        return (yield from chariots.struck(battle, group, hits))
    if unit.minds.frenzied:
        battle.cite("wfb3:10.5-duration")
    if foe.kind == "monster":
        return (yield from monsters.struck(battle, group, hits))
    total = 0
    for victim, number in (yield from picking.shared(battle, group, hits)):
        if number and (victim.alive if victim is not None else foe.where in PRESENT):
            total += yield from _cut_down(battle, group, number, victim)
    return total


def _cut_down(battle: Battle, group: Group, hits: int, victim: Model | None) -> Script[int]:
    """wfb3:8.3-free  To wound and to save without shields; on the troops, or on one of those who run."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    gear = striking.geared(battle, group)
    if victim is None and foe.kind == "character":
        victim = battle.models[foe.models[0]]
    need = to_hit_to_wound.to_wound(group, gear, battle, (victim or foe).profile)
    needed = save(battle, foe, victim, Blow(gear.modifier, gear.rule, True, False, False, gear.generous))
    free, about = ("wfb3:8.3-free", "wfb3:8.3-free"), victim.id if victim is not None else foe.id
    blows = steps.Attacks(unit.seat, foe.seat, None, need, needed, free, (unit.id, about))
    hurt = (yield from steps.attack(blows, hits)).hurt
    if victim is not None:
        return (yield from casualties.wound_model(battle, victim, hurt, "wfb3:8.3-free"))
    return (yield from casualties.hurt(battle, foe, hurt, "wfb3:8.3-free", melee=True))

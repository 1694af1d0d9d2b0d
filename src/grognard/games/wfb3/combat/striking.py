"""Chapters 7.5 to 7.11: striking blows: who reaches whom, in which order, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.profiles import REACH, Profile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import casualties, indoor_blows, overlap, pistols, rear_rank_blows
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.psychology import stupidity
from grognard.games.wfb3.rolls import arms as weapons_of
from grognard.games.wfb3.rolls import steps, to_hit_to_wound
from grognard.games.wfb3.rolls.arms import Arms
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.rolls.saves import Blow, save
from grognard.games.wfb3.rolls.to_hit_to_wound import PISTOL
from grognard.games.wfb3.table import contacts
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Script

#: Who never strikes with the troops: characters, handlers, weres in the ranks, altars.
APART = ("character", "handler", "were", "altar")
#: Attacks that go where their owner looks.
TURNED = ("weapon", "bite", "gore")


def groups(battle: Battle, unit: Unit) -> list[Group]:
    """wfb3:7.5-front, wfb3:7.7-initiative  Everybody of a unit who may strike this round, by the enemy they strike."""
    found: list[Group] = []
    if unit.where == "building":
        return indoor_blows.groups(battle, unit)
    if unit.kind in ("monster", "chariot"):
        return chariots.groups(battle, unit) if unit.kind == "chariot" else monsters.groups(battle, unit)
    battle.cite("wfb3:7.5-front", "wfb3:7.5-attack-types")
    taken: set[int] = set()
    touches = contacts.of_unit(battle, unit)
    order = sorted(battle.foes(unit), key=lambda f: f[1].value)
    for foe, side, _ in order:
        touched = {t.number for t in touches if t.foe == foe.id}
        found += _lashing(battle, unit, foe, side, order[0][1], len(touched & taken))
        numbers = sorted(touched - taken)
        taken.update(numbers)
        if not numbers:
            continue
        side = fronting(battle, unit, side)
        if wrapped := _unanswered(battle, unit, foe, numbers):
            found += [g._replace(auto=True) for g in _troops(battle, unit, foe, Edge.LEFT, wrapped)]
            numbers = [n for n in numbers if n not in wrapped]
        found += _troops(battle, unit, foe, side, numbers)
        found += _singles(battle, unit, foe, side, numbers)
    return found + _duellists(battle, unit, {t.number for t in touches})


def _lashing(battle: Battle, unit: Unit, foe: Unit, side: Edge, first: Edge, count: int) -> list[Group]:
    """wfb3:7.5-attack-types  Tails lash at whoever is behind, while everything else strikes ahead."""
    profile = unit.profile
    spare = [
        n for kind, n in profile.attacks if kind not in TURNED and not reaches(kind, first) and reaches(kind, side)
    ]
    if not count or not sum(spare):
        return []
    return [Group(unit.id, foe.id, "troops", count, sum(spare), profile.I, profile, auto_hits(battle, unit, foe))]


def _unanswered(battle: Battle, unit: Unit, foe: Unit, numbers: list[int]) -> list[int]:
    """wfb3:7.14.2-panic  Overlappers behind an enemy that cannot strike back hit automatically."""
    found = overlap.unanswered(battle, unit, foe, numbers)
    if found:
        battle.cite("wfb3:7.14.2-panic")
    return found


def fronting(battle: Battle, unit: Unit, side: Edge) -> Edge:
    """wfb3:5.7.3-square  Every side of a square is its front."""
    if unit.drill.formation == "square" and side is not Edge.FRONT:
        battle.cite("wfb3:5.7.3-square")
        return Edge.FRONT
    return side


def chosen(battle: Battle, unit: Unit, foe: Unit, numbers: list[int], *, blind: bool) -> list[Group]:
    """wfb3:5.7.4-wedge-fight  Certain models of a unit strike, wherever they stand.

    Ruling: in the press behind the front rank nobody picks his man.
    """
    made = _troops(battle, unit, foe, Edge.FRONT, numbers) + _singles(battle, unit, foe, Edge.FRONT, numbers)
    return [g._replace(blind=blind) for g in made]


def massed(battle: Battle, unit: Unit, foe: Unit, numbers: list[int]) -> list[Group]:
    """wfb3:22.1.5-multi  Troops in the press of a room: each strikes with all he has, nobody from behind another."""
    return _troops(battle, unit, foe, Edge.LEFT, numbers)


def _duellists(battle: Battle, unit: Unit, touching: set[int]) -> list[Group]:
    """wfb3:7.15.1-order, wfb3:7.15.5-gang  Who fights a challenge need not stand in a fighting place."""
    found: list[Group] = []
    for number, key in enumerate(unit.models):
        model = battle.models[key]
        if model.fight.duel and number not in touching and battle.models[model.fight.duel].alive:
            rival = battle.models[model.fight.duel]
            found += single_groups(battle, unit, battle.units[rival.unit], model)
    giant, helpers = unit.combat.gang
    if giant and battle.models[giant].alive:
        foe = battle.units[battle.models[giant].unit]
        gear = weapons_of.arms(battle, unit, None, foe)
        each = sum(c for _, c in unit.profile.attacks)
        speed = initiative(battle, unit.profile, gear)
        battle.cite("wfb3:7.15.5-gang")
        found.append(Group(unit.id, foe.id, "gang", helpers, each, speed, unit.profile))
    return found


def _troops(battle: Battle, unit: Unit, foe: Unit, side: Edge, numbers: list[int]) -> list[Group]:
    battle.cite("wfb3:5.3.1-uniform")
    ranked = [battle.models[unit.models[n]] for n in numbers if n < len(unit.models)]
    plain = [m for m in in_the_ranks(battle, unit, foe, ranked) if not m.fight.duel]
    if not plain:
        return []
    count = able(battle, unit, plain, rear_rank_blows.rear_ranks(battle, unit, numbers) if side is Edge.FRONT else 0)
    auto = auto_hits(battle, unit, foe)
    found = []
    gear = weapons_of.arms(battle, unit, None, foe)
    speed = initiative(battle, unit.profile, gear)
    turns = foe.id not in unit.combat.auto_hit
    natural = _attacks(unit.profile, side, turns=turns) if unit.profile.WS else 0
    if not natural and side is Edge.FRONT:
        battle.cite("wfb3:3.1-zero")
    if natural and pistols.fires(unit, None):
        found.append(Group(unit.id, foe.id, "pistols", count, 1, speed, pistols.shot(unit.profile), auto))
    if natural:
        if weapons_of.both_hands(unit, None):
            battle.cite("wfb3:13.3-two-weapons")
            found += [
                Group(unit.id, foe.id, "troops", count, natural, speed, unit.profile, auto, hand) for hand in (1, 2)
            ]
        else:
            found.append(Group(unit.id, foe.id, "troops", count, natural, speed, unit.profile, auto))
    helpers = rear_rank_blows.support(battle, unit, numbers) if side is Edge.FRONT and natural else 0
    if helpers:
        found.append(Group(unit.id, foe.id, "troops", helpers, 1, speed, unit.profile, auto))
    if unit.mount is not None and _attacks(unit.mount, side, turns=turns):
        battle.cite("wfb3:7.8.2-mounted")
        mount = unit.mount
        each = _attacks(mount, side, turns=turns)
        near = {unit.models[n] for n in contacts.squarely(battle, unit, foe, numbers)}
        found.append(Group(unit.id, foe.id, "mounts", sum(m.id in near for m in plain), each, mount.I, mount, auto))
    return found


def in_the_ranks(battle: Battle, unit: Unit, foe: Unit, ranked: Sequence[Model]) -> list[Model]:
    """wfb3:7.15.3-refuse, wfb3:10.3-fight
    Those of some models who strike as troops: nobody who has refused a challenge or
    is busy elsewhere, and of brawlers no leaders."""
    plain = [m for m in ranked if m.role not in APART and not m.fight.refused and m.id not in unit.air.busy]
    if unit.seat == foe.seat:
        battle.cite("wfb3:10.3-fight")
        return [m for m in plain if m.role != "leader"]
    return plain


def able(battle: Battle, unit: Unit, plain: Sequence[Model], behind: int = 0) -> int:
    """wfb3:10.9-combat  How many of some troops strike, with so many from behind: half of the stupid."""
    count = len(plain) + behind
    if not stupidity.halved(battle, unit):
        return count
    battle.cite("wfb3:10.9-combat")
    leaders = [m for m in plain if m.role == "leader"]
    rest = count - len(leaders)
    return rest // 2 + (rest % 2 and unit.combat.odd_one) + sum(not m.fight.dazed for m in leaders)


def _attacks(profile: Profile, side: Edge, *, turns: bool = True) -> int:
    """wfb3:7.5-attack-types, wfb3:7.2.5-split  Attacks that reach a side; weapons are turned where models may turn."""
    return sum(count for kind, count in profile.attacks if (turns and kind in TURNED) or reaches(kind, side))


def reaches(kind: str, side: Edge) -> bool:
    """wfb3:7.5-attack-types  Stomps reach every side, claws the flanks, tails flanks and rear."""
    return ("front" if side is Edge.FRONT else "flank" if side.is_flank else "rear") in REACH[kind]


def _singles(battle: Battle, unit: Unit, foe: Unit, side: Edge, numbers: list[int]) -> list[Group]:
    """wfb3:14.6.7-melee, wfb3:7.15-leader  Characters and duellists strike by themselves."""
    found = []
    for number in numbers:
        model = battle.models[unit.models[number]]
        if unit.seat == foe.seat or model.fight.refused or not (model.role in APART or model.fight.duel):
            continue
        if model.role == "altar" or model.fight.back:
            continue
        if foe.id in unit.combat.auto_hit and not _attacks(model.profile, side, turns=False):
            continue
        if model.role == "character":
            battle.cite("wfb3:14.6.7-melee")
        if model.fight.dazed:
            battle.cite("wfb3:10.9-combat")
            continue
        found += single_groups(battle, unit, foe, model)
    return found


def single_groups(battle: Battle, unit: Unit, foe: Unit, model: Model) -> list[Group]:
    """wfb3:15.2-unarmed  The blows of one model by himself; assassins need no weapon for theirs."""
    gear = weapons_of.arms(battle, unit, model, foe)
    if model.hero.assassin and not model.kit.weapons:
        battle.cite("wfb3:15.2-unarmed")
    speed = initiative(battle, model.profile, gear)
    made = []
    if pistols.fires(unit, model):
        made.append(Group(unit.id, foe.id, model.id, 1, 1, speed, pistols.shot(model.profile), hand=PISTOL))
    hands: tuple[int, ...] = (1, 2) if model.role == "character" and weapons_of.both_hands(unit, model) else (0,)
    if len(hands) > 1:
        battle.cite("wfb3:13.3-two-weapons")
    each = sum(c for _, c in model.profile.attacks) if model.profile.WS else 0
    if not each:
        battle.cite("wfb3:3.1-zero")
        hands = ()
    made += [Group(unit.id, foe.id, model.id, 1, each, speed, model.profile, hand=hand) for hand in hands]
    if model.mount is not None and sum(c for _, c in model.mount.attacks) > 0:
        battle.cite("wfb3:7.8.2-mounted")
        made.append(
            Group(unit.id, foe.id, model.id, 1, sum(c for _, c in model.mount.attacks), model.mount.I, model.mount)
        )
    return made


def initiative(battle: Battle, profile: Profile, gear: Arms) -> int:
    """wfb3:7.7-initiative  Initiative with what the weapon gives or takes."""
    battle.cite(*(rule for _, _, rule in gear.initiative))
    return profile.I + sum(n for n, _, _ in gear.initiative)


def auto_hits(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:7.8.3-auto, wfb3:7.2.5-split  Blows on models already engaged to their front that cannot strike back."""
    if unit.id in foe.combat.auto_hit:
        battle.cite("wfb3:7.2.5-split")
        return True
    mine = [t for t in contacts.of_unit(battle, unit) if t.foe == foe.id]
    if not mine or fronting(battle, foe, mine[0].foe_side) is not Edge.REAR:
        return False
    ahead = contacts.engaged_numbers(battle, foe, Edge.FRONT)
    stuck = all(t.foe_number in ahead for t in mine)
    carrier = foe.mount or foe.profile
    strikes = any("rear" in REACH[kind] and count for kind, count in carrier.attacks)
    return stuck and not strikes


def geared(battle: Battle, group: Group) -> Arms:
    """wfb3:13.2-one-melee-weapon, wfb3:7.8.2-mounted  What a group strikes with: troops and heroes each with their own
    weapon, horses with none."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    if group.who == "pistols" or group.hand == PISTOL:
        return pistols.ARMS
    if to_hit_to_wound.of_mount(battle, group):
        return Arms("wfb3:7.8.2-mounted", modifier=group.profile.modifier)
    return weapons_of.arms(battle, unit, battle.models.get(group.who), foe)


def strike(battle: Battle, group: Group, attacks: int, victim: Model | None) -> Script[int]:
    """wfb3:7.6-sequence, wfb3:7.10.2-mods, wfb3:7.11-overkill
    So many blows on a unit's troops, or on one of its models; wounds that count."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    if attacks <= 0 or foe.where not in PRESENT:
        return 0
    model, gear = battle.models.get(group.who), geared(battle, group)
    target = victim.profile if victim is not None else foe.profile
    about = (group.who if model is not None else unit.id, victim.id if victim is not None else foe.id)
    if group.auto:
        battle.cite("wfb3:7.8.3-auto")
    need = None if group.auto else to_hit_to_wound.to_hit(battle, group, gear, target, (victim or foe).kit)
    rear = any(fronting(battle, foe, side) is Edge.REAR for other, side, _ in battle.foes(foe) if other.id == unit.id)
    if unit.id in foe.combat.auto_hit:
        battle.cite("wfb3:7.2.5-split")
    shields = unit.id not in foe.combat.auto_hit and not group.free
    saved = save(battle, foe, victim, Blow(gear.modifier, gear.rule, True, rear, shields, gear.generous))
    blows = steps.Attacks(
        unit.seat, foe.seat, need, to_hit_to_wound.to_wound(group, gear, battle, target), saved,
        ("wfb3:7.9-wound", "wfb3:7.10-saves"), about,
    )  # fmt: skip
    hits, wounded, hurt = yield from steps.attack(blows, attacks)
    if gear.modifier and wounded:
        battle.cite("wfb3:7.10.2-mods")
    if victim is not None:
        counted = yield from casualties.wound_model(battle, victim, hurt, "wfb3:7.11-casualties")
    elif foe.kind == "character" or not battle.ordinary(foe):
        alone = next((m for m in battle.members(foe)), None)
        counted = (yield from casualties.wound_model(battle, alone, hurt, "wfb3:7.11-casualties")) if alone else 0
    else:
        if hurt > len(contacts.engaged_numbers(battle, foe)):
            battle.cite("wfb3:7.11-overkill")
        counted = yield from casualties.hurt(battle, foe, hurt, "wfb3:7.11-casualties", melee=True)
    if attacks:
        battle.tell("blows", "wfb3:7.6-sequence", about, attacks=attacks, hits=hits, wounds=counted, by=group.who)
    return counted

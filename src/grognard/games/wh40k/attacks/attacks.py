"""Chapter 7: making attacks: hit, wound, allocate, save, damage, for ranged and melee attacks alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.abilities.base import Change
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.attacks import allocation, casualties, saves
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.rolls import attack_numbers, random_values, rerolls, steps
from grognard.games.wh40k.rolls.toughness import common
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Order, Pick, Script, option
from grognard.kernel.words.tally import Tally


class Volley(msgspec.Struct, frozen=True):
    """wh40k:7.11.1-group  Attacks alike in everything, declared together: who, with what, at whom.

    `toughness` and what `aim` says were settled when the target was selected. `shares` are attacks given to this target
    where one melee weapon's attacks are split (None: all of them). `ap` improves the weapon's AP.
    """

    weapon: Weapon
    bearers: tuple[str, ...]
    target: str
    aim: Aim
    toughness: Tally
    changes: tuple[Change, ...] = ()
    covered: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()  # wh40k:8.10-precision  those its bearers see
    precision: str = ""  # the rule that gives it, where it is not the weapon
    shares: tuple[int, ...] | None = None
    ap: int = 0
    ap_rule: str = ""
    tough: Amount | None = None  # wh40k:11.4.3-random-other  what the Toughness is rolled with, where it is

    @property
    def label(self) -> str:
        return self.weapon.name


def choose_toughness(battle: Battle, targets: Iterable[str]) -> Script[None]:
    """wh40k:23.2-mixed-toughness  Where as many models have one Toughness as another its owner says which counts.

    Ruling: the higher, if he does not mind.
    """
    for target in [battle.units[key] for key in targets if not battle.attached(battle.units[key])]:
        target.phase = target.phase.but(tough=0)
        tied = common(battle.members(target))
        if len(tied) > 1:
            options = [option(str(t), t, text="option.toughness", data={"toughness": t}) for t in tied]
            chosen = yield Pick(
                target.seat, "attack.toughness", options, optional=True, aside=True,
                rule="wh40k:23.2-mixed-toughness", about=(target.id,),
            )  # fmt: skip
            target.phase = target.phase.but(tough=chosen or 0)


@cites
def resolve(battle: Battle, unit: Unit, volleys: Sequence[Volley]) -> Script[None]:
    """wh40k:7.1-sequence, wh40k:6.5.2-order  All attacks on one target before the next; profile by profile.

    wh40k:10.8.5-resolve  Melee attacks too. wh40k:23.12-devastating-timing  Mortal wounds come last.

    Ruling: in the order they were declared, if their player does not mind.
    """
    targets = list(dict.fromkeys(v.target for v in volleys))
    if len(targets) > 1:
        options = [option(t, about=(t,)) for t in targets]
        targets = list((
            yield Order(
                unit.seat, "attack.targets", options, rule="wh40k:6.5.2-order", about=(unit.id,), aside=True
            )
        ))  # fmt: skip
    for target in targets:
        own = [v for v in volleys if v.target == target]
        labels = list(dict.fromkeys(v.label for v in own))
        if len(labels) > 1:
            options = [option(name, text="option.weapon", data={"weapon": name}) for name in labels]
            labels = list((
                yield Order(
                    unit.seat, "attack.weapons", options, rule="wh40k:6.5.2-order", about=(unit.id, target), aside=True
                )
            ))  # fmt: skip
        mortal = 0
        for label in labels:
            for volley in [v for v in own if v.label == label]:
                mortal += yield from _volley(battle, unit, volley)
        if mortal:
            battle.cite("wh40k:7.8.3-after", "wh40k:23.12-devastating-timing")
            devastating = any(v.weapon.flag("devastating") for v in own)
            rule = "wh40k:8.15-devastating" if devastating else "wh40k:7.8.4-still"
            yield from casualties.mortal_wounds(battle, battle.units[target], mortal, rule)
    battle.cite(*(["wh40k:10.8.5-resolve"] if any(v.weapon.melee for v in volleys) else []))


def _volley(battle: Battle, unit: Unit, volley: Volley) -> Script[int]:
    """wh40k:7.1-sequence, wh40k:7.12-target-gone, wh40k:23.7-lethal-devastating
    The attacks of one profile on one target; the mortal wounds they leave for later."""
    target, weapon = battle.units[volley.target], volley.weapon
    if not target.models:
        battle.tell("attack.lost", "wh40k:7.12-target-gone", (unit.id, target.id), weapon=weapon.name)
        return 0
    count = yield from _attacks(battle, unit, volley)
    battle.tell("attack.made", "wh40k:6.5.1-attacks", (unit.id, target.id), weapon=weapon.name, attacks=count)
    attack = numbers(battle, unit, volley)
    books = [u.sheet.book for u in (unit, target) if u.sheet.book]
    battle.cite(*(["wh40k:12.5.4-single-unit"] if battle.attached(target) else []))
    battle.cite("wh40k:1.4", "wh40k:1.12.3-notation", *volley.toughness.rules, *books)
    hit = yield from steps.hits(attack, count)
    battle.cite(*hit.rules)
    battle.tell(
        "attack.hits", "wh40k:7.2.1-roll", (unit.id, target.id), hits=hit.hits + hit.wounds, criticals=hit.criticals
    )
    attack = msgspec.structs.replace(attack, who=stratagems.roller(battle, unit, unit.id, target.id))
    devastating = weapon.flag("devastating")
    fishing = bool(devastating) or any(trait.mortal_wounds() is not None for trait in weapon.traits)
    wounded = yield from steps.wounds(attack, hit.hits, fishing=fishing)
    battle.cite(*wounded.rules)
    total = wounded.wounds + wounded.critical + hit.wounds
    psychic: dict[str, Any] = {"psychic": True} if weapon.flag("psychic") and total else {}
    battle.cite(*(["wh40k:11.4.5-psychic"] if psychic else []))
    battle.tell(
        "attack.wounds", "wh40k:7.3.1-table", (unit.id, target.id), wounds=total, criticals=wounded.critical, **psychic
    )  # fmt: skip
    if hit.wounds and devastating:
        battle.cite("wh40k:23.7-lethal-devastating")
    mortal, ordinary = 0, total
    if devastating and wounded.critical:
        mortal = yield from _devastate(battle, unit, volley, wounded.critical)
        ordinary -= wounded.critical
    elif wounded.critical:
        mortal = yield from _besides(battle, unit, volley, wounded.critical)
    if saves.alike(battle, target, volley, ordinary):
        ordinary = yield from saves.together(battle, target, volley, ordinary)
        wound = _unsaved
    else:
        wound = _one_wound
    for _ in range(ordinary):
        if not target.models:
            battle.tell("attack.lost", "wh40k:7.12-target-gone", (unit.id, target.id), weapon=weapon.name)
            break
        yield from wound(battle, unit, target, volley)
    return mortal


def _besides(battle: Battle, unit: Unit, volley: Volley, criticals: int) -> Script[int]:
    """wh40k:7.8.4-still  Mortal wounds a weapon's Critical Wounds cause beside their damage, saved or not."""
    mortal = 0
    for trait in volley.weapon.traits:
        value = trait.mortal_wounds()
        for _ in range(criticals if value is not None else 0):
            number, _ = yield from rerolls.total(
                rerolls.Roller(unit.seat, (unit.id, volley.target)), "mortal", value or Amount(), trait.rule
            )
            mortal += number
            battle.cite(trait.rule, "wh40k:7.8.4-still")
    return mortal


@cites
def _devastate(battle: Battle, unit: Unit, volley: Volley, criticals: int) -> Script[int]:
    """wh40k:8.15-devastating  Damage, as mortal wounds.

    wh40k:23.11-melta-devastating  What Melta adds too. wh40k:23.9-precision-devastating  On nobody in particular.
    """
    if volley.weapon.flag("precision") or volley.precision:
        battle.cite("wh40k:23.9-precision-devastating")
    battle.cite(*attack_numbers.devastation(volley.weapon, volley.aim))
    mortal = 0
    for _ in range(criticals):
        mortal += yield from _damage(battle, unit, volley)
    return mortal


def _attacks(battle: Battle, unit: Unit, volley: Volley) -> Script[int]:
    """wh40k:6.5.1-attacks, wh40k:11.4.3-random-other, wh40k:8.2-rapid-fire, wh40k:8.11.1-blast,
    wh40k:23.14-blast-stack, wh40k:23.40-random-timing
    How many attacks the bearers make."""
    if volley.shares is not None:
        return sum(volley.shares)
    extra, rules = attack_numbers.more_attacks(volley.weapon, volley.aim)
    battle.cite(*rules, *(["wh40k:23.14-blast-stack"] if extra else []))
    count = 0
    for bearer in volley.bearers:
        count += yield from rolled_attacks(battle, unit, volley.weapon, bearer)
    return count + extra * len(volley.bearers)


def rolled_attacks(battle: Battle, unit: Unit, weapon: Weapon, bearer: str) -> Script[int]:
    """wh40k:23.40-random-timing  The attacks of one weapon, rolled when they are made."""
    who = stratagems.roller(battle, unit, unit.id, bearer)
    rule = "wh40k:11.4.3-random-other"
    battle.cite(*random_values.rules(weapon.attacks))
    number, used = yield from rerolls.total(who, "attacks", weapon.attacks, rule)
    stratagems.settle(battle, used, summed=True)
    return number


def numbers(battle: Battle, unit: Unit, volley: Volley) -> steps.Attack:
    """The numbers of an attack, each with its why; the weapon's abilities are asked, whatever they answer."""
    weapon, free_rule = volley.weapon, aura(battle, unit)
    who = stratagems.roller(
        battle, unit, unit.id, volley.target, free="ones" if free_rule else "", free_rule=free_rule
    )  # fmt: skip
    tough = int(volley.toughness.value)
    sixes = "wh40k:13.2.7-overwatch" if unit.phase.overwatch else ""
    made = attack_numbers.attack(
        who, weapon, volley.aim, attack_numbers.need(weapon, tough), volley.changes, sixes=sixes, toughness=tough,
        tough=volley.tough,
    )  # fmt: skip
    for dice in (made.tough, made.strength):
        battle.cite(*random_values.rules(dice))
    battle.cite(*attack_numbers.heard(weapon, made, unit.phase.overwatch))
    return made


def aura(battle: Battle, unit: Unit) -> str:
    """wh40k:11.4.4-aura, wh40k:23.41-aura-when
    The rule of an aura that lets the unit re-roll Hit rolls of 1, or ""."""
    for model in battle.on_table():
        if model.seat != unit.seat:
            continue
        for trait in battle.traits(model):
            if not trait.rerolls_hits_of_one or not trait.aura:
                continue
            members = [m for m in battle.members(unit) if m.on_table]
            served = model.unit == unit.id or (
                bool(members) and float(battle.gaps([model], members).min()) <= inches(trait.aura) + EPS
            )
            if served and any(k in battle.keywords(unit) for k in battle.units[model.home].sheet.faction):
                battle.cite("wh40k:11.4.4-aura", "wh40k:23.41-aura-when", trait.rule)
                return trait.rule
    return ""


def _damage(battle: Battle, unit: Unit, volley: Volley) -> Script[int]:
    """wh40k:7.7.1-damage, wh40k:8.12-melta, wh40k:11.4.3-random-other, wh40k:7.11.3-random-damage
    The damage of one attack."""
    value, rules = attack_numbers.damage(volley.weapon, volley.aim)
    battle.cite(*rules)
    battle.cite(*random_values.rules(value, "wh40k:7.11.3-random-damage"))
    who = stratagems.roller(battle, unit, unit.id, volley.target)
    number, used = yield from steps.damage(who, value)
    stratagems.settle(battle, used, summed=True)
    return number


def _one_wound(battle: Battle, unit: Unit, target: Unit, volley: Volley) -> Script[None]:
    """wh40k:7.4.1-owner, wh40k:7.5.1-armour  One wounding attack: allocated, saved or not, damage."""
    model = yield from _precise(battle, unit, target, volley)
    if model is None:
        model = yield from allocation.allocate(battle, target, "attack.allocate", "wh40k:7.4.1-owner", volley.covered)
    model.allocated = True
    volley = yield from _pierced(battle, unit, volley)
    by = yield from saves.choose(battle, target, model, volley, (yield from _armoured(battle, model)))
    saved, used = yield from steps.save(stratagems.roller(battle, target, model.id), by)
    stratagems.settle(battle, used)
    if saved:
        battle.tell("attack.saved", "wh40k:7.5.1-armour", (model.id,), save=by.kind)
        return
    battle.cite("wh40k:7.5.2-one", *(["wh40k:23.50-priority-save-one"] if by.plus.value > 0 else []))
    damage = yield from _damage(battle, unit, volley)
    yield from casualties.hurt(battle, model, damage, "wh40k:7.7.1-damage")


def _pierced(battle: Battle, unit: Unit, volley: Volley) -> Script[Volley]:
    """wh40k:11.4.3-random-other  An AP that is rolled is rolled for each attack as it is allocated.

    Ruling: so its value is known when armour or invulnerable save is chosen.
    """
    weapon = volley.weapon
    if weapon.pierce is None:
        return volley
    who = rerolls.Roller(unit.seat, (unit.id, volley.target))
    number = yield from random_values.rolled(battle, who, "ap", weapon.pierce)
    return msgspec.structs.replace(volley, weapon=msgspec.structs.replace(weapon, ap=-number, pierce=None))


def _armoured(battle: Battle, model: Model) -> Script[int]:
    """wh40k:11.4.3-random-other  The Save of a model; one that is rolled is rolled for each saving throw.

    Ruling: its value is known when armour or invulnerable save is chosen.
    """
    dice = model.profile.rolled("Sv")
    if dice is None:
        return model.profile.Sv
    return (yield from random_values.rolled(battle, rerolls.Roller(model.seat, (model.id,)), "sv", dice))


def _unsaved(battle: Battle, unit: Unit, target: Unit, volley: Volley) -> Script[None]:
    """wh40k:7.4.1-owner, wh40k:7.11.2-saves  One attack that was not saved, allocated afterwards."""
    model = yield from allocation.allocate(battle, target, "attack.allocate", "wh40k:7.4.1-owner")
    model.allocated = True
    damage = yield from _damage(battle, unit, volley)
    yield from casualties.hurt(battle, model, damage, "wh40k:7.7.1-damage")


def _precise(battle: Battle, unit: Unit, target: Unit, volley: Volley) -> Script[Model | None]:
    """wh40k:8.10-precision, wh40k:13.2.3-epic-challenge
    The attacker may choose a CHARACTER of an Attached unit it sees."""
    rule = volley.weapon.flag("precision") or volley.precision
    if not rule or not battle.attached(target):
        return None
    heroes = [m for m in battle.members(target) if m.has("CHARACTER") and m.id in volley.characters]
    if not heroes:
        return None
    battle.cite("wh40k:8.10-precision")
    options = [option(m.id, m, about=(m.id,)) for m in heroes]
    chosen: Model | None = yield Pick(
        unit.seat, "attack.precision", options, optional=True, rule=rule, about=(unit.id, target.id)
    )
    return chosen

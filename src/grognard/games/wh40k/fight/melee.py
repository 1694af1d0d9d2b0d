"""Chapter 10.8: which models fight, with what, at whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.abilities.base import Change
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.attacks import attacks
from grognard.games.wh40k.attacks.attacks import Volley
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.rolls.toughness import rolled_toughness, toughness
from grognard.games.wh40k.shooting import targeting, weapon_choice
from grognard.games.wh40k.table import barricades, sight
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script, Split, option

#: A model, its weapon, the unit it strikes at, and how many of its attacks (None: all of them).
Blow = tuple[Model, Weapon, Unit, int | None]


def targets_of(battle: Battle, model: Model) -> list[Unit]:
    """wh40k:10.8.1-who, wh40k:10.8.3-targets, wh40k:17.6.2-fight, wh40k:10.9.4-example
    The enemy units a model may attack; none: it does not fight."""
    found = dict.fromkeys(e.unit for e in battle.model_engaged(model))
    found |= dict.fromkeys(e.unit for e in barricades.across(battle, model))
    for friend in battle.touching(model):
        if friend.unit == model.unit:
            behind = dict.fromkeys(e.unit for e in battle.touching(friend) if e.seat != model.seat)
            if behind:
                battle.cite("wh40k:10.9.4-example")
            found |= behind
    units = [battle.units[key] for key in found]
    if model.has("AIRCRAFT"):
        units = [u for u in units if battle.is_kind(u, "FLY")]
    elif not model.has("FLY"):
        units = [u for u in units if not battle.is_kind(u, "AIRCRAFT")]
    if len(units) < len(found):
        battle.cite("wh40k:17.6.2-fight")
    return units


def declare(battle: Battle, unit: Unit) -> Script[list[Volley]]:
    """wh40k:10.8.2-weapon, wh40k:10.8.3-targets  Weapons and targets of all attacks before any is resolved."""
    fighters = {m.id: targets_of(battle, m) for m in battle.members(unit)}
    ready = [m for m in battle.members(unit) if fighters[m.id]]
    battle.cite("wh40k:10.8.1-who", *(["wh40k:10.8.2-weapon", "wh40k:10.8.3-targets"] if ready else []))
    if any(not w.melee for m in ready for w in m.weapons):
        battle.cite("wh40k:11.2.1-range")
    blows: list[Blow] = []
    arms = yield from _weapons(unit, ready)
    yield from _held_back(unit, arms)
    for weapon in dict.fromkeys(w for chosen in arms.values() for w in chosen):
        same = [m for m in ready if weapon in arms[m.id]]
        yield from _strike(battle, unit, weapon, same, fighters, blows)
    yield from attacks.choose_toughness(battle, dict.fromkeys(target.id for _, _, target, _ in blows))
    return muster(battle, unit, blows)


def _held_back(unit: Unit, arms: dict[str, list[Weapon]]) -> Script[None]:
    """wh40k:8.17-extra-attacks  Extra Attacks may be left out, by all who have them or by some."""
    bearers: dict[Weapon, list[str]] = {}
    for key, chosen in arms.items():
        for weapon in chosen:
            if weapon.flag("extra_weapon"):
                bearers.setdefault(weapon, []).append(key)
    options = []
    names = [weapon.name for weapon in bearers]
    for weapon, keys in bearers.items():
        sole = names.count(weapon.name) == 1
        if sole:
            options.append(option(weapon.name, (weapon, keys), text="option.weapon", data={"weapon": weapon.name}))
        for key in keys if len(keys) > 1 or not sole else ():
            facts = {"weapon": weapon.name, "model": key}
            options.append(Option(f"{key}:{weapon.name}", (weapon, [key]), "option.deck", (key,), facts))
    if not options:
        return
    held = yield Pick(
        unit.seat, "fight.hold", options, least=0, most=len(options), aside=True, rule="wh40k:8.17-extra-attacks",
        about=(unit.id,),
    )  # fmt: skip
    for weapon, keys in held if len(options) > 1 else [held] if held else []:
        for key in keys:
            arms[key] = [w for w in arms[key] if w != weapon]


def _weapons(unit: Unit, ready: Sequence[Model]) -> Script[dict[str, list[Weapon]]]:
    """wh40k:10.8.2-weapon, wh40k:8.17-extra-attacks, wh40k:23.19-extra-attacks-solo
    One melee weapon each, and every Extra Attacks weapon besides.

    Models armed alike choose together, or one by one.
    """
    arms: dict[str, list[Weapon]] = {}
    kinds: dict[tuple[Weapon, ...], list[Model]] = {}
    for model in ready:
        kinds.setdefault(tuple(w for w in model.weapons if w.melee), []).append(model)
    for weapons, models in kinds.items():
        extra = [w for w in weapons if w.flag("extra_weapon")]
        sets = [[w for w in weapons if w not in extra]]
        sets += [[w for w in extra if w.item == item] for item in dict.fromkeys(w.item for w in extra)]
        arms |= {m.id: [] for m in models}
        for choice in sets:
            chosen = yield from _one_each(unit, list(dict.fromkeys(choice)), models)
            for key, weapon in chosen.items():
                arms[key].append(weapon)
    return arms


def _one_each(unit: Unit, choice: Sequence[Weapon], models: Sequence[Model]) -> Script[dict[str, Weapon]]:
    """wh40k:10.8.2-weapon  One of these weapons or profiles for every model: the same for all, or one by one."""
    chosen: dict[str, Weapon] = {}
    waiting = [list(models)] if choice else []
    while waiting:
        now = waiting.pop(0)
        weapon = yield _weapon_pick(unit, choice, now)
        if weapon == "singly":
            waiting = [[m] for m in now]
        else:
            chosen |= {m.id: weapon for m in now}
    return chosen


def _weapon_pick(unit: Unit, plain: Sequence[Weapon], models: Sequence[Model]) -> Pick:
    options = [weapon_choice.choice(weapon) for weapon in plain]
    if len(models) > 1 and len(plain) > 1:
        options.append(Option("singly", "singly", "option.each"))
    about = (unit.id, models[0].id) if len(models) == 1 else (unit.id,)
    return Pick(
        unit.seat, "fight.weapon", options, rule="wh40k:10.8.2-weapon", about=about,
        data={"models": targeting.alike(models), "number": len(models)},
    )  # fmt: skip


def _strike(
    battle: Battle, unit: Unit, weapon: Weapon, same: list[Model], fighters: dict[str, list[Unit]], blows: list[Blow]
) -> Script[None]:
    """wh40k:10.8.3-targets  Targets of alike weapons: together, or model by model, even attack by attack.

    Ruling: a weapon with a random number of attacks strikes one unit, for targets come before the roll.
    """
    if weapon.flag("extra_weapon"):
        battle.cite("wh40k:8.17-extra-attacks", "wh40k:23.19-extra-attacks-solo")
    waiting, singly, split = list(same), False, False
    while waiting:
        now = waiting[:1] if singly else waiting
        able: dict[str, list[Model]] = {}
        for model in now:
            for target in fighters[model.id]:
                able.setdefault(target.id, []).append(model)
        done = now
        if len(able) > 1 and (singly or split) and weapon.attacks.fixed and weapon.attacks.plus > 1:
            options = [
                Option(key, key, "option.target", battle.units[key].named, {"unit": key, "number": 1}) for key in able
            ]
            shares = yield Split(
                unit.seat, "fight.split", options, weapon.attacks.plus, rule="wh40k:10.8.3-targets",
                about=(unit.id, now[0].id), data={"weapon": weapon.name},
            )  # fmt: skip
            blows.extend((now[0], weapon, battle.units[key], n) for key, n in shares.items() if n)
        else:
            options = [
                Option(key, key, "option.target", battle.units[key].named, {"unit": key, "number": len(models)})
                for key, models in able.items()
            ]
            if len(now) > 1 and len(able) > 1:
                options.append(Option("singly", "singly", "option.singly"))
            elif len(able) > 1 and weapon.attacks.fixed and weapon.attacks.plus > 1:
                options.append(Option("split", "split", "option.split"))
            chosen = yield Pick(
                unit.seat, "fight.target", options, rule="wh40k:10.8.3-targets",
                about=(unit.id, *((now[0].id,) if singly else ())),
                barred=_barred(battle, unit, able),
                data={"weapon": weapon.name, "number": len(now)},
            )  # fmt: skip
            singly, split = singly or chosen == "singly", chosen == "split"
            if chosen in ("singly", "split"):
                continue
            done = able[chosen]
            blows.extend((m, weapon, battle.units[chosen], None) for m in done)
        waiting = [m for m in waiting if m not in done]


def _barred(battle: Battle, unit: Unit, able: Mapping[str, object]) -> dict[str, Refusal]:
    """wh40k:10.8.3-targets, wh40k:17.6.2-fight  Why other enemy units are no targets of these blows."""
    found = {}
    for enemy in battle.army(battle.other(unit.seat)):
        if enemy.id not in able:
            also = ("wh40k:17.6.2-fight",) if any(battle.is_kind(u, "AIRCRAFT") for u in (unit, enemy)) else ()
            found[enemy.id] = Refusal("refuse.not-struck", "wh40k:10.8.3-targets", {"target": enemy.id}, also)
    return found


class _Sort(NamedTuple):
    """What blows must have in common to be rolled together."""

    weapon: Weapon
    target: str
    epic: str
    heroes: tuple[str, ...]
    whole: bool
    changes: tuple[Change, ...]


def muster(battle: Battle, unit: Unit, blows: Sequence[Blow]) -> list[Volley]:
    """wh40k:7.11.1-group  Blows alike in everything become one volley."""
    found: dict[_Sort, list[tuple[str, int]]] = {}
    for model, weapon, target, share in blows:
        epic = "wh40k:13.2.3-epic-challenge" if unit.phase.epic == model.id else ""
        heroes = _heroes(battle, model, target) if epic or weapon.flag("precision") else ()
        sort = _Sort(weapon, target.id, epic, heroes, share is None, tuple(targeting.hampered(battle, model)))
        found.setdefault(sort, []).append((model.id, share or 0))
    volleys = []
    for sort, who in found.items():
        target = battle.units[sort.target]
        aim = Aim(melee=True, models=len(target.models), charged=unit.turn.charged, keywords=battle.keywords(target))
        shares = None if sort.whole else tuple(number for _, number in who)
        volleys.append(
            Volley(
                sort.weapon, tuple(key for key, _ in who), sort.target, aim, toughness(battle, target),
                sort.changes, characters=sort.heroes, precision=sort.epic, shares=shares,
                tough=rolled_toughness(battle, target),
            )
        )  # fmt: skip
    return volleys


def _heroes(battle: Battle, model: Model, target: Unit) -> tuple[str, ...]:
    """wh40k:8.10-precision  The CHARACTERS of a target that a model sees."""
    members = battle.members(target)
    seen = sight.visible(battle, [model], members)[0].tolist()
    return tuple(m.id for m, s in zip(members, seen, strict=True) if s and m.has("CHARACTER"))

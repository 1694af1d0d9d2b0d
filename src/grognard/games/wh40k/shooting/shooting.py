"""Chapter 6: the Shooting phase: pick a unit, select all targets, make the attacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.abilities.base import Change
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.attacks import attacks, hazards
from grognard.games.wh40k.attacks.attacks import Volley
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission import mission
from grognard.games.wh40k.rolls.toughness import rolled_toughness, toughness
from grognard.games.wh40k.shooting import grenades, reactions, targeting, weapon_choice
from grognard.games.wh40k.shooting.targeting import Gun, Shots, Sights
from grognard.games.wh40k.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Later, Note, Option, Pick, Script, option

#: Terrain is never a target: nobody looks for it among the targets.
TERRAIN = ("wh40k:23.38-terrain-target", "wh40k:15.0-general")


def phase(battle: Battle) -> Script[None]:
    """wh40k:6.1-sequence  The active player shoots with units, one at a time, as many as wanted."""
    seat = battle.active
    while battle.stage == 0:
        options, barred = _choices(battle, seat)
        if not options and not barred:
            break
        chosen = yield Pick(
            seat, "shoot.unit", options, optional=True, barred=barred, rule="wh40k:6.1-sequence", checkpoint=True,
            also=(grenades.RULE,),
        )  # fmt: skip
        if chosen is None:
            break
        kind, unit = chosen
        if kind == "grenade":
            yield from grenades.throw(battle, unit)
        else:
            yield from shoot(battle, unit)
        yield from _after(battle)


def _after(battle: Battle) -> Script[None]:
    mission.check(battle)
    yield from ()


def _choices(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal]]:
    options: list[Option] = []
    barred = targeting.absent(battle, seat, targeting.ELIGIBLE)
    for unit in battle.army(seat):
        if unit.phase.acted:
            barred[unit.id] = Refusal("refuse.has-shot", "wh40k:6.1-sequence", {"unit": unit.id})
            continue
        refusal = targeting.shoot_refusal(battle, unit)
        if refusal is None:
            told = Later(battle, partial(_nobody, battle, unit))
            options.append(option(unit.id, ("shoot", unit), about=unit.named, notes=told))
        else:
            barred[unit.id] = refusal
    for key, refusal in grenades.refusals(battle, seat).items():
        unit = battle.units[key]
        if refusal is None:
            facts = {"unit": unit.name, "cost": stratagems.STRATAGEMS["grenade"].cost}
            notes = (stratagems.note("grenade"),)
            options.append(Option(f"grenade:{key}", ("grenade", unit), "option.grenade", (key,), facts, notes))
        elif refusal.code != stratagems.CANNOT:
            barred[f"grenade:{key}"] = refusal
    return options, barred


def _nobody(battle: Battle, unit: Unit) -> tuple[Note, ...]:
    """wh40k:6.3.2-legal-target  Whether a unit that may be selected would have nobody to shoot at."""
    arms = targeting.guns(battle, unit) + targeting.passengers_guns(battle, unit)
    reach = inches(max(gun.weapon.range for gun in arms))
    if not any(battle.within(unit, enemy, reach) for enemy in battle.army(battle.other(unit.seat))):
        return (Note("note.out-of-range", {}, "wh40k:11.2.1-range"),)
    if targeting.vain(Sights(battle, unit), arms, None):
        return (Note("note.no-target", {}, "wh40k:6.3.2-legal-target"),)
    return ()


@cites
def shoot(battle: Battle, unit: Unit, only: Unit | None = None) -> Script[None]:
    """wh40k:6.2-eligible, wh40k:6.3.1-targets-first
    Targets for every weapon first, then the attacks; `only` is the one legal target."""
    unit.phase = unit.phase.but(acted=True)
    sights = Sights(battle, unit)
    arms = yield from weapon_choice.arms(sights, only)
    shots = yield from select(sights, arms, only)
    battle.tell("shoot", "wh40k:6.1-sequence", (unit.id, *dict.fromkeys(t.id for _, t in shots)))
    if not shots:
        return
    aimed_at = list(dict.fromkeys(t.id for _, t in shots))
    yield from attacks.choose_toughness(battle, aimed_at)
    volleys = muster(sights, shots)
    yield from reactions.offer(battle, unit, shots)
    yield from attacks.resolve(battle, unit, _settled(sights, volleys, shots))
    used = [gun for gun, _ in shots if gun.weapon.flag("hazardous")]
    yield from hazards.test(battle, unit, [(g.bearer, g.weapon) for g in used])


# ---------------------------------------------------------------------- targets


def select(sights: Sights, arms: Sequence[Gun], only: Unit | None) -> Script[Shots]:
    """wh40k:6.3.1-targets-first, wh40k:6.3.3-split  Every weapon's target: alike weapons together, or model by model.

    Weapons that are only called alike, a Leader's and his Bodyguards', are not profiles of one.
    """
    shots: Shots = []
    for item, carried in dict.fromkeys((gun.weapon.item, gun.profiles) for gun in arms):
        same = [gun for gun in arms if (gun.weapon.item, gun.profiles) == (item, carried)]
        profiles = list(dict.fromkeys(gun.weapon for gun in same))
        if len(profiles) > 1:
            same = yield from weapon_choice.profile(sights, only, item, profiles, same)
        for weapon in dict.fromkeys(gun.weapon for gun in same):
            yield from _aim_group(sights, [gun for gun in same if gun.weapon == weapon], shots, only)
    if len({target.id for _, target in shots}) > 1:
        sights.battle.cite("wh40k:6.3.3-split")
    return shots


def _aim_group(sights: Sights, waiting: list[Gun], shots: Shots, only: Unit | None) -> Script[None]:
    """One target after another for alike weapons, until all are aimed or the rest hold their fire."""
    singly = False
    while waiting:
        now = waiting[:1] if singly else waiting
        able, barred = _targets(sights, now, shots, only)
        if not able and not barred:
            return
        units = sights.battle.units
        options = [
            Option(key, key, "option.target", units[key].named, {"unit": units[key].name, "number": len(guns)})
            for key, guns in able.items()
        ]
        if len(now) > 1 and able:
            options.append(Option("singly", "singly", "option.singly"))
        chosen = yield Pick(
            sights.unit.seat, "shoot.target", options, optional=True, barred=barred, rule="wh40k:6.3.2-legal-target",
            about=(sights.unit.id, *((now[0].bearer.id,) if singly else ())),
            data={"weapon": now[0].weapon.name, "number": len(now)}, also=TERRAIN if sights.battle.table.pieces else (),
        )  # fmt: skip
        if chosen == "singly":
            singly = True
            continue
        if chosen is not None:
            shots.extend((gun, units[chosen]) for gun in able[chosen])
        done = now if chosen is None else able[chosen]
        waiting = [gun for gun in waiting if all(gun is not other for other in done)]


def _targets(
    sights: Sights, now: Sequence[Gun], shots: Shots, only: Unit | None
) -> tuple[dict[str, list[Gun]], dict[str, Refusal]]:
    """wh40k:23.38-terrain-target
    The units some of these weapons may be aimed at, and why others are not among them."""
    able: dict[str, list[Gun]] = {}
    seat = sights.battle.other(sights.unit.seat)
    barred = targeting.absent(sights.battle, seat, "wh40k:6.3.2-legal-target") if only is None else {}
    pistol = targeting.only(sights.battle, sights.unit)[0] == "pistol"
    for target in sights.enemies:
        if only is not None and target is not only:
            continue
        if pistol and any(other is not target for _, other in shots):
            facts = {"target": target.id, "model": now[0].bearer.id, "weapon": now[0].weapon.name}
            barred[target.id] = Refusal("refuse.pistol-target", "wh40k:8.5.2-pistol-limits", facts)
            continue
        for gun in now:
            refusal = targeting.target_refusal(sights, gun, target)
            if refusal is None:
                able.setdefault(target.id, []).append(gun)
            elif target.id not in barred:
                barred[target.id] = targeting.also_refused(sights, gun, target, refusal)
    return able, {key: refusal for key, refusal in barred.items() if key not in able}


class _Sort(NamedTuple):
    """What shots must have in common to be rolled together."""

    weapon: Weapon
    target: str
    aim: Aim
    changes: tuple[Change, ...]
    heroes: tuple[str, ...]
    plunging: int


def muster(sights: Sights, shots: Shots) -> list[Volley]:
    """wh40k:7.11.1-group, wh40k:6.5.3-snapshot  Shots alike in everything become one volley."""
    battle = sights.battle
    found: dict[_Sort, list[str]] = {}
    for gun, target in shots:
        found.setdefault(_sort(sights, gun, target), []).append(gun.bearer.id)
    cover = {
        key: sight.covered(battle, sights.members, battle.units[key]) for key in dict.fromkeys(s.target for s in found)
    }
    volleys = []
    for sort, bearers in found.items():
        target = battle.units[sort.target]
        tough, dice = toughness(battle, target), rolled_toughness(battle, target)
        rule = "wh40k:15.5.1-plunging" if sort.plunging else ""
        volleys.append(
            Volley(
                sort.weapon, tuple(bearers), sort.target, sort.aim, tough, sort.changes, cover[sort.target],
                sort.heroes, ap=sort.plunging, ap_rule=rule, tough=dice,
            )
        )  # fmt: skip
    battle.cite("wh40k:6.5.3-snapshot", *(["wh40k:7.11.1-group"] if len(shots) > 1 else []))
    return volleys


def _sort(sights: Sights, gun: Gun, target: Unit) -> _Sort:
    heroes: tuple[str, ...] = ()
    if gun.weapon.flag("precision"):
        heroes = tuple(m.id for m in sights.seen(gun.bearer, target) if m.has("CHARACTER"))
    return _Sort(
        gun.weapon, target.id, targeting.aim(sights, gun, target), targeting.changes(sights, gun, target), heroes,
        targeting.plunging(sights.battle, gun.bearer, target),
    )  # fmt: skip


def _settled(sights: Sights, volleys: list[Volley], shots: Shots) -> list[Volley]:
    """wh40k:13.2.10-smokescreen  Smoke thrown since gives Stealth: the modifiers are taken again."""
    if not any(target.phase.smoke for _, target in shots):
        return volleys
    return muster(sights, shots)

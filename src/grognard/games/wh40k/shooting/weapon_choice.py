"""Chapters 5.3, 6.3.1, 8.1 and 8.5.3: the weapons a unit fires when it shoots: passengers', Pistols or others,
profiles.

People are asked only on demand where all but one choice would leave nothing to shoot at.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.shooting import targeting
from grognard.games.wh40k.shooting.targeting import Gun, Sights
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Option, Pick, Script, option


def choice(weapon: Weapon) -> Option:
    """wh40k:11.2.2-stats  A weapon or profile to choose, with what its row of the datasheet says."""
    facts = {
        "inches": weapon.range, "attacks": str(weapon.attacks), "skill": f"{weapon.skill}+" if weapon.skill else "-",
        "strength": str(weapon.strength), "ap": weapon.printed_ap, "damage": str(weapon.damage),
        "abilities": list(weapon.abilities),
    }  # fmt: skip
    note = Note("note.blows" if weapon.melee else "note.shots", facts, "wh40k:11.2.2-stats")
    return option(weapon.name, weapon, text="option.weapon", data={"weapon": weapon.name}, notes=(note,))


def arms(sights: Sights, only: Unit | None) -> Script[list[Gun]]:
    """wh40k:8.5.3-pistol-or, wh40k:5.3-firing-deck, wh40k:8.1-assault  The weapons the unit may fire now."""
    battle, unit = sights.battle, sights.unit
    needs, rule = targeting.only(battle, unit)
    carried = targeting.guns(battle, unit) + (yield from _firing_deck(sights, only))
    found = [gun for gun in carried if not needs or gun.weapon.flag(needs)]
    if needs:
        battle.cite(rule, *(["wh40k:8.5.3-pistol-or"] if needs == "pistol" else []))
    armed = [m for m in battle.members(unit) if _both(m, carried) and any(g.bearer is m for g in found)]
    choosers = [m for m in armed if not m.big]
    battle.cite(*(["wh40k:8.5.3-pistol-or"] if len(choosers) < len(armed) else []))
    for kind in dict.fromkeys(targeting.alike([m]) for m in choosers):
        waiting = [[m for m in choosers if targeting.alike([m]) == kind]]
        while waiting:
            now = waiting.pop(0)
            barred = _pistols_barred(unit, now[0], found, rule)
            pistols = [g for g in found if g.weapon.flag("pistol") and any(g.bearer is m for m in now)]
            idle = targeting.vain(sights, pistols, only)
            weapons = list(dict.fromkeys(g.weapon for g in found if any(g.bearer is m for m in now)))
            chosen = (yield _pistol_pick(unit, kind, now, weapons, barred, idle)) or "others"
            if chosen == "singly":
                waiting = [[m] for m in now]
                continue
            same = [m.id for m in now]
            found = [
                g for g in found if g.bearer.id not in same or bool(g.weapon.flag("pistol")) == (chosen == "pistols")
            ]  # fmt: skip
    return found


def _pistols_barred(unit: Unit, model: Model, guns: Sequence[Gun], rule: str) -> dict[str, Refusal]:
    """wh40k:8.5.2-pistol-limits, wh40k:8.1-assault  Of Pistols and other weapons those that may not be fired now."""
    able = {"pistols" if gun.weapon.flag("pistol") else "others": None for gun in guns if gun.bearer is model}
    return {
        key: Refusal("refuse.weapons-now", rule, {"unit": unit.id}) for key in ("others", "pistols") if key not in able
    }


def _pistol_pick(
    unit: Unit, kind: str, models: Sequence[Model], weapons: Sequence[Weapon], barred: dict[str, Refusal], idle: bool
) -> Pick:
    """wh40k:8.5.3-pistol-or  Pistols or the other weapons: models of a kind together, or one by one.

    Ruling: who does not declare Pistols fires the other weapons.
    """
    options = []
    for key in (key for key in ("others", "pistols") if key not in barred):
        named = list(dict.fromkeys(w.item for w in weapons if bool(w.flag("pistol")) == (key == "pistols")))
        note = Note("note.weapons", {"weapons": named}, "wh40k:8.5.3-pistol-or")
        options.append(option(key, text=f"option.{key}", notes=(note,)))
    options += [option("singly", text="option.each")] if len(models) > 1 and not barred else []
    about = (unit.id, models[0].id) if len(models) == 1 else (unit.id,)
    return Pick(
        unit.seat, "shoot.pistols", options, rule="wh40k:8.5.3-pistol-or",
        optional=not barred, nay=None if barred else "others", about=about, barred=barred,
        data={"models": kind, "number": len(models)}, idle=idle,
    )  # fmt: skip


def _both(model: Model, guns: Sequence[Gun]) -> bool:
    """wh40k:8.5.3-pistol-or  Whether a model could fire pistols and other weapons now."""
    return len({bool(gun.weapon.flag("pistol")) for gun in guns if gun.bearer is model}) == 2


def _firing_deck(sights: Sights, only: Unit | None) -> Script[list[Gun]]:
    """wh40k:5.3-firing-deck, wh40k:23.17-firing-deck  Up to x passengers fire one weapon each from the TRANSPORT."""
    battle, unit = sights.battle, sights.unit
    most = targeting.deck(battle, unit)
    passengers = [m for aboard in battle.aboard(unit) for m in battle.members(aboard)] if most else []
    guns = [(m, w) for m in passengers for w in m.weapons if not w.melee]
    if not guns:
        return []
    carrier = battle.members(unit)[0]
    found: list[Gun] = []
    left = list(guns)
    while left and len(found) < most:
        options = [
            Option(f"{m.id}:{w.name}", (m, w), "option.deck", (m.id,), {"model": m.id, "weapon": w.name})
            for m, w in left
        ]
        chosen = yield Pick(
            unit.seat, "shoot.deck", options, optional=True, rule="wh40k:5.3-firing-deck", about=(unit.id,),
            idle=targeting.vain(sights, [Gun(carrier, w) for _, w in left], only),
        )  # fmt: skip
        if chosen is None:
            break
        battle.cite("wh40k:23.17-firing-deck")
        found.append(Gun(carrier, chosen[1]))
        left = [(m, w) for m, w in left if m is not chosen[0]]
    return found


def profile(sights: Sights, only: Unit | None, item: str, profiles: list[Weapon], same: list[Gun]) -> Script[list[Gun]]:
    """wh40k:6.3.1-targets-first  The profile of a weapon that has several: for all who carry it, or one by one."""
    unit = sights.unit
    bearers = list(dict.fromkeys(gun.bearer.id for gun in same))
    waiting, found = [bearers], []
    while waiting:
        now = waiting.pop(0)
        options = [choice(weapon) for weapon in profiles]
        if len(now) > 1:
            options.append(Option("singly", "singly", "option.each"))
        held = [gun for gun in same if gun.bearer.id in now]
        able = [w for w in profiles if not targeting.vain(sights, [gun for gun in held if gun.weapon == w], only)]
        usual = (able or profiles)[0].name if len(able) < 2 else None
        chosen = yield Pick(
            unit.seat, "shoot.profile", options, rule="wh40k:6.3.1-targets-first",
            about=(unit.id, *(now if len(now) == 1 < len(bearers) else ())), data={"weapon": item},
            idle=usual is not None, nay=usual,
        )  # fmt: skip
        if chosen == "singly":
            waiting = [[bearer] for bearer in now]
        else:
            found += [gun for gun in held if gun.weapon == chosen]
    return found

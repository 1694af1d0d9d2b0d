"""wh40k:7.5, 7.6, 15.1  Saving throws: armour, invulnerable, and the Benefit of Cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.wh40k import reckoning, steps
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.steps import Save
from grognard.kernel.questions import Pick, Script, option

if TYPE_CHECKING:
    from grognard.games.wh40k.attacks import Volley


def cover(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> str:
    """wh40k:15.1.1-cover, 15.1.2-three-plus, 15.1.3-no-stack, 8.3  The rule that gives a model cover, or ""."""
    if volley.weapon.melee:
        return ""
    reasons = []
    if model.id in volley.covered:
        reasons.append("wh40k:15.1.1-cover")
    if target.gone_to_ground:
        reasons.append("wh40k:13.2.9-go-to-ground")
    if target.smoke:
        reasons.append("wh40k:13.2.10-smokescreen")
    if volley.aim.hidden and volley.weapon.flag("indirect"):
        reasons.append("wh40k:8.9.2-indirect-penalty")
    if not reasons:
        return ""
    spoiled = volley.weapon.flag("ignores_cover")
    if spoiled:
        battle.cite(spoiled)
        return ""
    if sv <= 3:
        battle.cite("wh40k:15.1.2-three-plus")
    if reckoning.exposed(sv, volley.weapon.ap - volley.ap):
        battle.cite("wh40k:23.50-priority-save-one")
        return ""
    battle.cite(*reasons, *(["wh40k:15.1.3-no-stack"] if len(reasons) > 1 else []))
    return reasons[0]


def armour(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> Save:
    """wh40k:7.5.1-armour, 7.5.3-cap, 11.1.3-sv  Save characteristic, AP, and cover; never better than +1."""
    rule = cover(battle, target, model, volley, sv)
    if rule:
        battle.cite("wh40k:15.1.1-cover")
    bonus = [(t.armour_bonus, t.name, t.rule) for t in battle.traits(model) if t.armour_bonus]
    return reckoning.armour(
        sv, volley.weapon.ap, better=volley.ap, better_rule=volley.ap_rule, cover=rule, bonus=bonus
    )  # fmt: skip


def invulnerable(battle: Battle, target: Unit, model: Model) -> Save | None:
    """wh40k:7.6.1-choice, 7.6.2-no-ap, 13.2.9-go-to-ground  The best invulnerable save of a model, if it has any."""
    known = [(model.profile.invulnerable, "wh40k:7.6.1-choice")] if model.profile.invulnerable < 7 else []
    if target.gone_to_ground:
        known.append((6, "wh40k:13.2.9-go-to-ground"))
    if not known:
        return None
    need, rule = min(known)
    return reckoning.invulnerable(need, rule)


def ways(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> list[Save]:
    """wh40k:7.6.1-choice, 23.5-armour-or-invul  The saves of a model of so good a Save, the better one first."""
    found = [armour(battle, target, model, volley, sv)]
    other = invulnerable(battle, target, model)
    if other is not None:
        battle.cite("wh40k:23.5-armour-or-invul", "wh40k:7.6.1-choice")
        found.append(other)
    return steps.better_first(found)


def choose(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> Script[Save]:
    """wh40k:7.6.1-choice, 23.5-armour-or-invul  The controller chooses; the better one is offered first."""
    known = ways(battle, target, model, volley, sv)
    if len(known) == 1:
        return known[0]
    if battle.house["save_choice"] == "best":
        return known[0]
    options = [
        option(way.kind, way, text=f"option.save-{way.kind}", data={"chances": way.chances}, about=(model.id,))
        for way in known
    ]
    chosen: Save = yield Pick(target.seat, "save.kind", options, rule="wh40k:7.6.1-choice", about=(model.id,))
    return chosen

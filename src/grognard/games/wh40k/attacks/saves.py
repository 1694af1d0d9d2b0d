"""Chapters 7.5, 7.6 and 15.1: saving throws: armour, invulnerable, and the Benefit of Cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.wh40k.attacks import allocation
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.rolls import attack_numbers, steps
from grognard.games.wh40k.rolls.steps import Save
from grognard.kernel.questions import Pick, Script, option

if TYPE_CHECKING:
    from grognard.games.wh40k.attacks.attacks import Volley


def cover(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> str:
    """wh40k:15.1.1-cover, wh40k:15.1.2-three-plus, wh40k:15.1.3-no-stack, wh40k:8.3-ignores-cover
    The rule that gives a model cover, or ""."""
    if volley.weapon.melee:
        return ""
    reasons = []
    if model.id in volley.covered:
        reasons.append("wh40k:15.1.1-cover")
    if target.phase.gone_to_ground:
        reasons.append("wh40k:13.2.9-go-to-ground")
    if target.phase.smoke:
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
    if attack_numbers.exposed(sv, volley.weapon.ap - volley.ap):
        battle.cite("wh40k:23.50-priority-save-one")
        return ""
    battle.cite(*reasons, *(["wh40k:15.1.3-no-stack"] if len(reasons) > 1 else []))
    return reasons[0]


def armour(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> Save:
    """wh40k:7.5.1-armour, wh40k:7.5.3-cap, wh40k:11.1.3-sv
    Save characteristic, AP, and cover; never better than +1."""
    rule = cover(battle, target, model, volley, sv)
    if rule:
        battle.cite("wh40k:15.1.1-cover")
    bonus = [(t.armour_bonus, t.name, t.rule) for t in battle.traits(model) if t.armour_bonus]
    return attack_numbers.armour(
        sv, volley.weapon.ap, better=volley.ap, better_rule=volley.ap_rule, cover=rule, bonus=bonus
    )  # fmt: skip


def invulnerable(battle: Battle, target: Unit, model: Model) -> Save | None:
    """wh40k:7.6.1-choice, wh40k:7.6.2-no-ap, wh40k:13.2.9-go-to-ground
    The best invulnerable save of a model, if it has any."""
    known = [(model.profile.invulnerable, "wh40k:7.6.1-choice")] if model.profile.invulnerable < 7 else []
    if target.phase.gone_to_ground:
        known.append((6, "wh40k:13.2.9-go-to-ground"))
    if not known:
        return None
    need, rule = min(known)
    return attack_numbers.invulnerable(need, rule)


def ways(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> list[Save]:
    """wh40k:7.6.1-choice, wh40k:23.5-armour-or-invul  The saves of a model of so good a Save, the better one first."""
    found = [armour(battle, target, model, volley, sv)]
    other = invulnerable(battle, target, model)
    if other is not None:
        battle.cite("wh40k:23.5-armour-or-invul", "wh40k:7.6.1-choice")
        found.append(other)
    return steps.better_first(found)


def choose(battle: Battle, target: Unit, model: Model, volley: Volley, sv: int) -> Script[Save]:
    """wh40k:7.6.1-choice, wh40k:23.5-armour-or-invul  The controller chooses; the better one is offered first."""
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


def alike(battle: Battle, target: Unit, volley: Volley, count: int) -> bool:
    """wh40k:7.11.2-saves  Whether whoever may be hit needs the same save, so that order makes no difference."""
    if count < 2 or not target.models or volley.weapon.pierce is not None:
        return False
    battle.cite("wh40k:7.11.2-saves")
    if not battle.house["fast_saves"] or battle.house["save_choice"] != "best":
        return False
    members = battle.members(target)
    if battle.attached(target):
        members = [m for m in members if not m.has("CHARACTER")]
        if volley.weapon.flag("precision") or volley.precision or count > len(members):
            return False
    if any(m.profile.rolled("Sv") for m in members):
        return False
    if len({(m.profile.Sv, m.profile.invulnerable, m.profile.W, m.id in volley.covered) for m in members}) > 1:
        return False
    if len({sum(t.armour_bonus for t in battle.traits(m)) for m in members}) > 1:
        return False
    pains = {min((t.feel_no_pain() for t in battle.traits(m)), default=7) for m in members}
    return len(pains) == 1 and attack_numbers.damage(volley.weapon, volley.aim)[0].fixed


def together(battle: Battle, target: Unit, volley: Volley, count: int) -> Script[int]:
    """wh40k:7.11.2-saves, wh40k:7.11.4-example
    All saving throws at once; how many attacks are left to allocate, one at a time."""
    model = allocation.candidates(battle, target)[0]
    by = yield from choose(battle, target, model, volley, model.profile.Sv)
    saved, used = yield from steps.saves(stratagems.roller(battle, target, target.id), by, count)
    stratagems.settle(battle, used)
    battle.tell(
        "attack.saves", "wh40k:7.11.2-saves", (target.id,), save=by.kind, saved=saved, failed=count - saved
    )  # fmt: skip
    battle.cite("wh40k:7.5.1-armour", *(["wh40k:7.5.2-one"] if saved < count else []))
    return count - saved

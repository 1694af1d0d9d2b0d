"""wh40k:7.5, 7.6, 15.1  Saving throws: armour, invulnerable, and the Benefit of Cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.steps import Save
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.tally import Tally

if TYPE_CHECKING:
    from grognard.games.wh40k.attacks import Volley


def cover(battle: Battle, target: Unit, model: Model, volley: Volley) -> str:
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
    if model.profile.Sv <= 3 and volley.weapon.ap - volley.ap == 0:
        battle.cite("wh40k:15.1.2-three-plus", "wh40k:23.50-priority-save-one")
        return ""
    battle.cite(*reasons, *(["wh40k:15.1.3-no-stack"] if len(reasons) > 1 else []))
    return reasons[0]


def armour(battle: Battle, target: Unit, model: Model, volley: Volley) -> Save:
    """wh40k:7.5.1-armour, 7.5.3-cap, 11.1.3-sv  Save characteristic, AP, and cover; never better than +1."""
    need = Tally(model.profile.Sv, "Sv", "wh40k:11.1.3-sv")
    plus = Tally(0, "modifiers", "wh40k:7.5.1-armour")
    plus.add(volley.weapon.ap, "AP", "wh40k:11.2.2-stats")
    plus.add(-volley.ap, "plunging fire", volley.ap_rule)
    rule = cover(battle, target, model, volley)
    if rule:
        plus.add(1, "cover", rule)
        battle.cite("wh40k:15.1.1-cover")
    plus.at_most(1, "cap", "wh40k:7.5.3-cap")
    return Save("armour", need, plus)


def invulnerable(battle: Battle, target: Unit, model: Model) -> Save | None:
    """wh40k:7.6.1-choice, 7.6.2-no-ap, 13.2.9-go-to-ground  The best invulnerable save of a model, if it has any."""
    known = [(model.profile.invulnerable, "wh40k:7.6.1-choice")] if model.profile.invulnerable < 7 else []
    if target.gone_to_ground:
        known.append((6, "wh40k:13.2.9-go-to-ground"))
    if not known:
        return None
    need, rule = min(known)
    return Save("invulnerable", Tally(need, "invulnerable", rule), Tally(0, "modifiers", "wh40k:7.6.2-no-ap"))


def choose(battle: Battle, target: Unit, model: Model, volley: Volley) -> Script[Save]:
    """wh40k:7.6.1-choice, 23.5-armour-or-invul  The controller chooses; the better one is offered first."""
    ways = [armour(battle, target, model, volley)]
    other = invulnerable(battle, target, model)
    if other is None:
        return ways[0]
    ways.append(other)
    battle.cite("wh40k:23.5-armour-or-invul")
    ways.sort(key=lambda way: -way.chances)
    options = [
        option(way.kind, way, text=f"option.save-{way.kind}", data={"chances": way.chances}, about=(model.id,))
        for way in ways
    ]
    chosen: Save = yield Pick(target.seat, "save.kind", options, rule="wh40k:7.6.1-choice", about=(model.id,))
    return chosen

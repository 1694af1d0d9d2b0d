"""wh40k:13.2.5-grenade  The Grenade Stratagem."""

from __future__ import annotations

from grognard.games.wh40k.attacks import casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.table import sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Script, option

RULE = "wh40k:13.2.5-grenade"
REACH = inches(8)


def _marks(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemy units within 8", visible, and not in combat."""
    enemies = battle.army(battle.other(unit.seat))
    near = [e for e in enemies if battle.within(unit, e, REACH) and not battle.engaged(e)]
    return [e for e in near if sight.sees_unit(battle, unit, e)]


def refusals(battle: Battle, seat: str) -> dict[str, Refusal | None]:
    """For every unit why it may not throw grenades; None: it may."""
    found: dict[str, Refusal | None] = {}
    for unit in battle.army(seat):
        if not battle.is_kind(unit, "GRENADES"):
            found[unit.id] = Refusal(stratagems.CANNOT, RULE, {"unit": unit.id, "keyword": "GRENADES"})
        else:
            found[unit.id] = stratagems.refusal(battle, seat, "grenade", unit) or _refusal(battle, unit)
    return found


def _refusal(battle: Battle, unit: Unit) -> Refusal | None:
    if unit.phase.acted:
        return Refusal("refuse.has-shot", RULE, {"unit": unit.id})
    if battle.engaged(unit):
        return Refusal("refuse.engaged", RULE, {"unit": unit.id})
    return None if _marks(battle, unit) else Refusal("refuse.no-grenade-target", RULE, {"unit": unit.id})


def throw(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:13.2.5-grenade  Six D6: each 4+ is a mortal wound. Ruling: the unit may still shoot afterwards."""
    marks = _marks(battle, unit)
    options = [option(e.id, e, about=e.named) for e in marks]
    others = [e for e in battle.army(battle.other(unit.seat)) if e not in marks]
    barred = {e.id: Refusal("refuse.grenade-target", RULE, {"unit": unit.id, "target": e.id}) for e in others}
    target: Unit = yield Pick(unit.seat, "grenade.target", options, barred=barred, rule=RULE, about=(unit.id,))
    stratagems.pay(battle, unit.seat, "grenade", unit.id, target.id)
    wounds = yield from steps.grenades(rerolls.Roller(unit.seat, (unit.id, target.id)))
    yield from casualties.mortal_wounds(battle, target, wounds, RULE)

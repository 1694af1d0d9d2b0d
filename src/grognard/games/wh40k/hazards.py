"""wh40k:8.14  Hazardous weapons: a test for each that was used."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k import casualties, steps, stratagems
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.profiles import Weapon
from grognard.kernel.questions import Script

RULE = "wh40k:8.14.1-hazardous"


def test(battle: Battle, unit: Unit, used: Sequence[tuple[Model, Weapon]]) -> Script[None]:
    """wh40k:8.14.1-hazardous, 23.18-hazardous-details  A D6 per weapon used; each 1 costs a model that carries one."""
    if not used:
        return
    if not unit.models:
        battle.cite("wh40k:23.18-hazardous-details")
        return
    battle.cite("wh40k:23.18-hazardous-details")
    who = stratagems.roller(battle, unit)
    rolled = yield from steps.hazardous(who, len(used))
    stratagems.settle(battle, rolled.command)
    for _ in range(sum(face == 1 for face in rolled.faces)):
        yield from _fail(battle, unit, used)


def _fail(battle: Battle, unit: Unit, used: Sequence[tuple[Model, Weapon]]) -> Script[None]:
    """wh40k:8.14.2-hazardous-tough, 23.17-firing-deck  Destroyed, or 3 mortal wounds on the tough."""
    battle.cite("wh40k:23.18-hazardous-details")
    bearers = [bearer for bearer, _ in used]
    carriers = [m for m in battle.members(unit) if m in bearers or any(w.flag("hazardous") for w in m.weapons)]
    if not carriers:
        return
    model = yield from casualties.one_of(unit, "hazardous.model", carriers, RULE, same=casualties.alike(carriers))
    if model.has("CHARACTER") or model.big:
        yield from casualties.mortal_wounds(battle, unit, 3, "wh40k:8.14.2-hazardous-tough", first=model)
    else:
        yield from casualties.destroy(battle, model, RULE)

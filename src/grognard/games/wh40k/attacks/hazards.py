"""Chapter 8.14: Hazardous weapons: a test for each that was used."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.attacks import allocation, casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.rolls import steps
from grognard.kernel.citing import cites
from grognard.kernel.questions import Script

RULE = "wh40k:8.14.1-hazardous"


def test(battle: Battle, unit: Unit, used: Sequence[tuple[Model, Weapon]]) -> Script[None]:
    """wh40k:8.14.1-hazardous  After a unit's attacks each Hazardous weapon it used is tested."""
    if used:
        yield from _test(battle, unit, used)


@cites
def _test(battle: Battle, unit: Unit, used: Sequence[tuple[Model, Weapon]]) -> Script[None]:
    """wh40k:23.18-hazardous-details  A D6 per weapon used; each 1 costs a model that carries one."""
    if not unit.models:
        return
    who = stratagems.roller(battle, unit)
    rolled = yield from steps.hazardous(who, len(used))
    battle.cite(*rolled.rules)
    for _ in range(sum(face == 1 for face in rolled.faces)):
        yield from _fail(battle, unit, used)


def _fail(battle: Battle, unit: Unit, used: Sequence[tuple[Model, Weapon]]) -> Script[None]:
    """wh40k:8.14.2-hazardous-tough, wh40k:23.17-firing-deck  Destroyed, or 3 mortal wounds on the tough."""
    bearers = [bearer for bearer, _ in used]
    carriers = [m for m in battle.members(unit) if m in bearers or any(w.flag("hazardous") for w in m.weapons)]
    if not carriers:
        return
    model = yield from allocation.one_of(unit, "hazardous.model", carriers, RULE, same=allocation.alike(carriers))
    if model.has("CHARACTER") or model.big:
        yield from casualties.mortal_wounds(battle, unit, 3, "wh40k:8.14.2-hazardous-tough", first=model)
    else:
        yield from casualties.destroy(battle, model, RULE)

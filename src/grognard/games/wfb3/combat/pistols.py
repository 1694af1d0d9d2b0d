"""wfb3:13.8.3-pistol-melee  Pistols fired at arm's length: one more blow in one round of an engagement."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rolls.arms import Arms, both_hands, wielded
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:13.8.3-pistol-melee"
#: To hit -1, save -2; its strength is the pistol's own.
ARMS = Arms(RULE, hit=((-1, "pistol", RULE),), modifier=-2)
STRENGTH = 4


def choose(battle: Battle, unit: Unit) -> Script[None]:
    """Whether the loaded pistols of a unit, and of each character in it, are fired this round."""
    if not loaded(battle, unit):
        if any("pistol" in kit.missiles for kit in (unit.kit, *(m.kit for m in battle.characters(unit)))):
            battle.cite(RULE)
        return
    ready = "pistol" in unit.kit.missiles and not unit.combat.pistols and unit.kind != "character"
    free = not both_hands(unit, None) and not wielded(unit, None).two_handed
    if ready and free and (yield from _asked(battle, unit.seat, unit.id)):
        unit.combat = unit.combat.but(pistols="fires")
    for model in battle.characters(unit):
        free = not both_hands(unit, model) and not wielded(unit, model).two_handed
        ready = "pistol" in model.kit.missiles and not model.fight.pistol and free
        if ready and (yield from _asked(battle, model.seat, model.id)):
            model.fight = model.fight.but(pistol="fires")


def _asked(battle: Battle, seat: str, who: str) -> Script[bool]:
    options = [Option("fire", True, "option.pistol.fire"), Option("keep", False, "option.pistol.keep")]
    fires: bool = yield Pick(seat, "combat.pistols", options, rule=RULE, about=(who,))
    if fires:
        battle.tell("pistols", RULE, (who,))
    return fires


def loaded(battle: Battle, unit: Unit) -> bool:
    """Not fired in its last turn, nor on the way into this fight; having moved does not matter."""
    return unit.shooting.fired == NEVER or unit.shooting.fired < battle.clock - 2


def shot(profile: Profile) -> Profile:
    """Who shoots: his own weapon skill, the pistol's strength."""
    return msgspec.structs.replace(profile, S=STRENGTH)


def fires(unit: Unit, model: Model | None) -> bool:
    return (model.fight.pistol if model is not None and model.role == "character" else unit.combat.pistols) == "fires"


def spent(battle: Battle, units: Sequence[Unit]) -> None:
    """One shot in an engagement."""
    for unit in units:
        if unit.combat.pistols == "fires":
            unit.combat = unit.combat.but(pistols="fired")
            unit.shooting = unit.shooting.but(fired=battle.clock)
        for model in battle.characters(unit):
            if model.fight.pistol == "fires":
                model.fight = model.fight.but(pistol="fired")

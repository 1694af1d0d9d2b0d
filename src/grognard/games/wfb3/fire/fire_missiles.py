"""Chapters 23.1.1, 23.1.2, 23.2: incendiary weapons in use: fire missiles and torches."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.wfb3.abilities.troops import Flammable
from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.rolls.modifiers import STRENGTH
from grognard.games.wfb3.shooting import aiming
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words.tally import Tally

RULE = "wfb3:23.1.2-fire-missiles"


def choose(battle: Battle, unit: Unit, weapon: Missile) -> Script[Missile]:
    """wfb3:23.1.2-fire-missiles  With a brazier, and standing still, a unit may shoot fire, half as far."""
    if not unit.fire.fire_missiles:
        return weapon
    options = [Option("plain", False, "option.fire.plain")]
    barred: dict[str, Refusal] = {}
    facts = {"unit": unit.id}
    if not unit.fire.brazier:
        barred["fire"] = Refusal("refuse.fire.brazier", RULE, facts)
    elif unit.march.moved == battle.clock:
        barred["fire"] = Refusal("refuse.fire.moved", RULE, facts)
    elif fires.raining(battle):
        barred["fire"] = Refusal("refuse.fire.rain", "wfb3:23.3.5-rain", facts)
    else:
        options.append(Option("fire", True, "option.fire.fire"))
    lit = yield Pick(
        unit.seat, "shoot.fire", options, optional=True, nay="plain", barred=barred, rule=RULE, about=(unit.id,)
    )
    if not lit:
        return weapon
    battle.cite(RULE)
    return msgspec.structs.replace(weapon, range=weapon.range / 2, fire=True)


def hotter(battle: Battle, weapon: Missile, made: aiming.Shot, target: Unit) -> aiming.Shot:
    """wfb3:23.2-effects  A point of strength more against what burns."""
    if not weapon.fire or not made.strength:
        return made
    battle.cite("wfb3:23.2-effects")
    return made._replace(strength=made.strength + 1) if fires.burns(battle, target) else made


@STRENGTH.by("fire")
def hotter_blow(battle: Battle, unit: Unit, victim: Profile, strength: Tally) -> None:
    """wfb3:23.2-effects, wfb3:23.4.1-charge  Torches, and creatures in flames, hurt what burns more."""
    if unit.combat.weapon != "torch" and not unit.fire.burning:
        return
    if victim.has(Flammable) is not None:
        strength.add(1, "fire", "wfb3:23.4.1-charge" if unit.fire.burning else "wfb3:23.2-effects")


def after_blows(battle: Battle, units: Sequence[Unit], wounds: dict[str, int]) -> Script[None]:
    """wfb3:23.2-panic, wfb3:23.4-creatures  What torches do beside their wounds."""
    for unit in units:
        if unit.where not in PRESENT or (unit.combat.weapon != "torch" and not unit.fire.burning):
            continue
        for foe, _, _ in battle.foes(unit):
            yield from fires.attacked(battle, unit, foe, wounds.get(unit.id, 0))

"""wfb3:23.1.1, 23.1.2, 23.2  Incendiary weapons in use: fire missiles and torches."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.wfb3 import fires
from grognard.games.wfb3.abilities.troops import FearsFire, Flammable
from grognard.games.wfb3.aiming import Shot
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.profiles import Kit, Profile
from grognard.games.wfb3.weapons import WEAPONS, Missile
from grognard.kernel.errors import BadInput, Refusal
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.tally import Tally

RULE = "wfb3:23.1.2-fire-missiles"
#: wfb3:23.1.1-torches  Missile weapons that need both hands.
BOTH_HANDS = ("bow", "short bow", "long bow", "crossbow", "repeating crossbow", "arquebus", "blunderbuss", "blowpipe")


def choose(battle: Battle, unit: Unit, weapon: Missile) -> Script[Missile]:
    """wfb3:23.1.2-fire-missiles  With a brazier, and standing still, a unit may shoot fire, half as far."""
    if not unit.fire_missiles:
        return weapon
    options = [Option("plain", False, "option.fire.plain")]
    barred: dict[str, Refusal] = {}
    facts = {"unit": unit.id}
    if not unit.brazier:
        barred["fire"] = Refusal("refuse.fire.brazier", RULE, facts)
    elif unit.moved == battle.clock:
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


def hotter(battle: Battle, weapon: Missile, made: Shot, target: Unit) -> Shot:
    """wfb3:23.2-effects  A point of strength more against what burns."""
    if not weapon.fire or not made.strength:
        return made
    battle.cite("wfb3:23.2-effects")
    return made._replace(strength=made.strength + 1) if fires.burns(battle, target) else made


def hotter_blow(battle: Battle, unit: Unit, victim: Profile, strength: Tally) -> None:
    """wfb3:23.2-effects, 23.4.1-charge  Torches, and creatures in flames, hurt what burns more."""
    if unit.weapon != "torch" and not unit.burning:
        return
    if victim.has(Flammable) is not None:
        strength.add(1, "fire", "wfb3:23.4.1-charge" if unit.burning else "wfb3:23.2-effects")


def after_blows(battle: Battle, units: Sequence[Unit], wounds: dict[str, int]) -> Script[None]:
    """wfb3:23.2-panic, 23.4-creatures  What torches do beside their wounds."""
    for unit in units:
        if unit.where not in PRESENT or (unit.weapon != "torch" and not unit.burning):
            continue
        for foe, _, _ in battle.foes(unit):
            yield from fires.attacked(battle, unit, foe, wounds.get(unit.id, 0))


def check(kit: Kit, profile: Profile, where: str) -> None:
    """wfb3:23.1.1-torches  Who may carry torches: nobody afraid of fire, nobody who needs both hands."""
    if not kit.torches:
        return
    both = [w for w in kit.weapons if WEAPONS[w].two_handed] + [m for m in kit.missiles if m in BOTH_HANDS]
    if both:
        raise BadInput(
            "{where}: torches are not for those who need both hands for a {weapon} (wfb3:23.1.1-torches)",
            where=where, weapon=both[0],
        )  # fmt: skip
    if profile.has(FearsFire) is not None:
        raise BadInput("{where}: {creature} fear fire and carry no torches (wfb3:23.1.1-torches)", where=where,
                       creature=profile.name)  # fmt: skip

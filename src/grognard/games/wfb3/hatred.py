"""wfb3:10.6  Hatred: hated enemies are charged and shot at before all others."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import fear, trials
from grognard.games.wfb3.abilities.psychology import Hatred
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.weapons import Missile
from grognard.kernel.questions import Option, Pick, Script


def hates(battle: Battle, unit: Unit, other: Unit) -> bool:
    trait = battle.trait(unit, Hatred)
    return isinstance(trait, Hatred) and trait.hates(other.profile.race)


def his_own(battle: Battle, who: str, other: Unit) -> bool:
    """wfb3:14.6.4-own-psychology  Whether a character hates an enemy for himself, whatever his unit does."""
    if who not in battle.models:
        return False
    trait = battle.models[who].profile.has(Hatred)
    return isinstance(trait, Hatred) and trait.hates(other.profile.race)


def nearest(battle: Battle, unit: Unit, among: Sequence[Unit], rule: str) -> Script[Unit | None]:
    """The nearest hated enemy; of several equally near the player picks."""
    hated = [foe for foe in among if hates(battle, unit, foe)]
    if not hated:
        return None
    least = min(battle.gap(unit, foe) for foe in hated)
    close = [foe for foe in hated if battle.gap(unit, foe) <= least + EPS]
    chosen: Unit = yield Pick(
        unit.seat, "hatred.nearest", [Option(f.id, f, about=(f.id,)) for f in close], rule=rule, about=(unit.id,)
    )
    return chosen


def in_range(battle: Battle, unit: Unit, among: Sequence[Unit], weapon: Missile) -> list[Unit]:
    """wfb3:10.6-shoot  Hated enemies a unit could shoot at."""
    return [
        f for f in among if f.where in PRESENT and hates(battle, unit, f) and battle.gap(unit, f) <= weapon.reach + EPS
    ]


def must_shoot(battle: Battle, unit: Unit, among: Sequence[Unit], weapon: Missile) -> Script[Unit | None]:
    """wfb3:10.6-shoot  The hated enemy a unit shoots at because it cannot be made to spare it, after a failed test."""
    hated = in_range(battle, unit, among, weapon)
    if not hated or fear.immune(battle, unit):
        return None
    passed = yield from trials.cool(battle, unit, "hatred", "wfb3:10.6-shoot")
    if passed:
        return None
    return (yield from nearest(battle, unit, hated, "wfb3:10.6-shoot"))

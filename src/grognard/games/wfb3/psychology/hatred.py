"""Chapter 10.6: hatred: hated enemies are charged and shot at before all others."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.abilities.psychology import Hatred
from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rolls.modifiers import TO_HIT, Group
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words.tally import Tally


def hates(battle: Battle, unit: Unit, other: Unit) -> bool:
    """wfb3:10.6-charge  Whether a unit hates another, for itself or because its leader does."""
    return any(isinstance(t, Hatred) and t.hates(other.profile.race) for t in battle.traits(unit))


def his_own(battle: Battle, who: str, other: Unit) -> bool:
    """wfb3:14.6.4-own-psychology  Whether a character hates an enemy for himself, whatever his unit does."""
    if who not in battle.models:
        return False
    own = battle.own_traits(battle.models[who])
    return any(isinstance(t, Hatred) and t.hates(other.profile.race) for t in own)


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
    passed = yield from tests.cool(battle, unit, "hatred", "wfb3:10.6-shoot")
    if passed:
        return None
    return (yield from nearest(battle, unit, hated, "wfb3:10.6-shoot"))


@TO_HIT.by("hatred")
def to_hit(battle: Battle, group: Group, foe: Unit, tally: Tally) -> None:
    """wfb3:10.6-hit  Whom they hate they hit better."""
    if hates(battle, battle.units[group.unit], foe) or his_own(battle, group.who, foe):
        tally.add(-1, "hatred", "wfb3:10.6-hit")

"""Chapters 6.2.1, 6.2.2, 6.2.4: why an enemy cannot be shot at: the rule that hides it."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.shooting import aiming, missiles, targeting
from grognard.games.wfb3.table import sight, terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Place


def spared(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    """wfb3:14.6.2-protected, wfb3:16.2-altar-profaned  Why nobody shoots at an enemy, wherever they stand."""
    facts = {"unit": unit.id, "target": foe.id}
    if foe.kind == "altar" and battle.house["altar"] == "book":
        return Refusal("refuse.shoot.altar", "wfb3:16.2-altar-profaned", facts)
    if targeting.personage(battle, foe) and targeting.exposure(battle, foe) == "none":
        return Refusal("refuse.shoot.protected", "wfb3:14.6.2-protected", facts)
    return None


def refusal(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    """Why nobody of a unit may aim at an enemy; None where somebody may."""
    if (found := spared(battle, unit, foe)) is not None:
        return found
    facts = {"unit": unit.id, "target": foe.id}
    able = aiming.shooters(battle, unit, foe)
    if not able:
        outline = battle.block_of(foe).outline
        places = [
            p for p in aiming.ranked(battle, unit, foe) if sight.in_arc(p, outline, aiming.all_round(battle, unit))
        ]
        if not places:
            return Refusal("refuse.shoot.arc", "wfb3:6.2.1-arc", facts)
        also = ("wfb3:6.2.2-los", *(["wfb3:15.10-hard-target"] if _screened(battle, unit, places, foe) else []))
        return Refusal("refuse.shoot.unseen", hidden_by(battle, unit, places, foe), facts, also)
    if missiles.past_a_unit(battle, unit, foe, [aiming.muzzle(place) for _, place in able]):
        return Refusal("refuse.shoot.past", "wfb3:6.2.4-near-unit", facts, ("wfb3:6.2.4-gap",))
    return None


def _screened(battle: Battle, unit: Unit, places: list[Place], foe: Unit) -> bool:
    """wfb3:15.10-hard-target  Whether it is skirmishers of the other side who stand in the way."""
    screen = {battle.block_of(u).outline.points for u in battle.enemies(unit) if u.loose and u is not foe}
    if not screen:
        return False
    left = [(ring, solid) for ring, solid in sight.blockers(battle, unit, foe, [], []) if tuple(ring) not in screen]
    return any(sight.from_place(battle, unit, p, foe, left) for p in places)


def hidden_by(battle: Battle, unit: Unit, places: list[Place], foe: Unit) -> str:
    """wfb3:6.2.2-los-units, wfb3:6.2.2-los-linear, wfb3:6.2.2-los-solid, wfb3:6.2.2-los-woods  What is in the way."""
    others = sight.blockers(battle, unit, foe, [], [])
    units = {battle.block_of(u).outline.points for u in battle.here()}
    walls = {ring for p in battle.table.pieces if terrain.kind(p).ground == "linear" for ring in sight.rings(battle, p)}
    for rule, without in (("wfb3:6.2.2-los-units", units), ("wfb3:6.2.2-los-linear", walls)):
        left = [(ring, solid) for ring, solid in others if tuple(ring) not in without]
        if len(left) < len(others) and any(sight.from_place(battle, unit, p, foe, left) for p in places):
            return rule
    if any(sight.from_place(battle, unit, p, foe, []) for p in places):
        return "wfb3:6.2.2-los-solid"
    return "wfb3:6.2.2-los-woods"

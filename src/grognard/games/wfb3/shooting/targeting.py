"""Chapters 11.2.1, 14.6.2: who may be picked out by missiles: characters and leaders."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script

#: wfb3:14.6.2-half-range  Within this of a unit of five a character is partly protected.
SHELTER = inches(5)
#: wfb3:14.6.2-protected
ENOUGH = 5


def personage(battle: Battle, unit: Unit) -> bool:
    """wfb3:14.6.2-protected, wfb3:19.5-portable-team
    Whether a unit is aimed at like a character: on foot or on a beast."""
    if unit.kind == "monster":
        return len(unit.models) == 1 and any(
            battle.models[key].role == "character" for key in battle.models[unit.models[0]].ride.crew
        )
    return unit.kind in ("character", "team")


def exposure(battle: Battle, character: Unit) -> str:
    """wfb3:14.6.2-protected, wfb3:14.6.2-half-range, wfb3:14.6.2-exposed  "none", "half" or "open" to missiles."""
    found = "open"
    for friend in battle.friends(character):
        if battle.large(character) and not battle.large(friend):
            battle.cite("wfb3:14.6.2-large")
        if friend.kind == "character" or (battle.large(character) and not battle.large(friend)):
            continue
        touching = battle.gap(character, friend) <= 0.6
        enough = len(battle.ordinary(friend)) >= ENOUGH
        if touching and enough:
            battle.cite("wfb3:14.6.2-protected")
            return "none"
        if touching or (enough and battle.gap(character, friend) <= SHELTER + EPS):
            found = "half"
    battle.cite("wfb3:14.6.2-half-range" if found == "half" else "wfb3:14.6.2-exposed")
    return found


def limit(battle: Battle, unit: Unit, target: Unit, weapon: Missile) -> float | None:
    """How far these missiles may be aimed at this target, where that is less than their range."""
    if not personage(battle, target) or unit.kind == "character":
        return None
    return weapon.half if exposure(battle, target) == "half" else None


def limit_of_mark(battle: Battle, target: Unit, shooter: Model, mark: Model | None, weapon: Missile) -> float | None:
    """wfb3:11.2.1-target-leader, wfb3:14.6.2-half-range, wfb3:14.6.2-large
    How far one model of a unit may be picked out.

    The chariot of a character is picked out no further than he would be (wfb3:20.7-character).
    """
    if target.kind == "chariot" and target.chariot.salvo in battle.models and shooter.role != "character":
        battle.cite("wfb3:14.6.2-half-range")
        return weapon.half
    if mark is None or shooter.role == "character" or (mark.role == "character" and _towers(battle, mark, target)):
        return None
    return weapon.half


def _towers(battle: Battle, model: Model, host: Unit) -> bool:
    """wfb3:14.6.2-large  Whether a character, or what he rides, is too big for those he stands with to hide him."""
    if not (model.mount or model.profile).large or (host.mount or host.profile).large:
        return False
    battle.cite("wfb3:14.6.2-large")
    return True


def choose_leader(battle: Battle, unit: Unit, target: Unit, seen: Sequence[str] | None = None) -> Script[Model | None]:
    """wfb3:11.2.1-target-leader, wfb3:11.2.1-reduced, wfb3:11.2.1-single-target
    In a unit of fewer than five its leader may be aimed at; `seen` are those of it who show themselves at windows.
    """
    if target.kind in ("character", "machine", "monster", "chariot"):
        return None
    marks = [m for m in [battle.leader(target)] if m is not None and 1 < battle.size(target) < ENOUGH]
    few = len(battle.ordinary(target)) < ENOUGH
    marks += [m for m in battle.characters(target) if m not in marks and (few or _towers(battle, m, target))]
    marks = [m for m in marks if seen is None or m.id in seen]
    if not marks:
        if battle.characters(target):
            battle.cite("wfb3:14.6.2-protected")
        return None
    options = [Option("unit", None, "option.aim.troops"), *(Option(m.id, m, about=(m.id,)) for m in marks)]
    chosen: Model | None = yield Pick(
        unit.seat, "shoot.aim", options, optional=True, nay="unit", rule="wfb3:11.2.1-target-leader",
        about=(unit.id, target.id),
    )  # fmt: skip
    if chosen is not None:
        battle.cite("wfb3:14.6.2-half-range" if chosen.role == "character" else "wfb3:11.2.1-reduced")
    return chosen

"""A sound beginner's sense of Warhammer 40,000: what an answer looks worth at a glance, and who stands better.

It sees what everyone sees, asks the battle's own questions and steps, and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wh40k.battle import ROUNDS, Battle
from grognard.games.wh40k.sense import fights, goals, habits
from grognard.games.wh40k.sense.worth import look, standing
from grognard.kernel.questions import Pick, Place, Question
from grognard.kernel.screen.sense import glance

__all__ = ["score", "value"]

Opinion = Callable[[Battle, Any, Any], float]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks at a glance."""
    return glance(battle, question, answer, place=_place, opinions=OPINIONS, usual=habits.usual)


def value(battle: Battle, seat: str) -> float:
    """wh40k:21.10-victory  How well a side stands: victory points, markers, what is left of the armies."""
    other = battle.other(seat)
    ours, theirs = (sum(standing(battle, u) for u in battle.units.values() if u.seat == s) for s in (seat, other))
    balance = (ours - theirs) / (ours + theirs + 1.0)
    lead = battle.sides[seat].vp - battle.sides[other].vp
    held = sum((m.control == seat) - (m.control == other) for m in battle.markers)
    rounds = max(0, ROUNDS - battle.round)
    return max(-1.0, min(1.0, 0.4 * balance + 0.08 * lead + 0.03 * held * min(rounds, 3)))


def _place(battle: Battle, question: Place, name: str | None) -> float:
    found = PLACES.get(question.name)
    if found is not None and name is not None:
        return found(battle, question, name)
    if question.name != "move":
        return habits.first(question, name)
    unit = battle.units[question.about[0]]
    if battle.is_kind(unit, "AIRCRAFT"):
        return habits.first(question, name) if name is None else habits.fly(battle, question, name)
    if question.data.get("kind") == "option.move-fall-back":
        return habits.first(question, name)
    return goals.judged(goals.plan(look(battle), unit), name)


def _kind(battle: Battle, question: Pick, answer: Any) -> float:
    return goals.kind(look(battle), battle.units[question.about[0]], answer)


def _nothing(battle: Battle, question: Place, name: str) -> float:
    return 0.0


PLACES: dict[str, Callable[[Battle, Place, str], float]] = {
    "marker": _nothing, "deploy": habits.deploy, "reinforce": habits.arrive, "disembark": habits.disembark,
}  # fmt: skip
OPINIONS: dict[str, Opinion] = {
    "formation.hover": habits.hover, "formation.lead": habits.lead, "formation.embark": habits.embark,
    "formation.reserve": habits.reserve, "scout.unit": habits.always, "reinforce.unit": habits.always,
    "rapid-ingress": habits.always, "move.unit": habits.next_mover, "move.kind": _kind,
    "reroll.some": habits.reroll_some,
    "reroll.command": habits.reroll_command, "reroll.sum": habits.reroll_sum, "attack.allocate": habits.least,
    "mortal.allocate": habits.least, "hazardous.model": habits.least, "escape.lost": habits.least,
    "coherency.remove": habits.least, "wreck.lost": habits.least, "save.kind": habits.save,
    "attack.precision": habits.precise, "insane-bravery": habits.bravery, "detachment.heal": habits.most,
    "detachment.steady": habits.most, "shoot.unit": fights.shooter, "shoot.target": fights.target,
    "shoot.profile": fights.profile, "shoot.pistols": fights.pistols, "shoot.deck": habits.always,
    "grenade.target": fights.grenade, "charge.unit": fights.charger, "charge.targets": fights.charge_targets,
    "fight.unit": fights.fighter, "fight.weapon": fights.profile, "fight.target": fights.target,
    "overwatch": fights.overwatch, "counter-offensive": fights.counter, "go-to-ground": fights.shelter,
    "smokescreen": fights.shelter, "tank-shock.use": habits.always, "attack.toughness": habits.as_it_is,
    "fight.hold": habits.as_it_is,
}  # fmt: skip

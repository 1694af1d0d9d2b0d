"""A sound beginner's sense of Némésis: what an answer looks worth at a glance, and who stands better.

It sees what everyone sees, asks the battle's own questions, and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.magic.spells import SPELLS
from grognard.games.nemesis.sense import acting, casting, habits, moving, worth
from grognard.games.nemesis.setup.missions import score as mission_score
from grognard.kernel.questions import Pick, Place, Question
from grognard.kernel.screen.sense import glance

__all__ = ["score", "value"]

#: Worse than anything.
NEVER = -100.0
Opinion = Callable[[Battle, Any, Any], float | None]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks at a glance."""
    return glance(battle, question, answer, place=_place, opinions=OPINIONS, usual=habits.usual)


def value(battle: Battle, seat: str) -> float:
    """Chapter A3: How well a side stands: the mission first, then what is left of the armies."""
    ours = sum(worth.points(battle, unit) for unit in battle.army(seat))
    theirs = sum(worth.points(battle, unit) for unit in battle.enemies(seat))
    balance = (ours - theirs) / (ours + theirs + 1)
    counts = mission_score(battle)
    lead = counts[seat] - max((n for other, n in counts.items() if other != seat), default=0)
    scale = {"hunters-manuscripts": 3.0, "commanders-head": 1.0}.get(battle.scenario, 300.0)
    return max(-1.0, min(1.0, 0.5 * balance + 0.5 * lead / scale))


# ---------------------------------------------------------------------- placements


def _place(battle: Battle, question: Place, name: str | None) -> float:
    if question.name == "deploy.place":
        return habits.deploy(battle, battle.units[question.about[0]], name or "")
    if question.name == "move.models":
        return moving.judged(_plan(battle, question), name)
    return -0.5 if name is None else 1.0 / (1 + list(question.judge.proposals()).index(name))


#: The move last thought about: every proposal of a question is judged by the same plan.
_last: list[tuple[Question, dict[str, float]]] = []


def _plan(battle: Battle, question: Place) -> dict[str, float]:
    if not _last or _last[0][0] is not question:
        _last[:] = [(question, moving.plan(battle, battle.units[question.about[0]]))]
    return _last[0][1]


# ---------------------------------------------------------------------- orders


def _unit_of(battle: Battle, key: str) -> Unit:
    """A unit by its id, or the one a model is in."""
    unit = battle.units.get(key)
    if unit is not None and unit.models:
        return unit
    return battle.units[battle.models[key].unit] if key in battle.models else battle.units[key]


def _give(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:13.2-spend, nemesis:13.3-third-action  A regiment, or a hero who may be told one thing more."""
    if answer is None:
        return 0.0
    hero = battle.models.get(answer)
    if hero is None or not hero.card.is_hero:
        unit = battle.units[answer]
        return acting.opportunity(battle, unit, tuple(order.action for order in unit.orders))
    inside = hero if hero.unit != hero.home else None
    return acting.opportunity(battle, battle.unit_of(hero), hero.actions, inside)


def _try(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:13.5-shoot, nemesis:13.5-charge  A unit without orders may shoot or charge on a test."""
    if answer is None:
        return 0.0
    return max(acting.best(battle, battle.units[answer], action) for action in ("shoot", "charge"))


def _action(battle: Battle, question: Pick, answer: Any) -> float:
    unit = _unit_of(battle, question.about[0])
    if answer is None:  # whoever is asked what to do has been found to have something to do
        return NEVER
    if answer.startswith("react-"):
        return 0.1
    return acting.best(battle, unit, answer)


def _aim(battle: Battle, question: Pick, answer: Any) -> float:
    """The target of the order being given: whatever of shooting and charging is worth most there."""
    unit, enemy = _unit_of(battle, question.about[0]), battle.units[answer]
    action = {"nemesis:17.2-declare": "shoot", "nemesis:16-order": "charge"}.get(question.rule, "approach")
    return acting.order(battle, unit, action, enemy)


def _payer(battle: Battle, question: Pick, answer: Any) -> float:
    return float(battle.models[answer].pc_left)


def _react(battle: Battle, question: Pick, answer: Any) -> float:
    charger = battle.units[question.data["by"][0]] if question.data["by"] else None
    return acting.reaction(battle, battle.units[question.data["unit"]], answer, charger)


def _shot_at(battle: Battle, question: Pick, answer: Any) -> float:
    unit = _unit_of(battle, question.about[0])
    return worth.volley(battle, unit, battle.units[answer]) if answer in battle.units else 0.0


def _switch(battle: Battle, question: Pick, answer: Any) -> float:
    unit = battle.units[question.about[0]]
    goal = answer or next((o.target for o in unit.orders if o.action == "charge" and not o.done), None)
    return acting.order(battle, unit, "charge", battle.units[goal]) if goal in battle.units else 0.0


# ---------------------------------------------------------------------- magic


def _declare(battle: Battle, question: Pick, answer: Any) -> float:
    return 0.0 if answer is None else casting.declare(battle, question.seat, answer)


def _spell_target(battle: Battle, question: Pick, answer: Any) -> float:
    if answer is None:
        return NEVER
    mage = question.about[0]
    known = [SPELLS[key] for key in battle.models[mage].magic.spells if SPELLS[key].name == question.data["spell"]]
    return casting.target(battle, question.seat, known[0], mage, answer) if known else 0.0


def _cast_dice(battle: Battle, question: Question, answer: Any) -> float:
    return casting.dice(battle, question.about[0], question.data["difficulty"], int(answer))


def _block_dice(battle: Battle, question: Question, answer: Any) -> float:
    return casting.block(question.data["total"], question.data["difficulty"], int(answer))


# ---------------------------------------------------------------------- melee


def _strike(battle: Battle, question: Pick, answer: Any) -> float:
    return habits.blow(battle, question.about[0], answer) if answer is not None else -0.1


def _split(battle: Battle, question: Question, answer: Any) -> float:
    return sum((habits.blow(battle, question.about[0], key) * share for key, share in answer.items()), 0.0)


OPINIONS: dict[str, Opinion] = {
    "order.unit": _give, "hero.act": _give, "attempt.unit": _try, "order.action": _action, "hero.action": _action,
    "attempt.action": _action, "order.target": _aim, "hero.target": _aim, "attempt.target": _aim,
    "order.hero": _payer, "charge.react": _react, "react.charger": _shot_at, "fate.target": _shot_at,
    "charge.switch": _switch, "magic.declare": _declare, "magic.target": _spell_target, "cast.dice": _cast_dice,
    "dispel.dice": _cast_dice, "block.dice": _block_dice, "combat.target": _strike, "combat.extra": _strike,
    "disengage.hit": _strike, "combat.split": _split, **habits.OPINIONS,
}  # fmt: skip

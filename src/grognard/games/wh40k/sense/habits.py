"""Small decisions: what a sound beginner answers without much thought."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.mission.objectives import RANGE
from grognard.games.wh40k.sense import goals
from grognard.games.wh40k.sense.worth import look
from grognard.games.wh40k.table.placing import SetUpJudge
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Question

#: What a command point is worth, in points of an army.
CP = 12.0


def usual(question: Question, answer: Any) -> float:
    """Whatever nobody has an opinion of: what may be declined is declined, else anything will do."""
    return 0.0 if answer is None or answer == [] else -0.1 if getattr(question, "least", 1) == 0 else 0.0


def _data(question: Pick, key: Any) -> dict[str, Any]:
    return next((dict(o.data or {}) for o in question.options if o.key == key), {})


# ---------------------------------------------------------------------- before the battle


def hover(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:17.3-hover  Nobody has to leave the battlefield again and again."""
    return 1.0 if answer == "hover" else 0.0


def lead(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:12.5.2-attach  A Leader is safer among many."""
    return float(len(battle.units[answer].models)) if answer in battle.units else 0.0


def embark(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:18.5.6-dedicated  Somebody must ride in a DEDICATED TRANSPORT; nobody in anything else."""
    if answer not in battle.units:
        return 0.0
    seat, transport = question.seat, battle.units[answer]
    taken = any(what == "embark" and there == answer for what, _, there in battle.plans[seat])
    unit = battle.units[question.about[0]]
    if taken or not battle.is_kind(transport, "DEDICATED TRANSPORT") or len(unit.models) < 3:
        return -1.0
    return 1.0


def reserve(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:14.1-kind  Everybody on the battlefield from the start."""
    return 1.0 if answer in (None, "none") else 0.0


def _spot(question: Place, name: str) -> tuple[float, float, float]:
    assert isinstance(question.judge, SetUpJudge)
    return question.judge.spot(name)


def deploy(battle: Battle, question: Place, name: str) -> float:
    """wh40k:21.5-deploy  As near as can be to a marker others have not been set up for, and to the ground."""
    x, y, up = _spot(question, name)
    unit = battle.units[question.about[0]]
    there = [u for u in battle.army(unit.seat) if u is not unit]
    near = math.inf
    for marker in battle.markers:
        crowd = sum(_reach(battle, u, marker.x, marker.y) < inches(16) for u in there)
        near = min(near, math.dist((x, y), (marker.x, marker.y)) + inches(2.5) * crowd)
    return -near - up


def _reach(battle: Battle, unit: Unit, x: float, y: float) -> float:
    pose = battle.pose(battle.members(unit)[0])
    return math.dist(pose[:2], (x, y))


def arrive(battle: Battle, question: Place, name: str) -> float:
    """wh40k:4.11.2-step  Near a marker, and near somebody to shoot at."""
    x, y, up = _spot(question, name)
    return -min((math.dist((x, y), (m.x, m.y)) for m in battle.markers), default=0.0) - up


def fly(battle: Battle, question: Place, name: str) -> float:
    """wh40k:17.4.2-straight  A short flight, turned toward the middle of the battlefield."""
    far, _, turn = name.partition(":")
    pose = battle.pose(battle.models[question.movers[0]])
    wanted = math.degrees(math.atan2(battle.table.width / 2 - pose.x, battle.table.height / 2 - pose.y))
    off = abs((pose.facing + float(turn) - wanted + 180) % 360 - 180)
    return -float(far) - off / 30.0


# ---------------------------------------------------------------------- moving


def next_mover(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:4.2.1-select  Whoever wants to move does, the foremost first; the rest Remain Stationary."""
    if answer is None:
        return 0.0
    now = look(battle)
    if answer.startswith("disembark:"):
        return _out(battle, battle.units[answer.partition(":")[2]])
    unit = battle.units[answer]
    if battle.is_kind(unit, "AIRCRAFT"):
        return 3.0
    if battle.engaged(unit):
        return goals.kind(now, unit, "fall-back") - 1.0
    found = goals.plan(now, unit)
    if max(found, key=lambda name: found[name]) in ("stay", "hold"):
        return -1.0
    near = min((now.gap(unit, e) for e in now.enemies(unit.seat)), default=0.0)
    return 1.0 + 1.0 / (1.0 + near / inches(6))


def _out(battle: Battle, unit: Unit) -> float:
    """wh40k:5.5.1-disembark  Out where there is a marker or an enemy to reach."""
    transport = battle.units[unit.transport or ""]
    now = look(battle)
    markers = min((now.far(transport, m) for m in battle.markers), default=math.inf)
    enemies = min((now.gap(transport, e) for e in now.enemies(unit.seat)), default=math.inf)
    if transport.turn.moved == "" and markers <= inches(9) + RANGE:
        return 2.5
    return 2.0 if markers <= RANGE + inches(2) or enemies <= inches(15) else -1.0


def disembark(battle: Battle, question: Place, name: str) -> float:
    """wh40k:5.5.1-disembark  On the side of the nearest marker."""
    return arrive(battle, question, name)


# ---------------------------------------------------------------------- dice and models


def reroll_some(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:8.4-twin-linked  Every failure, no success."""
    keys = answer if isinstance(answer, list) else [] if answer is None else [answer]
    return float(sum(-1 if _data(question, key).get("good") else 1 for key in keys))


def reroll_command(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.1-command-reroll  For the save of somebody who matters."""
    if answer is None:
        return 0.0
    if _data(question, answer).get("good"):
        return -1.0
    if question.data.get("roll") == "roll.save":
        model = battle.models.get(question.about[0])
        return 1.0 if model is not None and model.profile.W >= 4 else -1.0
    return 1.0 if question.data.get("roll") in ("roll.hazardous", "roll.desperate-escape") else -1.0


def reroll_sum(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.1-command-reroll  For a charge that falls short, or damage that is far below the usual."""
    if answer is None:
        return 0.0
    total, what = question.data.get("total", 0), question.data.get("roll")
    if what == "roll.charge":
        unit = battle.units[question.about[0]]
        told = next((e for e in reversed(battle.events) if e.kind == "charge.declared"), None)
        marks = [battle.units[key] for key in told.about[1:]] if told is not None else []
        need = max((look(battle).gap(unit, m) for m in marks), default=0.0) - inches(1)
        return 1.0 if inches(total) < need <= inches(9) else -1.0
    return 1.0 if what == "roll.damage" and total <= 2 else -1.0


def least(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:7.4.1-owner, wh40k:1.6.6-end-turn
    The one who will be missed least: of equals the outermost, for coherency."""
    model = battle.models.get(answer)
    if model is None:
        return -math.inf
    return 0.01 * look(battle).aside(model) - _value(model)


def _value(model: Model) -> float:
    arms = sum(w.strength.mean * w.attacks.mean * w.damage.mean for w in model.weapons)
    return arms + 100.0 * model.has("CHARACTER") - 0.01 * (model.profile.W - model.w)


def most(battle: Battle, question: Pick, answer: Any) -> float:
    """The one who is worth most."""
    if answer is None:
        return -1.0
    return _value(battle.models[answer]) if answer in battle.models else float(battle.units[answer].points)


def save(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:23.5-armour-or-invul  The better save."""
    return float(_data(question, answer).get("chances", 0))


def precise(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:8.10-precision  A CHARACTER is worth more than his guards."""
    return 0.0 if answer is None else 1.0


def bravery(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.4-insane-bravery  For whoever holds a marker."""
    if answer is None:
        return 0.0
    unit, now = battle.units[question.about[0]], look(battle)
    held = unit.id in now.place and any(now.far(unit, m) <= RANGE for m in battle.markers)
    return 1.0 if held else -1.0


def always(battle: Battle, question: Question, answer: Any) -> float:
    """Whatever it is, it helps."""
    return -1.0 if answer is None else 0.0


def as_it_is(battle: Battle, question: Question, answer: Any) -> float:
    """What is done in the usual way is good enough."""
    return -1.0 if answer else 0.0


def first(question: Place, name: str | None) -> float:
    """A placement the game itself would propose first."""
    if name is None:
        return -0.5
    return 1.0 / (1 + list(question.judge.proposals()).index(name))

"""t9a:11.E.b-11.E.d  A Charge Move somebody wrote down: is it one, and is its contact as good as it must be?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.t9a import charge_plans
from grognard.games.t9a.charge_plans import Contact
from grognard.games.t9a.paths import parse
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.align import align
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance, Wheel
from grognard.kernel.formation.sweeps import blocked, gap, too_near

if TYPE_CHECKING:
    from grognard.games.t9a.charging import ChargeJudge

#: How near the enemy's side a written path must come to count as contact (mm).
REACHED = 1.0


def judged(judge: ChargeJudge, wire: Any) -> Contact:
    """The contact a written path ends in; refused with the rule it breaks."""
    battle, unit, target, aim = judge.battle, judge.unit, judge.target, judge.aim
    path = parse(wire, "t9a:11.E.b")
    facts = {"unit": unit.id, "target": target.id}
    if any(not isinstance(s, Advance | Wheel) for s in path.steps) or sum(isinstance(s, Wheel) for s in path.steps) > 1:
        raise Refused(Refusal("refuse.charge.one-wheel", "t9a:11.E.b", facts))
    if any(isinstance(s, Wheel) and not 0 <= s.degrees <= 90 for s in path.steps) or any(
        isinstance(s, Advance) and s.distance < 0 for s in path.steps
    ):
        raise Refused(Refusal("refuse.charge.one-wheel", "t9a:11.E.b", facts))
    others = charge_plans.obstacles(battle, unit, target, flying=unit.flying, touch=judge.touch, declared=False)
    for step, before, _ in path.stages(battle.block(unit)):
        motion = step.motion(before)
        for other in others:
            if motion is not None and not other.over and blocked(before.outline, motion, other.outline, other.passing):
                raise Refused(Refusal("refuse.charge.way", "t9a:4.C-charge", {**facts, "other": other.name}))
    arrived = path.end(battle.block(unit))
    if gap(arrived.outline, battle.block(target).outline) > REACHED:
        raise Refused(Refusal("refuse.charge.no-contact", "t9a:11.E.b", facts))
    turned = align(arrived.boundary, battle.block(target).boundary, aim.side, others, field=battle.field)
    if turned is None:
        raise Refused(Refusal("refuse.charge.align", "t9a:11.E.c", facts))
    charger = arrived.on(turned.charger)
    if any(too_near(charger.outline, o.outline, max(o.passing, o.stopping)) for o in others):
        raise Refused(Refusal("refuse.charge.align", "t9a:11.E.c", facts))
    score = charge_plans.score_for(battle, target, aim.side)(
        meeting(charger, Edge.FRONT, battle.block(target), aim.side)
    )
    if score < judge.best.score:
        raise Refused(
            Refusal("refuse.charge.contact", "t9a:11.E.d-p4", facts | {"got": score[0], "best": judge.best.score[0]})
        )
    return Contact(path, charger, battle.block(target), aim.side, score, turned.charger_turn)

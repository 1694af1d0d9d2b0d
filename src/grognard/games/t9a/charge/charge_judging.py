"""Chapters 11.E.b to 11.E.d: A Charge Move somebody wrote down: is it one, and is its contact as good as it must be?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from grognard.games.t9a.charge import charge_contacts, charge_search, combined_charge
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.table.paths import parse
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import align
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance, Wheel
from grognard.kernel.formation.sweeps import blocked, first_contact, gap, too_near

if TYPE_CHECKING:
    from grognard.games.t9a.battle import Battle
    from grognard.games.t9a.charge.charging import ChargeJudge
    from grognard.games.t9a.forces import Unit

#: How near the enemy's side a written path must come to count as contact (mm).
REACHED = 1.0


class Move(Protocol):
    """A Charge Move to be judged: whose, and against whom."""

    battle: Battle
    unit: Unit
    target: Unit


def judged(judge: ChargeJudge, wire: Any) -> Contact:
    """The contact a written path ends in; refused with the rule it breaks."""
    battle, unit, target = judge.battle, judge.unit, judge.target
    facts = {"unit": unit.id, "target": target.id}
    touch = unit.charge.secondary
    others = charge_search.obstacles(battle, unit, target, flying=unit.charge.flying, touch=touch, declared=False)
    path, arrived = _arrival(judge, parse(wire, "t9a:11.E.b"), others, facts)
    made = _aligned(judge, path, arrived, others, facts)
    turned, best = abs(made.target_turned), abs(judge.best.target_turned)
    if turned > best + 0.01:
        raise Refused(Refusal("refuse.charge.turned", "t9a:11.E.d-p3", facts))
    if judge.plan is not None and len(judge.plan.steps) > 1:
        _together(judge, made, facts)
    elif made.score < judge.best.score:
        raise Refused(
            Refusal(
                "refuse.charge.contact", "t9a:11.E.d-p4", facts | {"got": made.score[0], "best": judge.best.score[0]}
            )
        )
    return made


def overtaken(judge: Move, wire: Any) -> Manoeuvre:
    """t9a:11.E.h  A written path into contact with a fleeing unit, to where the charger may stand as it is."""
    battle, unit, target = judge.battle, judge.unit, judge.target
    facts = {"unit": unit.id, "target": target.id}
    others = charge_search.obstacles(battle, unit, target, flying=unit.charge.flying, touch=(), declared=False)
    path, arrived = _arrival(judge, parse(wire, "t9a:11.E.h"), others, facts)
    if not charge_search.may_stand(battle, arrived, others):
        raise Refused(Refusal("refuse.charge.align", "t9a:11.E.h", facts, ("t9a:4.C-charge",)))
    return path


def _arrival(judge: Move, path: Manoeuvre, others: list[Obstacle], facts: dict[str, str]) -> tuple[Manoeuvre, Block]:
    """t9a:11.E.b  A path as far as contact, and where the charger then stands."""
    block, box = judge.battle.block(judge.unit), judge.battle.block(judge.target)
    _manner(judge, path, facts)
    path = until_contact(path, block, box)
    _way(judge, path, others, facts)
    arrived = path.end(block)
    if gap(arrived.outline, box.outline) > REACHED:
        raise Refused(Refusal("refuse.charge.no-contact", "t9a:11.E.b", facts))
    return path, arrived


def until_contact(path: Manoeuvre, block: Block, target: Block) -> Manoeuvre:
    """A path whose last step straight on ends where the charger meets its target, though it was written longer or a
    hair shorter.
    """
    if not path.steps or not isinstance(path.steps[-1], Advance):
        return path
    before = Manoeuvre(path.steps[:-1]).end(block)
    far = path.steps[-1].distance
    met = first_contact(before.outline, Advance(far + REACHED).motion(before), target.outline)
    return path if met is None else Manoeuvre((*path.steps[:-1], Advance(met)))


def _manner(judge: Move, path: Manoeuvre, facts: dict[str, str]) -> None:
    """t9a:11.E.b, t9a:11.E.k-move  Straight on, with one wheel of a quarter at most; none along a Blocked Path."""
    if any(not isinstance(s, Advance | Wheel) for s in path.steps) or sum(isinstance(s, Wheel) for s in path.steps) > 1:
        raise Refused(Refusal("refuse.charge.one-wheel", "t9a:11.E.b", facts))
    if any(isinstance(s, Wheel) and not 0 <= s.degrees <= 90 for s in path.steps) or any(
        isinstance(s, Advance) and s.distance < 0 for s in path.steps
    ):
        raise Refused(Refusal("refuse.charge.one-wheel", "t9a:11.E.b", facts))
    if judge.unit.charge.blocked:
        raise Refused(Refusal("refuse.charge.blocked-path", "t9a:11.E.k-move", facts))


def _way(judge: Move, path: Manoeuvre, others: list[Obstacle], facts: dict[str, str]) -> None:
    """t9a:4.C-charge, t9a:11.E.b  Nothing on the way may be run over, no other enemy touched; contact ends the move."""
    box = judge.battle.block(judge.target).outline
    for number, (step, before, _) in enumerate(path.stages(judge.battle.block(judge.unit)), 1):
        motion = step.motion(before)
        early = number < len(path.steps) or isinstance(step, Wheel)
        if early and motion is not None and blocked(before.outline, motion, box):
            raise Refused(Refusal("refuse.charge.way", "t9a:11.E.b", {**facts, "other": judge.target.id}))
        for other in others:
            if motion is not None and not other.over and blocked(before.outline, motion, other.outline, other.passing):
                raise Refused(
                    Refusal("refuse.charge.way", "t9a:4.C-charge", {**facts, "other": other.name}, ("t9a:11.E.d-p1",))
                )


def _aligned(
    judge: ChargeJudge, path: Manoeuvre, arrived: Block, others: list[Obstacle], facts: dict[str, str]
) -> Contact:
    """t9a:11.E.c
    The charger turned flush with the side it must strike; the target only where nothing else does
    (t9a:11.E.c-direction)."""
    battle, unit, target, side = judge.battle, judge.unit, judge.target, judge.unit.charge.aim.side
    turned = align(
        arrived.boundary,
        battle.block(target).boundary,
        side,
        others,
        target_may_turn=bool(judge.best.target_turned),
        field=battle.field,
    )
    if turned is None:
        raise Refused(Refusal("refuse.charge.align", "t9a:11.E.c", facts, ("t9a:11.E.b", "t9a:11.E.c-direction")))
    charger, box = arrived.on(turned.charger), battle.block(target).on(turned.target)
    if any(too_near(charger.outline, o.outline, max(o.passing, o.stopping)) for o in others):
        raise Refused(Refusal("refuse.charge.align", "t9a:11.E.c", facts))
    score = charge_search.score_for(battle, target, side)(meeting(charger, Edge.FRONT, box, side))
    found = Contact(path, charger, box, side, score, turned.charger_turn, turned.target_turn)
    return charge_contacts.with_secondary(battle, found, unit.charge.secondary)


def _together(judge: ChargeJudge, made: Contact, facts: dict[str, str]) -> None:
    """t9a:11.E.d-p2, t9a:11.E.f-order  After this move the others must still come to what all could reach together."""
    battle, unit, target, plan = judge.battle, judge.unit, judge.target, judge.plan
    assert plan is not None
    trial = combined_charge.placed(battle, unit.id, target.id, made)
    left = [trial.units[s.unit] for s in plan.steps[1:]]
    rest = combined_charge.arrange(trial, trial.units[target.id], left)
    whole = combined_charge.Arrangement().with_step(unit, made)
    for step in rest.steps:
        whole = whole.with_step(trial.units[step.unit], step.contact)
    if len(whole.steps) < len(plan.steps):
        raise Refused(Refusal("refuse.charge.room-for-all", "t9a:11.E.d-p2", facts))
    if whole.rank > plan.rank:
        raise Refused(
            Refusal("refuse.charge.contact", "t9a:11.E.d-p4", facts | {"got": whole.models, "best": plan.models})
        )

"""t9a:11.E.b-11.E.e  The contacts a charger can make now, counted as the rules count them."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from grognard.games.t9a import blocked, charge_plans
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge_plans import Contact
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charge import charge_at, charges
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, inches


def secondary(unit: Unit) -> tuple[str, ...]:
    """t9a:11.E.e-secondary  The further enemies a unit charges."""
    return tuple(a.target for a in unit.aims if not a.primary)


def contact(battle: Battle, unit: Unit, target: Unit) -> Contact | None:
    """t9a:11.E.d  The best contact that can be had now, touching only what was charged."""
    touch = secondary(unit)
    if touch:
        every = contacts(battle, unit, target)
        return every[0] if every else blocked_contact(battle, unit, target)
    found = charge_plans.best(battle, unit, target, unit.aims[0].side, flying=unit.flying, declared=False)
    if found is not None:
        return charge_plans.of_charge(found)
    return blocked_contact(battle, unit, target)


def blocked_contact(battle: Battle, unit: Unit, target: Unit) -> Contact | None:
    """t9a:11.E.k-move  The contact of a unit that charges along a Blocked Path, as far as its roll takes it."""
    from grognard.games.t9a.charging import charge_range

    if not unit.blocked_path:
        return None
    return blocked.blocked_path(battle, unit, target, unit.aims[0].side, inches(charge_range(battle, unit)))


def contacts(battle: Battle, unit: Unit, target: Unit) -> list[Contact]:
    """Every contact found that a unit can make, best first, models of secondary enemies counted too."""
    touch, side = secondary(unit), unit.aims[0].side
    rules = charge_plans.RULES if charge_plans.may_turn(battle, target) else charge_plans.FIXED
    found = charges(
        battle.block(unit),
        battle.block(target),
        side=side,
        obstacles=charge_plans.obstacles(battle, unit, target, flying=unit.flying, touch=touch, declared=False),
        rules=rules,
        score=charge_plans.score_for(battle, target, side),
        field=battle.field,
    )
    made = [(with_secondary(battle, charge_plans.of_charge(c), touch), c.cost) for c in found]
    made.sort(key=lambda pair: (abs(pair[0].target_turned), -pair[0].score[0], pair[1]))
    return [c for c, _ in made]


def contact_at(battle: Battle, unit: Unit, target: Unit, offset: float) -> Contact | None:
    """The contact a unit makes at one place of the side it charges, the target standing still."""
    touch, side = secondary(unit), unit.aims[0].side
    found = charge_at(
        battle.block(unit),
        battle.block(target),
        offset,
        side=side,
        obstacles=charge_plans.obstacles(battle, unit, target, flying=unit.flying, touch=touch, declared=False),
        rules=charge_plans.FIXED,
        score=charge_plans.score_for(battle, target, side),
        field=battle.field,
    )
    return None if found is None else with_secondary(battle, charge_plans.of_charge(found), touch)


def with_secondary(battle: Battle, found: Contact, touch: Collection[str]) -> Contact:
    """t9a:11.E.d-p4  A contact with the models of secondary enemies counted."""
    if not touch:
        return found
    ours: set[int] = set(meeting_numbers(found.charger, found.target))
    more = 0
    for key in touch:
        box = battle.block(battle.units[key])
        if gap(found.charger.outline, box.outline) > 2 * TOUCH or box.is_round or found.charger.is_round:
            continue
        own, theirs = charge_plans.side_touched(found.charger, box)
        met = meeting(found.charger, own, box, theirs)
        already = charge_plans.busy(battle, battle.units[key], theirs)
        more += sum(j not in already for j in met.theirs) + len(set(met.ours) - ours)
        ours.update(met.ours)
    return msgspec.structs.replace(found, score=(found.score[0] + more, *found.score[1:]))


def meeting_numbers(charger: Block, target: Block) -> tuple[int, ...]:
    """The charger's models that touch the target."""
    if charger.is_round or target.is_round:
        return (0,)
    own, theirs = charge_plans.side_touched(charger, target)
    return meeting(charger, own, target, theirs).ours

"""Chapters 11.E.b to 11.E.e: The contacts a charger can make now, counted as the rules count them."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import blocked_path, charge_range, charge_search
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.forces import Unit
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.charge import charge_at, charges
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import TOUCH, inches


def contact(battle: Battle, unit: Unit, target: Unit) -> Contact | None:
    """t9a:11.E.d  The best contact that can be had now, touching only what was charged."""
    touch = unit.charge.secondary
    if touch:
        every = contacts(battle, unit, target)
        return every[0] if every else blocked_contact(battle, unit, target)
    found = charge_search.best(battle, unit, target, unit.charge.aim.side, flying=unit.charge.flying, declared=False)
    if found is not None:
        return charge_search.of_charge(found)
    return blocked_contact(battle, unit, target)


def blocked_contact(battle: Battle, unit: Unit, target: Unit) -> Contact | None:
    """t9a:11.E.k-move  The contact of a unit that charges along a Blocked Path, as far as its roll takes it."""

    if not unit.charge.blocked:
        return None
    return blocked_path.blocked_path(
        battle, unit, target, unit.charge.aim.side, inches(charge_range.range_rolled(battle, unit))
    )


def contacts(battle: Battle, unit: Unit, target: Unit) -> list[Contact]:
    """Every contact found that a unit can make, best first, models of secondary enemies counted too."""
    touch, side = unit.charge.secondary, unit.charge.aim.side
    rules = charge_search.RULES if charge_search.may_turn(battle, target) else charge_search.FIXED
    found = charges(
        battle.block(unit),
        battle.block(target),
        side=side,
        obstacles=charge_search.obstacles(battle, unit, target, flying=unit.charge.flying, touch=touch, declared=False),
        rules=rules,
        score=charge_search.score_for(battle, target, side),
        field=battle.field,
    )
    made = [(with_secondary(battle, charge_search.of_charge(c), touch), c.cost) for c in found]
    made.sort(key=lambda pair: (abs(pair[0].target_turned), -pair[0].score[0], pair[1]))
    return [c for c, _ in made]


def contact_at(battle: Battle, unit: Unit, target: Unit, offset: float) -> Contact | None:
    """The contact a unit makes at one place of the side it charges, the target standing still."""
    touch, side = unit.charge.secondary, unit.charge.aim.side
    found = charge_at(
        battle.block(unit),
        battle.block(target),
        offset,
        side=side,
        obstacles=charge_search.obstacles(battle, unit, target, flying=unit.charge.flying, touch=touch, declared=False),
        rules=charge_search.FIXED,
        score=charge_search.score_for(battle, target, side),
        field=battle.field,
    )
    return None if found is None else with_secondary(battle, charge_search.of_charge(found), touch)


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
        own, theirs = charge_search.side_touched(found.charger, box)
        met = meeting(found.charger, own, box, theirs)
        already = charge_search.busy(battle, battle.units[key], theirs)
        more += sum(j not in already for j in met.theirs) + len(set(met.ours) - ours)
        ours.update(met.ours)
    return msgspec.structs.replace(found, score=(found.score[0] + more, *found.score[1:]))


def meeting_numbers(charger: Block, target: Block) -> tuple[int, ...]:
    """The charger's models that touch the target."""
    if charger.is_round or target.is_round:
        return (0,)
    own, theirs = charge_search.side_touched(charger, target)
    return meeting(charger, own, target, theirs).ours

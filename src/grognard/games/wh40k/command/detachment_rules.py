"""wh40k:18.4-detachment, wh40k:1.15.2-outside  What the Detachments of both armies do as a battle round starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.wh40k.abilities.detachments import RULE, DetachmentRule
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import command
from grognard.games.wh40k.rolls.roll_off import roll_off
from grognard.kernel.questions import Order, Script, option


def round_rules(battle: Battle) -> list[tuple[str, DetachmentRule]]:
    """The rules that have something to do as the battle round starts, with whose they are."""
    found = []
    for seat in battle.seats:
        detachment = battle.sides[seat].rules
        found += [(seat, rule) for rule in (detachment.rules if detachment else ()) if rule.may_act(battle, seat)]
    return found


def round_starts(battle: Battle) -> Script[None]:
    """wh40k:1.15.2-outside  Several rules at the start of a round: a roll-off, its winner chooses their order."""
    waiting = round_rules(battle)
    if len(waiting) > 1:
        chooser = yield from roll_off(battle, "sequence", "wh40k:1.15.2-outside")
        waiting = yield from in_order(battle, chooser, waiting)
    for seat, rule in waiting:
        battle.cite(RULE)
        if rule.command_points:
            command.gain(battle, seat, rule.command_points, RULE)
        yield from rule.act(battle, seat)


def in_order(battle: Battle, seat: str, waiting: Sequence[tuple[str, DetachmentRule]]) -> Script[Any]:
    options = [
        option(f"{owner}:{rule.name}", (owner, rule), text="option.rule", data={"rule": rule.name, "seat": owner})
        for owner, rule in waiting
    ]
    ordered = yield Order(seat, "sequence.rules", options, rule="wh40k:1.15.2-outside")
    return list(ordered)

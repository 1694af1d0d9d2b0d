"""Chapters 15.A to 15.C: The Melee Phase: combats, and the order in which they are fought."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import combat_round, post_combat, pursuit
from grognard.games.t9a.movement import flight
from grognard.games.t9a.units import reforms
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Pick, Script, option


@cites
def combats(battle: Battle) -> list[list[Unit]]:
    """t9a:15.B  Groups of units linked by contact between enemies, in muster order."""
    left = [u for u in battle.on_table() if battle.engaged(u)]
    found: list[list[Unit]] = []
    seen: dict[str, None] = {}
    for unit in left:
        if unit.id in seen:
            continue
        group, queue = [], [unit]
        seen[unit.id] = None
        while queue:
            one = queue.pop(0)
            group.append(one)
            for foe, _, _ in battle.foes(one):
                if foe.id not in seen:
                    seen[foe.id] = None
                    queue.append(foe)
        order = list(battle.units)
        found.append(sorted(group, key=lambda u: order.index(u.id)))
    return found


@cites
def phase(battle: Battle) -> Script[None]:
    """t9a:15.A"""
    if battle.stage == 0:
        for unit in battle.on_table():
            unit.fight = unit.fight.but(at_start=battle.engaged(unit))
            unit.this_phase = unit.this_phase.but(fought=False)
        battle.stage = 1
    while True:
        yield from no_longer_engaged(battle)
        open_ones = [g for g in combats(battle) if any(u.fight.at_start and not u.this_phase.fought for u in g)]
        if not open_ones:
            return
        options = [_option(battle, group) for group in open_ones]
        group = yield Pick(battle.active, "combat.next", options, rule="t9a:15.A", checkpoint=True)
        for unit in group:
            unit.this_phase = unit.this_phase.but(fought=True)
        yield from combat_round.fight(battle, group)


def _option(battle: Battle, group: list[Unit]) -> Option:
    """A combat by all who fight in it, the active player's first."""
    ours, theirs = ([u.id for u in group if (u.seat == battle.active) is own] for own in (True, False))
    return option(
        group[0].id, group, text="option.combat", about=tuple(u.id for u in group), data={"a": ours, "b": theirs}
    )


def no_longer_engaged(battle: Battle) -> Script[None]:
    """t9a:15.C  A unit whose foes are all gone since the last Melee Phase may pivot or reform, or overrun if it had
    charged.

    Ruling: "has not moved" conditions the Overrun as well.
    """
    for seat in (battle.active, battle.reactive):
        while free := [u for u in battle.army(seat) if u.fight.in_fight and not battle.engaged(u)]:
            unit = next((u for u in free if _has_gone(u)), None) or (
                yield from post_combat.next_of(battle, free, "t9a:15.C")
            )
            unit.fight = unit.fight.but(in_fight=False)
            charged, gone = unit.charge.charging, _has_gone(unit)
            if charged:
                battle.cite("t9a:11.B-charging")
            unit.charge = unit.charge.over()
            if gone:
                continue
            battle.tell("combat.over", "t9a:15.C", (unit.id,))
            battle.cite("t9a:15.G.c")
            yield from free_again(battle, unit, charged)


def _has_gone(unit: Unit) -> bool:
    """t9a:15.C  Whether a unit has moved since its foes were gone."""
    return unit.nerve.fleeing or unit.this_phase.magic_moved or (unit.move.moved and not unit.charge.charging)


def free_again(battle: Battle, unit: Unit, charged: bool) -> Script[None]:
    """t9a:15.G.c  Overrun for a charger, or a Post-Combat Pivot or Reform."""
    found = [option("pivot", text="option.pivot"), option("reform", text="option.reform")]
    if charged and not battle.is_shaken(unit) and not battle.any_has(unit, "war-machine"):
        found.append(option("overrun", text="option.overrun"))
    pick = yield Pick(unit.seat, "combat.freed", found, optional=True, rule="t9a:15.C", about=(unit.id,))
    if pick == "pivot":
        yield from reforms.pivot(battle, unit)
    elif pick == "reform":
        yield from post_combat.reform(battle, unit)
    elif pick == "overrun":
        sides = pursuit.record_sides(battle, unit)
        distance = yield from flight.roll_distance(battle, unit, "overrun", "t9a:15.H.1")
        battle.cite("t9a:15.H.1")
        yield from pursuit.pursue(pursuit.Chase(battle, unit, None, distance, sides=sides))

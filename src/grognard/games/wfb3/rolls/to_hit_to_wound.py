"""Chapters 7.8, 7.9: what a blow needs to hit and to wound, and why."""

from __future__ import annotations

from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls.arms import Arms
from grognard.games.wfb3.rolls.modifiers import STRENGTH, TO_HIT, Group
from grognard.games.wfb3.rolls.steps import combat_need, wound_need
from grognard.games.wfb3.table import baggage, terrain, wagons
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.words.tally import Tally

#: wfb3:7.8.1-modifiers  How much further up a hill (mm) is higher ground.
UPHILL = inches(0.5)
#: In a group's `hand`: the shot of a character's pistol.
PISTOL = 3


def of_mount(battle: Battle, group: Group) -> bool:
    """wfb3:7.8.2-mounted  Whether it is horses who strike: the troops', or a hero's own."""
    if group.who == "mounts":
        return True
    return group.who in battle.models and group.profile is battle.models[group.who].mount


def to_hit(battle: Battle, group: Group, gear: Arms, victim: Profile, kit: Kit | None = None) -> Tally:
    """wfb3:7.8.1-modifiers, wfb3:10.5-bonus, wfb3:13.5.7-net, wfb3:17.3-halflings
    The need with every modifier; a plus on the die is a minus on the need."""
    unit, foe = battle.units[group.unit], battle.units[group.foe]
    why = "wfb3:7.8.1-modifiers"
    tally = Tally(combat_need(group.profile.WS, victim.WS), f"WS{group.profile.WS}", "wfb3:7.8-tohit-table")
    if unit.charge.charged == battle.clock and unit.charge.bonus_lost != battle.clock and not unit.combat.disordered:
        tally.add(-1, "charging", why)
    if (
        unit.combat.won == battle.clock - 1
        and not unit.combat.disordered
        and not unit.air.height
        and _followed(battle, unit, foe)
    ):
        tally.add(-1, "follow-up", why)
    if higher(battle, unit, foe):
        tally.add(-1, "higher", why)
    if unit.minds.frenzied or (group.who in battle.models and battle.models[group.who].fight.frenzied):
        tally.add(-1, "frenzied", "wfb3:10.5-bonus")
    if unit.baggage.defends and group.profile.race == "halfling":
        tally.add(-2, "halflings", "wfb3:17.3-halflings")
    for change in TO_HIT:
        change(battle, group, foe, tally)
    if not of_mount(battle, group):
        for number, what, rule in gear.hit:
            tally.add(-number, what, rule)
        if group.hand and group.hand != PISTOL:
            tally.add(group.hand, "two-weapons", "wfb3:13.3-two-weapons")
    if unit.drill.muddled == battle.clock and unit.combat.rounds == 0:
        tally.add(1, "muddled", "wfb3:5.7.2-mixed-charged")
    if "net" in (kit or foe.kit).weapons:
        tally.add(1, "net", "wfb3:13.5.7-net")
    return tally.at_least(2, "best", why)


def _followed(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:7.8.1-modifiers  Whether the two have been fighting since before this turn; nobody follows up a square."""
    if foe.drill.formation == "square":
        battle.cite("wfb3:5.7.3-square-combat")
        return False
    return any({e.a, e.b} == {unit.id, foe.id} and e.since < battle.clock for e in battle.engagements)


def higher(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:7.8.1-modifiers  Whether a unit stands uphill of another.

    Ruling: on one and the same hill, half an inch nearer to its crest.
    """
    if unit.where == "building":
        battle.cite("wfb3:22.1.5-high") if unit.indoors.perch == battle.clock else None
        return unit.indoors.perch == battle.clock
    if foe.block is None or not any(p.kind in ("hill", "steep hill") for p in battle.table.pieces):
        return False
    spots = [battle.block_of(u).centre for u in (unit, foe)]
    mine, theirs = (terrain.level(battle.table, spot) for spot in spots)
    if not mine or not theirs:
        return mine > theirs
    up, down = (terrain.slope(battle.table, spot) for spot in spots)
    return up > down + UPHILL


@TO_HIT.by("obstacle")
def _obstacle(battle: Battle, group: Group, foe: Unit, tally: Tally) -> None:
    """wfb3:7.8.1-modifiers  Enemies behind an obstacle are harder to hit."""
    if defended(battle, battle.units[group.unit], foe):
        tally.add(1, "obstacle", "wfb3:7.8.1-modifiers")


def defended(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:7.8.1-modifiers, wfb3:5.7.3-square-combat  Whether the enemy stands behind an obstacle, or in a square."""
    if unit.block is None or foe.block is None:
        return False
    if foe.drill.formation == "square":
        battle.cite("wfb3:5.7.3-square-combat")
        return True
    if baggage.sheltered(battle, foe):
        return True
    if wagons.standing(battle) and wagons.defended(battle, unit, foe):
        battle.cite(wagons.RULE)
        return True
    walls = terrain.of_ground(battle.table, "linear")
    if not walls or not _came(battle, unit, foe):
        return False
    mine, theirs = battle.block_of(unit), battle.block_of(foe)
    (hx, hy), (x, y), far = heading(mine.facing), mine.centre, mine.depth / 2 + inches(1)
    start, goal = (x - hx * far, y - hy * far), theirs.centre
    way = Shift(goal[0] - start[0], goal[1] - start[1])
    near = [terrain.outline(piece, battle.table) for piece in walls]
    reach = inches(1) + EPS  # as near as one stands to look over it
    return any(gap(wall, theirs.outline) <= reach and blocked(Outline((start,), 0.1), way, wall) for wall in near)


def _came(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:7.8.1-modifiers  Whether a unit came at an enemy: whoever did is not the one behind the wall."""
    begun = [e.since for e in battle.engagements if {e.a, e.b} == {unit.id, foe.id}]
    return unit.charge.charged >= min([battle.clock - 1, *begun])


def strength_of(group: Group, gear: Arms, battle: Battle, victim: Profile) -> Tally:
    """wfb3:7.9-wound, wfb3:13.5.3-dagger  The strength of a blow, weapon and all."""
    strength = Tally(group.profile.S, "strength", "wfb3:7.9-wound")
    if not of_mount(battle, group):
        for number, what, rule in gear.strength:
            strength.add(number, what, rule)
    home = battle.units[group.unit]
    if home.baggage.defends and group.profile.race == "halfling":
        strength.add(2, "halflings", "wfb3:17.3-halflings")
    for change in STRENGTH:
        change(battle, home, victim, strength)
    return strength.at_least(1, "least", "wfb3:13.5.3-dagger")


def to_wound(group: Group, gear: Arms, battle: Battle, victim: Profile) -> Tally:
    """wfb3:7.9-wound  Strength against toughness; frenzy helps."""
    strength, home = strength_of(group, gear, battle, victim), battle.units[group.unit]
    battle.cite(*strength.rules)
    need = Tally(wound_need(int(strength.value), victim.T), f"S{int(strength.value)}", "wfb3:6.3-wound-table")
    wild = group.who in battle.models and battle.models[group.who].fight.frenzied
    if (home.minds.frenzied or wild) and need.value <= 6:
        need.add(-1, "frenzied", "wfb3:7.9-wound").at_least(2, "best", "wfb3:7.9-wound")
        battle.cite("wfb3:10.5-bonus")
    return need

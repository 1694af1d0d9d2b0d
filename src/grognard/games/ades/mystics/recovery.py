"""Chapter 8.8, 8.9-recovery  Gems and faith: what mystics start with, recover and lose."""

from __future__ import annotations

import math

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.mystics import casting
from grognard.games.ades.rolls import stats
from grognard.kernel.geometry.units import cm
from grognard.kernel.words.tally import Tally


def mystics(battle: Battle) -> list[Fighter]:
    return [f for f in battle.on_table() if casting.kind_of(battle, f) and f.seat in battle.sides]


def start(battle: Battle, fighter: Fighter) -> None:
    """ades:8.1-um, ades:1.1.2.2-mys  A mystic is deployed with as many units as its MYS."""
    if casting.kind_of(battle, fighter):
        fighter.powers = fighter.powers.but(um=int(fighter.profile.stats.get("MYS", 0)))
        battle.cite("ades:8.1-um", "ades:1.1.2.2-mys")


def gain(battle: Battle, fighter: Fighter, amount: int, rule: str) -> None:
    """ades:8.8.1-cap  Gems up to twice the printed POU; faith without limit."""
    before = fighter.powers.um
    fighter.powers = fighter.powers.but(um=fighter.powers.um + max(0, amount))
    if casting.kind_of(battle, fighter) == "spell":
        most = 2 * int(fighter.profile.stats["MYS"])
        battle.cite("ades:8.8.1-cap")
        fighter.powers = fighter.powers.but(um=max(before, min(fighter.powers.um, most)))
    gained = fighter.powers.um - before
    battle.tell("um.gained" if gained else "um.unchanged", rule, (fighter.id,), gained=gained, now=fighter.powers.um)


def fade(battle: Battle) -> None:
    """ades:8.8.2-loss, ades:13.2-piete  Faith left over is lost, but for what Piety keeps."""
    for fighter in mystics(battle):
        if casting.kind_of(battle, fighter) == "miracle":
            kept = min(fighter.powers.um, battle.number(fighter, "piete"))
            if kept:
                battle.cite("ades:13.2-piete")
            if fighter.powers.um > kept:
                battle.tell("um.lost", "ades:8.8.2-loss", (fighter.id,), lost=fighter.powers.um - kept, now=kept)
            fighter.powers = fighter.powers.but(um=kept)


def income(battle: Battle, fighter: Fighter) -> Tally:
    """ades:8.8.1-gain, ades:8.8.2-gain, ades:8.9-recovery, ades:13.2-recuperation, ades:13.2.1.1-icone
    What a mystic recovers in Maintenance."""
    both = battle.has(fighter, "mystique-guerrier")
    mys = stats.stat(battle, fighter, "MYS")
    battle.cite(*mys.rules)
    if casting.kind_of(battle, fighter) == "spell":
        battle.cite("ades:8.2-magician", "ades:13.2-magicien")
        total = Tally(mys.value, "POU", "ades:8.9-recovery" if both else "ades:8.8.1-gain")
        if not both:
            total.add(fighter.profile.rank, "rank", "ades:8.8.1-gain")
        total.add(battle.number(fighter, "recuperation"), "recovery", "ades:13.2-recuperation")
        return total.at_least(0, "never below 0", "ades:8.8.1-gain")
    faithful = believers(battle, fighter)
    base = fighter.profile.rank if both else mys.value
    total = Tally(base, "rank" if both else "FOI", "ades:8.9-recovery" if both else "ades:8.8.2-gain")
    total.add(math.ceil(len(faithful) / 3), "believers", "ades:8.8.2-gain")
    for friend in battle.near(fighter, reach(battle, fighter)):
        if friend.seat == fighter.seat and battle.has(friend, "feal"):
            total.add(battle.number(friend, "feal"), friend.name, "ades:13.2-feal")
    for thing in battle.things_of("nexus"):
        held = skillset(thing.skills)
        if held.has("icone") and thing.seat == fighter.seat and thing.nexus is not None:
            near = battle.in_reach(fighter, thing, cm(thing.nexus.zone))
            if near and battle.sworn(fighter, thing.nexus.allegiance):
                total.add(held.number("icone"), "icon", "ades:13.2.1.1-icone")
    return total


def believers(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """ades:8.3-faithful, ades:8.8.2-gain, ades:13.2-iconoclaste, ades:13.2-thaumaturge
    Those whose faith a faithful draws on."""
    near = battle.near(fighter, reach(battle, fighter))
    if battle.uses(fighter, "iconoclaste"):
        return [f for f in near if f.seat != fighter.seat and stats.has_stat(battle, f, "DIS")]
    near = [fighter, *near]
    battle.cite("ades:8.3-faithful", "ades:13.2-fidele")
    army = fighter.profile.army
    found = [f for f in near if f.seat == fighter.seat and stats.has_stat(battle, f, "DIS") and f.profile.army == army]
    return [f for f in found if not battle.has(f, "feal")]


def reach(battle: Battle, fighter: Fighter) -> float:
    """ades:13.2-iconoclaste, ades:13.2-thaumaturge  How far a faithful draws faith from, in mm."""
    far = casting.zone(fighter) + (cm(5) if battle.has(fighter, "iconoclaste") else 0.0)
    if battle.wounded(fighter) and battle.uses(fighter, "thaumaturge"):
        far *= 2
    return far


def recover(battle: Battle) -> None:
    """ades:4.4.2  Every mystic recovers."""
    for fighter in mystics(battle):
        if fighter.fear.routed:
            battle.cite("ades:6.2-noaction")
        amount = income(battle, fighter)
        battle.cite(*amount.rules)
        gain(battle, fighter, int(amount.value), amount.changes[0].rule)

"""Chapter 5.4  Leaders, their galvanising zones, staffs, and what all that adds to discipline, courage and fear."""

from __future__ import annotations

import msgspec

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.rolls import stats
from grognard.games.ades.rolls.stats import Value
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.words.tally import Tally

LEADERS = ("commandement", "musicien", "porte-etendard")


class Staff(msgspec.Struct, frozen=True):
    """ades:5.4.5-form  A commandant with a musician or standard-bearer, or both."""

    chief: Fighter
    musicians: tuple[Fighter, ...]
    standards: tuple[Fighter, ...]

    @property
    def members(self) -> tuple[Fighter, ...]:
        return (self.chief, *self.musicians, *self.standards)

    @property
    def full(self) -> bool:
        """ades:5.4.5-full"""
        return bool(self.musicians and self.standards)


def leads(battle: Battle, fighter: Fighter, how: str) -> bool:
    """ades:5.4.5-rout  Ruling: no leader gives anything while routed, in a staff or not."""
    if not battle.has(fighter, how):
        return False
    if fighter.fear.routed:
        battle.cite("ades:5.4.5-rout")
        return False
    return fighter.on_table


def in_zone(battle: Battle, leader: Fighter, other: Fighter) -> bool:
    """ades:5.4.1-zone, ades:7.5  Within 15 cm x rank of a leader, on its level or the next."""
    near = battle.gap(leader, other) <= cm(15) * leader.profile.rank + TOUCH
    levels = abs(battle.pose(leader).level - battle.pose(other).level)
    if near and levels == 1:
        battle.cite("ades:7.5")
    return near and levels <= 1


def leaders(battle: Battle, seat: str, how: str) -> list[Fighter]:
    return [f for f in battle.army(seat) if leads(battle, f, how)]


def staffs(battle: Battle, seat: str) -> list[Staff]:
    """ades:5.4.5-form, ades:13.2-paria  Ranks no higher than the commandant's, and he in the zone of each.

    Ruling: Pariahs and others form no staff together.
    """
    found = []
    for chief in leaders(battle, seat, "commandement"):
        parts: list[tuple[Fighter, ...]] = []
        outcast = battle.has(chief, "paria")
        for how in LEADERS[1:]:
            band = leaders(battle, seat, how)
            if band and "ades:5.4.5-form" not in battle.cited:
                battle.cite("ades:5.4.5-form")
            near = [
                f for f in band if f is not chief and f.profile.rank <= chief.profile.rank and in_zone(battle, f, chief)
            ]
            if any(battle.has(f, "paria") != outcast for f in near):
                battle.cite("ades:13.2-paria")
                near = [f for f in near if battle.has(f, "paria") == outcast]
            parts.append(tuple(near))
        if parts[0] or parts[1]:
            found.append(Staff(chief, *parts))
    return found


def heeds(battle: Battle, fighter: Fighter, leader: Fighter) -> bool:
    """ades:13.2-paria  A Pariah hears only Pariahs."""
    if battle.has(fighter, "paria") and not battle.has(leader, "paria"):
        battle.cite("ades:13.2-paria")
        return False
    return True


@cites
def gives(battle: Battle, how: str) -> tuple[str, ...]:
    """ades:5.4-conflict  Which characteristics a musician or a standard-bearer lifts."""
    swapped = battle.house["musician"] == "discipline"
    if (how == "musicien") != swapped:
        return ("COU", "PEU")
    return ("DIS",)


@stats.galvanise.here
def galvanise(battle: Battle, fighter: Fighter, stat: str, total: Tally, value: Value) -> Tally:
    """ades:5.4.2-order  Musician and standard first, then the commandant."""
    if not battle.sides or fighter.seat not in battle.sides or not fighter.on_table:
        return total
    if not any(leads(battle, f, how) for how in LEADERS for f in battle.army(fighter.seat)):
        return total
    groups = staffs(battle, fighter.seat)
    bands = (("musicien", "musician", "ades:5.4.3"), ("porte-etendard", "standard", "ades:5.4.4"))
    for how, what, rule in bands:
        if stat in gives(battle, how):
            amount, cause = _band(battle, fighter, stat, how, groups)
            if amount:
                battle.cite(rule, "ades:5.4.1-zone", f"ades:13.2-{how}")
                total.add(amount, what, cause or rule)
    return _commandant(battle, fighter, stat, total, groups, value)


def _feared(battle: Battle, fighter: Fighter, stat: str, givers: tuple[Fighter, ...]) -> bool:
    """ades:5.4.1-fear, ades:5.4.5-fear  PEU is lifted only among the frightening, by staffs wholly frightening."""
    if stat != "PEU":
        return True
    if all("PEU" in g.profile.stats for g in givers):
        battle.cite("ades:5.4.1-fear")
        return True
    battle.cite("ades:5.4.5-fear" if len(givers) > 1 else "ades:5.4.1-fear")
    return False


def _band(battle: Battle, fighter: Fighter, stat: str, how: str, groups: list[Staff]) -> tuple[int, str]:
    """ades:5.4.3, ades:5.4.4, ades:5.4.5-share, ades:5.4.5-members
    What musicians or standards add: +1, of a full staff +2; never twice."""
    best, cause = 0, ""
    for staff in groups:
        players = staff.musicians if how == "musicien" else staff.standards
        if not players or not all(heeds(battle, fighter, p) for p in players[:1]):
            continue
        if fighter in staff.members and fighter is not staff.chief:
            battle.cite("ades:5.4.5-members")
            continue
        if fighter is staff.chief or any(in_zone(battle, m, fighter) for m in staff.members):
            amount = 2 if staff.full else 1
            if amount > best and _feared(battle, fighter, stat, staff.members):
                best, cause = amount, "ades:5.4.5-full" if staff.full else "ades:5.4.5-share"
    if best or any(fighter in s.members and fighter is not s.chief for s in groups):
        return best, cause
    for player in leaders(battle, fighter.seat, how):
        heard = player is not fighter and in_zone(battle, player, fighter) and heeds(battle, fighter, player)
        if heard and _feared(battle, fighter, stat, (player,)):
            return 1, ""
    return 0, ""


def _commandant(battle: Battle, fighter: Fighter, stat: str, total: Tally, groups: list[Staff], value: Value) -> Tally:
    """ades:5.4.2, ades:5.4.2-cap, ades:5.4.5-members
    +rank, never above the commandant's own current value; Ruling: the best one counts."""
    best, chief = 0.0, None
    for one in leaders(battle, fighter.seat, "commandement"):
        if one is fighter or not heeds(battle, fighter, one) or stat not in one.profile.stats:
            continue
        zone = next((s.members for s in groups if s.chief is one), (one,))
        if fighter not in zone and not any(in_zone(battle, m, fighter) for m in zone):
            continue
        if not _feared(battle, fighter, stat, zone):
            continue
        if fighter in zone:
            battle.cite("ades:5.4.5-members")
        elif len(zone) > 1:
            battle.cite("ades:5.4.5-share", "ades:5.4.5-form")
        battle.cite("ades:5.4.2-cap", "ades:5.4.2-order", "ades:5.4.1-zone", "ades:13.2-commandement", "ades:5.4.2")
        more = max(0.0, min(one.profile.rank, value(one, stat) - total.value))
        if more > best:
            best, chief = more, one
    return total.add(best, "commandant", "ades:5.4.2") if chief else total

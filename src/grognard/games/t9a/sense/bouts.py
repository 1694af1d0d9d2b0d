"""What a round of combat looks worth in points, by the battle's own weighed steps: who strikes first, the Combat
Score, and who is likely to break.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from grognard.games.t9a.abilities import Trait
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.army.profiles import SUPPORT, Part, Profile
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.sense import weighed
from grognard.games.t9a.sense.worth import holding
from grognard.kernel.formation.shapes import Side

#: How far the dice stray from what is expected, in deviations, and how often.
STRAY = ((-1.5, 0.13), (-0.5, 0.37), (0.5, 0.37), (1.5, 0.13))
#: What a broken unit is worth to the enemy: many are run down, some rally.
ROUTED = 0.75
#: How much more the last Health Points of a unit count than the first.
LAST = 1.4


class Bout(NamedTuple):
    """Points one takes from the other and loses to it in a round."""

    gain: float
    loss: float

    @property
    def net(self) -> float:
        return self.gain - self.loss


class Blows(NamedTuple):
    """How many of a pool strike: in front, and in support."""

    pool: str
    profile: Profile
    front: float
    support: float


@lru_cache(maxsize=64)
def passing(need: int) -> float:
    """How likely two dice are at most a number."""
    return sum(a + b <= need for a in range(1, 7) for b in range(1, 7)) / 36


# ---------------------------------------------------------------------- two units


def strikers(battle: Battle, unit: Unit, wide: float, over_front: bool) -> Iterator[Blows]:
    """Who of a unit strikes something so wide: those in contact, and behind them those who support."""
    block, guests = unit.block, battle.guests(unit)
    if block is None or block.is_round:
        yield from (Blows(model.id, model.profile, 1.0, 0.0) for model in guests)
        if unit.troops:
            yield Blows(unit.id, unit.profile, 1.0, 0.0)
        return
    lane = block.base.width if over_front else block.base.length
    touching = min(block.files if over_front else block.ranks, int(wide / lane) + 2)
    front = max(0, min(unit.troops, touching - len(guests)))
    deep = 1 + sum(t.key == "fight-in-extra-rank" for t in _arms(unit.profile.parts[0])) + int(battle.in_line(unit))
    behind = min(unit.troops - front, deep * touching) if over_front else 0
    if unit.troops:
        yield Blows(unit.id, unit.profile, float(front), float(behind))
    yield from (Blows(model.id, model.profile, 1.0, 0.0) for model in guests if model.role == "champion" or over_front)


def _arms(part: Part) -> list[Trait]:
    """Attributes of a part and of the weapon it would use."""
    return [*part.traits, *(part.armed[0].traits if not part.has("harnessed") else ())]


def _struck(battle: Battle, unit: Unit) -> str:
    return unit.id if unit.troops or not unit.guests else unit.guests[0]


def damage(at: weighed.Round, wide: float, share: float) -> float:
    """Health Points one unit takes from another that is so wide, with so much of its strength left."""
    battle, lost = at.battle, 0.0
    struck = _struck(battle, at.two)
    for blows in strikers(battle, at.one, wide, at.over_front):
        cap = SUPPORT[blows.profile.size]
        for index, part in enumerate(blows.profile.parts):
            lost += share * _struck_by(at, blows, index, part, struck, cap)
            for trait in part.traits:
                if (trait.key == "impact-hits" and at.charging) or trait.key in ("stomp-attacks", "grind-attacks"):
                    each = weighed.special_hit(at, blows.pool, index, struck, trait.rule)
                    lost += blows.front * amount(trait.value).mean * each
    return min(lost, float(battle.hp(at.two)))


def _struck_by(at: weighed.Round, blows: Blows, index: int, part: Part, struck: str, cap: int) -> float:
    """What the Close Combat Attacks of one part of a pool's models take; who only supports has so many at most."""
    if part.att is None or part.off is None or part.strength is None or part.has("inanimate"):
        return 0.0
    count = weighed.attacks(at, blows.pool, index)
    support = 0.0 if part.has("harnessed") else blows.support * min(count, cap)
    return part.count * (blows.front * count + support) * weighed.attack(at, blows.pool, index, struck)


def _fresh(battle: Battle, unit: Unit, charging: bool) -> bool:
    return charging or unit.fight.first_round or not battle.engaged(unit)


def _clash(
    battle: Battle, one: Unit, two: Unit, charging: bool, *, over_front: bool = True, side: str = "front"
) -> weighed.Round:
    return weighed.Round(battle, one, two, charging, _fresh(battle, one, charging), over_front, side)


def _speed(at: weighed.Round) -> int:
    return weighed.agility(at, _struck(at.battle, at.one), 0)


def bout(battle: Battle, one: Unit, two: Unit, side: Side | None = None, *, charging: bool = True) -> Bout:
    """One charges another on a side: what both may expect of the round."""
    key = ("bout", one.id, two.id, side, charging)
    found: Bout = battle.remember(key, lambda: _bout(battle, one, two, side or Side.FRONT, charging))
    return found


def _bout(battle: Battle, one: Unit, two: Unit, side: Side, charging: bool) -> Bout:
    if one.block is None or two.block is None:
        return Bout(0.0, 0.0)
    front = side is Side.FRONT
    across = two.block.width if front or side is Side.REAR else two.block.depth
    ours = _clash(battle, one, two, charging, side=side.name.lower())
    theirs = _clash(battle, two, one, False, over_front=front)
    first = _speed(ours) >= _speed(theirs)
    kills, deaths = 0.0, 0.0
    for striker in (ours, theirs) if first else (theirs, ours):
        if striker is ours:
            kills = damage(ours, across, _share(battle, one, deaths))
        else:
            deaths = damage(theirs, one.block.width, _share(battle, two, kills))
    kills += sum(_help(battle, friend, two) for friend in battle.army(one.seat) if friend is not one)
    kills = min(kills, float(battle.hp(two)))
    margin = kills - deaths + _static(battle, one, two, side, charging)
    stray = math.sqrt(0.7 * (kills + deaths) + 0.5)
    gain = loss = 0.0
    for off, weight in STRAY:
        by = margin + off * stray
        gain += weight * _lost(battle, two, one, by, kills, front)
        loss += weight * _lost(battle, one, two, -by, deaths, True)
    return Bout(gain, loss)


def _share(battle: Battle, unit: Unit, dead: float) -> float:
    """How much of a unit still strikes when so many Health Points are gone: the rear ranks close up first."""
    files = unit.block.files if unit.block is not None else 1
    left = battle.hp(unit) - dead
    needed = min(battle.hp(unit), 2 * files * unit.profile.hp)
    return max(0.0, min(1.0, left / max(1, needed)))


def _help(battle: Battle, friend: Unit, foe: Unit) -> float:
    """What somebody else takes from a unit: who fights it already, or has declared a charge on it."""
    if friend.block is None or foe.block is None:
        return 0.0
    fights = any(other.id == foe.id for other, _, _ in battle.foes(friend))
    comes = friend.charge.charging and any(aim.target == foe.id for aim in friend.charge.aims)
    if not fights and not comes:
        return 0.0
    return (1.0 if fights else 0.6) * (damage(_clash(battle, friend, foe, comes), foe.block.width, 1.0) + 1.0)


def _static(battle: Battle, one: Unit, two: Unit, side: Side, charging: bool) -> float:
    """t9a:15.F.a  Charge, ranks, standards, flank and rear."""
    score = 1.0 if charging else 0.0
    score += battle.rank_bonus(one) - battle.rank_bonus(two) + int(one.command.standard) - int(two.command.standard)
    if side is not Side.FRONT:
        score += (2.0 if side is Side.REAR else 1.0) + (1.0 if battle.full_ranks(one) >= 1 else 0.0)
    return score


def _worth(battle: Battle, unit: Unit, hp: float) -> float:
    """What losing Health Points costs: points are had for units destroyed, so the last count most."""
    return holding(battle, unit) * math.pow(min(1.0, hp / max(1, battle.hp(unit))), LAST)


def _lost(battle: Battle, unit: Unit, enemy: Unit, beaten_by: float, dead: float, steady: bool) -> float:
    """Points lost by blows, and by breaking or crumbling if beaten by so much."""
    left = battle.hp(unit) - dead
    if beaten_by < 0.5 or left <= 0 or battle.any_has(unit, "unbreakable"):
        return _worth(battle, unit, dead)
    if battle.any_has(unit, "unstable"):
        return _worth(battle, unit, dead + beaten_by)
    firm = unit.profile.has("stubborn") or (steady and battle.full_ranks(unit) > battle.full_ranks(enemy))
    breaks = 1.0 - passing(nerve(battle, unit) - (0 if firm else round(beaten_by)))
    return (1 - breaks) * _worth(battle, unit, dead) + breaks * max(
        ROUTED * holding(battle, unit), _worth(battle, unit, dead)
    )


def nerve(battle: Battle, unit: Unit) -> int:
    """t9a:5.C.a-unit  The best Discipline it could test on."""

    def ask() -> int:
        trial = weighed.seen(battle)
        return int(psychology.discipline(trial, trial.units[unit.id]).value)

    best: int = battle.remember(("nerve", unit.id), ask)
    return best

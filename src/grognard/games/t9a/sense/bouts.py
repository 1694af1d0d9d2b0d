"""What a round of combat looks worth in points, by printed values and the book's tables: who strikes first, the Combat
Score, and who is likely to break.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from grognard.games.t9a import amounts, steps
from grognard.games.t9a.abilities import Trait
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.gear import LANCES, CloseWeapon
from grognard.games.t9a.profiles import SUPPORT, Part, Profile
from grognard.games.t9a.sense.worth import holding
from grognard.kernel.formation.shapes import Side
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches

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
    """How many of a unit strike: in front, in support, and when."""

    profile: Profile
    front: float
    support: float


@lru_cache(maxsize=64)
def passing(need: int) -> float:
    """How likely two dice are at most a number."""
    return sum(a + b <= need for a in range(1, 7) for b in range(1, 7)) / 36


@lru_cache(maxsize=256)
def reaching(need: int, swift: bool) -> float:
    """How likely two dice, or the best two of three, are at least a number."""
    faces = range(1, 7)
    if not swift:
        return 1.0 - passing(need - 1)
    throws = [sum(sorted((a, b, c))[1:]) for a in faces for b in faces for c in faces]
    return sum(total >= need for total in throws) / 216


# ---------------------------------------------------------------------- one model's blows


#: What has been worked out, by what the cards say.
_TAKEN: dict[tuple[str, int, str, bool, bool, int], float] = {}


def taken(profile: Profile, index: int, target: Profile, charging: bool, fresh: bool, most: int) -> float:
    """Health Points one model's part takes in a round; `most` attacks where it only supports (0: all)."""
    key = (profile.fingerprint, index, target.fingerprint, charging, fresh, most)
    if key not in _TAKEN:
        _TAKEN[key] = _taken(profile.parts[index], target, charging, fresh, most)
    return _TAKEN[key]


def _taken(part: Part, target: Profile, charging: bool, fresh: bool, most: int) -> float:
    if part.att is None or part.off is None or part.strength is None or part.has("inanimate"):
        return 0.0
    weapon = part.armed[0] if not part.has("harnessed") else None
    strength, ap, count = float(part.strength), float(part.ap or 0), part.att.mean
    offence, keys = float(part.off), set(part.keys)
    if weapon is not None:
        strength, ap, count = strength + weapon.strength, ap + weapon.ap, count + weapon.attacks
        offence += weapon.offence
        keys |= {trait.key for trait in weapon.traits}
        if weapon.name == "Spear" and fresh and not charging:
            ap += 1
        if charging and weapon.name in LANCES:
            strength, ap = strength + LANCES[weapon.name], ap + LANCES[weapon.name]
    if charging:
        more = _charging(part, keys)
        strength, ap, count, offence = (
            strength + more["str"],
            ap + more["ap"],
            count + more["att"],
            offence + more["off"],
        )
    count = min(count, most) if most else count
    hit = (7 - steps.to_hit(int(offence), _defence(target))) / 6
    if "hatred" in keys and fresh:
        hit += (1 - hit) * hit
    wound = (7 - steps.to_wound(int(strength), target.res)) / 6
    sixes = 1 / 6 if "poison-attacks" in keys else 0.0
    wounds = (hit - sixes) * wound + sixes
    lethal = hit / 6 if "lethal-strike" in keys else 0.0
    lost = (wounds - lethal) * _unsaved(target, int(ap), weapon) + lethal
    return part.count * count * lost * unprotected(target)


def _charging(part: Part, keys: set[str]) -> dict[str, float]:
    """t9a:21.G.b.12  What a Devastating Charge adds."""
    found = dict.fromkeys(("str", "ap", "att", "off"), 0.0)
    for trait in part.traits:
        if trait.key == "devastating-charge":
            for word in trait.args:
                bits = word.split()
                if len(bits) == 2 and bits[1].casefold() in found:
                    found[bits[1].casefold()] += float(bits[0])
                else:
                    keys.add(word.casefold().replace(" ", "-"))
    return found


def _defence(target: Profile) -> int:
    parries = target.shield and not target.mounted and target.parts[0].armed[0].name == "Hand Weapon"
    return target.defence + (1 if parries else 0)


def _unsaved(target: Profile, ap: int, weapon: CloseWeapon | None) -> float:
    two_handed = any(trait.key == "two-handed" for w in target.parts[0].armed[:1] for trait in w.traits)
    armour = target.arm + sum(plus for plus, name, _ in target.armour if not (name == "Shield" and two_handed))
    need = steps.to_save(armour, ap)
    return 1.0 if need > 6 else (need - 1) / 6


def unprotected(target: Profile) -> float:
    """How likely its Special Save fails a model."""
    saves = [t.number() for t in target.traits if t.key in ("aegis", "fortitude") and not t.value.startswith("+")]
    return (min([7, *saves]) - 1) / 6


# ---------------------------------------------------------------------- two units


def strikers(battle: Battle, unit: Unit, wide: float, over_front: bool) -> Iterator[Blows]:
    """Who of a unit strikes something so wide: those in contact, and behind them those who support."""
    block, guests = unit.block, battle.guests(unit)
    if block is None or block.is_round:
        yield from (Blows(model.profile, 1.0, 0.0) for model in guests)
        if unit.troops:
            yield Blows(unit.profile, 1.0, 0.0)
        return
    lane = block.base.width if over_front else block.base.length
    touching = min(block.files if over_front else block.ranks, int(wide / lane) + 2)
    front = max(0, min(unit.troops, touching - len(guests)))
    deep = 1 + sum(t.key == "fight-in-extra-rank" for t in _arms(unit.profile.parts[0])) + int(battle.in_line(unit))
    behind = min(unit.troops - front, deep * touching) if over_front else 0
    if unit.troops:
        yield Blows(unit.profile, float(front), float(behind))
    yield from (Blows(model.profile, 1.0, 0.0) for model in guests if model.role == "champion" or over_front)


def _arms(part: Part) -> list[Trait]:
    """Attributes of a part and of the weapon it would use."""
    return [*part.traits, *(part.armed[0].traits if not part.has("harnessed") else ())]


def _struck(battle: Battle, unit: Unit) -> Profile:
    guests = battle.guests(unit)
    return unit.profile if unit.troops or not guests else guests[0].profile


def damage(battle: Battle, one: Unit, two: Unit, wide: float, over_front: bool, charging: bool, share: float) -> float:
    """Health Points one unit takes from another, with so much of its strength left."""
    target, lost = _struck(battle, two), 0.0
    fresh = charging or one.first_round or not battle.engaged(one)
    for blows in strikers(battle, one, wide, over_front):
        cap = SUPPORT[blows.profile.size]
        for index, part in enumerate(blows.profile.parts):
            lost += share * blows.front * taken(blows.profile, index, target, charging, fresh, 0)
            if not part.has("harnessed"):
                lost += share * blows.support * taken(blows.profile, index, target, charging, fresh, cap)
            for trait in part.traits:
                if (trait.key == "impact-hits" and charging) or trait.key in ("stomp-attacks", "grind-attacks"):
                    each = (
                        (7 - steps.to_wound(part.strength or 3, target.res)) / 6 * _unsaved(target, part.ap or 0, None)
                    )
                    lost += blows.front * amounts.amount(trait.value).mean * each * unprotected(target)
    return min(lost, float(battle.hp(two)))


def _speed(unit: Unit, charging: bool) -> int:
    part = unit.profile.parts[0]
    weapon = part.armed[0] if not part.has("harnessed") else None
    if weapon is not None and weapon.last:
        return 0
    braced = weapon is not None and weapon.name == "Spear" and not charging
    return (part.agi or 0) + int(charging) + 2 * int(braced)


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
    first = _speed(one, charging) >= _speed(two, False)
    slows = (one, two) if first else (two, one)
    kills, deaths = 0.0, 0.0
    for striker in slows:
        if striker is one:
            kills = damage(battle, one, two, across, True, charging, _share(battle, one, deaths))
        else:
            deaths = damage(battle, two, one, one.block.width, front, False, _share(battle, two, kills))
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
    comes = friend.charging and any(aim.target == foe.id for aim in friend.aims)
    if not fights and not comes:
        return 0.0
    return (1.0 if fights else 0.6) * (damage(battle, friend, foe, foe.block.width, True, comes, 1.0) + 1.0)


def _static(battle: Battle, one: Unit, two: Unit, side: Side, charging: bool) -> float:
    """t9a:15.F.a  Charge, ranks, standards, flank and rear."""
    score = 1.0 if charging else 0.0
    score += battle.rank_bonus(one) - battle.rank_bonus(two) + int(one.standard) - int(two.standard)
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
    """Discipline, the General's where he is near."""
    best = max([battle.pool_profile(pool).dis for pool in battle.pools(unit)], default=5)
    for model in battle.models.values():
        if model.general and model.seat == unit.seat and not model.gone:
            home = battle.units[model.unit]
            if home.block is not None and unit.block is not None and not home.fleeing:
                near = home is unit or gap(home.block.outline, unit.block.outline) <= inches(12)
                best = max(best, model.profile.dis) if near else best
    return best

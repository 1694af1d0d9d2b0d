"""What things are worth to a side: units as targets, what attacks may cost them; from the steps the battle rolls."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.army.profiles import Profile, Weapon
from grognard.games.wh40k.attacks import allocation, casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Marker, Model, Unit
from grognard.games.wh40k.mission import objectives
from grognard.games.wh40k.mission.objectives import RANGE
from grognard.games.wh40k.odds import chances
from grognard.games.wh40k.rolls import attack_numbers, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.games.wh40k.table.ground import MARKER
from grognard.kernel.geometry.terrain import FloatArray
from grognard.kernel.geometry.units import inches

#: No more models than this of a unit get at an enemy at once.
FRONT = 10
#: What one's own losses count beside the enemy's.
CAUTION = 0.5
WHO = Roller("red")


@lru_cache(maxsize=32768)
def bite(
    weapon: Weapon, profile: Profile, keywords: tuple[str, ...], pain: int, aim: Aim, sixes: bool = False
) -> float:
    """wh40k:7.1-sequence  The wounds one attack with a weapon costs a model like this on average."""
    aim = replace(aim, keywords=keywords)
    need = attack_numbers.need(weapon, profile.T)
    made = attack_numbers.attack(
        WHO, weapon, aim, need, sixes="wh40k:13.2.7-overwatch" if sixes else "", toughness=profile.T
    )
    devastating = bool(weapon.flag("devastating"))
    one = chances.one_attack(made, devastating, False).found
    ways = [attack_numbers.armour(profile.Sv, weapon.usual_ap)]
    if profile.invulnerable < 7:
        ways.append(attack_numbers.invulnerable(profile.invulnerable))
    harm, _ = attack_numbers.damage(weapon, aim)
    lost = chances.lost(((1, steps.better_first(ways)[0]),), "", harm, pain).found
    ordinary = float(one.expect(lambda pair: pair[0])) * float(lost.expect(lambda points: min(points, profile.W)))
    if not devastating:
        return ordinary
    ignored = float(chances.hurt(1, pain).found.probability(1))
    return ordinary + float(one.expect(lambda pair: pair[1])) * harm.mean * ignored


class Strengths:
    """What the units are able to, wherever they stand; the same until somebody loses a wound."""

    def __init__(self, signature: tuple[tuple[str, int, int], ...]) -> None:
        self.signature = signature
        self.arms: dict[str, dict[Weapon, int]] = {}
        self.marks: dict[str, tuple[Model, int, float]] = {}
        self.worths: dict[str, float] = {}
        self.harm: dict[tuple[str, str, bool, int, bool], float] = {}


class Look:
    """The battlefield at one moment, as far as a player measures it: who is how far from whom and from what."""

    def __init__(self, battle: Battle, before: Look | None = None) -> None:
        self.battle = battle
        self.moment = moment(battle)
        self.columns = {marker.id: number for number, marker in enumerate(battle.markers)}
        self.crowd = battle.crowd()
        here = dict.fromkeys(m.unit for m in self.crowd.models)
        self.units = [u for u in battle.units.values() if u.where == "table" and u.models and u.id in here]
        self.place = {unit.id: number for number, unit in enumerate(self.units)}
        # a wreck still stands while its passengers get out, but is no unit any more
        rows = np.array([i for i, m in enumerate(self.crowd.models) if m.unit in self.place], np.int64)
        at = np.array([self.place[self.crowd.models[i].unit] for i in rows.tolist()], np.int64)
        sort = np.argsort(at, kind="stable")
        self.order = rows[sort]
        self.starts = np.searchsorted(at[sort], np.arange(len(self.units)))
        self.goals: dict[str, dict[str, Marker]] = {}
        self._middles: dict[str, tuple[float, float]] = {}
        self._gaps: FloatArray | None = None
        self._far: FloatArray | None = None
        self._oc: FloatArray | None = None
        self.known: Strengths
        models = battle.models
        signature = tuple((u.id, len(u.models), sum([models[m].w for m in u.models])) for u in self.units)
        self.known = Strengths(signature)
        if before is not None and before.battle is battle and before.known.signature == signature:
            self.known = before.known

    # ------------------------------------------------------------------ distances, in mm

    def gap(self, a: Unit, b: Unit) -> float:
        """From unit to unit."""
        if self._gaps is None:
            gaps = self.crowd.gaps[np.ix_(self.order, self.order)]
            gaps = np.minimum.reduceat(gaps, self.starts, axis=0)
            self._gaps = np.minimum.reduceat(gaps, self.starts, axis=1)
        i, j = self.place.get(a.id), self.place.get(b.id)
        return float(self._gaps[i, j]) if i is not None and j is not None else float("inf")

    def aside(self, model: Model) -> float:
        """From the middle of its unit to a model."""
        row = self.crowd.row.get(model.id)
        if row is None:
            return 0.0
        if model.unit not in self._middles:
            spots = self.crowd.discs[self.crowd.rows(self.battle.members(self.battle.units[model.unit]))]
            self._middles[model.unit] = (float(spots[:, 0].mean()), float(spots[:, 1].mean()))
        return math.dist(self._middles[model.unit], self.crowd.discs[row, :2])

    def _markers(self) -> None:
        markers = self.battle.markers
        spots = np.array([(m.x, m.y) for m in markers]).reshape(-1, 2)
        discs = self.crowd.discs[self.order]
        away = np.hypot(discs[:, :1] - spots[:, 0], discs[:, 1:2] - spots[:, 1]) - discs[:, 2:] - MARKER
        models = [self.crowd.models[i] for i in self.order.tolist()]
        control = np.array([objectives.control(self.battle, m) for m in models], np.float64)
        self._far = np.minimum.reduceat(away, self.starts, axis=0)
        self._oc = np.add.reduceat(np.where(away <= RANGE, control[:, None], 0.0), self.starts, axis=0)

    def far(self, unit: Unit, marker: Marker) -> float:
        """From a unit's nearest model to a marker's edge."""
        if self._far is None:
            self._markers()
        assert self._far is not None
        return float(self._far[self.place[unit.id], self.columns[marker.id]])

    def control(self, unit: Unit, marker: Marker) -> float:
        """wh40k:20.4-level  The Objective Control a unit brings to a marker where it stands."""
        if self._oc is None:
            self._markers()
        assert self._oc is not None
        return float(self._oc[self.place[unit.id], self.columns[marker.id]])

    def enemies(self, seat: str) -> list[Unit]:
        return [u for u in self.units if u.seat != seat]

    def own(self, seat: str) -> list[Unit]:
        return [u for u in self.units if u.seat == seat]

    # ------------------------------------------------------------------ harm, in points

    def arms(self, unit: Unit) -> dict[Weapon, int]:
        """How many of each weapon a unit has; of a weapon with several profiles the first counts."""
        if unit.id not in self.known.arms:
            found: dict[Weapon, int] = {}
            for model in self.battle.members(unit):
                seen: list[str] = []
                for weapon in model.weapons:
                    if weapon.item not in seen:
                        seen.append(weapon.item)
                        found[weapon] = found.get(weapon, 0) + 1
            self.known.arms[unit.id] = found
        return self.known.arms[unit.id]

    def mark(self, unit: Unit) -> tuple[Model, int, float]:
        """Whoever an attack falls on first, its Feel No Pain, and what a wound of it is worth in points."""
        if unit.id not in self.known.marks:
            first = allocation.candidates(self.battle, unit)[0]
            self.known.marks[unit.id] = (first, casualties.pain(self.battle, first), price(self.battle, unit))
        return self.known.marks[unit.id]

    def worth(self, unit: Unit) -> float:
        """The points still standing in a unit."""
        if unit.id not in self.known.worths:
            self.known.worths[unit.id] = standing(self.battle, unit)
        return self.known.worths[unit.id]

    def weapon_harm(self, weapon: Weapon, number: int, enemy: Unit, aim: Aim, *, sixes: bool = False) -> float:
        """Points of an enemy so many weapons may cost it."""
        first, pain, each = self.mark(enemy)
        attacks = weapon.attacks.mean + attack_numbers.more_attacks(weapon, aim)[0]
        lost = number * attacks * bite(weapon, first.profile, first.keywords, pain, _plain(aim), sixes)
        return min(lost * each, self.worth(enemy))

    def shooting(self, unit: Unit, enemy: Unit, gap: float | None = None, *, sixes: bool = False) -> float:
        """Points of an enemy a unit's shots may cost it from a distance (where it stands, if none is given)."""
        away = self.gap(unit, enemy) if gap is None else gap
        key = (unit.id, enemy.id, False, int(away), sixes)
        if key not in self.known.harm:
            total = 0.0
            for weapon, number in self.arms(unit).items():
                if weapon.melee or inches(weapon.range) < away:
                    continue
                aim = Aim(half_range=inches(weapon.range) / 2 >= away, models=len(enemy.models))
                total += self.weapon_harm(weapon, number, enemy, aim, sixes=sixes)
            self.known.harm[key] = min(total, self.worth(enemy))
        return self.known.harm[key]

    def blows(self, unit: Unit, enemy: Unit, *, charged: bool = False) -> float:
        """Points of an enemy a unit's melee attacks may cost it."""
        key = (unit.id, enemy.id, True, int(charged), False)
        if key not in self.known.harm:
            aim = Aim(melee=True, charged=charged)
            room = max(FRONT, 2 * len(enemy.models))
            best: dict[bool, float] = {True: 0.0, False: 0.0}
            for weapon, number in self.arms(unit).items():
                if weapon.melee:
                    harm = self.weapon_harm(weapon, min(number, room), enemy, aim)
                    best[bool(weapon.flag("extra_weapon"))] += harm
            self.known.harm[key] = min(sum(best.values()), self.worth(enemy))
        return self.known.harm[key]

    def exchange(self, unit: Unit, enemy: Unit) -> float:
        """What charging an enemy is worth: harm done less harm suffered."""
        dealt = self.blows(unit, enemy, charged=True)
        share = max(0.0, 1.0 - dealt / (self.worth(enemy) + 1.0))
        spared = 0.5 * self.shooting(enemy, unit, 0.0)
        return dealt - CAUTION * share * self.blows(enemy, unit) + min(spared, 30.0)


def _plain(aim: Aim) -> Aim:
    """What of an aim changes a single attack."""
    return Aim(melee=aim.melee, half_range=aim.half_range, models=0, charged=aim.charged)


def moment(battle: Battle) -> tuple[int, int, str, int]:
    """What is different when anybody has moved, died, or been shocked."""
    return battle.bodies.version, battle.round, battle.phase, len(battle.markers)


#: The last moment somebody looked at.
_last: list[Look] = []


def look(battle: Battle) -> Look:
    """The battlefield as it is now; looked at once a moment."""
    if not _last or _last[0].battle is not battle or _last[0].moment != moment(battle):
        _last[:] = [Look(battle, _last[0] if _last else None)]
    return _last[0]


def price(battle: Battle, unit: Unit) -> float:
    """The points a wound of a unit's models is worth."""
    homes = dict.fromkeys(battle.models[m].home for m in unit.models) or {unit.id: None}
    points = sum(battle.units[h].points for h in homes)
    whole = sum(m.profile.W for m in battle.models.values() if m.home in homes)
    return max(points, 10) / max(whole, 1)


def standing(battle: Battle, unit: Unit) -> float:
    """The points still standing in a unit."""
    return sum(m.w for m in battle.members(unit)) * price(battle, unit)

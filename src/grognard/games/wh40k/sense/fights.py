"""Whom to shoot, charge and strike, with what, and when to spend command points on it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission.objectives import RANGE
from grognard.games.wh40k.odds import chances
from grognard.games.wh40k.positions import ENGAGED
from grognard.games.wh40k.sense.habits import CP
from grognard.games.wh40k.sense.worth import Look, look
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick

#: How much more an enemy is worth who holds a marker.
HOLDER = 1.3


def prize(now: Look, enemy: Unit) -> float:
    """How much more than its points an enemy is worth: on a marker, or nearly gone."""
    held = any(now.control(enemy, m) for m in now.battle.markers) if enemy.id in now.place else False
    return HOLDER if held else 1.0


def _weapon(battle: Battle, unit: Unit, name: str) -> Weapon | None:
    """A weapon of a unit or of its passengers by its name."""
    aboard = [m for u in battle.aboard(unit) for m in battle.members(u)] if unit.sheet.capacity else []
    return next((w for m in (*battle.members(unit), *aboard) for w in m.weapons if w.name == name), None)


def _aimed(now: Look, unit: Unit, weapon: Weapon, number: int, enemy: Unit) -> float:
    """Points of an enemy so many weapons of a unit may cost it, and a little for finishing it."""
    half = now.gap(unit, enemy) <= inches(weapon.range) / 2
    aim = Aim(melee=weapon.melee, half_range=half, models=len(enemy.models), charged=unit.turn.charged)
    harm = now.weapon_harm(weapon, number, enemy, aim)
    return prize(now, enemy) * harm * (1.0 + 0.3 * harm / (now.worth(enemy) + 1.0))


def shooter(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:6.1-sequence  Everybody who can shoots; grenades where they pay."""
    if answer is None:
        return 0.0
    if answer.startswith("grenade:"):
        return 40.0 - CP
    now, unit = look(battle), battle.units[answer]
    return 0.1 + max((now.shooting(unit, e) for e in now.enemies(unit.seat)), default=0.0)


def target(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:6.3.2-legal-target, wh40k:10.8.3-targets  Where the weapons cost the enemy most."""
    if answer is None:
        return 0.0
    if answer not in battle.units:
        return -1.0
    now, unit = look(battle), battle.units[question.about[0]]
    weapon = _weapon(battle, unit, question.data.get("weapon", ""))
    if weapon is None:
        return 0.1
    number = next((int(o.data["number"]) for o in question.options if o.key == answer and o.data), 1)
    return 0.1 + _aimed(now, unit, weapon, number, battle.units[answer])


def profile(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:6.3.1-targets-first, wh40k:10.8.2-weapon
    The profile that costs the nearest enemies most; no needless risk."""
    now, unit = look(battle), battle.units[_unit_id(battle, question)]
    weapon = _weapon(battle, unit, answer)
    if weapon is None:
        return 0.0
    foes = battle.engaged_with(unit) if weapon.melee else []
    foes = foes or [e for e in now.enemies(unit.seat) if weapon.melee or now.gap(unit, e) <= inches(weapon.range)]
    best = max((_aimed(now, unit, weapon, 1, e) for e in foes), default=0.0)
    return best * (0.8 if weapon.flag("hazardous") else 1.0)


def _unit_id(battle: Battle, question: Pick) -> str:
    key = question.about[0]
    return key if key in battle.units else battle.models[key].unit


def pistols(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:8.5.3-pistol-or"""
    return 1.0 if answer == "others" else 0.0


def grenade(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.5-grenade  The mortal wounds of six dice where they cost most."""
    now = look(battle)
    return min(chances.grenades() * now.mark(battle.units[answer])[2], now.worth(battle.units[answer]))


# ---------------------------------------------------------------------- charges and combat


def _chance(gap: float) -> float:
    """wh40k:9.4.1-roll  The chance that a charge gets within Engagement Range."""
    return _charges(int(max(0.0, (gap - ENGAGED) / inches(1)) + 0.999))


@lru_cache(maxsize=64)
def _charges(need: int) -> float:
    """wh40k:9.4.1-roll  The chance of a Charge roll of so many inches."""
    return float(chances.amount(Amount(2), "charge").found.chance(lambda rolled: bool(rolled >= need)))


def charger(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:9.1-sequence  Whoever gains by it charges."""
    if answer is None:
        return 0.0
    if answer.startswith("tank-shock:"):
        return -1.0
    now, unit = look(battle), battle.units[answer]
    near = [e for e in now.enemies(unit.seat) if now.gap(unit, e) <= inches(12)]
    return max((_charge(now, unit, [e]) for e in near), default=-1.0)


def _charge(now: Look, unit: Unit, marks: list[Unit]) -> float:
    chance = _chance(max(now.gap(unit, e) for e in marks))
    gains = [now.exchange(unit, e) * (prize(now, e) if now.exchange(unit, e) > 0 else 1.0) for e in marks]
    taking = sum(10.0 for e in marks for m in now.battle.markers if now.far(e, m) <= RANGE)
    return chance * (max(gains) + 0.2 * (sum(gains) - max(gains)) + taking - 3.0)


def charge_targets(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:9.3.2-targets  The target that pays; several only where all are near."""
    keys = answer if isinstance(answer, list) else [answer]
    if not keys or any(key not in battle.units for key in keys):
        return -100.0
    return _charge(look(battle), battle.units[question.about[0]], [battle.units[key] for key in keys])


def fighter(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:10.2.1-alternate  Whoever hurts most strikes before he is hurt himself."""
    now, unit = look(battle), battle.units[answer]
    foes = battle.engaged_with(unit)
    return max((now.blows(unit, e, charged=unit.turn.charged) + 0.5 * now.blows(e, unit) for e in foes), default=0.0)


# ---------------------------------------------------------------------- command points


def overwatch(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.7-overwatch  Only sixes hit: worth it for many shots, or flames."""
    if answer is None:
        return 0.0
    now, unit, enemy = look(battle), battle.units[answer], battle.units[question.about[0]]
    if enemy.id not in now.place or unit.id not in now.place:
        return -1.0
    return now.shooting(unit, enemy, sixes=True) - CP


def counter(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.2-counter-offensive  Two command points for striking first."""
    if answer is None:
        return 0.0
    return fighter(battle, question, answer) - 2.5 * CP


def shelter(battle: Battle, question: Pick, answer: Any) -> float:
    """wh40k:13.2.9-go-to-ground, wh40k:13.2.10-smokescreen  For a unit under heavy fire."""
    if answer is None:
        return 0.0
    now, unit = look(battle), battle.units[answer]
    shooting = battle.units.get(question.about[0]) if question.about else None
    if shooting is None or shooting.id not in now.place or unit.id not in now.place:
        return -1.0
    return 0.3 * now.shooting(shooting, unit) - CP

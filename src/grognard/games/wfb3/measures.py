"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wfb3 import cards, declaring, levels, points, saves, sight, stats
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.profiles import MENTAL
from grognard.games.wfb3.steps import NEVER, combat_need, missile_need, wound_need
from grognard.kernel import measures
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.tally import Tally


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    return measures.measure("wfb3", MEASURES, battle, what, arguments)


def _unit(battle: Battle, name: str) -> Unit:
    meant: Unit = measures.unit_meant(battle, name, "unit")
    return meant


def _cell(need: int) -> Any:
    return "N" if need == NEVER else f"+{need - 3}" if need > 6 else need


def _hit(battle: Battle, attacker: int, defender: int) -> Any:
    battle.cite("wfb3:7.8-tohit-table")
    return _cell(combat_need(attacker, defender))


def _wound(battle: Battle, strength: int, toughness: int) -> Any:
    battle.cite("wfb3:6.3-wound-table")
    return _cell(wound_need(strength, toughness))


def _missile(battle: Battle, bs: int) -> Any:
    battle.cite("wfb3:6.2-tohit-table")
    return missile_need(bs)


def _cost(battle: Battle, unit: dict[str, Any]) -> Tally:
    """wfb3:24  What one model costs, from a line of an army list."""
    said = {"creature": "Human", **unit}
    basic = cards.bestiary()[str(said["creature"])]
    mount = cards.bestiary()[str(said["mount"])] if said.get("mount") else None
    kit = cards.read_kit(said, "cost")
    if said.get("level"):
        return points.character(basic.points, int(said["level"]), kit, mount, wizard=bool(said.get("wizard")))
    plus = levels.elite(basic, str(said["elite"]), "cost")[1] if said.get("elite") else 0
    extra = tuple((price, name, rule) for name, price, rule in cards.EXTRAS if name in (said.get("traits") or ()))
    one = points.trooper(basic.points, kit, mount, elite=plus, levy=bool(said.get("levy")), extra=extra)
    if not said.get("count"):
        return one
    return points.whole(one, int(said["count"]), bool(said.get("standard")) + bool(said.get("musician")))


def _profile(battle: Battle, unit: str, stat: str) -> Tally:
    """wfb3:3-profile, 14.3-character-bonuses  A characteristic of a unit's creature."""
    meant = _unit(battle, unit)
    model = battle.models.get(meant.id)
    plus = dict(model.gains).get(stat, 0) if model is not None else 0
    rule = "wfb3:3.2-human" if meant.profile.name == "Human" else "wfb3:3-profile"
    tally = Tally(meant.profile.stat(stat) - plus, stat, rule)
    if model is not None and model.level:
        table = "wfb3:14.4-wizard-table" if model.wizard else "wfb3:14.3-character-bonuses"
        battle.cite("wfb3:14-character-levels", table, "wfb3:14.6-as-unit")
        tally.add(plus, f"level {model.level}", table)
        if plus >= 3 or stat in ("S", "T"):
            battle.cite("wfb3:14.3.1-maxima")
        if stat in MENTAL and plus:
            battle.cite("wfb3:14.5-mental-bonus")
    return tally


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "distance": lambda battle, a, b: round(battle.gap(_unit(battle, a), _unit(battle, b)) / MM_PER_INCH, 4),
    "visible": lambda battle, viewer, target: sight.visible(battle, _unit(battle, viewer), _unit(battle, target)),
    "move": lambda battle, unit: stats.move(battle, _unit(battle, unit)),
    "charge": lambda battle, unit: stats.doubled(battle, _unit(battle, unit), "charge"),
    "leadership": lambda battle, unit, purpose="": stats.mental(battle, _unit(battle, unit), "Ld", purpose),
    "cool": lambda battle, unit: stats.mental(battle, _unit(battle, unit), "Cl"),
    "save": lambda battle, unit: saves.save(battle, _unit(battle, unit), None, saves.Blow()),
    "face": lambda battle, charger, target: declaring.face(
        battle, _unit(battle, charger), _unit(battle, target)
    ).name.casefold(),
    "cost": _cost,
    "profile": _profile,
    "hit": _hit,
    "wound": _wound,
    "shoot": _missile,
}
MEASURES = {name: measures.of(function) for name, function in _FUNCTIONS.items()}

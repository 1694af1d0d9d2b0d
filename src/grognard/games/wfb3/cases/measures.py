"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.wfb3.army import cards, levels, monsters_and_cars, ordnance, points, retinues, vehicles
from grognard.games.wfb3.army.profiles import MENTAL, STATS
from grognard.games.wfb3.army.weapons import MISSILES, Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_shooting, unruly_indoors
from grognard.games.wfb3.cases import machine_measures
from grognard.games.wfb3.charge import declaring
from grognard.games.wfb3.chariots import chariot_moves
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.rolls import arms, modifiers, saves, stats, to_hit_to_wound
from grognard.games.wfb3.rolls.steps import NEVER, combat_need, missile_need, wound_need
from grognard.games.wfb3.setup import victory
from grognard.games.wfb3.shooting import aiming, targeting, who_may_shoot
from grognard.games.wfb3.table import baggage, flyers, ground, sections
from grognard.kernel.citing import cites
from grognard.kernel.data import measures
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Outline, base_outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.words.tally import Tally

#: wfb3:3-profile  Characteristics by the letters of the French book.
FRENCH = {"CC": "WS", "CT": "BS", "F": "S", "E": "T", "PV": "W", "Cd": "Ld", "FM": "WP"}
#: Other words for an argument, whichever of these a number takes.
MEANT = {
    "of": ("unit", "attacker", "shooter", "viewer", "charger", "model", "seat"),
    "from": ("a", "viewer", "shooter", "attacker", "charger"),
    "to": ("b", "target", "defender"),
}


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    takes = MEASURES[what][1] if what in MEASURES else ()
    said = {
        next((name for name in MEANT.get(key, ()) if name in takes and name not in arguments), key): value
        for key, value in arguments.items()
    }
    return measures.measure("wfb3", MEASURES, battle, what, said)


def _unit(battle: Battle, name: str) -> Unit:
    meant: Unit = measures.unit_meant(battle, name, "unit")
    return meant


def _here(battle: Battle, name: str) -> Unit:
    """A unit that is in the battle now, or the one a character or a model is with; BadInput where it is not."""
    unit, model = _unit(battle, name), battle.models.get(name)
    if unit.where == "attached" and model is not None:
        unit = battle.units[model.unit]
    if unit.where not in PRESENT:
        raise BadInput("{unit} is not on the table", unit=name)
    return unit


def _formed(battle: Battle, name: str) -> Unit:
    """A unit that stands in a formation on the table."""
    unit = _here(battle, name)
    if unit.block is None:
        raise BadInput("{unit} is inside a building, where nobody stands in ranks", unit=name)
    return unit


def _grounds(battle: Battle, name: str) -> list[Outline]:
    """What a unit stands on, or one model: its base, or its section of a building."""
    unit, model = _here(battle, name), battle.models.get(name)
    if model is None or unit.models == (model.id,):
        return sections.shapes(battle, unit)
    if unit.where == "building":
        return [battle.rooms[sections.where(unit, name)].outline]
    carrier = battle.models[model.ride.aboard] if model.ride.aboard else model
    return [base_outline(battle.base(carrier), battle.pose(carrier))]


def _distance(battle: Battle, a: str, b: str) -> float:
    """Inches between two units or models, from base to base."""
    found = min(gap(one, other) for one in _grounds(battle, a) for other in _grounds(battle, b))
    return round(found / MM_PER_INCH, 4)


def _cell(need: int) -> Any:
    return "N" if need == NEVER else f"+{need - 3}" if need > 6 else need


def _hit(battle: Battle, attacker: int | str, defender: int | str) -> Any:
    """wfb3:7.8-tohit-table, wfb3:7.8.1-modifiers  Of two weapon skills, or of a unit (a character) against another."""
    battle.cite("wfb3:7.8-tohit-table")
    if isinstance(attacker, str) or isinstance(defender, str):
        group, gear, victim = _blow(battle, str(attacker), str(defender))
        return to_hit_to_wound.to_hit(battle, group, gear, victim.profile, victim.kit)
    return _cell(combat_need(attacker, defender))


def _initiative(battle: Battle, unit: str, against: str = "") -> Tally:
    """wfb3:7.7-initiative  With what the weapon in hand gives or takes against an enemy."""
    (home, model), (foe, _) = _fighter(battle, unit), _fighter(battle, against or _foe(battle, unit))
    tally = Tally((model or home).profile.I, "I", "wfb3:7.7-initiative")
    for number, what, rule in arms.arms(battle, home, model, foe).initiative:
        tally.add(number, what, rule)
    return tally


def _strength(battle: Battle, unit: str, against: str = "") -> Tally:
    """wfb3:7.9-wound  The strength of a blow with the weapon in hand against an enemy."""
    group, gear, victim = _blow(battle, unit, against or _foe(battle, unit))
    return to_hit_to_wound.strength_of(group, gear, battle, victim.profile)


def _foe(battle: Battle, unit: str) -> str:
    """The enemy a unit (or a model's) fights, else the nearest; itself where there is none."""
    home, _ = _fighter(battle, unit)
    fought = [foe for foe, _, _ in battle.foes(home)]
    nearest = fought[0] if fought else ground.nearest_enemy(battle, home) if home.block is not None else None
    return nearest.id if nearest is not None else home.id


def _blow(battle: Battle, attacker: str, defender: str) -> tuple[modifiers.Group, arms.Arms, Unit | Model]:
    """One blow of a unit's troops, or of one model, at another unit or model."""
    (unit, model), (foe, victim) = _fighter(battle, attacker), _fighter(battle, defender)
    profile, who = (model or unit).profile, model.id if model is not None else "troops"
    gear = arms.arms(battle, unit, model, foe)
    return modifiers.Group(unit.id, foe.id, who, 1, 1, profile.I, profile), gear, victim or foe


def _fighter(battle: Battle, name: str) -> tuple[Unit, Model | None]:
    """A unit's troops, or one model of its own arms and profile, with the unit it is in."""
    model = battle.models.get(name)
    if model is not None and (model.role == "character" or model.ride.aboard):
        return _here(battle, name), model
    return _here(battle, name), None


def _wound(battle: Battle, strength: int, toughness: int) -> Any:
    battle.cite("wfb3:6.3-wound-table")
    return _cell(wound_need(strength, toughness))


def _missile(battle: Battle, bs: int | None = None, shooter: str = "", target: str = "", weapon: str = "") -> Any:
    """wfb3:6.2-tohit-table, wfb3:6.2.5-modifiers  Of a BS, or of the nearest of a unit's shooters."""
    battle.cite("wfb3:6.2-tohit-table")
    if bs is not None:
        return missile_need(bs)
    unit, foe = _here(battle, shooter), _here(battle, target)
    hero, mark = (_single(battle, name) for name in (shooter, target))
    chosen = _armed(battle, shooter, weapon)
    if "building" in (unit.where, foe.where):
        return _through_a_window(battle, unit, foe, chosen)
    able = sorted(aiming.shooters(battle, unit, foe), key=lambda one: gap(one[1].outline, battle.block_of(foe).outline))
    able = [(m, place) for m, place in able if m.id == shooter] if hero is not None else able
    for model, place in able[:1]:
        limit = targeting.limit(battle, unit, foe, chosen)
        if mark is not None:
            limit = targeting.limit_of_mark(battle, foe, model, mark, chosen)
        made = aiming.shot(battle, unit, place, model, foe, chosen, limit=limit, mark=mark)
        return made.tally if made is not None else None
    return None


def _armed(battle: Battle, shooter: str, weapon: str) -> Missile:
    """The missile weapon of a unit, or of one model in it, that is meant."""
    hero, unit = _single(battle, shooter), _here(battle, shooter)
    arms_of = {w.name: w for w in who_may_shoot.weapons(battle, unit)}
    if hero is not None:
        arms_of = {name: MISSILES[name] for name in hero.kit.missiles}
    if (weapon and weapon not in arms_of) or not arms_of:
        raise BadInput(
            "{unit} has no such missile weapon; it has {known}", unit=shooter, known=", ".join(arms_of) or "none"
        )
    return arms_of[weapon or next(iter(arms_of))]


def _range(battle: Battle, shooter: str, target: str, weapon: str = "") -> Tally | None:
    """wfb3:22.2-height-range, wfb3:22.3-range, wfb3:21.3.1-shoot-at
    Inches a weapon carries to a target, as high as both are."""
    unit, foe, chosen = _here(battle, shooter), _here(battle, target), _armed(battle, shooter, weapon)
    if "building" in (unit.where, foe.where):
        found = building_shooting.pairs(battle, unit, foe, chosen)
        near = min(found, key=lambda one: gap(one[0].outline, one[2].outline), default=None)
        tally = building_shooting.reach(battle, chosen, near[0], near[2]) if near is not None else None
        if tally is None or not (unit.air.height or foe.air.height):
            return tally
    else:
        tally = Tally(chosen.range, "range", chosen.table)
    return tally.add(-float(flyers.farther(battle, unit, foe).value), "height", "wfb3:21.2.3-levels")


def _single(battle: Battle, name: str) -> Model | None:
    """One model of a unit, where it is meant and not its unit."""
    model = battle.models.get(name)
    return (
        model
        if model is not None and battle.units[model.unit].models != (model.id,) and not model.ride.aboard
        else None
    )


def _through_a_window(battle: Battle, unit: Unit, foe: Unit, weapon: Missile) -> Tally | None:
    """wfb3:22.2-firing-points, wfb3:22.3-shoot-in
    Where a building is at either end, from the nearest opening in range."""
    found = [
        (aimed.far, aimed.shot)
        for aimed in building_shooting.shots(battle, unit, foe, weapon)
        if aimed.shot is not None
    ]
    return min(found, key=lambda one: one[0])[1].tally if found else None


def _save(battle: Battle, unit: str, modifier: int = 0, melee: bool = False, rear: bool = False) -> Any:
    """wfb3:6.4-saves, wfb3:7.10-saves
    Of a unit's troops or of one model; against a modifier, in melee, from behind."""
    home, model = _fighter(battle, unit)
    return saves.save(battle, home, model, saves.Blow(modifier, "wfb3:6.5-save-mods", melee, rear))


def _crew_save(battle: Battle, model: Model) -> Any:
    """wfb3:18.4.1-howdah  The save of one of a crew."""
    return saves.save(battle, battle.units[model.unit], model, saves.Blow())


def _cost(battle: Battle, unit: dict[str, Any]) -> Tally:
    """Chapter 24: what one model costs, from a line of an army list."""
    if unit.get("crew") or unit.get("chariot"):
        if not unit.get("chariot"):
            battle.cite("wfb3:24.3.2-other-mounts")
        return points.items(monsters_and_cars.cost(unit, "cost", battle.creatures), unit.get("items"), "cost.items")
    said = {"creature": "Human", **unit}
    basic, mount = (
        named(said[key], {**cards.bestiary(), **battle.creatures}, "cost", key, "wfb3:24-points")
        if said.get(key)
        else None
        for key in ("creature", "mount")
    )
    assert basic is not None
    kit = cards.read_kit(said, "cost")
    if said.get("level"):
        paid = retinues.character_cost(
            basic.points, int(said["level"]), kit, mount, wizard=bool(said.get("wizard")),
            traits=tuple(said.get("traits") or ()),
        )  # fmt: skip
        return points.items(paid, said.get("items"), "cost.items")
    plus = levels.elite(basic, str(said["elite"]), "cost")[1] if said.get("elite") else 0
    extra = tuple((price, name, rule) for name, price, rule in cards.EXTRAS if name in (said.get("traits") or ()))
    one = points.trooper(basic.points, kit, mount, elite=plus, levy=bool(said.get("levy")), extra=extra)
    if plus:
        battle.cite("wfb3:15.5-elite-table")
    if not said.get("count"):
        return points.items(one, said.get("items"), "cost.items")
    total = points.whole(one, int(said["count"]), bool(said.get("standard")) + bool(said.get("musician")))
    total.add(retinues.WERE * int(said.get("weres") or 0), "weres", "wfb3:15.9-cost")
    ordnance.charge(total, ordnance.gear(said, "cost"), int(said["count"]), "cost")
    masters = retinues.handlers(said, "cost", battle.creatures)
    return total if masters is None else total.add(masters.points, "handlers", "wfb3:15.1-pack-cost")


@cites
def _cool(battle: Battle, unit: str) -> Tally:
    """wfb3:10.1-test  What a unit's psychology tests are rolled against."""
    return stats.mental(battle, _unit(battle, unit), "Cl")


def _profile(battle: Battle, unit: str, stat: str) -> Tally:
    """wfb3:3-profile, wfb3:14.3-character-bonuses  A characteristic of a unit's creature."""
    stat = read.one_of(FRENCH.get(stat, stat), "stat", STATS)
    meant = _unit(battle, unit)
    model = battle.models.get(meant.id)
    plus = dict(model.hero.gains).get(stat, 0) if model is not None else 0
    rule = "wfb3:3.2-human" if meant.profile.name == "Human" else "wfb3:3-profile"
    battle.cite("wfb3:3-profile")
    tally = Tally(meant.profile.stat(stat) - plus, stat, rule)
    if model is not None and model.hero.level:
        table = "wfb3:14.4-wizard-table" if model.hero.wizard else "wfb3:14.3-character-bonuses"
        battle.cite("wfb3:14-character-levels", table, "wfb3:14.6-as-unit")
        tally.add(plus, f"level {model.hero.level}", table)
        if plus >= 3 or stat in ("S", "T"):
            battle.cite("wfb3:14.3.1-maxima")
        if model.hero.invented and model.hero.wizard:
            battle.cite("wfb3:14.4-wizard-friendly")
        if stat in MENTAL and plus:
            battle.cite("wfb3:14.5-mental-bonus")
    return tally


@cites
def _storey(battle: Battle, height: str | int) -> int:
    """wfb3:21.2.4-buildings  The storey a level of flight is as high as."""
    return flyers.storey(flyers.HEIGHTS[read.one_of(flyers.named(height), "height", flyers.HEIGHTS)])


def _radius(battle: Battle, unit: Unit, distance: float) -> Tally:
    """wfb3:20.4-turning, wfb3:20.4.1-light-turn, wfb3:20.4.2-wagon, wfb3:21.2.2-turns
    The radius of turns in a move."""
    if unit.kind != "chariot":
        return Tally(distance, "distance", "wfb3:21.2.2-turns")
    car = chariot_moves.car_of(battle, unit)
    tally = Tally(distance, "distance", "wfb3:20.4-turning")
    return tally.times(vehicles.RADIUS[car.type], car.type, chariot_moves.TURNING[car.type])


@cites
def _frontage(battle: Battle, unit: str) -> float:
    """wfb3:3-bases  The front of a unit: the widths of its front rank's bases."""
    return round(battle.block_of(_formed(battle, unit)).width / MM_PER_INCH, 4)


@cites
def _leader(battle: Battle, unit: str) -> str:
    """wfb3:11.1-leader-required, wfb3:5.3.2-leader  Who leads a unit, "" where nobody does."""
    meant = _unit(battle, unit)
    leader = battle.leader(meant)
    return leader.id if leader is not None else ""


def _baggage(battle: Battle, points: float) -> dict[str, Any]:
    """wfb3:17.1-composition"""
    wagons, people, deep, long = baggage.composition(battle, points)
    return {"wagons": wagons, "civilians": people, "area": [deep, long]}


def _score(battle: Battle, seat: str, part: str = "") -> Any:
    """wfb3:26.2-winner  What a side has scored so far, or one part of it."""
    tally = victory.score(battle, seat)
    if not part:
        return tally
    rules = PARTS.get(part, ())
    counted = [c for c in tally.changes if c.what == part or c.rule in rules]
    if not counted and part not in PARTS and part not in battle.units:
        known = ", ".join([*PARTS, *(c.what for c in tally.changes)])
        raise BadInput("part is one of {known}, not {part}", known=known, part=part)
    battle.cite(*(c.rule for c in counted))
    return sum(c.amount for c in counted)


#: wfb3:26.2  Parts of a score, and the rules that give them.
PARTS = {
    "survivors": ("wfb3:26.2-survivors",),
    "sections": ("wfb3:26.2-section", "wfb3:26.2-section-contested"),
    "hills": ("wfb3:26.2-hill",),
    "bridges": ("wfb3:26.2-bridge",),
    "banners": ("wfb3:26.2-trophies",),
    "army-standard": ("wfb3:26.2-army-standard",),
    "general": ("wfb3:26.2-general",),
    "own-baggage": ("wfb3:26.2-own-baggage",),
    "enemy-baggage": ("wfb3:26.2-enemy-baggage",),
    "awards": ("wfb3:26.2-gm-awards",),
}


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "leader": _leader,
    "distance": _distance,
    "visible": lambda battle, viewer, target: unruly_indoors.sees(battle, _here(battle, viewer), _here(battle, target)),
    "complete_ranks": lambda battle, unit: overlap.complete_ranks(battle, _formed(battle, unit)),
    "frontage": _frontage,
    "move": lambda battle, unit: stats.move(battle, _unit(battle, unit)),
    "charge": lambda battle, unit: stats.doubled(battle, _unit(battle, unit), "charge"),
    "leadership": lambda battle, unit, purpose="": stats.mental(battle, _unit(battle, unit), "Ld", purpose),
    "cool": _cool,
    "save": _save,
    "face": lambda battle, charger, target: declaring.face(
        battle, _formed(battle, charger), _formed(battle, target)
    ).name.casefold(),
    "cost": _cost,
    "height range": lambda battle, shooter, target: flyers.farther(
        battle, _here(battle, shooter), _here(battle, target)
    ),
    "storey": lambda battle, height: _storey(battle, height),
    "radius": lambda battle, unit, distance: _radius(battle, _unit(battle, unit), distance),
    "crew save": lambda battle, model: _crew_save(battle, measures.model_meant(battle, model, "model")),
    "profile": _profile,
    "sections": machine_measures.sections,
    "engine": machine_measures.engine,
    "battery": machine_measures.battery,
    "hit": _hit,
    "initiative": _initiative,
    "strength": _strength,
    "wound": _wound,
    "baggage": _baggage,
    "score": _score,
    "shoot": _missile,
    "range": _range,
}
MEASURES = {name: measures.of(function) for name, function in _FUNCTIONS.items()}

"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.cases import measures_ground
from grognard.games.t9a.charge import charge_range
from grognard.games.t9a.forces import Unit, plain
from grognard.games.t9a.losses import attacks, psychology
from grognard.games.t9a.melee import attributes_in_use, break_tests, close_combat_attacks
from grognard.games.t9a.melee.initiative import Entry, agility
from grognard.games.t9a.rolls import stats
from grognard.games.t9a.scoring import victory
from grognard.games.t9a.shooting import shooters, shooting
from grognard.games.t9a.table import cover, ground, sight, terrain
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import inches
from grognard.kernel.words.tally import Tally

Ask = Callable[[Battle, dict[str, Any]], Any]


def _unit(battle: Battle, arguments: Mapping[str, Any], key: str) -> Unit:
    return measures_ground.unit_named(battle, arguments, key)


def _standing(battle: Battle, arguments: Mapping[str, Any], key: str) -> Unit:
    return measures_ground.unit_named(battle, arguments, key, stands=True)


def _pool(battle: Battle, arguments: Mapping[str, Any], key: str = "of") -> str:
    name = str(arguments.get(key))
    if name not in battle.units and name not in battle.models:
        raise BadInput("{key} is a unit or model, not {name}", key=key, name=name)
    return name


def _part(battle: Battle, pool: str, arguments: Mapping[str, Any]) -> int:
    """The part of a model that is asked about, by its name or its number (the first is 0)."""
    parts = battle.pool_profile(pool).parts
    said = arguments.get("part", 0)
    found = next((i for i, part in enumerate(parts) if said in (part.name, i)), None)
    if found is None:
        known = ", ".join(part.name for part in parts)
        raise BadInput("the parts of {pool} are {known}, not {part}", pool=pool, known=known, part=said)
    return found


def _stat_named(arguments: Mapping[str, Any]) -> str:
    return read.one_of(str(arguments.get("stat", "")).casefold(), "stat", (*stats.GLOBAL, *stats.OFFENSIVE))


def _stat(battle: Battle, arguments: dict[str, Any]) -> Any:
    """`value`: a value of a model: of, stat, part; its Armour against melee with `melee`."""
    pool, stat = _pool(battle, arguments), _stat_named(arguments)
    if stat == "arm" and arguments.get("melee"):
        return stats.armour(battle, pool, melee=True, two_handed=attacks.two_handed(battle, pool))
    if stat in stats.GLOBAL:
        return (
            stats.armour(battle, pool, melee=False, two_handed=False)
            if stat == "arm"
            else stats.value(battle, pool, stat)
        )
    part = battle.pool_profile(pool).parts[_part(battle, pool, arguments)]
    if stat == "att":
        if part.att is None:
            return stats.offensive(battle, pool, part, "att")
        return close_combat_attacks.attacks_of(battle, battle.pool_unit(pool), pool, part)[0]
    if stat == "off" and part.off is not None:
        return close_combat_attacks.offence(battle, battle.pool_unit(pool), pool, part)
    return stats.offensive(battle, pool, part, stat)


def _might(battle: Battle, arguments: dict[str, Any], place: int) -> Tally:
    """`strength`, `penetration`: of a Close Combat Attack: of, part, and on whom, if that matters: target."""
    pool = _pool(battle, arguments)
    part = battle.pool_profile(pool).parts[_part(battle, pool, arguments)]
    target = _pool(battle, arguments, "target") if arguments.get("target") else ""
    tally = close_combat_attacks.might(battle, battle.pool_unit(pool), pool, part, True, target)[place]
    if target:
        strike, struck = _struck(battle, arguments)
        final = (attacks.strength_of, attacks.penetration_of)[place](battle, strike, struck)
        if final != int(tally.value):
            tally.set(final, "Toxic Attacks", "t9a:21.G.b.9")
    return tally


def _struck(battle: Battle, arguments: dict[str, Any]) -> tuple[attacks.Strike, str]:
    """An attack and whom it strikes: of, target, part, side; with `shooting` a shot, else a Close Combat Attack."""
    pool, target = _pool(battle, arguments), _pool(battle, arguments, "target")
    unit, parts = battle.pool_unit(pool), battle.pool_profile(pool).parts
    if arguments.get("shooting"):
        shooter, _ = _shooter(battle, arguments)
        return shooting.strike_of(battle, unit, shooter, parts[shooter.part]), target
    index, side = _part(battle, pool, arguments), str(arguments.get("side", "front"))
    found = tuple(attributes_in_use.keys(battle, unit, pool, parts[index], target, True))
    entry = Entry(unit.id, pool, index, "close")
    return close_combat_attacks.strike(battle, unit, entry, parts[index], target, True, found, side), target


def _shooter(battle: Battle, arguments: dict[str, Any]) -> tuple[shooters.Shooter, Unit]:
    """Who shoots: of, target, number (of the model in its block), stand."""
    unit, target = _standing(battle, arguments, "of"), _standing(battle, arguments, "target")
    found = shooters.shooters(battle, unit, target, stand=bool(arguments.get("stand", False)))
    number = arguments.get("number")
    for shooter in found:
        if number is None or shooter.number == number:
            return shooter, target
    raise BadInput("nobody of {unit} can shoot at {target}", unit=unit.id, target=target.id)


def _to_hit(battle: Battle, arguments: dict[str, Any]) -> Any:
    """`to_hit`: shooting: of, target, number (of the model in its block), stand."""
    shooter, target = _shooter(battle, arguments)
    unit = _standing(battle, arguments, "of")
    return shooters.to_hit(battle, unit, shooter, target, stand=bool(arguments.get("stand", False)))


def _melee_need(battle: Battle, arguments: dict[str, Any]) -> Any:
    pool, target = _pool(battle, arguments), _pool(battle, arguments, "target")
    unit = battle.pool_unit(pool)
    index = _part(battle, pool, arguments)
    part = battle.pool_profile(pool).parts[index]
    return close_combat_attacks.to_hit(
        battle,
        unit,
        Entry(unit.id, pool, index, "close"),
        part,
        target,
        side=str(arguments.get("side", "front")),
        front=True,
    )


def _agility(battle: Battle, arguments: dict[str, Any]) -> Any:
    pool = _pool(battle, arguments)
    part = battle.pool_profile(pool).parts[_part(battle, pool, arguments)]
    return agility(battle, battle.pool_unit(pool), pool, part)


def _charge_reach(battle: Battle, arguments: dict[str, Any]) -> Tally:
    """t9a:11.B-range  `charge_reach`: how far a unit could charge at most: of, flying."""
    rate = charge_range.charge_account(battle, _unit(battle, arguments, "of"), bool(arguments.get("flying")))
    return rate.add(12, "2D6 at most", "t9a:11.B-range")


def _charge_range(battle: Battle, arguments: dict[str, Any]) -> Tally:
    """t9a:11.E.a  `charge_range`: how far a unit charges, once it has rolled."""
    unit = _unit(battle, arguments, "of")
    return charge_range.charge_account(battle, unit, unit.charge.flying).add(unit.charge.total, "dice", "t9a:11.E.a")


def _gap(battle: Battle, arguments: dict[str, Any]) -> float:
    return round(battle.gap(_standing(battle, arguments, "from"), _standing(battle, arguments, "to")) / inches(1), 4)


def _cover(battle: Battle, arguments: dict[str, Any]) -> str:
    unit, target = _standing(battle, arguments, "of"), _standing(battle, arguments, "target")
    number, places = int(arguments.get("number", 0)), battle.block(unit).places
    if not 0 <= number < len(places):
        raise BadInput(
            "the models of {unit} are numbered from 0 to {last}, there is no {number}",
            unit=unit.id,
            last=len(places) - 1,
            number=number,
        )
    place = places[number]
    return cover.cover(battle, unit, place, target).kind or "none"


def _cost(battle: Battle, arguments: dict[str, Any]) -> Tally:
    """t9a:8.A.a  `cost`: of a unit, its models and options; of a side, the sum of its units."""
    name = str(arguments.get("of"))
    tally = Tally(0, "cost", "t9a:8.A.a")
    if name in battle.sides:
        for unit in battle.units.values():
            if unit.seat == name:
                tally.add(unit.points, unit.id, "t9a:8.A.a")
        return tally
    unit = _unit(battle, arguments, "of")
    for what, points, rule in unit.muster.price or ((unit.id, unit.points, "t9a:8.A.a"),):
        tally.add(points, what, rule)
    return tally


def _ground(battle: Battle, arguments: dict[str, Any]) -> str:
    """`ground`: the kinds of terrain a unit's models stand in, "open" where there is none (t9a:20.B.a)."""
    unit = _standing(battle, arguments, "of")
    kinds = {p.id: p.kind for p in battle.table.pieces}
    found = dict.fromkeys(kinds[key] for key in terrain.centres_in(battle, unit))
    battle.cite(*(terrain.KINDS[k].rule for k in found), *([] if found else ["t9a:20.B.a"]))
    return ", ".join(found) or "open"


MEASURES: dict[str, Ask] = {
    "ground": _ground,
    "cost": _cost,
    "gap": _gap,
    "value": _stat,
    "to_hit": _to_hit,
    "melee_need": _melee_need,
    "strength": lambda b, a: _might(b, a, 0),
    "penetration": lambda b, a: _might(b, a, 1),
    "to_wound": lambda b, a: attacks.wound_need(b, *_struck(b, a)),
    "armour_save": lambda b, a: attacks.armour_need(b, *_struck(b, a)),
    "agility": _agility,
    "discipline": lambda b, a: psychology.discipline(b, _unit(b, a, "of")),
    "advance": lambda b, a: stats.rate(b, _unit(b, a, "of"), "adv", flying=bool(a.get("flying"))),
    "march": lambda b, a: stats.rate(b, _unit(b, a, "of"), "mar", flying=bool(a.get("flying"))),
    "charge_reach": _charge_reach,
    "charge_range": _charge_range,
    "arc": lambda b, a: _arc(b, a),
    "sees": lambda b, a: sight.unit_sees(b, _standing(b, a, "of"), _standing(b, a, "target")),
    "front_sees": lambda b, a: sight.front_sees(b, _standing(b, a, "of"), _standing(b, a, "target")),
    "shooters": lambda b, a: len(
        shooters.shooters(b, _standing(b, a, "of"), _standing(b, a, "target"), stand=bool(a.get("stand")))
    ),
    "cover": _cover,
    "stubborn": lambda b, a: break_tests.stubborn(b, _standing(b, a, "of")),
    "steadfast": lambda b, a: break_tests.steadfast(b, _standing(b, a, "of")),
    "victory_points": lambda b, a: victory.victory_points(b, str(a.get("of"))),
    "full_ranks": lambda b, a: b.full_ranks(_unit(b, a, "of")),
    "rank_bonus": lambda b, a: b.rank_bonus(_unit(b, a, "of")),
    "line": lambda b, a: b.in_line(_unit(b, a, "of")),
    "size": lambda b, a: b.size(_unit(b, a, "of")),
    "test_value": lambda b, a: stats.characteristic(b, _unit(b, a, "of"), _stat_named(a)),
    **measures_ground.MEASURES,
}


#: What a measure may be told; `of` is also `from`, `target` also `other` or `to`.
ARGUMENTS = (
    "of", "from", "target", "other", "to", "at", "file", "rank", "number", "stand", "part", "side", "stat", "inches",
    "flying", "melee", "shooting",
)  # fmt: skip


def _arc(battle: Battle, arguments: dict[str, Any]) -> Any:
    """`arc`: where another unit is located, or a point (`at`)."""
    unit = _standing(battle, arguments, "of")
    if "at" in arguments:
        return plain(ground.located_point(battle, unit, read.INCHES.point(arguments["at"], "at")))
    return plain(ground.located(battle, unit, _standing(battle, arguments, "other")))


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    if what not in MEASURES:
        raise BadInput("t9a measures {known}, not {what}", known=", ".join(MEASURES), what=what)
    said = dict(arguments)
    unknown = next((key for key in said if key not in ARGUMENTS), None)
    if unknown is not None:
        raise BadInput("a measure is told {known}, not {key}", known=", ".join(ARGUMENTS), key=unknown)
    for words in (("of", "from"), ("target", "other", "to")):
        named = next((said[word] for word in words if word in said), None)
        said = {**dict.fromkeys(words, named), **said} if named is not None else said
    return MEASURES[what](battle, said)

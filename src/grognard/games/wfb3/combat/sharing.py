"""wfb3:11.2.2-choice, wfb3:7.5-attack-types  Models that touch several enemy units share their blows among them."""

from __future__ import annotations

from grognard.games.wfb3.army.profiles import REACH
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import indoor_blows, striking
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls.modifiers import Group
from grognard.games.wfb3.table import air_fights, contacts
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Script, Split


def spread(battle: Battle, group: Group, able: int) -> Script[list[tuple[Group, int]]]:
    """A group's fighters by the enemy they strike: those at the seam may turn to another they touch and can reach."""
    unit = battle.units[group.unit]
    if unit.air.height or battle.units[group.foe].air.height or unit.where == "building":
        return (yield from _anybody(battle, unit, group, able))
    if group.who in battle.models:
        return (yield from _one(battle, unit, group, able))
    others = alternatives(battle, unit, group) if group.who in ("troops", "mounts") and able else {}
    if not others:
        return [(group, able)]
    options = [Option(key, key, about=(key,)) for key in others]
    limits = {key: (0, min(able, number)) for key, number in others.items()}
    shares = yield Split(
        unit.seat, "combat.share", options, able, limits=limits, exact=False, rule="wfb3:11.2.2-choice",
        about=(unit.id, group.foe), data={"by": group.who},
    )  # fmt: skip
    parts = [(group._replace(foe=key, auto=False), number) for key, number in shares.items() if number]
    return [*parts, (group, able - sum(number for _, number in parts))]


def _anybody(battle: Battle, unit: Unit, group: Group, able: int) -> Script[list[tuple[Group, int]]]:
    """wfb3:21.4.1-overfly, wfb3:21.4.2-defence, wfb3:11.2.2-choice
    Flyers share their attacks as they like among those they fly over, and so does everybody in a room.
    """
    indoors = unit.where == "building"
    find = indoor_blows.turned if indoors else air_fights.turned
    others = find(battle, unit, group, able) if able else {}
    if not others:
        return [(group, able)]
    total = able * group.attacks
    shares = yield Split(
        unit.seat, "combat.share", [Option(key, key, about=(key,)) for key in others], total,
        limits={key: (0, number) for key, number in others.items()}, exact=False,
        rule="wfb3:11.2.2-choice" if indoors else "wfb3:21.4.1-overfly" if unit.air.height else "wfb3:21.4.2-defence",
        about=(group.who if group.who in battle.models else unit.id, group.foe), data={"by": group.who},
    )  # fmt: skip
    parts = [(group._replace(foe=key, attacks=number, fighters=1), 1) for key, number in shares.items() if number]
    rest = total - sum(shares.values())
    return [*parts, (group._replace(attacks=rest, fighters=1), 1)] if rest else parts


def _one(battle: Battle, unit: Unit, group: Group, able: int) -> Script[list[tuple[Group, int]]]:
    """wfb3:11.2.2-choice  One model that touches several enemies splits its attacks as they reach."""
    others = _touched(battle, unit, group, battle.models[group.who]) if able and not group.blind else {}
    if not others:
        return [(group, able)]
    shares = yield Split(
        unit.seat, "combat.share", [Option(key, key, about=(key,)) for key in others], group.attacks,
        limits={key: (0, number) for key, number in others.items()}, exact=False, rule="wfb3:11.2.2-choice",
        about=(group.who, group.foe), data={"by": group.who},
    )  # fmt: skip
    parts = [(group._replace(foe=key, attacks=number, auto=False), able) for key, number in shares.items() if number]
    rest = group.attacks - sum(number for number in shares.values())
    return [*parts, (group._replace(attacks=rest), able)] if rest else parts


def _touched(battle: Battle, unit: Unit, group: Group, model: Model) -> dict[str, int]:
    """Other enemies a model touches, itself or what it rides on, and how many of its attacks reach them."""
    if model.fight.duel or unit.block is None or unit.seat == battle.units[group.foe].seat:
        return {}
    stands = model.ride.aboard or model.id
    if stands not in unit.models:
        return {}
    number = unit.models.index(stands)
    sides = {foe.id: side for foe, side, _ in battle.foes(unit) if foe.where == "table"}
    touching = {t.foe for t in contacts.of_unit(battle, unit) if t.number == number}
    found: dict[str, int] = {}
    for key, side in sides.items():
        if key == group.foe or key not in touching or group.foe not in sides:
            continue
        reach = _reach(battle, unit, model, group, sides[group.foe], side)
        if reach:
            found[key] = min(reach, group.attacks)
    return found


def _reach(battle: Battle, unit: Unit, model: Model, group: Group, first: Edge, side: Edge) -> int:
    """How many attacks of a group reach an enemy on another side than the one it strikes at first."""
    if side is first:
        return group.attacks
    if model.ride.aboard and unit.kind == "monster":
        return 0 if model.id == battle.models[model.ride.aboard].ride.driver else group.attacks
    return sum(n for kind, n in group.profile.attacks if striking.reaches(kind, first) and striking.reaches(kind, side))


def alternatives(battle: Battle, unit: Unit, group: Group) -> dict[str, int]:
    """Other enemies the fighters of a group touch where their attacks reach, and how many of them do."""
    sides = {foe.id: side for foe, side, _ in battle.foes(unit) if foe.where == "table"}
    if group.foe not in sides or len(sides) < 2 or unit.block is None:
        return {}
    touches = contacts.of_unit(battle, unit)
    first = min((s for s in sides), key=lambda key: (sides[key].value, list(sides).index(key)))
    mine = {t.number for t in touches if t.foe == group.foe}
    if group.foe != first:
        mine -= {t.number for t in touches if t.foe == first}
    found: dict[str, int] = {}
    for key, side in sides.items():
        if key == group.foe or (side is not sides[group.foe] and not _reaches(unit, group, side)):
            continue
        both = {t.number for t in touches if t.foe == key} & mine
        if both and battle.units[key].kind not in ("monster", "chariot"):
            found[key] = len(both)
    return found


def _reaches(unit: Unit, group: Group, side: Edge) -> bool:
    """wfb3:7.5-attack-types  Stomps reach every side, claws the flanks, tails flanks and rear."""
    profile = unit.mount if group.who == "mounts" and unit.mount is not None else unit.profile
    way = "front" if side is Edge.FRONT else "flank" if side.is_flank else "rear"
    return bool(profile.attacks) and all(way in REACH[kind] for kind, count in profile.attacks if count)

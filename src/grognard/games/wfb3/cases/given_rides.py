"""What a case may set and see of beasts, chariots, their crews and flyers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given_lines
from grognard.games.wfb3.forces import AirFight, Model, Unit
from grognard.games.wfb3.table import crews, flyers
from grognard.kernel.data import giving
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput

#: Of a beast or car; said of the unit they mean its first, under `carriers` any by name.
CARRIER = ("marks", "jolts", "shaken", "taken", "dead", *giving.names(Model))
CLOCKS = ("flew", "left_at", "unhitching")
MORE = (*CARRIER, "carriers", "height", "over", "strayed", *CLOCKS)
KEYS = ("air",)
MARKS = ("wheel", "reins", "stuck", "axle", "pole", "wreck")


def unit(battle: Battle, one: Unit, said: dict[str, Any], where: str) -> None:
    """The states of one unit."""
    if "height" in said:
        one.air = one.air.but(
            height=flyers.HEIGHTS[read.one_of(flyers.named(said["height"]), f"{where}.height", flyers.HEIGHTS)]
        )
        if one.air.height and flyers.flight(one) is None:
            raise BadInput("{where}: {creature} cannot fly (wfb3:21.1-profile)", where=where, creature=one.profile.name)
    given_lines.clocks(battle, one, said, CLOCKS, where)
    if "over" in said:
        one.air = one.air.but(over=_models(battle, said["over"], f"{where}.over", battle.models))
    if "strayed" in said:
        one.air = one.air.but(strayed=read.one_of(said["strayed"], f"{where}.strayed", battle.units))
    if "left_at" in said:
        battle.remove(one, "away")
    mine = {key: said[key] for key in CARRIER if key in said}
    if mine and one.models:
        _carrier(battle, battle.numbered(one)[0], mine, where)
    for key, entry in read.mapping(said.get("carriers") or {}, f"{where}.carriers").items():
        name = read.one_of(key, f"{where}.carriers", one.models)
        _carrier(battle, battle.models[name], read.mapping(entry, f"{where}.carriers.{key}", (*CARRIER, "w")), where)


def _carrier(battle: Battle, carrier: Model, said: dict[str, Any], where: str) -> None:
    giving.give(carrier, said, where)
    carrier.w = read.whole(said.get("w", carrier.w), f"{where}.w")
    if "marks" in said:
        carrier.ride = carrier.ride.but(marks=read.some_of(said["marks"], f"{where}.marks", MARKS))
    if "jolts" in said:
        carrier.ride = carrier.ride.but(jolts=(battle.clock, read.whole(said["jolts"], f"{where}.jolts")))
    if "taken" in said:
        carrier.ride = carrier.ride.but(taken=(battle.clock, read.whole(said["taken"], f"{where}.taken")))
    if "shaken" in said:
        carrier.ride = carrier.ride.but(shaken=battle.clock + int(read.number(said["shaken"], f"{where}.shaken")))
    for key in read.some_of(said.get("dead") or (), f"{where}.dead", carrier.ride.crew):
        member = battle.models[key]
        member.alive, member.w = False, 0
        crews.off(battle, carrier, member)


def whole(battle: Battle, data: dict[str, Any]) -> None:
    """Chapter 21.4: fights in and from the air: {flyer, foe, kind, models}."""
    for number, entry in enumerate(read.listing(data.get("air") or [], "given.air")):
        where = f"given.air[{number}]"
        said = read.mapping(entry, where, ("flyer", "foe", "kind", "models"))
        flyer = read.one_of(said.get("flyer"), f"{where}.flyer", battle.units)
        foe = read.one_of(said.get("foe"), f"{where}.foe", battle.units)
        kind = read.one_of(said.get("kind", "overfly"), f"{where}.kind", ("overfly", "dogfight", "charged"))
        models = _models(
            battle, said.get("models") or battle.units[foe].models, f"{where}.models", battle.units[foe].models
        )
        battle.air = (*battle.air, AirFight(flyer, foe, kind, battle.clock, models if kind != "dogfight" else ()))


def _models(battle: Battle, said: Any, where: str, known: Iterable[str]) -> tuple[str, ...]:
    """Models by their ids, or all those of a unit by its; who is alone in his unit is called like it, or its first."""
    found: list[str] = []
    for word in read.words(said, where):
        if word in battle.units and battle.units[word].models:
            found += battle.units[word].models
            continue
        home = battle.units.get(word.removesuffix(".1"))
        lone = home is not None and home.models == (home.id,)
        found.append(read.one_of(home.id if lone and home is not None else word, where, known))
    return tuple(found)


def shown(battle: Battle, one: Unit) -> dict[str, Any]:
    """A unit's part of the state: height and speed, and its first beast or car."""
    found: dict[str, Any] = {
        "height": flyers.name(one.air.height),
        "fights": [f.foe if f.flyer == one.id else f.flyer for f in battle.air if one.id in (f.flyer, f.foe)],
    }
    if flyers.flight(one) is not None:
        found |= {
            "speed": one.air.speed, "loaded": one.air.loaded, "strayed": one.air.strayed,
            "over": list(dict.fromkeys(battle.models[key].unit for key in one.air.over)),
        }  # fmt: skip
    if one.kind in ("monster", "chariot") and one.models:
        found |= carrier(battle, battle.numbered(one)[0]) | {"hitched": one.chariot.hitched}
    return found


def carrier(battle: Battle, model: Model) -> dict[str, Any]:
    """A beast or car, and who is aboard."""
    if model.ride.aboard:
        return {"aboard": model.ride.aboard, "drives": battle.models[model.ride.aboard].ride.driver == model.id}
    if battle.units[model.unit].kind not in ("monster", "chariot"):
        return {}
    found: dict[str, Any] = {
        "w": model.w, "crew": list(model.ride.crew), "driver": model.ride.driver, "howdah": model.ride.howdah,
        "amok": model.ride.amok, "shaken": model.ride.shaken >= battle.clock, "struck": model.ride.struck,
        "marks": list(model.ride.marks),
    }  # fmt: skip
    if model.ride.car is not None:
        found |= {"team": model.ride.team, "type": model.ride.car.type}
    return found

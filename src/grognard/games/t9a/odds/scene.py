"""Tables for odds: a `given` as cases write it, or two units laid out as the question describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.t9a.army import cards
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.cases import given
from grognard.games.t9a.forces import Engagement, Unit
from grognard.games.t9a.house import HOUSE_RULES
from grognard.games.t9a.table import terrain
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.data.reading import slug
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import inches
from grognard.kernel.ruleset import agreed

Arguments = Mapping[str, Any]
#: Where the first unit's front stands, in inches, on a table large enough for any range.
SPOT = (75.0, 75.0)
TABLE = {"width": 150, "height": 150}
#: Whoever is not described is an ordinary soldier.
SOLDIER: dict[str, Any] = {
    "adv": 4, "mar": 8, "dis": 7, "hp": 1, "def": 3, "res": 3, "arm": 0, "base": "20x20",
    "parts": [{"name": "soldier", "att": 1, "off": 3, "str": 3, "ap": 0, "agi": 3}],
}  # fmt: skip
#: Keys of a unit that are lists; a text is one entry, or several parted by semicolons.
LISTS = ("rules", "attributes", "weapons", "shooting", "armour", "options", "banner", "items")
MORE_LISTS = ("effects", "spells", "used", "paths", "linger", "forgotten", "cast", "rear")
#: What the target stands in to be covered.
COVERS = {"none": "", "soft": "forest", "hard": "ruins"}
#: Which way the unit that is fought looks, and which of its sides lies against the other's front.
FACINGS = {"front": (180.0, Edge.FRONT), "flank": (90.0, Edge.RIGHT), "rear": (0.0, Edge.REAR)}


def house_of(arguments: Arguments) -> dict[str, Any]:
    """The house rules of the question, the others as ruled."""
    return agreed("t9a", HOUSE_RULES, arguments.get("house") or {})


def given_battle(arguments: Arguments) -> Battle | None:
    """The battle of a case's `given`, if the question comes with one."""
    if arguments.get("given") is None:
        return None
    return given.create(arguments["given"], house_of(arguments))


def named(battle: Battle, arguments: Arguments, name: str) -> Unit:
    """The unit an argument names, by its id or by one of its models."""
    wanted = str(arguments.get(name))
    unit = battle.unit_of(battle.models[wanted]) if wanted in battle.models else battle.units.get(wanted)
    if unit is None or unit.block is None:
        known = ", ".join(u.id for u in battle.on_table())
        raise BadInput("{name} names one of {known}, not {value}", name=name, known=known, value=arguments.get(name))
    return unit


# ---------------------------------------------------------------------- laid out


def _described(arguments: Arguments, who: str, side: str) -> dict[str, Any]:
    """A unit of a case from what the question says of it: keys of a unit, or `list: army:unit` of an army list."""
    said = dict(arguments.get(who) or {})
    said = {**_listed(str(said.pop("list"))), **said} if "list" in said else said
    for key in LISTS:
        if isinstance(said.get(key), str):
            said[key] = [part.strip() for part in said[key].split(";")]
    _check(said, who)
    if "profile" not in said and "entry" not in said:
        said["profile"] = "Soldier"
        said.setdefault("models", 20)
    return {**said, "side": side}


def _check(said: Mapping[str, Any], who: str) -> None:
    """That lists are lists, of texts where texts are meant, and that what is bought can be had (t9a:8.D.a.3)."""
    for key in (*LISTS, *MORE_LISTS):
        for number, value in enumerate(read.listing(said.get(key, []), f"{who}.{key}")):
            if key not in ("effects", "rear") and not (key == "items" and isinstance(value, dict)):
                read.text(value, f"{who}.{key}[{number}]")
    if "models" in said:
        read.whole(said["models"], f"{who}.models")
    entry = cards.entries().get(str(said.get("entry")))
    if entry is not None:
        for option in said.get("options", ()):
            sheets.named(option, entry.options, who, "option", "t9a:8.D.a.3")
        if "mount" in said:
            sheets.named(said["mount"], entry.mounts, who, "mount", "t9a:8.D.b-mount")


def _listed(text: str) -> dict[str, Any]:
    """t9a:8.A  A unit of a starter army by its name there."""
    army, _, unit = text.partition(":")
    if army not in cards.starters():
        known = ", ".join(cards.starters())
        raise BadInput("there is no starter army {name}; there are {known}", name=army, known=known)
    recruits = cards.load_army(army).units
    found = next((r for r in recruits if r.id == slug(unit)), None)
    if found is None:
        known = ", ".join(r.name for r in recruits)
        raise BadInput("{army} has no unit {name}; it has {known}", army=army, name=unit, known=known)
    made: dict[str, Any] = {"entry": found.entry.name, "models": found.models, "options": list(found.options)}
    made |= {key: True for key in ("champion", "musician", "standard", "general", "bsb") if getattr(found, key)}
    made |= {key: value for key, value in (("mount", found.mount), ("wizard", found.level)) if value}
    made |= {"banner": list(found.banner)} if found.banner else {}
    return made | ({"items": [{name: on} if on else name for name, on in found.items]} if found.items else {})


def _create(arguments: Arguments, one: str, other: str, phase: str) -> Battle:
    """Both units where they are out of each other's way, red's turn."""
    profiles = {"Soldier": SOLDIER, **(arguments.get("profiles") or {})}
    units = {
        one: {**_described(arguments, one, "red"), "at": [SPOT[0], 20], "facing": 0},
        other: {**_described(arguments, other, "blue"), "at": [SPOT[0], 130], "facing": 180},
    }
    said = {"table": TABLE, "phase": phase, "begun": True, "profiles": profiles, "units": units}
    return given.create(said, house_of(arguments))


def apart(arguments: Arguments, one: str, other: str, phase: str) -> Battle:
    """A unit with another before its front, so many inches away."""
    battle = _create(arguments, one, other, phase)
    x, y = inches(SPOT[0]), inches(SPOT[1])
    far, block = inches(arguments["distance"]), battle.block(battle.units[other])
    battle.put(battle.units[one], battle.block(battle.units[one]).placed((x, y), 0.0))
    battle.put(battle.units[other], block.placed_by_centre((x, y + far + block.depth / 2), 180.0))
    return battle


def shooting_range(arguments: Arguments) -> Battle:
    """A unit ("shooter") and its target ("target"), which stands in something where it has cover."""
    battle = apart(arguments, "shooter", "target", "shooting")
    shooter, target = battle.units["shooter"], battle.units["target"]
    shooter.move = shooter.move.but(moved=shooter.move.moved or arguments["moved"])
    for model in battle.guests(shooter):
        model.moved = model.moved or arguments["moved"]
    if kind := COVERS[arguments["cover"]]:
        (x, y), block = battle.block(target).centre, battle.block(target)
        wide, deep = block.width / 2 + inches(1), block.depth / 2 + 1.0
        ring = ((x - wide, y - deep), (x + wide, y - deep), (x + wide, y + deep), (x - wide, y + deep))
        battle.table = Table(battle.table.width, battle.table.height, (terrain.piece("cover", kind, ring),))
    return battle


def melee(arguments: Arguments) -> Battle:
    """Two units ("attacker", "defender") in contact, the attacker's front against a side of the defender."""
    battle = _create(arguments, "attacker", "defender", "melee")
    attacker, defender = battle.units["attacker"], battle.units["defender"]
    facing, side = FACINGS[arguments["side"]]
    x, y = inches(SPOT[0]), inches(SPOT[1])
    battle.put(attacker, battle.block(attacker).placed((x, y), 0.0))
    block = battle.block(defender)
    deep = (block.width if side.is_flank else block.depth) / 2
    side = Edge.FRONT if block.is_round else side
    battle.put(defender, block.placed_by_centre((x, y + deep), facing))
    battle.engagements = (Engagement("attacker", Edge.FRONT, "defender", side),)
    for unit in (attacker, defender):
        unit.fight = unit.fight.but(in_fight=True)
        unit.move = unit.move.but(engaged_earlier=True)
        unit.fight = unit.fight.but(first_round=arguments["first"])
    attacker.charge = attacker.charge.but(charging=attacker.charge.charging or arguments["charged"] == "attacker")
    defender.charge = defender.charge.but(charging=defender.charge.charging or arguments["charged"] == "defender")
    if arguments["charged"] == "defender":
        battle.second = True
    return battle

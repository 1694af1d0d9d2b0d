"""What a case may set: the battle as it stands at some moment, in cm."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.ades.army.cards import FORMATS, Books, books, formulas, with_more
from grognard.games.ades.army.profiles import Power
from grognard.games.ades.battle import NEUTRAL, PHASES, Battle
from grognard.games.ades.cases import given_forms
from grognard.games.ades.forces import ACTIVATED, WAITING, Effect, Fighter, Thing
from grognard.games.ades.machines import machines
from grognard.games.ades.mystics import powers, recovery
from grognard.games.ades.records import Summons
from grognard.games.ades.scenarios import fielding, scenarios, setup, zones
from grognard.games.ades.table.terrain import read_piece
from grognard.games.ades.turn import tactical_phase
from grognard.kernel.data import giving
from grognard.kernel.data import reading as read
from grognard.kernel.data.reading import CM
from grognard.kernel.data.setups import check_scenario, given_table
from grognard.kernel.data.sheets import named
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table

KEYS = (
    "scenario", "format", "formats", "turn", "turns", "phase", "stage", "speaker", "tactician", "dominant", "table",
    "terrain", "profiles", "formulas", "nexus_types", "artefacts", "sides", "fighters", "cards", "things", "spoke",
    "effects",
)  # fmt: skip
SIDE_KEYS: dict[str, read.Read] = {
    "name": read.text, "army": read.text, "affiliation": read.text, "commander": read.text, "pt": read.whole,
    "refusals": read.whole, "pile": read.words, "reserve": read.words, "uses": read.words, "ps": read.whole,
    "killed": read.whole, "bereaved": read.whole, "authority": read.flag, "spoken": read.flag, "recalled": read.whole,
    "unique": read.words, "conceded": read.flag, "affiliation_costs": lambda v, w: tuple(read.listing(v, w)),
}  # fmt: skip
FIGHTER_READERS: dict[str, read.Read] = {
    "hidden": read.flag, "stripped": read.flag, "pv": read.whole, "recall": read.whole, "aboard": read.text,
}  # fmt: skip
FIGHTER_KEYS = (
    "side", "profile", "card", "at", "level", "facing", "state", "val", "skills", "artefacts", "formulas", "toxic",
    "summoner", "summoned_by", "name", "points", *given_forms.OWN, *FIGHTER_READERS, *giving.names(Fighter),
)  # fmt: skip
THING_KEYS = (
    "kind", "side", "at", "nexus", "profile", "pv", "res", "charges", "bearer", "bulky", "complex", "experts", "last",
    "zone", "used", "crew",
)  # fmt: skip
EFFECT_KEYS = ("power", "on", "by", "until")


def create(given: Any, house: dict[str, Any]) -> Battle:
    """The battle a case begins with."""
    data = read.mapping(given_forms.usual(given), "given", KEYS)
    known = with_more(books(), {
        "profiles": data.get("profiles"), "formulas": data.get("formulas"), "nexus": data.get("nexus_types") or {},
        "artefacts": data.get("artefacts"),
    }, "given")  # fmt: skip
    scenario = check_scenario(data.get("scenario", setup.DEFAULT), scenarios.SCENARIOS, "ades:2.6")
    battle = Battle(("red", "blue"), _table(data), house, scenario, known.library())
    battle.cite("ades:0-units", "ades:9.1.1", "ades:2.6", "ades:3.1")
    battle.format = read.whole(data.get("format", 300), "given.format")
    battle.formats = read.words(data.get("formats", []), "given.formats")
    for word in battle.formats:
        read.one_of(word, "given.formats", FORMATS)
    battle.turn = read.whole(data.get("turn", 1), "given.turn")
    battle.turns = read.whole(data.get("turns", scenarios.duration(battle.format)), "given.turns")
    battle.cite(*(("ades:9.1.3",) if "turns" not in data else ()))
    battle.phase = read.one_of(data.get("phase", "activation"), "given.phase", PHASES)
    battle.stage = read.whole(data.get("stage", 2 if battle.phase == "activation" else 0), "given.stage")
    battle.speaker = read.one_of(data.get("speaker", "red"), "given.speaker", battle.seats)
    battle.tactician = read.one_of(data.get("tactician", "red"), "given.tactician", battle.seats)
    battle.spoke = read.whole(data.get("spoke", 1), "given.spoke")
    battle.started = battle.stage > 0
    if "dominant" in data or (battle.phase == "combat" and battle.stage > 1):
        battle.dominant = read.one_of(data.get("dominant", battle.speaker), "given.dominant", battle.seats)
    _sides(battle, data.get("sides", {}))
    for key, entry in read.mapping(data.get("fighters", {}), "given.fighters", list(data.get("fighters", {}))).items():
        _fighter(battle, key, entry, known)
    _cards(battle, data.get("cards", {}))
    for key, entry in read.mapping(data.get("things", {}), "given.things", list(data.get("things", {}))).items():
        _thing(battle, key, entry, known)
    _carried(battle, data.get("fighters", {}))
    _effects(battle, data.get("effects", []))
    _finish(battle, data.get("sides", {}))
    given_forms.sound(battle)
    battle.preface = tuple(battle.cited)
    return battle


def _table(data: dict[str, Any]) -> Table:
    bare = given_table(data, (90, 90), (20, 200), CM, "ades:9.1.1")
    entries = read.listing(data.get("terrain", []), "given.terrain")
    pieces = tuple(read_piece(entry, number, bare, "given.terrain") for number, entry in enumerate(entries))
    return bare.with_pieces(pieces)


def _sides(battle: Battle, said: Any) -> None:
    read.mapping(said, "given.sides", battle.seats)
    plan = scenarios.scenario(battle)
    laid = zones.strips(battle) if plan.zones == "battle" else zones.square(battle, central=plan.zones == "central")
    for seat in battle.seats:
        where = f"given.sides.{seat}"
        entry = read.mapping(said.get(seat) or {}, where, SIDE_KEYS)
        side = fielding.add_side(battle, seat, seat, str(entry.get("army", "")), battle.format)
        side.zone = laid[seat]
        read.fields(side, entry, where, {k: r for k, r in SIDE_KEYS.items() if k != "army"})


def _fighter(battle: Battle, key: str, entry: Any, known: Books) -> None:
    where = f"given.fighters.{key}"
    said = read.mapping(entry, where, FIGHTER_KEYS)
    seat = read.one_of(said.get("side"), f"{where}.side", (*battle.seats, NEUTRAL))
    profile = given_forms.varied(named(said.get("profile"), known.profiles, where, "card", "ades:1.1.2"), said, where)
    card = str(said.get("card", key))
    fighter = fielding.add_fighter(
        battle, seat, key, str(said.get("name", key)), profile, card, said.get("val", profile.val)
    )
    if card not in battle.cards:
        fielding.add_card(battle, seat, card, card, ())
    battle.cards[card].fighters = (*battle.cards[card].fighters, key)
    for more in ("skills", "equipment"):
        fighter.names = (*fighter.names, *read.words(said.get(more, []), f"{where}.{more}"))
    battle.skills(fighter)
    fighter.artefacts = read.words(said.get("artefacts", []), f"{where}.artefacts")
    for artefact in fighter.artefacts:
        fielding.wear(battle, fighter, named(artefact, known.artefacts, where, "artefact", "ades:2.8-count").power)
    fighter.formulas = formulas(said.get("formulas", []), known, where)
    recovery.start(battle, fighter)
    _status(battle, fighter, said, where)
    if profile.titan:
        fielding.add_titan_cards(battle, fighter)


def _status(battle: Battle, fighter: Fighter, said: dict[str, Any], where: str) -> None:
    fighter.state = read.one_of(said.get("state", WAITING), f"{where}.state", (WAITING, ACTIVATED))
    read.fields(fighter, said, where, FIGHTER_READERS)
    giving.give(fighter, said, where)
    begun = fighter.activation.level_changed and fighter.state == WAITING
    fighter.activation = fighter.activation.but(midway=begun)
    if fighter.stripped:
        fielding.strip(battle, fighter)
    if "pv" in said:
        read.between(said["pv"], f"{where}.pv", 0, fighter.profile.pv, "ades:1.1.8-pv")
    toxic = tuple(int(read.number(n, f"{where}.toxic")) for n in read.listing(said.get("toxic", []), where))
    fighter.marks = fighter.marks.but(toxic=toxic)
    points = tuple((str(s), int(n), "ades:13.2-concentration") for s, n in (said.get("points") or {}).items())
    fighter.effort = fighter.effort.but(points=points)
    fighter.summons = Summons(str(said.get("summoner", "")), 0, str(said.get("summoned_by", "")))
    if fighter.pv <= 0:
        fighter.alive = False
    elif "at" in said and not fighter.aboard:
        x, y = CM.point(said["at"], f"{where}.at")
        facing = read.number(said.get("facing", 0 if fighter.seat == battle.seats[0] else 180), f"{where}.facing")
        battle.put(fighter, Pose(x, y, facing, read.whole(said.get("level", 0), f"{where}.level")))


def _cards(battle: Battle, said: Any) -> None:
    for key, entry in read.mapping(said, "given.cards", list(battle.cards)).items():
        ids = read.words(entry, f"given.cards.{key}")
        for fighter_id in ids:
            fighter = battle.fighters[read.one_of(fighter_id, f"given.cards.{key}", battle.fighters)]
            old = battle.cards[fighter.card]
            old.fighters = tuple(k for k in old.fighters if k != fighter.id)
            if not old.fighters and old.id != key:
                del battle.cards[old.id]
            fighter.card = key
        battle.cards[key].fighters = ids


def _thing(battle: Battle, key: str, entry: Any, known: Books) -> None:
    where = f"given.things.{key}"
    said = read.mapping(entry, where, THING_KEYS)
    kind = read.one_of(
        said.get("kind"), f"{where}.kind", ("nexus", "weapon", "token", "trap", "objective", "scenery", "barricade")
    )
    seat = read.one_of(said.get("side", ""), f"{where}.side", ("", *battle.seats))
    at = Pose(*CM.point(said.get("at", [0, 0]), f"{where}.at"))
    if "at" not in said and not seat and kind in ("nexus", "weapon"):
        raise BadInput("{where}: what is nobody's lies on the table (at); whose it is (side) places it", where=where)
    if "at" not in said and kind in ("trap", "objective"):
        raise BadInput("{where}: a trap or an objective lies somewhere (at)", where=where)
    if kind == "nexus":
        thing = fielding.add_nexus(
            battle, seat, named(said.get("nexus"), known.nexus, where, "nexus", "ades:12.3"), key
        )
        if "at" in said:
            fielding.set_thing(battle, thing, at)
    elif kind == "weapon":
        profile = named(said.get("profile"), known.profiles, where, "card", "ades:10.2.2")
        thing = fielding.add_weapon(battle, seat, profile, key)
        if "at" in said:
            fielding.set_thing(battle, thing, at)
    else:
        thing = Thing(key, kind, key, seat, at.x, at.y)
        thing.placed = True
        battle.things[key] = thing
    _details(battle, thing, said, where)


def _details(battle: Battle, thing: Thing, said: dict[str, Any], where: str) -> None:
    for name in ("pv", "res", "charges", "used"):
        if name in said:
            setattr(thing, name, read.whole(said[name], f"{where}.{name}"))
    if thing.kind in ("scenery", "barricade"):
        if thing.id not in [p.id for p in battle.table.pieces]:
            raise BadInput("{where}: scenery with life points is a piece of the terrain of the same id", where=where)
        thing.piece = thing.id
    thing.start_pv = max(thing.start_pv, thing.pv)
    read.fields(thing, said, where, {"bulky": read.flag, "complex": read.flag, "bearer": read.text, "last": read.text})
    thing.experts = read.words(said.get("experts", []), f"{where}.experts")
    thing.crew = read.words(said.get("crew", []), f"{where}.crew")
    for key in thing.crew:
        read.one_of(key, f"{where}.crew", battle.fighters)
    thing.radius = CM.length(said.get("zone", 10), f"{where}.zone")


def _carried(battle: Battle, fighters: Any) -> None:
    """Whoever is named by another must be there; tokens may be written with their bearer or with themselves."""
    for key, entry in fighters.items():
        where = f"given.fighters.{key}"
        for token in read.words(entry.get("tokens", []), f"{where}.tokens"):
            battle.things[read.one_of(token, f"{where}.tokens", battle.things)].bearer = key
        for who in ("summoner", "aboard"):
            if entry.get(who):
                read.one_of(entry[who], f"{where}.{who}", battle.fighters)
    for thing in battle.things.values():
        if thing.bearer:
            read.one_of(thing.bearer, f"given.things.{thing.id}.bearer", battle.fighters)
    for side in battle.sides.values():
        if side.commander:
            read.one_of(side.commander, f"given.sides.{side.id}.commander", battle.fighters)


def _effects(battle: Battle, said: Any) -> None:
    """ades:8.4-duration  Formulas and other powers that lie on fighters."""
    for number, entry in enumerate(read.listing(said, "given.effects"), 1):
        where = f"given.effects[{number - 1}]"
        one = read.mapping(entry, where, EFFECT_KEYS)
        by = str(one.get("by", ""))
        if by:
            read.one_of(by, f"{where}.by", (*battle.fighters, *battle.things))
        power = _power(battle, one.get("power"), by, where)
        until = read.whole(one.get("until", battle.turn), f"{where}.until")
        for target in read.words(one.get("on", []), f"{where}.on"):
            read.one_of(target, f"{where}.on", battle.fighters)
            for do in power.does:
                if do.kind in ("stats", "skills"):
                    rule = powers.rule_of(power)
                    battle.add_effect(
                        Effect(power.name, rule, by, target, until, do.stats, do.words, power.name, -number)
                    )


def _power(battle: Battle, name: Any, by: str, where: str) -> Power:
    """A power by name: a formula's, an artefact's, a nexus's, or an ability of whoever it comes from."""
    known = {k.name: msgspec.structs.replace(k.power, name=k.name) for k in battle.library.nexus.values() if k.power}
    if by in battle.fighters:
        known |= {power.name: power for power in battle.fighters[by].profile.abilities}
    known |= battle.library.powers
    return named(name, known, where, "power", "ades:8.4-duration")


def _finish(battle: Battle, said: Any) -> None:
    """Whoever is not said: the first Incarnate commands, cards lie as they were written, crews stand by."""
    for seat in battle.seats:
        side = battle.sides[seat]
        for card in (*side.pile, *side.reserve):
            read.one_of(card, f"given.sides.{seat}.pile", battle.cards)
        own = [f for f in battle.fighters.values() if f.seat == seat and f.alive]
        heroes = [f for f in own if f.profile.incarnate]
        if not side.commander and (heroes or own):
            side.commander = (heroes or own)[0].id
        entry = said.get(seat) or {}
        if "army" not in entry and own:
            side.army, side.path = own[0].profile.army, own[0].profile.path
            battle.cite("ades:2.1", "ades:2.2")
    for number, fighter in enumerate(battle.fighters.values()):
        if fighter.summons.summoner and fighter.summons.summoned_by:
            name, why = fighter.summons.summoned_by, "ades:8.10-duration"
            battle.add_effect(
                Effect(name, why, fighter.summons.summoner, fighter.id, battle.turn, (), (), name, recital=number)
            )
    machines.stand_by(battle)
    if battle.phase == "activation":
        for seat in battle.seats:
            side = battle.sides[seat]
            if "pile" not in (said.get(seat) or {}):
                side.pile = tuple(c.id for c in tactical_phase.playable(battle, seat) if c.id not in side.reserve)

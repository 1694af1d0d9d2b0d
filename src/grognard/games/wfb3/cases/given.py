"""What a case may set: the battle as it stands at some moment, in inches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from grognard.games.wfb3.army.cards import UNIT_KEYS, recruit
from grognard.games.wfb3.army.profiles import read_profile
from grognard.games.wfb3.battle import PHASES, Battle
from grognard.games.wfb3.cases import given_lines, given_machines, given_rides, given_special
from grognard.games.wfb3.characters import joining, standards
from grognard.games.wfb3.forces import Force, Unit
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.setup import fielding
from grognard.games.wfb3.table import seating
from grognard.games.wfb3.table.terrain import read_pieces
from grognard.games.wfb3.troops import skirmish
from grognard.games.wfb3.turn import turn_start
from grognard.kernel.data import giving
from grognard.kernel.data import reading as read
from grognard.kernel.data.setups import given_table
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.contact import Touch, touches
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.state.records import declared

KEYS = (
    "scenario",
    "turn",
    "phase",
    "stage",
    "active",
    "first",
    "begun",
    "table",
    "terrain",
    "creatures",
    "machines",
    "rooms",
    "units",
    "engaged",
    "forces",
    "awards",
    *given_special.KEYS,
    *given_rides.KEYS,
)
#: How far apart units in contact may have been written (mm).
NEARLY = inches(0.03)
NOW = (
    "moved",
    "fired",
    "charged",
    "fled",
    "pushed",
    "rallied",
    "won",
    "bonus_lost",
    "shaky",
)  # clocks: 0 is now, -1 a player turn ago
MORE = (
    *given_lines.MORE, *given_special.MORE, *given_rides.MORE, "leaderless", "rear", "trophies",
    "trophies_in_front", "post", "inside", "revealed", "burning", "side", "at", "facing", "files", "ranks",
    "caught", "pursuing", "split", "start", "spacing", "routed_at", "w", *NOW, *giving.names(Unit),
)  # fmt: skip


#: Facts that name a unit or a piece of this table.
_NAMED: dict[str, Callable[[Battle], tuple[str, ...]]] = {
    "caught": lambda battle: ("", *battle.units),
    "pursuing": lambda battle: ("", *battle.units),
    "split": lambda battle: ("", *(p.id for p in battle.table.pieces)),
}


def create(given: Any, house: dict[str, Any]) -> Battle:
    """The battle a case begins with."""
    data = read.mapping(given, "given", KEYS)
    known = ("pitched-battle", "friendly", "book-terrain")
    scenario = read.one_of(data.get("scenario", "pitched-battle"), "given.scenario", known)
    battle = Battle(("red", "blue"), _table(data), house, scenario)
    battle.turn = read.whole(data.get("turn", 2), "given.turn")
    battle.phase = read.one_of(data.get("phase", "movement"), "given.phase", PHASES)
    battle.stage = read.whole(data.get("stage", 0), "given.stage")
    battle.first = read.one_of(data.get("first", "red"), "given.first", battle.seats)
    battle.second = read.one_of(data.get("active", battle.first), "given.active", battle.seats) != battle.first
    battle.clock = 2 * battle.turn - 1 + battle.second
    for seat, edge in zip(battle.seats, ("south", "north"), strict=True):
        fielding.add_side(battle, seat, seat, edge)
    creatures = read.mapping(data.get("creatures") or {}, "given.creatures")
    own = {n: read_profile(n, said, f"given.creatures.{n}") for n, said in creatures.items()}
    battle.creatures = own
    units = read.mapping(data.get("units") or {}, "given.units")
    for key, entry in units.items():
        _unit(battle, key, entry, own)
    turn_start.refresh(battle)
    for key, entry in units.items():
        _states(battle, battle.units[key], entry, f"given.units.{key}")
        given_special.unit(battle, battle.units[key], entry, f"given.units.{key}")
        given_rides.unit(battle, battle.units[key], entry, f"given.units.{key}")
        if entry.get("joins"):
            _joined(battle, battle.units[key], entry, f"given.units.{key}")
    given_special.whole(battle, data)
    given_rides.whole(battle, data)
    given_machines.given(battle, data)
    _forces(battle, data.get("forces") or {})
    places = read.mapping(data.get("awards") or {}, "given.awards", [p.id for p in battle.table.pieces])
    battle.land = battle.land.but(
        awards=tuple((name, read.whole(n, f"given.awards.{name}")) for name, n in places.items())
    )
    given_lines.joined(battle, units)
    _engaged(battle, data.get("engaged") or [])
    given_lines.bent(battle, units)
    given_lines.hunted(battle)
    battle.begun = read.flag(data.get("begun", False), "given.begun")
    return battle


def _joined(battle: Battle, character: Unit, said: dict[str, Any], where: str) -> None:
    """wfb3:14.6.3-attach, wfb3:14.6.3-place, wfb3:14.6.5-take-command
    A character within a unit, and his place there."""
    ridden = battle.models.get(str(said["joins"]))
    carrier = ridden if ridden is not None and battle.units[ridden.unit].kind in ("chariot", "monster") else None
    name = carrier.unit if carrier is not None else said["joins"]
    host = battle.units[read.one_of(name, f"{where}.joins", battle.units)]
    if said.get("post"):
        model = battle.models[character.models[0]]
        model.post = read.one_of(said["post"], f"{where}.post", joining.POSTS)
    fielding.attach(battle, character, host, leads=bool(said.get("leads")), where=where, carrier=carrier)
    if host.block is not None:
        formations.shaped(battle, host)
    if said.get("leads") and host.kind not in ("chariot", "monster") and host.leader != character.id:
        raise BadInput(
            "{where}: a leader has a higher Ld than the troops and their leader (wfb3:14.6.5-take-command)", where=where
        )


def _table(data: dict[str, Any]) -> Table:
    bare = given_table(data, (72, 48), (12, 120), read.INCHES, "wfb3:2.1-table")
    return bare.with_pieces(read_pieces(data.get("terrain", []), bare, "given.terrain"))


def _unit(battle: Battle, key: str, entry: Any, own: dict[str, Any]) -> None:
    where = f"given.units.{key}"
    said = read.mapping(entry, where, (*UNIT_KEYS, *MORE))
    seat = read.one_of(said.get("side"), f"{where}.side", battle.seats)
    made = recruit({"name": key, **{k: v for k, v in said.items() if k in UNIT_KEYS and k != "joins"}}, where, own)
    unit = fielding.add_unit(battle, seat, key, made)
    if "at" not in said:
        return
    x, y = read.INCHES.point(said["at"], f"{where}.at")
    facing = read.number(said.get("facing", 0 if seat == "red" else 180), f"{where}.facing")
    usual = 1 if said.get("formation") == "file" else seating.usual_files(unit)
    if "ranks" in said:
        usual = math.ceil(len(unit.models) / max(1, read.whole(said["ranks"], f"{where}.ranks")))
    files = read.whole(said.get("files", usual), f"{where}.files")
    block = seating.settle(battle, unit, files)
    if "spacing" in said:
        block = skirmish.spaced(unit, block, read.number(said["spacing"], f"{where}.spacing"), where)
    battle.form(unit, block.placed((x, y), facing))
    cx, cy = battle.block_of(unit).centre
    if not (0 <= cx <= battle.table.width and 0 <= cy <= battle.table.height):
        raise BadInput("{where} is off the table", where=f"{where}.at")
    if files == 1 and battle.size(unit) > 2 and unit.kind in ("infantry", "cavalry"):
        unit.drill = unit.drill.but(formation="file")


def _states(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    giving.give(unit, said, where)
    given_lines.clocks(battle, unit, said, NOW, where)
    for name, known in _NAMED.items():
        if name in said:
            declared(Unit)[name].set(unit, read.one_of(said[name], f"{where}.{name}", known(battle)))
    unit.start = read.whole(said.get("start", unit.start), f"{where}.start")
    if unit.rout.routed:
        unit.rout = unit.rout.but(
            routed_at=battle.clock + read.integer(said.get("routed_at", -1), f"{where}.routed_at")
        )
    if unit.drill.formation != "ranks" and unit.block is not None:
        formations.shaped(battle, unit)
    given_lines.states(battle, unit, said, where)
    if said.get("leaderless"):
        unit.leader = ""
        for model in battle.ordinary(unit):
            model.role = "" if model.role == "leader" else model.role
    _banners(battle, unit, said, where)
    if "w" in said:
        first = battle.numbered(unit)[0]
        first.w = read.whole(said["w"], f"{where}.w")
        if first.role != "character" and unit.kind not in ("character", "monster", "chariot", "altar"):
            unit.combat = unit.combat.but(hurt=max(unit.combat.hurt, first.profile.W - first.w))
        if not first.w and unit.kind == "character":
            battle.remove(unit, "destroyed")
            first.alive, unit.models = False, ()
    if unit.rout.fled != NEVER and unit.rout.fled > battle.clock:
        raise BadInput("{where}.fled is 0 for now or less", where=where)


def _banners(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """wfb3:12.1-placement, wfb3:12.3-carry-captured
    Who stands in the rear, whose banners it carries, where they stand."""
    for role in read.words(said.get("rear") or [], f"{where}.rear"):
        for model in battle.ordinary(unit):
            if model.role == role:
                model.post = "rear"
    for name in read.words(said.get("trophies") or [], f"{where}.trophies"):
        owner = battle.units[read.one_of(name, f"{where}.trophies", battle.units)]
        if owner.kind == "character":
            owner.standards = owner.standards.but(great="captured")
            unit.standards = unit.standards.but(trophies=(*unit.standards.trophies, owner.id))
            continue
        standards.take(battle, owner, unit)
        carrier = next((m for m in battle.ordinary(unit) if m.trophy == name), None)
        if carrier is not None and said.get("trophies_in_front"):
            carrier.post = "front"
    if unit.block is not None and (said.get("rear") or said.get("trophies") or said.get("leaderless")):
        seating.swap_in(battle, unit)


def _forces(battle: Battle, said: Any) -> None:
    """wfb3:25.2.3-reserve-force  {seat: {advance: [units], reserves: [{leader, units, edge, segment, turn}]}}"""
    for seat, entry in read.mapping(said, "given.forces", battle.seats).items():
        where = f"given.forces.{seat}"
        noted = read.mapping(entry, where, ("advance", "reserves"))
        side = battle.sides[seat]
        side.advance = tuple(read.words(noted.get("advance") or [], f"{where}.advance"))
        for number, force in enumerate(read.listing(noted.get("reserves") or [], f"{where}.reserves")):
            at = f"{where}.reserves[{number}]"
            kept = read.mapping(force, at, ("leader", "units", "edge", "segment", "turn"))
            leader = read.one_of(kept.get("leader"), f"{at}.leader", battle.models)
            named = read.some_of(kept.get("units") or (), f"{at}.units", battle.units)
            alone = leader in battle.units and battle.units[leader].models and battle.units[leader].block is None
            units = tuple(dict.fromkeys([*named, *([leader] if alone else [])]))
            for key in units:
                battle.units[key].where = "held"
            edge = read.one_of(kept.get("edge", side.edge), f"{at}.edge", ("south", "north", "west", "east"))
            segment = read.whole(kept.get("segment", 1), f"{at}.segment")
            turn = read.whole(kept.get("turn", 2), f"{at}.turn")
            side.reserves = (*side.reserves, Force(leader, units, edge, segment, turn))


def _engaged(battle: Battle, pairs: Any) -> None:
    """wfb3:7-contact  Pairs of units in combat; they must stand side to side."""
    for number, pair in enumerate(read.listing(pairs, "given.engaged")):
        names = [
            read.one_of(name, f"given.engaged[{number}]", battle.units)
            for name in read.listing(pair, f"given.engaged[{number}]")
        ]
        if len(names) != 2:
            raise BadInput("{where}: two units fight each other (wfb3:7-contact)", where=f"given.engaged[{number}]")
        a, b = (battle.units[name] for name in names)
        if given_machines.indoors(battle, a, b):
            continue
        given_lines.standing(a, b)
        met = touches(battle.block_of(a).boundary, battle.block_of(b).boundary) or _laid_flush(battle, a, b)
        if not met:
            if overlap(battle.block_of(a).outline.shrunk(1.0), battle.block_of(b).outline):
                raise BadInput(
                    "{where}: {unit} and {other} stand on each other; put their sides together (wfb3:7-contact)",
                    where=f"given.engaged[{number}]", unit=a.id, other=b.id,
                )  # fmt: skip
            raise BadInput(
                "{where}: {unit} and {other} do not touch, {gap} inches are between them (wfb3:7-contact)",
                where=f"given.engaged[{number}]", unit=a.id, other=b.id, gap=round(battle.gap(a, b) / inches(1), 2),
            )  # fmt: skip
        rounds = a.combat.rounds, b.combat.rounds, a.combat.weapon, b.combat.weapon
        battle.engage(a, met[0].side, b, met[0].other)
        a.combat = a.combat.but(rounds=rounds[0], weapon=rounds[2])
        b.combat = b.combat.but(rounds=rounds[1], weapon=rounds[3])
        before = max(a.combat.rounds, b.combat.rounds, int(battle.clock - 1 in (a.combat.won, b.combat.won)))
        last = battle.engagements[-1]
        battle.engagements = (*battle.engagements[:-1], last._replace(since=battle.clock - before))
        for unit in (a, b):
            unit.combat = unit.combat.but(
                ever_pushed=unit.combat.ever_pushed or unit.combat.pushed >= battle.clock - before
            )


def _laid_flush(battle: Battle, a: Unit, b: Unit) -> tuple[Touch, ...]:
    """Two units that all but touch, as a case writes them to two decimals, are laid side to side."""
    for unit, other in ((b, a), (a, b)):
        block, box = battle.block_of(unit), battle.block_of(other).boundary
        if battle.engaged(unit):
            continue
        for side in Edge:
            (x, y), (hx, hy) = box.middle(side), heading(box.outward(side))
            off = min((cx - x) * hx + (cy - y) * hy for cx, cy in block.boundary.corners)
            if abs(off) > NEARLY:
                continue
            moved = block.placed((block.x - hx * off, block.y - hy * off), block.facing)
            met = touches(battle.block_of(a).boundary, moved.boundary) if unit is b else touches(moved.boundary, box)
            if met and met[0].length > NEARLY:
                battle.form(unit, moved)
                return met
    return ()

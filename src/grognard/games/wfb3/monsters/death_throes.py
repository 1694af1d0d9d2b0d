"""wfb3:18.4.4-driver-killed  Deaths that have consequences: crewmen, drivers, and monsters themselves."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.characters import army_standards
from grognard.games.wfb3.chariots import chariot_damage
from grognard.games.wfb3.combat import sourceless_hits
from grognard.games.wfb3.forces import Model, Throe, Unit
from grognard.games.wfb3.hooks import MOUNT_FALLS
from grognard.games.wfb3.monsters import amok, leaving_mounts
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.rolls.saves import Blow
from grognard.games.wfb3.table import crews
from grognard.kernel.formation.shapes import Outline, Rect, base_outline
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Roll, Script

#: wfb3:18.6-death-throes  How near a falling monster strikes.
NEAR = inches(1)
_FALLS = {1: "", 2: "left", 3: "left", 4: "right", 5: "front", 6: "around"}
NOBODY: Mapping[str, Pose] = {}


def crewman(battle: Battle, model: Model, rule: str) -> Script[None]:
    """wfb3:18.4.4-driver-killed, wfb3:20.8.2-crew-killed  One of a crew falls; beasts and teams may get out of hand."""
    unit, carrier = battle.units[model.unit], battle.models[model.ride.aboard]
    drove = carrier.ride.driver == model.id
    battle.tell("killed", rule, (model.id,), unit=unit.id, role="driver" if drove else model.role or "crew")
    _fall(battle, unit, model)
    crews.off(battle, carrier, model)
    if not carrier.alive:
        return
    if carrier.ride.car is not None:
        yield from chariot_damage.control(battle, unit, carrier)
    elif drove:
        yield from amok.unleash(battle, unit, carrier, "wfb3:18.4.4-driver-killed")


def _fall(battle: Battle, unit: Unit, model: Model) -> None:
    model.alive = False
    if unit.leader == model.id:
        unit.leader = ""
    home = battle.units[model.home]
    bearer = home if home.id != unit.id else unit
    if model.role == "character" and bearer.standards.great == "held":
        army_standards.fallen(battle, model, unit)
    if home.id != unit.id:
        home.models = tuple(key for key in home.models if key != model.id)
        home.where = home.where if home.models else "destroyed"


def monster(battle: Battle, unit: Unit, carrier: Model, spot: Pose, stood: Mapping[str, Pose]) -> Script[None]:
    """wfb3:18.6-death-crew, wfb3:18.6-death-throes, wfb3:21.7-crash
    The beast is dead: in the air it falls with those it carries; on the ground its crew is crushed, and so is whoever
    stands near (those of its unit stood like this).
    """
    if unit.air.height and carrier.ride.fell != battle.clock:
        for falls in MOUNT_FALLS:
            yield from falls(battle, unit, carrier, spot)
        return
    beast = carrier.profile
    members = crews.aboard(battle, carrier)
    blow = Blow(beast.modifier, "wfb3:18.6-death-crew")
    for member in members:
        yield from sourceless_hits.on_model(
            battle, member.seat, member, 1, beast.S, blow, "wfb3:18.6-death-crew", (carrier.id,)
        )
    left = [m for m in members if m.alive]
    base = battle.base(carrier)
    made = Throe(carrier.id, carrier.seat, (spot.x, spot.y, spot.facing), (base.width, base.length), beast.S,
                 beast.modifier, 0)  # fmt: skip
    if left:
        leaving_mounts.on_foot(battle, carrier, left, spot, "wfb3:18.6-death-crew", bound=True)
    yield from throe(battle, made, tuple(m.unit for m in left), stood=stood)


def throe(
    battle: Battle, made: Throe, spared: tuple[str, ...] = (), *, face: int = 0, stood: Mapping[str, Pose] = NOBODY
) -> Script[None]:
    """wfb3:18.6-death-throes  How it falls: on nobody, to one side, or about it on everybody and again next turn."""
    rule = "wfb3:18.6-death-throes"
    if not face:
        (face,) = yield Roll(made.seat, "death-throes", 6, rule=rule, about=(made.name,))
    way = _FALLS[face]
    battle.tell("death-throes", rule, (made.name,), falls=way or "still", face=face)
    mates = [u for u in battle.here() if way and any(key in stood for key in u.models)]
    for unit in dict.fromkeys([*mates, *struck_by(battle, made, way)]):
        if unit.id in spared:
            continue
        near = _under(battle, made, way, unit, stood)
        if not near and any(key in stood for key in unit.models):
            continue
        hits = yield from dice.d3(made.seat, "death-throes.hits", rule, (made.name, unit.id))
        yield from sourceless_hits.on_unit(
            battle, made.seat, unit, hits, made.strength, Blow(made.modifier, rule), rule, near
        )
    if way == "around":
        battle.throes = (*battle.throes, made._replace(face=0))


def struck_by(battle: Battle, made: Throe, way: str) -> list[Unit]:
    """Units within an inch of the side the beast falls to, friend or foe; flyers are out of its reach."""
    if not way:
        return []
    zone = _zone(made, way)
    return [u for u in battle.here() if not u.air.height and gap(zone, battle.block_of(u).outline) <= _reach(way) + EPS]


def _under(battle: Battle, made: Throe, way: str, unit: Unit, stood: Mapping[str, Pose]) -> list[Model]:
    """Those beasts or cars of a unit that stand on that side, of its own unit those in contact with it."""
    if unit.kind not in ("monster", "chariot"):
        return []
    own = any(key in stood for key in unit.models)
    zone, reach = _zone(made, "around" if own else way), (0.0 if own and way != "around" else _reach(way)) + EPS
    spots = {m.id: stood.get(m.id) or battle.pose(m) for m in battle.members(unit)}
    return [m for m in battle.numbered(unit) if gap(zone, base_outline(battle.base(m), spots[m.id])) <= reach]


def _reach(way: str) -> float:
    return NEAR if way == "around" else 0.0


def _zone(made: Throe, way: str) -> Outline:
    x, y, facing = made.at
    wide, long = made.size[0] / 2, made.size[1] / 2
    if way == "around":
        return Rect(x, y, facing, wide, long).outline
    turn, out = {"left": (-90.0, wide), "right": (90.0, wide), "front": (0.0, long)}[way]
    hx, hy = heading(facing + turn)
    far = out + NEAR / 2
    half = (wide, NEAR / 2) if way == "front" else (NEAR / 2, long)
    return Rect(x + hx * far, y + hy * far, facing, *half).outline


def end_of_turn(battle: Battle) -> Script[None]:
    """wfb3:18.6-death-throes  Monsters that stagger on are rolled for again at the end of the turn."""
    made = []
    for one in battle.throes:
        (face,) = yield Roll(one.seat, "death-throes", 6, rule="wfb3:18.6-death-throes", about=(one.name,))
        made.append(one._replace(face=face))
    battle.throes = tuple(made)


def start_of_turn(battle: Battle) -> Script[None]:
    """wfb3:18.6-death-throes  And what was rolled happens in the next turn."""
    waiting, battle.throes = battle.throes, ()
    for one in waiting:
        yield from throe(battle, one, face=one.face)

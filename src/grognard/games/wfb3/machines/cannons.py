"""Chapter 19.8: cannon: a ball along a line, through ranks, hedges and woods, until its force is spent."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from shapely import LineString, Polygon, box
from shapely.affinity import rotate, translate

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.machines import artillery, blasts, machine_targets, misfires, shots_at_buildings
from grognard.games.wfb3.machines.blasts import Shell
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.rolls import notes
from grognard.games.wfb3.table import flyers, terrain
from grognard.kernel.citing import cites
from grognard.kernel.formation.arcs import located_arc
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.block import Place as Spot
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import Shift, first_contact, gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Option, Pick, Place, Roll, Script

#: Less force than this is none: lengths are rounded, and force is counted by them.
HAIR = 0.01
#: wfb3:19.8-six-ranks
FORCE = 6.0
#: wfb3:19.8-hits
HITS = 2
#: wfb3:19.8-strength-loss  Every so many inches a point of strength is lost.
BAND = 12.0
#: wfb3:19.8-terrain-woods  Ranks an inch of wood is worth; how wide a breach is (mm).
WOOD, BREACH = 2.0, inches(2)
#: wfb3:19.8-terrain-hedge, 19.8-terrain-wall  Ranks an obstacle is worth. Ruling: palisades count as fences, earth
#: banks as walls.
SOFT, HARD = ("fence", "hedge", "palisade"), ("wall", "earth bank")
HILLS = ("hill", "steep hill")
#: A side of a formation, and a rank or file of it.
Row = tuple[int, int]


class Station(NamedTuple):
    """Something on the line: how far off (mm), what, and itself."""

    at: float
    what: str  # unit, obstacle, solid, crest, edge
    thing: Any


class Flight:
    """A ball on its way: how far it has come, what is left of its force."""

    def __init__(self, battle: Battle, machine: Machine, way: float, pitch: str) -> None:
        self.battle, self.machine, self.pitch = battle, machine, pitch
        self.start = machine.muzzle
        self.hx, self.hy = heading(way)
        self.way = way
        self.reach = machine.engine.reach
        self.force, self.at = FORCE, 0.0
        self.stopped = ""
        end = (self.start[0] + self.hx * self.reach, self.start[1] + self.hy * self.reach)
        self.line = LineString([self.start, end])
        self.high = bool(terrain.level(battle.table, self.start))
        self.hills = [(p, *span) for p in battle.table.pieces if p.kind in HILLS for span in self.spans(p)]
        self.woods = [span for p in battle.table.pieces if p.kind == "wood" for span in self.spans(p)]

    def point(self, at: float) -> Point:
        return self.start[0] + self.hx * at, self.start[1] + self.hy * at

    def spans(self, piece: Piece) -> list[tuple[float, float]]:
        """Where the line lies in a piece."""
        common = piece.polygon.intersection(self.line)
        parts = getattr(common, "geoms", [common])
        found = []
        for part in parts:
            if part.is_empty:
                continue
            far = [math.hypot(x - self.start[0], y - self.start[1]) for x, y in part.coords]
            found.append((min(far), max(far)))
        return sorted(found)

    def other_hills(self) -> list[tuple[Piece, float, float]]:
        return [h for h in self.hills if not (self.high and h[1] <= 1.0)]

    def slope(self, at: float) -> Piece | None:
        """The hill a point of the line lies on, the gun's own aside."""
        return next((p for p, low, high in self.other_hills() if low - 0.5 <= at <= high + 0.5), None)

    def uphill(self, at: float) -> bool:
        """wfb3:19.8-terrain-uphill  Whether what lies there is above the gun."""
        return not self.high and self.slope(at) is not None

    def skips(self, at: float) -> bool:
        """wfb3:19.8-terrain-downhill  Shot from hill to hill, the ball passes over what lies in the dip."""
        return self.pitch == "across" and self.slope(at) is None

    def stations(self) -> list[Station]:
        found = [
            Station(at, "unit", u)
            for u in self.battle.here()
            if u.id != self.machine.holder
            and not flyers.beyond(self.battle, u)
            and (at := self.meets(self.battle.block_of(u).outline)) is not None
        ]
        for piece in self.battle.table.pieces:
            what = terrain.kind(piece)
            if what.ground == "linear" and not what.negative:
                found += [Station(span[0], "obstacle", piece) for span in self.spans(piece)[:1]]
            elif what.sight == "solid":
                found += [Station(span[0], "solid", piece) for span in self.spans(piece)[:1]]
        for piece, low, high in self.other_hills():
            middle = piece.polygon.centroid
            along = (middle.x - self.start[0]) * self.hx + (middle.y - self.start[1]) * self.hy
            foot = self.high and self.pitch == "down"
            found.append(Station(low if foot else min(high, max(low, along)), "crest", piece))
        order = {"unit": 0, "obstacle": 1, "solid": 2, "crest": 3}
        return sorted(found, key=lambda s: (round(s.at, 2), order[s.what]))

    def meets(self, outline: Outline) -> float | None:
        """How far off the line meets an outline."""
        motion = Shift(self.hx * self.reach, self.hy * self.reach)
        ball = Outline((self.start,), machine_targets.BALL)
        return 0.0 if gap(ball, outline) <= 0.0 else first_contact(ball, motion, outline)

    def fly(self, to: float) -> bool:
        """wfb3:19.8-terrain-woods  On to a station; woods on the way take their toll. False where it stops."""
        for low, high in self.woods:
            begin, end = max(low, self.at), min(high, to)
            if end <= begin or self.skips((begin + end) / 2):
                continue
            price = WOOD * (2.0 if self.uphill((begin + end) / 2) else 1.0)
            self.battle.cite("wfb3:19.8-terrain-woods")
            cost = price * (end - begin) / inches(1)
            if cost > self.force + HAIR:
                self.at = begin + inches(self.force / price)
                self.stop("wood", "wfb3:19.8-terrain-woods")
                return False
            self.force -= cost
        self.at = to
        return True

    def stop(self, by: str, rule: str) -> None:
        self.stopped, self.force = by, 0.0
        self.battle.tell("cannon.stopped", rule, (self.machine.id,), by=by, inches=round(self.at / inches(1), 2))


def fire(battle: Battle, unit: Unit, machine: Machine) -> Script[None]:
    """wfb3:19.8-line  A direction in the arc; everything on the line is hit, the nearest first."""
    way = yield Place(
        unit.seat, "machine.line", (machine.id,), machine_targets.LineJudge(battle, unit, machine), optional=True,
        rule="wfb3:19.8-line", about=(machine.id,), notes=notes.engine(machine.engine),
    )  # fmt: skip
    if way is None:
        return
    aid = yield from artillery.supervise(battle, unit, machine)
    flight = Flight(battle, machine, way, "")
    if flight.high and flight.other_hills():
        options = [Option("down", "down", "option.cannon.down"), Option("across", "across", "option.cannon.across")]
        flight.pitch = yield Pick(
            unit.seat, "cannon.pitch", options, rule="wfb3:19.8-terrain-downhill", about=(machine.id,)
        )
    if (yield from misfires.overheats(battle, unit, machine)):
        return
    artillery.shot(battle, unit, machine)
    battle.tell("cannon.fires", "wfb3:19.8-line", (machine.id,), bearing=round(way, 2))
    for station in flight.stations():
        if flight.stopped or flight.force <= HAIR or station.at > flight.reach:
            break
        if flight.skips(station.at):
            battle.cite("wfb3:19.8-terrain-downhill")
            continue
        if not flight.fly(station.at):
            break
        if station.what == "unit":
            yield from strike(battle, flight, station, aid)
        elif station.what == "obstacle":
            yield from breach(battle, flight, station.thing)
        elif station.what == "solid":
            yield from _building(battle, flight, station.thing, aid)
        else:
            flight.stop(station.thing.id, "wfb3:19.8-terrain-downhill" if flight.high else "wfb3:19.8-terrain-uphill")
    if not flight.stopped and flight.force > HAIR:
        flight.fly(flight.reach)


@cites
def strength(battle: Battle, machine: Machine, far: float) -> int:
    """wfb3:19.8-strength-loss  A point less for every twelve inches beyond the first."""
    lost = max(0, math.ceil(far / inches(1) / BAND - 1e-4) - 1)
    return machine.engine.strength - lost


def strike(battle: Battle, flight: Flight, station: Station, aid: bool) -> Script[None]:
    """wfb3:19.8-hits, wfb3:19.8-six-ranks, wfb3:27.6.1-cannon
    Two hits on every rank it goes through, while its force lasts."""
    unit: Unit = station.thing
    if unit.where != "table":
        return
    cost = 2.0 if flight.uphill(station.at) else 1.0
    if cost > 1:
        battle.cite("wfb3:19.8-terrain-uphill")
    hits = 1 if battle.house["weak_cannon"] else HITS
    if battle.house["weak_cannon"]:
        battle.cite("wfb3:27.6.1-cannon")
    struck: list[Model] = []
    ranks = 0
    for rank in crossed(battle, flight, unit):
        if flight.force < cost - HAIR:
            battle.cite("wfb3:19.8-six-ranks")
            flight.force = 0.0
            break
        flight.force -= cost
        ranks += 1
        struck += rank[:hits]
    if not ranks:
        return
    far = gap(Outline((flight.start,), 0.0), battle.block_of(unit).outline)
    power = strength(battle, flight.machine, far)
    seat = battle.units[flight.machine.holder].seat
    battle.tell(
        "cannon.hits", "wfb3:19.8-hits", (flight.machine.id, unit.id), ranks=ranks, hits=len(struck), strength=power
    )
    shell = Shell(flight.machine, seat, strength=power, rule="wfb3:19.8-hits", plus=1 if aid else 0)
    yield from blasts.hit_all(battle, shell, struck)


def crossed(battle: Battle, flight: Flight, unit: Unit) -> list[list[Model]]:
    """wfb3:19.8-hits  The ranks on the line (files from a flank), nearest first, each by how near its models are.

    Ruling: a rank counts where the line meets a base of it; every side of a square has its own.
    """
    block = battle.block_of(unit)
    flank = located_arc(block.boundary, flight.start).is_flank
    rows: dict[Row, list[tuple[float, int, Model]]] = {}
    met: dict[Row, float] = {}
    for place, key in zip(block.places, unit.models, strict=True):
        row = _row(block, place, flight.way, flank)
        off = abs((place.pose.x - flight.start[0]) * flight.hy - (place.pose.y - flight.start[1]) * flight.hx)
        rows.setdefault(row, []).append((round(off, 2), place.number, battle.models[key]))
        at = flight.meets(place.outline)
        if at is not None:
            met[row] = min(at, met.get(row, at))
    return [[m for _, _, m in sorted(rows[row], key=lambda r: r[:2])] for row in sorted(met, key=lambda r: met[r])]


def _row(block: Block, place: Spot, way: float, flank: bool) -> Row:
    """wfb3:19.8-hits, wfb3:5.7.3-square, wfb3:5.7.5-missile-wedge
    Which rank, or file, of a formation a model stands in."""
    if not block.seats:
        return 0, place.file if flank else place.rank
    side = round((place.pose.facing - block.facing) / 90.0) % 4
    if any(seat.turn for seat in block.seats):
        along = abs(math.cos(math.radians(way - place.pose.facing))) >= math.sqrt(0.5) - 1e-9
        return side, place.rank if along else place.file
    _, ahead = block.boundary.local((place.pose.x, place.pose.y))
    return 0, place.file if flank else -round(2 * ahead / block.base.length)


def breach(battle: Battle, flight: Flight, piece: Piece) -> Script[None]:
    """wfb3:19.8-terrain-hedge, wfb3:19.8-terrain-wall  An obstacle in the way: through it, or stopped by it."""
    soft = piece.kind in SOFT
    rule = "wfb3:19.8-terrain-hedge" if soft else "wfb3:19.8-terrain-wall"
    if piece.has("tall"):
        flight.stop(piece.id, "wfb3:19.8-terrain-building")
        return
    cost = 2.0 if soft else 4.0
    if flight.uphill(flight.at):
        battle.cite("wfb3:19.8-terrain-uphill")
        cost *= 2
    elif flight.high and not terrain.level(battle.table, flight.point(flight.at)):
        battle.cite("wfb3:19.8-terrain-downhill")
        cost /= 2
    if flight.force < cost - HAIR:
        flight.stop(piece.id, rule)
        return
    if not soft:
        seat = battle.units[flight.machine.holder].seat
        (face,) = yield Roll(
            seat, "cannon.wall", 6, rule=rule, about=(flight.machine.id, piece.id), need=4, sense="high"
        )
        if face < 4:
            flight.stop(piece.id, rule)
            return
    flight.force -= cost
    remove(battle, piece, flight.point(flight.at))
    battle.tell("cannon.breach", rule, (flight.machine.id, piece.id), ranks=cost)


def remove(battle: Battle, piece: Piece, point: Point) -> None:
    """wfb3:19.8-terrain-hedge  Two inches of an obstacle are gone."""
    (ax, ay), (bx, by) = max(
        zip(piece.points, (*piece.points[1:], piece.points[0]), strict=True), key=lambda e: math.dist(*e)
    )
    turn = math.degrees(math.atan2(by - ay, bx - ax))
    hole = translate(rotate(box(-BREACH / 2, -inches(3), BREACH / 2, inches(3)), turn, origin=(0, 0)), *point)
    rest = piece.polygon.difference(hole)
    parts = [g for g in getattr(rest, "geoms", [rest]) if isinstance(g, Polygon) and g.area > 1.0]
    pieces: list[Piece] = []
    for old in battle.table.pieces:
        if old.id != piece.id:
            pieces.append(old)
            continue
        for number, part in enumerate(parts):
            ring = tuple((round(x, 3), round(y, 3)) for x, y in list(part.exterior.coords)[:-1])
            name = old.id if len(parts) == 1 else f"{old.id}-{number + 1}"
            pieces.append(Piece(name, old.kind, ring, old.height, old.sight, old.traits, old.floor))
    battle.table = battle.table.with_pieces(tuple(pieces))
    battle.version += 1


def _building(battle: Battle, flight: Flight, piece: Piece, aid: bool) -> Script[None]:
    """wfb3:19.8-terrain-building  Buildings, high walls and rocks stop the ball; masonry may suffer."""
    power = strength(battle, flight.machine, flight.at)
    room = building_damage.ground_room(battle, piece.id, flight.point(flight.at))
    flight.stop(piece.id, "wfb3:19.8-terrain-building")
    if room is not None:
        seat = battle.units[flight.machine.holder].seat
        shell = Shell(flight.machine, seat, strength=power, rule="wfb3:22.4-toughness", plus=1 if aid else 0)
        yield from shots_at_buildings.hit(battle, shell, room)

"""wfb3:19.6-arc, wfb3:19.7-target, wfb3:19.8-line  What a machine may be pointed at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage, building_shooting
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import blasts
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.shooting import targeting
from grognard.games.wfb3.table import flyers, sections, sight, terrain
from grognard.games.wfb3.table.machines import far_from
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.arcs import fan
from grognard.kernel.formation.preview import Trace
from grognard.kernel.formation.shapes import Outline, Point, turn_between
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, first_contact, gap
from grognard.kernel.geometry.units import TOUCH, bearing, heading, inches, snap
from grognard.kernel.questions import Note, Option

if TYPE_CHECKING:
    pass

#: Half a ball (mm): a line between two files meets both.
BALL = 0.5
#: wfb3:19.6-arc  Half of an arc of 90 degrees.
HALF_ARC = 45.0
#: Corners of a template as it is drawn.
ROUND = 48


class Aim(NamedTuple):
    """Where a shot is meant to fall; blind where the crew cannot see it; a section/level where a wall is meant."""

    point: Point
    blind: bool
    room: str = ""


def targets(battle: Battle, unit: Unit, machine: Machine) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:19.6-fire  Enemies in the machine's arc and in sight; the usual restrictions hold."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for foe in battle.enemies(unit):
        why = target_refusal(battle, unit, machine, foe)
        if why is None:
            options.append(Option(foe.id, foe, about=(foe.id,)))
        else:
            barred[foe.id] = why
    for foe in sections.inside(battle, battle.other(unit.seat)):
        if foe.indoors.revealed and any(in_arc(machine, eye) for eye in _windows(battle, unit, machine, foe)):
            battle.cite("wfb3:22.3-shoot-in")
            options.append(Option(foe.id, foe, about=(foe.id,)))
    return options, barred


def _windows(battle: Battle, unit: Unit, machine: Machine, foe: Unit) -> list[Point]:
    """wfb3:22.3-shoot-in  The middles of the openings at which a machine's crew see somebody of an enemy."""
    return building_shooting.seen_from(battle, stand(machine), unit, foe)


def stand(machine: Machine) -> building_shooting.Stand:
    """Where a machine shoots from, to those who look out of windows."""
    return building_shooting.Stand(machine.outline, eyes(machine), 0, None)


def target_refusal(battle: Battle, unit: Unit, machine: Machine, foe: Unit) -> Refusal | None:
    facts = {"machine": machine.id, "target": foe.id}
    outline = battle.block_of(foe).outline
    if gap(fan(machine.rect, Edge.FRONT), outline) > TOUCH:
        return Refusal("refuse.machine.arc", machine.engine.rule("arc"), facts, ("wfb3:19.6-fire",))
    if targeting.personage(battle, foe) and targeting.exposure(battle, foe) == "none":
        return Refusal("refuse.machine.protected", "wfb3:14.6.2-protected", facts, ("wfb3:19.6-fire",))
    others = sight.blockers(battle, unit, foe, [], [])
    if not sight.aloft(unit, foe) and not sight.free(battle, eyes(machine), sight.spots(outline), others):
        return Refusal("refuse.machine.unseen", "wfb3:19.6-fire", facts, ("wfb3:6.2.2-los",))
    return None


def eyes(machine: Machine) -> list[Point]:
    left, right = machine.rect.side(Edge.FRONT)
    return [machine.muzzle, left, right]


def in_arc(machine: Machine, point: Point) -> bool:
    """wfb3:19.6-arc, wfb3:19.7-target  Whether a point lies in the arc of 90 degrees."""
    return gap(fan(machine.rect, Edge.FRONT), Outline((point,), 0.0)) <= TOUCH


def sees(battle: Battle, unit: Unit, machine: Machine, point: Point) -> bool:
    """wfb3:19.7-target, wfb3:6.2.2-los  Whether the crew see a point; somebody standing on it is looked at."""
    spot = Outline((point,), 0.0)
    for other in battle.here():
        if other.id != unit.id and gap(battle.block_of(other).outline, spot) <= 0.03:
            return sight.free(battle, eyes(machine), [point, *sight.spots(battle.block_of(other).outline)],
                              sight.blockers(battle, unit, other, [], []))  # fmt: skip
    muzzle = machine.muzzle
    high = bool(terrain.level(battle.table, muzzle) or terrain.level(battle.table, point))
    found: list[tuple[tuple[Point, ...], bool]] = []
    for piece in battle.table.pieces:
        what = terrain.kind(piece)
        on = terrain.inside(piece, [muzzle]) or terrain.inside(piece, [point])
        if what.sight in ("solid", "wall") and not on:
            found += [(ring, False) for ring in sight.rings(battle, piece)]
        elif what.ground == "linear" and not what.negative:
            wall = terrain.outline(piece, battle.table)
            near = min(gap(wall, spot), gap(wall, machine.outline)) <= sight.AT_WALL
            if not near and not high:
                found += [(ring, False) for ring in sight.rings(battle, piece)]
    if not high:
        found += [(battle.block_of(o).outline.points, False) for o in battle.here() if o.id != unit.id]
    return sight.free(battle, eyes(machine), [point], found)


class AimJudge:
    """wfb3:19.7-target, wfb3:19.7-speculative, wfb3:27.6.2-no-speculative  {"x", "y"}, or {"section": a section/level}.

    Ruling: without measuring beforehand the range is guessed; a shot out of range is lost.
    """

    def __init__(self, battle: Battle, unit: Unit, machine: Machine) -> None:
        self.battle, self.unit, self.machine = battle, unit, machine
        engine = machine.engine
        self.rule = engine.rule("target" if engine.kind == "catapult" else "fire")

    def _refuse(self, code: str, rule: str = "", *more: str) -> Refused:
        return Refused(Refusal(f"refuse.machine.{code}", rule or self.rule, {"machine": self.machine.id}, more))

    def decode(self, wire: Any) -> Aim:
        if not isinstance(wire, dict):
            raise self._refuse("aim")
        room = ""
        if set(wire) == {"section"}:
            room = str(wire["section"])
            if room not in self.battle.rooms or not self.battle.rooms[room].standing:
                raise self._refuse("section", "wfb3:22.4-template")
            point = building_damage.mark(self.battle.rooms[room], self.machine.muzzle)
        elif set(wire) == {"x", "y"} and all(type(n) in (int, float) for n in wire.values()):
            point = (snap(float(wire["x"])), snap(float(wire["y"])))
        else:
            raise self._refuse("aim")
        table = self.battle.table
        if not (0.0 <= point[0] <= table.width and 0.0 <= point[1] <= table.height):
            raise self._refuse("off-table")
        if not in_arc(self.machine, point):
            raise self._refuse("arc")
        if self.battle.house["premeasure"]:
            far = far_from(self.machine, point)
            if not inches(self.machine.engine.least) - 0.03 <= far <= self.machine.engine.reach + 0.03:
                raise self._refuse("range")
        blind = not room and not sees(self.battle, self.unit, self.machine, point)
        if blind and self.battle.house["no_speculative"]:
            raise self._refuse("blind", "wfb3:27.6.2-no-speculative", self.machine.engine.rule("speculative"))
        return Aim(point, blind, room)

    def carry(self, to: Point, facing: float | None) -> Any:
        return {"x": round(to[0], 3), "y": round(to[1], 3)}

    def point(self, wire: Any) -> Point:
        return (wire["x"], wire["y"]) if "x" in wire else self.decode(wire).point

    def traces(self, wire: Any) -> tuple[Trace, ...]:
        """wfb3:19.7-damage, wfb3:22.4-template  The template where it is meant to fall, and whom it touches there."""
        (x, y), radius = self.point(wire), inches(self.machine.engine.radius)
        angles = [math.tau * n / ROUND for n in range(ROUND)]
        ring = tuple((snap(x + radius * math.sin(a)), snap(y + radius * math.cos(a))) for a in angles)
        models, engines = blasts.beneath(self.battle, (x, y), radius)
        under = dict.fromkeys(m.unit for m in models)
        return (Trace(ring, closed=True, hits=(*under, *(m.id for m in engines))),)

    def warns(self, wire: Any) -> tuple[Note, ...]:
        """wfb3:19.7-speculative, wfb3:19.7-damage  Whether the crew see the place, and whether friends are there."""
        blind = Note("note.aim.blind", {}, self.machine.engine.rule("speculative"))
        friends = _friends(self.battle, self.unit, self.traces(wire))
        told = (Note("note.aim.friends", {"units": friends}, self.rule),) if friends else ()
        return (blind, *told) if self.decode(wire).blind else told

    def encode(self, wire: Any) -> Any:
        aim = self.decode(wire)
        return {"section": aim.room} if aim.room else {"x": aim.point[0], "y": aim.point[1]}

    def proposals(self) -> list[str]:
        return [f"at:{foe.id}" for foe in self.battle.enemies(self.unit)]

    def propose(self, name: str) -> Any:
        foe = self.battle.units.get(name.partition(":")[2])
        if foe is None or foe.block is None:
            return None
        wire = {"x": round(foe.block.centre[0], 3), "y": round(foe.block.centre[1], 3)}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


class LineJudge:
    """wfb3:19.8-line  {"bearing"}: a direction within the cannon's arc of 90 degrees."""

    def __init__(self, battle: Battle, unit: Unit, machine: Machine) -> None:
        self.battle, self.unit, self.machine = battle, unit, machine

    def decode(self, wire: Any) -> float:
        facts = {"machine": self.machine.id}
        if not isinstance(wire, dict) or set(wire) != {"bearing"} or type(wire["bearing"]) not in (int, float):
            raise Refused(Refusal("refuse.machine.bearing", "wfb3:19.8-line", facts))
        way = float(wire["bearing"]) % 360.0
        if abs(turn_between(self.machine.facing, way)) > HALF_ARC + 0.01:
            raise Refused(Refusal("refuse.machine.arc", "wfb3:19.8-line", facts))
        return way

    def carry(self, to: Point, facing: float | None) -> Any:
        x, y = self.machine.muzzle
        return {"bearing": round(bearing(to[0] - x, to[1] - y), 3)}

    def point(self, wire: Any) -> Point:
        """wfb3:5.4.1-no-premeasure  Where the line leaves the table: how far the shot carries nobody is told."""
        (x, y), (hx, hy) = self.machine.muzzle, heading(wire["bearing"])
        far = _to_edge(self.battle, (x, y), (hx, hy))
        return x + hx * far, y + hy * far

    def traces(self, wire: Any) -> tuple[Trace, ...]:
        """wfb3:19.8-line  The line of the shot, and everybody who stands on it, friend or enemy, near or far."""
        start, end = self.machine.muzzle, self.point(wire)
        ball, line = Outline((start,), BALL), Shift(end[0] - start[0], end[1] - start[1])
        met: list[tuple[float, str]] = []
        for unit in self.battle.here():
            if unit.id == self.machine.holder or flyers.beyond(self.battle, unit):
                continue
            outline = self.battle.block_of(unit).outline
            at = 0.0 if gap(ball, outline) <= 0.0 else first_contact(ball, line, outline)
            if at is not None:
                met.append((round(at, 3), unit.id))
        return (Trace((start, (snap(end[0]), snap(end[1]))), hits=tuple(key for _, key in sorted(met))),)

    def warns(self, wire: Any) -> tuple[Note, ...]:
        """wfb3:19.8-line  Whether friends stand on the line."""
        friends = _friends(self.battle, self.unit, self.traces(wire))
        return (Note("note.line.friends", {"units": friends}, "wfb3:19.8-line"),) if friends else ()

    def encode(self, wire: Any) -> Any:
        return {"bearing": self.decode(wire)}

    def proposals(self) -> list[str]:
        return ["ahead", *(f"at:{foe.id}" for foe in self.battle.enemies(self.unit))]

    def propose(self, name: str) -> Any:
        way = self.machine.facing
        if name != "ahead":
            foe = self.battle.units.get(name.partition(":")[2])
            if foe is None or foe.block is None:
                return None
            x, y = self.machine.muzzle
            way = round(bearing(foe.block.centre[0] - x, foe.block.centre[1] - y), 3)
        wire = {"bearing": way}
        try:
            self.decode(wire)
        except Refused:
            return None
        return wire


def _friends(battle: Battle, unit: Unit, traces: tuple[Trace, ...]) -> list[str]:
    """Units of the shooter's own side an aim sweeps over."""
    units = [battle.units[key] for trace in traces for key in trace.hits if key in battle.units]
    return [other.id for other in units if other.seat == unit.seat]


def _to_edge(battle: Battle, start: Point, way: Point) -> float:
    """How far it is from a point to the edge of the table."""
    sizes = (battle.table.width, battle.table.height)
    return max(
        0.0,
        min(
            ((size if to > 0 else 0.0) - at) / to
            for at, to, size in zip(start, way, sizes, strict=True)
            if abs(to) > 1e-9
        ),
    )

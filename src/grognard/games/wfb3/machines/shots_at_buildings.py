"""wfb3:22.4-toughness  What war machines do to buildings: shots at a wall, stones thrown over and through it."""

from __future__ import annotations

import math

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_damage
from grognard.games.wfb3.machines import blasts, machine_targets
from grognard.games.wfb3.pieces import SIDES, Machine, Room
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.table import sections
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Script
from grognard.kernel.words.tally import Tally


def hit(battle: Battle, shell: blasts.Shell, room: Room, *, fire: bool = False) -> Script[int]:
    """wfb3:22.4-toughness  One hit on a section/level: its toughness, no save, the wounds listed are damage points."""
    return (
        yield from building_damage.strike(
            battle, shell.seat, room, shell.strength, 1, shell.wounds, (shell.machine.id,), plus=shell.plus, fire=fire
        )
    )


def marks(battle: Battle, machine: Machine) -> list[Option]:
    """wfb3:22.4-toughness  Section/levels a machine can see and hurt."""
    unit = battle.units[machine.holder]
    found = []
    for room in battle.rooms.values():
        if room.down or not room.outer or machine.engine.strength < building_damage.least_strength(room):
            continue
        spot = building_damage.mark(room, machine.muzzle)
        if machine_targets.in_arc(machine, spot) and machine_targets.sees(battle, unit, machine, spot):
            found.append(Option(room.id, room, about=(room.id,)))
    return found


def shot_at(battle: Battle, shell: blasts.Shell, room: Room, skill: int) -> Script[None]:
    """wfb3:22.4-toughness  A bolt shot at a building.

    Ruling: a building is a large target.
    """
    machine = shell.machine
    far = math.dist(building_damage.mark(room, machine.muzzle), machine.muzzle)
    if far > machine.engine.reach + 0.03:
        battle.tell("machine.wasted", "wfb3:19.6-fire", (machine.id, room.id))
        return
    need = Tally(steps.missile_need(skill), "BS", "wfb3:6.2-tohit-table").add(-1, "large", "wfb3:6.2.5-modifiers")
    if far > machine.engine.reach / 2 + 0.03:
        need.add(1, "long", "wfb3:6.2.5-modifiers")
    need.at_least(2, "best", "wfb3:6.2.5-floor")
    hits, _ = yield from steps.missile_hits(shell.seat, 1, need, "wfb3:19.6-fire", (machine.id, room.id))
    if hits:
        yield from hit(battle, shell, room)


def thrown(battle: Battle, shell: blasts.Shell, aim: machine_targets.Aim, score: int, drift: float) -> Script[None]:
    """wfb3:22.4-template  The template stands against the wall: twelve is up, six down, and it may pass foot or top."""
    room = battle.rooms[aim.room]
    muzzle = shell.machine.muzzle
    side = SIDES[building_damage.facing_side(room, muzzle)]
    angle = math.radians(30.0 * score) if score <= 12 else 0.0
    up = drift * math.cos(angle)
    across = drift * math.sin(angle)
    height = building_damage.STOREY * max(
        r.level for r in battle.rooms.values() if r.piece == room.piece and r.standing
    )
    z = (room.level - 0.5) * building_damage.STOREY + up
    right = _right(room, side, muzzle)
    foot = room.rect.middle(side)
    point = (foot[0] + right[0] * across, foot[1] + right[1] * across)
    radius = inches(shell.machine.engine.radius)
    struck = _facade(battle, room, side, right, across, z, radius)
    battle.tell("building.aimed", "wfb3:22.4-template", (shell.machine.id, room.id, *(r.id for r in struck)),
                up=round(z / inches(1), 2), across=round(across / inches(1), 2))  # fmt: skip
    out = heading(room.rect.outward(side))
    if z < 0.0:
        spot = (point[0] + out[0] * -z, point[1] + out[1] * -z)
        yield from blasts.burst(battle, shell, spot)
        return
    if z > height:
        deep = sections.frame(battle.table.piece(room.piece)).span(Edge.FRONT if side.is_flank else Edge.RIGHT)
        over = z - height + deep
        yield from blasts.burst(battle, shell, (point[0] - out[0] * over, point[1] - out[1] * over))
        return
    if not struck:
        yield from blasts.burst(battle, shell, point)
        return
    for one in struck:
        yield from hit(battle, shell, one)


def _right(room: Room, side: Edge, eye: Point) -> Point:
    """Along the wall, to the right of somebody who looks at it."""
    hx, hy = heading(room.rect.outward(side) - 90.0)
    fx, fy = heading(bearing(room.rect.x - eye[0], room.rect.y - eye[1]) + 90.0)
    return (hx, hy) if hx * fx + hy * fy >= 0 else (-hx, -hy)


def _facade(battle: Battle, room: Room, side: Edge, right: Point, across: float, z: float, radius: float) -> list[Room]:
    """The section/levels whose outer wall on this face the upright template covers, partly or wholly."""
    name = next(key for key, edge in SIDES.items() if edge is side)
    x0, y0 = room.rect.middle(side)
    found = []
    for other in battle.rooms.values():
        if other.piece != room.piece or other.down or name not in other.outer:
            continue
        mx, my = other.rect.middle(side)
        along = (mx - x0) * right[0] + (my - y0) * right[1]
        half = other.rect.span(side) / 2
        dx = max(0.0, abs(across - along) - half)
        dz = max(0.0, abs(z - (other.level - 0.5) * building_damage.STOREY) - building_damage.STOREY / 2)
        if math.hypot(dx, dz) < radius - 0.03:
            found.append(other)
    return found


def roof_hit(battle: Battle, shell: blasts.Shell, point: Point) -> Script[None]:
    """A stone that comes down on a building strikes the highest level of the section beneath.

    Ruling: only the section under the middle of the template.
    """
    room = building_damage.top_room(battle, point)
    if room is not None:
        battle.cite("wfb3:22.4-template")
        yield from hit(battle, shell, room)

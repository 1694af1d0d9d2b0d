"""wfb3:22.4, 22.5  Damage to buildings: shots, thrown stones, blows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from grognard.games.wfb3 import rooms, steps
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.engines import Hurt
from grognard.games.wfb3.forces import NEVER
from grognard.games.wfb3.rooms import SIDES, TOUGHNESS, Room
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Option, Roll, Script
from grognard.kernel.tally import Tally

if TYPE_CHECKING:
    from grognard.games.wfb3.aims import Aim
    from grognard.games.wfb3.blasts import Shell
    from grognard.games.wfb3.machines import Machine

#: Ruling: a level is two inches high where a template is stood against a wall (wfb3:22.4-template).
STOREY = inches(2)
#: wfb3:22.6-collapse-test
LIMIT = 6


def least_strength(room: Room) -> int:
    """wfb3:22.4-toughness  7 for stone, 6 for wood, 5 for wattle: what the wound table gives.

    >>> [next(s for s in range(1, 11) if steps.wound_need(s, TOUGHNESS[m]) <= 6) for m in TOUGHNESS]
    [7, 6, 5]
    """
    return next(s for s in range(1, 11) if steps.wound_need(s, TOUGHNESS[room.material]) <= 6)


def harm(
    battle: Battle, room: Room, points: int, rule: str, about: tuple[str, ...] = (), *, burning: bool = False
) -> None:
    """wfb3:22.4-toughness, 22.6-collapse-test  Damage points on a section/level."""
    if points <= 0 or room.down:
        return
    room.damage += points
    battle.cite("wfb3:3-inanimate")
    if burning:
        room.fire += points
    if room.damage >= LIMIT and room.struck == NEVER:
        room.struck = battle.clock
    battle.tell("building.damaged", rule, (room.id, *about), points=points, damage=room.damage)


def hit(battle: Battle, shell: Shell, room: Room, *, fire: bool = False) -> Script[int]:
    """wfb3:22.4-toughness  One hit on a section/level: its toughness, no save, the wounds listed are damage points."""
    return (
        yield from strike(
            battle, shell.seat, room, shell.strength, 1, shell.wounds, (shell.machine.id,), plus=shell.plus, fire=fire
        )
    )


def strike(
    battle: Battle, seat: str, room: Room, strength: int, hits: int, hurt: Hurt, about: tuple[str, ...], *,
    plus: int = 0, fire: bool = False, within: bool = False,
) -> Script[int]:  # fmt: skip
    """Hits on a section/level and the damage they do.

    wfb3:23.2-effects  Incendiaries have a point of strength more against what burns.
    """
    if room.down or not hits:
        return 0
    power = Tally(strength, "strength", "wfb3:22.4-toughness")
    if fire:
        from grognard.games.wfb3 import fires

        if fires.flammable(battle, room, within=within):
            power.add(1, "fire", "wfb3:23.2-effects")
    battle.cite(*power.rules)
    toughness = TOUGHNESS[room.material]
    need = Tally(steps.wound_need(int(power.value), toughness), f"S{int(power.value)}", "wfb3:22.4-toughness")
    wounded = yield from steps.wounds(seat, hits, need, "wfb3:22.4-toughness", (*about, room.id))
    points = 0
    for _ in range(wounded):
        if hurt.dice:
            faces = yield Roll(
                seat, "machine.wounds", hurt.sides, hurt.dice, rule="wfb3:22.4-toughness", about=(*about, room.id),
                sense="value",
            )  # fmt: skip
            points += sum(faces) + hurt.plus + plus
        else:
            points += hurt.plus + plus
    harm(battle, room, points, "wfb3:22.4-toughness", about)
    if fire and points:
        from grognard.games.wfb3 import fires

        yield from fires.scorch(battle, seat, room, points, within=within)
    return points


def ground_room(battle: Battle, piece: str, point: Point) -> Room | None:
    """The ground level of the section nearest to a point of a building's wall."""
    here = [r for r in battle.rooms.values() if r.piece == piece and r.level == 1 and r.standing]
    return min(here, key=lambda r: math.dist(r.rect.centre, point), default=None)


def facing_side(room: Room, eye: Point) -> str:
    """The outer wall that looks at a point most squarely."""
    way = bearing(eye[0] - room.rect.x, eye[1] - room.rect.y)

    def off(side: str) -> float:
        return abs((way - room.rect.outward(SIDES[side]) + 180.0) % 360.0 - 180.0)

    return min(room.outer or tuple(SIDES), key=off)


def mark(room: Room, eye: Point) -> Point:
    """Where a wall is aimed at: the middle of the one that faces the firer, just outside it."""
    side = SIDES[facing_side(room, eye)]
    x, y = room.rect.middle(side)
    hx, hy = heading(room.rect.outward(side))
    return x + hx, y + hy


def marks(battle: Battle, machine: Machine) -> list[Option]:
    """wfb3:22.4-toughness  Section/levels a machine can see and hurt."""
    from grognard.games.wfb3 import aims

    unit = battle.units[machine.holder]
    found = []
    for room in battle.rooms.values():
        if room.down or not room.outer or machine.engine.strength < least_strength(room):
            continue
        spot = mark(room, machine.muzzle)
        if aims.in_arc(machine, spot) and aims.sees(battle, unit, machine, spot):
            found.append(Option(room.id, room, about=(room.id,)))
    return found


def shot_at(battle: Battle, shell: Shell, room: Room, skill: int) -> Script[None]:
    """wfb3:22.4-toughness  A bolt shot at a building.

    Ruling: a building is a large target.
    """
    machine = shell.machine
    far = math.dist(mark(room, machine.muzzle), machine.muzzle)
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


def thrown(battle: Battle, shell: Shell, aim: Aim, score: int, drift: float) -> Script[None]:
    """wfb3:22.4-template  The template stands against the wall: twelve is up, six down, and it may pass foot or top."""
    from grognard.games.wfb3 import blasts

    room = battle.rooms[aim.room]
    muzzle = shell.machine.muzzle
    side = SIDES[facing_side(room, muzzle)]
    angle = math.radians(30.0 * score) if score <= 12 else 0.0
    up = drift * math.cos(angle)
    across = drift * math.sin(angle)
    height = STOREY * max(r.level for r in battle.rooms.values() if r.piece == room.piece and r.standing)
    z = (room.level - 0.5) * STOREY + up
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
        deep = rooms.frame(battle.table.piece(room.piece)).span(Edge.FRONT if side.is_flank else Edge.RIGHT)
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
        dz = max(0.0, abs(z - (other.level - 0.5) * STOREY) - STOREY / 2)
        if math.hypot(dx, dz) < radius - 0.03:
            found.append(other)
    return found


def roof_hit(battle: Battle, shell: Shell, point: Point) -> Script[None]:
    """A stone that comes down on a building strikes the highest level of the section beneath.

    Ruling: only the section under the middle of the template.
    """
    room = top_room(battle, point)
    if room is not None:
        battle.cite("wfb3:22.4-template")
        yield from hit(battle, shell, room)


def top_room(battle: Battle, point: Point) -> Room | None:
    """The highest level that stands of the section at a point."""
    here = [
        r for r in battle.rooms.values()
        if r.standing and abs(r.rect.local(point)[0]) < r.rect.half_width
        and abs(r.rect.local(point)[1]) < r.rect.half_length
    ]  # fmt: skip
    return max(here, key=lambda r: r.level, default=None)

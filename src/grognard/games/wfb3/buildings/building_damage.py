"""Chapters 22.4, 22.5: damage to buildings: shots, thrown stones, blows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from grognard.games.wfb3.army.machine_table import Hurt
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.fire import fires
from grognard.games.wfb3.pieces import SIDES, Room
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.table.sections import TOUGHNESS
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

if TYPE_CHECKING:
    pass

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
    """wfb3:22.4-toughness, wfb3:22.6-collapse-test, wfb3:3-inanimate  Damage points on a section/level."""
    if points <= 0 or room.down:
        return
    room.damage += points
    battle.cite("wfb3:3-inanimate")
    if burning:
        room.fire += points
    if room.damage >= LIMIT and room.struck == NEVER:
        room.struck = battle.clock
    battle.tell("building.damaged", rule, (room.id, *about), points=points, damage=room.damage)


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
    if fire and fires.flammable(battle, room, within=within):
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


def top_room(battle: Battle, point: Point) -> Room | None:
    """The highest level that stands of the section at a point."""
    here = [
        r for r in battle.rooms.values()
        if r.standing and abs(r.rect.local(point)[0]) < r.rect.half_width
        and abs(r.rect.local(point)[1]) < r.rect.half_length
    ]  # fmt: skip
    return max(here, key=lambda r: r.level, default=None)

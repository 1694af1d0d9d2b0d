"""ades:4.2.4.2-multiple-escape  Getting away from an assault on several targets."""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.movement import disengage
from grognard.games.ades.table import ground, setting_down, standing
from grognard.games.ades.table.ground import APART
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry import room
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Pick, Script, option

RULE = "ades:4.2.4.2-multiple-escape"


def attempts(battle: Battle, assailants: list[Fighter], struck: list[Fighter]) -> Script[None]:
    """ades:4.2.4.2-multiple, ades:4.2.4.2-multiple-escape
    Of several waiting targets all but one may try to get away, at
    once.

    Ruling: where a neutral fighter assaults both players' fighters, all but one of each player's.
    """
    if len(struck) < 2:
        return
    battle.cite("ades:4.2.4.2-multiple")
    chosen: list[Fighter] = []
    for seat in battle.seats:
        ours = [f for f in struck if f.seat == seat]
        if ours:
            chosen += yield from _runners(battle, seat, assailants, ours)
    held = {f.id: [a for a in assailants if a in battle.foes_of(f)] for f in chosen}
    crowds = {f.id: len(battle.foes_of(f)) for f in (*assailants, *chosen)}
    free = []
    for runner in chosen:
        if _step_back(battle, runner, held[runner.id]) is None:
            continue
        holder = held[runner.id][0]
        if len(held[runner.id]) > 1:
            holder = yield from disengage.holder(battle, runner, held[runner.id])
        if (yield from disengage.away(battle, runner, holder, crowds)) and runner.alive:
            free.append(runner)
    for runner in free:
        place = _step_back(battle, runner, held[runner.id])
        if place is None:
            continue
        yield from _slip(battle, runner, held[runner.id], place)
        about = (runner.id, *(a.id for a in held[runner.id]))
        battle.tell("escaped", RULE, about)


def _runners(battle: Battle, seat: str, assailants: list[Fighter], ours: list[Fighter]) -> Script[list[Fighter]]:
    """ades:4.2.4.2-multiple-escape  Who of a player's fighters tries to get away: of those who wait all but one may."""
    able = [f for f in ours if f.state == WAITING]
    most = len(able) - 1
    stay = [f for f in ours if f not in able or most < 1]
    runners: tuple[Fighter, ...] | Fighter | None = yield Pick(
        seat, "assault.escape", [option(f.id, f, about=(f.id,)) for f in able if most >= 1], least=0,
        most=max(1, most), rule=RULE, about=tuple(a.id for a in assailants), also=("ades:4.2.4.2-multiple",),
        barred={f.id: Refusal("refuse.must-stay", RULE, {"fighter": f.id}, ("ades:4.2.4.2-multiple",)) for f in stay},
    )  # fmt: skip
    if most < 1 or not runners:
        return []
    return list(runners[:most]) if isinstance(runners, tuple) else [runners]


def _step_back(battle: Battle, runner: Fighter, holders: list[Fighter]) -> Pose | None:
    """ades:4.2.4.2-multiple-escape  A place 1 cm out of contact; without room there is no getting away."""
    here, there = battle.pose(runner), [battle.pose(f) for f in holders]
    mean_x, mean_y = (sum(p[i] for p in there) / len(there) for i in (0, 1))
    toward = math.atan2(here.y - mean_y, here.x - mean_x)
    straight = Pose(here.x + cm(1) * math.cos(toward), here.y + cm(1) * math.sin(toward), here.facing, here.level)
    if not _held(battle, runner, straight, holders) and ground.stands(battle, runner, straight):
        return straight
    rim = standing.circle(here[:2], cm(1))
    free = standing.open_ground(battle, battle.base(runner), here.facing, here.level, (runner.body,), rim)
    spot = standing.nearest(shapely.difference(free, _reached(battle, runner, holders)), straight[:2])
    return None if spot is None else Pose(*spot, here.facing, here.level)


def _reached(battle: Battle, runner: Fighter, holders: list[Fighter]) -> BaseGeometry:
    """Where a fighter would touch those who hold it."""
    here, base = battle.pose(runner), battle.base(runner)
    held = [room.Held.of(battle.base(f), battle.pose(f), APART + 0.03) for f in holders]
    return shapely.union_all([room.barred(thing, base, here.facing) for thing in held])


def _held(battle: Battle, runner: Fighter, pose: Pose, holders: list[Fighter]) -> Fighter | None:
    """Whom of those who hold it a fighter would touch at a place."""
    base = battle.base(runner)
    return next((f for f in holders if gap(base, pose, battle.base(f), battle.pose(f)) <= APART), None)


def _slip(battle: Battle, runner: Fighter, holders: list[Fighter], place: Pose) -> Script[None]:
    """ades:4.2.4.2-multiple-escape  Moved by 1 cm, out of contact with the assailant.

    Ruling: by its own player, and straight away unless that says otherwise.
    """
    here = battle.pose(runner)

    def region(key: str, pose: Pose) -> Refusal | None:
        if abs(math.dist(pose[:2], here[:2]) - cm(1)) > cm(0.05):
            return Refusal("refuse.not-a-centimetre", RULE, {"fighter": key})
        holder = _held(battle, runner, pose, holders)
        if holder is not None:
            return Refusal("refuse.enemy-contact", RULE, {"fighter": key, "other": holder.id})
        return None

    yield from setting_down.aside(battle, runner, "escape.where", RULE, region, place, holders[0])

"""Chapter 6.2.3: hard and soft cover."""

from __future__ import annotations

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import baggage, machines, sight, terrain, wagons
from grognard.kernel.formation.block import Place
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.sweeps import Shift, blocked, gap, overlap
from grognard.kernel.geometry.units import inches


def cover(battle: Battle, shooter: Unit, place: Place, target: Unit) -> tuple[str, str]:
    """wfb3:6.2.3-cover-linear, wfb3:6.2.3-cover-woods, wfb3:6.2.3-cover-ditch
    The better of the covers a target has from one model's shots, and its rule: hard, soft or none."""
    best, rule = "", ""
    if machines.beside(battle, target):
        best, rule = "soft", "wfb3:19.3.1-shoot-crew"
    if baggage.sheltered(battle, target):
        return "hard", "wfb3:17.2-deploy"
    block = battle.block_of(target)
    eye = (place.pose.x, place.pose.y)
    goal = block.centre
    for piece in battle.table.pieces:
        what = terrain.kind(piece)
        if not what.cover or best == "hard":
            continue
        shape = terrain.outline(piece, battle.table)
        found = ""
        if what.ground == "linear":
            near = gap(block.outline, shape) <= sight.AT_WALL + EPS
            between = blocked(Outline((eye,), 0.5), Shift(goal[0] - eye[0], goal[1] - eye[1]), shape)
            if near and between and gap(place.outline, shape) > sight.AT_WALL + EPS:
                found = "wfb3:6.2.3-cover-ditch" if what.negative else "wfb3:6.2.3-cover-linear"
                battle.cite(*(["wfb3:20.9-wagon-cover"] if piece.kind == "wagon" else []))
            elif near and between:
                battle.cite("wfb3:6.2.3-cover-linear")  # it stands between two who are both at it
        elif what.ground in ("difficult", "very", "open"):
            if overlap(block.outline, shape):
                found = "wfb3:6.2.3-cover-woods" if piece.kind == "wood" else "wfb3:6.2.3-cover-types"
        elif gap(block.outline, shape) <= inches(0.5) and _corner(battle, eye, target, shape):
            found = "wfb3:6.2.3-cover-corner"
        if found and (best == "" or what.cover == "hard"):
            best, rule = what.cover, found
            if piece.kind == "palisade":
                battle.cite("wfb3:15.8-palisade")
    if not best and wagons.standing(battle) and wagons.covers(battle, eye, shooter, target):
        best, rule = "soft", wagons.RULE
    if not best and _behind_car(battle, eye, shooter, target):
        best, rule = "soft", "wfb3:6.2.3-cover-corner"
    if best:
        battle.cite("wfb3:6.2.3-cover-types")
    return best, rule


def _behind_car(battle: Battle, eye: tuple[float, float], shooter: Unit, target: Unit) -> bool:
    """wfb3:6.2.3-cover-corner  Whether a chariot the target stands at hides part of it."""
    block = battle.block_of(target)
    cars = [
        u for u in battle.here() if u.kind == "chariot" and u.id not in (shooter.id, target.id) and not u.air.height
    ]
    near = [battle.block_of(u).outline for u in cars if gap(block.outline, battle.block_of(u).outline) <= inches(0.5)]
    return any(_corner(battle, eye, target, shape) for shape in near)


def _corner(battle: Battle, eye: tuple[float, float], target: Unit, shape: Outline) -> bool:
    """wfb3:6.2.3-cover-corner  Whether part of the target is hidden from an eye."""
    points = sight.spots(battle.block_of(target).outline)
    hidden = [p for p in points if blocked(Outline((eye,), 0.5), Shift(p[0] - eye[0], p[1] - eye[1]), shape)]
    return 0 < len(hidden) < len(points)

"""Chapter 5.5: Line of sight and field of view.

nemesis:X.6-los-geometry  Ruling: in plan, from the centre of the viewer's base to the points of the target's base
that lie in his 180° front. A clear silhouette is no cover, a partly hidden one is cover; a model smaller than
the target never blocks, it only gives cover; into and out of a wood or building one sees, across it one does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.positions import Crowd
from grognard.kernel.citing import cites
from grognard.kernel.geometry.outlines import BoolArray
from grognard.kernel.geometry.sight import sight as kernel
from grognard.kernel.geometry.sight.sight import Blocking, Figures, Outlook, SightRules
from grognard.kernel.geometry.terrain import FloatArray, Table

FRONT = SightRules(arc=180.0, models=Blocking.TALLER)
ALL_ROUND = SightRules(arc=360.0, models=Blocking.TALLER)
TERRAIN_ONLY = SightRules(arc=360.0, models=Blocking.NEVER, model_cover=False)

CITED = ("nemesis:5.5-los", "nemesis:5.5-arc", "nemesis:X.6-los-geometry", "nemesis:5.4-hitbox")

#: What else has its say on an enemy found by Insight who is still not in sight.
DETECTED = ("nemesis:A1.22-insight",)


class Look(NamedTuple):
    """What one model sees of another, and what hides or covers it most."""

    seen: bool
    cover: bool
    by: str | None


class _Scene(NamedTuple):
    """The table as sight knows it: figures, each model's place among its side's, and what was looked at already."""

    crowd: Crowd
    table: Table
    figures: Figures
    sides: dict[str, list[int]]
    column: dict[str, int]
    views: dict[tuple[str, str, bool], tuple[dict[str, int], Outlook]]
    seen: dict[tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]], bool]
    everyone: dict[tuple[str, str, tuple[str, ...], bool], dict[str, None]]


def _scene(battle: Battle) -> _Scene:
    """Everybody's bases as arrays, once per state of the table."""
    scene: _Scene | None = battle._sight.get("scene")
    crowd = battle.crowd()
    if scene is None or scene.crowd is not crowd or scene.table is not battle.table:
        x, y, radius = crowd.discs.T
        figures = kernel.figures(x, y, radius, facing=battle.bodies.facing[crowd.bodies], size=crowd.sizes)
        sides: dict[str, list[int]] = {}
        column: dict[str, int] = {}
        for row, model in enumerate(crowd.models):
            side = sides.setdefault(model.seat, [])
            column[model.id] = len(side)
            side.append(row)
        scene = _Scene(crowd, battle.table, figures, sides, column, {}, {}, {})
        battle._sight["scene"] = scene
    return scene


def _sees_around(battle: Battle, viewer: Model, unit: str) -> bool:
    """nemesis:5.5-arc  Exceptions to the 180°: Swarm, Ethereal, and what Insight has found."""
    return bool(battle.flag(viewer, "all_round_view")) or unit in viewer.detected


def _view(battle: Battle, viewer: Model, seat: str, around: bool) -> tuple[dict[str, int], Outlook]:
    """What all models of the viewer's unit see of all models of a side, in one question."""
    scene = _scene(battle)
    key = (viewer.unit, seat, around)
    if key not in scene.views or viewer.id not in scene.views[key][0]:  # he may have joined since
        rows = [row for row, model in enumerate(scene.crowd.models) if model.unit == viewer.unit]
        rules = ALL_ROUND if around else FRONT
        view = kernel.see(scene.figures, rows, scene.sides[seat], battle.table, rules)
        scene.views[key] = {scene.crowd.models[row].id: i for i, row in enumerate(rows)}, view
    return scene.views[key]


def look(battle: Battle, viewer: Model, target: Model) -> Look:
    """nemesis:5.5-los, nemesis:5.5-arc  Whether a model sees another, and whether that one has cover."""
    battle.cite(*CITED)
    rows, view = _view(battle, viewer, target.seat, _sees_around(battle, viewer, target.unit))
    scene = _scene(battle)
    at = rows[viewer.id], scene.column[target.id]
    by, count = int(view.by[at]), len(scene.crowd.models)
    culprit = None if by < 0 else scene.crowd.models[by].id if by < count else battle.table.pieces[by - count].id
    return Look(bool(view.seen[at]), bool(view.cover[at]), culprit)


def seen_by(battle: Battle, viewer: Model) -> dict[str, None]:
    """nemesis:5.5-los  Everyone a model sees, friend or enemy; remembered while the table stays as it is."""
    battle.cite(*CITED)
    scene = _scene(battle)
    around = bool(battle.flag(viewer, "all_round_view"))
    key = (viewer.id, viewer.unit, viewer.detected, around)
    found = scene.everyone.get(key)
    if found is None:
        found = scene.everyone[key] = {}
        for seat, rows in scene.sides.items():
            ahead = _row(battle, viewer, seat, around)
            behind = _row(battle, viewer, seat, True) if viewer.detected else ahead
            for column, row in enumerate(rows):
                model = scene.crowd.models[row]
                if (behind if model.unit in viewer.detected else ahead)[column]:
                    found[model.id] = None
    return found


def _row(battle: Battle, viewer: Model, seat: str, around: bool) -> list[bool]:
    rows, view = _view(battle, viewer, seat, around)
    seen: list[bool] = view.seen[rows[viewer.id]].tolist()
    return seen


def sees_unit(battle: Battle, unit: Unit, target: Unit) -> bool:
    """nemesis:X.6-los-geometry  A unit sees another if any member sees any member."""
    return any_sees(battle, battle.standing(unit), target)


def any_sees(battle: Battle, watchers: Sequence[Model], target: Unit) -> bool:
    """Whether any of the watchers sees any member of a unit; remembered while the table stays as it is."""
    battle.cite(*CITED)
    if not watchers or not target.models:
        return False
    scene = _scene(battle)
    key = (tuple([(w.id, w.detected) for w in watchers]), target.models)
    found = scene.seen.get(key)
    if found is None:
        found = scene.seen[key] = _any_seen(battle, scene, watchers, target)
    return found


def _any_seen(battle: Battle, scene: _Scene, watchers: Sequence[Model], target: Unit) -> bool:
    columns = [scene.column[key] for key in target.models]
    groups: dict[tuple[str, bool], list[Model]] = {}
    for watcher in watchers:
        groups.setdefault((watcher.unit, _sees_around(battle, watcher, target.id)), []).append(watcher)
    for (_, around), mates in groups.items():
        rows, view = _view(battle, mates[0], target.seat, around)
        if any(mate.id not in rows for mate in mates):
            rows, view = _view(battle, next(m for m in mates if m.id not in rows), target.seat, around)
        if bool(view.seen[[rows[mate.id] for mate in mates]][:, columns].any()):
            return True
    return False


@cites
def unobstructed(battle: Battle, unit: Unit, target: Unit) -> bool:
    """nemesis:5.5-los  Whether any member has a line of sight to any member, whichever way it looks."""
    scene = _scene(battle)
    columns = [scene.column[key] for key in target.models]
    watchers = battle.standing(unit)
    if not watchers or not columns:
        return False
    rows, view = _view(battle, watchers[-1], target.seat, True)
    return bool(view.seen[np.ix_([rows[w.id] for w in watchers], columns)].any())


def visible(battle: Battle, viewer: Model, target: Unit) -> list[tuple[Model, bool]]:
    """The members of a unit a model sees, each with whether it has cover."""
    looks = [(m, look(battle, viewer, m)) for m in battle.members(target)]
    return [(m, found.cover) for m, found in looks if found.seen]


def hidden_by_terrain(battle: Battle, watchers: Sequence[Model], target: Unit) -> bool:
    """nemesis:15-hidden  Whether terrain alone hides the whole unit from all of them."""
    scene = _scene(battle)
    row = {model.id: i for i, model in enumerate(scene.crowd.models)}
    rows, columns = [row[w.id] for w in watchers], [row[key] for key in target.models]
    view = kernel.see(scene.figures, rows, columns, battle.table, TERRAIN_ONLY)
    return not bool(view.seen.any())


# ---------------------------------------------------------------------- models not on the table yet


def spotted(battle: Battle, watchers: Sequence[Model], models: Sequence[Model], at: FloatArray) -> BoolArray:
    """nemesis:A1.10-scout  Watchers x models: who would see whom if the models stood at these points."""
    battle.cite(*CITED)
    sizes = np.array([float(m.card.size) for m in models])
    reaches = np.array([m.card.outline.reach for m in models])
    return _seen_there(battle, watchers, kernel.figures(at[:, 0], at[:, 1], reaches, size=sizes), apart=False)


def overlooked(battle: Battle, watchers: Sequence[Model], model: Model, points: FloatArray) -> BoolArray:
    """Of each point: whether any watcher would see the model there, standing alone."""
    reach, size = model.card.outline.reach, float(model.card.size)
    alone = kernel.figures(points[:, 0], points[:, 1], reach, size=size, group=1)
    seen = _seen_there(battle, watchers, alone, apart=True)
    return np.asarray(seen.any(axis=0), bool)


def _seen_there(battle: Battle, watchers: Sequence[Model], newcomers: Figures, *, apart: bool) -> BoolArray:
    """Watchers x newcomers; where they are `apart` (one group) newcomers are not in each other's way."""
    scene = _scene(battle)
    everyone = Figures(*(np.concatenate(pair) for pair in zip(scene.figures, newcomers, strict=True)))
    there = len(scene.crowd.models) + np.arange(len(newcomers.shape))
    rows = [scene.crowd.row[watcher.body] for watcher in watchers]
    seen = np.zeros((len(watchers), len(there)), bool)
    for rules in (FRONT, ALL_ROUND):
        some = [i for i, w in enumerate(watchers) if bool(battle.flag(w, "all_round_view")) == (rules is ALL_ROUND)]
        if some:
            plain = msgspec.structs.replace(rules, theirs_hides=not apart)
            seen[some] = kernel.see(everyone, [rows[i] for i in some], there, battle.table, plain).seen
    return seen

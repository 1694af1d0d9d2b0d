"""nemesis:5.5  Line of sight and field of view.

nemesis:X.6-los-geometry  Ruling: in plan, from the centre of the viewer's base to the points of the target's base
that lie in his 180° front. A clear silhouette is no cover, a partly hidden one is cover; a model smaller than
the target never blocks, it only gives cover; into and out of a wood or building one sees, across it one does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.kernel.geometry import sight as kernel
from grognard.kernel.geometry.sight import Blocking, Figures, SightRules
from grognard.kernel.geometry.terrain import Table

FRONT = SightRules(arc=180.0, models=Blocking.TALLER)
ALL_ROUND = SightRules(arc=360.0, models=Blocking.TALLER)
TERRAIN_ONLY = SightRules(arc=180.0, models=Blocking.NEVER, model_cover=False)


class Look(NamedTuple):
    """What one model sees of another, and what hides or covers it most."""

    seen: bool
    cover: bool
    by: str | None


class _Scene(NamedTuple):
    version: int
    table: Table
    figures: Figures
    row: dict[str, int]
    ids: list[str]
    known: dict[tuple[str, str, bool], Look]
    units: dict[tuple[str, str, int], bool]


def _scene(battle: Battle) -> _Scene:
    """Everybody's bases as arrays, once per state of the table."""
    scene: _Scene | None = battle._sight.get("scene")
    if scene is None or scene.version != battle.bodies.version or scene.table is not battle.table:
        models = [m for m in battle.models.values() if m.on_table]
        rows = np.asarray([m.body for m in models], np.int64)
        bodies = battle.bodies
        crowd = kernel.figures(
            bodies.x[rows], bodies.y[rows], bodies.half_width[rows], facing=bodies.facing[rows],
            size=[m.card.size for m in models],
        )  # fmt: skip
        ids = [m.id for m in models]
        scene = _Scene(bodies.version, battle.table, crowd, {m: i for i, m in enumerate(ids)}, ids, {}, {})
        battle._sight["scene"] = scene
    return scene


def _sees_around(battle: Battle, viewer: Model, target: Model) -> bool:
    """nemesis:5.5-arc  Exceptions to the 180°: Swarm, Ethereal, and what Insight has found."""
    return bool(battle.flag(viewer, "all_round_view")) or target.unit in viewer.detected


def _fill(battle: Battle, scene: _Scene, viewers: Sequence[Model], targets: Sequence[Model], around: bool) -> None:
    rules = ALL_ROUND if around else FRONT
    view = kernel.see(
        scene.figures, [scene.row[v.id] for v in viewers], [scene.row[t.id] for t in targets], battle.table, rules
    )
    count = len(scene.ids)
    for i, viewer in enumerate(viewers):
        for j, target in enumerate(targets):
            by = int(view.by[i, j])
            culprit = None if by < 0 else scene.ids[by] if by < count else battle.table.pieces[by - count].id
            look_ = Look(bool(view.seen[i, j]), bool(view.cover[i, j]), culprit)
            scene.known[(viewer.id, target.id, around)] = look_


def look(battle: Battle, viewer: Model, target: Model) -> Look:
    """nemesis:5.5-los, 5.5-arc  Whether a model sees another, and whether that one has cover."""
    battle.cite("nemesis:5.5-los", "nemesis:5.5-arc", "nemesis:X.6-los-geometry", "nemesis:5.4-hitbox")
    scene = _scene(battle)
    around = _sees_around(battle, viewer, target)
    key = (viewer.id, target.id, around)
    if key not in scene.known:
        mates = [m for m in battle.members(battle.unit_of(viewer)) if m.on_table]
        _fill(battle, scene, mates, battle.members(battle.unit_of(target)), around)
    return scene.known[key]


def sees_unit(battle: Battle, unit: Unit, target: Unit) -> bool:
    """nemesis:X.6-los-geometry  A unit sees another if any member sees any member."""
    return any_sees(battle, battle.standing(unit), target)


def any_sees(battle: Battle, watchers: Sequence[Model], target: Unit) -> bool:
    """Whether any of the watchers sees any member of a unit; remembered for whole units."""
    if not watchers or not target.models:
        return False
    scene = _scene(battle)
    finders = sum(1 for w in watchers if w.detected)
    key = (watchers[0].unit, target.id, len(watchers) * 100 + finders)
    found = scene.units.get(key) if len(watchers) > 1 else None
    if found is None:
        found = any(look(battle, v, t).seen for v in watchers for t in battle.members(target))
        scene.units[key] = found
    return found


def visible(battle: Battle, viewer: Model, target: Unit) -> list[tuple[Model, bool]]:
    """The members of a unit a model sees, each with whether it has cover."""
    looks = [(m, look(battle, viewer, m)) for m in battle.members(target)]
    return [(m, found.cover) for m, found in looks if found.seen]


def hidden_by_terrain(battle: Battle, watchers: Sequence[Model], target: Unit) -> bool:
    """nemesis:15-hidden  Whether terrain alone hides the whole unit from all of them."""
    scene = _scene(battle)
    rows = [scene.row[w.id] for w in watchers]
    view = kernel.see(scene.figures, rows, [scene.row[m] for m in target.models], battle.table, TERRAIN_ONLY)
    return not bool(view.seen.any())

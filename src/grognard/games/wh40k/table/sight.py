"""Chapters 1.11 and 15: who sees whom, by the volumes of models (base and height), and who has the Benefit of Cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from shapely import Geometry, MultiPoint, dwithin, points

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS, BoolArray, IntArray
from grognard.games.wh40k.terrain import KINDS, pieces_near, wholly_on
from grognard.kernel.citing import cites
from grognard.kernel.geometry.moving.passing import farthest_from_ring
from grognard.kernel.geometry.sight.lanes import any_part, every_part
from grognard.kernel.geometry.sight.sight import Figures, figures
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.geometry.units import inches

#: What stands in the way up to its height.
SOLID = ("barricade", "debris", "hill", "wall")
NEAR_BARRICADE = inches(3)
HIGH = ("AIRCRAFT", "TOWERING")


def _pieces(table: Table, kinds: Sequence[str], name: str) -> Table:
    """The table with only these kinds of features, as sight treats them; worked out once."""
    key = ("wh40k.sight", name)
    if key not in table.memo:
        kept = [_seen(p) for p in table.pieces if p.kind in kinds]
        table.memo[key] = Table(table.width, table.height, tuple(kept))
    found: Table = table.memo[key]
    return found


def _seen(piece: Piece) -> Piece:
    """wh40k:15.5.4-visibility, wh40k:23.36-ruins-los, wh40k:23.53-woods-los  Ruins and woods reach up without end.

    One sees into ruins, not across; no line through woods shows anything fully. Everything else hides by its height,
    hills whoever stands on them too.
    """
    endless = piece.kind in ("ruins", "woods")
    sight = "area" if piece.kind == "ruins" else "solid"
    return Piece(piece.id, piece.kind, piece.points, 0.0 if endless else piece.height, sight)


def _within(battle: Battle, viewers: Sequence[Model], table: Table) -> BoolArray | None:
    """wh40k:15.4.4-exceptions, wh40k:15.5.4-visibility, wh40k:23.36-ruins-los
    Viewers × features: what each sees out of.

    Ruling: whoever is only partly within a ruin or woods does not see out through them.
    """
    around = [p for p in table.pieces if p.kind in ("ruins", "woods")]
    if not around:
        return None
    place = {p.id: i for i, p in enumerate(table.pieces)}
    found = np.zeros((len(viewers), len(table.pieces)), np.bool_)
    for v, model in enumerate(viewers):
        base, pose = battle.bodies.base(model.body), battle.pose(model)
        for piece in pieces_near(battle.table, pose.x, pose.y, 0.0):
            if piece.kind in ("ruins", "woods") and piece.id in place and wholly_on(piece, base, pose):
                found[v, place[piece.id]] = True
    return found


def _crowd(battle: Battle) -> Figures:
    """Everyone on the battlefield as the kernel's figures."""
    crowd = battle.crowd()
    if "figures" not in battle._memo:
        names = list(dict.fromkeys(m.unit for m in crowd.models))
        group = [names.index(m.unit) for m in crowd.models]
        tall = [m.profile.tall for m in crowd.models]
        rows = np.array([m.body for m in crowd.models], np.int64)
        x, y, r = crowd.discs.T
        wide = {}
        if not battle.bodies.outlines.all_round:
            r = battle.bodies.half_width[rows]
            wide = {
                "half_length": battle.bodies.half_length[rows], "facing": battle.bodies.facing[rows],
                "shape": battle.bodies.shape[rows],
            }  # fmt: skip
        battle._memo["figures"] = figures(x, y, r, floor=crowd.z, height=tall, group=group, **wide)
    found: Figures = battle._memo["figures"]
    return found


class Corridor(NamedTuple):
    """The ground among and between some models: a hull and how far around it; nothing outside can hide them."""

    hull: Geometry
    around: float


def _corridor(battle: Battle, viewers: Sequence[Model], targets: Sequence[Model]) -> Corridor | None:
    crowd = battle.crowd()
    rows = np.concatenate([crowd.rows(viewers), crowd.rows(targets)])
    if not len(rows):
        return None
    return Corridor(MultiPoint(crowd.discs[rows, :2]).convex_hull, float(crowd.discs[rows, 2].max()) + 1.0)


def _between(battle: Battle, ground: Corridor | None) -> frozenset[str]:
    """The kinds of features that reach into it."""
    table = battle.table
    if ground is None or not table.pieces:
        return frozenset()
    if "wh40k.sight.polygons" not in table.memo:
        table.memo["wh40k.sight.polygons"] = np.array([p.polygon for p in table.pieces])
    met = dwithin(table.memo["wh40k.sight.polygons"], ground.hull, ground.around)
    return frozenset(p.kind for p, reaches in zip(table.pieces, met.tolist(), strict=True) if reaches)


def _people(
    battle: Battle, ground: Corridor | None, viewers: Sequence[Model], targets: Sequence[Model]
) -> tuple[Figures, IntArray, IntArray]:
    """Whoever stands there, and the viewers and targets among them."""
    crowd, everybody = battle.crowd(), _crowd(battle)
    rows, columns = crowd.rows(viewers), crowd.rows(targets)
    if ground is None:
        return everybody, rows, columns
    if "sight.points" not in battle._memo:
        battle._memo["sight.points"] = points(crowd.discs[:, :2])
    here = dwithin(battle._memo["sight.points"], ground.hull, ground.around + float(crowd.discs[:, 2].max()))
    here[rows] = here[columns] = True
    place = np.cumsum(here) - 1
    some = Figures(everybody.solid[here], everybody.shape[here], everybody.group[here])
    return some, place[rows], place[columns]


def _high(models: Sequence[Model]) -> BoolArray:
    return np.array([any(m.has(k) for k in HIGH) for m in models], np.bool_)


def visible(battle: Battle, viewers: Sequence[Model], targets: Sequence[Model]) -> BoolArray:
    """wh40k:1.11.3-model, wh40k:1.11.1-true-los, wh40k:1.11.2-own-unit, wh40k:15.5.5-exceptions
    Which of these models each viewer sees."""
    battle.crowd()
    table = battle.table
    key = ("seen", tuple(m.id for m in viewers), tuple(m.id for m in targets))
    if key in battle._memo:
        known: BoolArray = battle._memo[key]
        return known
    ground = _corridor(battle, viewers, targets)
    people, rows, columns = _people(battle, ground, viewers, targets)
    met = _between(battle, ground)
    name = "all" if met & {*SOLID, "ruins"} else "none"
    walls = _pieces(table, (*SOLID, "ruins") if name == "all" else (), name)
    seen = any_part(people, rows, columns, walls, open_=_within(battle, viewers, walls))
    battle.cite("wh40k:1.11.1-true-los", "wh40k:1.11.2-own-unit", "wh40k:1.11.3-model")
    if "ruins" in met:
        high = _high(viewers)[:, None] | _high(targets)
        if high.any():
            over = any_part(people, rows, columns, _pieces(table, SOLID, "low"))
            if (over & high & ~seen).any():
                battle.cite("wh40k:15.5.5-exceptions")
            seen = np.where(high, over, seen)
        battle.cite("wh40k:15.5.4-visibility", "wh40k:23.36-ruins-los")
    battle._memo[key] = seen
    return seen


def fully_visible(battle: Battle, viewer: Model, targets: Sequence[Model], *, unit: bool) -> bool:
    """wh40k:1.11.5-model-full, wh40k:1.11.6-unit-full  Whether no part of these models that faces the viewer is hidden.

    Ruling: models of a unit do not hide one another when the whole unit is looked at (`unit`). What faces one part of
    the viewer counts, whichever suits it; each part of the target may be seen from another part of the viewer.
    """
    battle.cite("wh40k:1.11.6-unit-full" if unit else "wh40k:1.11.5-model-full")
    crowd, people, table = battle.crowd(), _crowd(battle), battle.table
    rows, columns = crowd.rows([viewer]), crowd.rows(targets)
    high = _high([viewer]).any() | _high(targets)
    deep = _pieces(table, (*SOLID, "ruins"), "all")
    seen = every_part(people, rows, columns, _pieces(table, SOLID, "low"), theirs=not unit)[0]
    inside = every_part(people, rows, columns, deep, theirs=not unit, open_=_within(battle, [viewer], deep))[0]
    clear = _past_woods(battle, [viewer], targets)[0]
    for i, model in enumerate(targets):
        if KINDS["woods"][1] in _inside(battle, model):
            clear[i] = False
        elif not clear[i]:
            battle.cite("wh40k:15.4.3-through")
        if not clear[i]:
            battle.cite("wh40k:15.2.5-woods", "wh40k:23.53-woods-los")
            battle.cite(*(["wh40k:15.4.4-exceptions"] if high.any() else []))
    return bool((seen & ((inside & clear) | high)).all())


def _past_woods(battle: Battle, viewers: Sequence[Model], targets: Sequence[Model]) -> BoolArray:
    """wh40k:15.4.3-through, wh40k:23.53-woods-los  Whom no woods keep from being fully visible to which viewer."""
    crowd, woods = battle.crowd(), _pieces(battle.table, ("woods",), "woods")
    rows, columns = crowd.rows(viewers), crowd.rows(targets)
    free = _within(battle, viewers, woods)
    if free is not None and free.any():
        battle.cite("wh40k:15.4.4-exceptions")
    return every_part(_crowd(battle), rows, columns, woods, models=False, open_=free)


@cites
def sees_unit(battle: Battle, unit: Unit, target: Unit) -> bool:
    """wh40k:1.11.4-unit  Whether any model of a unit sees any of another."""
    return bool(visible(battle, battle.members(unit), battle.members(target)).any())


def unseen(battle: Battle, viewers: Sequence[Model], target: Unit) -> tuple[str, ...]:
    """wh40k:1.11.3-model, wh40k:1.11.4-unit, wh40k:15.5.4-visibility
    The rules by which these models do not see a unit."""
    met = _between(battle, _corridor(battle, viewers, battle.members(target)))
    ruins = ("wh40k:15.5.4-visibility", "wh40k:15.2.6-ruins", "wh40k:23.36-ruins-los") if "ruins" in met else ()
    return ("wh40k:1.11.4-unit", "wh40k:1.11.3-model", "wh40k:1.11.1-true-los", *ruins)


# ---------------------------------------------------------------------- the Benefit of Cover


def covered(battle: Battle, attackers: Sequence[Model], target: Unit) -> tuple[str, ...]:
    """wh40k:15.2.1-crater, wh40k:15.2.2-barricade, wh40k:15.2.3-debris, wh40k:15.2.4-hill, wh40k:15.2.5-woods,
    wh40k:15.2.6-ruins, wh40k:15.1.4-partial
    The models of a target that have the Benefit of Cover from these attackers."""
    if not battle.table.pieces:
        return ()
    members = battle.members(target)
    found: dict[str, None] = {}
    for model in members:
        rules = _inside(battle, model)
        if rules:
            battle.cite(*rules, *(["wh40k:15.1.3-no-stack"] if len(rules) > 1 else []))
            found[model.id] = None
    rest = [m for m in members if m.id not in found]
    for rule, hidden in _hidden(battle, attackers, rest) if rest else ():
        any_hidden: BoolArray = np.any(hidden, axis=0)
        for model, is_hidden in zip(rest, any_hidden.tolist(), strict=True):
            if is_hidden:
                battle.cite(rule, "wh40k:15.1.4-partial", "wh40k:1.11.5-model-full", "wh40k:1.11.6-unit-full")
                found[model.id] = None
    return tuple(m.id for m in members if m.id in found)


def _inside(battle: Battle, model: Model) -> list[str]:
    """wh40k:15.2.1-crater, wh40k:15.2.5-woods, wh40k:15.2.6-ruins, wh40k:15.4.2-within
    Cover by standing wholly within features."""
    base, pose = battle.bodies.base(model.body), battle.pose(model)
    found: list[str] = []
    for piece in pieces_near(battle.table, pose.x, pose.y, 0.0):
        battle.cite(KINDS[piece.kind][1])
        inside = piece.kind in ("woods", "ruins") or (piece.kind == "crater" and model.has("INFANTRY"))
        if inside and wholly_on(piece, base, pose):
            if piece.kind == "woods":
                battle.cite("wh40k:15.4.2-within", *(["wh40k:15.4.4-exceptions"] if _high([model]).any() else []))
            battle.cite("wh40k:1.10.5-wholly", *(["wh40k:15.4.1-footprint"] if piece.kind != "crater" else []))
            found.append(KINDS[piece.kind][1])
    return found


def _hidden(battle: Battle, attackers: Sequence[Model], targets: Sequence[Model]) -> list[tuple[str, BoolArray]]:
    """wh40k:15.2.2-barricade, wh40k:15.2.3-debris, wh40k:15.2.4-hill, wh40k:15.2.5-woods, wh40k:15.2.6-ruins,
    wh40k:1.11.6-unit-full
    For each sort of feature, whom it keeps from being fully visible to which attacker.

    Ruling: models are not in the way; cover asks for terrain only.
    """
    crowd, table, people = battle.crowd(), battle.table, _crowd(battle)
    rows, columns = crowd.rows(attackers), crowd.rows(targets)
    low = ~(_high(attackers)[:, None] | _high(targets))
    met = _between(battle, _corridor(battle, attackers, targets))
    kinds = [kind for kind in dict.fromkeys(p.kind for p in table.pieces) if kind in met]
    found: list[tuple[str, BoolArray]] = []
    battle.cite(*(KINDS[kind][1] for kind in kinds if kind != "crater"))
    for kind in kinds:
        if kind in ("crater", "barricade"):
            continue
        if kind == "woods":
            hidden = ~_past_woods(battle, attackers, targets)
            if (hidden & ~low).any():
                battle.cite("wh40k:15.4.4-exceptions")
            hidden = hidden & low
            if hidden.any():
                battle.cite("wh40k:15.4.3-through", "wh40k:23.53-woods-los")
        else:
            some = _pieces(table, (kind,), kind)
            free = _within(battle, attackers, some)
            hidden = ~every_part(people, rows, columns, some, models=False, open_=free)
        if kind == "ruins":
            hidden &= low
        found.append((KINDS[kind][1], hidden))
    return found + (_barricades(battle, attackers, targets) if "barricade" in met else [])


def _barricades(battle: Battle, attackers: Sequence[Model], targets: Sequence[Model]) -> list[tuple[str, BoolArray]]:
    """wh40k:15.2.2-barricade  INFANTRY wholly within 3" of it and not fully visible because of it."""
    crowd, people, found = battle.crowd(), _crowd(battle), []
    for piece in battle.table.pieces:
        if piece.kind != "barricade":
            continue
        near = [m.has("INFANTRY") and _wholly_near(battle, m, piece) for m in targets]
        if any(near):
            table = _pieces(Table(battle.table.width, battle.table.height, (piece,)), ("barricade",), piece.id)
            full = every_part(people, crowd.rows(attackers), crowd.rows(targets), table, models=False)
            found.append((KINDS["barricade"][1], ~full & np.array(near, np.bool_)))
    return found


def _wholly_near(battle: Battle, model: Model, piece: Piece) -> bool:
    """wh40k:1.10.5-wholly  Every part of the base within 3" of a feature."""
    base, pose = battle.bodies.base(model.body), battle.pose(model)
    return farthest_from_ring(base, pose, piece.ring) <= NEAR_BARRICADE + EPS

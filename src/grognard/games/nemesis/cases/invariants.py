"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from grognard.games.nemesis.battle import Battle
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.state.field import disagreements

POOLS = (
    "magic.stones", "magic.stones_used", "pc_left", "magic.creation_dice", "magic.block_dice", "shot", "kills",
)  # fmt: skip
_pools = attrgetter(*POOLS)


def invariants(battle: Battle) -> list[str]:
    """Whatever does not hold, in words."""
    checks = (disagreements, _models, _edges, _units, _overlaps, _sides, _markers)
    return [problem for check in checks for problem in check(battle)]


def _models(battle: Battle) -> Iterator[str]:
    for model in battle.models.values():
        if min(_pools(model)) < 0:
            owed = [(pool, has) for pool, has in zip(POOLS, _pools(model), strict=True) if has < 0]
            yield from (f"{model.id}: {pool.rpartition('.')[2]} is {has}" for pool, has in owed)
        if not 0 <= model.s <= model.s_start:
            yield f"{model.id}: S is {model.s} of {model.s_start}"
        if model.doomed and not model.on_table:
            yield f"{model.id}: is doomed but has left the table"
        if model.on_table and model.s == 0 and model.card.S > 0 and not model.doomed:
            yield f"{model.id}: has no S left and is not doomed"


def _edges(battle: Battle) -> Iterator[str]:
    over = battle.bodies.beyond(battle.table.width, battle.table.height)
    for model in battle.models.values() if over else ():
        if model.on_table and model.body in over:
            pose = battle.pose(model)
            yield f"{model.id}: stands over the table's edge at [{pose.x / MM_PER_CM:g}, {pose.y / MM_PER_CM:g}]"


def _units(battle: Battle) -> Iterator[str]:
    mustering = battle.phase in ("preparation", "deployment")
    for unit in battle.units.values():
        for model_id in unit.models:
            if model_id in battle.models and not battle.models[model_id].on_table and not mustering:
                yield f"{unit.id}: {model_id} is not on the table"
        if unit.hero is not None and unit.hero not in unit.models:
            yield f"{unit.id}: its hero {unit.hero} is not a member"


def _overlaps(battle: Battle) -> Iterator[str]:
    """nemesis:5.4-hitbox  No base stands in another."""
    pairs = battle.bodies.overlapping_pairs()
    owner = {model.body: model.id for model in battle.models.values()} if pairs else {}
    for i, j in pairs:
        yield f"{owner.get(i)} and {owner.get(j)} overlap"


def _sides(battle: Battle) -> Iterator[str]:
    for side in battle.sides.values():
        if side.lost_points < 0:
            yield f"{side.id}: has lost {side.lost_points} points"
        if side.commander is not None and side.commander not in battle.models:
            yield f"{side.id}: its commander {side.commander} does not exist"


def _markers(battle: Battle) -> Iterator[str]:
    for marker in battle.markers:
        bearer = battle.models.get(marker.bearer or "")
        if marker.bearer is not None and (bearer is None or marker.id not in bearer.scrolls):
            yield f"{marker.id}: its bearer {marker.bearer} does not have it"
        if marker.destroyed and marker.bearer is not None:
            yield f"{marker.id}: is destroyed and carried"
    for model in battle.models.values():
        for scroll in model.scrolls:
            if not any(m.id == scroll and m.bearer == model.id for m in battle.markers):
                yield f"{model.id}: carries {scroll}, which does not know it"

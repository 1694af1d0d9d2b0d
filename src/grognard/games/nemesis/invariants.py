"""What must hold after every event, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.kernel.field import disagreements
from grognard.kernel.geometry.units import TOUCH

POOLS = ("stones", "stones_used", "pc_left", "creation_dice", "block_dice", "shot", "kills")


def invariants(battle: Battle) -> list[str]:
    """Whatever does not hold, in words."""
    checks = (disagreements, _models, _units, _overlaps, _sides, _markers)
    return [problem for check in checks for problem in check(battle)]


def _models(battle: Battle) -> Iterator[str]:
    for model in battle.models.values():
        for pool in POOLS:
            if getattr(model, pool) < 0:
                yield f"{model.id}: {pool} is {getattr(model, pool)}"
        if not 0 <= model.s <= model.s_start:
            yield f"{model.id}: S is {model.s} of {model.s_start}"
        if model.doomed and not model.on_table:
            yield f"{model.id}: is doomed but has left the table"
        if model.on_table and model.s == 0 and model.card.S > 0 and not model.doomed:
            yield f"{model.id}: has no S left and is not doomed"
        if model.on_table:
            yield from _on_the_table(battle, model)


def _on_the_table(battle: Battle, model: Model) -> Iterator[str]:
    pose, reach = battle.pose(model), battle.bodies.base(model.body).reach - TOUCH
    width, height = battle.table.width, battle.table.height
    if not (reach <= pose.x <= width - reach and reach <= pose.y <= height - reach):
        yield f"{model.id}: stands over the table's edge at ({pose.x}, {pose.y})"


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
    owner = {model.body: model.id for model in battle.models.values()}
    for i, j in battle.bodies.overlapping_pairs():
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

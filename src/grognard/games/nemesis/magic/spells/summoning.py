"""nemesis:A2.N.4-summon-1  Models that come to the table in the middle of a battle, and go again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.magic.spells import places
from grognard.kernel.geometry.base import Pose
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Place, Script

#: nemesis:6-regiment-size
LARGEST = 10


def room(unit: Unit) -> int:
    """nemesis:6-regiment-size  How many more troopers a regiment may hold; a hero who joined does not count."""
    return LARGEST - len([m for m in unit.models if m != unit.hero])


def summon(battle: Battle, unit: Unit, number: int, rule: str) -> Script[list[str]]:
    """The ids of the models that came. Ruling: whoever is not placed is lost; free of points; placed one by one."""
    like = _trooper(battle, unit)
    if room(unit) < number:
        battle.cite("nemesis:6-regiment-size")
    made: list[str] = []
    asked: list[str] = []
    for _ in range(min(number, room(unit))):
        model_id = battle.free_id(f"{unit.id}-summoned", *asked)
        asked.append(model_id)
        facing = battle.pose(battle.members(unit)[0]).facing
        found = places.around(battle, unit, like, rule)
        judge = SpotJudge(
            model_id, lambda pose: places.summon_bar(battle, unit, like, pose, rule), found, rule, facing
        )  # fmt: skip
        pose = yield Place(unit.seat, "summon.place", [model_id], judge, optional=True, rule=rule, about=(unit.id,))
        if pose is not None:
            _arrive(battle, unit, like, model_id, pose, rule)
            made.append(model_id)
    return made


def _trooper(battle: Battle, unit: Unit) -> Model:
    """Whom the newcomers are like: a trooper of the regiment, one it has lost if only the champion is left."""
    own = [m for m in battle.models.values() if m.home == unit.id and not m.champion]
    return next((m for m in own if m.on_table), own[0] if own else battle.members(unit)[0])


def _arrive(battle: Battle, unit: Unit, like: Model, model_id: str, pose: Pose, rule: str) -> None:
    """Ruling: it acts as the others do, on orders the whole regiment has been given as well."""
    body = battle.bodies.add(like.card.outline, pose, float(battle.bodies.height[like.body]))
    model = Model(model_id, unit.seat, unit.id, like.card, body)
    model.summoned, model.arrived = True, battle.turn
    model.weapon = like.weapon
    battle.models[model_id] = model
    troopers = [m for m in unit.models if m != unit.hero]
    unit.orders = tuple(
        msgspec.structs.replace(o, models=(*o.models, model_id)) if not o.done and set(troopers) <= set(o.models) else o
        for o in unit.orders
    )
    unit.models = (*unit.models, model_id)
    battle.tell("spell.summoned", rule, (model_id, unit.id), x=pose.x, y=pose.y, facing=pose.facing)


def dismiss(battle: Battle, model_ids: Sequence[str], rule: str) -> None:
    """nemesis:14.6-permanent  What was summoned goes again; nobody counts it as a loss."""
    for model_id in model_ids:
        model = battle.models[model_id]
        unit = battle.unit_of(model)
        model.on_table = False
        battle.bodies.remove(model.body)
        unit.models = tuple(m for m in unit.models if m != model_id)
        battle.tell("spell.dismissed", rule, (model_id, unit.id))

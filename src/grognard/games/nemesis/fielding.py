"""Bringing an army's models into a battle, on the table or not yet."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Side, Unit
from grognard.games.nemesis.profiles import Card
from grognard.kernel.geometry.base import Pose

NOWHERE = Pose(0.0, 0.0)


def add_side(battle: Battle, seat: str, name: str, faction: str) -> Side:
    side = Side(seat, name, faction)
    battle.sides[seat] = side
    return side


def add_unit(
    battle: Battle, unit_id: str, seat: str, name: str, model_ids: Sequence[str], cards: Sequence[Card],
    poses: Sequence[Pose] | None = None,
) -> Unit:  # fmt: skip
    """nemesis:5.2-troop  A regiment of troops or a single model; without poses it is not deployed yet."""
    where = list(poses) if poses is not None else [NOWHERE] * len(cards)
    heights = [float(card.size) for card in cards]
    bodies = battle.bodies.add_many([card.outline for card in cards], where, heights)
    for model_id, card, body in zip(model_ids, cards, bodies, strict=True):
        model = Model(model_id, seat, unit_id, card, body)
        battle.models[model_id] = model
        if poses is None:
            model.on_table = False
            battle.bodies.remove(body)
    unit = Unit(unit_id, seat, name, tuple(model_ids), regiment=not cards[0].is_hero)
    battle.units[unit_id] = unit
    battle.sides[seat].started += len(cards)
    return unit


def join(battle: Battle, hero: Model, regiment: Unit) -> None:
    """nemesis:6-hero, nemesis:X.13-join-leave  The hero becomes a member; his own unit stands empty meanwhile."""
    battle.units[hero.home].models = ()
    hero.unit = regiment.id
    regiment.hero = hero.id
    regiment.models = (*regiment.models, hero.id)
    regiment.start_strength = len(regiment.models)


def put_down(battle: Battle, model: Model, pose: Pose) -> None:
    """The model stands on the table."""
    model.on_table = True
    battle.bodies.restore(model.body, pose)

"""Bringing an army's models into a battle, on the table or not yet."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.nemesis.army.profiles import Card
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Side, Unit
from grognard.kernel.geometry.base import Pose


def add_side(battle: Battle, seat: str, name: str, faction: str) -> Side:
    return battle.enlist(Side(seat, name, faction))


def add_unit(
    battle: Battle, unit_id: str, seat: str, name: str, model_ids: Sequence[str], cards: Sequence[Card],
    poses: Sequence[Pose] | None = None,
) -> Unit:  # fmt: skip
    """nemesis:5.2-troop  A regiment of troops or a single model; without poses it is not deployed yet."""
    bodies = battle.embody([card.outline for card in cards], poses, [float(card.size) for card in cards])
    models = [
        Model(model_id, seat, unit_id, card, body)
        for model_id, card, body in zip(model_ids, cards, bodies, strict=True)
    ]
    for model in models:
        model.on_table = poses is not None
    unit = battle.muster(Unit(unit_id, seat, name, tuple(model_ids), regiment=not cards[0].is_hero), models)
    battle.sides[seat].started += len(cards)
    return unit


def join(battle: Battle, hero: Model, regiment: Unit) -> None:
    """nemesis:6-hero, nemesis:X.13-join-leave  The hero becomes a member; his own unit stands empty meanwhile."""
    battle.units[hero.home].models = ()
    hero.unit = regiment.id
    regiment.hero = hero.id
    regiment.models = (*regiment.models, hero.id)
    regiment.start_strength = len(regiment.models)


def stand_alone(battle: Battle, hero: Model) -> None:
    """nemesis:X.13-join-leave  Ruling: the last of a regiment, if a hero, is his own master from the next turn on.

    What the regiment remembers of combats, flight and spells he takes with him.
    """
    regiment, own = battle.unit_of(hero), battle.units[hero.home]
    for slot in ("shaken", "shaken_by", "timid_turn", "pursuit_turn", "no_disengage_turn", "defending"):
        setattr(own, slot, getattr(regiment, slot))
    own.models, regiment.models, regiment.hero, regiment.wiped = (hero.id,), (), None, True
    hero.unit = own.id
    for unit in battle.units.values():
        unit.shaken_by = tuple(own.id if key == regiment.id else key for key in unit.shaken_by)
    for pair, turn in list(battle.joined.items()):
        if regiment.id in pair:
            del battle.joined[pair]
            one, other = sorted(own.id if key == regiment.id else key for key in pair)
            battle.joined[(one, other)] = turn
    battle.enchantments = tuple(
        msgspec.structs.replace(e, target=own.id) if e.target == regiment.id else e for e in battle.enchantments
    )
    battle.tell("hero.left", "nemesis:X.13-join-leave", (hero.id, regiment.id))

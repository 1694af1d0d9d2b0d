"""Making units and models of a battle from what army lists and cases say."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wh40k.army.profiles import Datasheet, Profile, Weapon
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Side, Unit


def add_side(battle: Battle, seat: str, name: str, faction: str, limit: int = 1000) -> Side:
    """wh40k:3.2.3-start  A player's side; Ruling: it starts with no command points (house rule starting_cp)."""
    side = Side(seat, name, faction)
    side.limit = limit
    side.cp = int(battle.house["starting_cp"])
    return battle.enlist(side)


def add_unit(
    battle: Battle, seat: str, unit_id: str, name: str, sheet: Datasheet,
    kits: Sequence[tuple[Profile, tuple[Weapon, ...]]], points: int,
) -> Unit:  # fmt: skip
    """A unit, off the battlefield so far; a single model has its unit's id."""
    ids = tuple(f"{unit_id}.{n}" for n in range(1, len(kits) + 1)) if len(kits) > 1 else (unit_id,)
    bodies = battle.embody([profile.outline for profile, _ in kits], None, [profile.tall for profile, _ in kits])
    models = [
        Model(model_id, seat, unit_id, profile, weapons, body)
        for model_id, (profile, weapons), body in zip(ids, kits, bodies, strict=True)
    ]
    return battle.muster(Unit(unit_id, seat, name, sheet, ids, points), models)

"""Survival points given back or taken by spells."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model


def heal(battle: Battle, model: Model, points: int, rule: str) -> None:
    """nemesis:A2.R.1-care, nemesis:A2.N.9-healing, nemesis:A2.O.10-tree-of-life
    Never above the starting S, never the lost."""
    gained = 0 if model.doomed else min(points, model.s_start - model.s)
    if gained > 0:
        model.s += gained
        battle.tell("spell.healed", rule, (model.id,), gained=gained, s=model.s)

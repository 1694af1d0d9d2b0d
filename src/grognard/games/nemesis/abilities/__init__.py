"""Annex I: the 27 special abilities, one small class each, by the name on the card."""

from grognard.games.nemesis.abilities import book as _book  # registers them
from grognard.games.nemesis.abilities.base import REGISTRY, Trait

__all__ = ["REGISTRY", "Trait"]

assert _book

"""Chapter 21: Model Rules by the name on the profile."""

from grognard.games.t9a.abilities import attributes, protections, specials, universal
from grognard.games.t9a.abilities.base import Trait, area_of, borne, every, listed, parse

__all__ = [
    "Trait",
    "area_of",
    "attributes",
    "borne",
    "every",
    "listed",
    "parse",
    "protections",
    "specials",
    "universal",
]

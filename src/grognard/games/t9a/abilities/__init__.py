"""t9a:21  Model Rules by the name on the profile."""

from grognard.games.t9a.abilities import attributes, protections, specials, universal
from grognard.games.t9a.abilities.base import Trait, borne, every, listed, parse, slug

__all__ = ["Trait", "attributes", "borne", "every", "listed", "parse", "protections", "slug", "specials", "universal"]

"""Special rules of creatures: psychology and nature, by the name on the card."""

from grognard.games.wfb3.abilities import psychology, troops
from grognard.games.wfb3.abilities.base import ABILITIES, Special

__all__ = ["ABILITIES", "Special", "psychology", "troops"]

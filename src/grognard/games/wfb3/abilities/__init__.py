"""Special rules of creatures: psychology and nature, by the name on the card."""

from grognard.games.wfb3.abilities import elements, psychology, trades, troops
from grognard.games.wfb3.abilities.base import ABILITIES, Special

__all__ = ["ABILITIES", "Special", "elements", "psychology", "trades", "troops"]

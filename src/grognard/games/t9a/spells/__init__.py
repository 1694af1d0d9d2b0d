"""t9a:13.G  Spells and what they do."""

from grognard.games.t9a.spells.base import Spell, Version, paths, spell, spells

__all__ = ["Spell", "Version", "paths", "spell", "spells"]

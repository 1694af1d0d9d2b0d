"""t9a:13.G  Spells and what they do."""

from grognard.games.t9a.spells.base import Book, Spell, Version, known_paths, parse_paths, paths, spell

__all__ = ["Book", "Spell", "Version", "known_paths", "parse_paths", "paths", "spell"]

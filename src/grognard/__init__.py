"""Grognard plays tabletop miniature wargames by the book."""

__version__ = "0.1.0"

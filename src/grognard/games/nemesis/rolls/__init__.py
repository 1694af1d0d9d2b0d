"""Characteristics as tallies, re-rolls, and the rolls that are weighed."""

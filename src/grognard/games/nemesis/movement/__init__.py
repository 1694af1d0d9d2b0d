"""Chapters 12 and 15: moves, approaches, and moves by the dice or by spells."""

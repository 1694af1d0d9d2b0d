"""Chapters 7.1 to 7.3: declaring charges, receiving them, charge moves, the moment of contact."""

"""Chapters 4, 5 and 14: moves, falling back, reserves, transports, aircraft."""

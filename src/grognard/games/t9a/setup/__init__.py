"""Chapters 9 and 10: the pre-game sequence, deployment, Vanguard moves."""

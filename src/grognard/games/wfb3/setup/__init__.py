"""Chapters 2, 25 and 26: terrain, fielding, deployment, advance forces, victory."""

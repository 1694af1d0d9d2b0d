"""Chapters 12 and 19: fielding the armies, battle formations, deployment, terrain."""

"""Chapters 5.3 and 5.4: tactic points, leaders and what they add."""

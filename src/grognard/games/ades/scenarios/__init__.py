"""Chapters 3 and 9: scenarios, scenery, zones, tokens, fielding the armies, the end of a game."""

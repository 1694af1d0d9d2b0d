"""Chapters 4 to 9: the scripts of the phases of a player turn."""

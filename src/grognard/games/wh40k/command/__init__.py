"""Chapters 3 and 13: the Command phase, Stratagems, what Detachments do."""

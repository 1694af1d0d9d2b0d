"""Chapters 14.6, 12 and 16: characters in battle, standards, war altars."""

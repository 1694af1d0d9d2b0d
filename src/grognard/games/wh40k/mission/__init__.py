"""Chapters 20 and 21: objective markers, scoring, the end of the battle."""

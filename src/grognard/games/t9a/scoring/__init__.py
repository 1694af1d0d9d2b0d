"""Chapters 9.E and 18: secondary objectives and Victory Points."""

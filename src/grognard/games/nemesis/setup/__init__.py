"""Chapters 6 to 9 and annex III: army lists, missions, terrain and deployment."""

"""Chapters 20 to 22: wounds, casualties, courage and fear."""

"""Chapters 7, 16 and 17: wounds and saves, casualties, closing up, psychology."""

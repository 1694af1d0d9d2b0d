"""Chapters 15 and 17: special troops: assassins, packs, skirmishers, sappers, traps, weres; looting."""

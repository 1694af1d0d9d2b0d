"""Profiles, gear, items, mounts, spells and army books: what they say and cost."""

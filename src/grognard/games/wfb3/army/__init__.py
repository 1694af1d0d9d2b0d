"""Creatures, weapons, machines, vehicles and army lists: what they say and cost."""

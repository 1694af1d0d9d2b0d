"""Walks, runs and dodges, disengaging, flight, and what the enemy may do about them."""

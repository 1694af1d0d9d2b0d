"""Dice and re-rolls, the numbers of an attack, and the rolls that are weighed."""

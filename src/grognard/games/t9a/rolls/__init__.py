"""The values of models with all that changes them, dice, and the rolls that are weighed."""

"""The values of units with all that changes them, saves, tests, and the rolls that are weighed."""

"""Characteristics with their accounts, tests and challenges, and the rolls that are weighed."""

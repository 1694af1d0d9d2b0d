"""Matches in SQLite or PostgreSQL: schema, upgrades, backups, and trouble told as what it is."""

"""How the database came to be what it is: one step a schema version, run by Alembic (server/upgrading.py)."""

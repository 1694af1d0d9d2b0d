"""The table over HTTP and WebSocket: seats, storage, and the games as every screen sees them.

Nothing here knows a particular game. `app.make` builds the application, `commands` starts it.
"""

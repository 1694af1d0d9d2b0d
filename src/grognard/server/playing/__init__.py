"""Matches being played: sittings, seats over WebSocket, what each is told and may ask."""

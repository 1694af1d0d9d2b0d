"""The table over HTTP and WebSocket: seats, storage, and the games as every screen sees them.

Nothing here knows a particular game. `app.make` builds the application, `commands` starts it. What the command line
needs is imported when it first asks for it here (`server.keeping`), so that `--help` waits for no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard.server import commands
    from grognard.server.hosting import sources, tidying
    from grognard.server.inviting import claims
    from grognard.server.storage import chronicle, keeping
    from grognard.server.storage.storage import Store
else:
    _FROM = {
        "Store": "storage.storage:Store", "chronicle": "storage.chronicle", "claims": "inviting.claims",
        "commands": "commands", "keeping": "storage.keeping", "sources": "hosting.sources",
        "tidying": "hosting.tidying",
    }  # fmt: skip

    def __getattr__(name: str) -> Any:
        if name not in _FROM:
            raise AttributeError(f"grognard.server has no {name}")
        module, _, inside = _FROM[name].partition(":")
        found = import_module(f"grognard.server.{module}")
        return getattr(found, inside) if inside else found


__all__ = ["Store", "chronicle", "claims", "commands", "keeping", "sources", "tidying"]

"""The table in the terminal: what each command shows and asks. Draws what it is handed; knows no rules.

What a command needs is imported when it first asks for it here (`terminal.books`), so that none waits for the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard.terminal import books, desks, replaying, starting
else:

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return import_module(f"grognard.terminal.{name}")
        raise AttributeError(f"grognard.terminal has no {name}")


__all__ = ["books", "desks", "replaying", "starting"]

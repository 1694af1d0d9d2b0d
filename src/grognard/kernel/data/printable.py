"""Text as people may read it: nothing that rings bells, moves cursors or turns the line around."""

from __future__ import annotations

import re
from typing import Any

#: Control characters but line breaks and tabs, marks that turn the direction of writing, line separators, byte marks.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    """A text without such characters.

    >>> printable("Goblins\\u202e of\\x07 Doom")
    'Goblins of Doom'
    """
    return _UNSEEN.sub("", text)


def all_printable(value: Any) -> Any:
    """Plain data with every text in it made printable, keys too."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(key) if isinstance(key, str) else key: all_printable(held) for key, held in value.items()}
    return [all_printable(held) for held in value] if isinstance(value, list) else value

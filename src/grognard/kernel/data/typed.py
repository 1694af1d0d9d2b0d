"""Typed data, read safely from several threads at once.

msgspec works out what a class holds when it first reads one, and a thread that reads another meanwhile brings the whole
process down; so every class is prepared alone, once.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_alone = threading.Lock()
_ready: dict[Any, None] = {}


def prepared(kind: type[T]) -> type[T]:
    """A class that any thread may read now."""
    if kind not in _ready:
        with _alone:
            if kind not in _ready:
                msgspec.json.Decoder(kind)
                _ready[kind] = None
    return kind


def convert(data: Any, kind: type[T], *, strict: bool = True) -> T:
    """Plain data as that class; a wrong one raises msgspec.ValidationError with the place."""
    return msgspec.convert(data, type=prepared(kind), strict=strict)


def decode(raw: bytes | str, kind: type[T]) -> T:
    """JSON as that class; a wrong one raises msgspec.DecodeError with the place."""
    return msgspec.json.decode(raw, type=prepared(kind))

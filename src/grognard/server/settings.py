"""What a server can be told when it is started."""

from __future__ import annotations

from pathlib import Path

import msgspec

STATIC = Path(__file__).resolve().parent / "static"


class Limits(msgspec.Struct, frozen=True):
    """How much one visitor may ask for: a burst, and how many a second after that."""

    requests: tuple[float, float] = (400, 80)
    matches: tuple[float, float] = (40, 0.5)
    messages: tuple[float, float] = (200, 50)
    bad_messages: int = 100
    connections: int = 64
    body: int = 1024 * 1024
    upload: int = 16 * 1024 * 1024
    message: int = 256 * 1024


class Settings(msgspec.Struct, frozen=True):
    """One server. `hosts` are the names it may be called by; none means any."""

    database: str | None = None
    hosts: tuple[str, ...] = ()
    static: Path = STATIC
    idle: float = 600.0
    most_tables: int = 400
    poll: float = 2.0
    hands: int = 4
    thinkers: int = 1
    try_files: bool = True  # play strangers' files in a process of their own first
    limits: Limits = Limits()

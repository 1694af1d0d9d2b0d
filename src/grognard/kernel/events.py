"""What happened, as data: every event cites its rule and names what it is about."""

from __future__ import annotations

from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened.

    `seats` lists who may know of it; None means everyone. `data` is plain JSON.
    """

    kind: str
    rule: str
    about: tuple[str, ...] = ()
    data: dict[str, Any] = {}
    seats: tuple[str, ...] | None = None

    def visible_to(self, seat: str | None) -> bool:
        """Whether a seat may see it; None is the referee, who sees all."""
        return self.seats is None or seat is None or seat in self.seats


_encoder = msgspec.json.Encoder(order="deterministic")


def canonical(value: Any) -> bytes:
    """The one byte form of any plain value: keys sorted, no spaces."""
    return _encoder.encode(value)

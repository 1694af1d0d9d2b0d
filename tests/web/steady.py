"""`grognard` with the same luck for every match, so that a test of the page meets the same battle in every run.

GROGNARD_TEST_LUCK names another luck; what holds with one should hold with any.
"""

from __future__ import annotations

import hashlib
import os
import secrets

from grognard.cli import main
from grognard.server.http import matches
from grognard.server.storage import storage


class Luck:
    """What the server draws at random: the seed of the dice and of computer players always alike, names ever new."""

    def __init__(self, name: str) -> None:
        self.seed = hashlib.sha256(name.encode()).digest()

    def token_bytes(self, size: int) -> bytes:
        return self.seed[:size]

    def token_hex(self, size: int) -> str:
        return self.seed[:size].hex() if size == storage.LUCK else secrets.token_hex(size)

    def token_urlsafe(self, size: int) -> str:
        return secrets.token_urlsafe(size)

    def randbelow(self, end: int) -> int:
        return int.from_bytes(self.seed, "big") % end


if __name__ == "__main__":
    luck = Luck(os.environ.get("GROGNARD_TEST_LUCK", "steady"))
    for module in (matches, storage):
        vars(module)["secrets"] = luck
    main()

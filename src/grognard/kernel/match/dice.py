"""One door for chance: where the faces of a roll come from.

Every source answers `faces(roll)` with a tuple, or None when a person must say them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from random import Random
from typing import Protocol

import msgspec

from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Roll


class Dice(Protocol):
    """Anything that can say what came up."""

    def faces(self, roll: Roll) -> tuple[int, ...] | None:
        """The faces, or None when a person must say them."""
        ...


class Seeded:
    """Fast dice for simulation."""

    def __init__(self, seed: int | str) -> None:
        self._rng = Random(seed)

    def faces(self, roll: Roll) -> tuple[int, ...]:
        rng = self._rng.random
        sides = roll.sides
        return tuple(int(rng() * sides) + 1 for _ in range(roll.count))


class ByHand:
    """The players roll real dice and say what came up."""

    def faces(self, roll: Roll) -> None:
        return None


class DiceExhausted(BadInput):
    """A scripted match rolled more dice than the script holds."""


class Scripted:
    """Faces written down beforehand, in the order the rules roll them."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.left = list(faces)
        self.used = 0

    def faces(self, roll: Roll) -> tuple[int, ...]:
        if len(self.left) < roll.count:
            raise DiceExhausted(
                "the rules roll {count}D{sides} for {name} ({rule}), "
                "but only {left} scripted faces are left after {used}",
                count=roll.count, sides=roll.sides, name=roll.name, rule=roll.rule, left=len(self.left),
                used=self.used,
            )  # fmt: skip
        taken, self.left = tuple(self.left[: roll.count]), self.left[roll.count :]
        if any(not 1 <= face <= roll.sides for face in taken):
            raise BadInput(
                "scripted faces {faces} do not fit {count}D{sides} for {name}",
                faces=list(taken), count=roll.count, sides=roll.sides, name=roll.name,
            )  # fmt: skip
        self.used += roll.count
        return taken


class Sealed:
    """Dice nobody needs to trust: the seed's hash is shown first, the seed when the match is over.

    Players may each add a contribution after seeing the commitment; the stream depends on all of them.
    `drawn` holds every roll made as (sides, faces), those since taken back too.
    """

    def __init__(self, seed: bytes, contributions: Iterable[bytes] = ()) -> None:
        self.seed = seed
        self.contributions = tuple(contributions)
        parts = [seed, *self.contributions]
        self._key = hashlib.sha256(b"".join(len(p).to_bytes(4, "big") + p for p in parts)).digest()
        self.drawn: list[tuple[int, tuple[int, ...]]] = []
        self._counter = 0
        self._buffer = b""

    @property
    def commitment(self) -> str:
        """What the players see before the first die is rolled."""
        return hashlib.sha256(b"grognard sealed dice" + self.seed).hexdigest()

    def _byte(self) -> int:
        if not self._buffer:
            block = self._counter.to_bytes(8, "big")
            self._buffer = hmac.new(self._key, block, hashlib.sha256).digest()
            self._counter += 1
        first, self._buffer = self._buffer[0], self._buffer[1:]
        return first

    def _face(self, sides: int) -> int:
        # numbers above the last whole multiple are thrown away, so that every face is equally likely
        size = 1 if sides <= 256 else 4
        limit = 256**size - 256**size % sides
        while (number := int.from_bytes(bytes(self._byte() for _ in range(size)), "big")) >= limit:
            pass
        return number % sides + 1

    def faces(self, roll: Roll) -> tuple[int, ...]:
        faces = tuple(self._face(roll.sides) for _ in range(roll.count))
        self.drawn.append((roll.sides, faces))
        return faces

    def resume(self, rolls: Iterable[tuple[int, tuple[int, ...]]]) -> Sealed:
        """Go on after these (sides, faces) rolls of an earlier sitting; they must be this seed's own."""
        for sides, faces in rolls:
            if self.faces(Roll("", "resume", sides, len(faces), rule="")) != tuple(faces):
                raise BadInput(
                    "the sealed dice did not roll {faces} as roll {number}", faces=list(faces), number=len(self.drawn)
                )
        return self


def verify_sealed(
    commitment: str, seed: bytes, contributions: Iterable[bytes], rolls: Iterable[tuple[int, tuple[int, ...]]]
) -> bool:
    """Whether the revealed seed fits its commitment and gives exactly these (sides, faces) rolls."""
    dice = Sealed(seed, contributions)
    if dice.commitment != commitment:
        return False
    try:
        dice.resume(rolls)
    except BadInput:
        return False
    return True


class Withdrawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A roll that was made and taken back: its place among all rolls drawn, what it showed, and who alone saw it."""

    place: int
    sides: int
    faces: tuple[int, ...]
    secret: str = ""


class Seal(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a save tells of sealed dice: the commitment, the seed (hex) once the match is over, what was added to it,
    the seats that rolled by hand, how many rolls are older than the seal, and rolls since taken back.
    """

    seal: str
    seed: str = ""
    contributions: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    older: int = 0
    withdrawn: tuple[Withdrawn, ...] = ()

    @property
    def words(self) -> list[str]:
        """What players added, as they wrote it; contributions that are no text as they stand."""
        found = []
        for part in self.contributions:
            try:
                found.append(bytes.fromhex(part).decode())
            except ValueError:
                found.append(part)
        return found

    def drawn(self, rolls: Iterable[tuple[str, int, tuple[int, ...]]]) -> list[tuple[int, tuple[int, ...]]]:
        """All that the sealed dice rolled, of the (seat, sides, faces) rolls of a match and those taken back."""
        found = [(sides, faces) for seat, sides, faces in list(rolls)[self.older :] if seat not in self.by_hand]
        for roll in self.withdrawn:  # in the order they were drawn
            found.insert(roll.place, (roll.sides, roll.faces))
        return found

    def verified(self, rolls: Iterable[tuple[str, int, tuple[int, ...]]]) -> bool:
        """Whether the revealed seed fits the seal and gives exactly these (seat, sides, faces) rolls."""
        try:
            seed, added = bytes.fromhex(self.seed), [bytes.fromhex(part) for part in self.contributions]
        except ValueError:
            return False
        return verify_sealed(self.seal, seed, added, self.drawn(rolls))

"""What every decision has in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import Any, Protocol, overload

import msgspec

from grognard.kernel.errors import Refusal, Refused

#: "There is more than one possible answer."
OPEN: Any = type("Open", (), {"__repr__": lambda self: "OPEN", "__bool__": lambda self: False})()


class Note(msgspec.Struct, frozen=True):
    """What whoever decides should know: a text of the game with its facts, and its rule (what a spell does, what it
    costs).
    """

    text: str
    data: dict[str, Any] = {}
    rule: str = ""


class Looked(Protocol):
    """A battle one can look at without touching its rules."""

    def cited_apart(self) -> AbstractContextManager[Any]: ...


class Later(Sequence[Note]):
    """Notes that are worked out when somebody reads them, while the question is open: whoever plays thousands of
    battles reads none.
    """

    __slots__ = ("_battle", "_made", "_make")

    def __init__(self, battle: Looked, make: Callable[[], Sequence[Note]]) -> None:
        self._battle = battle
        self._make = make
        self._made: tuple[Note, ...] | None = None

    def _notes(self) -> tuple[Note, ...]:
        if self._made is None:
            with self._battle.cited_apart():
                self._made = tuple(self._make())
        return self._made

    def __len__(self) -> int:
        return len(self._notes())

    @overload
    def __getitem__(self, place: int) -> Note: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Note]: ...
    def __getitem__(self, place: int | slice) -> Note | Sequence[Note]:
        return self._notes()[place]


class Underway(msgspec.Struct, frozen=True):
    """A move that is announced and not yet made: its path from where it began, and where the mover would be met."""

    path: tuple[tuple[float, float], ...]
    x: float
    y: float
    facing: float = 0.0
    level: int = 0


class Option(msgspec.Struct, frozen=True):
    """One thing that can be picked. `key` is what travels, `value` what the script gets, `notes` say what it does."""

    key: str
    value: Any = None
    text: str = ""
    about: tuple[str, ...] = ()
    data: dict[str, Any] = {}
    notes: Sequence[Note] = ()

    def wire(self) -> dict[str, Any]:
        return {"key": self.key, "text": self.text, "about": list(self.about), "data": self.data}


def option(key: str, value: Any = None, **more: Any) -> Option:
    """An option whose value is its key unless given."""
    return Option(key, key if value is None else value, **more)


def shown(wire: Any) -> str:
    """An answer short enough to stand in a sentence, whatever it is."""
    try:
        text = str(wire)
    except (ValueError, RecursionError):  # whole numbers and nestings beyond what Python prints
        text = type(wire).__name__
    return text if len(text) <= 80 else text[:77] + "..."


class Question:
    """What every decision carries: who is asked, what it is called, which rule asks, what it is about.

    An `aside` is about something that has been done in the usual way and may be done in another: declined, it stands.
    `also` are other rules by which an answer it does not take is refused. An `idle` question may be answered, but
    nobody commonly would: a person is asked it only on demand. `notes` are what one should know to decide, `underway`
    the moves others have announced, by mover, to be drawn.
    """

    __slots__ = (
        "about", "also", "aside", "checkpoint", "data", "idle", "name", "notes", "reveals", "rule", "seat", "secret",
        "underway",
    )  # fmt: skip
    kind = "question"

    def __init__(
        self,
        seat: str,
        name: str,
        *,
        rule: str,
        about: Sequence[str] = (),
        data: dict[str, Any] | None = None,
        checkpoint: bool = False,
        secret: bool = False,
        reveals: bool = False,
        aside: bool = False,
        also: Sequence[str] = (),
        idle: bool = False,
        notes: Sequence[Note] = (),
        underway: Mapping[str, Underway] | None = None,
    ) -> None:
        self.seat = seat
        self.name = name
        self.rule = rule
        self.about = tuple(about)
        self.data = data or {}
        self.checkpoint = checkpoint
        self.secret = secret
        self.reveals = reveals
        self.aside = aside
        self.also = tuple(also)
        self.idle = idle
        self.notes = notes
        self.underway = dict(underway or {})

    def decode(self, wire: Any) -> Any:
        """The script's value for a wire answer; raises Refused when the rules forbid it."""
        raise NotImplementedError

    def encode(self, wire: Any) -> Any:
        """A legal wire answer as it is recorded; shorthand is written out in full."""
        return wire

    def refusal(self, wire: Any) -> Refusal | None:
        """Why this answer is not allowed, or None."""
        try:
            self.decode(wire)
        except Refused as refused:
            return refused.refusal
        return None

    def sample(self, rng: Random) -> Any:
        """Some legal wire answer."""
        raise NotImplementedError

    def candidates(self, limit: int = 64) -> list[Any]:
        """Wire answers worth comparing; all of them where there are few."""
        raise NotImplementedError

    def forced(self) -> Any:
        """The only possible wire answer, or OPEN."""
        return OPEN

    @property
    def decided(self) -> bool:
        """Whether all answers say the same: it is asked all the same, so that others cannot tell."""
        return False

    def grounds(self, key: Any) -> tuple[str, ...]:
        """The rules that put an option on offer, for whoever asks."""
        return ()

    def refuse(self, code: str, **data: Any) -> Refused:
        return Refused(Refusal(code, self.rule, {"question": self.name, **data}, self.also))

    def wire(self) -> dict[str, Any]:
        """The question as a screen needs it."""
        return {
            "kind": self.kind,
            "seat": self.seat,
            "name": self.name,
            "rule": self.rule,
            "about": list(self.about),
            "data": self.data,
            **({"underway": msgspec.to_builtins(self.underway)} if self.underway else {}),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.seat}: {self.name})"

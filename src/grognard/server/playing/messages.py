"""What a page may send over its WebSocket. Every message may carry an `id`, which the answer repeats."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

Id = Annotated[str, msgspec.Meta(max_length=100)] | int | None
Name = Annotated[str, msgspec.Meta(max_length=200)]
#: A thing by its id, or a point. (A list, not a pair: msgspec 0.22 crashes on a pair beside a text of limited length.)
Where = Name | Annotated[list[float], msgspec.Meta(min_length=2, max_length=2)]


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """What all have."""

    id: Id = None
    lang: Annotated[str, msgspec.Meta(max_length=10)] = ""


class AnswerIt(Message, frozen=True, tag="answer", kw_only=True):
    """The answer to the pending question of that name at that version."""

    version: int
    name: Name
    value: Any


class Check(Message, frozen=True, tag="check", kw_only=True):
    """Would this answer be legal? Movers carried by hand may first be `settled` on what is under them."""

    version: int
    name: Name
    value: Any
    settled: Annotated[list[Name], msgspec.Meta(max_length=200)] = []


class Body(Message, frozen=True, tag="body", kw_only=True):
    """A legal placement of the whole unit with this mover as near as possible to the point.

    `level` and `files` are wishes; `kept` is a placement half made that is carried on as it is.
    """

    version: int
    name: Name
    mover: Name
    x: float
    y: float
    facing: float | None = None
    level: int | None = None
    files: int | None = None
    kept: dict[str, Any] | None = None


class Propose(Message, frozen=True, tag="propose", kw_only=True):
    """The placement behind a proposal's name."""

    version: int
    name: Name
    proposal: Name


class Reach(Message, frozen=True, tag="reach", kw_only=True):
    mover: Name


class Sight(Message, frozen=True, tag="sight", kw_only=True):
    from_: Annotated[list[Name], msgspec.Meta(max_length=200)] = msgspec.field(name="from")


class Around(Message, frozen=True, tag="around", kw_only=True):
    """The arcs of a unit and how far its weapons reach."""

    unit: Name


class Numbers(Message, frozen=True, tag="numbers", kw_only=True):
    """The characteristics of a model as they are now, with their why."""

    model: Name


class Account(Message, frozen=True, tag="account", kw_only=True):
    """Why a number of a side (a score, points left) is what it is."""

    side: Name
    code: Name


class Measure(Message, frozen=True, tag="measure", kw_only=True):
    from_: Where = msgspec.field(name="from")
    to: Where


class Odds(Message, frozen=True, tag="odds", kw_only=True):
    """The odds of what the option of the pending question would set off."""

    version: int
    option: Name
    name: Name = ""


class Undo(Message, frozen=True, tag="undo"):
    """Take back my last decision, or ask the others for it."""


class UndoAgree(Message, frozen=True, tag="undo.agree"):
    """I consent."""


class UndoRefuse(Message, frozen=True, tag="undo.refuse"):
    """I do not, or I no longer wish to."""


class Auto(Message, frozen=True, tag="auto", kw_only=True):
    """Pass questions of this name from now on (true), be asked them always (false), or neither (null)."""

    kind: Name
    on: bool | None


class Words(Message, frozen=True, tag="words", kw_only=True):
    """What I add to the sealed dice before the first roll; an empty text is nothing."""

    text: Annotated[str, msgspec.Meta(max_length=200)]


class Ping(Message, frozen=True, tag="ping"):
    """Are you there?"""


Anything = (
    AnswerIt
    | Check
    | Body
    | Propose
    | Reach
    | Sight
    | Around
    | Measure
    | Numbers
    | Account
    | Odds
    | Undo
    | UndoAgree
    | UndoRefuse
    | Auto
    | Words
    | Ping
)
_decode = msgspec.json.Decoder(Anything).decode


def read(text: str | bytes) -> Anything:
    """A message, or msgspec.DecodeError with what is wrong."""
    message: Anything = _decode(text)
    return message


class _Echo(msgspec.Struct, frozen=True):
    id: Any = None


_echo = msgspec.json.Decoder(_Echo).decode


def id_of(text: str | bytes) -> Any:
    """The id of a message that cannot be read otherwise, if it has one short enough."""
    try:
        found = _echo(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, int) or (isinstance(found, str) and len(found) <= 100) else None

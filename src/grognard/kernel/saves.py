"""Saves: a header and the answers as readable JSON lines; a replay needs no random generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grognard.kernel.dice import ByHand, Dice, Seal
from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.match import Match
from grognard.kernel.questions.base import shown
from grognard.kernel.record import Answer
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.typed import convert, decode

FORMAT = 1
MAX_BYTES = 64 * 1024 * 1024
MAX_LINES = 1_000_000
SECRET = "(secret)"
#: What reading a line can raise: broken JSON, wrong types, broken UTF-8, endless nesting
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

#: Keys stay in the order they were given: models move in the order a placement names them.
_encode = msgspec.json.Encoder().encode


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a save."""

    grognard: int
    game: str
    rules: str
    cards: str
    house: dict[str, Any]
    setup: dict[str, Any]
    ask_all: bool = False
    dice: Seal | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every other line: the answer to one question, or the faces of one roll."""

    q: str
    seat: str
    a: Any = None
    roll: list[int] | None = None
    secret: bool = False
    reveals: bool = False


def save(match: Match, seat: str | None = None) -> str:
    """A match as text. With a seat, other seats' secret answers are left out (to read, not to load)."""
    ruleset = match.ruleset
    header = Header(
        FORMAT, ruleset.id, ruleset.version, ruleset.cards_hash, match.house, match.setup, match.ask_all, match.seal
    )  # fmt: skip
    lines = [_encode(header)]
    for answer in match.answers:
        hidden = answer.secret and seat is not None and answer.seat != seat
        lines.append(_encode(_line(answer, hidden)))
    return b"\n".join(lines).decode() + "\n"


def _line(answer: Answer, hidden: bool) -> Line:
    if answer.roll:
        return Line(answer.name, answer.seat, roll=answer.value)
    value = SECRET if hidden else answer.value
    return Line(answer.name, answer.seat, value, secret=answer.secret, reveals=answer.reveals)


def parse(text: str | bytes) -> tuple[Header, list[Answer]]:
    """Header and answers of a save, or BadInput naming the line."""
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if len(raw) > MAX_BYTES:
        raise BadInput("the save is larger than {size} MiB", size=MAX_BYTES // 1024 // 1024)
    lines = raw.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    else:
        raise BadInput("line {number}: the save is cut off (a save ends with a line break)", number=len(lines))
    if not lines:
        raise BadInput("line 1: the save is empty")
    if len(lines) > MAX_LINES:
        raise BadInput("the save has more than {most} lines", most=MAX_LINES)
    header = _header(lines[0])
    answers = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            got = decode(line, Line)
        except UNREADABLE as error:
            raise BadInput("line {number}: {error}", number=number, error=error) from None
        if got.a == SECRET and got.secret:
            raise BadInput(
                "line {number}: this save holds secrets of {seat} that were left out of it",
                number=number, seat=got.seat,
            )  # fmt: skip
        value = got.a if got.roll is None else got.roll
        answers.append(Answer(got.seat, got.q, value, got.roll is not None, got.secret, got.reveals))
    return header, answers


def _header(line: bytes) -> Header:
    try:
        version = msgspec.json.decode(line)
        if not isinstance(version, dict) or "grognard" not in version:
            raise BadInput("line 1: this is not a Grognard save")
        if version["grognard"] != FORMAT:
            raise BadInput(
                "line 1: this save has format {other}, this Grognard reads format {format}",
                other=shown(version["grognard"]), format=FORMAT,
            )  # fmt: skip
        return convert(version, Header)
    except UNREADABLE as error:
        raise BadInput("line 1: {error}", error=error) from None


def load(
    text: str | bytes, rulesets: Mapping[str, Ruleset], *, dice: Dice | None = None, history: str = "all",
    upto: int | None = None,
) -> Match:  # fmt: skip
    """The match a save holds, replayed answer by answer; `upto` stops after that many answers."""
    header, answers = parse(text)
    return resume(header, answers if upto is None else answers[:upto], rulesets, dice=dice, history=history)


def ruleset_of(header: Header, rulesets: Mapping[str, Ruleset]) -> Ruleset:
    """The game a save was played by; BadInput where its rules or cards are not the ones it needs."""
    ruleset = rulesets.get(header.game)
    if ruleset is None:
        raise BadInput(
            "line 1: there is no game {game}; there are {known}", game=header.game, known=", ".join(rulesets)
        )
    if header.rules != ruleset.version:
        raise BadInput(
            "line 1: this save needs {game} rules version {rules}, here is {version}",
            game=header.game, rules=header.rules, version=ruleset.version,
        )  # fmt: skip
    if header.cards != ruleset.cards_hash and "given" not in header.setup:
        raise BadInput("line 1: the cards of {game} have changed since this save was written", game=header.game)
    return ruleset


def resume(
    header: Header, answers: Sequence[Answer], rulesets: Mapping[str, Ruleset], *, dice: Dice | None = None,
    history: str = "all", timed: bool = False, reckoned: bool = False,
) -> Match:  # fmt: skip
    """A match played on from these answers."""
    ruleset = ruleset_of(header, rulesets)
    try:
        match = Match(
            ruleset, header.setup, house=header.house, dice=dice or ByHand(), history=history, record=answers,
            ask_all=header.ask_all, timed=timed, reckoned=reckoned,
        )  # fmt: skip
        match.seal = header.dice
        return match
    except GrognardError as error:
        raise BadInput("this save cannot be replayed: {error}", error=error) from error
    except Exception as error:  # a setup no game ever wrote can break a script anywhere
        raise BadInput(
            "this save cannot be replayed: {kind}: {error}", kind=type(error).__name__, error=error
        ) from error

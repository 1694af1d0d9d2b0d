"""Saves: a header and the answers as readable JSON lines; a replay needs no random generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from grognard.kernel.data.typed import convert, decode
from grognard.kernel.errors import BadInput, GrognardError, Word
from grognard.kernel.match.dice import ByHand, Dice, Seal
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.kernel.match.shelf import Shelf, brought, held, own_files, released
from grognard.kernel.match.story import Told, story_of
from grognard.kernel.questions.base import shown
from grognard.kernel.ruleset import SECRET, Ruleset

FORMAT = 1
MAX_BYTES = 64 * 1024 * 1024
MAX_LINES = 1_000_000
#: How a line of a story begins.
STORY = b'{"told":'
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
    #: the card files it was begun with, by name; `cards` is their hash
    sheets: dict[str, str] | None = None
    #: of a save that holds only what a seat may know: whose ("" is nobody's), and what secrets may be left out of it
    seen_by: str | None = None
    left_out: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every other line: the answer to one question, or the faces of one roll."""

    q: str
    seat: str
    a: Any = None
    roll: list[int] | None = None
    secret: bool = False
    reveals: bool = False


class Spoken(msgspec.Struct, frozen=True):
    """The last lines: what happened, in words, for whoever has no rules to play the answers by."""

    told: Told


def save(match: Match, seat: str | None = None, *, story: bool = False) -> str:
    """A match as text, with its `story` where that is wanted of a match that is timed.

    With a seat, it holds what that seat may know, and says what is left out wherever there may be secrets: whether
    there are any must not show. Where something is left out it is to be read, not to be loaded.
    """
    header = header_of(match, match.seal, sheets=not match.bare)
    if seat is None:
        return written(header, match.answers, story_of(match) if story else ())
    known = [answer for answer in match.answers if not _hidden(answer, seat)]
    setup = match.ruleset.setup_for(match.setup, match.battle.seats, seat)
    parts = {"setup": setup != match.setup, "answers": match.ruleset.secretive}
    left_out = tuple(part for part, out in parts.items() if out)
    if left_out:
        header = msgspec.structs.replace(header, setup=setup, seen_by=seat, left_out=left_out)
    return written(header, known, _placed(match, seat) if story else ())


def finished(match: Match) -> str:
    """A match as text; one that is over with its story, so that it can be read when its rules are gone."""
    return save(match, story=match.over and len(match.times) == len(match.events))


def _placed(match: Match, seat: str) -> list[Told]:
    """What a seat knows of what happened, by its place among the answers it knows."""
    places = [0, *accumulate(int(not _hidden(answer, seat)) for answer in match.answers)]
    return [msgspec.structs.replace(entry, answer=places[entry.answer]) for entry in story_of(match, seat)]


def written(header: Header, answers: Sequence[Answer], story: Sequence[Told] = ()) -> str:
    """The text of a save."""
    spoken = (_encode(Spoken(entry)) for entry in story)
    return b"\n".join([_encode(header), *(_encode(_line(answer)) for answer in answers), *spoken]).decode() + "\n"


def _hidden(answer: Answer, seat: str) -> bool:
    return answer.secret and answer.seat != seat


def header_of(match: Match, seal: Seal | None, *, sheets: bool) -> Header:
    """The first line of a match's save, with or without the cards it was begun with."""
    ruleset, held = match.ruleset, match.shelf
    files = own_files(ruleset.folder / "cards") if held is None else held.files
    return Header(
        FORMAT, ruleset.id, ruleset.version, ruleset.cards_hash if held is None else held.hash, match.house,
        match.setup, match.ask_all, seal, sheets=dict(files) if sheets else None,
    )  # fmt: skip


def _line(answer: Answer) -> Line:
    if answer.roll:
        return Line(answer.name, answer.seat, roll=answer.value)
    return Line(answer.name, answer.seat, answer.value, secret=answer.secret, reveals=answer.reveals)


def parse(text: str | bytes) -> tuple[Header, list[Answer]]:
    """Header and answers of a save to be played, or BadInput naming the line."""
    header, answers, _ = read(text)
    if header.left_out:
        raise BadInput(
            "line 1: this save holds what {seat} may know; secrets are left out of its {parts}",
            seat=header.seen_by or Word("nobody"), parts=", ".join(header.left_out),
        )  # fmt: skip
    return header, answers


def bare(text: str | bytes) -> bytes:
    """A save without its story."""
    raw = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    return b"\n".join(line for line in raw.split(b"\n") if not line.startswith(STORY))


def read(text: str | bytes) -> tuple[Header, list[Answer], list[Told]]:
    """Header, answers and story of any save, one for a seat too, or BadInput naming the line."""
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
    answers: list[Answer] = []
    story: list[Told] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            if line.startswith(STORY):
                story.append(decode(line, Spoken).told)
                continue
            got = decode(line, Line)
        except UNREADABLE as error:
            raise BadInput("line {number}: {error}", number=number, error=error) from None
        if got.a == SECRET and got.secret and not header.left_out:
            raise BadInput(
                "line {number}: this save holds secrets of {seat} that were left out of it",
                number=number, seat=got.seat,
            )  # fmt: skip
        value = got.a if got.roll is None else got.roll
        answers.append(Answer(got.seat, got.q, value, got.roll is not None, got.secret, got.reveals))
    return header, answers, story


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
    """The game a save was played by; BadInput where its rules are not the ones it needs."""
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
    return ruleset


def shelf_of(header: Header, ruleset: Ruleset) -> Shelf | None:
    """The cards a save was begun with; None where they are the game's own, BadInput where nobody has them any more."""
    folder = ruleset.folder / "cards"
    if header.cards == ruleset.cards_hash:
        return None
    if header.sheets is not None:
        return brought(folder, header.sheets, header.cards)
    found = released(folder, header.cards)
    if found is None and "given" not in header.setup:
        raise BadInput("line 1: the cards of {game} have changed since this save was written", game=header.game)
    return found


def resume(
    header: Header, answers: Sequence[Answer], rulesets: Mapping[str, Ruleset], *, dice: Dice | None = None,
    history: str = "all", timed: bool = False, reckoned: bool = False,
) -> Match:  # fmt: skip
    """A match played on from these answers. Where it has a shelf of its own, go on with it while that is held."""
    ruleset = ruleset_of(header, rulesets)
    shelf = shelf_of(header, ruleset)
    try:
        with held(shelf):
            match = Match(
                ruleset, header.setup, house=header.house, dice=dice or ByHand(), history=history, record=answers,
                ask_all=header.ask_all, timed=timed, reckoned=reckoned,
            )  # fmt: skip
        match.seal, match.shelf, match.bare = header.dice, shelf, header.sheets is None
        return match
    except GrognardError as error:
        raise BadInput("this save cannot be replayed: {error}", error=error) from error
    except Exception as error:  # a setup no game ever wrote can break a script anywhere
        raise BadInput(
            "this save cannot be replayed: {kind}: {error}", kind=type(error).__name__, error=error
        ) from error

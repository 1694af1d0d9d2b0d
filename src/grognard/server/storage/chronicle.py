"""What happened in a match, in words, kept with its acts: it can be read when the rules that made it are gone."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import msgspec

from grognard import games
from grognard.kernel.data.typed import decode
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import Header
from grognard.kernel.match.story import Told, from_answers, tell
from grognard.server.http.endpoints import Trouble

__all__ = ["Told", "Unplayable", "from_answers", "gathered", "page", "plain", "told_since", "unplayable"]
_encode = msgspec.json.Encoder().encode
#: The most an act's events may take (bytes); what is longer was not written by us.
MOST = 16 * 1024 * 1024


def told_since(match: Match, answers: int) -> bytes | None:
    """Everything that happened after so many answers; -1 is from the beginning."""
    events = [(e, m) for e, m in zip(match.events, match.times, strict=True) if m.answers > answers]
    if not events:
        return None
    entries = tell(match, events)
    return zlib.compress(_encode(entries))


def gathered(acts: Iterable[tuple[int | None, bytes | None]]) -> list[Told]:
    """The whole story from what each act told; what was taken back (`back_to`) is left out."""
    story: list[Told] = []
    for back_to, packed in acts:
        if back_to is not None:
            story = [entry for entry in story if entry.answer <= back_to]
        if packed is not None:
            try:
                story += decode(zlib.decompressobj().decompress(packed, MOST), list[Told])
            except zlib.error as error:
                raise msgspec.DecodeError(str(error)) from None
    return story


class Unplayable(Trouble):
    """The match is kept, but this Grognard cannot play it on; what happened in it can still be read."""


def unplayable(header: Header) -> Unplayable | None:
    """Why a match cannot be played on, where its rules are not ours."""
    ruleset = games.RULESETS.get(header.game)
    if ruleset is not None and ruleset.version == header.rules:
        return None
    return Unplayable(
        410, "old-rules",
        "this match was played by version {rules} of the rules of {game}, which can no longer be played; "
        "what happened in it can still be read",
        rules=header.rules, game=header.game if ruleset is None else ruleset.title,
    )  # fmt: skip


def page(title: str, why: str, story: Sequence[Told], language: str) -> str:
    """A story as one HTML file."""
    lines = [f"<h1>{escape(title)}</h1>", f"<p>{escape(why)}</p>" if why else ""]
    turn: tuple[int, str] | None = None
    for entry in story:
        if (entry.turn, entry.phase) != turn:
            turn = (entry.turn, entry.phase)
            lines.append(f"<h2>{entry.turn} · {escape(entry.phase)}</h2>")
        lines.append(
            f"<p>{escape(entry.text.get(language, entry.text.get('en', '')))} <small>{escape(entry.rule)}</small>"
        )
    body = "\n".join(lines)
    return f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{escape(title)}</title>{body}</html>\n'


def plain(entry: Told) -> Mapping[str, Any]:
    """An event for programs."""
    return {
        "answer": entry.answer, "turn": entry.turn, "phase": entry.phase, "kind": entry.kind, "rule": entry.rule,
        "text": entry.text,
    }  # fmt: skip

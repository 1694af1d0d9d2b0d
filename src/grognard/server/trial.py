"""A replay file from a stranger is first played in a process of its own, with little memory and little time.

`python -m grognard.server.trial` reads a file from its standard input and leaves with 0 where it can be played; else it
writes what is wrong with it, the sentence and its facts, so that it can be told in any language.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from typing import Any

import msgspec

from grognard.kernel.errors import BadInput, GrognardError, Word
from grognard.kernel.typed import decode

#: Seconds by the clock, seconds of work and bytes a file may take to be played.
PATIENCE, SECONDS, MEMORY = 120, 30, 2 * 1024**3
REFUSED = 3
#: Letters of a sentence and of each of its facts that are told.
LONGEST = 500


class Fact(msgspec.Struct, omit_defaults=True):
    """A fact of a sentence: a plain one, a word of ours, or an error of its own."""

    plain: str | int | float | None = None
    word: str = ""
    error: Sent | None = None


class Sent(msgspec.Struct):
    """An error as it goes from one process to the other."""

    sentence: str
    facts: dict[str, Fact]


def packed(error: GrognardError) -> Sent:
    return Sent(_told(error.sentence or str(error)), {key: _fact(value) for key, value in error.facts.items()})


def _fact(value: Any) -> Fact:
    if isinstance(value, GrognardError):
        return Fact(error=packed(value))
    if isinstance(value, Word):
        return Fact(word=_told(value))
    return Fact(value if isinstance(value, int | float) else _told(str(value)))


def _told(text: str) -> str:
    """As much of a text as is told, without what no file can hold."""
    return text[:LONGEST].encode(errors="replace").decode()


def unpacked(sent: Sent) -> BadInput:
    facts = {key: unpacked(fact.error) if fact.error else Word(fact.word) if fact.word else fact.plain
             for key, fact in sent.facts.items()}  # fmt: skip
    return BadInput(sent.sentence, **facts)


def played(raw: bytes) -> None:
    """Play a file elsewhere; BadInput where it cannot be played, or not within what it may take."""
    command = [sys.executable, "-m", "grognard.server.trial"]
    try:
        ran = subprocess.run(command, input=raw, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise BadInput("this file takes too long to be played") from None
    if ran.returncode == REFUSED:
        raise unpacked(decode(ran.stdout, Sent))
    if ran.returncode != 0:
        raise BadInput("this file takes too long to be played")


def _limit() -> None:
    """Less memory than would hurt; where the system knows no limits, time is the only one."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main() -> int:
    from grognard import games
    from grognard.kernel import saves

    _limit()
    try:
        header, answers = saves.parse(sys.stdin.buffer.read())
        saves.resume(header, answers, games.RULESETS, history="none")
    except GrognardError as error:
        sys.stdout.buffer.write(msgspec.json.encode(packed(error)))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())

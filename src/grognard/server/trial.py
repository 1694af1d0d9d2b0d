"""A replay file from a stranger is first played in a process of its own, with little memory and little time.

`python -m grognard.server.trial` reads a file from its standard input and leaves with 0 where it can be played.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

from grognard.kernel.errors import BadInput, GrognardError

#: Seconds by the clock, seconds of work and bytes a file may take to be played.
PATIENCE, SECONDS, MEMORY = 120, 30, 2 * 1024**3
REFUSED = 3


def played(raw: bytes) -> None:
    """Play a file elsewhere; BadInput where it cannot be played, or not within what it may take."""
    command = [sys.executable, "-m", "grognard.server.trial"]
    try:
        ran = subprocess.run(command, input=raw, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise BadInput("this file takes too long to be played") from None
    if ran.returncode == REFUSED:
        raise BadInput(ran.stderr.decode(errors="replace")[:500].strip())
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
        sys.stderr.write(str(error))
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""One process per change: the checks that touch it run until the first that notices."""

from __future__ import annotations

import gc
import os
import resource
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

#: A check may take this many times what it took unchanged, at least LEAST seconds of computing.
PATIENCE = 20.0
LEAST = 4.0
#: What a changed program may use more than the unchanged one, in bytes.
ROOM = 2 << 30

NOTICED, UNNOTICED, UNFIT = 1, 0, 3


class Check(NamedTuple):
    """Something that holds of the unchanged program: its name, seconds it takes, and whether it holds now."""

    name: str
    cost: float
    holds: Callable[[], bool]


class Verdict(NamedTuple):
    """What became of a change: "killed" (by whom), "survived" or "unfit"."""

    state: str
    by: str = ""


def judge(change: Callable[[], None], checks: Sequence[Check]) -> Verdict:
    """Make the change in a process of its own and run the checks in their order."""
    read, write = os.pipe()
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os._exit(_child(change, checks, write))
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode().splitlines()
    _, status = os.waitpid(pid, 0)
    last = said[-1] if said else ""
    if os.WIFSIGNALED(status):
        return Verdict("killed", f"{last} (never ends)" if os.WTERMSIG(status) == signal.SIGPROF else f"{last} (dies)")
    code = os.WEXITSTATUS(status)
    return Verdict("unfit") if code == UNFIT else Verdict("killed", last) if code else Verdict("survived")


def _child(change: Callable[[], None], checks: Sequence[Check], write: int) -> int:
    """Everything said here is thrown away, but for the name of the check under way."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    _confine()
    try:
        change()
    except Exception:
        return UNFIT
    for check in checks:
        os.write(write, f"{check.name}\n".encode())
        signal.setitimer(signal.ITIMER_PROF, max(LEAST, PATIENCE * check.cost))
        try:
            if not check.holds():
                return NOTICED
        except BaseException:
            return NOTICED
    return UNNOTICED


def _confine() -> None:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))

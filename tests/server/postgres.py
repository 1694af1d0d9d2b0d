"""A PostgreSQL of one's own for the tests: a temporary cluster, from Debian's package."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MISSING = "PostgreSQL is missing: apt-get install postgresql"


def tools() -> Path | None:
    """The folder of initdb and postgres."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3])
    return known[-1].parent if known else None


def _owner() -> str | None:
    """PostgreSQL does not run as root: whom to become instead."""
    if os.geteuid() != 0:
        return None
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a database server that lives as long as this is open."""
    folder = tools()
    assert folder is not None, MISSING
    owner, home = _owner(), Path(tempfile.mkdtemp(prefix="grognard-pg-"))
    data, port = home / "data", free_port()
    if owner is not None:
        shutil.chown(home, owner)
    quiet = {"user": owner, "cwd": home, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    init = [str(folder / "initdb"), "-D", str(data), "-U", "grognard", "-A", "trust", "-E", "UTF8", "--no-sync"]
    options = f"-h 127.0.0.1 -p {port} -k {home} -c fsync=on"
    control = [str(folder / "pg_ctl"), "-D", str(data), "-w"]
    try:
        subprocess.run(init, **quiet)  # type: ignore[call-overload]
        subprocess.run([*control, "-l", str(home / "log"), "-o", options, "start"], **quiet)  # type: ignore[call-overload]
        try:
            yield f"postgresql://grognard@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]
    finally:
        shutil.rmtree(home, ignore_errors=True)

"""Typed data read by several threads at once: a class that is new to all of them brings nobody down."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grognard.kernel.data.typed import convert, decode

#: Many classes, each first read by eight threads at the same moment.
CROWD = """
import sys, threading
from typing import Optional
import msgspec
from grognard.kernel.data.typed import convert

sys.setswitchinterval(1e-6)
for number in range(150):
    held = [("a", "Optional[list[int]]"), ("b", "Optional[dict[str, str]]")]
    Inner = msgspec.defstruct("Inner", held, module=__name__)
    fields = [(f"f{n}", "Optional[Inner]", None) for n in range(12)]
    outer = msgspec.defstruct("Outer", fields, module=__name__)
    gate = threading.Barrier(8)

    def read():
        gate.wait()
        convert({"f3": {"a": [1], "b": {"x": "y"}}}, outer)

    crowd = [threading.Thread(target=read) for _ in range(8)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
"""


class Thing(msgspec.Struct):
    name: str
    count: int = 1


def test_data_is_read_as_its_class() -> None:
    assert convert({"name": "a", "count": 2}, Thing) == decode(b'{"name":"a","count":2}', Thing) == Thing("a", 2)
    with pytest.raises(msgspec.ValidationError, match=r"\$\.count"):
        convert({"name": "a", "count": "two"}, Thing)
    assert convert({"name": "a", "count": "2"}, Thing, strict=False) == Thing("a", 2)


def test_a_class_is_read_first_by_many_threads() -> None:
    """Without care the process ends by a segmentation fault."""
    done = subprocess.run([sys.executable, "-c", CROWD], capture_output=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr.decode()[-500:])


def test_nobody_reads_classes_by_another_door() -> None:
    rooms = Path(__file__).resolve().parents[2] / "src" / "grognard"
    doors = ("msgspec.convert(", "type=")
    strays = [
        f"{path.name}: {line.strip()}"
        for path in sorted(rooms.rglob("*.py"))
        if path.name != "typed.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if doors[0] in line or ("msgspec.json.decode(" in line and doors[1] in line)
    ]
    assert not strays

"""Which cases run which lines: worked out once by probes in the code, kept in build/mutants/."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grognard.check import Case, find_files, read_file, run_case
from grognard.kernel.ruleset import Ruleset
from tests.mutants.probes import probe, spans

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "mutants"
SOURCES = ROOT / "src" / "grognard"


class Touch(msgspec.Struct, frozen=True):
    """What one case touches: seconds of computing, and lines by module."""

    digest: str
    cost: float
    lines: dict[str, list[int]]


def cases_of(game: str) -> list[Case]:
    """The cases of a game, in the order of their files."""
    return [case for path in find_files([ROOT / "cases" / game]) for case in read_file(path).cases]


def lightly() -> None:
    """Cases are not played a second time from their save here: that takes most of their time, and proves the saves."""
    runner = importlib.import_module("grognard.check.run")
    if hasattr(runner, "replay_failures"):
        runner.__dict__["replay_failures"] = lambda match, where: []


def touches(ruleset: Ruleset, game: str, cases: Sequence[Case], modules: Sequence[str]) -> dict[str, Touch]:
    """What each case that holds touches; only what is not known yet is played, in a process of its own."""
    stamp = _stamp(game, modules)
    kept = BUILD / f"{game}-{stamp}.json"
    known: dict[str, Touch] = {}
    if kept.exists():
        known = msgspec.json.decode(kept.read_bytes(), type=dict[str, Touch])
    digests = {case.id: _digest(case) for case in cases}
    missing = [c for c in cases if c.id not in known or known[c.id].digest != digests[c.id]]
    if missing:
        BUILD.mkdir(parents=True, exist_ok=True)
        pid = os.fork()
        if pid == 0:
            probed = Probed(modules)
            known |= {c.id: probed.play(ruleset, c, digests[c.id]) for c in _told(missing)}
            kept.write_bytes(msgspec.json.encode(known))
            os._exit(0)
        if os.waitpid(pid, 0)[1]:
            raise SystemExit(f"the cases of {game} could not be played")
        known = msgspec.json.decode(kept.read_bytes(), type=dict[str, Touch])
    return {case.id: known[case.id] for case in cases if known[case.id].lines}


def _told(cases: Sequence[Case]) -> Iterator[Case]:
    for number, case in enumerate(cases, 1):
        yield case
        if number % 200 == 0 or number == len(cases):
            print(f"  {number} of {len(cases)} cases played", file=sys.stderr, flush=True)


class Probed:
    """Modules with probes in them."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.seen: dict[str, set[int]] = {}
        self.spans: dict[str, dict[int, range]] = {}
        for name in modules:
            module = importlib.import_module(f"grognard.{name}")
            text = Path(str(module.__file__)).read_text(encoding="utf-8")
            self.seen[name] = probe(module, text, str(module.__file__))
            self.spans[name] = spans(text)

    def play(self, ruleset: Ruleset, case: Case, digest: str) -> Touch:
        for seen in self.seen.values():
            seen.clear()
        began = time.process_time()
        held = run_case(ruleset, case).passed
        cost = time.process_time() - began
        return Touch(digest, cost, {name: self.lines(name) for name, seen in self.seen.items() if seen and held})

    def lines(self, name: str) -> list[int]:
        return sorted({line for first in self.seen[name] for line in self.spans[name][first]})


def _digest(case: Case) -> str:
    return hashlib.sha256(repr(case.text).encode()).hexdigest()[:16]


def _stamp(game: str, modules: Sequence[str]) -> str:
    """Lines are those of these very sources."""
    found = hashlib.sha256(",".join(modules).encode())
    for path in sorted([*(SOURCES / "kernel").rglob("*.py"), *(SOURCES / "games" / game).rglob("*.py")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def by_line(known: Mapping[str, Touch], module: str) -> dict[int, list[str]]:
    """The cases that run each line of a module."""
    found: dict[int, list[str]] = {}
    for case, touch in known.items():
        for line in touch.lines.get(module, ()):
            found.setdefault(line, []).append(case)
    return found


def save(game: str, name: str, value: Any) -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / f"{game}.{name}.json").write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")


def saved(game: str, name: str) -> Any:
    path = BUILD / f"{game}.{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

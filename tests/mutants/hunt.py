"""Changes of one game's modules, each judged by the cases that touch it."""

from __future__ import annotations

import ast
import importlib
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from grognard.check import Case, run_case
from grognard.games import EVERY
from tests.mutants.edits import Edit, edits, owners
from tests.mutants.engine import Check, Verdict, judge
from tests.mutants.patch import Source, forget
from tests.mutants.touched import Touch, by_line, cases_of, lightly, touches

#: How many cases the parent plays before the first change, so that what is compiled is loaded once.
WARM = 8


Row = dict[str, Any]


class Mutant(NamedTuple):
    """A change of a module, and the cases that run its lines, those first that are about its function's rules."""

    module: str
    edit: Edit
    source: Source
    cases: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.module.removeprefix('games.')} {self.edit.key}"


class Game:
    """A game's cases and the changes of some of its modules."""

    def __init__(self, game: str, modules: Sequence[str], every: int = 1) -> None:
        self.game = game
        self.ruleset = EVERY[game]
        self.sources = {name: source(name) for name in modules}
        self.cases: dict[str, Case] = {case.id: case for case in cases_of(game)[::every]}
        lightly()
        self.about = {key: ids(game, " ".join(case.text.rules)) for key, case in self.cases.items()}
        self.known: dict[str, Touch] = touches(self.ruleset, game, list(self.cases.values()), list(modules))

    def mutants(self) -> list[Mutant]:
        """Every change, whether a case touches it or not."""
        return [mutant for name in self.sources for mutant in self._of(name)]

    def _of(self, name: str) -> Iterator[Mutant]:
        found = self.sources[name]
        lines = by_line(self.known, name)
        first = {owner: self.claimants(found, root) for owner, root in owners(found.tree)}
        for edit in edits(found.tree):
            spans = readers(found.tree, edit) if edit.owner.endswith(" =") else [(edit.line, edit.last)]
            touching = {
                case for first, last in spans for line in range(first, last + 1) for case in lines.get(line, ())
            }
            yield Mutant(
                name,
                edit,
                found,
                tuple(sorted(touching, key=lambda case: (case not in first[edit.owner], self.known[case].cost, case))),
            )

    def warm(self) -> None:
        held = [self.cases[key] for key in sorted(self.known)]
        for case in held[:: max(1, len(held) // WARM)]:
            run_case(self.ruleset, case)

    def judge(self, mutant: Mutant, most: int = 0) -> Verdict:
        """What the cases say that touch it, at most `most` of them (0: all)."""
        if not mutant.cases:
            return Verdict("untouched")
        prefix = f"grognard.games.{self.game}"
        others = [module for name, module in sys.modules.items() if name.startswith(prefix)]

        def change() -> None:
            mutant.source.apply(mutant.edit, others)
            forget("grognard")

        checks = [Check(key, self.known[key].cost, self._check(key)) for key in mutant.cases[: most or None]]
        return judge(change, checks)

    def claimants(self, found: Source, root: ast.stmt) -> set[str]:
        """The cases that say they are about a rule which the function names."""
        rules = ids(self.game, ast.get_source_segment(found.text, root) or "")
        return {key for key, touch in self.known.items() if rules & self.about[key]}

    def _check(self, key: str) -> Callable[[], bool]:
        return lambda: run_case(self.ruleset, self.cases[key]).passed


def ids(game: str, text: str) -> set[str]:
    """The rules named in a text: with the game's name, or at the head of a docstring; a part of one names the whole."""
    named = set(re.findall(rf"{game}:([\w.-]*\w)", text))
    for head in re.findall(rf'"""({game}:[^\n]*?)  ', text):
        named |= {part.strip().removeprefix(f"{game}:") for part in head.split(",")}
    return {"-".join(name.split("-")[:2]) for name in named}


def readers(tree: ast.Module, edit: Edit) -> list[tuple[int, int]]:
    """Where a module's constant is read."""
    name = edit.owner.removesuffix(" =")
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]


def source(name: str) -> Source:
    module: ModuleType = importlib.import_module(f"grognard.{name}")
    path = Path(str(module.__file__))
    return Source(module, path.read_text(encoding="utf-8"), str(path))


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """The same ones every time, in the order of the modules and lines."""
    if not size or size >= len(mutants):
        return list(mutants)
    places = sorted(random.Random(seed).sample(range(len(mutants)), size))
    return [mutants[place] for place in places]


def run(
    game: Game, chosen: Sequence[Mutant], most: int, told: Callable[[str], None], keep: Callable[[list[Row]], None]
) -> None:
    """Judge them one after the other; rows as data, kept from time to time."""
    game.warm()
    rows: list[Row] = []
    began = time.monotonic()
    for number, mutant in enumerate(chosen, 1):
        verdict = game.judge(mutant, most)
        rows.append({
            "key": mutant.key, "module": mutant.module, "line": mutant.edit.line, "kind": mutant.edit.kind,
            "state": verdict.state, "by": verdict.by, "cases": len(mutant.cases),
        })  # fmt: skip
        if verdict.state in ("survived", "untouched"):
            told(f"{verdict.state}: {mutant.module}:{mutant.edit.line} {mutant.key}")
        if number % 100 == 0:
            told(f"  {number} of {len(chosen)}, {time.monotonic() - began:.0f} s")
        if number % 50 == 0 or number == len(chosen):
            keep(rows)

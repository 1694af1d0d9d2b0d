"""The tool that changes the rules: what it changes, that it does, and that it notices what nobody notices."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.mutants import hunt, known, page, rooms, touched
from tests.mutants.edits import Edit, edits
from tests.mutants.engine import Check, Verdict, judge
from tests.mutants.patch import Source, Unpatchable
from tests.mutants.probes import probe, spans

RULES = '''
LIMIT = 3
def passes(face, need, brave=False):
    """Roll."""
    if brave and face > 1 and not face == 6:
        return True
    return face >= need
def worst(faces):
    found = [f for f in faces if f > 1]
    return min(found) + LIMIT
class Unit:
    lost = 0
    def lose(self, number):
        self.lost += number
        return self.lost
'''


@pytest.fixture
def source() -> Iterator[Source]:
    module = types.ModuleType("rules_changed")
    exec(compile(RULES, "rules", "exec"), module.__dict__)
    sys.modules[module.__name__] = module
    yield Source(module, RULES, "rules")
    del sys.modules[module.__name__]


def changes(text: str) -> list[str]:
    return [edit.key.split(": ", 1)[1] for edit in edits(ast.parse(f"def f(a, b, c):\n    {text}\n"))]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("return a < b", ["a < b -> a <= b", "return a < b -> return None"]),
        ("return a == b", ["a == b -> a != b", "return a == b -> return None"]),
        ("a.x = 3", ["3 -> 2", "3 -> 4", "a.x = 3 -> nothing"]),
        ("return True", ["True -> False"]),
        ("a.x += b", ["a.x += b -> nothing"]),
        ("a.go(b)", ["a.go(b) -> nothing"]),
        ("a.cite('rule', 3)", ["a.cite('rule', 3) -> nothing"]),
        ("if b > 1: a.cite('rule')", []),
        ("a = min(b, c)", ["min(b, c) -> max(b, c)"]),
        ("a = b - c", ["b - c -> b + c"]),
        ("a = not b", ["not b -> b"]),
        ("a = b if c else 'x'", ["b if c else 'x' -> b if not c else 'x'"]),
        ("a = f'{b + 1}'", []),
        ("assert a > 1", []),
        ("a = 0.05", []),
    ],
)
def test_changes(text: str, made: list[str]) -> None:
    if "cite" in text:  # an account of what happened, not what happens
        made = []
    assert sorted(changes(text)) == sorted(made)


def test_conditions_are_joined_otherwise_and_dropped() -> None:
    assert sorted(changes("a = b and c")) == ["b and c -> b", "b and c -> b or c", "b and c -> c"]
    (dropped,) = [key for key in changes("a = [x for x in b if x]") if "without" in key]
    assert dropped == "for x in b if x -> for x in b (without x)"


def test_what_is_alike_is_numbered() -> None:
    keys = [edit.key for edit in edits(ast.parse("def f(a):\n    a.x(1)\n    a.y(1)\n"))]
    assert "f: 1 -> 2" in keys and "f: 1 -> 2 #2" in keys
    assert len(set(keys)) == len(keys)


def edit_of(source: Source, key: str) -> Edit:
    return next(edit for edit in edits(source.tree) if edit.key == key)


def verdict(source: Source, key: str, *checks: Callable[[], bool]) -> Verdict:
    named = [Check(f"check {number}", 0.001 * number, check) for number, check in enumerate(checks)]
    return judge(lambda: source.apply(edit_of(source, key)), named)


def test_a_change_is_noticed_or_not(source: Source) -> None:
    rules = source.module
    plain = lambda: rules.passes(5, 4)  # noqa: E731
    bound = lambda: rules.passes(4, 4)  # noqa: E731
    key = "passes: face >= need -> face > need"
    assert verdict(source, key, plain) == Verdict("survived")
    assert verdict(source, key, plain, bound) == Verdict("killed", "check 1")
    assert rules.passes(4, 4)  # here nothing has changed


def test_constants_methods_and_endless_changes(source: Source) -> None:
    rules = source.module
    assert verdict(source, "LIMIT =: 3 -> 4", lambda: rules.worst([1, 2]) == 5).state == "killed"
    assert (
        verdict(source, "Unit.lose: self.lost += number -> nothing", lambda: rules.Unit().lose(2) == 2).state
        == "killed"
    )
    assert verdict(source, "worst: min(found) -> max(found)", lambda: rules.worst([2]) == 5).state == "survived"
    assert verdict(source, "LIMIT =: 3 -> 4", lambda: bool(1 / 0)).state == "killed"


def test_what_cannot_be_exchanged_is_told(source: Source) -> None:
    del source.module.__dict__["passes"]
    with pytest.raises(Unpatchable):
        source.apply(edit_of(source, "passes: True -> False"))
    assert verdict(source, "passes: True -> False", lambda: True).state == "unfit"


def test_samples_are_the_same_every_time() -> None:
    mutants = [hunt.Mutant("games.toy.x", edit, None, ()) for edit in edits(ast.parse(RULES))]  # type: ignore[arg-type]
    one, two = hunt.sample(mutants, 5, 7), hunt.sample(mutants, 5, 7)
    assert one == two and len(one) == 5 and one != hunt.sample(mutants, 5, 8)
    assert hunt.sample(mutants, 0, 1) == mutants


def test_known_changes_have_reasons() -> None:
    text = "# Only told,\n# never used.\nnemesis.x f: 1 -> 2\nnemesis.x g: 2 -> 3\n\n# Other.\nnemesis.y h: a -> b\n"
    assert known.known(text) == {
        "nemesis.x f: 1 -> 2": "Only told, never used.",
        "nemesis.x g: 2 -> 3": "Only told, never used.",
        "nemesis.y h: a -> b": "Other.",
    }
    assert all(known.known().values())


def test_every_known_change_can_still_be_made() -> None:
    """A list of changes that are no longer possible would hide others."""
    made = {
        f"{name.removeprefix('games.')} {edit.key}"
        for game in rooms.ROOMS
        for name in rooms.modules(game)
        for edit in edits(hunt.source(name).tree)
    }
    assert [line for line in known.known() if not any(map(_meant(line), made))] == []


def _meant(line: str) -> Callable[[str], bool]:
    return (lambda key: key.startswith(line[:-1])) if line.endswith("*") else (lambda key: key == line)


def test_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = [{"key": f"toy.x f: {n}", "module": "games.toy.x", "state": state} for n, state in enumerate(
        ["killed", "killed", "killed", "survived", "untouched", "unfit"])]  # fmt: skip
    assert page.count(rows, {"toy.x f: 4": "why"}) == page.Count(5, 3, 1, 1)
    assert page.count(rows, {}).share == "60.0 %"
    monkeypatch.setattr(touched, "BUILD", tmp_path)
    touched.save("toy", "results", rows)
    assert touched.saved("toy", "results") == rows and touched.saved("toy", "other") is None
    assert "| **toy** |  | 5 | 3 | 0 | 2 | 60.0 % |" in page.table(["toy"])
    assert "- `toy.x f: 4` (no case runs it)" in page.survivors(["toy"])


def test_lines_by_case() -> None:
    found = {"a": touched.Touch("x", 0.1, {"m": [1, 2]}), "b": touched.Touch("y", 0.1, {"m": [2]})}
    assert touched.by_line(found, "m") == {1: ["a"], 2: ["a", "b"]}


def test_probes_tell_what_runs(source: Source) -> None:
    seen = probe(source.module, RULES, "rules")
    assert source.module.passes(4, 4) and not source.module.passes(3, 4)
    assert sorted(seen) == [5, 7]
    seen.clear()
    assert source.module.passes(2, 4, brave=True) and source.module.Unit().lose(2) == 2
    assert sorted(seen) == [5, 6, 14, 15]
    assert spans(RULES)[5] == range(5, 6) and spans("a = [\n1]")[1] == range(1, 3)


def test_rules_named_in_a_function() -> None:
    text = '''def f():
        """toy:3-hit, 3-range-long  Shooting."""
        tell("toy:4.1-move")'''
    assert hunt.ids("toy", text) == {"3-hit", "3-range", "4.1-move"}
    assert hunt.ids("toy", "toy:3-range toy:1") == {"3-range", "1"}

"""Reading case files: mistakes by line, limits, and junk."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.check import find_files, read_file, read_string, run_case, schema
from grognard.check.answers import placement
from grognard.kernel.data.plain import MAX_BYTES, documents
from tests.check.toy import TOY

CASES = Path(__file__).resolve().parent / "cases"
TEXTS = [path.read_text(encoding="utf-8") for path in find_files([CASES])]


def value(text: str) -> Any:
    return documents(text, "x.yaml")[0].value


def test_plain_values() -> None:
    text = "{a: yes, b: no, c: true, d: ~, e: 010, f: 1.5, g: 2020-01-01, h: '3', 4: 1/2, i: .inf, j: 0x10, k: !!str 3}"
    assert value(text) == {
        "a": "yes", "b": "no", "c": True, "d": None, "e": 10, "f": 1.5, "g": "2020-01-01", "h": "3", "4": "1/2",
        "i": ".inf", "j": "0x10", "k": "3",
    }  # fmt: skip


def test_references_and_merges() -> None:
    assert value("[&a {x: 1, y: 2}, {<<: *a, y: 3}, {<<: [{x: 5}, *a]}]")[1:] == [{"x": 1, "y": 3}, {"x": 5, "y": 2}]


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
TALL = "a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n" + "".join(f"a{n}: &a{n} [[[[[*a{n - 1}]]]]]\n" for n in range(1, 500))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\na: 2", "x.yaml:2: a is written twice here; keep one"),
        ("a: [1\nb: 2", "x.yaml:2: this is not valid YAML"),
        ("a: *b", r"x.yaml:1: \*b refers to nothing"),
        ("a: &a [*a]", r"x.yaml:1: \*a refers to nothing"),
        ("\n\n[a]: 1", "x.yaml:3: a key must be a word"),
        ("a:\n  !!python/object:os.system x", "x.yaml:2: the tag .* means nothing here"),
        ("a: !!set {x, y}", "x.yaml:1: the tag .* means nothing here"),
        ("a: 99999999999999999999999999", "x.yaml:1: this number is too large"),
        ("a: 1e999", "x.yaml:1: this number is too large"),
        ("<<: 3", "x.yaml:1: << takes a mapping"),
        ('a: "\\ud800"', "x.yaml:1:"),
        ("a: !file b.yaml", "x.yaml:1: !file takes a .yaml file beside this one"),
        ("[" * 5000, "x.yaml:1: this is nested deeper than 40 levels"),
        (BOMB, "the file holds more than 100000 values"),
        (TALL, "nested deeper than 40 levels"),
        ("a: b\n" * (MAX_BYTES // 4), "x.yaml: is larger than 1024 KiB"),
        ("[" + "1," * 200_000 + "1]", "x.yaml:1: the file holds more than 100000 values"),
        ("a: \x00", "x.yaml:1: this is not valid YAML"),
        ("\ud800", "x.yaml:1: "),
        ("", "x.yaml:1: there is no case in this file"),
    ],
)
def test_bad_yaml(text: str, problem: str) -> None:
    reading = read_string(text, "x.yaml")
    assert reading.cases == []
    assert re.search(problem, reading.problems[0])


HEAD = "id: a\ntitle: b\n"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("3", ["x.yaml:1: a case must be a mapping, not 3"]),
        ("- 3\n- id: a", ["x.yaml:1: a case must be a mapping, not 3", "x.yaml:2: a case must have title"]),
        ("id: ''\ntitle: b\ngiven: {}", ["x.yaml:1: id must not be empty"]),
        (HEAD + "given: {}\ndice: [1, x]", ["x.yaml:4: item 2 of dice must be a whole number or a mapping, not 'x'"]),
        (HEAD + "given: {}\nexpect:\n  event: []", ["x.yaml:5: expect has no key event; did you mean events?"]),
        (HEAD + "given: {}\nexpect:\n  state:\n    a: {}\n    b: 3", ["x.yaml:7: b must be a mapping, not 3"]),
        (HEAD + "given: {}\nsetup: {}", ["x.yaml:4: a case has given or setup, not both"]),
        (HEAD + "setup:\n  seed: x", ["x.yaml:4: seed must be a whole number, not 'x'"]),
        (HEAD, ["x.yaml:1: this case expects nothing; write expect"]),
        (
            HEAD + "dice: [1]\ndo: [{a: b}]\nexpect: {events: [x]}",
            ["x.yaml:3: dice needs", ":4: do needs", ":5: events"],
        ),
        (HEAD + "given: {}\ndo:\n  - {}", ["x.yaml:5: an entry of do holds no question"]),
        (HEAD + "given: {}\ndo:\n  - {a: 1, b: 2}", ["x.yaml:5: an entry of do holds several questions (a, b)"]),
        (HEAD + "given: {}\ndo:\n  - {a: 1, seat: 2}", ["x.yaml:5: seat must be text, not 2"]),
        (HEAD + "given: {}\ndo:\n  - x", ["x.yaml:5: item 1 of do must be a mapping, not 'x'"]),
        (HEAD + "given: {}\ndo:\n  - refuse: {a: b}", ["x.yaml:5: item 1 of do must have rule"]),
        (HEAD + "given: {}\ndo:\n  - {refuse: {}, rule: x}", ["x.yaml:5: refuse takes one question and its answer"]),
        (HEAD + "given: {}\ndo:\n  - {undo: never}", ["x.yaml:5: undo must be true or false or agreed, not 'never'"]),
        (
            HEAD + "given: {}\ndo:\n  - {expect: {numbers: [{}]}}",
            [":5: each of numbers must have measure", "value or why"],
        ),
        (HEAD + "given: {}\ndo:\n  - {expect: {error: x}}", ["x.yaml:5: error belongs to the expect at the end"]),
        (
            HEAD + "expect:\n  odds:\n    - {question: 3}",
            [":5: each of odds must have question", "must have chance or mean"],
        ),
        (HEAD + "expect: {odds: [{question: a, chance: 3}]}", ["x.yaml:3: chance is a mapping from outcome"]),
        (
            HEAD + "expect: {muster: {armee: x}}",
            ["muster has no key armee; did you mean army?", "muster must have army"],
        ),
    ],
)
def test_mistakes_are_told_by_line(text: str, problems: list[str]) -> None:
    reading = read_string(text, "x.yaml")
    assert reading.cases == []
    assert len(reading.problems) == len(problems)
    for problem, told in zip(problems, reading.problems, strict=True):
        assert problem in told


def test_a_mistake_in_one_case_leaves_the_others() -> None:
    reading = read_string("- {id: a, title: b, given: {}}\n- {id: a}\n- {id: c, title: d, given: {}}", "x.yaml")
    assert [case.id for case in reading.cases] == ["a", "c"]
    assert reading.problems == ["x.yaml:2: a case must have title"]


def test_files(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"id: a\ntitle: caf\xe9\n")
    assert "latin.yaml:2: is not text in UTF-8" in read_file(tmp_path / "latin.yaml").problems[0]
    (tmp_path / "self.yaml").write_text("a: !file self.yaml")
    assert "more than 32 files" in read_file(tmp_path / "self.yaml").problems[0]
    (tmp_path / "part.yaml").write_text("a: !file self.txt")
    assert "!file takes a .yaml file" in read_file(tmp_path / "part.yaml").problems[0]
    (tmp_path / "none.yaml").write_text("a: !file nobody.yaml")
    assert "there is no file nobody.yaml" in read_file(tmp_path / "none.yaml").problems[0]
    (tmp_path / "key.yaml").write_text("a: !file none2.yaml#x.y")
    (tmp_path / "none2.yaml").write_text("x: {z: 1}")
    assert "none2.yaml has no x.y: y is missing" in read_file(tmp_path / "key.yaml").problems[0]
    folder = tmp_path / "cases" / "chess" / "openings"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text("id: a\ntitle: b\ngiven: {}")
    assert read_file(folder / "a.yaml").cases[0].game == "chess"
    assert find_files([tmp_path / "cases"]) == [folder / "a.yaml"]


def test_placements_are_written_in_the_games_unit() -> None:
    plain = TOY.not_lengths
    assert placement({"a": [1, 2]}, 25.4, plain) == {"a": {"path": [[25.4, 50.8]]}}
    assert placement({"a": [[1, 2], [3, 4]]}, 10, plain) == {"a": {"path": [[10, 20], [30, 40]]}}
    written = {"a": {"path": [[1, 2]], "facing": 90}, "b": {"steps": [{"forward": 3}, {"turn": 45}], "fly": True}}
    assert placement(written, 10, plain) == {
        "a": {"path": [[10, 20]], "facing": 90},
        "b": {"steps": [{"forward": 30}, {"turn": 45}], "fly": True},
    }
    assert placement({"propose": "3"}, 10, plain) == {"propose": "3"}
    assert placement("junk", 10, plain) == "junk"


def test_the_schema_accepts_the_cases_and_refuses_mistakes() -> None:
    made = schema()
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    for path in find_files([CASES]):
        for document in documents(path.read_text(encoding="utf-8"), path.name, path.parent):
            assert list(validator.iter_errors(document.value)) == []
    wrongs: list[Any] = [3, [], {"id": "a"}, {"id": "a", "title": "b", "doo": []}]
    for wrong in (*wrongs, {"id": "a", "title": "b", "do": [{}]}):
        assert list(validator.iter_errors(wrong))
    for step in ({"refuse": {"a": 1}}, {"until": 3}, {"undo": "no"}, {"expect": {"numbers": [{"value": 1}]}}):
        assert list(validator.iter_errors({"id": "a", "title": "b", "do": [step]}))


# ---------------------------------------------------------------------- junk


def survives(text: str) -> None:
    reading = read_string(text, "x.yaml", game="toy", folder=CASES / "toy")
    for problem in reading.problems:
        assert re.match(r"[\w./]+(:\d+)?: ", problem)
    for case in reading.cases:
        run_case(TOY, case)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_junk_is_told_not_thrown(text: str) -> None:
    survives(text)


words = st.sampled_from(
    ["id", "title", "given", "do", "expect", "dice", "events", "refuse", "rule", "state", "muster", "army", "odds",
     "question", "chance", "pending", "roll", "undo", "until", "flint", "not", "data", "about", "why", "faces", "seat"]
)  # fmt: skip
leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | words
trees = st.recursive(leaves, lambda t: st.lists(t, max_size=3) | st.dictionaries(words, t, max_size=4), max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(words, trees, max_size=6))
def test_odd_shapes_are_told_not_thrown(tree: dict[str, Any]) -> None:
    survives(yaml.safe_dump({"id": "a", "title": "b", **tree}))


JUNK = ("", "", "\n", "[", "]", "{", "}", "*", "9", "~", "é", "\t")


@pytest.mark.parametrize("seed", range(60))
def test_damaged_cases_are_told_not_thrown(seed: int) -> None:
    rng = Random(seed)
    text = rng.choice(TEXTS)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(text))
        junk = rng.choice(
            ["", "", "\n", ": ", "[", "]", "{", "}", "*", "&a ", "9", "~", "null", "- ", "é", "\t", "!file x"]
        )
        text = text[:at] + junk + text[at + rng.randint(0, 6) :]
    survives(text)

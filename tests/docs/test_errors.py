"""What is told to people is a template with facts, so that it can be told in their language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.kernel.data.plain import documents
from grognard.kernel.data.setups import check_legal, read_armies
from grognard.kernel.errors import BadInput, Refusal, Word
from grognard.kernel.match.dice import DiceExhausted, Scripted
from grognard.kernel.questions import Roll
from grognard.kernel.ruleset import Finding
from grognard.kernel.words.texts import complaint, told
from tests.cli.sentences import SOURCE

ROOMS = ("kernel", "check", "muster", "odds", "players", "terminal", "cli.py", "games/__init__.py", "games/nemesis")
#: A ScriptError is a bug in a game and is told to its author, in English.
ERRORS = ("BadInput", "GrognardError", "DiceExhausted", "Endless", "wrong")


def put_together(source: str) -> Iterator[int]:
    """Lines where an error is made from a sentence that no catalogue can hold."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            owner = function.value if isinstance(function, ast.Attribute) else None
            if name not in ERRORS or (name == "wrong" and getattr(owner, "id", "") != "self"):
                continue
            if any(isinstance(said, ast.JoinedStr | ast.BinOp) or _formatted(said) for said in node.args):
                yield node.lineno


def _formatted(said: ast.expr) -> bool:
    return isinstance(said, ast.Call) and getattr(said.func, "attr", "") in ("format", "join")


def files() -> list[Path]:
    paths = [SOURCE / room for room in ROOMS]
    return [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_errors_are_templates(file: Path) -> None:
    assert list(put_together(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    ['BadInput(f"no {x}")', 'errors.BadInput("no " + x)', 'BadInput("no {}".format(x))', 'self.wrong(3, f"no {x}")'],
)
def test_the_test_has_teeth(source: str) -> None:
    assert list(put_together(source)) == [1]


# ---------------------------------------------------------------------- told in French


def test_an_error_in_an_error_is_told_too() -> None:
    with pytest.raises(BadInput) as wrong:
        documents("a: 1\na: 2", "list.yaml")
    assert str(wrong.value) == "list.yaml:2: a is written twice here; keep one"
    assert told(wrong.value, "fr") == "list.yaml:2 : a est écrit deux fois ici ; n'en gardez qu'un"


def test_only_our_own_words_are_translated() -> None:
    wrong = BadInput("{name} is a {kind}, not {value}", name="range", kind=Word("list"), value="name")
    assert told(wrong, "fr") == "range est de type liste, pas name"


def test_numbers_of_armies_are_words() -> None:
    with pytest.raises(BadInput) as wrong:
        read_armies({}, "nemesis:6", least=2)
    assert str(wrong.value).startswith("setup: armies is a list of at least two army lists or names of")
    assert "au moins deux" in told(wrong.value, "fr")


def test_complaints_show_names_and_rules() -> None:
    texts = {"refuse.x": "{unit} cannot {do}"}
    wrong = complaint(texts, Refusal("refuse.x", "toy:1", {"unit": "u1"}), {"u1": "Archers"})
    assert str(wrong) == "Archers cannot {do} (toy:1)"


def test_an_illegal_army_is_told_with_every_finding() -> None:
    texts = {"army.a": "too few", "army.b": "too many {what}"}
    findings = [Finding("army.a", "toy:1", {}), Finding("army.b", "toy:2", {"what": "hats"})]
    with pytest.raises(BadInput, match=r"^red is not a legal army: too few \(toy:1\); too many hats \(toy:2\)$"):
        check_legal(findings, texts, "red")


def test_dice_that_run_out_are_told_in_french() -> None:
    with pytest.raises(DiceExhausted) as wrong:
        Scripted([]).faces(Roll("red", "save", 6, 2, rule="toy:1"))
    assert told(wrong.value, "fr") != str(wrong.value)

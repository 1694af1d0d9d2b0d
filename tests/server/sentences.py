"""Every English sentence that the server and the battle report say, found in their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.cli.sentences import SOURCE

ROOMS = ("server", "report")
#: Calls whose longest argument that is text with a space in it is a sentence.
SPEAKERS = (
    "say",
    "BadInput",
    "Trouble",
    "StorageTrouble",
    "Unplayable",
    "Stale",
    "damaged",
    "Unwritable",
    "Problem",
    "_say",
    "_nothing",
    "_turn_away",
)
#: Words that reach the speakers through variables, and what has no space in it.
WORDS = (
    "Unit", "Models", "Lost", "Left", "Scores", "Losses", "Luck", "Roll", "Dice", "Average",
    "Expected average", "Passed", "Expected passes", "Seed:", "“{about}”",
)  # fmt: skip


def spoken() -> Iterator[str]:
    for room in ROOMS:
        path = SOURCE / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _name(node.func) in SPEAKERS:
                    texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                    sentences = [text for text in texts if " " in text]
                    if sentences:
                        yield max(sentences, key=len)
    yield from WORDS


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def sentences() -> list[str]:
    """All of them, each once."""
    return list(dict.fromkeys(spoken()))

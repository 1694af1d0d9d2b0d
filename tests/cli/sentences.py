"""Every English sentence that the rooms above the games say, found in their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import grognard
from grognard.cli import app
from grognard.terminal import usage

SOURCE = Path(grognard.__file__).parent
ROOMS = ("cli.py", "hosting.py", "terminal", "odds", "muster", "players", "check", "games/__init__.py",
         "kernel/odds/odds.py", "kernel/ruleset.py", "kernel/data/rulebook.py")  # fmt: skip
SPEAKERS = ("say", "line", "gettext", "BadInput", "Endless", "Word")
#: Words that reach the speakers through variables.
WORDS = (
    "Value", "Chance", "At least", "Exactly", "Outcome", "Step", "Rule", "Mean", "whole", "whole number",
    "yes or no", "number", "text", "flag", "list", "mapping", "Side", "Player", "Won", "Game", "Title", "Unit",
    "Rules", "Scenarios", "Armies", "plus", "need", "outcome", "over", "closed", "running",
)  # fmt: skip


def spoken() -> Iterator[str]:
    """First arguments of the speakers that are sentences, and constants named like helps."""
    for room in ROOMS:
        path = SOURCE / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and _name(node.func) in SPEAKERS:
                    first = node.args[0]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield first.value
    from grognard.terminal.helping import HELP, PLACE_HELP

    yield from (HELP, PLACE_HELP, *WORDS, *usage.HEADINGS.values(), *usage.BUILT_IN)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def helps() -> Iterator[str]:
    """The help of every command and option."""
    group: Any = typer.main.get_command(app)
    for command in usage.every_command(group):
        yield usage.clean(command.help)
        yield from (param.help for param in command.params if getattr(param, "help", None))


def sentences() -> list[str]:
    """All of them, each once."""
    return list(dict.fromkeys([*spoken(), *helps()]))

"""Where a rule is carried out: the functions and classes whose docstrings name it, found by reading the sources.

A special rule's class carries the rule of its `rule = "…"`; everything else says so in its docstring, in full.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_ID = re.compile(r"\w+:[\w.*+'’/-]*\w")
Node = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Carrier(NamedTuple):
    """A function, class or module that carries a rule: its file below the game's folder, its line, its name."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name}"


def carriers(folder: Path) -> dict[str, list[Carrier]]:
    """By rule id, whoever carries it: functions and classes, and a whole module only where none of its parts does."""
    found: dict[str, list[Carrier]] = {}
    modules: dict[str, list[Carrier]] = {}
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).as_posix()
        for name, node in _named(ast.parse(path.read_text(encoding="utf-8")), ""):
            line = 1 if isinstance(node, ast.Module) else node.lineno
            for rule in _rules(node):
                into = modules if isinstance(node, ast.Module) else found
                into.setdefault(rule, []).append(Carrier(place, line, name))
    return modules | found


def _named(node: Node, prefix: str) -> Iterator[tuple[str, Node]]:
    yield prefix or "(the module)", node
    for child in ast.walk(node) if isinstance(node, ast.Module) else ():
        if isinstance(child, ast.ClassDef):
            yield child.name, child
            for part in child.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{child.name}.{part.name}", part
    for child in node.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child.name, child


def _rules(node: Node) -> list[str]:
    """The ids in a docstring, and of a class those it is told by."""
    named = _ID.findall(ast.get_docstring(node) or "")
    if isinstance(node, ast.ClassDef):
        named += [text for part in node.body for text in _assigned(part)]
    return list(dict.fromkeys(named))


def _assigned(part: ast.stmt) -> Iterator[str]:
    """The id of `rule = "…"`, also of `name, french, rule = …`."""
    if not (isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name | ast.Tuple)):
        return
    target, value = part.targets[0], part.value
    pairs = (
        zip(target.elts, value.elts, strict=False)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        else [(target, value)]
    )
    for name, given in pairs:
        if isinstance(name, ast.Name) and name.id in ("rule", "rules"):
            yield from (c.value for c in ast.walk(given) if isinstance(c, ast.Constant) and isinstance(c.value, str))

"""Functions that tell which of their statements run: a probe before each, so that nothing else is slowed down."""

from __future__ import annotations

import ast
from types import ModuleType

from tests.mutants.edits import Function, owners
from tests.mutants.patch import Unpatchable, exchange

#: What a probe is called in the module it stands in.
NAME = "__probe__"

BODIES = ("body", "orelse", "finalbody")


def probe(module: ModuleType, text: str, path: str) -> set[int]:
    """Put probes into a module's functions; the set that will hold the first lines of statements run."""
    tree = ast.parse(text, path)
    for _, root in owners(tree):
        if isinstance(root, Function):
            _line(root)
    code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    seen: set[int] = set()
    module.__dict__[NAME] = seen.add
    for owner, root in owners(tree):
        if isinstance(root, Function):
            try:
                exchange(module, owner, code)
            except Unpatchable:
                continue
    return seen


def _line(node: ast.AST) -> None:
    for field in BODIES:
        held = getattr(node, field, None)
        if isinstance(held, list):
            setattr(node, field, [part for stmt in held for part in _probed(stmt)])
    for handler in getattr(node, "handlers", ()):
        _line(handler)
    for case in getattr(node, "cases", ()):
        _line(case)


def _probed(stmt: ast.stmt) -> list[ast.stmt]:
    _line(stmt)
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant):
        return [stmt]  # a docstring stays the first thing
    call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(stmt.lineno)], [])
    return [ast.copy_location(ast.Expr(call), stmt), stmt]


def spans(text: str) -> dict[int, range]:
    """The lines of each statement by its first; of one that holds others only those of its head."""
    found: dict[int, range] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            last = node.end_lineno or node.lineno
            inner = getattr(node, "body", None)
            if isinstance(inner, list) and inner:
                last = max(node.lineno, inner[0].lineno - 1)
            found[node.lineno] = range(node.lineno, last + 1)
    return found

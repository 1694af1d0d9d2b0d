"""Make a change in memory: the function keeps its identity, so whoever imported it has the changed one."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.mutants.edits import Edit


class Unpatchable(Exception):
    """What the change is in cannot be exchanged while the program runs."""


class Source:
    """A module with its tree, in which changes are made one at a time."""

    def __init__(self, module: ModuleType, text: str, path: str) -> None:
        self.module = module
        self.text = text
        self.tree = ast.parse(text, path)
        self.path = path

    def changed(self, edit: Edit) -> CodeType:
        """The module compiled with one change; the tree is as it was afterwards."""
        held: Any = getattr(edit.parent, edit.field)
        old = held if edit.place is None else held[edit.place]
        new = edit.new
        if isinstance(old, ast.expr | ast.stmt) and new is not None:
            ast.copy_location(new, old)
        _put(edit, new)
        try:
            ast.fix_missing_locations(self.tree)
            return compile(self.tree, self.path, "exec", dont_inherit=True)
        finally:
            _put(edit, old)

    def apply(self, edit: Edit, everywhere: list[ModuleType] | None = None) -> None:
        """Exchange what the change is in, for good."""
        code = self.changed(edit)
        if edit.owner.endswith(" ="):
            self._constant(edit, code, everywhere or [])
            return
        exchange(self.module, edit.owner, code)

    def _constant(self, edit: Edit, code: CodeType, everywhere: list[ModuleType]) -> None:
        name = edit.owner.removesuffix(" =")
        kept = self.module.__dict__[name]
        space = {**self.module.__dict__}
        node = next(n for n in self.tree.body if _names(n) == name)
        value: Any = getattr(node, "value", None)
        held: Any = getattr(edit.parent, edit.field)
        old = held if edit.place is None else held[edit.place]
        _put(edit, edit.new)
        try:
            value = getattr(node, "value", None)
            expression = ast.fix_missing_locations(ast.Expression(value))
            new = eval(compile(expression, self.path, "eval", dont_inherit=True), space)
        except Exception as error:
            raise Unpatchable(edit.owner) from error
        finally:
            _put(edit, old)
        for module in (self.module, *everywhere):
            if module.__dict__.get(name) is kept:
                setattr(module, name, new)


def exchange(module: ModuleType, owner: str, code: CodeType) -> None:
    """Give a function what it is in another compilation of its module."""
    target = function(module, owner)
    found = next((c for c in _codes(code) if c.co_qualname == owner), None)
    if found is None or len(found.co_freevars) != len(target.__code__.co_freevars):
        raise Unpatchable(owner)
    target.__code__ = found


def _put(edit: Edit, new: Any) -> None:
    if edit.place is None:
        setattr(edit.parent, edit.field, new)
    else:
        getattr(edit.parent, edit.field)[edit.place] = new


def _names(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ""


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def function(module: ModuleType, owner: str) -> FunctionType:
    """The plain function behind a name, whatever decorates it."""
    holder: Any = module
    *classes, name = owner.split(".")
    for part in classes:
        holder = holder.__dict__[part]
    found: Any = holder.__dict__.get(name)
    for _ in range(6):
        if isinstance(found, FunctionType) and not hasattr(found, "__wrapped__"):
            return found
        if isinstance(found, staticmethod | classmethod):
            found = found.__func__
        elif isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.cached_property):
            found = found.func
        else:
            found = getattr(found, "__wrapped__", None)
    raise Unpatchable(owner)


def forget(prefix: str) -> None:
    """Empty the caches of every module under a name: what they hold was worked out before the change."""
    for name, module in list(sys.modules.items()):
        if name.startswith(prefix):
            for thing in list(vars(module).values()):
                clear = getattr(thing, "cache_clear", None)
                if callable(clear):
                    clear()

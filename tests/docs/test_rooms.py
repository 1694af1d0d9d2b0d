"""The rooms of the house: small enough to see, and nothing hidden inside functions."""

from __future__ import annotations

import ast
import os
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import grognard
from tests.docs import rooms
from tests.docs.lists import made

SOURCE = Path(grognard.__file__).parent
#: No room is larger.
MODULES = 25
#: Imports inside functions, of the games and the kernel: where circles are in the way. It only ever gets less.
HIDDEN = 99


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if "migrations" not in path.parts]


def hidden(text: str) -> int:
    """How many imports of ours stand inside functions."""
    return len({
        inner.lineno
        for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node) if isinstance(inner, ast.ImportFrom) and str(inner.module).startswith("grognard")
    })  # fmt: skip


def test_rooms_are_small() -> None:
    sizes = Counter(path.parent.relative_to(SOURCE).as_posix() for path in modules() if path.name != "__init__.py")
    assert {room: size for room, size in sizes.items() if size > MODULES} == {}
    assert sizes["games/wfb3/combat"] > 5


def test_imports_stand_at_the_top() -> None:
    found = {
        path.relative_to(SOURCE).as_posix(): hidden(path.read_text(encoding="utf-8"))
        for path in modules() if {"games", "kernel"} & set(path.relative_to(SOURCE).parts)
    }  # fmt: skip
    assert sum(found.values()) <= HIDDEN, "bring the new one to the top, or break the circle it makes"
    assert hidden("def f():\n    from grognard.kernel import errors\n    import os\n") == 1


#: Outside the games, imports inside functions put off what most never need; each says why where it stands.
PUT_OFF = {"odds/picture.py": 1, "server/jobs/worker.py": 1}


def put_off(text: str) -> int:
    """How many imports of anything stand inside functions."""
    return len({
        inner.lineno
        for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom)
    })  # fmt: skip


def test_outside_the_games_only_what_is_heavy_is_put_off() -> None:
    above = [path.relative_to(SOURCE) for path in modules() if path.relative_to(SOURCE).parts[0] != "games"]
    found = {path.as_posix(): put_off((SOURCE / path).read_text(encoding="utf-8")) for path in above}
    assert {path: count for path, count in found.items() if count} == PUT_OFF
    assert put_off("def f():\n    import os\n    def g():\n        from os import path\nimport sys\n") == 2


@pytest.mark.long
def test_every_module_can_be_imported_first() -> None:
    """In a process that has none of the house yet; most circles of imports hurt only whoever comes in by one door."""
    lost = []
    for path in modules():
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        child = os.fork()
        if not child:
            code = 1
            try:
                _forget()
                import_module(name)
                code = 0
            finally:
                os._exit(code)
        if os.waitpid(child, 0)[1]:
            lost.append(name)
    assert lost == []


def _forget() -> None:
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "grognard"]:
        del sys.modules[name]


def test_the_tables_of_rooms_are_what_the_tree_says() -> None:
    page = rooms.PAGE.read_text(encoding="utf-8")
    assert made(page, rooms.MAKERS) == page, "run make pages"
    assert all(f"`{room}/`" in page for room in ("terminal", "geometry/sight", "magic/spells", "psychology"))


def test_every_room_says_what_it_holds_in_one_line(tmp_path: Path) -> None:
    for folder in {path.parent for path in modules()}:
        text = rooms.about(folder / "__init__.py")
        assert text.endswith(".") and len(text) <= 120, folder
    (tmp_path / "silent.py").write_text("")
    with pytest.raises(ValueError):
        rooms.about(tmp_path / "silent.py")

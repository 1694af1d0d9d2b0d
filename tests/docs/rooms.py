"""The tables of rooms in ARCHITECTURE.md, made from the tree: `python -m tests.docs.rooms`.

A room says what it holds in the first line of its `__init__.py`, a module that stands beside rooms in its own.
The order is that of the contracts in pyproject.toml: imports only go down a table.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grognard
from tests.docs.lists import Makers, head, row, write

SOURCE = Path(grognard.__file__).parent
TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "ARCHITECTURE.md"
GAMES = ("nemesis", "ades", "wh40k", "t9a", "wfb3")
#: What is no room: the steps by which databases were upgraded stand in the order they were released.
APART = ("migrations",)
COLUMNS = ("room", "what it holds")


def about(module: Path) -> str:
    """The first paragraph of a module's docstring."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    if not text:
        raise ValueError(f"{module.relative_to(SOURCE)} does not say what it holds")
    return " ".join(text.partition("\n\n")[0].split())


def rooms(folder: Path) -> list[Path]:
    """The rooms within a folder."""
    inner = sorted(path.parent for path in folder.glob("*/__init__.py"))
    return [path for path in inner if path.name not in APART]


def layers(name: str) -> list[str]:
    """What a contract of pyproject.toml puts in order, from the top down."""
    contracts = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    contract = next(found for found in contracts if found["name"] == name)
    parts = [part for layer in contract["layers"] for part in layer.replace(":", "|").split("|")]
    return [part.strip().removeprefix("grognard.") for part in parts]


def listed(folder: Path, order: list[str]) -> Iterator[str]:
    """Rooms and modules of a folder in that order, each followed by the rooms within it."""
    for name in order:
        place = folder / name
        if place.is_dir():
            yield from _room(folder, place)
        else:
            yield row(f"`{name}.py`", about(place.with_suffix(".py")))


def _room(folder: Path, place: Path) -> Iterator[str]:
    yield row(f"`{place.relative_to(folder).as_posix()}/`", about(place / "__init__.py"))
    for inner in rooms(place):
        yield from _room(folder, inner)


def house() -> list[str]:
    """The rooms of the whole house; games and kernel have tables of their own."""
    lines = head(*COLUMNS)
    for name in layers("imports only go down the list of rooms"):
        within = name in ("games", "kernel")
        lines += [row(f"`{name}/`", about(SOURCE / name / "__init__.py"))] if within else listed(SOURCE, [name])
    return lines


def kernel() -> list[str]:
    folder = SOURCE / "kernel"
    modules = [path.stem for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    return [*head(*COLUMNS), *listed(folder, modules), *listed(folder, [room.name for room in rooms(folder)])]


def of_game(game: str) -> list[str]:
    folder = SOURCE / "games" / game
    order = layers(f"the rooms of {game}: imports go down")
    missing = [room.name for room in rooms(folder) if room.name not in order]
    if missing:
        raise ValueError(f"the contract of {game} does not say where {', '.join(missing)} are")
    title = about(folder / "__init__.py")
    return [
        f"<details><summary>{title}</summary>",
        "",
        *head("room", "what it holds"),
        *listed(folder, order),
        "",
        "</details>",
    ]


def games() -> list[str]:
    return [line for game in GAMES for line in (*of_game(game), "")][:-1]


MAKERS: Makers = {"rooms": house, "kernel": kernel, "games": games}

if __name__ == "__main__":
    write(PAGE, MAKERS)

"""The card files a match is played with: its game's own, or those it was begun with where they have changed since.

A match names its cards by a hash of every file. Where that is not the hash of the game's own files, the match is played
while its own shelf is `held`: whatever reads a card file (kernel/sheets.py) then reads it from there. Shelves of
released games that have changed since lie beside them (`shelves/HASH.json.gz`), so that old files without cards open.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fnmatch import fnmatch
from functools import lru_cache, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import msgspec

from grognard.kernel.data.typed import decode
from grognard.kernel.errors import BadInput
from grognard.kernel.events import canonical

P = ParamSpec("P")
T = TypeVar("T")
#: The most a shelf may hold: files, and letters in all.
MOST_FILES, MOST_TEXT = 100, 1024 * 1024
#: Shelves whose cards are kept read.
KEPT = 8


class Shelf(msgspec.Struct, frozen=True, eq=False):
    """Card files by name that stand for those of a folder."""

    folder: Path
    files: dict[str, str]
    hash: str


_held: ContextVar[Shelf | None] = ContextVar("shelf", default=None)


def hash_of(files: Mapping[str, str]) -> str:
    """What card files are known by."""
    return hashlib.sha256(canonical([[name, files[name]] for name in sorted(files)])).hexdigest()[:16]


@lru_cache(maxsize=64)
def own_files(folder: Path) -> Mapping[str, str]:
    """The card files of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}


@lru_cache(maxsize=64)
def own_hash(folder: Path) -> str:
    return hash_of(own_files(folder))


def brought(folder: Path, files: Mapping[str, str], known_as: str) -> Shelf:
    """The cards a match brings along; BadInput where they are not those it names."""
    text = sum(map(len, files.values()))
    if len(files) > MOST_FILES or text > MOST_TEXT or any("/" in name for name in files):
        raise BadInput("line 1: the cards in this save are more than any game has")
    if hash_of(files) != known_as:
        raise BadInput("line 1: the cards in this save are not those it was played with")
    return Shelf(folder, dict(files), known_as)


@lru_cache(maxsize=16)
def released(folder: Path, known_as: str) -> Shelf | None:
    """The cards of a released game by their hash, where they are kept."""
    if not known_as.isalnum():
        return None
    file = folder.parent / "shelves" / f"{known_as}.json.gz"
    if not file.is_file():
        return None
    return Shelf(folder, decode(gzip.decompress(file.read_bytes()), dict[str, str]), known_as)


def keep(folder: Path) -> Path:
    """Keep the cards of a folder as they are, for when they will have changed."""
    file = folder.parent / "shelves" / f"{own_hash(folder)}.json.gz"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(msgspec.json.encode(dict(own_files(folder))), 9, mtime=0))
    return file


@contextmanager
def held(shelf: Shelf | None) -> Iterator[None]:
    """Read cards from a shelf; None is every game's own."""
    before = _held.set(shelf)
    try:
        yield
    finally:
        _held.reset(before)


def hold(shelf: Shelf | None) -> None:
    """The same from now on, for a command that shows one match."""
    _held.set(shelf)


def paths(folder: Path, pattern: str = "*.yaml") -> list[Path]:
    """The card files there are, in order."""
    shelf = _of(folder)
    if shelf is None:
        return sorted(folder.glob(pattern))
    return sorted(folder / name for name in shelf.files if fnmatch(name, pattern))


def text_of(path: Path) -> str | None:
    """A card file from the shelf that is held for its folder; None where none is."""
    shelf = _of(path.parent)
    if shelf is None:
        return None
    if path.name not in shelf.files:
        raise BadInput("the cards of this match have no file {name}", name=path.name)
    return shelf.files[path.name]


def now() -> str:
    """The hash of the shelf that is held; empty where games read their own."""
    shelf = _held.get()
    return "" if shelf is None else shelf.hash


def _of(folder: Path) -> Shelf | None:
    shelf = _held.get()
    return shelf if shelf is not None and shelf.folder == folder else None


def shelved(size: int | None = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember what a function makes of cards, for each shelf by itself."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=None if size is None else size * KEPT)
        def remembered(shelf: str, *arguments: P.args, **named: P.kwargs) -> T:
            return function(*arguments, **named)

        @wraps(function)
        def found(*arguments: P.args, **named: P.kwargs) -> T:
            return remembered(now(), *arguments, **named)  # type: ignore[arg-type]

        found.cache_clear = remembered.cache_clear  # type: ignore[attr-defined]
        return found

    return decorated

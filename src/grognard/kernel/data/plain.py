"""YAML as plain data that remembers its lines.

Only what JSON knows comes out: text, whole numbers, decimals, true, false, null, lists, mappings with text
keys. `yes`, `no`, `on` and `off` stay words, dates stay text, keys are taken as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from grognard.kernel.errors import BadInput

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 40
MAX_NODES = 100_000
MAX_FILES = 32
MAX_WHOLE = 2**53

Path_ = tuple[str | int, ...]
Lines = dict[Path_, int]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")


class Document(NamedTuple):
    """One YAML document: the value, and the line of everything in it by its path."""

    value: Any
    lines: Lines


class _Anchored(NamedTuple):
    value: Any
    nodes: int
    height: int


def documents(text: str, name: str, folder: Path | None = None) -> list[Document]:
    """Every document of a text; BadInput names the file and the line. `folder` is where `!file` looks."""
    return _Builder(name, folder, _Budget()).documents(text)


def read_text(path: Path, name: str = "") -> str:
    """The text of a file, within limits; BadInput when it cannot be read."""
    shown = name or str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadInput(
            "{name}: cannot be read: {problem}", name=shown, problem=getattr(error, "strerror", None) or str(error)
        ) from None
    if len(raw) > MAX_BYTES:
        raise BadInput(
            "{name}: is larger than {size} KiB; split it into several files", name=shown, size=MAX_BYTES // 1024
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput("{name}:{line}: is not text in UTF-8; save it as UTF-8", name=shown, line=line) from None


def _height(value: Any) -> int:
    """How many levels a value has below itself."""
    below = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(_height, below)) if below else 0


class _Budget:
    """How much one file may still hold, its included files together."""

    def __init__(self) -> None:
        self.nodes = MAX_NODES
        self.files = MAX_FILES


class _Builder:
    """Turns PyYAML's events into plain values."""

    def __init__(self, name: str, folder: Path | None, budget: _Budget, depth: int = 0) -> None:
        self.name = name
        self.folder = folder
        self.budget = budget
        self.depth = depth
        self.lines: Lines = {}
        self.anchors: dict[str, _Anchored] = {}
        self.events: Iterator[Any] = iter(())

    def wrong(self, line: int, sentence: str, **facts: Any) -> BadInput:
        return BadInput("{name}:{line}: {problem}", name=self.name, line=line, problem=BadInput(sentence, **facts))

    def documents(self, text: str) -> list[Document]:
        if len(text) > MAX_BYTES:
            raise BadInput(
                "{name}: is larger than {size} KiB; split it into several files", name=self.name, size=MAX_BYTES // 1024
            )
        found = []
        try:
            self.events = yaml.parse(text, Loader=_LOADER)
            for event in self.events:
                if isinstance(event, yaml.DocumentStartEvent):
                    self.lines, self.anchors = {}, {}
                    value = self._node(next(self.events), (), self.depth)
                    found.append(Document(value, self.lines))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
            raise self.wrong(
                mark.line + 1 if mark else 1, "this is not valid YAML: {problem}", problem=problem
            ) from None
        except UnicodeError:
            raise self.wrong(1, "this text holds characters that UTF-8 does not allow") from None
        return found

    def _node(self, event: Any, path: Path_, depth: int) -> Any:
        line = event.start_mark.line + 1
        self.lines[path] = line
        self.budget.nodes -= 1
        if depth > MAX_DEPTH:
            raise self.wrong(line, "this is nested deeper than {most} levels", most=MAX_DEPTH)
        before = self.budget.nodes
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor, line, depth)
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event, line, depth)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._no_tag(event, line)
            value = self._list(path, depth)
        else:
            self._no_tag(event, line)
            value = self._mapping(path, depth)
        if self.budget.nodes < 0:
            raise self.wrong(
                line, "the file holds more than {most} values; split it into several files", most=MAX_NODES
            )
        if event.anchor is not None:
            self.anchors[event.anchor] = _Anchored(value, before - self.budget.nodes + 1, _height(value))
        return value

    def _no_tag(self, event: Any, line: int) -> None:
        if event.tag not in (None, "!"):
            raise self.wrong(line, "the tag {tag} means nothing here; leave it out", tag=event.tag)

    def _alias(self, anchor: str | None, line: int, depth: int) -> Any:
        found = self.anchors.get(anchor or "")
        if found is None:
            raise self.wrong(line, "*{anchor} refers to nothing written before it as &{anchor}", anchor=anchor)
        if depth + found.height > MAX_DEPTH:
            raise self.wrong(line, "this is nested deeper than {most} levels", most=MAX_DEPTH)
        self.budget.nodes -= found.nodes
        if self.budget.nodes < 0:
            raise self.wrong(line, "with its *references the file holds more than {most} values", most=MAX_NODES)
        return found.value

    def _list(self, path: Path_, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self._node(event, (*path, len(found)), depth + 1))
        return found

    def _mapping(self, path: Path_, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, yaml.ScalarEvent):
                raise self.wrong(line, "a key must be a word or a number, not a list or a mapping")
            key = self._text(event.value, line)
            value = self._node(next(self.events), (*path, key), depth + 1)
            if key == "<<" and event.implicit[0]:
                merged.update(self._merged(value, line))
            elif key in found:
                raise self.wrong(line, "{key} is written twice here; keep one", key=key)
            else:
                found[key] = value
            self.lines[(*path, key)] = line
        return {**merged, **found} if merged else found

    def _merged(self, value: Any, line: int) -> dict[str, Any]:
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, dict) for part in parts):
            raise self.wrong(line, "<< takes a mapping (such as *base) or a list of them")
        return {key: part[key] for part in reversed(parts) for key in part}

    def _text(self, text: str, line: int) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise self.wrong(line, "this text holds characters that UTF-8 does not allow") from None
        return text

    def _scalar(self, event: Any, line: int, depth: int) -> Any:
        text = self._text(event.value, line)
        if event.tag == "!file":
            return self._file(text, line, depth)
        if event.tag not in _TEXT_TAGS:
            raise self.wrong(line, "the tag {tag} means nothing here; leave it out or write !file", tag=event.tag)
        if not event.implicit[0]:
            return text
        if text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if _WHOLE.fullmatch(text):
            return self._bounded(int(text) if len(text) < 20 else MAX_WHOLE + 1, line)
        if _DECIMAL.fullmatch(text):
            return self._bounded(float(text), line)
        return text

    def _bounded(self, number: int | float, line: int) -> int | float:
        if abs(number) > MAX_WHOLE:
            raise self.wrong(line, "this number is too large; the largest is {most}", most=MAX_WHOLE)
        return number

    def _file(self, text: str, line: int, depth: int) -> Any:
        """`!file path` or `!file path#key.key`: what another YAML file holds, or a part of it."""
        place, _, part = text.partition("#")
        if self.folder is None or Path(place).is_absolute() or Path(place).suffix not in (".yaml", ".yml"):
            raise self.wrong(line, "!file takes a .yaml file beside this one, not {text}", text=repr(text))
        self.budget.files -= 1
        if self.budget.files < 0:
            raise self.wrong(line, "more than {most} files are taken in by !file", most=MAX_FILES)
        target = self.folder / place
        if not target.is_file():
            raise self.wrong(line, "there is no file {place} beside this one", place=place)
        held = _Builder(place, target.parent, self.budget, depth).documents(read_text(target, place))
        if len(held) != 1:
            raise self.wrong(
                line, "{place} holds {count} documents; !file takes a file with one", place=place, count=len(held)
            )
        value = held[0].value
        for key in part.split(".") if part else ():
            if not isinstance(value, dict) or key not in value:
                raise self.wrong(line, "{place} has no {part}: {key} is missing", place=place, part=part, key=key)
            value = value[key]
        return value

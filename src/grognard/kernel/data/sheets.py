"""Cards and army lists as files: reading them, finding starters, and names that must mean something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from grognard.kernel.data import reading, typed
from grognard.kernel.data.plain import documents, read_text
from grognard.kernel.errors import BadInput, Word
from grognard.kernel.match import shelf

T = TypeVar("T")


def read_yaml(path: Path) -> Any:
    """A YAML file with one document as plain data; what is wrong is told with its line. Read once."""
    return _read(path)


@shelf.shelved(256)
def _read(path: Path) -> Any:
    brought = shelf.text_of(path)
    if brought is None:
        held = documents(read_text(path, path.name), path.name, path.parent)
    else:  # what somebody brought along reads no files of ours
        held = documents(brought, path.name)
    if len(held) != 1:
        raise BadInput(
            "{file}: holds {count} documents; a card file or army list holds one", file=path.name, count=len(held)
        )
    return held[0].value


def sheets(folder: Path, is_sheet: Callable[[Any], bool]) -> Mapping[str, Any]:
    """The files of a folder whose content is of a kind, by name, in order."""
    return {path.stem: data for path in shelf.paths(folder) if is_sheet(data := read_yaml(path))}


def starters(folder: Path, is_army: Callable[[Any], bool] | None = None) -> Mapping[str, Path]:
    """Starter armies by name: the files of a folder that hold army lists, that is mappings with units."""
    test = is_army or (lambda data: isinstance(data, dict) and "units" in data)
    return {path.stem: path for path in shelf.paths(folder) if test(read_yaml(path))}


def starter(source: str, known: Mapping[str, Path], where: str = "army") -> Any:
    """A starter army's list by its name."""
    if source not in known:
        raise BadInput(
            "{where}: there is no starter army {source}; there are {known}",
            where=where, source=source, known=", ".join(known),
        )  # fmt: skip
    return read_yaml(known[source])


def named(name: Any, known: Mapping[str, T], where: str, what: str, rule: str) -> T:
    """What a name stands for; one that means nothing is told, with those it may have meant."""
    if isinstance(name, str) and name in known:
        return known[name]
    near = [n for n in known if isinstance(name, str) and name.casefold() in n.casefold()]
    near = near or get_close_matches(str(name), list(known), 5)
    raise BadInput(
        "{where}: there is no {what} {name}; there are {known} ({rule})",
        where=where, what=Word(what), name=name, known=", ".join(near or known), rule=rule,
    )  # fmt: skip


def convert(data: Any, kind: type[T], where: str, *, strict: bool = True) -> T:
    """Plain data as a struct; what does not fit is told with its place."""
    try:
        return typed.convert(data, kind, strict=strict)
    except msgspec.ValidationError as error:
        _tell_wrong(data, inspect.type_info(kind), where)
        raise BadInput("{where}: {error}", where=where, error=error) from None


def _tell_wrong(value: Any, kind: inspect.Type, where: str) -> None:
    """Raise what is wrong with plain data in the words of a reader, by its place."""
    if isinstance(kind, inspect.UnionType):
        kinds = [k for k in kind.types if not isinstance(k, inspect.NoneType)]
        if value is not None and len(kinds) == 1:
            _tell_wrong(value, kinds[0], where)
    elif isinstance(kind, inspect.StructType):
        _tell_struct(value, kind, where)
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType):
        for place, item in enumerate(reading.listing(value, where)):
            _tell_wrong(item, kind.item_type, f"{where}[{place}]")
    elif isinstance(kind, inspect.DictType):
        reading.mapping(value, where)
    elif isinstance(kind, inspect.FloatType):
        reading.number(value, where)
    elif isinstance(kind, inspect.BoolType):
        reading.flag(value, where)
    elif isinstance(kind, inspect.IntType) and type(value) is not int:
        raise BadInput("{where} is a whole number, not {value}", where=where, value=repr(value))
    elif isinstance(kind, inspect.StrType) and not isinstance(value, str):
        reading.text(value, where)


def _tell_struct(value: Any, kind: inspect.StructType, where: str) -> None:
    """Raise what is wrong with a mapping whose keys are known."""
    said = reading.mapping(value, where, [field.encode_name for field in kind.fields])
    for field in kind.fields:
        if field.encode_name in said:
            _tell_wrong(said[field.encode_name], field.type, f"{where}.{field.encode_name}")
    needed = [field.encode_name for field in kind.fields if field.required]
    for key in needed:
        if key not in said:
            raise BadInput(
                "{where}: {key} is missing; needed are {needed}", where=where, key=key, needed=", ".join(needed)
            )


def check_different(names: Iterable[str], where: str, what: str = "units", rule: str = "") -> None:
    """Two things of one name are told."""
    seen: dict[str, None] = {}
    for name in names:
        if name in seen:
            told = f" ({rule})" if rule else ""
            raise BadInput(
                "{where}: two {what} are called {name}; give one another name{told}",
                where=where, what=Word(what), name=name, told=told,
            )  # fmt: skip
        seen[name] = None

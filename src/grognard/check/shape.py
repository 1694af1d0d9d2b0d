"""Whether plain data fits a msgspec type, said in words and by place.

msgspec's own message stops at the first mistake and does not name keys of mappings; this names every
mistake, where it is and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple

from msgspec import inspect

Place = tuple[str | int, ...]


class Problem(NamedTuple):
    """A mistake: where in the data, and what is wrong with it."""

    path: Place
    text: str


def problems(value: Any, kind: Any, path: Place = ()) -> list[Problem]:
    """Every mistake of a value against a type; empty when it fits."""
    return list(_check(value, _described(kind), path))


@cache
def _described(kind: Any) -> inspect.Type:
    """What a type is made of, read once: a thousand cases have the same few types."""
    return inspect.type_info(kind)


def _check(value: Any, kind: inspect.Type, path: Place) -> Iterator[Problem]:
    kind = _bare(kind)
    if isinstance(kind, inspect.AnyType):
        return
    if isinstance(kind, inspect.UnionType):
        yield from _union(value, kind, path)
    elif not _fits(value, kind):
        yield Problem(path, f"{_label(path)} must be {_words(kind)}, not {shown(value)}")
    elif isinstance(kind, inspect.StrType) and len(value) < (kind.min_length or 0):
        yield Problem(path, f"{_label(path)} must not be empty")
    elif isinstance(kind, inspect.StructType):
        yield from _struct(value, kind, path)
    elif isinstance(kind, inspect.ListType):
        for place, item in enumerate(value):
            yield from _check(item, kind.item_type, (*path, place))
    elif isinstance(kind, inspect.DictType):
        for key, item in value.items():
            yield from _check(item, kind.value_type, (*path, key))


def _bare(kind: inspect.Type) -> inspect.Type:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def _union(value: Any, kind: inspect.UnionType, path: Place) -> Iterator[Problem]:
    branches = [_bare(t) for t in kind.types]
    for branch in branches:
        if _fits(value, branch):
            yield from _check(value, branch, path)
            return
    wanted = " or ".join(dict.fromkeys(_words(branch) for branch in branches))
    yield Problem(path, f"{_label(path)} must be {wanted}, not {shown(value)}")


def _struct(value: dict[str, Any], kind: inspect.StructType, path: Place) -> Iterator[Problem]:
    fields = {field.encode_name: field for field in kind.fields}
    for key, item in value.items():
        if key in fields:
            yield from _check(item, fields[key].type, (*path, key))
        else:
            yield Problem((*path, key), unknown(key, fields, _label(path) if path else "a case"))
    for key, field in fields.items():
        if field.required and key not in value:
            yield Problem(path, f"{_label(path) if path else 'a case'} must have {key}")


def unknown(key: str, known: Any, owner: str) -> str:
    """The sentence for a key that is not known."""
    near = get_close_matches(key, list(known), n=1)
    hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
    return f"{owner} has no key {key}; {hint}"


_KINDS: dict[type, tuple[type, str]] = {
    inspect.StructType: (dict, "a mapping"),
    inspect.DictType: (dict, "a mapping"),
    inspect.ListType: (list, "a list"),
    inspect.StrType: (str, "text"),
    inspect.IntType: (int, "a whole number"),
    inspect.BoolType: (bool, "true or false"),
    inspect.NoneType: (type(None), "null"),
}


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether the value is of the right sort; what it holds is looked at later."""
    if isinstance(kind, inspect.AnyType):
        return True
    if isinstance(kind, inspect.LiteralType):
        return isinstance(value, str | int) and value in kind.values
    if isinstance(kind, inspect.FloatType):
        return isinstance(value, int | float) and not isinstance(value, bool)
    wanted = _KINDS[type(kind)][0]
    return isinstance(value, wanted) and not (wanted is int and isinstance(value, bool))


def _words(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return " or ".join(str(value) for value in kind.values)
    if isinstance(kind, inspect.FloatType):
        return "a number"
    if isinstance(kind, inspect.ListType) and _KINDS.get(type(_bare(kind.item_type))):
        singular = _KINDS[type(_bare(kind.item_type))][1]
        return f"a list, each item {singular}"
    return _KINDS[type(kind)][1]


def shown(value: Any) -> str:
    """A value as a short word of a sentence."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:36]}…'"


def _label(path: Place) -> str:
    """How a place is called: its last name, with the number of the item in a list."""
    if not path:
        return "a case"
    names = [str(part) for part in path if isinstance(part, str)]
    last = path[-1]
    if isinstance(last, int):
        return f"item {last + 1} of {names[-1]}" if names else f"item {last + 1}"
    return last

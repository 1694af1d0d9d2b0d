"""Values of settings, as files hold them and as people type them, each checked; what is wrong is one sentence."""

from __future__ import annotations

import math
import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from grognard.kernel.errors import BadInput
from grognard.server.hosting.hosted import Hosted

#: The least and the most of whole numbers; all others are from 1.
RANGES: Mapping[str, tuple[int, int]] = {
    "port": (0, 65535), "workers": (1, 64), "tables.hands": (1, 64), "tables.thinkers": (1, 64),
    "tables.job_processes": (0, 64),
}  # fmt: skip
MOST = 2**53
#: Numbers that may be 0.
FROM_NOTHING = ("keep.abandoned_days", "keep.finished_days")
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class Setting(NamedTuple):
    """One thing that can be set: `limits.requests`, its type, and what it is where nobody says."""

    name: str
    kind: Any
    usual: Any

    @property
    def variable(self) -> str:
        """The environment's name for it."""
        return f"GROGNARD_{self.name.replace('.', '_').upper()}"


def every(struct: type[msgspec.Struct] = Hosted, under: str = "") -> Iterator[Setting]:
    """Every setting there is, in the order in which they are shown."""
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        kind = hints[field.name]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from every(kind, f"{under}{field.name}.")
        else:
            yield Setting(under + field.name, kind, field.default)


SETTINGS: Mapping[str, Setting] = types.MappingProxyType({one.name: one for one in every()})


def typed(setting: Setting, text: str, place: str) -> Any:
    """What somebody typed, on the command line or into the environment."""
    if setting.kind is bool:
        word = text.strip().lower()
        if word not in (*YES, *NO):
            raise BadInput("{place}: write true or false, not {value}", place=place, value=text)
        return word in YES
    if setting.kind in (int, float) or _pair(setting.kind):
        parts = [_number(part) for part in text.split(",")]
        return checked(setting, parts[0] if len(parts) == 1 else parts, place, text)
    if setting.kind == tuple[str, ...]:
        return checked(setting, [part.strip() for part in text.split(",") if part.strip()], place)
    return checked(setting, text, place)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _pair(kind: Any) -> bool:
    return bool(kind == tuple[float, float])


def checked(setting: Setting, value: Any, place: str, shown: str = "") -> Any:
    """A value as the setting takes it; BadInput says what it takes."""
    said = shown or (value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode())
    facts = {"place": place, "value": said}
    kind = setting.kind
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise BadInput("{place}: write one of {known}, not {value}", known=", ".join(get_args(kind)), **facts)
    elif kind is bool:
        if not isinstance(value, bool):
            raise BadInput("{place}: write true or false, not {value}", **facts)
    elif kind is int:
        low, high = RANGES.get(setting.name, (1, MOST))
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            if high == MOST:
                raise BadInput("{place}: write a whole number from {low}, not {value}", low=low, **facts)
            raise BadInput(
                "{place}: write a whole number from {low} to {high}, not {value}", low=low, high=high, **facts
            )
    elif kind is float:
        if not _positive(value, setting.name in FROM_NOTHING):
            if setting.name in FROM_NOTHING:
                raise BadInput("{place}: write a number, or 0 for never, not {value}", **facts)
            raise BadInput("{place}: write a number above 0, not {value}", **facts)
        return float(value)
    elif _pair(kind):
        if not isinstance(value, list) or len(value) != 2 or not all(_positive(one) for one in value):
            example = ", ".join(f"{part:g}" for part in setting.usual)
            raise BadInput(
                "{place}: write two numbers above 0, such as {example}, not {value}", example=example, **facts
            )
        return tuple(float(one) for one in value)
    elif kind is str:
        if not isinstance(value, str):
            raise BadInput("{place}: write a text, not {value}", **facts)
    else:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise BadInput("{place}: write a list of texts, not {value}", **facts)
        return tuple(value)
    return value


def _positive(value: Any, from_nothing: bool = False) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    return value > 0 or (from_nothing and value == 0)

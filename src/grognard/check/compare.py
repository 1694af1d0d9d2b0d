"""Whether what came out is what a case says: partial, tolerant of rounding, and able to say where it differs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
import yaml

from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event
from grognard.kernel.words.tally import Tally

#: How far two numbers may lie apart when one of them is not whole (positions are in the game's own unit).
NEAR = 0.01
#: How far odds may lie apart: written as a fraction, and as a decimal.
EXACT_ODDS = 1e-9
DECIMAL_ODDS = 1e-6

CONDITIONS = ("at_least", "at_most", "more_than", "less_than", "not", "contains", "lacks", "one_of", "count")


def plain(value: Any) -> Any:
    """Any value of a game as plain data: tuples become lists, tallies a value with its why."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=_hook))


def _hook(value: Any) -> Any:
    if isinstance(value, Tally):
        return {"value": value.value, "why": value.why()}
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return str(value)


def phase_begun(event: Event) -> str:
    """The phase whose beginning an event tells, or ""; games tell it by its name or by the code of its text."""
    return str(event.data.get("phase")).removeprefix("phase.") if event.kind == "phase" else ""


def show(value: Any) -> str:
    """A value as YAML on one line."""
    text = yaml.safe_dump(plain(value), default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6)
    return text.removesuffix("\n").removesuffix("\n...").strip()


def differs(want: Any, got: Any, at: str = "") -> str | None:
    """The first place where `got` is not what is wanted, in words; None when it is. `got` must be plain."""
    if isinstance(want, dict) and want and all(key in CONDITIONS for key in want):
        return _conditions(want, got, at)
    if isinstance(got, dict) and "why" in got and "value" in got and not isinstance(want, dict):
        got = got["value"]
    if isinstance(want, dict):
        return _mapping(want, got, at)
    if isinstance(want, list):
        return _sequence(want, got, at)
    if isinstance(got, list) and _is_number(want):  # how many there are
        return None if want == len(got) else _said(at, show(want), got)
    return None if same(want, got) else _said(at, show(want), got)


def same(want: Any, got: Any) -> bool:
    """Whether two single values are equal; numbers that are not whole within NEAR; an empty text is nothing, too.

    A text of figures alone is the number it says.
    """
    if want is None:
        return got is None or got == ""
    if _is_number(want) and _is_number(got):
        return bool(want == got if isinstance(want, int) and isinstance(got, int) else abs(want - got) <= NEAR)
    if _is_number(want) and isinstance(got, str):
        return got == str(want)
    return type(want) is type(got) and bool(want == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(at: str, want: str, got: Any) -> str:
    return f"{at + ': ' if at else ''}expected {want}, got {show(got)}"


def _mapping(want: dict[str, Any], got: Any, at: str) -> str | None:
    if not isinstance(got, dict):
        return _said(at, show(want), got)
    for key, value in want.items():
        place = f"{at}.{key}" if at else key
        if key not in got:
            return f"{place}: expected {show(value)}, but there is no {key}; there are {', '.join(got) or 'none'}"
        account = key == "why" and not isinstance(got[key], str)  # a reason in one word is a value like any other
        wrong = _why(value, got[key], place) if account else differs(value, got[key], place)
        if wrong:
            return wrong
    return None


def _sequence(want: list[Any], got: Any, at: str) -> str | None:
    if not isinstance(got, list) or len(want) != len(got):
        return _said(at, show(want), got)
    for place, (expected, item) in enumerate(zip(want, got, strict=True)):
        wrong = differs(expected, item, f"{at}[{place + 1}]")
        if wrong:
            return wrong
    return None


def _why(want: Any, got: Any, at: str) -> str | None:
    """An account: every wanted line must be there; others may be, in any order."""
    lines = got if isinstance(got, list) else []
    for expected in want if isinstance(want, list) else [want]:
        line = {"what": expected} if isinstance(expected, str) else expected
        if not any(differs(line, item) is None for item in lines):
            return f"{at}: expected the line {show(line)}, got {show(got)}"
    return None


def _conditions(want: dict[str, Any], got: Any, at: str) -> str | None:
    if isinstance(got, dict) and "why" in got and "value" in got:
        got = got["value"]
    for name, value in want.items():
        if not _holds(name, value, got):
            return _said(at, f"{name} {show(value)}", got)
    return None


def _holds(name: str, value: Any, got: Any) -> bool:
    if name == "not":
        return differs(value, got) is not None
    if name == "one_of":
        return isinstance(value, list) and any(differs(item, got) is None for item in value)
    if name in ("contains", "lacks"):
        items = value if isinstance(value, list) else [value]
        return all(_within(item, got) == (name == "contains") for item in items)
    if name == "count":
        return isinstance(got, list | dict | str) and differs(value, len(got)) is None
    if isinstance(got, list):  # how many there are
        got = len(got)
    if not _is_number(value) or not _is_number(got):
        return False
    slack = 0 if isinstance(got, int) else 1e-6
    if name == "at_least":
        return bool(got >= value - slack)
    if name == "at_most":
        return bool(got <= value + slack)
    return bool(got > value + slack if name == "more_than" else got < value - slack)


def _within(item: Any, got: Any) -> bool:
    if isinstance(got, str):
        return isinstance(item, str) and item in got
    if isinstance(got, dict):
        return isinstance(item, str) and item in got
    return isinstance(got, list) and any(differs(item, one) is None for one in got)


# ---------------------------------------------------------------------- events


class Seen(NamedTuple):
    """An event as a case sees it: its data with kind, rule, about and seats beside them; the data alone."""

    facts: dict[str, Any]
    data: dict[str, Any]


def seen(event: Event, also: Sequence[str] = ()) -> Seen:
    """An event made ready for comparing; `also` are others it is about."""
    about = list(dict.fromkeys((*event.about, *also)))
    facts: dict[str, Any] = {"kind": event.kind, "rule": event.rule, "about": about}
    if event.seats is not None:
        facts["seats"] = list(event.seats)
    data = plain(event.data)
    return Seen({**facts, **(_roll_facts(data) if event.kind == "roll" else data), **facts}, data)


def _roll_facts(data: dict[str, Any]) -> dict[str, Any]:
    """A roll: `roll` is its name, `total` what it came to, `why` all lines of its account."""
    why = [*data.get("plus_why", []), *data.get("need_why", [])]
    rest = {key: value for key, value in data.items() if key not in ("name", "plus_why", "need_why")}
    facts = {"roll": data["name"], "total": sum(data["faces"]), **rest}
    return {**facts, "why": why} if why else facts


def event_differs(pattern: str | dict[str, Any], event: Seen) -> str | None:
    """Why an event is not the one meant; None when it is."""
    wanted: dict[str, Any] = {"kind": pattern} if isinstance(pattern, str) else dict(pattern)
    if wrong := _about(wanted.pop("about", []), event.facts["about"]):
        return wrong
    if _is_number(wanted.get("faces")):
        wanted["faces"] = [wanted["faces"]]
    if "data" in wanted and (wrong := differs(wanted.pop("data"), event.data, "data")):
        return wrong
    return differs(wanted, event.facts) if wanted else None


def _about(wanted: Any, got: list[str]) -> str | None:
    """Those named are among whom an event is about; under `in_order`, one after the other: who strikes whom."""
    ordered = isinstance(wanted, dict) and set(wanted) == {"in_order"}
    named = wanted["in_order"] if ordered else wanted
    named = named if isinstance(named, list) else [named]
    rest = iter(got)
    if missing := [thing for thing in named if thing not in (rest if ordered else got)]:
        return f"about: expected {missing[0]}{' after the others' if ordered else ''}, got {show(got)}"
    return None


# ---------------------------------------------------------------------- odds


def chance(written: Any) -> tuple[Fraction, float]:
    """A probability as it is written (3/10, 0.3 or 30 %), and how exactly it must be met."""
    try:
        if isinstance(written, str) and len(written) <= 400:
            number, more = (written[:-1].strip(), 2) if written.endswith("%") else (written, 0)
            return Fraction(number) / 10**more, EXACT_ODDS if "/" in number else _near(number, more)
        if _is_number(written):
            return Fraction(written), EXACT_ODDS if isinstance(written, int) else _near(repr(written))
    except (ValueError, ZeroDivisionError):
        pass
    raise BadInput(
        "{written} is not a probability; write a fraction such as 3/10 or a decimal such as 0.3", written=show(written)
    )


def _near(number: str, more: int = 0) -> float:
    """How near a decimal must be met: to the places it has if these are four or five, else to six."""
    places = len(number.partition(".")[2]) + more
    return 0.5 * 10**-places if places in (4, 5) else DECIMAL_ODDS


def likely(number: Any) -> str:
    """A probability or a mean for people: the fraction if it is short, else six places."""
    text = str(number)
    return text if number is None or len(text) <= 20 else f"{float(number):.6f}"

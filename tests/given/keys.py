"""What a case may write under `given`, by game: where the keys stand, and a case that needs each of them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grognard.check import Case, Outcome
from grognard.games.ades.cases import given as ades
from grognard.games.nemesis.cases import given as nemesis
from grognard.games.nemesis.cases import given_units
from grognard.games.t9a.cases import given as t9a
from grognard.games.t9a.cases import given_parts
from grognard.games.wfb3.army import cards as wfb3_cards
from grognard.games.wfb3.cases import given as wfb3
from grognard.games.wfb3.cases import given_rides
from grognard.games.wh40k.cases import given as wh40k

#: The keys of each place; `*` stands for every entry of a mapping or a list.
PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "ades": {
        "": ades.KEYS,
        "sides.*": tuple(ades.SIDE_KEYS),
        "fighters.*": ades.FIGHTER_KEYS,
        "things.*": ades.THING_KEYS,
        "effects.*": ades.EFFECT_KEYS,
    },
    "nemesis": {
        "": nemesis.KEYS,
        "sides.*": nemesis.SIDE_KEYS,
        "units.*": (*given_units.UNIT_KEYS, "joins"),
        "units.*.models.*": given_units.MODEL_KEYS,
        "units.*.orders.*": given_units.ORDER_KEYS,
        "markers.*": nemesis.MARKER_KEYS,
        "enchantments.*": given_units.SPELL_KEYS,
    },
    "t9a": {
        "": t9a.KEYS,
        "sides.*": given_parts.SIDE_KEYS,
        "units.*": t9a.UNIT_KEYS,
        "units.*.effects.*": given_parts.EFFECT_KEYS,
        "markers.*": ("id", "at", "bearer", "side"),
    },
    "wfb3": {
        "": wfb3.KEYS,
        "units.*": tuple(dict.fromkeys((*wfb3_cards.UNIT_KEYS, *wfb3.MORE))),
        "units.*.carriers.*": (*given_rides.CARRIER, "w"),
        "forces.*": ("advance", "reserves"),
        "forces.*.reserves.*": ("leader", "units", "edge", "segment", "turn"),
    },
    "wh40k": {
        "": wh40k.KEYS,
        "sides.*": tuple(wh40k.SIDE_KEYS),
        "units.*": wh40k.UNIT_KEYS,
        "markers.*": wh40k.MARKER_KEYS,
    },
}
#: Keys for which no case has been written yet.
UNPROVEN: Mapping[str, tuple[str, ...]] = {
    "ades": (),
    "nemesis": (),
    "wfb3": (),
}
FOLDER = Path(__file__).resolve().parent
CASES = FOLDER.parent.parent / "cases"


class Row(NamedTuple):
    """A case that needs a key, and the file it stands in, from the game's folder."""

    file: str
    case: str


def every(game: str) -> list[str]:
    """All keys of a game, each with its place: `units.*.moved`."""
    return [f"{place}.{key}".lstrip(".") for place, keys in PLACES[game].items() for key in dict.fromkeys(keys)]


def _entries(found: Any, path: list[str]) -> Iterator[dict[str, Any]]:
    if not path:
        if isinstance(found, dict):
            yield found
    elif path[0] == "*":
        for one in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
            yield from _entries(one, path[1:])
    elif isinstance(found, dict):
        yield from _entries(found.get(path[0]), path[1:])


def _split(key: str) -> tuple[list[str], str]:
    *place, name = key.split(".")
    return place, name


def uses(case: Case, key: str) -> bool:
    """Whether the situation of a case says this key."""
    place, name = _split(key)
    return any(name in entry for entry in _entries(case.text.given, place))


def without(case: Case, key: str) -> Case:
    """The same case, as if nobody had written this key."""
    place, name = _split(key)
    given = copy.deepcopy(case.text.given)
    for entry in _entries(given, place):
        entry.pop(name, None)
    text = msgspec.structs.replace(case.text, given=given)
    return Case(text, case.steps, case.where, case.game)


def broke(outcome: Outcome) -> bool:
    """Whether it was no answer of the rules at all."""
    return any("the engine broke" in failure.what for failure in outcome.failures)


@cache
def table(game: str) -> dict[str, Row]:
    """By key, the case of the game that does not hold without it."""
    found = {}
    for line in (FOLDER / f"{game}.txt").read_text(encoding="utf-8").splitlines():
        key, file, case = line.split()
        found[key] = Row(file, case)
    return found

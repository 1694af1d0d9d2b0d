"""A game from its beginning: what setups of every game have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput, Word
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.ruleset import Finding
from grognard.kernel.words.texts import complaint

KEYS = ("scenario", "armies", "terrain", "seats", "seed")
SEATS = ("red", "blue", "green", "gold", "white", "black", "violet", "grey", "brown")
_WORDS = {1: Word("one"), 2: Word("two"), 3: Word("three"), 4: Word("four")}
_SEAT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")


def scenario_fact(scenario: Any, *names: str) -> str:
    """What a scenario says of itself under the first of some names, whatever form its game gives it; else nothing."""
    said = scenario.get if isinstance(scenario, Mapping) else lambda name: getattr(scenario, name, "")
    return next((str(said(name)) for name in names if said(name)), "")


def check_keys(setup: Mapping[str, Any], known: Iterable[str] = KEYS) -> None:
    """A key that means nothing is told."""
    names = list(known)
    for key in setup:
        if key not in names:
            raise BadInput(
                "setup: {key} means nothing here; a setup has {known}, or given", key=key, known=", ".join(names)
            )


def check_scenario(scenario: Any, known: Iterable[str], rule: str) -> str:
    """The scenario, if there is one of this name."""
    names = list(known)
    if scenario not in names:
        there = ", ".join(names)
        raise BadInput("there is no scenario {name}; there are {known} ({rule})", name=scenario, known=there, rule=rule)
    return str(scenario)


def read_armies(setup: Mapping[str, Any], rule: str, least: int = 2, most: int | None = None) -> list[Any]:
    """The armies of a setup, one for each player."""
    armies = setup.get("armies")
    if not isinstance(armies, list | tuple) or len(armies) < least or (most is not None and len(armies) > most):
        raise BadInput(
            "setup: armies is a list of {number} army lists or names of starter armies ({rule})",
            number=_number(least, most), rule=rule,
        )  # fmt: skip
    return list(armies)


def _number(least: int, most: int | None) -> BadInput | Word:
    """So many, in words."""
    few = _WORDS.get(least, Word(least))
    if most is None:
        return BadInput("at least {few}", few=few)
    return few if least == most else BadInput("{least} to {most}", least=least, most=most)


def read_seats(seats: Any, players: int) -> tuple[str, ...]:
    """Names of the seats: plain words, all different, one per army; the usual colours where none are given."""
    if not seats:
        seats = [*SEATS, *(f"side-{number}" for number in range(len(SEATS) + 1, players + 1))][:players]
    good = isinstance(seats, list | tuple) and all(isinstance(s, str) and _SEAT.fullmatch(s) for s in seats)
    if not good or len(dict.fromkeys(seats)) != len(seats):
        raise BadInput("seats are different words of letters, digits, - and _, not {value}", value=repr(seats))
    if len(seats) != players:
        raise BadInput("setup: there are {count} seats for {players} armies", count=len(seats), players=players)
    return tuple(seats)


def field_starters(
    armies: Sequence[Any], starters: Iterable[str], load: Callable[[Any], object], players: int = 2
) -> list[Any]:
    """The armies given, and starters for the players that have none; a name that means nothing is told by `load`."""
    fielded = list(armies)
    for army in fielded:
        load(army)
    for name in starters:
        if len(fielded) < players and name not in fielded:
            fielded.append(name)
    return fielded


def terrain_seed(setup: Mapping[str, Any]) -> int | None:
    """The seed the terrain is laid from: {"seed": n}, the setup's own, or 0; None where the pieces are given."""
    plan = setup.get("terrain")
    if plan is None:
        return int(setup.get("seed") or 0)
    if isinstance(plan, dict) and set(plan) == {"seed"} and type(plan["seed"]) is int:
        return int(plan["seed"])
    return None


def check_legal(findings: Iterable[Finding], texts: Mapping[str, str], where: str) -> None:
    """What list building says against an army, in one sentence; warnings are let pass."""
    wrong = [finding for finding in findings if not finding.warning]
    if wrong:
        problem = reduce(
            lambda one, other: BadInput("{one}; {other}", one=one, other=other),
            (complaint(texts, finding) for finding in wrong),
        )
        raise BadInput("{where} is not a legal army: {problem}", where=where, problem=problem)


def given_table(
    data: Mapping[str, Any], usual: tuple[float, float], bounds: tuple[float, float], scale: read.Scale, rule: str
) -> Table:
    """The bare table of a case's `given`: {width, height} in the game's unit."""
    size = read.mapping(data.get("table", {}), "given.table", ("width", "height"))
    width = read.number(size.get("width", usual[0]), "given.table.width")
    height = read.number(size.get("height", usual[1]), "given.table.height")
    least, most = bounds
    if not (least <= width <= most and least <= height <= most):
        raise BadInput(
            "given.table: width and height lie between {least} and {most} {unit} ({rule})",
            least=f"{least:g}", most=f"{most:g}", unit=Word(scale.unit), rule=rule,
        )  # fmt: skip
    return Table(width * scale.mm, height * scale.mm)

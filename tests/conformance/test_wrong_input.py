"""Whatever stands in a list, a situation or a setup where something else is meant: wrong input, told in a sentence,
never a bug.

Every value of every starter army is replaced by values of every other kind; of situations and setups, with the cards
they bring along, some are, and many in the long run.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.check import find_files
from grognard.games import RULESETS
from grognard.kernel.data.plain import documents
from grognard.kernel.errors import GrognardError

WRONG: tuple[Any, ...] = (
    "x", "", 5, -1, 1.5, 10**12, True, None, [], {}, ["A"], [5, 10], {"a": 1}, [["x"]], [{}], [None]
)  # fmt: skip
Path_ = tuple[Any, ...]


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every place in plain data; of a list the first two entries."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else list(enumerate(value))[:2] if isinstance(value, list) else ()
    for key, held in inside:
        yield from places(held, (*path, key))


def changed(data: Any, path: Path_, value: Any) -> Any:
    found = copy.deepcopy(data)
    inside = found
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return found


@pytest.mark.parametrize("game", list(RULESETS))
def test_wrong_kinds_in_army_lists_are_told(game: str) -> None:
    ruleset, told, taken = RULESETS[game], 0, 0
    for name, path in list(ruleset.armies().items())[:2]:
        army = documents(path.read_text("utf-8"), name, path.parent)[0].value
        for place in places(army):
            for value in WRONG:
                wrong = changed(army, place, value)
                try:
                    ruleset.bounds.check(wrong, "army")
                    findings = ruleset.check_army(wrong)
                    if all(finding.warning for finding in findings):
                        ruleset.roster(wrong)
                    taken += 1
                except GrognardError:
                    told += 1
                except Exception as error:
                    raise AssertionError(f"{game}, {name}: {value!r} at {place} broke the reader") from error
    assert told > taken > 0


CASES = Path(__file__).resolve().parents[2] / "cases"


@cache
def situations(game: str) -> list[dict[str, Any]]:
    """What the cases of a game are given."""
    found: list[dict[str, Any]] = []

    def look(value: Any) -> None:
        if isinstance(value, dict) and isinstance(value.get("given"), dict):
            found.append(value["given"])
        for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(inside)

    for path in find_files([CASES / game]):
        for document in documents(path.read_text("utf-8"), path.name, path.parent):
            look(document.value)
    return found


def wrongly(game: str, setup: dict[str, Any], rng: Random) -> bool:
    """Put something wrong somewhere into a setup; whether it was told."""
    ruleset = RULESETS[game]
    place, value = rng.choice(list(places(setup))[1:] or [("given",)]), rng.choice(WRONG)
    try:
        ruleset.create(changed(setup, place, value), ruleset.house_rules_from({}))
    except GrognardError as error:
        assert str(error)
        return True
    except Exception as error:
        raise AssertionError(f"{game}: {value!r} at {place} broke the reader") from error
    return False


@pytest.mark.parametrize("game", list(RULESETS))
@pytest.mark.parametrize("many", [150, pytest.param(20_000, marks=pytest.mark.long)])
def test_wrong_kinds_in_situations_are_told(game: str, many: int) -> None:
    """The cards of a situation, its fighters, its terrain, its sides."""
    rng = Random(many)
    told = sum(wrongly(game, {"given": rng.choice(situations(game))}, rng) for _ in range(many))
    assert many // 2 < told < many


@pytest.mark.parametrize("game", list(RULESETS))
@pytest.mark.parametrize("many", [40, pytest.param(2_000, marks=pytest.mark.long)])
def test_wrong_kinds_in_setups_are_told(game: str, many: int) -> None:
    rng, setup = Random(many), RULESETS[game].default_setup(None, (), 1)
    assert sum(wrongly(game, setup, rng) for _ in range(many)) > 0


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"cost": "cheap"}, "affiliations.X.cost is a whole number"),
        ({"solos": ["A"]}, "affiliations.X.solos is a mapping"),
        ({"solos": {"s": {"rank_cost": [5, 10]}}}, "solos.s.rank_cost is a whole number"),
        ({"skills": 5}, "affiliations.X.skills is a list"),
        ({"cost": [5, 10, 15]}, "costs one value or five"),
        ({"cost": 5}, ""),
    ],
)
def test_affiliations_are_told_with_their_place(wrong: dict[str, Any], where: str) -> None:
    ruleset = RULESETS["ades"]
    name, path = next(iter(ruleset.armies().items()))
    army = documents(path.read_text("utf-8"), name, path.parent)[0].value
    army = army | {"affiliations": {"X": {"army": army.get("army", ""), **wrong}}}
    if not where:
        ruleset.check_army(army)
        return
    with pytest.raises(GrognardError, match=where):
        ruleset.check_army(army)

"""Random play as a fuzzer: whole games of every registered ruleset, checked after every answer.

GROGNARD_FUZZ_GAMES says how many games of each ruleset: a number, or `long` for the long run; without it every
ruleset plays the number that fits its length. They go over its scenarios, starter armies and house rules in turn,
in chunks that several workers can share. A failure names the game, and the save that shows it is in the message.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from grognard.kernel.errors import Refused
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, save
from grognard.kernel.questions import Question, Roll
from grognard.kernel.ruleset import Ruleset
from tests.conformance.harness import MAX_ANSWERS, RULESETS, event_bytes, wrong_answers

CHUNK = 10
#: Games per ruleset in the usual run and in the long one.
BUDGETS = {
    "nemesis": (150, 5000), "ades": (60, 1000), "wh40k": (40, 600), "t9a": (25, 400), "wfb3": (20, 300),
    "toy": (100, 100),
}  # fmt: skip
#: One answer in so many is first given wrongly; one in so many, everybody's view is compared with the truth.
LONG = os.environ.get("GROGNARD_FUZZ_GAMES") == "long"
WRONG_EVERY, LOOK_EVERY = (20, 50) if LONG else (100, 250)
#: Outside the long run the largest armies meet in one game of so many.
LARGE_EVERY = 10
#: One game in so many is saved and loaded when it is over.
REPLAY_EVERY = 5 if LONG else 10


def games_wanted(game: str) -> int:
    wanted = os.environ.get("GROGNARD_FUZZ_GAMES", "")
    usual, long = BUDGETS[game]
    return long if LONG else int(wanted or usual)


class Plan(NamedTuple):
    """Which game the fuzzer plays under a number."""

    scenario: str
    armies: tuple[str, ...]
    house: dict[str, Any]
    seed: int


def _armies(ruleset: Ruleset, number: int) -> list[str]:
    """The starter armies a game may be played with: all of them, or the largest by their names, or the others."""
    every = list(ruleset.armies())
    tails = {name: name.rpartition("-")[2] for name in every}
    points = {name: int(tail) if tail.isdigit() else 0 for name, tail in tails.items()}
    large = number % LARGE_EVERY == LARGE_EVERY - 1
    return every if LONG else [n for n in every if (points[n] == max(points.values())) == large] or every


@lru_cache
def _seats(game: str, scenario: str) -> int:
    ruleset = RULESETS[game]
    return len(Match(ruleset, ruleset.default_setup(scenario)).battle.seats)


def plan(ruleset: Ruleset, number: int) -> Plan:
    """Scenarios in turn, then armies in turn, house rules by chance in every third game."""
    scenarios, armies = list(ruleset.scenarios), _armies(ruleset, number)
    rng = Random(f"{ruleset.id} {number}")
    seats = _seats(ruleset.id, scenarios[number % len(scenarios)])
    first = number // len(scenarios)
    chosen = tuple(armies[(first + place * (1 + first // len(armies))) % len(armies)] for place in range(seats))
    house = {}
    if number % 3 == 2:
        house = {name: rng.choice(rule.choices) for name, rule in ruleset.house_rules.items() if rule.choices}
    return Plan(scenarios[number % len(scenarios)], chosen, house, number)


def fuzz(match: Match, rng: Random) -> None:
    """Play one game at random, checking it after every answer."""
    invariants, told = match.ruleset.invariants, [canonical(event) for event in match.events]
    for given in range(MAX_ANSWERS + 1):
        assert invariants(match.battle) == []
        if match.over:
            break
        question = rng.choice(match.pending)
        if given % WRONG_EVERY == 0:
            check_refusals(match, question, rng)
        if given % LOOK_EVERY == 0:
            check_views(match)
        told += [canonical(event) for event in match.answer(question.sample(rng), question.seat)]
    assert match.over, f"not over after {MAX_ANSWERS} answers"
    assert match.result is not None
    assert event_bytes(match) == tuple(told), "an event changed after it was told"


def check_refusals(match: Match, question: Question | Roll, rng: Random) -> None:
    """A refused answer changes nothing."""
    before = canonical(match.view(None)), len(match.events), len(match.answers)
    for answer in rng.sample(wrong_answers(question, rng), 8):
        if question.refusal(answer) is not None:
            with pytest.raises(Refused):
                match.answer(answer, question.seat)
    assert (canonical(match.view(None)), len(match.events), len(match.answers)) == before


def check_views(match: Match) -> None:
    """What a seat sees fits what it imagines, so it holds nothing that only the truth could tell."""
    ruleset = match.ruleset
    for seat in match.battle.seats:
        imagined = ruleset.imagine(match.battle.copy(), seat)
        assert canonical(ruleset.view(imagined, seat)) == canonical(ruleset.view(match.battle, seat)), seat


CHUNKS = [
    pytest.param(game, first, id=f"{game}-{first}")
    for game in RULESETS
    for first in range(0, games_wanted(game), CHUNK)
]


@pytest.mark.parametrize(("game", "first"), CHUNKS)
def test_random_games_hold(game: str, first: int, tmp_path: Path) -> None:
    ruleset = RULESETS[game]
    for number in range(first, min(first + CHUNK, games_wanted(game))):
        chosen = plan(ruleset, number)
        setup = ruleset.default_setup(chosen.scenario, chosen.armies, chosen.seed)
        match = Match(ruleset, setup, house=chosen.house, dice=Seeded(number), history="none")
        try:
            fuzz(match, Random(number))
            if number % REPLAY_EVERY == 0:
                replayed = load(save(match), RULESETS, history="none")
                assert event_bytes(replayed) == event_bytes(match)
        except Exception as error:
            kept = tmp_path / f"{game}-{number}.jsonl"
            kept.write_text(save(match), encoding="utf-8")
            raise AssertionError(f"game {number} {chosen}, answer {len(match.answers)}, see {kept}: {error}") from error

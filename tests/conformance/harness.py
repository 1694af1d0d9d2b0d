"""What the conformance tests share: tables to play at, games played once, and ways to answer wrongly.

Every ruleset registered in `grognard.games.RULESETS` gets all these tests for each of its scenarios; the
toy game of the kernel's tests goes first, so that the suite itself is tested.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import grognard.games
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Dice, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.kernel.questions import Question, Roll
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words import texts
from grognard.players import RandomPlayer, play
from grognard.players.play import Endless
from tests.kernel.toy import TOY

#: The long run (see tests/fuzz) looks at two games of each scenario.
LONG = os.environ.get("GROGNARD_FUZZ_GAMES") == "long"
SEEDS = (1, 2) if LONG else (1,)
#: A game that takes more answers than this does not end.
MAX_ANSWERS = 20_000
#: How many moments of a game the costly checks look at.
MOMENTS = 24 if LONG else 12


def _made() -> tuple[dict[str, Ruleset], dict[str, Exception]]:
    """Every ruleset that can be made, and why the others cannot; one broken game does not stop the rest."""
    made: dict[str, Ruleset] = {TOY.id: TOY}
    broken: dict[str, Exception] = {}
    for game in grognard.games.RULESETS:
        try:
            made[game] = grognard.games.RULESETS[game]
        except Exception as error:
            broken[game] = error
    return made, broken


RULESETS, BROKEN = _made()


class Seating(NamedTuple):
    """One table: a game, a scenario, and the seed of terrain, dice and players."""

    game: str
    scenario: str
    seed: int

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.game]

    def match(self, dice: Dice | None = None, history: str = "last", house: dict[str, Any] | None = None) -> Match:
        setup = self.ruleset.default_setup(self.scenario, seed=self.seed)
        return Match(self.ruleset, setup, dice=dice or ByHand(), history=history, house=house)

    def __str__(self) -> str:
        return f"{self.game}-{self.scenario}-{self.seed}"


GAMES = tuple(RULESETS)
SCENARIOS = tuple(Seating(game, scenario, SEEDS[0]) for game, rules in RULESETS.items() for scenario in rules.scenarios)
#: Every scenario in the long run; in the usual one the first of each game, since the fuzzer goes over all of them.
SEATINGS = tuple(
    Seating(game, scenario, seed)
    for game, scenario, _ in SCENARIOS
    for seed in SEEDS
    if LONG or scenario == next(iter(RULESETS[game].scenarios))
)


class Played(NamedTuple):
    """A whole random game: its answers and the bytes of every event."""

    answers: tuple[Answer, ...]
    events: tuple[bytes, ...]
    result: dict[str, Any] | None


def play_out(seating: Seating, house: dict[str, Any] | None = None, part: int | None = None) -> Match:
    """A random game played to its end, or its first part of so many answers."""
    match = seating.match(Seeded(f"dice {seating.seed}"), "none", house)
    players = {seat: RandomPlayer(f"{seat} {seating.seed}") for seat in (*match.battle.seats, match.ruleset.referee)}
    with nullcontext() if part is None else suppress(Endless):
        play(match, players, max_answers=part or MAX_ANSWERS)
    return match


@lru_cache(maxsize=32)
def played(seating: Seating) -> Played:
    """The random game of a table, played once however many tests look at it."""
    match = play_out(seating)
    return Played(tuple(match.answers), event_bytes(match), match.result)


def event_bytes(match: Match) -> tuple[bytes, ...]:
    return tuple(canonical(event) for event in match.events)


def follow(match: Match, answers: tuple[Answer, ...], upto: int | None = None) -> Match:
    """Give a match rolled by hand the recorded answers, decisions and dice alike, until it has `upto` of them."""
    stop = len(answers) if upto is None else upto
    while len(match.answers) < stop:
        answer = answers[len(match.answers)]
        match.answer(answer.value, answer.seat)
    return match


def steps(seating: Seating, history: str = "last") -> Iterator[tuple[int, Match]]:
    """The played game again, stopping before every answer."""
    answers = played(seating).answers
    match = seating.match(history=history)
    for place, answer in enumerate(answers):
        yield place, match
        match.answer(answer.value, answer.seat)


def moments(seating: Seating, count: int = MOMENTS) -> list[int]:
    """Places of decisions spread over the played game, the first and the last among them."""
    decisions = [place for place, answer in enumerate(played(seating).answers) if not answer.roll]
    count = min(count, len(decisions))
    return [decisions[i * (len(decisions) - 1) // max(1, count - 1)] for i in range(count)]


def snapshot(match: Match) -> bytes:
    """All that anybody can observe of a match, as bytes."""
    views = [match.view(seat) for seat in (None, *match.battle.seats)]
    return canonical([views, match.events, match.answers])


def pending_wires(match: Match) -> bytes:
    return canonical([question.wire() for question in match.pending])


def french(ruleset: Ruleset) -> Mapping[str, str]:
    """The French catalogue; the toy game brings its own sentences."""
    return {**texts.catalogue("fr", ruleset.id), **getattr(ruleset, "french", {})}


def templates(ruleset: Ruleset) -> Mapping[str, str]:
    return {**texts.KERNEL_TEXTS, **ruleset.texts}


# ---------------------------------------------------------------------- wrong answers

JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, 10**5000, float("nan"), float("inf"), "", "no such option", "\ud800", [], [[]],
    [None], [0, 0], ["no such option"], {}, {"": 1}, {"no such option": 1}, {"propose": "nowhere"}, {"propose": []},
    {"path": None}, {"path": []}, {"path": [[1e308, -1e308]]}, object(),
)  # fmt: skip


def wrong_answers(question: Question | Roll, rng: Random) -> list[Any]:
    """Junk, and a legal answer spoilt in several ways; some may still be legal."""
    legal = question.sample(rng)
    spoilt = [_spoil(legal, rng) for _ in range(6)]
    if isinstance(question, Roll):
        spoilt += [[0] * question.count, [question.sides + 1] * question.count, [1] * (question.count + 1)]
    return [*JUNK, *spoilt]


def _spoil(value: Any, rng: Random) -> Any:
    """A plain value with one thing in it changed."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        if rng.random() < 0.2:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _spoil(value[key], rng)}
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        if rng.random() < 0.3:
            return [*value, value[place]] if rng.random() < 0.5 else value[:place] + value[place + 1 :]
        return [*value[:place], _spoil(value[place], rng), *value[place + 1 :]]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return rng.choice([f"{value}x", 7, None, []])
    return rng.choice([-value - 1, value + 1, value + 0.5, value + 10_000, str(value), None])

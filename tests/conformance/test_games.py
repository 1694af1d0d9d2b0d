"""Whole games: they end, obey their invariants, repeat themselves exactly, and can be played by players."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from math import isfinite

import pytest
import yaml

import grognard.games
from grognard.kernel.errors import BadInput
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, save
from grognard.kernel.questions import Question
from grognard.players import PLAYERS, player
from tests.conformance.harness import (
    BROKEN,
    GAMES,
    LONG,
    RULESETS,
    SCENARIOS,
    SEATINGS,
    Seating,
    event_bytes,
    moments,
    play_out,
    played,
    snapshot,
    steps,
    templates,
)

each_game = pytest.mark.parametrize("game", GAMES)
each_scenario = pytest.mark.parametrize("seating", SCENARIOS, ids=str)
each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)
#: How many answers of a game with a house rule the usual run looks at.
FIRST_PART = 120
HOUSES = [
    pytest.param(game, name, choice, id=f"{game}-{name}-{choice}")
    for game, ruleset in RULESETS.items()
    for name, house in ruleset.house_rules.items()
    for choice in house.choices
]


@pytest.mark.parametrize("game", grognard.games.RULESETS)
def test_a_registered_game_can_be_made(game: str) -> None:
    assert game not in BROKEN, BROKEN[game]


# ---------------------------------------------------------------------- whole games


@each_seating
def test_games_end_with_a_result(seating: Seating) -> None:
    ruleset, match = seating.ruleset, play_out(seating)
    assert match.over and match.pending == ()
    result = match.result
    assert result is not None
    assert result["winner"] is None or result["winner"] in match.battle.seats
    assert result["rule"] in ruleset.rulebook.by_id
    assert result["why"] in templates(ruleset)
    assert canonical(result)


@each_seating
def test_invariants_hold_after_every_answer(seating: Seating) -> None:
    for place, match in steps(seating):
        assert seating.ruleset.invariants(match.battle) == [], f"before answer {place}"
    assert match.over and seating.ruleset.invariants(match.battle) == []


@each_seating
def test_same_seed_same_bytes(seating: Seating) -> None:
    again = play_out(seating)
    assert tuple(again.answers) == played(seating).answers
    assert event_bytes(again) == played(seating).events


def digest(game: str) -> str:
    """One hash of everything that happens in the games looked at."""
    seen = hashlib.sha256()
    for seating in SEATINGS:
        if seating.game == game:
            match = play_out(seating)
            seen.update(save(match).encode())
            seen.update(snapshot(match))
    return seen.hexdigest()


@each_game
def test_same_bytes_in_another_process(game: str) -> None:
    """Nothing depends on the order of a set, which changes with the hash seed."""
    program = f"from tests.conformance.test_games import digest; print(digest({game!r}))"
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(game)


@each_seating
def test_events_never_change_once_told(seating: Seating) -> None:
    told: list[bytes] = []
    for _, match in steps(seating):
        told += [canonical(event) for event in match.events[len(told) :]]
    assert event_bytes(match)[: len(told)] == tuple(told)


# ---------------------------------------------------------------------- setups, house rules, armies


@pytest.mark.parametrize(("game", "name", "choice"), HOUSES)
def test_house_rules_are_played_and_recorded(game: str, name: str, choice: object) -> None:
    """To the end in the long run; in the usual one a first part: the fuzzer plays whole games with house rules."""
    seating = next(seating for seating in SCENARIOS if seating.game == game)
    match = play_out(seating, {name: choice}, None if LONG else FIRST_PART)
    assert match.over or len(match.answers) >= FIRST_PART
    assert match.house[name] == choice
    assert seating.ruleset.invariants(match.battle) == []
    assert load(save(match), RULESETS).house == match.house


@each_game
def test_wrong_names_are_bad_input(game: str) -> None:
    ruleset = RULESETS[game]
    with pytest.raises(BadInput, match="nowhere"):
        ruleset.default_setup("nowhere")
    with pytest.raises(BadInput, match="nobody"):
        ruleset.default_setup(None, ("nobody", "nobody"))
    with pytest.raises(BadInput, match="no-such-switch"):
        Match(ruleset, ruleset.default_setup(), house={"no-such-switch": True})
    for name, house in ruleset.house_rules.items():
        if house.choices:
            with pytest.raises(BadInput, match=name):
                Match(ruleset, ruleset.default_setup(), house={name: "no such choice"})


@each_game
def test_starter_armies_are_legal(game: str) -> None:
    ruleset = RULESETS[game]
    assert ruleset.armies()
    for name, path in ruleset.armies().items():
        army = yaml.safe_load(path.read_text(encoding="utf-8"))
        findings = [finding for finding in ruleset.check_army(army) if not finding.warning]
        assert not findings, f"{name}: {findings}"


@each_game
def test_setups_are_plain_data_and_repeatable(game: str) -> None:
    ruleset = RULESETS[game]
    for scenario in ruleset.scenarios:
        setup = canonical(ruleset.default_setup(scenario, seed=5))
        assert canonical(ruleset.default_setup(scenario, seed=5)) == setup


# ---------------------------------------------------------------------- cases and players


@each_seating
def test_everything_named_has_a_state(seating: Seating) -> None:
    ruleset, looked_at = seating.ruleset, set(moments(seating, 4))
    for place, match in steps(seating):
        if place in looked_at:
            before = snapshot(match)
            for thing in ("battle", *ruleset.names(match.battle)):
                assert canonical(ruleset.state(match.battle, thing)), thing
            assert snapshot(match) == before


@each_seating
def test_a_sense_of_value_is_a_number_and_changes_nothing(seating: Seating) -> None:
    ruleset, looked_at = seating.ruleset, set(moments(seating, 12))
    for place, match in steps(seating):
        if place not in looked_at:
            continue
        before = snapshot(match)
        for seat in match.battle.seats:
            assert abs(ruleset.value(match.battle, seat)) <= 2
        for question in match.pending:
            if isinstance(question, Question):
                scores = [ruleset.score(match.battle, question, answer) for answer in question.candidates(6)]
                assert all(score is None or isfinite(score) for score in scores), question
        assert snapshot(match) == before


@pytest.mark.parametrize("name", PLAYERS)
@each_scenario
def test_players_answer_legally_and_repeat_themselves(seating: Seating, name: str) -> None:
    def opening() -> list[object]:
        match = seating.match(Seeded(seating.seed))
        seated = {seat: player(name, seating.seed) for seat in match.battle.seats}
        for _ in range(25):
            if not match.over:
                question = match.pending[0]
                match.answer(seated[question.seat].choose(match, question), question.seat)
        return [answer.value for answer in match.answers]

    assert opening() == opening()

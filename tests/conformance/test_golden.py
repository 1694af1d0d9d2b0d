"""Golden games: a replay per rules version that must replay, and its transcript to read.

`GROGNARD_GOLDEN=write pytest tests/conformance/test_golden.py` writes them afresh; read the difference.
The transcript is the replay told in English: what was asked, what was answered, what happened and by which
rule. Its last line is a hash of all events, for what the sentences do not show.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event, canonical
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, parse, save
from tests.conformance.harness import GAMES, RULESETS, SCENARIOS, event_bytes, play_out

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
WRITE = os.environ.get("GROGNARD_GOLDEN") == "write"
#: How many answers of the game the transcript tells.
TOLD = 200
each_game = pytest.mark.parametrize("game", GAMES)


def replay_path(game: str) -> Path:
    return GOLDEN / f"{game}-{RULESETS[game].version}.jsonl"


def transcript(text: str) -> str:
    """A save told as a story."""
    header, answers = parse(text)
    ruleset = RULESETS[header.game]
    match = Match(ruleset, header.setup, house=header.house, history="none")
    lines = [f"{ruleset.title} ({header.game}, rules version {header.rules})", *_told(match, match.events)]
    for place, answer in enumerate(answers):
        question = match.question(answer.seat)
        asked = ruleset.prompt(question, ruleset.names(match.battle))
        events = match.answer(answer.value, answer.seat)
        if place < TOLD:
            value = ", ".join(map(str, answer.value)) if answer.roll else canonical(answer.value).decode()
            lines += [f"? {asked} [{question.rule}]", f"> {value}", *_told(match, events)]
    if len(answers) > TOLD:
        lines.append(f"... and {len(answers) - TOLD} more answers")
    lines.append(f"result: {canonical(match.result).decode()}")
    lines.append(f"events: {hashlib.sha256(b''.join(event_bytes(match))).hexdigest()}")
    return "\n".join(lines) + "\n"


def _told(match: Match, events: list[Event]) -> list[str]:
    names = match.ruleset.names(match.battle)
    return [
        f"  {'' if event.seats is None else '(only ' + ', '.join(event.seats) + ') '}"
        f"{match.ruleset.tell(event, names)} [{event.rule}]"
        for event in events
    ]


def assert_golden(path: Path, text: str) -> None:
    if WRITE:
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing; GROGNARD_GOLDEN=write writes it"
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; GROGNARD_GOLDEN=write if it should"


@each_game
def test_golden_replay_reproduces_itself(game: str) -> None:
    path = replay_path(game)
    if WRITE:
        seating = next(seating for seating in SCENARIOS if seating.game == game)
        path.write_text(save(play_out(seating)), encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing; GROGNARD_GOLDEN=write writes it"
    text = path.read_text(encoding="utf-8")
    match = load(text, RULESETS)
    assert match.over
    assert save(match) == text


@each_game
def test_golden_transcript(game: str) -> None:
    assert_golden(GOLDEN / f"{game}.txt", transcript(replay_path(game).read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.name)
def test_older_replays_play_or_say_what_they_need(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header, _ = parse(text)
    if header.game not in RULESETS:
        pytest.skip(f"{header.game} is not registered")
    try:
        assert save(load(text, RULESETS)) == text
    except BadInput as error:
        assert header.rules != RULESETS[header.game].version, error
        assert header.rules in str(error)

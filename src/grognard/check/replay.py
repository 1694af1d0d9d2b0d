"""Every case is also a replay test: saved, loaded, played again, taken back and played again."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.check.answers import describe
from grognard.check.case import Failure
from grognard.kernel.errors import GrognardError
from grognard.kernel.events import canonical
from grognard.kernel.match import saves
from grognard.kernel.match.match import Match


def replay_failures(match: Match, where: str) -> list[Failure]:
    """What a replay of the match does differently; empty when it does not."""
    text = saves.save(match)
    try:
        twin = saves.load(text, {match.ruleset.id: match.ruleset})
    except GrognardError as error:
        return [Failure(where, f"the case cannot be loaded from its own save: {error}")]
    found = list(_differences(match, twin, text, "loaded from its save", where))
    if found or not any(not answer.roll for answer in match.answers):
        return found
    try:
        _again(twin)
    except GrognardError as error:
        return [Failure(where, f"the last decision cannot be taken back and taken again: {error}")]
    return list(_differences(match, twin, text, "with its last decision taken back and taken again", where))


def _again(twin: Match) -> None:
    """Take the last decision back, then give the same answers again."""
    answers = list(twin.answers)
    twin.undo(agreed=True)
    for answer in answers[len(twin.answers) :]:
        twin.answer(answer.value, answer.seat)


def _differences(match: Match, twin: Match, text: str, how: str, where: str) -> Iterator[Failure]:
    if canonical(match.events) != canonical(twin.events):
        pairs = enumerate(zip(match.events, twin.events, strict=False))
        shorter = min(len(match.events), len(twin.events))
        first = next((i for i, (a, b) in pairs if canonical(a) != canonical(b)), shorter)
        sides = [canonical(m.events[first]).decode() if first < len(m.events) else "nothing" for m in (match, twin)]
        yield Failure(where, f"the case {how} tells another story from event {first + 1}", *sides)
    if saves.save(twin) != text:
        yield Failure(where, f"the case {how} is saved differently", text, saves.save(twin))
    asked = ["; ".join(describe(q) for q in m.pending) or "the game is over" for m in (match, twin)]
    if asked[0] != asked[1]:
        yield Failure(where, f"the case {how} asks another question", *asked)
    elif canonical(match.view(None)) != canonical(twin.view(None)):
        yield Failure(where, f"the case {how} shows another table", "the same view", "a different view")

"""The two tables of the book, cell by cell, and how tests are rolled again."""

from __future__ import annotations

from typing import Any

from grognard.games.ades.abilities import kinds, skillset
from grognard.games.ades.rolls import steps
from grognard.kernel.questions import Roll
from grognard.kernel.words.tally import Tally

TRUC = {-9: 7, -6: 7, -5: 6, -4: 6, -3: 5, -2: 5, -1: 4, 0: 4, 1: 3, 2: 3, 3: 2, 4: 2, 5: 1, 9: 1}
BIDULE = {
    1: (0, 0, 0, 0, 1, 1, 2, 2, 3, 3),
    2: (0, 0, 0, 1, 1, 2, 2, 3, 3, 4),
    3: (0, 0, 1, 1, 2, 2, 3, 3, 4, 4),
    4: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5),
    5: (1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    6: (1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
}


def test_truc() -> None:
    assert {diff: steps.truc(diff) for diff in TRUC} == TRUC


def test_bidule() -> None:
    assert {face: tuple(steps.bidule(face, c) for c in range(10)) for face in BIDULE} == BIDULE
    assert [steps.column(d) for d in (-20, -6, -5, 0, 1, 10, 11, 30)] == [0, 0, 1, 3, 4, 8, 9, 9]


def run(test: steps.Test, *faces: int, reroll: bool = True) -> steps.Tested:
    """A test with these faces; re-rolls are taken if wanted."""
    script, left, answer = steps.attempt(test), list(faces), None
    while True:
        try:
            ask = script.send(answer)
        except StopIteration as stop:
            assert not left
            done: steps.Tested = stop.value
            return done
        answer: Any = (left.pop(0),) if isinstance(ask, Roll) else (ask.options[0].value if reroll else None)  # type: ignore[union-attr, no-redef]


def made(need: int, **more: Any) -> steps.Test:
    return steps.Test("red", "attack", "ades:1.1.3-test", Tally(need, "need", "ades:1.1.3-truc"), **more)


def test_a_test_is_rolled_again_once() -> None:
    assert run(made(4), 4).passed
    assert not run(made(4), 3).passed
    assert run(made(4, again=("seasoned",)), 3, 5).passed
    assert not run(made(4, again=("seasoned",)), 3, 2).passed
    assert not run(made(4, foe="blue", forced=("intimidation",)), 6, 1).passed
    assert run(made(4, foe="blue", forced=("intimidation",)), 6, reroll=False).passed
    assert run(made(1)).passed
    assert not run(made(7)).passed


def test_skills_grant_others_and_stack() -> None:
    held = skillset(("Expert/ATT", "Undead", "Luck/1", "Luck/2", "Toxic/4", "Toxic/2"))
    assert held.says("aguerri", "ATT")
    assert held.says("immunite", "Toxic")
    assert (held.number("chance"), held.number("toxique")) == (3, 2)
    assert held.rules("aguerri", "ATT") == ("ades:13.2-aguerri", "ades:13.2-expert")


def test_every_skill_has_two_names_and_a_rule() -> None:
    assert all(kind.name and kind.french and kind.rule.startswith("ades:13") for kind in kinds())

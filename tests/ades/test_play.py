"""Whole random games: they end, invariants hold, checkpoints resume where they were taken, piles stay hidden."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.ades.ruleset import Ades
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.players import RandomPlayer

RULES = Ades()
ARMIES = list(RULES.armies())
SCENARIOS = list(RULES.scenarios)


def begun(seed: int, history: str = "none") -> tuple[Match, dict[str, RandomPlayer]]:
    pair = (ARMIES[seed % len(ARMIES)], ARMIES[(seed // 2 + 1) % len(ARMIES)])
    setup = RULES.default_setup(SCENARIOS[seed % len(SCENARIOS)], pair, seed)
    match = Match(RULES, setup, dice=Seeded(seed), history=history)
    return match, {seat: RandomPlayer(f"{seat} {seed}") for seat in match.battle.seats}


@pytest.mark.parametrize("seed", range(8))
def test_a_random_game_ends_and_holds(seed: int) -> None:
    match, players = begun(seed)
    for _ in range(5000):
        assert match.ruleset.invariants(match.battle) == []
        if match.over:
            break
        question = match.pending[0]
        match.answer(players[question.seat].choose(match, question), question.seat)
    assert match.result is not None
    assert match.result["score"].keys() == {"red", "blue"}
    assert [rule for rule in match.touched if rule not in RULES.rulebook.by_id] == []


@pytest.mark.parametrize("seed", (3, 9))
def test_every_checkpoint_asks_again(seed: int) -> None:
    match, players = begun(seed, "last")
    seen = 0
    while not match.over:
        question = match.pending[0]
        if match.at_checkpoint and match.answers:
            twin = match.fork(ByHand())
            assert [q.wire() for q in twin.pending] == [q.wire() for q in match.pending]
            assert canonical(twin.view(None)) == canonical(match.view(None))
            seen += 1
        match.answer(players[question.seat].choose(match, question), question.seat)
    assert seen > 50


def after_piles(order: list[str]) -> Match:
    """A game in which red has laid its pile in some order, and blue is about to act on what it knows."""
    setup = RULES.default_setup("clash", ("lion-wardens-300", "hyena-hunters-300"), 5)
    match = Match(RULES, setup, dice=Seeded(5), history="last")
    while match.question().name != "pile":
        match.answer(match.question().sample(Random(1)))
    match.answer(order, "red")
    keys = sorted(o.key for o in match.question("blue").options)  # type: ignore[union-attr]
    match.answer(keys, "blue")
    return match


def test_the_order_of_a_pile_is_hidden_from_the_opponent() -> None:
    probe = RULES.default_setup("clash", ("lion-wardens-300", "hyena-hunters-300"), 5)
    first = Match(RULES, probe, dice=Seeded(5))
    while first.question().name != "pile":
        first.answer(first.question().sample(Random(1)))
    keys = [o.key for o in first.question("red").options]  # type: ignore[union-attr]
    one, two = after_piles(keys), after_piles(keys[::-1])
    assert one.view("red") != two.view("red")
    assert canonical(one.view("blue")) == canonical(two.view("blue"))
    assert one.events_for("blue") == two.events_for("blue")
    twins = [match.fork(ByHand(), seat="blue") for match in (one, two)]
    assert canonical(twins[0].view(None)) == canonical(twins[1].view(None))


@pytest.mark.parametrize("seed", (1, 6, 11, 15))
def test_everything_said_has_a_text(seed: int) -> None:
    match, players = begun(seed)
    names = match.ruleset.names(match.battle)
    while not match.over:
        question = match.pending[0]
        said = [RULES.prompt(question, names)]
        options = getattr(question, "options", ())
        said += [RULES.label(o, names) for o in options]
        notes = [*getattr(question, "notes", ()), *(note for o in options for note in o.notes)]
        said += [RULES.say(note.text, note.data, names=names) for note in notes]
        said += [RULES.say(r.code, r.data, names=names) for r in getattr(question, "barred", {}).values()]
        said += [
            RULES.tell(e, names) for e in match.answer(players[question.seat].choose(match, question), question.seat)
        ]
        names = match.ruleset.names(match.battle)
        wrong = [s for s in said if "{" in s or s.split(".")[0] in ("ask", "event", "refuse", "option", "act", "note")]
        assert wrong == []


def test_the_scene_can_be_drawn() -> None:
    match, _ = begun(2)
    assert match.scene("red").plain()["models"]

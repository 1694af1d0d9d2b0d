"""The suite is tested too: each faulty toy game breaks one promise, and the test of that promise fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grognard.kernel.battle import Battle
from grognard.kernel.questions import Script
from grognard.players import Endless
from tests.conformance import harness, test_games, test_match, test_questions, test_secrets, test_words
from tests.conformance.harness import Seating
from tests.kernel import toy
from tests.kernel.toy import March, Toy, ToyBattle


class LeakyView(Toy):
    def view(self, battle: Battle, seat: str | None) -> dict[str, Any]:
        assert isinstance(battle, ToyBattle)
        return {**super().view(battle, seat), "trap": battle.trap}


class TruthfulImagination(Toy):
    def imagine(self, battle: Battle, seat: str) -> Battle:
        return battle


class WildImagination(Toy):
    def imagine(self, battle: Battle, seat: str) -> Battle:
        assert isinstance(battle, ToyBattle)
        battle.captains[seat].x = 0.0
        return battle


class Talkative(Toy):
    def script(self, battle: Battle) -> Script[None]:
        battle.tell("bids-made", "toy:2")
        return super().script(battle)


class Speechless(Toy):
    texts = {code: text for code, text in Toy.texts.items() if code not in ("event.supplied", "ask.march.supply")}


class EnglishOnly(Toy):
    french = {english: french for english, french in Toy.french.items() if "strength" not in english}


class Lawless(Toy):
    def script(self, battle: Battle) -> Script[None]:
        yield from super().script(battle)
        battle.tell("bids-made", "toy:none")


class Unsound(Toy):
    def invariants(self, battle: Battle) -> list[str]:
        assert isinstance(battle, ToyBattle)
        return ["somebody marched"] if any(c.x != int(c.x / 50) * 50 for c in battle.captains.values()) else []


class Rewriting(Toy):
    def script(self, battle: Battle) -> Script[None]:
        shared: list[str] = []
        battle.tell("order-given", "toy:4", (battle.seats[0],), order=shared)
        inner = super().script(battle)
        try:
            ask = next(inner)
            while True:
                answer = yield ask
                shared.append("again")
                ask = inner.send(answer)
        except StopIteration:
            return


class Undecided(Toy):
    def result(self, battle: Battle) -> dict[str, Any] | None:
        return None


Check = Callable[[Seating], None]
FAULTS: list[tuple[type[Toy], Check]] = [
    (LeakyView, test_secrets.test_pairs_look_alike_until_revealed),
    (TruthfulImagination, test_secrets.test_pairs_look_alike_until_revealed),
    (WildImagination, test_secrets.test_imagination_fits_what_is_seen),
    (Talkative, test_match.test_checkpoints_resume),
    (Speechless, test_words.test_every_event_cites_a_rule_and_has_words),
    (Speechless, test_words.test_every_question_cites_a_rule_and_has_words),
    (EnglishOnly, test_words.test_every_event_cites_a_rule_and_has_words),
    (Lawless, test_words.test_every_event_cites_a_rule_and_has_words),
    (Unsound, test_games.test_invariants_hold_after_every_answer),
    (Rewriting, test_games.test_events_never_change_once_told),
    (Undecided, test_games.test_games_end_with_a_result),
]


def seat(monkeypatch: pytest.MonkeyPatch, fault: type[Toy]) -> Seating:
    """A table at which the faulty game is played as if it were registered."""
    faulty = fault()
    faulty.id = f"faulty-{fault.__name__}"
    monkeypatch.setitem(harness.RULESETS, faulty.id, faulty)
    return Seating(faulty.id, "duel", 1)


@pytest.mark.parametrize(("fault", "check"), FAULTS, ids=lambda thing: thing.__name__)
def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch, fault: type[Toy], check: Check) -> None:
    with pytest.raises(AssertionError):
        check(seat(monkeypatch, fault))


def test_a_forgetful_copy_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ToyBattle.copy

    def forgets(self: ToyBattle) -> ToyBattle:
        twin = honest(self)
        for captain in twin.captains.values():
            captain.wall = 0
        return twin

    monkeypatch.setattr(ToyBattle, "copy", forgets)
    with pytest.raises(AssertionError):
        test_match.test_a_checkpoint_keeps_the_whole_battle(seat(monkeypatch, type("Forgetful", (Toy,), {})))


def test_a_refusal_that_changes_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = March.decode

    def moves_first(self: March, wire: Any) -> tuple[float, float]:
        self.captain.gate += 1
        return honest(self, wire)

    monkeypatch.setattr(March, "decode", moves_first)
    with pytest.raises(AssertionError, match="changed something"):
        test_questions.test_refused_answers_change_nothing_and_say_why(seat(monkeypatch, type("Pushy", (Toy,), {})))


def test_a_proposal_that_is_not_legal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(March, "propose", lambda self, name: {"path": [[-1.0, 0.0]]})
    with pytest.raises(Exception, match=r"leaves the table"):
        test_questions.test_every_question_can_be_answered(seat(monkeypatch, type("Proposing", (Toy,), {})))


def test_an_endless_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def again(battle: ToyBattle) -> Script[None]:
        yield from toy.trap(battle)
        battle.phase = "trap"

    monkeypatch.setitem(toy.PHASES, "trap", again)
    monkeypatch.setattr(harness, "MAX_ANSWERS", 200)
    with pytest.raises(Endless):
        test_games.test_games_end_with_a_result(seat(monkeypatch, type("Unending", (Toy,), {})))

"""A match is its answers: asking, answering, going back, going elsewhere."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import ByHand, Scripted, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.kernel.match.saves import save
from grognard.kernel.questions import Number, Pick, Roll, Script, Together
from grognard.players import RandomPlayer, play
from tests.kernel.little import little, options, pick
from tests.kernel.toy import TOY, ToyBattle


def toy(scenario: str = "duel", seed: int = 1, history: str = "all") -> Match:
    return Match(TOY, TOY.default_setup(scenario), dice=Seeded(seed), history=history)


def observed(match: Match) -> bytes:
    views = [match.view(seat) for seat in (None, *match.battle.seats)]
    return canonical([views, match.events, match.answers])


# ---------------------------------------------------------------------- asking and answering


def test_pending_names_who_is_asked_what() -> None:
    match = toy()
    assert [repr(question) for question in match.pending] == ["Pick(red: trap.lay)"]
    assert match.question() is match.question("red") is match.pending[0]
    match.answer("left")
    assert [question.seat for question in match.pending] == ["red", "blue"]


def test_answer_gives_the_events_that_followed() -> None:
    match = toy()
    assert [event.kind for event in match.events] == ["takes-place", "takes-place"]
    assert [event.kind for event in match.answer("left")] == ["trap-laid", "trap-hidden"]
    assert match.answers == [Answer("red", "trap.lay", "left", secret=True)]


def test_views_and_events_are_filtered_by_seat() -> None:
    match = toy()
    match.answer("right")
    assert match.view("red")["trap"] == match.view(None)["trap"] == "right"
    assert match.view("blue")["trap"] == "hidden"
    assert [event.kind for event in match.events_for("blue", since=2)] == ["trap-hidden"]
    assert match.view("blue")["waiting"] == ["red", "blue"]
    assert [question["seat"] for question in match.view("blue")["pending"]] == ["blue"]
    assert len(match.view(None)["pending"]) == 2


def test_refused_answers_change_nothing() -> None:
    match = toy()
    before = observed(match)
    assert match.refusal("up") is not None and match.refusal("left") is None
    with pytest.raises(Refused, match=r"up is not among the options .* \(toy:3\)"):
        match.answer("up")
    with pytest.raises(Refused, match="nothing is being asked of blue"):
        match.answer("left", "blue")
    refusal = match.refusal("left", "blue")
    assert refusal is not None and refusal.code == "refuse.nothing-pending"
    assert observed(match) == before


def test_a_match_that_is_over_asks_nothing() -> None:
    match = toy()
    result = play(match, {seat: RandomPlayer(3) for seat in ("red", "blue")})
    assert match.over and match.pending == () and result == match.result
    with pytest.raises(Refused):
        match.answer("left")


def test_forced_questions_are_answered_by_the_match() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        only = yield pick("red", "only", "a")
        none = yield Pick("red", "none", [], optional=True, rule="toy:2")
        both = yield Together([pick("red", "x", "b"), pick("blue", "x", "c")])
        half = yield Together([pick("red", "y", "d"), pick("blue", "y", "e", "f")])
        battle.tell("done", "toy:1", got=[only, none, *both, *half])

    match = little(script)
    assert [question.seat for question in match.pending] == ["blue"]
    (event,) = match.answer("f")
    assert event.data["got"] == ["a", None, "b", "c", "d", "f"]
    assert len(match.answers) == 1 and match.over
    assert "toy:2" in match.touched


def test_forced_questions_are_asked_where_a_case_wants_to_see_them() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        yield pick("red", "only", "a")
        yield Together([pick("red", "y", "d"), pick("blue", "y", "e")])

    match = little(script, ask_all=True)
    for seat, key in (("red", "a"), ("blue", "e"), ("red", "d")):
        assert not match.over and not match.fork(ByHand()).over
        match.answer(key, seat)
    assert match.over and len(match.answers) == 3
    match.undo(agreed=True)
    assert [question.seat for question in match.pending] == ["red"]


def test_shorthand_is_recorded_in_full() -> None:
    match = toy()
    match.answer("left")
    match.answer(["1"], "red")
    match.answer("2", "blue")
    match.answer(("blue", "red"))
    match.answer({"propose": "advance"})
    match.answer({"wall": 3})
    values = [answer.value for answer in match.answers]
    assert values[1:] == ["1", "2", ["blue", "red"], {"path": [[180.0, 50.0]]}, {"wall": 3, "gate": 0}]


def test_rolls_by_hand() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        faces = yield Roll("red", "r", 6, 2, rule="toy:5.3")
        battle.tell("done", "toy:1", faces=list(faces))

    match = little(script)
    assert isinstance(match.question(), Roll)
    with pytest.raises(Refused, match="2 whole faces between 1 and 6"):
        match.answer([7, 1])
    events = match.answer([3, 4])
    assert [event.kind for event in events] == ["roll", "done"]
    assert match.rolls == [(6, (3, 4))]
    assert match.answers[0].roll


def test_scripted_dice_answer_rolls() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        for _ in range(2):
            yield Roll("red", "r", 6, rule="toy:5.3")

    assert little(script, dice=Scripted([2, 5])).rolls == [(6, (2,)), (6, (5,))]


def test_touched_rules_come_from_questions_rolls_events_and_refusals() -> None:
    match = toy()
    assert "toy:1.1" in match.touched and "toy:3" not in match.touched
    match.answer("left")
    assert "toy:3" in match.touched and "toy:2" not in match.touched
    match.answer("1", "blue")
    assert "toy:2" in match.touched


# ---------------------------------------------------------------------- several at once


def test_together_in_any_order_is_the_same_game() -> None:
    games = []
    for order in permutations(("red", "blue", "green")):
        match = toy("trio")
        match.answer("left")
        for seat in order:
            match.answer({"red": "3", "blue": "5", "green": "1"}[seat], seat)
        play(match, {seat: RandomPlayer(7) for seat in order} | {seat: RandomPlayer(7) for seat in match.battle.seats})
        games.append(canonical([match.events, match.view(None)]))
    assert len(set(games)) == 1


def test_together_keeps_what_was_answered_secret() -> None:
    match = toy()
    match.answer("left")
    before = canonical([match.view("blue"), match.events_for("blue")])
    match.answer("4", "red")
    after = match.view("blue")
    assert after["waiting"] == ["blue"]
    assert canonical([{**after, "waiting": ["red", "blue"]}, match.events_for("blue")]) == before
    assert len(save(match, "blue").splitlines()) == 1 < len(save(match, "red").splitlines())
    with pytest.raises(Refused):
        match.answer("5", "red")


# ---------------------------------------------------------------------- going back


def test_undo_takes_back_the_last_decision() -> None:
    match = toy()
    for value, seat in (("left", "red"), ("1", "red"), ("2", "blue")):
        match.answer(value, seat)
    before = observed(match)
    match.answer(["blue", "red"])
    match.undo()
    assert observed(match) == before


def test_undo_stops_at_dice_and_at_revealed_secrets() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        yield pick("red", "before", "a", "b")
        yield pick("red", "reveal", "a", "b", reveals=True)
        yield Roll("red", "r", 6, rule="toy:5.3")
        yield pick("red", "after", "a", "b")

    match = little(script, dice=Seeded(1))
    match.answer("a")
    match.undo()
    match.answer("b")
    match.answer("a")
    with pytest.raises(Refused, match="the opponent must agree"):
        match.undo()
    match.answer("a")
    assert match.over
    match.undo()
    match.undo(agreed=True)
    assert [answer.value for answer in match.answers] == ["b"]
    match.undo()
    with pytest.raises(Refused, match="nothing to take back"):
        match.undo()


def test_a_secret_can_be_taken_back_until_all_have_answered() -> None:
    match = toy()
    match.answer("left")
    before = observed(match)
    match.answer("4", "red")
    match.undo()
    assert observed(match) == before
    match.answer("4", "red")
    match.answer("5", "blue")
    with pytest.raises(Refused):
        match.undo()
    match.undo(agreed=True)
    assert [question.seat for question in match.pending] == ["blue"]


@pytest.mark.parametrize("history", ["all", "last", "none"])
def test_undo_works_with_any_history(history: str) -> None:
    match, rng = toy(history=history), Random(5)
    seen = []
    while not match.over:
        seen.append(observed(match))
        match.answer(match.pending[0].sample(rng), match.pending[0].seat)
    for before in reversed(seen):
        match.undo(agreed=True)
        assert observed(match) == before


def test_undo_at_the_start_keeps_no_litter() -> None:
    match = toy()
    for _ in range(5):
        match.answer("left")
        match.undo(agreed=True)
    assert len(match._checkpoints) <= 2


def test_a_fork_cannot_be_taken_back_beyond_its_start() -> None:
    match = toy()
    match.answer("left")
    match.answer("1", "red")
    match.answer("2", "blue")
    twin = match.fork(ByHand())
    with pytest.raises(Refused, match="nothing to take back"):
        twin.undo(agreed=True)


# ---------------------------------------------------------------------- when a script breaks


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_an_exception_in_a_script_rolls_back(failure: type[BaseException]) -> None:
    def script(battle: ToyBattle) -> Script[None]:
        first = yield pick("red", "first", "a", "b")
        battle.tell("first", "toy:1", got=first)
        second = yield pick("red", "second", "fine", "boom")
        battle.captains["red"].strength = 0
        battle.tell("second", "toy:1")
        yield Roll("red", "r", 6, rule="toy:1")
        if second == "boom":
            raise failure
        yield pick("red", "third", "a", "b")

    match = little(script, dice=Seeded(1))
    match.answer("a")
    before = observed(match)
    with pytest.raises(failure):
        match.answer("boom")
    assert observed(match) == before
    assert [event.kind for event in match.answer("fine")] == ["second", "roll"]


def test_dice_that_run_out_roll_back() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        yield pick("red", "first", "a", "b")
        for _ in range(2):
            yield Roll("red", "r", 6, rule="toy:1")

    match = little(script, dice=Scripted([4]))
    before = observed(match)
    with pytest.raises(BadInput, match="only 0 scripted faces are left after 1"):
        match.answer("a")
    assert observed(match) == before


# ---------------------------------------------------------------------- going elsewhere


def test_forks_are_independent() -> None:
    match = toy()
    match.answer("left")
    before = observed(match)
    twins = [match.fork(Seeded(9)) for _ in range(2)]
    for twin in twins:
        assert observed(twin) == before
        play(twin, {seat: RandomPlayer(2) for seat in ("red", "blue")})
    assert observed(match) == before
    assert observed(twins[0]) == observed(twins[1])


def test_a_fork_replays_the_answers_since_the_checkpoint() -> None:
    match, rng = toy(), Random(3)
    while match.question().name != "strike.guess":
        match.answer(match.pending[0].sample(rng), match.pending[0].seat)
    assert not match.at_checkpoint
    assert observed(match.fork(ByHand())) == observed(match)


def test_a_checkpoint_resumes_without_an_event() -> None:
    match, rng = toy("trio"), Random(4)
    while not match.over:
        if match.at_checkpoint:
            twin = match.fork(ByHand())
            assert canonical([q.wire() for q in twin.pending]) == canonical([q.wire() for q in match.pending])
            assert len(twin.events) == len(match.events)
        match.answer(match.pending[0].sample(rng), match.pending[0].seat)


def test_a_fork_of_a_seat_knows_no_secrets() -> None:
    match = toy("trio")
    match.answer("right")
    match.answer("5", "blue")
    match.answer("3", "red")
    twin = match.fork(ByHand(), seat="red")
    assert [question.seat for question in twin.pending] == ["blue", "green"]
    assert [question.seat for question in match.fork(ByHand()).pending] == ["green"]
    match.answer("1", "green")
    own = match.fork(ByHand(), seat="blue").battle
    assert isinstance(own, ToyBattle)
    assert own.trap == "left" and own.captains["blue"].pile == (5,) and own.captains["red"].pile == (1,)


def test_a_fork_rolls_on_with_its_own_dice() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        yield Roll("red", "r", 6, rule="toy:1")

    match = little(script)
    assert match.fork(Seeded(1)).over
    assert not match.over and match.rolls == []


# ---------------------------------------------------------------------- records


def test_a_record_is_replayed_and_then_played_on() -> None:
    match, rng = toy(), Random(8)
    for _ in range(12):
        match.answer(match.pending[0].sample(rng), match.pending[0].seat)
    for upto in range(len(match.answers) + 1):
        again = Match(TOY, match.setup, record=match.answers[:upto])
        assert again.answers == match.answers[:upto]
    assert observed(again) == observed(match)


def number_game(battle: ToyBattle) -> Script[None]:
    yield Number("red", "guess", 1, 6, rule="toy:5.2")
    yield Roll("red", "throw", 6, rule="toy:5.3")
    yield Pick("blue", "hide", options("a", "b"), rule="toy:3", secret=True)


GOOD = (Answer("red", "guess", 3), Answer("red", "throw", [2], roll=True), Answer("blue", "hide", "a", secret=True))


@pytest.mark.parametrize(
    ("place", "wrong", "told"),
    [
        (0, Answer("red", "other", 3), r"answer 1 is for other \(red\), but the rules ask guess \(red\)"),
        (0, Answer("blue", "guess", 3), "answer 1 is for guess"),
        (0, Answer("red", "guess", 7), r"answer 1 is not allowed: 7 does not lie .* \(toy:5.2\)"),
        (0, Answer("red", "guess", [3], roll=True), "answer 1 is for"),
        (1, Answer("red", "throw", [2]), "answer 2 is for"),
        (1, Answer("red", "throw", [9], roll=True), "answer 2 is not allowed"),
        (2, Answer("blue", "hide", "a"), "answer 3 is not marked secret"),
        (3, Answer("blue", "hide", "a", secret=True), "goes on after the game is over"),
    ],
)
def test_a_record_that_does_not_fit_is_bad_input(place: int, wrong: Answer, told: str) -> None:
    assert little(number_game, record=GOOD).over
    with pytest.raises(BadInput, match=told):
        little(number_game, record=[*GOOD[:place], wrong])


def test_house_rules_are_checked() -> None:
    assert Match(TOY, TOY.default_setup(), house={"bold": True}).house == {"bold": True, "rounds": 2}
    with pytest.raises(BadInput, match="no house rule brave; it has bold, rounds"):
        Match(TOY, TOY.default_setup(), house={"brave": True})
    with pytest.raises(BadInput, match="house rule rounds is one of 1, 2, 3, not 9"):
        Match(TOY, TOY.default_setup(), house={"rounds": 9})

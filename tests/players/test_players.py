"""Players: any legal answer, a sound beginner, and the loop that lets them play."""

from __future__ import annotations

import pytest

from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event, canonical
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.players import PLAYERS, Captain, Endless, RandomPlayer, play, player
from tests.kernel.little import little, pick
from tests.kernel.toy import TOY, ToyBattle


def toy(seed: int = 1, scenario: str = "duel") -> Match:
    return Match(TOY, TOY.default_setup(scenario, ("guard",)), dice=Seeded(seed), history="last")


def test_play_ends_a_match_and_tells_its_events() -> None:
    match, heard = toy(), list[Event]()
    before = len(match.events)
    result = play(match, {seat: RandomPlayer(seat) for seat in ("red", "blue")}, heard.append)
    assert result is not None and result == match.result
    assert heard == match.events[before:]


def test_players_also_roll_by_hand() -> None:
    match = Match(TOY, TOY.default_setup(), dice=ByHand())
    play(match, {"red": RandomPlayer(1), "blue": Captain(1, budget=10)})
    assert match.over and match.rolls


def test_an_empty_seat_is_told() -> None:
    with pytest.raises(BadInput, match="nobody plays the seat red; players sit at blue"):
        play(toy(), {"blue": RandomPlayer(0)})


def test_an_endless_match_is_told() -> None:
    def script(battle: ToyBattle) -> Script[None]:
        while True:
            yield pick("red", "again", "a", "b")

    with pytest.raises(Endless, match="not over after 50 answers"):
        play(little(script), {"red": RandomPlayer(0)}, max_answers=50)


def test_players_by_name() -> None:
    assert list(PLAYERS) == ["random", "captain"]
    assert isinstance(player("captain", 3), Captain)
    with pytest.raises(BadInput, match="there is no player general; there are random, captain"):
        player("general", 1)


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    def game() -> bytes:
        match = toy(scenario="trio")
        play(match, {seat: player(name, 4) for seat in match.battle.seats})
        return canonical(match.answers)

    assert game() == game()


def test_the_captain_says_why() -> None:
    captain, match = Captain(1), toy()
    match.answer("left")
    answer = captain.choose(match, match.question("red"))
    assert answer == captain.reasons[0].answer
    assert sorted(reason.answer for reason in captain.reasons) == ["1", "2", "3", "4", "5"]
    scores = [reason.score for reason in captain.reasons]
    assert scores == sorted(scores, reverse=True)
    assert all(reason.note.startswith("ahead") for reason in captain.reasons)


def at_question(name: str) -> Match:
    match, rng = toy(), RandomPlayer(2)
    while match.question().name != name:
        match.answer(rng.choose(match, match.pending[0]), match.pending[0].seat)
    return match


def test_the_captain_trusts_the_games_glance() -> None:
    captain, match = Captain(1), at_question("strike.boosts")
    assert captain.choose(match, match.question()) == ["aim", "brace"]
    assert {reason.note for reason in captain.reasons} == {"glance"}


def test_the_captain_has_an_answer_without_any_budget() -> None:
    captain, match = Captain(1, budget=0), at_question("strike.target")
    question = match.question()
    assert question.refusal(captain.choose(match, question)) is None


def test_thinking_changes_nothing() -> None:
    match = at_question("strike.target")
    before = canonical([match.view(None), match.events, match.answers])
    Captain(1).choose(match, match.question())
    assert canonical([match.view(None), match.events, match.answers]) == before


def test_the_captain_looks_past_small_questions_to_what_follows() -> None:
    """Striking pays on the whole, though the strike itself is asked, boosted and rolled later."""
    captain, match = Captain(5, budget=600), at_question("strike.target")
    assert captain.choose(match, match.question()) is not None


def test_the_captain_does_not_know_others_secrets() -> None:
    choices = []
    for secret in ("1", "5"):
        match = toy()
        match.answer("left")
        match.answer(secret, "blue")
        captain = Captain(3)
        captain.choose(match, match.question("red"))
        choices.append(captain.reasons)
    assert choices[0] == choices[1]


def test_a_fork_that_fails_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Match:
        raise BadInput("the guess does not fit")

    captain, match = Captain(1), at_question("strike.target")
    monkeypatch.setattr(Match, "fork", refuse)
    assert match.question().refusal(captain.choose(match, match.question())) is None


def training(battle: ToyBattle) -> Script[None]:
    """Eight times each chooses a die and gains the face; the small die is never better."""
    while battle.round <= 8:
        for seat in battle.queue or battle.seats:
            battle.queue = battle.seats[battle.seats.index(seat) :]
            sides = yield Pick(seat, "train", [option("d2", 2), option("d6", 6)], rule="toy:1", checkpoint=True)
            (face,) = yield Roll(seat, "train", sides, rule="toy:1")
            battle.captains[seat].strength += face
        battle.queue = ()
        battle.round += 1


def test_the_captain_beats_chance() -> None:
    won = 0
    for seed in range(40):
        match = little(training, dice=Seeded(seed), history="last")
        own, other = ("red", "blue") if seed % 2 else ("blue", "red")
        play(match, {own: Captain(seed), other: RandomPlayer(seed)})
        assert isinstance(match.battle, ToyBattle)
        won += match.battle.captains[own].strength > match.battle.captains[other].strength
    assert won >= 34


def test_the_captain_rolls_fairly_by_hand() -> None:
    roll = Roll("red", "r", 6, 2, rule="toy:5.3")
    assert roll.refusal(Captain(1).choose(toy(), roll)) is None

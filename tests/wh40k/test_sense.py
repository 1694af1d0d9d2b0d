"""The captain's sense of Warhammer 40,000: it beats the random player, and changes nothing by thinking."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.wh40k.abilities import Aim
from grognard.games.wh40k.army.profiles import Weapon, parse_datasheet
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.sense.worth import bite, look
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Option, Pick, Place, Question
from grognard.players import Captain, RandomPlayer
from tests.players.contest import captain_wins, wins
from tests.wh40k.field import RULES, battle

SMALL = ("iron-compact-1000", "ash-brood-1000")


def match_of(seed: int) -> Match:
    """Both armies sit at both sides by turns; the terrain and the dice are the seed's."""
    armies = SMALL if seed // 2 % 2 == 0 else SMALL[::-1]
    return Match(RULES, RULES.default_setup("only-war", armies, seed), dice=Seeded(seed), history="none")


@pytest.mark.parametrize("half", [0, 1])
def test_the_captain_beats_the_random_player(half: int) -> None:
    assert sum(captain_wins(match_of, seed) for seed in range(half * 3, half * 3 + 3)) >= 2


@pytest.mark.long
def test_the_captain_beats_the_random_player_in_ninety_of_a_hundred() -> None:
    assert wins(match_of, 100) >= 90


def test_how_the_sides_stand() -> None:
    """Even at the start, plus or minus the armies' worth; what one side gains the other loses."""
    match = match_of(0)
    red, blue = (match.ruleset.value(match.battle, seat) for seat in match.battle.seats)
    assert -0.1 < red < 0.1 and red == pytest.approx(-blue)
    there = match.battle
    assert isinstance(there, Battle)
    there.sides["red"].vp = 3
    assert RULES.value(there, "red") > red


def test_the_captain_draws_nobodys_dice_and_changes_nothing() -> None:
    """What it thinks about a question leaves the battle, the rules touched and the match's dice as they were."""
    thoughtful, blank = match_of(3), match_of(3)
    players: dict[str, Any] = {seat: RandomPlayer(seat) for seat in thoughtful.battle.seats}
    twins: dict[str, Any] = {seat: RandomPlayer(seat) for seat in blank.battle.seats}
    for _ in range(200):
        question = thoughtful.pending[0]
        assert isinstance(question, Question)
        for answer in [None] if isinstance(question, Place) else question.candidates(4):
            thoughtful.ruleset.score(thoughtful.battle, question, answer)
        thoughtful.answer(players[question.seat].choose(thoughtful, question), question.seat)
        blank.answer(twins[question.seat].choose(blank, blank.pending[0]), question.seat)
    assert thoughtful.events == blank.events
    assert list(thoughtful.touched) == list(blank.touched)


def test_every_question_of_a_game_gets_an_opinion() -> None:
    """The captain never has to look ahead: every answer it compares is judged at a glance."""
    match = match_of(5)
    players: dict[str, Any] = {seat: Captain(seat) for seat in match.battle.seats}
    seen = 0
    while not match.over and seen < 400:
        question = match.pending[0]
        answer = players[question.seat].choose(match, question)
        assert all(reason.note in ("glance", "only") for reason in players[question.seat].reasons), question.name
        match.answer(answer, question.seat)
        seen += 1


def face_to_face() -> Any:
    return battle(
        {
            "tank": {"side": "red", "datasheet": "Siege Tank", "at": [30, 10]},
            "claws": {"side": "blue", "datasheet": "Clawkin", "models": {"Clawkin": 10}, "at": [22, 30]},
            "beast": {"side": "blue", "datasheet": "Behemoth", "at": [40, 30]},
        },
        phase="shooting", markers=[{"at": [20, 22]}, {"at": [40, 22]}],
    )  # fmt: skip


def test_weapons_are_aimed_at_what_they_are_made_for() -> None:
    there = face_to_face()
    unit = there.units["tank"]
    found = {}
    for weapon in ("battle cannon", "beam lance"):
        options = [_option(key) for key in ("claws", "beast")]
        question = Pick("red", "shoot.target", options, rule="wh40k:6.3.2-legal-target", about=(unit.id,),
                        data={"weapon": weapon, "number": 1})  # fmt: skip
        found[weapon] = max(("claws", "beast"), key=lambda key, q=question: RULES.score(there, q, key) or 0.0)  # type: ignore[misc]
    assert found["beam lance"] == "beast"


def _option(key: str) -> Option:
    return Option(key, key, "option.target", (key,), {"unit": key, "number": 1})


def parse_weapon(data: dict[str, Any]) -> Weapon:
    model = {"M": 6, "T": 4, "Sv": 4, "W": 1, "Ld": 7, "OC": 1, "weapons": ["spit"]}
    sheet = parse_datasheet("Spitter", {"models": {"Spitter": model}, "weapons": {"spit": data}})
    return sheet.weapons["spit"][0]


def test_harm_is_what_the_steps_say() -> None:
    """A lance shot at the Behemoth: 4+ hits, S 12 wounds T 11 on 3+, Sv 2+ with AP -3 fails on 1 to 4, D6+1 is 4.5."""
    there = face_to_face()
    now = look(there)
    lance = next(w for w in there.models["tank"].weapons if w.name == "beam lance")
    beast = there.models["beast"]
    mean = bite(lance, beast.profile, beast.keywords, 7, Aim(), False)
    assert mean == pytest.approx(1 / 2 * 2 / 3 * 4 / 6 * 4.5)
    spit = parse_weapon({"A": 1, "range": 12, "skill": 4, "S": 1, "abilities": ["Anti-Monster 2+"]})
    assert bite(spit, beast.profile, beast.keywords, 7, Aim(), False) == pytest.approx(1 / 2 * 5 / 6 * 1 / 6)
    assert now.gap(there.units["tank"], there.units["beast"]) > 0
    assert now.far(there.units["claws"], there.markers[0]) < now.far(there.units["claws"], there.markers[1])

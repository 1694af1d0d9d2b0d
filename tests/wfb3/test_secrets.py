"""What one side hides: a fork for the other fills it with a guess that fits what everybody has seen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.errors import BadInput
from grognard.kernel.match.dice import ByHand, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import parse, save
from grognard.kernel.questions import Question
from grognard.players import RandomPlayer

GAME = Wfb3()


def army(name: str) -> dict[str, Any]:
    """Weres in two units, an assassin, and a second-in-command whose reach nobody else knows."""
    return {
        "name": name,
        "points": 3000,
        "mode": "scenario",
        "units": [
            {"name": "General", "creature": "Human", "level": 10, "general": True, "joins": "Spears", "leads": True},
            {"name": "Second", "creature": "Human", "level": 5, "second": True, "joins": "Swords"},
            {"name": "Knife", "creature": "Human", "level": 5, "traits": ["Assassin"], "missiles": ["throwing knives"]},
            {"name": "Spears", "creature": "Human", "count": 16, "weapons": ["spear"], "weres": 4, "standard": True},
            {"name": "Swords", "creature": "Human", "count": 12, "shield": True},
            {"name": "Bows", "creature": "Human", "count": 10, "missiles": ["bow"], "weres": 3},
        ],
    }


def check(battle: Battle, guess: Battle, seat: str) -> None:
    """Nothing in a guess betrays what the seat has not seen."""
    for unit in guess.units.values():
        truth = battle.units.get(unit.id)
        if unit.seat == seat or truth is None:
            continue
        assert unit.troops.weres == 0 or truth.troops.were_known, unit.id
        assert unit.where != "hidden", unit.id


def test_a_fork_guesses_what_fits() -> None:
    """Dice rolled for weres since the last checkpoint, and secret refusals of assassins, used to break the fork."""
    setup = GAME.default_setup("pitched-battle", (army("Reds"), army("Blues")), 1)
    match = Match(GAME, setup, dice=Seeded(1))
    player = RandomPlayer(1)
    rolled = 0
    while not match.over:
        question = match.question()
        since = match.answers[match._checkpoints[-1].answers :]
        rolled += any(answer.name.startswith("were.") for answer in since)
        for seat in ("red", "blue"):
            twin = match.fork(Seeded(5), seat=seat)
            assert isinstance(twin.battle, Battle)
            assert isinstance(match.battle, Battle)
            if question.seat == seat:
                assert twin.question().wire()["name"] == question.name
                check(match.battle, twin.battle, seat)
        match.answer(player.choose(match, question), question.seat)
    assert rolled, "no were was rolled for between two checkpoints"


def house(held: dict[str, int]) -> Match:
    """Twelve men somewhere in a keep, and enemies before its door."""
    given = {
        "active": "blue",
        "terrain": [
            {"id": "keep", "kind": "building", "at": [20, 20], "size": [8, 4], "levels": 3, "doors": ["front"]}
        ],
        "units": {
            "men": {"side": "red", "creature": "Human", "count": 12, "inside": held},
            "orcs": {"side": "blue", "creature": "Orc", "count": 6, "files": 3, "at": [22, 27]},
        },
    }
    return Match(GAME, {"given": given}, dice=Seeded(1))


def test_nothing_betrays_on_which_floor_they_are() -> None:
    """Views, forks and what may be stormed are the same wherever in the building they hide."""
    one, other = house({"keep/2/3": 12}), house({"keep/1/2": 6, "keep/2/2": 6})
    assert one.view("blue") == other.view("blue")
    for match in (one, other):
        assert match.question().name == "storm.declare"
    assert one.question().wire() == other.question().wire()
    guesses = [match.fork(Seeded(3), seat="blue").view(None) for match in (one, other)]
    assert guesses[0] == guesses[1]


def test_an_enemys_save_holds_no_army_list_and_says_so() -> None:
    """Assassins, weres and seconds' reach: neither the list nor the rolls, and not even what was asked."""
    setup = GAME.default_setup("pitched-battle", (army("Reds"), army("Blues")), 1)
    match = Match(GAME, setup, dice=Seeded(1))
    player = RandomPlayer(1)
    while match.question().name != "deploy.unit":
        match.answer(player.choose(match, match.question()), match.question().seat)
    for seat, mine, theirs in (("blue", "Blues", "Reds"), ("", "nobody", "Reds")):
        text = save(match, seat)
        header, *lines = (json.loads(line) for line in text.splitlines())
        assert (header["seen_by"], header["left_out"]) == (seat, ["setup", "answers"])
        assert theirs not in text and ("weres" in text) == (mine in text)
        foreign = [line for line in lines if line["seat"] != seat]
        assert not any(line["q"] in ("assassin.hides", "second.radius") for line in foreign)
        with pytest.raises(BadInput, match="secrets are left out of its setup, answers"):
            parse(text)
    whole = save(match)
    assert "assassin.hides" in whole and "second.radius" in whole and parse(whole)[0].left_out == ()
    rolled = [event for event in match.events if event.data.get("name") == "second.radius"]
    assert [event.seats for event in rolled] == [("red",), ("blue",)]


def test_nobody_is_told_the_name_of_who_hides() -> None:
    setup = GAME.default_setup("pitched-battle", (army("Reds"), army("Blues")), 1)
    match = Match(GAME, setup, dice=Seeded(1))
    while isinstance(question := match.question(), Question) and question.name == "assassin.hides":
        match.answer(question.candidates(1)[0], question.seat)
    named = {seat: match.ruleset.named_for(match.battle, seat, "fr") for seat in ("red", "blue", "", None)}
    hidden = [u for u in match.battle.units.values() if u.where == "hidden"]  # type: ignore[attr-defined]
    assert [unit.seat for unit in hidden] == ["red", "blue"]
    for unit in hidden:
        assert [seat for seat, names in named.items() if unit.id in names] == [unit.seat, None]


def near(face: int) -> Match:
    """Weres with an enemy within 12", at the start of their turn."""
    given = {
        "active": "red", "phase": "start",
        "units": {
            "men": {"side": "red", "creature": "Human", "count": 10, "at": [20, 20], "weres": 2},
            "orcs": {"side": "blue", "creature": "Orc", "count": 6, "files": 3, "at": [20, 28], "facing": 180},
        },
    }  # fmt: skip
    match = Match(GAME, {"given": given}, dice=ByHand())
    assert match.question().name == "were.change"
    match.answer([face])
    return match


@pytest.mark.parametrize(("face", "known"), [(4, False), (5, True)])
def test_weres_who_do_not_change_stay_unknown(face: int, known: bool) -> None:
    match = near(face)
    told = {seat: [event.kind for event in match.events_for(seat)] for seat in ("red", "blue", "")}
    assert "roll" in told["red"] and "roll" not in told["blue"] + told[""]
    assert match.battle.units["men"].troops.were_known is known  # type: ignore[attr-defined]
    assert "weres" not in match.view("blue")["units"]["men"] or known
    assert match.fork(Seeded(1), seat="blue").battle.units["men"].troops.weres == 0  # type: ignore[attr-defined]

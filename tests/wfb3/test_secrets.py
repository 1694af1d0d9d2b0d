"""What one side hides: a fork for the other fills it with a guess that fits what everybody has seen."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.dice import Seeded
from grognard.kernel.match import Match
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
        assert unit.weres == 0 or truth.were_known, unit.id
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

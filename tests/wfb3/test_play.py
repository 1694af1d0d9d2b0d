"""Whole games of the starter armies, and what must hold while they are played."""

from __future__ import annotations

import math

import pytest

from grognard.games.wfb3.army import levels
from grognard.games.wfb3.cases import given
from grognard.games.wfb3.charge import charging
from grognard.games.wfb3.charge.charge_orders import ChargeJudge
from grognard.games.wfb3.rolls import steps
from grognard.games.wfb3.ruleset import Wfb3
from grognard.kernel.data.sheets import read_yaml
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place
from grognard.players import RandomPlayer

GAME = Wfb3()


@pytest.mark.parametrize(("seed", "scenario"), [(0, "pitched-battle"), (1, "pitched-battle"), (3, "book-terrain")])
def test_random_games_end_and_can_be_forked_anywhere(seed: int, scenario: str) -> None:
    match = Match(GAME, GAME.default_setup(scenario, (), seed), dice=Seeded(seed))
    player = RandomPlayer(seed)
    answers = 0
    while not match.over:
        question = match.question()
        if answers % 7 == 0:
            twin = match.fork(Seeded(99))
            assert [q.wire() for q in twin.pending] == [q.wire() for q in match.pending]
        match.answer(player.choose(match, question), question.seat)
        answers += 1
        assert match.ruleset.invariants(match.battle) == []
    assert match.result is not None
    assert match.result["rule"] == "wfb3:26.2-winner"
    assert match.ruleset.scene(match.battle, None).plain()


def test_starter_armies_are_legal_and_worth_about_what_they_say() -> None:
    for name in GAME.armies():
        army = read_yaml(GAME.armies()[name])
        assert GAME.check_army(army) == []
        total = sum(float(line.points) for line in GAME.roster(army))
        assert 0.9 * army["points"] <= total <= army["points"], (name, total)


def test_every_word_is_said() -> None:
    for number in range(3):
        match = Match(GAME, GAME.default_setup("pitched-battle", (), number), dice=Seeded(number))
        player = RandomPlayer(number)
        while not match.over:
            question = match.question()
            assert f"ask.{question.name}" in GAME.texts, question.name
            match.answer(player.choose(match, question), question.seat)
        for event in match.events:
            code = f"event.{event.kind}"
            assert code in GAME.texts or event.kind == "roll", event.kind


def test_tables_of_the_book() -> None:
    rows = {
        1: (5, 5, 6, 6, 7, 7, 8, 8, 9, 9),
        4: (3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
        7: (2, 2, 3, 3, 4, 4, 5, 5, 6, 6),
        10: (2, 2, 2, 2, 2, 3, 3, 4, 4, 5),
    }
    for attacker, row in rows.items():
        assert tuple(steps.combat_need(attacker, d) for d in range(1, 11)) == row
    n = steps.NEVER
    assert tuple(steps.wound_need(1, t) for t in range(1, 11)) == (4, 5, 6, 6, n, n, n, n, n, n)
    assert tuple(steps.wound_need(6, t) for t in range(1, 11)) == (2, 2, 2, 2, 3, 4, 5, 6, 6, n)
    for level, found in levels.CHARACTERS.items():
        assert all(sum(row) == level for row in found)


def test_a_wheeling_block_says_how_far_it_goes_not_how_far_its_models_do() -> None:
    men = {"side": "red", "creature": "Human", "count": 20, "files": 5, "at": [20, 10]}
    match = Match(GAME, {"given": {"units": {"men": men}}}, dice=Seeded(0))
    while match.question().name != "move.path":
        name = {"move.unit": "men", "move.kind": "move"}.get(match.question().name)
        match.answer(name, match.question().seat)
    question = match.question()
    assert isinstance(question, Place)
    drawn = GAME.tools.ghosts(match.scene(None), question, {"steps": [{"wheel": "left", "angle": 50.0}]})
    assert drawn is not None
    assert all(ghost["far"] == pytest.approx(100.0 * math.pi * 50 / 180, abs=0.01) for ghost in drawn.values())


def test_a_charge_is_shown_up_to_whom_it_meets() -> None:
    """wfb3:7.1.2-manoeuvre  Only what is done on the way is ordered; the last stretch is drawn and counted too."""
    units = {
        "men": {"side": "red", "creature": "Human", "count": 10, "files": 5, "at": [20, 10]},
        "orcs": {"side": "blue", "creature": "Orc", "count": 10, "files": 5, "at": [20, 16], "facing": 180},
    }
    house = {name: rule.default for name, rule in GAME.house_rules.items()}
    battle = given.create({"phase": "movement", "units": units}, house)
    men, orcs = battle.units["men"], battle.units["orcs"]
    before = battle.block_of(men)
    judge = ChargeJudge(battle, men, orcs, inches(8), charging.around(battle, men, orcs))
    way = judge.stages({"steps": []})
    assert gap(way[-1].outline, battle.block_of(orcs).outline) == pytest.approx(0, abs=0.1)
    assert judge.spent({"steps": []}) == pytest.approx(gap(before.outline, battle.block_of(orcs).outline), abs=0.1)
    short = ChargeJudge(battle, men, orcs, inches(2), charging.around(battle, men, orcs))
    assert short.spent({"steps": []}) == pytest.approx(inches(2))
    assert battle.block_of(men) == before

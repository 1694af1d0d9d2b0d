"""Nobody is lost, destroyed or refused for want of room while there is room.

Where the search of `crowds` finds a place with something to spare, the game must not say that there is none, and
whoever answers by chance finds one. GROGNARD_FUZZ_GAMES=long looks at many more situations.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest

from grognard.games.ades.table import setting_down
from grognard.kernel.match.dice import Scripted, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Pick, Place
from tests.conformance.harness import RULESETS
from tests.fuzz import crowds
from tests.fuzz.crowds import Given, Scene

LONG = os.environ.get("GROGNARD_FUZZ_GAMES") == "long"


def begin(game: str, given: Given, faces: list[int] | None = None) -> Match:
    return Match(RULESETS[game], {"given": given}, dice=Scripted(faces) if faces else Seeded(1), history="none")


def asked(match: Match, name: str) -> Pick | None:
    """The question of that name, if it is asked now."""
    return next((q for q in match.pending if isinstance(q, Pick) and q.name == name), None)


def on_offer(match: Match, name: str, key: str) -> bool:
    question = asked(match, name)
    return question is not None and key in [option.key for option in question.options]


def happened(match: Match, kind: str) -> bool:
    return any(event.kind == kind for event in match.events)


def placed(match: Match, name: str) -> bool:
    """Whether a placement is asked, and can be made by chance."""
    question = next((q for q in match.pending if q.name == name), None)
    if question is None:
        return False
    match.answer(question.sample(Random(1)), question.seat)
    return True


# ---------------------------------------------------------------------- whether the game finds room


def leaves(given: Given) -> bool:
    match = begin("nemesis", given)
    if not on_offer(match, "order.unit", "men"):
        return False
    match.answer("men", "red")
    if not on_offer(match, "order.action", "disengage"):
        return False
    match.answer("disengage", "red")
    return True


def rises(given: Given) -> bool:
    """The question is asked in any case; somebody who takes what is proposed must find a place too."""
    match = begin("nemesis", given, [9] * 9)
    match.answer("mage:N.6-summon-3", "red")
    while match.pending[0].name != "summon.place":
        question = match.pending[0]
        choices = [option.key for option in question.options] if isinstance(question, Pick) else []
        match.answer("bones" if "bones" in choices else 2 if question.name == "cast.dice" else None, question.seat)
    return proposed(match)


def proposed(match: Match) -> bool:
    """Whether the placement that is asked proposes one that may be made."""
    question = match.pending[0]
    return isinstance(question, Place) and any(
        question.judge.propose(n) is not None for n in question.judge.proposals()
    )


def gets_out(given: Given) -> bool:
    match = begin("wh40k", given)
    if not on_offer(match, "move.unit", "disembark:rider"):
        return False
    match.answer("disembark:rider", "red")
    return placed(match, "disembark")


def arrives(given: Given) -> bool:
    match = begin("t9a", given, [3] * 9)
    return not happened(match, "ambush.no-room") and placed(match, "ambush.where")


def stands_beside(given: Given) -> bool:
    battle = begin("ades", given).battle
    fighter = battle.fighters["f0"]  # type: ignore[attr-defined]
    return bool(setting_down.around(battle, fighter, battle.base(fighter)))  # type: ignore[arg-type, attr-defined]


def tank_deploys(given: Given) -> bool:
    match = begin("wh40k", given)
    if on_offer(match, "deploy.unit", "tank"):
        match.answer("tank", "red")
    return not happened(match, "no-room") and placed(match, "deploy")


def chariot_deploys(given: Given) -> bool:
    match = begin("t9a", given)
    match.answer("red", match.pending[0].seat)
    if on_offer(match, "deploy.unit", "men"):
        match.answer("men", "red")
    return not happened(match, "deploy.impossible") and placed(match, "deploy.where")


def men_deploy(given: Given) -> bool:
    """Places must be found by those who answer by chance too: a placement without one would hold the game up."""
    match = begin("wfb3", given)
    question = next(q for q in match.pending if q.name == "deploy.unit")
    while "men" not in question.about:
        match.answer(question.sample(Random(1)), question.seat)
        question = next(q for q in match.pending if q.name == "deploy.unit")
    return isinstance(question, Place) and any(
        question.judge.propose(n) is not None for n in question.judge.proposals()
    )


def goes_out(given: Given) -> bool:
    match = begin("wfb3", given)
    for question, answer in (("move.unit", "men"), ("inside.step", "out:hall/1/1:rear")):
        while question not in [q.name for q in match.pending]:
            match.answer(None, match.pending[0].seat)
        assert on_offer(match, question, answer)
        match.answer(answer, match.pending[0].seat)
    return not happened(match, "building.no-room")


class Trial:
    """A kind of situation, how the game is asked, and how many are looked at, usually and in the long run."""

    def __init__(self, scene: Callable[[Random], Scene], asks: Callable[[Given], bool], usual: int, long: int) -> None:
        self.scene, self.asks, self.number = scene, asks, long if LONG else usual


TRIALS = {
    "nemesis-hemmed": Trial(crowds.nemesis_hemmed, leaves, 12, 3000),
    "nemesis-summons": Trial(crowds.nemesis_summons, rises, 8, 2000),
    "wh40k-aboard": Trial(crowds.wh40k_aboard, gets_out, 3, 600),
    "wh40k-lane": Trial(crowds.wh40k_lane, tank_deploys, 5, 300),
    "t9a-ambush": Trial(crowds.t9a_ambush, arrives, 2, 200),
    "t9a-lane": Trial(crowds.t9a_lane, chariot_deploys, 4, 400),
    "wfb3-door": Trial(crowds.wfb3_door, goes_out, 4, 300),
    "wfb3-lane": Trial(crowds.wfb3_lane, men_deploy, 5, 300),
    "ades-beside": Trial(crowds.ades_beside, stands_beside, 20, 3000),
}


@pytest.mark.parametrize("name", TRIALS)
def test_where_there_is_room_the_game_finds_it(name: str) -> None:
    trial = TRIALS[name]
    roomy = 0
    for seed in range(trial.number):
        scene = trial.scene(Random(seed))
        found = trial.asks(scene.given)
        roomy += found
        assert found or scene.room is None, f"{name} {seed}: room at {scene.room}"
    assert roomy, "no situation had room at all"


# ---------------------------------------------------------------------- play at crowded tables

#: Situations of each game and answers given in each, usually and in the long run.
PLAYED, ANSWERS = (200, 400) if LONG else (2, 40)


@pytest.mark.parametrize("game", crowds.CROWDS)
def test_random_play_in_a_crowd_holds(game: str) -> None:
    ruleset = RULESETS[game]
    for seed in range(PLAYED):
        match, rng = begin(game, crowds.CROWDS[game](Random(seed)), None), Random(seed)
        for number in range(ANSWERS):
            assert ruleset.invariants(match.battle) == [], f"{game} {seed}, answer {number}"
            if match.over:
                break
            question = rng.choice(match.pending)
            try:
                match.answer(question.sample(rng), question.seat)
            except Exception as error:
                raise AssertionError(f"{game} {seed}, answer {number} to {question.name}: {error}") from error

"""What screens draw of a battle."""

from __future__ import annotations

from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.screen.scene import Scene
from grognard.players import RandomPlayer
from tests.wh40k.field import RULES


def scenes(answers: int) -> list[tuple[Match, Scene]]:
    """A random battle's scenes, one after every few answers."""
    match = Match(RULES, RULES.default_setup(seed=3), dice=Seeded("scene"), history="none")
    players = {seat: RandomPlayer(seat) for seat in match.battle.seats}
    found = []
    for number in range(answers):
        if match.over:
            break
        question = match.pending[0]
        match.answer(players[question.seat].choose(match, question), question.seat)
        if number % 20 == 0:
            found.append((match, match.scene(question.seat)))
            on_table = [m.id for m in found[-1][1].models if m.pose is not None]
            assert on_table == [m for m, seen in match.view(question.seat)["models"].items() if seen["pose"]]
    return found


def test_scenes_of_a_battle_can_be_said() -> None:
    for match, scene in scenes(200):
        names = match.ruleset.names(match.battle)
        assert all(code in RULES.texts for code, _ in scene.codes())
        assert all("{" not in RULES.say(code, data, "en", names) for code, data in scene.codes())
        for card in scene.cards.values():
            assert all(ability.rule in RULES.rulebook.by_id for ability in card.abilities)
        assert all(model.card in scene.cards for model in scene.models)


def test_zones_markers_and_pools_are_drawn() -> None:
    _, scene = scenes(200)[-1]
    kinds = [zone.kind for zone in scene.zones]
    assert kinds.count("deployment") == 2 and kinds.count("objective") == len(scene.tokens) > 0
    assert [count.code for side in scene.sides for count in (*side.score, *side.pools)] == ["vp", "cp"] * 2
    assert scene.clock.turns == 5

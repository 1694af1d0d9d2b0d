"""What a table offers beside the questions: dragging, ghosts, reach, sight and odds, all along a game."""

from __future__ import annotations

import pytest

from grognard.kernel.formation.preview import Aimed, Carried, Filed
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.odds.odds import Odds
from grognard.kernel.placing.judges import TrackJudge
from grognard.kernel.questions import Pick, Place
from grognard.kernel.screen.scene import Scene
from tests.conformance.harness import SEATINGS, Seating, moments, steps

each_seating = pytest.mark.parametrize("seating", SEATINGS, ids=str)
#: Questions of one name that are looked at, and moments at which everybody looks around.
ALIKE, LOOKS = 2, 6


@each_seating
def test_dragging_looking_and_asking_for_odds(seating: Seating) -> None:
    """All along one game: a body carried to a point gets an answer that can be judged and drawn, whoever is seen is
    there, and the odds of an option are odds or nothing."""
    met: dict[str, int] = {}
    looked_at = set(moments(seating, LOOKS))
    for place, match in steps(seating):
        for question in match.pending:
            if met.setdefault(question.name, 0) < ALIKE:
                met[question.name] += 1
                if isinstance(question, Place):
                    _dragged(match, question)
                elif isinstance(question, Pick):
                    _weighed(match, question)
        if place in looked_at:
            _looked(match)


def _dragged(match: Match, question: Place) -> None:
    tools, scene = match.ruleset.tools, match.scene(question.seat)
    models = {figure.id: figure for figure in scene.models}
    members = next((troop.models for troop in scene.units if troop.id in question.movers), question.movers)
    start = next((models[m].pose for m in members if m in models and models[m].pose), None)
    x, y = (start.x, start.y) if start else (match.battle.table.width / 2, match.battle.table.height / 2)
    for by in ((40.0, 60.0), (-150.0, 0.0), (0.0, -30.0)):
        for facing in (None, 90.0):
            wire = tools.body(match.battle, scene, question, question.movers[0], (x + by[0], y + by[1]), facing)
            assert wire is not None or not isinstance(question.judge, Carried | Aimed), question.name
            if wire is not None:
                question.refusal(wire)
                _drawn(scene, question, tools.ghosts(scene, question, wire))
    _adjusted(match, question, scene, (x, y))
    for name in list(question.judge.proposals())[:4]:
        wire = question.judge.propose(name)
        if wire is not None:
            assert question.refusal(wire) is None, (question.name, name)
            _drawn(scene, question, tools.ghosts(scene, question, wire))
    reach = tools.reach(match.battle, scene, question, question.movers[0])
    assert reach is None or reach.left_mm >= 0


def _adjusted(match: Match, question: Place, scene: Scene, near: tuple[float, float]) -> None:
    """A wish for files is heeded; a placement half made can be carried on, and one of it settled on a level."""
    tools, judge, mover = match.ruleset.tools, question.judge, question.movers[0]
    if isinstance(judge, Filed):
        counts = judge.file_counts()
        assert list(counts) == sorted(set(counts)), question.name
        for files in counts[:1] + counts[-1:]:
            wire = tools.body(match.battle, scene, question, mover, near, None, files=files)
            _drawn(scene, question, tools.ghosts(scene, question, wire))
        usual = tools.body(match.battle, scene, question, mover, near, None)
        assert tools.body(match.battle, scene, question, mover, near, None, files=10**9) == usual, "no such formation"
    if not isinstance(judge, TrackJudge):
        return
    first = next((wire for name in judge.proposals() if (wire := judge.propose(name)) is not None), None)
    if first is None or mover not in first or not set(first) <= set(question.movers):
        return
    lengths = judge.lengths(first)
    assert set(lengths) <= set(question.movers) and all(far >= 0 for far in lengths.values())
    assert set(tools.settled(match.battle, question, first, mover)) == set(first)
    on = tools.carried_on(match.battle, scene, question, first, mover, near, None, None)
    assert on is None or question.refusal(on) is None, question.name


def _drawn(scene: Scene, question: Place, ghosts: dict[str, dict[str, float]] | None) -> None:
    if not isinstance(question.judge, Carried | Aimed):
        return
    assert ghosts, question.name
    assert set(ghosts) <= {figure.id for figure in scene.models} | set(question.movers), question.name
    assert all(set(ghost) - {"far", "traces"} == {"x", "y", "facing", "path"} for ghost in ghosts.values())


def _looked(match: Match) -> None:
    for seat in match.battle.seats:
        imagined = match.fork(Seeded(1), seat=seat)
        shown = {figure.id: figure.side for figure in match.scene(seat).models if figure.pose is not None}
        own = [key for key, side in shown.items() if side == seat][:3]
        for seen in match.ruleset.tools.sight(imagined.battle, own) or ():
            assert seen.by and set(seen.by) <= set(own)
            assert shown.get(seen.id, "another") != seat
        for troop in match.scene(seat).units[:6]:
            for area in match.ruleset.tools.around(imagined.battle, troop.id, troop.models):
                assert area.kind in ("arc", "range") and area.rings, area


def _weighed(match: Match, question: Pick) -> None:
    for key in question.keys[:2]:
        found = match.ruleset.tools.odds(match.battle.copy(), question, key)
        assert found is None or isinstance(found, Odds), question.name

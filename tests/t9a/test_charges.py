"""Charges in the game: what may be declared is carried out, several chargers together reach what a search by brute
force does, and no wheel carries a model further than its rate.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.cases import given as cases
from grognard.games.t9a.charge import blocked_path, charge_targets, combined_charge
from grognard.games.t9a.charge.charging import ChargeJudge
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.movement.moves import MoveJudge
from grognard.games.t9a.records import Aim, Charge
from grognard.games.t9a.ruleset import T9a
from grognard.games.t9a.table import ground, sight
from grognard.kernel.errors import BadInput
from grognard.kernel.formation.charging.align import Laying, beside
from grognard.kernel.formation.contact import Meeting
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Side
from grognard.kernel.formation.steps import Advance, Wheel
from grognard.kernel.formation.sweeps import APART, gap, overlap
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.match.dice import Scripted
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Place

RULES = T9a()
few = settings(deadline=None, max_examples=10)


def soldiers(side: str, files: int, ranks: int, **more: Any) -> dict[str, Any]:
    return {"side": side, "profile": "City Swords", "models": files * ranks, "files": files, **more}


spots = st.tuples(st.floats(18, 42), st.floats(27, 33), st.integers(120, 240))
places = st.builds(
    lambda spot, files, ranks: soldiers("blue", files, ranks, at=[spot[0], spot[1]], facing=spot[2]),
    spots,
    st.integers(1, 5),
    st.integers(1, 3),
)


def apart(battle: Battle, least: float) -> bool:
    units = list(battle.on_table())
    return all(battle.gap(a, b) >= inches(least) for a, b in itertools.combinations(units, 2))


def legal_somewhere(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a grid of advances and wheels finds a way to contact with the right side and nobody else."""
    side = ground.located(battle, target, unit)
    block, box = battle.block(unit), battle.block(target)
    others = ground.charging(battle, unit, (target.id,))
    for ahead in range(0, 400, 40):
        for angle in range(-80, 81, 8):
            first = (Advance(float(ahead)), Wheel(Side.LEFT if angle < 0 else Side.RIGHT, float(abs(angle))))
            turned = Manoeuvre(first).end(block)
            for after in range(0, 400, 2):
                arrived = Advance(float(after)).apply(turned)
                if gap(arrived.outline, box.outline) > 2.0:
                    continue
                flush = beside(arrived.boundary, box.boundary, side, 0.0)
                offset = flush.local(arrived.boundary.centre)[0]
                stood = block.on(beside(block.boundary, box.boundary, side, offset))
                clear = not any(gap(stood.outline, o.outline) < APART for o in others)
                path = Manoeuvre((*first, Advance(max(0.0, after - 4.0))))
                if clear and path.problem(block, obstacles=others) is None and abs(offset) < block.width / 2:
                    return True
                break
    return False


@few
@given(places, places)
def test_what_may_be_declared_is_carried_out(one: dict[str, Any], two: dict[str, Any]) -> None:
    units = {"reds": soldiers("red", 4, 3, front=[30, 20]), "one": one, "two": two}
    said = {"phase": "charge", "units": units}
    try:
        battle = cases.create(said, {})
    except BadInput:
        reject()  # one stands on the other
    assume(apart(battle, 1))
    unit, target = battle.units["reds"], battle.units["one"]
    assume(sight.front_sees(battle, unit, target))
    refusal = charge_targets.target_refusal(battle, unit, target, False)
    if refusal is not None:
        assert refusal.rule in ("t9a:11.B-room", "t9a:11.B-range")
        assert refusal.rule != "t9a:11.B-room" or not legal_somewhere(battle, unit, target)
        return
    match = Match(RULES, {"given": said}, dice=Scripted([6, 6, 1]))
    match.answer("reds>one")
    while match.pending and match.pending[0].name in ("charge.react", "charge.secondary.which", "charge.declare"):
        question = match.question()
        asked: Any = {"charge.react": "hold", "charge.declare": None}.get(question.name, "two")
        match.answer(asked, question.seat)
    question = match.question()
    assert isinstance(question, Place) and question.name == "charge.move"
    match.answer(question.judge.propose("best"), question.seat)
    fought = match.battle
    assert isinstance(fought, Battle)
    assert [e.kind for e in match.events if e.kind.startswith("charge.done")] == ["charge.done"]
    assert "one" in [foe.id for foe, _, _ in fought.foes(fought.units["reds"])]
    assert RULES.invariants(fought) == []


@pytest.mark.parametrize("aside", [-150.0, -30.0, -8.0, 0.0, 8.0, 30.0, 150.0])
def test_a_charger_follows_the_hand_where_the_contact_stays_as_good(aside: float) -> None:
    """Four files at eight touch most models with one of theirs beyond either end: at three places, a base apart."""
    units = {"reds": soldiers("red", 4, 3, front=[30, 20]), "foe": soldiers("blue", 8, 2, front=[30, 30], facing=180)}
    match = Match(RULES, {"given": {"phase": "charge", "units": units}}, dice=Scripted([6, 6]))
    for answer in ("reds>foe", "hold", None):
        if match.question().name != "charge.move":
            match.answer(answer, match.question().seat)
    question = match.question()
    assert isinstance(question, Place) and isinstance(question.judge, ChargeJudge)
    middle = question.judge.best.charger.centre[0]
    wire = question.judge.carry((middle + aside, 0.0), None)
    end = question.judge.stages(wire)[-1]
    nearest = min((-20.0, 0.0, 20.0), key=lambda x: abs(x - aside))
    assert end.centre[0] - middle == pytest.approx(nearest, abs=0.01)
    assert question.judge.decode(wire).charger.centre == end.centre and end.facing == 0.0


def brute_force(battle: Battle, target: Unit, chargers: list[Unit]) -> tuple[int, float]:
    """Most chargers flush with the target's front at once, then most models, over a fine grid of offsets."""
    box = battle.block(target)
    rows = []
    for unit in chargers:
        laying = Laying(battle.block(unit), box, Side.FRONT)
        every = sorted({*laying.offsets(), *(float(o) for o in range(-200, 201, 5))})
        rows.append([laying.at(o) for o in every if abs(o) <= laying.limit and laying.at(o).meeting.pairs])
    best = (1, max(lay.score[0] for row in rows for lay in row))
    room = [battle.block(u).width for u in chargers]
    for a, b in itertools.product(*rows):
        if abs(a.offset - b.offset) >= (room[0] + room[1]) / 2 - TOUCH:
            best = max(best, (2, together(a.meeting, b.meeting)))
    return best


def together(a: Meeting, b: Meeting) -> float:
    return float(len(a.ours) + len(b.ours) + len({*a.theirs, *b.theirs}))


@few
@given(st.integers(2, 5), st.integers(2, 5), st.integers(1, 6), st.floats(2.2, 3.5))
def test_two_chargers_find_the_best_places_together(left: int, right: int, files: int, aside: float) -> None:
    units = {
        "left": soldiers("red", left, 2, front=[30 - aside, 20]),
        "right": soldiers("red", right, 2, front=[30 + aside, 20]),
        "foe": soldiers("blue", files, 2, front=[30, 29]),
    }
    battle = cases.create({"phase": "charge", "units": units}, {})
    target, chargers = battle.units["foe"], [battle.units["left"], battle.units["right"]]
    for unit in chargers:
        unit.charge = Charge(charging=True, aims=(Aim("foe", ground.located(battle, target, unit)),))
    assume(all(u.charge.aim.side is Side.FRONT for u in chargers))
    found = combined_charge.arrange(battle, target, chargers)
    assert (len(found.steps), found.models) >= brute_force(battle, target, chargers)
    blocks = [s.contact.charger for s in found.steps]
    assert not any(overlap(a.outline, b.outline) for a, b in itertools.combinations(blocks, 2))


@few
@given(st.floats(0, 6), st.floats(0, 90), st.floats(0, 6), st.sampled_from(["left", "right"]))
def test_a_move_that_is_allowed_carries_nobody_further_than_the_rate(
    ahead: float, angle: float, after: float, corner: str
) -> None:
    units = {"reds": soldiers("red", 5, 4, front=[36, 24]), "foe": soldiers("blue", 5, 4, front=[10, 45])}
    battle = cases.create({"phase": "movement", "stage": 3, "units": units}, {})
    unit = battle.units["reds"]
    limit = inches(8)
    path = Manoeuvre(
        (Advance(inches(ahead)), Wheel(Side.LEFT if corner == "left" else Side.RIGHT, angle), Advance(inches(after)))
    )
    paid = inches(ahead) + 2 * battle.block(unit).width * math.sin(math.radians(angle) / 2) + inches(after)
    refusal = MoveJudge(battle, unit, "march", limit).refusal(path)
    before, now = battle.block(unit), path.end(battle.block(unit))
    furthest = max(math.dist(a, b) for a, b in zip(before.centres(), now.centres(), strict=True))
    if refusal is None:
        assert paid <= limit + 0.1 and furthest <= limit + 0.1
    elif refusal.rule == "t9a:12.D.c":
        assert paid > limit - 0.1
    else:
        assert refusal.rule == "t9a:12.D.c-limit" and furthest > limit - 0.1


def test_nobody_reforms_for_a_blocked_path_who_was_reached_before() -> None:
    """t9a:11.E.k, 11.E.g-locked  At the table's edge the spears turn to the swords; once engaged they do not."""
    units = {
        "swords": soldiers("red", 5, 8, front=[2, 20]),
        "spears": soldiers("blue", 2, 3, front=[0.8, 27], facing=200),
        "others": soldiers("red", 5, 2, front=[9, 27.5], facing=290),
    }
    battle = cases.create({"phase": "charge", "units": units}, {})
    swords, spears = battle.units["swords"], battle.units["spears"]
    reach = inches(13)
    assert (met := blocked_path.blocked_path(battle, swords, spears, Side.FRONT, reach)) and met.target.facing == 180.0
    battle.engage(battle.units["others"], Side.FRONT, spears, Side.LEFT)
    assert blocked_path.blocked_path(battle, swords, spears, Side.FRONT, reach) is None

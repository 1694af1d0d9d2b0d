"""Preparation, deployment and missions of Némésis."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.setup import layout, missions
from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.events import canonical
from grognard.kernel.match.dice import Scripted, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, save
from tests.nemesis.situations import HOUSE, NEMESIS, given

# ---------------------------------------------------------------------- setup, preparation, deployment


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scenario": "chess"}, "there is no scenario chess"),
        ({"armies": ["undead-300"]}, "at least two"),
        ({"armies": ["undead-300", "elves"]}, "there is no starter army elves"),
        ({"seats": ["red", "red"]}, "seats are different words"),
        ({"seats": ["red"]}, "1 seats for 2 armies"),
        ({"weather": "rain"}, "weather means nothing here"),
        ({"terrain": [{"kind": "swamp"}]}, r"terrain\[0\]: kind is one of"),
        ({"terrain": [{"kind": "wood", "at": [0, 0], "size": [5, 5]}]}, "does not lie on the table"),
        ({"terrain": [{"kind": "wood", "at": [60, 60]}]}, "needs at .* and size"),
        ({"terrain": {"number": "many"}}, "terrain is a list of pieces"),
    ],
)
def test_bad_setups_are_told(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        NEMESIS.create({**NEMESIS.default_setup(), **changes}, HOUSE)


def test_house_numbers_are_checked() -> None:
    house = NEMESIS.house_rules_from({"zone_depth": 80})
    with pytest.raises(BadInput, match="zones would overlap"):
        NEMESIS.create(NEMESIS.default_setup(), house)
    with pytest.raises(BadInput, match="turn_cap is a number"):
        NEMESIS.create(NEMESIS.default_setup(), NEMESIS.house_rules_from({"turn_cap": "long"}))


def test_terrain_from_a_seed_is_the_same_every_time() -> None:
    assert layout.lay(7) == layout.lay(7) != layout.lay(8)
    for seed in range(40):
        assert 5 <= len(layout.lay(seed)) <= 8


def deployed(seed: int, names: tuple[str, ...] = (), scenario: str | None = None, **changes: Any) -> Match:
    setup = {**NEMESIS.default_setup(scenario, names, seed), **changes}
    match, rng = Match(NEMESIS, setup, dice=Seeded(seed)), Random(seed)
    while match.battle.phase in ("preparation", "deployment"):  # type: ignore[attr-defined]
        match.answer(match.question().sample(rng))
        assert NEMESIS.invariants(match.battle) == []
    return match


@pytest.mark.parametrize("seed", range(6))
def test_random_deployment_ends_with_everyone_in_place(seed: int) -> None:
    names = list(NEMESIS.armies())
    match = deployed(seed, (names[seed], names[-1 - seed]), list(missions.SCENARIOS)[seed % 3])
    assert all(model.on_table for model in match.battle.models.values())  # type: ignore[attr-defined]


def test_more_than_two_armies_deploy() -> None:
    match = deployed(3, ("cult-500", "realm-500", "undead-500"))
    zones = [side.zone for side in match.battle.sides.values()]  # type: ignore[attr-defined]
    assert len(set(zones)) == 3


def test_every_checkpoint_of_deployment_resumes() -> None:
    setup = NEMESIS.default_setup("hunters-manuscripts", ("orphans-300", "cult-300"), 2)
    match, rng = Match(NEMESIS, setup, dice=Seeded(2)), Random(2)
    while match.battle.phase == "deployment":  # type: ignore[attr-defined]
        twin = match.fork(Seeded(0))
        assert canonical(twin.question().wire()) == canonical(match.question().wire())
        assert canonical(twin.view(None)) == canonical(match.view(None))
        match.answer(match.question().sample(rng))
    again = load(save(match), RULESETS)
    assert canonical(again.events) == canonical(match.events)


def test_terrain_by_quarters() -> None:
    setup = {**NEMESIS.default_setup(), "terrain": {"number": "roll"}}
    # two elements: quarter 1; then 9 is re-rolled, quarter 4; the zones' dice 3 and 3 are re-rolled
    match = Match(NEMESIS, setup, dice=Scripted([2, 1, 5, 5, 9, 8, 5, 5, 3, 3, 4, 9]))
    kinds = [(piece.id, piece.kind) for piece in match.battle.table.pieces]
    assert kinds == [("wood-1", "wood"), ("ruin-1", "ruin")]
    assert match.battle.order == ("blue", "red")  # type: ignore[attr-defined]
    for rule in ("8.2", "8.2-quarters", "12.1-agree", "8.3-zones", "X.4-table", "6-mission", "3.2", "5.2-troop", "8.1"):
        assert f"nemesis:{rule}" in match.touched


def place(match: Match, unit: str) -> None:
    match.answer(unit)
    while match.question().name == "deploy.join":
        match.answer(None)


def line(unit: str, count: int, x: float, y: float) -> dict[str, Any]:
    return {f"{unit}.{n + 1}": {"path": [[x + 35 * n, y]], "facing": 0} for n in range(count)}


def refused(match: Match, wire: Any) -> str:
    with pytest.raises(Refused) as caught:
        match.answer(wire)
    return caught.value.refusal.rule


def test_where_a_unit_may_not_be_deployed() -> None:
    terrain = [{"id": "crag", "kind": "rock", "at": [60, 10], "size": [6, 6]}]
    setup = {**NEMESIS.default_setup(None, ("realm-300", "undead-300")), "terrain": terrain}
    match = Match(NEMESIS, setup, dice=Scripted([9, 2]))
    assert match.question().name == "zone.choose"
    match.answer("south")
    place(match, "red.archers")
    legal = line("red.archers", 5, 100, 100)
    assert refused(match, line("red.archers", 5, 100, 260)) == "nemesis:8.3-inside"
    assert refused(match, line("red.archers", 5, 570, 100)) == "nemesis:12.1-impassable"
    assert refused(match, line("red.archers", 5, 5, 100)) == "nemesis:X.2-table-edge"
    assert refused(match, legal | {"red.archers.5": [300, 100]}) == "nemesis:6-cohesion"
    assert refused(match, legal | {"red.archers.5": [101, 100]}) == "nemesis:5.4-hitbox"
    assert refused(match, {"red.archers.1": [100, 100]}) == "nemesis:8.3-inside"
    assert refused(match, {"propose": "moon"}) == "nemesis:8.3-inside"
    match.answer(legal)
    assert match.question().seat == "blue"


def test_scouts_deploy_unseen_and_far_away() -> None:
    terrain = [{"id": "crag", "kind": "rock", "at": [60, 70], "size": [30, 4]}]
    setup = {**NEMESIS.default_setup(None, ("orphans-300", "undead-300")), "terrain": terrain}
    match = Match(NEMESIS, setup, dice=Scripted([2, 9]))
    match.answer("north")
    place(match, "blue.rats")
    match.answer({f"blue.rats.{n}": {"path": [[600 + 35 * n, 1000]], "facing": 180} for n in (1, 2, 3)})
    place(match, "red.stalkers")
    assert refused(match, line("red.stalkers", 2, 600, 800)) == "nemesis:A1.10-scout"  # 17 cm away
    assert refused(match, line("red.stalkers", 2, 100, 500)) == "nemesis:A1.10-scout"  # in sight
    match.answer(line("red.stalkers", 2, 600, 600))
    assert match.events[-1].rule == "nemesis:A1.10-scout"


def test_a_hermit_joins_nobody() -> None:
    setup = NEMESIS.default_setup(None, ("orphans-500", "undead-300"), 1)
    match = Match(NEMESIS, setup, dice=Scripted([9, 2]))
    match.answer("south")
    match.answer("red.archers")
    assert refused(match, "red.badger") == "nemesis:A1.17-hermit"
    match.answer("red.green-mother")
    assert match.battle.units["red.archers"].hero == "red.green-mother"  # type: ignore[attr-defined]


# ---------------------------------------------------------------------- missions


def manuscripts(**more: Any) -> Battle:
    units = {
        "knight": {"side": "red", "card": "Captain", "at": [60, 10], "scrolls": ["scroll1", "scroll2"]},
        "king": {"side": "blue", "card": "Grave Knight", "at": [60, 110], "dice": {}},
    }
    return given(scenario="hunters-manuscripts", units=units, phase="end", **more)


def test_manuscripts_are_laid_20_cm_apart() -> None:
    assert [(m.x, m.y) for m in manuscripts().markers] == [(400, 600), (600, 600), (800, 600)]
    house = {**HOUSE, "marker_layout": "triangle"}
    battle = NEMESIS.create({"given": {"scenario": "hunters-manuscripts", "phase": "end"}}, house)
    places = [(m.x, m.y) for m in battle.markers]
    for i in range(3):
        (ax, ay), (bx, by) = places[i], places[i - 1]
        assert abs(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - 200) < 0.01


def test_two_manuscripts_at_two_turn_ends_win() -> None:
    battle = manuscripts()
    missions.end_of_turn(battle)
    assert battle.outcome is None
    with pytest.raises(missions.GameOver):
        missions.end_of_turn(battle)
    assert battle.outcome is not None
    assert (battle.outcome["winner"], battle.outcome["rule"]) == ("red", "nemesis:A3.1-length")
    assert battle.outcome["score"] == {"red": 2, "blue": 0}


def test_a_manuscript_burns_with_its_bearer() -> None:
    battle = manuscripts()
    knight = battle.models["knight"]
    knight.on_table = False
    battle.bodies.remove(knight.body)
    battle.units["knight"].models = ()
    with pytest.raises(missions.GameOver):
        missions.after_removal(battle)
    assert [m.destroyed for m in battle.markers] == [True, True, False]
    assert battle.outcome is not None and battle.outcome["rule"] == "nemesis:X.8-army-gone"


def test_manuscripts_change_hands_among_friends() -> None:
    units = {
        "knight": {"side": "red", "card": "Captain", "at": [60, 60]},
        "squire": {"side": "red", "card": "Squire", "at": [63, 60]},
    }
    battle = given(scenario="hunters-manuscripts", units=units)
    script = missions.after_move(battle, [battle.models["knight"]])
    ask: Any = next(script)
    assert ask.keys == ("pick:scroll2",)
    with pytest.raises(StopIteration):
        script.send(ask.decode("pick:scroll2"))
    script = missions.after_move(battle, [battle.models["squire"]])
    ask = next(script)
    assert ask.keys == ("take:scroll2:knight",)
    with pytest.raises(StopIteration):
        script.send(ask.decode("take:scroll2:knight"))
    assert battle.models["squire"].scrolls == ("scroll2",) and battle.models["knight"].scrolls == ()
    assert NEMESIS.invariants(battle) == []


def test_for_miter_lasts_six_turns() -> None:
    battle = given(turn=5, sides={"red": {"lost_points": 20}, "blue": {"lost_points": 45}})
    missions.end_of_turn(battle)
    battle.turn = 6
    with pytest.raises(missions.GameOver):
        missions.end_of_turn(battle)
    assert battle.outcome == {
        "winner": "red", "why": "outcome.time", "rule": "nemesis:A3.2-length", "score": {"red": 45, "blue": 20},
    }  # fmt: skip


def test_the_commander_s_head() -> None:
    units: dict[str, dict[str, Any]] = {
        "captain": {"side": "red", "card": "Captain", "at": [60, 10]},
        "men": {"side": "red", "card": "Realm Halberdier", "count": 2, "at": [30, 10]},
        "priest": {"side": "blue", "card": "Priest of Faces", "at": [60, 110], "on_table": False},
        "zealots": {"side": "blue", "card": "Zealot", "count": 2, "at": [30, 110]},
    }
    battle = given(scenario="commanders-head", units=units)
    with pytest.raises(missions.GameOver):
        missions.after_removal(battle)
    assert battle.outcome is not None and battle.outcome["winner"] == "red"
    both = copy.deepcopy(units)
    both["captain"]["on_table"] = False
    battle = given(scenario="commanders-head", units=both)
    with pytest.raises(missions.GameOver):
        missions.after_removal(battle)
    assert battle.outcome is not None and battle.outcome["winner"] is None


def test_turn_caps() -> None:
    for scenario, cap in (("hunters-manuscripts", 10), ("commanders-head", 20)):
        for house, last in ((HOUSE, cap), ({**HOUSE, "turn_cap": 3}, 3)):
            battle = NEMESIS.create({"given": {"scenario": scenario, "turn": last - 1}}, house)
            assert isinstance(battle, Battle)
            missions.end_of_turn(battle)
            battle.turn = last
            with pytest.raises(missions.GameOver):
                missions.end_of_turn(battle)
            assert battle.outcome is not None and battle.outcome["why"] == "outcome.time-draw"

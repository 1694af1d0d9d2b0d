"""`given`, `state` and `measure` of Némésis."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from grognard.games.nemesis.army import cards
from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.cases.given_units import MODEL_KEYS, MODEL_STATES, TURNS, UNIT_STATES
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.kernel.data import giving
from grognard.kernel.errors import BadInput
from grognard.kernel.events import canonical
from grognard.kernel.state.records import declared
from grognard.kernel.words.tally import Tally
from tests.nemesis.situations import NEMESIS, given


def test_every_slot_can_be_given() -> None:
    derived = {"id", "seat", "unit", "home", "card", "body", "champion", "on_table", "travelled", "magic", "used"}
    card = cards.library()["Skeleton"]
    model, unit = Model("m", "red", "u", card, 0), Unit("u", "red", "u", ("m",), True)
    side = Side("red", "red", "undead")
    assert {slot for slot, _ in MODEL_STATES.values()} | derived == set(vars(model))
    recorded = {*declared(Model)} - {"creation_dice", "block_dice"}
    assert recorded == {*giving.names(Model), "spells", "cast"}
    linked = {"id", "seat", "models", "hero", "orders", "reaction", *TURNS.values()}
    assert {slot for slot, _ in UNIT_STATES.values()} | linked == set(vars(unit))
    from grognard.games.nemesis.cases.given import MARKER_KEYS, SIDE_KEYS

    assert {*SIDE_KEYS, "id"} == set(vars(side))
    assert {*MARKER_KEYS, "x", "y"} - {"at"} == set(Marker.__struct_fields__)


SCENE: dict[str, Any] = {
    "turn": 3,
    "phase": "combat",
    "order": ["blue", "red"],
    "acting": "red",
    "terrain": [{"id": "grove", "kind": "wood", "at": [20, 20], "size": [10, 10]}],
    "cards": {"Guard": {"M": 10, "HC": 4, "F": 4, "R": 7, "S": 2, "C": 6, "cost": 11}},
    "sides": {"red": {"faction": "realm", "commander": "captain"}, "blue": {"zone": [0, 90, 120, 30]}},
    "units": {
        "captain": {"side": "red", "card": "Captain", "at": [30, 46.5], "wounds": 1, "pc": 2, "weapon": "great sword"},
        "guard": {
            "side": "red", "card": "Guard", "champion": True, "count": 3, "at": [30, 50], "hero": "captain",
            "lost": 2, "shaken": True, "timid": True,
            "orders": [{"action": "charge", "target": "dead", "hero": "captain"}],
        },
        "dead": {
            "side": "blue", "card": "Skeleton (19.2)", "models": [[30, 53], {"at": [33.5, 53], "moved": True, "s": 1}],
            "reaction": {"kind": "hold", "charger": "guard"}, "joined_this_turn": True,
        },
        "mage": {
            "side": "blue", "card": "Necromancer", "at": [90, 90], "dice": {"creation": 2, "block": 1}, "stones": 1,
            "spells": ["N.2-curse"], "cast": ["N.2-curse"],
        },
    },
}  # fmt: skip


def test_given_says_what_state_shows() -> None:
    battle = given(**SCENE)

    def state(thing: str) -> dict[str, Any]:
        return NEMESIS.state(battle, thing)

    assert state("battle")["acting"] == "red" and state("battle")["turn"] == 3
    assert state("battle")["joined"] == [["dead", "guard", 3]]
    guard = state("guard")
    assert guard["models"] == ["guard.1", "guard.2", "guard.3", "captain"] and guard["hero"] == "captain"
    assert guard["start_strength"] == 6 and guard["lost_this_turn"] == 2 and guard["timid"] and guard["shaken"]
    assert guard["actions_ordered"] == ["charge"] and guard["engaged"] and guard["opponents"] == ["dead"]
    assert state("guard.1")["champion"] and state("guard.1")["at"] == [26.5, 50] and state("guard.1")["facing"] == 0
    assert state("guard.2")["contacts"] == ["dead.1"]
    captain = state("captain")
    assert (captain["S"], captain["wounds"], captain["pc"], captain["weapon"]) == (3, 1, 2, "great sword")
    assert captain["unit"] == "guard" and captain["home"] == "captain"
    assert state("dead")["reacts"] == "hold" and state("dead.2")["moved"] and state("dead.2")["S"] == 1
    assert state("dead.1")["facing"] == 180
    assert state("mage")["dice"] == {"creation": 2, "block": 1} and state("mage")["spells"] == ["N.2-curse"]
    assert state("red")["commander_alive"] and state("red")["zone"] == [0, 0, 120, 25]
    assert state("blue")["zone"] == [0, 90, 120, 30] and state("blue")["models"] == 3
    assert state("grove")["class"] == "difficult" and state("grove")["at"] == [20, 20]
    with pytest.raises(BadInput, match="there is no dragon here; there are battle, red, blue, captain"):
        state("dragon")


def test_state_can_be_given_again() -> None:
    """What state shows of a model goes back into given unchanged."""
    units = copy.deepcopy(SCENE["units"])
    first = given(**SCENE)
    for unit_id in ("dead", "mage"):
        rows = []
        for model in first.members(first.units[unit_id]):
            shown = NEMESIS.state(first, model.id)
            rows.append({"id": model.id} | {k: shown[k] for k in MODEL_KEYS if k in shown and k != "spells_on"})
        units[unit_id] = {"side": "blue", "models": rows, "joined_this_turn": unit_id == "dead"}
    second = given(**{**SCENE, "units": units})
    for model_id in ("dead.1", "dead.2", "mage"):
        assert NEMESIS.state(second, model_id)["S"] == NEMESIS.state(first, model_id)["S"]
    assert NEMESIS.view(second, None)["models"] == NEMESIS.view(first, None)["models"]


def test_a_given_battle_copies_and_shows_as_plain_data() -> None:
    battle = given(**SCENE)
    shown = NEMESIS.view(battle, "red")
    assert json.loads(json.dumps(shown)) == shown
    assert canonical(NEMESIS.view(battle.copy(), "red")) == canonical(shown)
    assert shown["names"]["guard.2"] == "guard 2" and shown["names"]["captain"] == "captain"
    for thing in ("battle", "guard", "guard.1", "captain", "red", "grove"):
        json.dumps(NEMESIS.state(battle, thing))


def test_spells_lie_on_whom_they_are_given() -> None:
    units = copy.deepcopy(SCENE["units"])
    units["guard"]["spells_on"] = [{"spell": "N.2-curse", "caster": "mage"}]
    units["mage"]["spells_on"] = ["N.9-healing"]
    battle = given(**{**SCENE, "units": units, "enchantments": [{"spell": "O.11-dark-wood", "target": "grove"}]})
    targets = [(e.spell, e.target, e.seat, e.until) for e in battle.enchantments]
    assert targets[0] == ("N.2-curse", "guard", "blue", 3)
    assert [t[:2] for t in targets[1:]] == [("N.9-healing", "mage"), ("O.11-dark-wood", "grove")]
    assert NEMESIS.state(battle, "guard.1")["spells_on"] == ["N.2-curse"]


UNIT = {"side": "red", "card": "Captain", "at": [10, 10]}


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"weather": 1}, "given: weather means nothing here; known are table, terrain"),
        ({"units": {"a": {**UNIT, "fleing": True}}}, r"fleing means nothing here \(did you mean fleeing\?\)"),
        ({"units": {"a": {"card": "Captain"}}}, "given.units.a: .*side is missing|at is missing"),
        ({"units": {"a": {"side": "red", "card": "Captain"}}}, "given.units.a: at is missing"),
        ({"units": {"a": {**UNIT, "card": "Capitan"}}}, "there is no card Capitan"),
        ({"units": {"a": {**UNIT, "moved": "yes"}}}, "moved is true or false"),
        ({"units": {"a": {**UNIT, "wounds": 9}}}, "wounds lies between 0 and 4"),
        ({"units": {"a": {**UNIT, "weapon": "spoon"}}}, "weapon: Captain has sword, great sword"),
        ({"units": {"a": {**UNIT, "at": [10]}}}, r"at is \[x, y\] in cm"),
        ({"units": {"a": UNIT, "b": {**UNIT, "at": [11, 10]}}}, "a and b overlap"),
        ({"units": {"a": {**UNIT, "at": [0, 0]}}}, "stands over the table's edge"),
        ({"units": {"a": {**UNIT, "orders": [{"action": "dance", "target": "b"}]}}}, "action is one of approach"),
        ({"units": {"a": {**UNIT, "hero": "b"}}}, "a hero of this side given as a unit of his own"),
        ({"units": {"a": {**UNIT, "spells_on": ["X.1"]}}}, "spell is one of"),
        ({"phase": "tea"}, "given.phase is one of preparation"),
        ({"acting": "green"}, "given.acting is one of red, blue"),
        ({"scenario": "chess"}, "given.scenario is one of"),
        ({"sides": {"red": {"commander": "nobody"}}}, "given.sides.red.commander is one of"),
        ({"sides": {"red": {"zone": "east"}}}, "zone is one of south, north"),
        ({"joined": [["a"]]}, r"given.joined\[0\] is \[unit, unit\]"),
        ({"markers": [{"at": [1, 1], "bearer": "x"}]}, r"given.markers\[0\].bearer is one of"),
        ({"terrain": [{"kind": "wood", "points": [[0, 0], [5, 5]]}]}, "at least three"),
        ({"table": {"width": 5}}, "between 10 and 1000 cm"),
    ],
)
def test_bad_given_is_told(bad: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        given(**bad)


def test_phases_can_be_given() -> None:
    for phase in PHASES:
        assert given(phase=phase).phase == phase


def number(battle: Battle, what: str, **arguments: Any) -> Any:
    got = NEMESIS.measure(battle, what, arguments)
    return got.value if isinstance(got, Tally) else got


def test_measures() -> None:
    battle = given(**SCENE)
    assert number(battle, "stat", of="guard.2", name="HC") == 4
    assert number(battle, "stat", of="guard.2", name="C") == 5  # shaken
    assert number(battle, "gap", **{"from": "guard", "to": "mage"}) == 66.2261
    assert number(battle, "base", of="captain") == 3 and number(battle, "size", of="captain") == 2
    assert number(battle, "cost", of="guard") == 83 and number(battle, "cost", of="blue") == 52
    assert number(battle, "control", of="guard.1") == 3 and number(battle, "control", of="guard.2") == 0
    assert number(battle, "ground", at=[20, 20]) == 2 and number(battle, "ground", at=[60, 60]) == 1
    assert number(battle, "initiative", of="red") == 3 and number(battle, "score", of="red") == 0
    assert number(battle, "sees", **{"from": "mage", "to": "captain"}) in (True, False)
    assert number(battle, "move", of="mage") == 10
    assert number(battle, "attack", **{"from": "guard.2", "to": "dead.1"}) == 3  # HC 4, shaken
    assert number(battle, "impact", **{"from": "guard.2", "to": "dead.1"}) == 8
    assert NEMESIS.measure(battle, "base", {"of": "captain"}).rules == ("nemesis:X.3-base-size",)


@pytest.mark.parametrize(
    ("what", "arguments", "told"),
    [
        ("weight", {}, "nemesis cannot measure weight; it measures stat"),
        ("stat", {"of": "captain", "name": "Z"}, "name is one of M, HC"),
        ("stat", {"of": "dragon", "name": "M"}, "of is a model or a unit on the table, not dragon"),
        ("gap", {"between": 1}, "between means nothing here; gap takes from, to"),
        ("ground", {"at": 5}, r"at is \[x, y\] in cm"),
        ("initiative", {"of": "green"}, "of is one of red, blue"),
        ("accuracy", {"from": "guard.1", "to": "dead"}, "has no such ranged weapon"),
    ],
)
def test_bad_measures_are_told(what: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        NEMESIS.measure(given(**SCENE), what, arguments)


def test_invariants_see_what_is_wrong() -> None:
    battle = given(**SCENE)
    assert NEMESIS.invariants(battle) == []
    battle.models["mage"].magic = battle.models["mage"].magic.but(stones=-1)
    battle.models["dead.1"].s = 9
    battle.units["dead"].models = ("dead.1",)
    told = " / ".join(NEMESIS.invariants(battle))
    assert "mage: stones is -1" in told and "dead.1: S is 9 of 2" in told
    assert "dead.2: is on the table in no unit" in told

"""Army lists, preparation, deployment, missions, `given`, `state` and `measure` of Némésis."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest

from grognard.games import RULESETS, find
from grognard.games.nemesis import cards, layout, listbuilding, scenarios
from grognard.games.nemesis.abilities import REGISTRY
from grognard.games.nemesis.battle import PHASES, Battle
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.games.nemesis.given_units import MODEL_KEYS, MODEL_STATES, TURNS, UNIT_STATES
from grognard.games.nemesis.texts import CLASHES
from grognard.kernel.dice import Scripted, Seeded
from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.events import canonical
from grognard.kernel.match import Match
from grognard.kernel.saves import load, save
from grognard.kernel.tally import Tally

NEMESIS = find("nemesis")
HOUSE = NEMESIS.house_rules_from({})


def army(**changes: Any) -> dict[str, Any]:
    """A small legal army of the realm, changed."""
    plain: dict[str, Any] = {
        "faction": "realm",
        "points": 300,
        "commander": "captain",
        "units": [
            {"name": "captain", "card": "Captain"},
            {"name": "halberdiers", "card": "Realm Halberdier", "count": 6, "champion": "Sergeant"},
        ],
    }
    return {**plain, **changes}


def found(changed: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(f.code, f.rule, f.warning) for f in NEMESIS.check_army(changed)]


def given(**more: Any) -> Battle:
    battle = NEMESIS.create({"given": more}, HOUSE)
    assert isinstance(battle, Battle)
    return battle


# ---------------------------------------------------------------------- the games, the rulebook, the cards


def test_the_registry_names_its_games() -> None:
    assert RULESETS["nemesis"] is NEMESIS
    with pytest.raises(BadInput, match="there is no game chess; there are nemesis"):
        find("chess")


def test_the_rulebook_is_whole() -> None:
    rules = NEMESIS.rulebook.rules
    assert len(rules) == len(NEMESIS.rulebook.by_id) == 344
    assert [rule.id for rule in rules if rule.advice] == ["nemesis:3.1"]


def test_no_code_has_two_texts() -> None:
    assert CLASHES == []


def test_every_ability_and_kind_of_model_occurs() -> None:
    library = cards.library()
    texts = [text for card in library.values() for text in card.abilities]
    texts += [text for card in library.values() for weapon in card.melee for text in weapon.abilities]
    texts += [text for card in library.values() for weapon in card.ranged for text in weapon.abilities]
    assert {ability.name for ability in REGISTRY} == {REGISTRY.parse(text).name for text in texts}
    ours = [card for card in library.values() if card.ours]
    assert {card.size for card in ours} == {1, 2, 3, 4, 5, 6}
    assert {card.type for card in ours} == {"troop", "hero", "legend", "mage"}
    for faction in ("undead", "orphans", "cult", "realm"):
        own = [card for card in ours if card.faction == faction]
        assert any(card.fly for card in own) and any(card.ranged for card in own)
        assert any(card.is_legend for card in own) and any(card.type == "mage" for card in own)
        assert any(card.has_keyword("champion") for card in own) and any(len(card.melee) > 1 for card in own)
    keywords = {word for card in ours for word in card.keywords}
    assert {"magic-creature", "golem", "demon", "undead", "skeleton", "rotten", "stitched"} <= keywords


def test_the_book_s_fragments_are_exact() -> None:
    library = cards.library()
    bow, sample = library["Archer"].ranged[0], library["Archer (17.1)"].ranged[0]
    assert (library["Archer"].HT, bow.F, bow.DT, bow.P) == (4, 3, 9, 50)
    assert (sample.F, sample.DT, sample.P) == (4, 4, 30)
    assert (library["Skeleton (17.3)"].R, library["Skeleton (17.3)"].S) == (7, 1)
    second = library["Skeleton (19.2)"]
    assert (second.HC, second.R, second.S) == (2, 7, 2)
    assert (library["Halberdier"].HC, library["Halberdier"].F) == (4, 4)
    assert not any(card.ours for card in library.values() if "unknown" in " ".join(card.equipment))


# ---------------------------------------------------------------------- army lists


@pytest.mark.parametrize("name", list(NEMESIS.armies()))
def test_starter_armies_are_legal(name: str) -> None:
    assert listbuilding.check_army(name) == []
    list_ = cards.load_army(name)
    spent = sum(line.cost for line in cards.recruits(list_))
    assert 0.9 * list_.points <= spent <= list_.points


def test_there_is_a_small_and_a_large_army_of_each_faction() -> None:
    factions = ("cult", "orphans", "realm", "undead")
    assert sorted(NEMESIS.armies()) == [f"{faction}-{points}" for faction in factions for points in (300, 500)]


HALBERDIERS = {"name": "halberdiers", "card": "Realm Halberdier", "count": 6}
CAPTAIN = {"name": "captain", "card": "Captain"}
SQUIRE = {"name": "squire", "card": "Squire"}
MAGICIAN = {"name": "magician", "card": "Magician"}
SAINT = {"name": "saint", "card": "Saint of the Dawn"}
BADGER = {"card": "Old Badger", "name": "badger", "joins": "foundlings"}
FOUNDLINGS = {"name": "foundlings", "card": "Foundling", "count": 5}
HUNTMASTER = {"name": "huntmaster", "card": "Huntmaster"}

VIOLATIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("muster.mission", "nemesis:6-mission", {"scenario": "chess"}),
    ("muster.points", "nemesis:6-points", {"points": 110}),
    ("muster.hero-cap", "nemesis:7-hero-cap", {"points": 99}),
    ("muster.faction", "nemesis:2", {"units": [CAPTAIN, {"card": "Zealot", "count": 3}]}),
    ("muster.hero-regiment", "nemesis:5.2-hero", {"units": [{**CAPTAIN, "count": 2}, HALBERDIERS]}),
    ("muster.regiment-size", "nemesis:6-regiment-size", {"units": [CAPTAIN, {**HALBERDIERS, "count": 1}]}),
    ("muster.regiment-size", "nemesis:6-regiment-size", {"units": [CAPTAIN, {**HALBERDIERS, "count": 11}]}),
    ("muster.same-type", "nemesis:6-same-type",
     {"units": [CAPTAIN, {"name": "mob", "cards": ["Realm Halberdier", "Crown Archer"]}]}),
    ("muster.not-a-champion", "nemesis:6-champion", {"units": [CAPTAIN, {**HALBERDIERS, "champion": "Crown Archer"}]}),
    ("muster.champions", "nemesis:6-champion", {"units": [CAPTAIN, {"card": "Sergeant", "count": 3}]}),
    ("muster.no-hero", "nemesis:7-min-hero", {"units": [HALBERDIERS]}),
    ("muster.no-commander", "nemesis:7-min-hero", {"commander": "halberdiers"}),
    ("muster.legends", "nemesis:7-legend-limit",
     {"points": 900, "units": [CAPTAIN, SAINT, {**SAINT, "name": "twin"}, HALBERDIERS]}),
    ("muster.regiments", "nemesis:7-regiments", {"units": [CAPTAIN, MAGICIAN, HALBERDIERS]}),
    ("muster.right-hand-commands", "nemesis:A1.4-right-hand",
     {"commander": "squire", "units": [CAPTAIN, SQUIRE, HALBERDIERS]}),
    ("muster.right-hands", "nemesis:A1.4-right-hand-limit",
     {"units": [CAPTAIN, SQUIRE, {**SQUIRE, "name": "page"}, HALBERDIERS]}),
    ("muster.cannot-join", "nemesis:6-hero", {"units": [{**CAPTAIN, "joins": "nobody"}, HALBERDIERS]}),
    ("muster.two-heroes", "nemesis:X.13-join-leave",
     {"units": [{**CAPTAIN, "joins": "halberdiers"}, {**SQUIRE, "joins": "halberdiers"}, HALBERDIERS]}),
    ("muster.hermit", "nemesis:A1.17-hermit",
     {"faction": "orphans", "commander": "huntmaster", "units": [HUNTMASTER, BADGER, FOUNDLINGS]}),
    ("muster.stones", "nemesis:14.8-stones", {"units": [CAPTAIN, {**MAGICIAN, "stones": 3}, HALBERDIERS]}),
    ("muster.no-mage", "nemesis:14-who", {"units": [{**CAPTAIN, "spells": ["R.1-care"]}, HALBERDIERS]}),
    ("muster.spell-twice", "nemesis:14.3-choice",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": ["R.1-care", "R.1-care"]}, HALBERDIERS]}),
    ("muster.spells", "nemesis:14.3-choice",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": [f"R.{n}" for n in
        ("1-care", "2-armour", "3-agility", "4-dexterity", "5-avenging-ray", "6-ice-storm")]}, HALBERDIERS]}),
    ("muster.foreign-spell", "nemesis:14.3-fixed",
     {"units": [CAPTAIN, {**MAGICIAN, "spells": ["N.2-curse"]}, HALBERDIERS]}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "rule", "changes"), VIOLATIONS, ids=[v[0] for v in VIOLATIONS])
def test_every_list_rule_has_its_finding(code: str, rule: str, changes: dict[str, Any]) -> None:
    assert found(army()) == []
    assert (code, rule, False) in found(army(**changes))
    assert code in NEMESIS.texts


def test_warnings_do_not_bar_a_list() -> None:
    saint = {**SAINT, "spells": ["R.12-supernatural-strength"]}
    troops = [{**HALBERDIERS, "name": name} for name in ("a", "b", "c")]
    listed = army(points=500, units=[CAPTAIN, saint, *troops])
    assert found(listed) == [("muster.spell-cap", "nemesis:14.3-fixed", True)]
    page = {"M": 10, "HC": 2, "F": 2, "R": 5, "S": 1}
    free = army(cards={"Page": page}, units=[CAPTAIN, {"card": "Page", "count": 2}])
    assert found(free) == [("muster.free-model", "nemesis:5.1-cost", True)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"faction": "elves"}, "faction is one of undead, orphans, cult, realm, not elves"),
        ({"units": [{"card": "Halberdir", "count": 2}]}, r"units\[0\]: there is no card Halberdir"),
        ({"units": [{"name": "x"}]}, r"units\[0\] \(x\): write card and count"),
        ({"units": [CAPTAIN, CAPTAIN]}, "two units are called captain"),
        ({"units": [{**CAPTAIN, "count": 0}]}, "count lies between 1 and 100"),
        ({"units": [{**MAGICIAN, "spells": ["R.99-none"]}, CAPTAIN]}, "there is no spell R.99-none"),
        ({"motto": "on"}, "motto"),
        ({"cards": {"Page": {"M": 10}}}, "Page: .*HC"),
        ({"cards": {"Page": {"M": 1, "HC": 1, "F": 1, "R": 1, "S": 1, "abilities": ["Flying"]}}}, 'ability "Flying"'),
    ],
)
def test_bad_lists_are_told(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        NEMESIS.check_army(army(**changes))


def test_an_illegal_army_does_not_start() -> None:
    setup = {"scenario": "for-miter", "armies": [army(points=100), army()]}
    with pytest.raises(BadInput, match=r"not a legal army: .*\(nemesis:6-points\)"):
        NEMESIS.create(setup, HOUSE)


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
    match = deployed(seed, (names[seed], names[-1 - seed]), list(scenarios.SCENARIOS)[seed % 3])
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
    places = [(m.x, m.y) for m in battle.markers]  # type: ignore[attr-defined]
    for i in range(3):
        (ax, ay), (bx, by) = places[i], places[i - 1]
        assert abs(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - 200) < 0.01


def test_two_manuscripts_at_two_turn_ends_win() -> None:
    battle = manuscripts()
    scenarios.end_of_turn(battle)
    assert battle.outcome is None
    with pytest.raises(scenarios.GameOver):
        scenarios.end_of_turn(battle)
    assert battle.outcome is not None
    assert (battle.outcome["winner"], battle.outcome["rule"]) == ("red", "nemesis:A3.1-length")
    assert battle.outcome["score"] == {"red": 2, "blue": 0}


def test_a_manuscript_burns_with_its_bearer() -> None:
    battle = manuscripts()
    knight = battle.models["knight"]
    knight.on_table = False
    battle.bodies.remove(knight.body)
    battle.units["knight"].models = ()
    with pytest.raises(scenarios.GameOver):
        scenarios.after_removal(battle)
    assert [m.destroyed for m in battle.markers] == [True, True, False]
    assert battle.outcome is not None and battle.outcome["rule"] == "nemesis:X.8-army-gone"


def test_manuscripts_change_hands_among_friends() -> None:
    units = {
        "knight": {"side": "red", "card": "Captain", "at": [60, 60]},
        "squire": {"side": "red", "card": "Squire", "at": [63, 60]},
    }
    battle = given(scenario="hunters-manuscripts", units=units)
    script = scenarios.after_move(battle, [battle.models["knight"]])
    ask: Any = next(script)
    assert ask.keys == ("pick:scroll2",)
    with pytest.raises(StopIteration):
        script.send(ask.decode("pick:scroll2"))
    script = scenarios.after_move(battle, [battle.models["squire"]])
    ask = next(script)
    assert ask.keys == ("take:scroll2:knight",)
    with pytest.raises(StopIteration):
        script.send(ask.decode("take:scroll2:knight"))
    assert battle.models["squire"].scrolls == ("scroll2",) and battle.models["knight"].scrolls == ()
    assert NEMESIS.invariants(battle) == []


def test_for_miter_lasts_six_turns() -> None:
    battle = given(turn=5, sides={"red": {"lost_points": 20}, "blue": {"lost_points": 45}})
    scenarios.end_of_turn(battle)
    battle.turn = 6
    with pytest.raises(scenarios.GameOver):
        scenarios.end_of_turn(battle)
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
    with pytest.raises(scenarios.GameOver):
        scenarios.after_removal(battle)
    assert battle.outcome is not None and battle.outcome["winner"] == "red"
    both = copy.deepcopy(units)
    both["captain"]["on_table"] = False
    battle = given(scenario="commanders-head", units=both)
    with pytest.raises(scenarios.GameOver):
        scenarios.after_removal(battle)
    assert battle.outcome is not None and battle.outcome["winner"] is None


def test_turn_caps() -> None:
    for scenario, cap in (("hunters-manuscripts", 10), ("commanders-head", 20)):
        for house, last in ((HOUSE, cap), ({**HOUSE, "turn_cap": 3}, 3)):
            battle = NEMESIS.create({"given": {"scenario": scenario, "turn": last - 1}}, house)
            assert isinstance(battle, Battle)
            scenarios.end_of_turn(battle)
            battle.turn = last
            with pytest.raises(scenarios.GameOver):
                scenarios.end_of_turn(battle)
            assert battle.outcome is not None and battle.outcome["why"] == "outcome.time-draw"


# ---------------------------------------------------------------------- given, state, measure, view


def test_every_slot_can_be_given() -> None:
    derived = {"id", "seat", "unit", "home", "card", "body", "champion", "on_table", "creation_dice", "block_dice"}
    derived |= {"travelled"}
    card = cards.library()["Skeleton"]
    model, unit = Model("m", "red", "u", card, 0), Unit("u", "red", "u", ("m",), True)
    side = Side("red", "red", "undead")
    assert {slot for slot, _ in MODEL_STATES.values()} | derived == set(vars(model))
    linked = {"id", "seat", "models", "hero", "orders", "reaction", *TURNS.values()}
    assert {slot for slot, _ in UNIT_STATES.values()} | linked == set(vars(unit))
    from grognard.games.nemesis.given import MARKER_KEYS, SIDE_KEYS

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
    battle.models["mage"].stones = -1
    battle.models["dead.1"].s = 9
    battle.units["dead"].models = ("dead.1",)
    told = " / ".join(NEMESIS.invariants(battle))
    assert "mage: stones is -1" in told and "dead.1: S is 9 of 2" in told
    assert "dead.2: is on the table in no unit" in told

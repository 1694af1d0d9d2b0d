"""Plain values people write, terrain, tables, seats, cards and house rules: what is wrong is told with its place."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from grognard.kernel.data import laying, measures, setups, sheets
from grognard.kernel.data import reading as read
from grognard.kernel.data.layout import Kind, Layout
from grognard.kernel.data.reading import CM, INCHES
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.terrain import Piece, Table
from grognard.kernel.ruleset import Finding, HouseRule, house_rules
from grognard.kernel.words.texts import gather

# ---------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("reader", "good", "bad", "told"),
    [
        (read.listing, [1], "x", "is a list"),
        (read.flag, True, 1, "is true or false"),
        (read.maybe, None, "no", "is true or false"),
        (read.whole, 3, 2.5, "is a whole number"),
        (read.whole, 0, -1, "is a whole number"),
        (read.count, True, "x", "is a whole number"),
        (read.number, 2.5, True, "is a number"),
        (read.number, 1, float("nan"), "is a number"),
        (read.text, "a", "", "is a name"),
        (read.name_or_none, None, 3, "is a name"),
        (read.name_or_nobody, "", [], "is a name"),
        (read.words, "one", [1], "is a name"),
        (CM.point, [1, 2], [1], r"is \[x, y\] in cm"),
        (INCHES.box, [1, 2, 3, 4], [1, 2], r"is \[x, y, width, height\] in inches"),
        (INCHES.length, 2, "2", "is a number"),
    ],
)
def test_readers_take_the_good_and_tell_the_bad(reader: Any, good: Any, bad: Any, told: str) -> None:
    reader(good, "here")
    with pytest.raises(BadInput, match=f"^here {told}"):
        reader(bad, "here")


def test_scales() -> None:
    assert CM.point([1, 2.5], "x") == (10.0, 25.0)
    assert INCHES.box([0, 1, 2, 3], "x") == pytest.approx((0.0, 25.4, 50.8, 76.2))
    assert INCHES.shown(25.4, 12.7) == [1.0, 0.5]


def test_unknown_keys_are_told_with_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"given: sids means nothing here \(did you mean sides\?\); known are sides"):
        read.mapping({"sids": 1}, "given", ("sides", "units"))
    with pytest.raises(BadInput, match="is a mapping"):
        read.mapping([], "given", ())
    assert read.mapping({"any": 1}, "given") == {"any": 1}
    with pytest.raises(BadInput, match="is a name"):
        read.mapping({1: 1}, "given")


def test_bounds_choices_fields_and_slugs() -> None:
    assert read.between(3, "n", 1, 5) == 3
    with pytest.raises(BadInput, match=r"n lies between 1 and 5, not 6 \(toy:1\)"):
        read.between(6, "n", 1, 5, "toy:1")
    with pytest.raises(BadInput, match="is one of a, b, not 'c'"):
        read.one_of("c", "x", ("a", "b"))
    thing = SimpleNamespace(hidden=False, name="x")
    read.fields(thing, {"hidden": True}, "unit", {"hidden": read.flag, "name": read.text})
    assert thing.hidden is True and thing.name == "x"
    assert read.slug("  The Grand-Marshal's Guard! ") == "the-grand-marshal-s-guard"


# ---------------------------------------------------------------------- terrain


def lay(entries: Any, *, corner: bool = False) -> tuple[Piece, ...]:
    def make(entry: dict[str, Any], points: Any, piece_id: str, where: str) -> Piece:
        return Piece(piece_id, entry["kind"], points)

    keys = ("id", "kind", "at", "size", "angle", "points")
    return laying.read_pieces(
        entries, Table(100.0, 100.0), "terrain", make, keys=keys, kinds=("wood", "wall"), scale=CM, rule="toy:1",
        kind_rule="toy:2", corner=corner,
    )  # fmt: skip


def test_pieces_by_centre_corner_and_points() -> None:
    box = {"kind": "wood", "at": [5, 5], "size": [2, 4]}
    assert lay([box])[0].polygon.bounds == (40, 30, 60, 70)
    assert lay([box], corner=True)[0].polygon.bounds == (50, 50, 70, 90)
    assert lay([{**box, "angle": 90}])[0].polygon.bounds == pytest.approx((30, 40, 70, 60))
    assert lay([{"kind": "wall", "points": [[0, 0], [1, 0], [1, 1]]}])[0].points == ((0, 0), (10, 0), (10, 10))
    assert [piece.id for piece in lay([box, {**box, "id": "copse"}])] == ["wood-1", "copse"]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("woods", "terrain is a list of pieces"),
        (["wood"], r"terrain\[0\]: a piece is written"),
        ([{"kind": "sea"}], r"terrain\[0\]: kind is one of wood, wall, not sea \(toy:2\)"),
        ([{"kind": "wood", "colour": 1}], "colour means nothing here; a piece has id"),
        ([{"kind": "wood", "at": [5, 5]}], "needs at .* and size, or points, in cm"),
        ([{"kind": "wood", "at": [5, 5], "size": [0, 1]}], "both sides are more than 0 cm"),
        ([{"kind": "wood", "at": [0, 0], "size": [4, 4]}], r"the wood does not lie on the table \(toy:1\)"),
        ([{"kind": "wood", "points": [[0, 0], [1, 1]]}], "at least three"),
        ([{"kind": "wood", "points": [[0, 0], [5, 5], [5, 0], [0, 5]]}], "not a simple outline"),
        ([{"kind": "wood", "id": "a", "at": [3, 3], "size": [1, 1]}] * 2, r"terrain\[1\]: two pieces are called a"),
    ],
)
def test_wrong_terrain_is_told(entries: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        lay(entries)


def test_layouts_are_the_same_for_a_seed_and_mirror_each_other() -> None:
    layout = Layout("toy", (Kind("wood", (4, 8), (4, 8), round=True), Kind("wall", (6, 8), (1, 1))), apart=3.0)
    laid = layout.lay(7, 60, 44)
    assert laid == layout.lay(7, 60, 44) != layout.lay(8, 60, 44)
    assert len({piece["id"] for piece in laid}) == len(laid) >= 3
    middles = [[sum(c) / len(piece["points"]) for c in zip(*piece["points"], strict=True)] for piece in laid]
    mirrored = [[60 - x, 44 - y] for x, y in middles]
    paired = [m for m in middles[1:] if any(m == pytest.approx(other, abs=0.2) for other in mirrored)]
    assert len(paired) >= 4
    assert lay_cm(laid)


def lay_cm(laid: list[dict[str, Any]]) -> bool:
    shapes = [Piece("x", "x", tuple(map(tuple, piece["points"]))).polygon for piece in laid]
    return all(a.distance(b) >= 3.0 for i, a in enumerate(shapes) for b in shapes[:i])


# ---------------------------------------------------------------------- setups


def test_seats() -> None:
    assert setups.read_seats(None, 3) == ("red", "blue", "green")
    assert setups.read_seats(["a", "b"], 2) == ("a", "b")
    assert len(set(setups.read_seats((), 12))) == 12
    for wrong, told in (["a", "a"], "different words"), (["a b", "c"], "different words"), (["a"], "1 seats for 2"):
        with pytest.raises(BadInput, match=told):
            setups.read_seats(wrong, 2)


def test_armies_scenarios_keys_and_seeds() -> None:
    assert setups.read_armies({"armies": ("a", "b")}, "toy:1") == ["a", "b"]
    for few, told in (({}, "at least two"), ({"armies": ["a"]}, "at least two")):
        with pytest.raises(BadInput, match=told):
            setups.read_armies(few, "toy:1")
    with pytest.raises(BadInput, match="a list of two army lists"):
        setups.read_armies({"armies": ["a", "b", "c"]}, "toy:1", 2, 2)
    assert setups.check_scenario("duel", ("duel",), "toy:1") == "duel"
    with pytest.raises(BadInput, match=r"no scenario war; there are duel \(toy:1\)"):
        setups.check_scenario("war", ("duel",), "toy:1")
    with pytest.raises(BadInput, match="weather means nothing here"):
        setups.check_keys({"weather": 1})
    assert setups.terrain_seed({}) == 0 and setups.terrain_seed({"seed": 4}) == 4
    assert setups.terrain_seed({"terrain": {"seed": 5}}) == 5 and setups.terrain_seed({"terrain": []}) is None
    loaded: list[Any] = []
    assert setups.field_starters(["mine"], ["mine", "x", "y"], loaded.append) == ["mine", "x"]
    assert loaded == ["mine"]


def test_illegal_armies_are_told_in_one_sentence() -> None:
    texts = {"too-many": "{count} are too many"}
    setups.check_legal([Finding("too-many", "toy:1", {"count": 3}, warning=True)], texts, "x")
    with pytest.raises(BadInput, match=r"x is not a legal army: 3 are too many \(toy:1\)"):
        setups.check_legal([Finding("too-many", "toy:1", {"count": 3})], texts, "x")


def test_given_tables() -> None:
    table = setups.given_table({"table": {"width": 20}}, (60, 44), (6, 200), INCHES, "toy:1")
    assert (table.width, table.height) == pytest.approx((508.0, 44 * 25.4))
    with pytest.raises(BadInput, match="lie between 6 and 200 inches"):
        setups.given_table({"table": {"height": 1}}, (60, 44), (6, 200), INCHES, "toy:1")


# ---------------------------------------------------------------------- house rules


def test_house_rules_are_checked() -> None:
    known = house_rules(
        HouseRule("mode", "a", ("a", "b"), "toy:1", "which"), HouseRule("width", 60, (), "toy:2", "how wide", 10, 90),
        HouseRule("turns", 6, (), "toy:3", "how long", 1, 9, whole=True), HouseRule("free", 1, (), "toy:4", "any"),
    )  # fmt: skip
    known["mode"].check("b")
    known["width"].check(10.5)
    known["free"].check("anything")
    for name, wrong, told in (
        ("mode", "c", "is one of a, b, not c"), ("width", 5, r"lies between 10 and 90, not 5 \(toy:2\)"),
        ("width", "x", "is a number"), ("turns", 2.5, "is a number"), ("turns", True, "is a number"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=told):
            known[name].check(wrong)


# ---------------------------------------------------------------------- cards


class Sheet(msgspec.Struct, forbid_unknown_fields=True):
    M: int


def test_sheets(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text("cards: {Guard: {M: 4}}\n", encoding="utf-8")
    (tmp_path / "army.yaml").write_text("name: x\nunits: [{card: Guard}]\n", encoding="utf-8")
    assert list(sheets.starters(tmp_path)) == ["army"]
    assert list(sheets.sheets(tmp_path, lambda data: "cards" in data)) == ["cards"]
    known = sheets.starters(tmp_path)
    assert sheets.starter("army", known)["name"] == "x"
    with pytest.raises(BadInput, match="there is no starter army elves; there are army"):
        sheets.starter("elves", known)
    assert sheets.named("Guard", {"Guard": 1}, "x", "card", "toy:1") == 1
    with pytest.raises(BadInput, match=r"x: there is no card guard; there are Old Guard \(toy:1\)"):
        sheets.named("guard", {"Old Guard": 1, "Horse": 2}, "x", "card", "toy:1")
    assert sheets.convert({"M": 4}, Sheet, "x").M == 4
    with pytest.raises(BadInput, match="x: N means nothing here; known are M"):
        sheets.convert({"N": 4}, Sheet, "x")
    sheets.check_different(["a", "b"], "army")
    with pytest.raises(BadInput, match="army: two units are called a"):
        sheets.check_different(["a", "b", "a"], "army")


def test_broken_files_are_told_with_their_line(tmp_path: Path) -> None:
    broken, two = tmp_path / "broken.yaml", tmp_path / "two.yaml"
    broken.write_text("a: 1\nb: [1, 2\n", encoding="utf-8")
    two.write_text("a: 1\n---\nb: 2\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"broken.yaml:\d: this is not valid YAML"):
        sheets.read_yaml(broken)
    with pytest.raises(BadInput, match="holds 2 documents"):
        sheets.read_yaml(two)
    with pytest.raises(BadInput, match="cannot be read"):
        sheets.read_yaml(tmp_path / "none.yaml")


# ---------------------------------------------------------------------- measures


def test_measures_by_name() -> None:
    unit = SimpleNamespace(models=("a.1", "a.2"))
    models = {key: SimpleNamespace(id=key, unit="a") for key in unit.models}
    battle = SimpleNamespace(
        models=models, units={"a": unit, "gone": SimpleNamespace(models=())}, seats=("red",),
        members=lambda u: [models[key] for key in u.models],
    )  # fmt: skip
    known = {
        "double": measures.of(lambda battle, number, times=2: number * times),
        "raw": (lambda b, a: a["x"], ("x",)),
    }
    assert measures.measure("toy", known, battle, "double", {"number": 4}) == 8
    assert measures.measure("toy", known, battle, "raw", {"x": 3}) == 3
    for what, given, told in (
        ("luck", {}, "toy cannot measure luck; it measures double, raw"),
        ("double", {"colour": 1}, "double: colour means nothing here; double takes number, times"),
        ("double", {}, "number is missing"),
    ):
        with pytest.raises(BadInput, match=told):
            measures.measure("toy", known, battle, what, given)
    assert measures.model_meant(battle, "a", "of") is models["a.1"]
    assert measures.unit_meant(battle, "a.2", "of") is unit
    assert len(measures.models_meant(battle, "a", "of")) == 2 and measures.seat_meant(battle, "red", "of") == "red"
    for meant, name in ((measures.model_meant, "gone"), (measures.unit_meant, "x"), (measures.seat_meant, "x")):
        with pytest.raises(BadInput, match=r"^of is"):
            meant(battle, name, "of")


def test_texts_are_gathered_and_clashes_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gathered_texts"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "one.py").write_text('TEXTS = {"a": "A", "b": "B"}')
    (folder / "two.py").write_text('TEXTS = {"a": "A", "b": "other"}')
    monkeypatch.syspath_prepend(str(tmp_path))
    assert gather("gathered_texts", [str(folder)]) == ({"a": "A", "b": "B"}, ["two: b"])

"""Every kind of question: what it takes, what it refuses, what it proposes."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.errors import Refusal, Refused, ScriptError
from grognard.kernel.events import canonical
from grognard.kernel.questions import (
    OPEN,
    Later,
    Note,
    Number,
    Option,
    Order,
    Pick,
    Place,
    Question,
    Roll,
    Split,
    Together,
    option,
)
from grognard.kernel.words.tally import Tally
from tests.kernel.toy import TOY, March, ToyBattle

RULE = "toy:1"


def options(count: int) -> list[Option]:
    return [option(f"o{i}", i + 1) for i in range(count)]


@st.composite
def picks(draw: st.DrawFn) -> Pick:
    count = draw(st.integers(0, 5))
    most = draw(st.integers(0, 6))
    least = draw(st.integers(0, min(count, most)))
    return Pick("red", "pick", options(count), least=least, most=most, rule=RULE)


@st.composite
def splits(draw: st.DrawFn) -> Split:
    count = draw(st.integers(1, 4))
    limits = {}
    for o in options(count):
        low = draw(st.integers(0, 2))
        limits[o.key] = (low, low + draw(st.integers(0, 3)))
    least, most = (sum(pair[i] for pair in limits.values()) for i in (0, 1))
    total = draw(st.integers(least, most))
    return Split("red", "split", options(count), total, limits=limits, exact=draw(st.booleans()), rule=RULE)


@st.composite
def numbers(draw: st.DrawFn) -> Number:
    step = draw(st.sampled_from([1, 2, 5, 0.1, 0.5, 0.25, 1 / 3]))
    low = draw(st.one_of(st.integers(-20, 20), st.floats(-20, 20)))
    return Number("red", "number", low, low + draw(st.floats(0, 20)), step=step, rule=RULE)


def orders() -> st.SearchStrategy[Order]:
    return st.integers(0, 4).map(lambda count: Order("red", "order", options(count), rule=RULE))


@st.composite
def places(draw: st.DrawFn) -> Place:
    battle = TOY.create(TOY.default_setup("duel"), TOY.house_rules_from({}))
    assert isinstance(battle, ToyBattle)
    captain = battle.captains["red"]
    captain.x, captain.y = draw(st.floats(0, 300)), draw(st.floats(0, 100))
    judge = March(battle, captain)
    return Place("red", "place", ("red",), judge, optional=draw(st.booleans()), rule=RULE)


def rolls() -> st.SearchStrategy[Roll]:
    return st.builds(
        lambda sides, count: Roll("red", "roll", sides, count, rule=RULE), st.integers(1, 100), st.integers(0, 5)
    )


DECISIONS = st.one_of(picks(), splits(), numbers(), orders(), places())
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["o0", "o1", "propose"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["o0", "o1", "path", "propose"]), inner)
    ),
    max_leaves=8,
)


# ---------------------------------------------------------------------- what holds for all


@given(st.one_of(DECISIONS, rolls()), st.integers(0, 2**32))
def test_samples_are_legal(question: Question | Roll, seed: int) -> None:
    assert question.refusal(question.sample(Random(seed))) is None


@given(DECISIONS, st.integers(1, 64))
def test_candidates_are_legal_and_differ(question: Question, limit: int) -> None:
    answers = question.candidates(limit)
    assert answers
    for place, answer in enumerate(answers):
        assert question.refusal(answer) is None
        assert answer not in answers[:place]


@given(DECISIONS, st.integers(0, 2**32))
def test_what_is_recorded_means_the_same(question: Question, seed: int) -> None:
    answer = question.sample(Random(seed))
    recorded = question.encode(answer)
    assert question.decode(recorded) == question.decode(answer)
    assert question.encode(recorded) == recorded


@given(DECISIONS, st.integers(0, 2**32))
def test_a_forced_answer_is_the_only_one(question: Question, seed: int) -> None:
    forced = question.forced()
    if forced is not OPEN:
        assert question.refusal(forced) is None
        assert question.encode(question.sample(Random(seed))) == question.encode(forced)


@given(st.one_of(DECISIONS, rolls()), JSON)
def test_junk_is_taken_or_refused_and_nothing_else(question: Question | Roll, junk: Any) -> None:
    refusal = question.refusal(junk)
    if refusal is not None:
        assert refusal.rule and TOY.say(refusal.code, refusal.data) != refusal.code
        assert canonical(refusal)
        with pytest.raises(Refused):
            question.decode(junk)


@given(st.one_of(DECISIONS, rolls()))
def test_the_wire_form_is_plain_data(question: Question | Roll) -> None:
    wire = question.wire()
    assert canonical(wire)
    assert (wire["seat"], wire["name"], wire["rule"], wire["kind"]) == ("red", question.name, RULE, question.kind)


def test_values_too_large_to_print_are_refused_in_words() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    for question in (Number("red", "n", 0, 5, rule=RULE), Pick("red", "p", options(2), rule=RULE)):
        for junk in (10**5000, deep, "x" * 10_000):
            refusal = question.refusal(junk)
            assert refusal is not None
            assert len(TOY.say(refusal.code, refusal.data)) < 300


# ---------------------------------------------------------------------- one by one


def count_legal(question: Question, wires: list[Any]) -> int:
    return sum(question.refusal(wire) is None for wire in wires)


@given(picks())
def test_pick_is_forced_exactly_when_one_answer_exists(pick: Pick) -> None:
    keys = pick.keys
    if pick.most == 1:
        wires: list[Any] = [None, *keys]
    else:
        wires = [
            [k for k, taken in zip(keys, bits, strict=True) if taken] for bits in product((0, 1), repeat=len(keys))
        ]
    assert (count_legal(pick, wires) == 1) == (pick.forced() is not OPEN)


@given(splits())
def test_split_is_forced_exactly_when_one_answer_exists(split: Split) -> None:
    shares = [range(low, high + 1) for low, high in split.limits.values()]
    wires = [dict(zip(split.limits, chosen, strict=True)) for chosen in product(*shares)]
    assert (count_legal(split, wires) == 1) == (split.forced() is not OPEN)


@given(orders())
def test_order_takes_every_order(order: Order) -> None:
    wires = [list(keys) for keys in permutations(o.key for o in order.options)]
    assert count_legal(order, wires) == len(wires)
    assert (len(wires) == 1) == (order.forced() is not OPEN)


def test_pick_one() -> None:
    pick = Pick("red", "p", options(3), rule=RULE)
    assert pick.decode("o1") == 2
    assert pick.decode(["o1"]) == 2
    assert pick.encode(["o1"]) == "o1"
    assert refused(pick, None) == "refuse.must-choose"
    assert refused(pick, []) == "refuse.must-choose"
    assert refused(pick, "o9") == "refuse.no-such-option"
    assert refused(pick, ["o1", "o2"]) == "refuse.no-such-option"


def test_pick_optional() -> None:
    pick = Pick("red", "p", options(1), optional=True, rule=RULE)
    assert pick.decode(None) is None
    assert pick.encode([]) is None
    assert pick.forced() is OPEN
    assert None in pick.candidates()


def test_pick_several() -> None:
    pick = Pick("red", "p", options(4), least=1, most=2, rule=RULE)
    assert pick.decode(["o0", "o3"]) == (1, 4)
    assert refused(pick, "o0") == "refuse.not-a-list"
    assert refused(pick, ["o0", "o0"]) == "refuse.not-a-list"
    assert refused(pick, None) == "refuse.wrong-count"
    assert refused(pick, ["o0", "o1", "o2"]) == "refuse.wrong-count"
    assert refused(pick, ["o0", 3]) == "refuse.no-such-option"


def test_a_refusal_may_be_put_down_to_several_rules() -> None:
    refusal = Refusal("refuse.self", "toy:5", {}, ("toy:6",))
    assert refusal.rules == ("toy:5", "toy:6")
    assert refusal.wire() == {"code": "refuse.self", "rule": "toy:5", "data": {}}


def test_pick_says_why_something_is_barred() -> None:
    barred = {"o9": Refusal("refuse.self", "toy:5")}
    pick = Pick("red", "p", options(2), barred=barred, rule=RULE)
    assert pick.refusal("o9") == barred["o9"]
    assert pick.wire()["barred"] == {"o9": {"code": "refuse.self", "rule": "toy:5", "data": {}}}


def test_pick_that_cannot_be_answered_is_a_script_error() -> None:
    with pytest.raises(ScriptError):
        Pick("red", "p", [], rule=RULE)
    with pytest.raises(ScriptError):
        Pick("red", "p", options(3), least=2, most=1, rule=RULE)


def test_split() -> None:
    split = Split("red", "s", options(2), 4, limits={"o0": (1, 3)}, rule=RULE)
    assert split.decode({"o0": 3, "o1": 1}) == {"o0": 3, "o1": 1}
    assert refused(split, {"o1": 4}) == "refuse.share-out-of-range"
    assert refused(split, {"o0": True, "o1": 3}) == "refuse.share-out-of-range"
    assert refused(split, {"o0": 1, "o1": 1}) == "refuse.wrong-sum"
    assert refused(split, {"o0": 1, "x": 3}) == "refuse.no-such-option"
    assert refused(split, [1, 3]) == "refuse.not-a-split"
    loose = Split("red", "s", options(2), 4, exact=False, rule=RULE)
    assert loose.decode({}) == {"o0": 0, "o1": 0}
    assert loose.encode({}) == {"o0": 0, "o1": 0}
    assert {"o0": 0, "o1": 0} in loose.candidates()
    filled = Split("red", "s", options(2), 4, limits={"o0": (0, 3)}, exact=False, filled=True, rule=RULE)
    assert filled.decode({}) == {"o0": 3, "o1": 1}
    assert filled.decode({"o1": 2}) == {"o0": 2, "o1": 2}
    assert filled.wire()["filled"] is True


def test_split_that_cannot_be_answered_is_a_script_error() -> None:
    with pytest.raises(ScriptError):
        Split("red", "s", [], 1, rule=RULE)
    with pytest.raises(ScriptError):
        Split("red", "s", options(2), 5, limits={"o0": (0, 1), "o1": (0, 1)}, rule=RULE)
    with pytest.raises(ScriptError):
        Split("red", "s", options(2), 5, limits={"o0": (2, 1)}, rule=RULE)


def test_order() -> None:
    order = Order("red", "o", options(3), rule=RULE)
    assert order.decode(["o2", "o0", "o1"]) == (3, 1, 2)
    for wrong in (["o0", "o1"], ["o0", "o1", "o1"], "o0", None, [0, 1, 2]):
        assert refused(order, wrong) == "refuse.not-an-order"
    numbered = Order("red", "o", [option("1"), option("2")], rule=RULE)
    assert numbered.decode([2, 1]) == ("2", "1")
    assert numbered.encode([2, 1]) == ["2", "1"]


def test_number() -> None:
    number = Number("red", "n", 2, 12, rule=RULE)
    assert type(number.decode(7.0)) is int
    for wrong in (1, 13, 2.5, float("nan"), float("inf"), 10**400):
        assert refused(number, wrong) == "refuse.number-out-of-range"
    for junk in (None, True, "7", [7]):
        assert refused(number, junk) == "refuse.not-a-number"
    assert number.candidates(4)[0] == 2 and number.candidates(4)[-1] == 12
    assert Number("red", "n", 3, 3, rule=RULE).forced() == 3
    with pytest.raises(ScriptError):
        Number("red", "n", 3, 2, rule=RULE)


def test_number_in_tenths_reaches_its_end() -> None:
    number = Number("red", "n", 0, 0.3, step=0.1, rule=RULE)
    assert number.candidates() == pytest.approx([0, 0.1, 0.2, 0.3])
    assert number.decode(0.3) == 0.3 and number.decode(0.30000000000000004) == 0.3


def place_question(**more: Any) -> Place:
    battle = TOY.create(TOY.default_setup("duel"), TOY.house_rules_from({}))
    assert isinstance(battle, ToyBattle)
    return Place("red", "p", ("red",), March(battle, battle.captains["red"]), rule=RULE, **more)


def test_place() -> None:
    place = place_question()
    assert place.decode({"path": [[60, 50], [70.00049, 50]]}) == (70.0, 50.0)
    assert place.encode({"path": [[60, 50]]}) == {"path": [[60.0, 50.0]]}
    assert place.decode({"propose": "advance"}) == (80.0, 50.0)
    assert place.encode({"propose": "advance"}) == {"path": [[80.0, 50.0]]}
    assert refused(place, {"propose": "fly"}) == "refuse.no-such-proposal"
    assert refused(place, {"propose": []}) == "refuse.no-such-proposal"
    assert refused(place, {"path": [[200, 50]]}) == "refuse.too-far"
    assert refused(place, {"path": [[50, -1]]}) == "refuse.off-table"
    assert refused(place, None) == "refuse.must-place"
    assert place_question(optional=True).decode(None) is None
    assert len(place.candidates(2)) == 2


class NoWay:
    """A judge that knows no placement."""

    def decode(self, wire: Any) -> Any:
        raise Refused(Refusal("refuse.too-far", "toy:4.1"))

    def encode(self, wire: Any) -> Any:
        return wire

    def proposals(self) -> tuple[str, ...]:
        return ("nowhere",)

    def propose(self, name: str) -> None:
        return None


def test_place_without_a_way() -> None:
    with pytest.raises(ScriptError):
        Place("red", "p", (), NoWay(), rule=RULE).sample(Random(0))
    optional = Place("red", "p", (), NoWay(), optional=True, rule=RULE)
    assert optional.sample(Random(0)) is None
    assert optional.candidates() == [None]


def test_roll() -> None:
    roll = Roll("red", "r", 6, 2, rule="toy:5.3")
    assert roll.decode([1, 6]) == (1, 6)
    assert Roll("red", "r", 6, rule=RULE).decode(4) == (4,)
    for wrong in (None, 3, [1], [1, 7], [0, 1], [1, True], [1.0, 2], "12"):
        assert refused(roll, wrong) == "refuse.bad-faces"


def test_roll_explains_itself() -> None:
    plus = Tally(1, "aim", "toy:5.1")
    need = Tally(7, "strike", "toy:5.3").add(1, "wall", "toy:4.3")
    roll = Roll("red", "r", 6, 2, rule="toy:5", plus=plus, need=need, sense="high")
    assert roll.rules == ("toy:5", "toy:5.1", "toy:5.3", "toy:4.3")
    record = roll.record((3, 4))
    assert (record["total"], record["need"], record["faces"]) == (8, 8, [3, 4])
    assert [change["what"] for change in record["need_why"]] == ["strike", "wall"]
    assert Roll("red", "r", 6, rule=RULE, need=4).record((2,))["need"] == 4


def test_together_makes_secrets_and_asks_each_seat_once() -> None:
    asked = Together([Pick(seat, "p", options(2), rule=RULE) for seat in ("red", "blue")])
    assert all(question.secret for question in asked.questions)
    with pytest.raises(ScriptError):
        Together([Pick("red", "p", options(2), rule=RULE) for _ in range(2)])


def test_reprs_are_short() -> None:
    assert repr(Pick("red", "p", options(2), rule=RULE)) == "Pick(red: p)"
    assert repr(Roll("red", "r", 6, 2, rule=RULE)) == "Roll(red: r 2D6)"
    assert repr(OPEN) == "OPEN" and not OPEN


def refused(question: Question | Roll, wire: Any) -> str:
    refusal = question.refusal(wire)
    assert refusal is not None, f"{wire} was taken"
    return refusal.code


def test_notes_are_worked_out_when_somebody_reads_them() -> None:
    """Once, and without touching a rule."""
    battle = TOY.create(TOY.default_setup(None), TOY.house_rules_from({}))
    asked = []

    def notes() -> tuple[Note, ...]:
        asked.append(1)
        battle.cite("toy:1")
        return Note("note.one", {"n": 1}), Note("note.two")

    before = dict(battle.cited)
    later = Later(battle, notes)
    options = [option("a", notes=later), option("b")]
    question = Pick("red", "which", options, rule="toy:1", notes=later)
    assert not asked
    assert [note.text for note in question.notes] == ["note.one", "note.two"] and later[0].data == {"n": 1}
    assert len(options[0].notes) == 2 and asked == [1] and battle.cited == before

"""Steps weighed apart, and battles followed along every course of the dice."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest

from grognard.kernel.errors import BadInput, ScriptError
from grognard.kernel.geometry.base import round_base
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.odds.apart import once, pairs, pool, until
from grognard.kernel.odds.courses import Courses, difference
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.state import field


def dice(count: int, cut: int) -> Script[tuple[int, int]]:
    """How many reach a number, and how many are ones."""
    faces = yield Roll("red", "dice", 6, count, rule="toy:5.3", cuts=(2, cut))
    again = yield Roll("red", "more", 6, count, rule="toy:5.3", cuts=(2, cut))
    every = (*faces, *again)
    return sum(face >= cut for face in every), sum(face == 1 for face in every)


def reached(count: int) -> Script[tuple[int, int]]:
    return (yield from pool("dice", lambda n: dice(n, 4), count, lambda got: got[0], lambda hits: (hits, 0)))


def test_a_pool_is_its_dice_added_up() -> None:
    plain = Weigher().run(lambda: dice(3, 4))
    assert Weigher().run(lambda: reached(3)) == plain.map(lambda got: (got[0], 0))
    assert Weigher().run(lambda: pairs("both", lambda n: dice(n, 4), 3)) == plain


def test_rolled_a_step_apart_is_a_step_like_any_other() -> None:
    script = reached(2)
    assert next(script).name == "dice"  # type: ignore[union-attr]
    assert script.send((4, 1)).name == "more"  # type: ignore[union-attr]
    with pytest.raises(StopIteration) as stop:
        script.send((6, 6))
    assert stop.value.value == (3, 1)


def test_a_step_that_rolls_nothing_and_one_that_asks() -> None:
    def nothing() -> Script[int]:
        yield from ()
        return 7

    def asks() -> Script[str]:
        answer: str = yield Pick("red", "which", [option("a"), option("b")], rule="toy:5.3")
        return answer

    assert Weigher().run(lambda: once("none", nothing, bool)) == Distribution.certain(7)
    with pytest.raises(ScriptError):
        Weigher(lambda q: "a").run(lambda: once("asks", asks, bool))


def test_only_what_matters_is_told_apart() -> None:
    def total() -> Script[int]:
        faces = yield Roll("red", "two", 6, 2, rule="toy:5.3")
        return sum(faces)

    found = Weigher().run(lambda: once("two", total, lambda n: n <= 7))
    assert len(found.weights) == 2
    assert found.chance(lambda n: n <= 7) == Fraction(21, 36)


def test_what_goes_on_until_it_is_decided() -> None:
    def duel() -> Script[str | None]:
        (one,) = yield Roll("red", "duel", 6, rule="toy:5.3")
        (other,) = yield Roll("blue", "duel", 6, rule="toy:5.3", cuts=(3,))
        return None if one == 6 else "red" if one > 2 or other > 2 else "blue"

    found = Weigher().run(lambda: until("duel", duel))
    assert found.probability("blue") == Fraction(2, 6) * Fraction(2, 6) / Fraction(5, 6)


# ---------------------------------------------------------------------- whole battles


class Battle(field.Field[field.Model, field.Unit, field.Side]):
    __slots__ = ()

    def __init__(self, count: int) -> None:
        super().__init__(("red", "blue"), Table(500.0, 400.0), {}, "duel", "start")
        ids = tuple(f"m{n}" for n in range(count))
        rows = self.embody([round_base(25.0)] * count)
        models = [field.Model(key, "red", "u", row, on_table=False) for key, row in zip(ids, rows, strict=True)]
        self.muster(field.Unit("u", "red", "u", ids), models)


class Rounds:
    def __init__(self, left: int) -> None:
        self.left = left

    def copy(self) -> Rounds:
        return Rounds(self.left)

    def key(self) -> Hashable:
        return self.left


def volley(battle: Battle, now: Rounds) -> Script[Rounds]:
    """Everybody in the unit dies on a one."""
    unit = battle.units["u"]
    faces: tuple[int, ...] = ()
    if unit.models:
        faces = yield Roll("blue", "kill", 6, len(unit.models), rule="toy:5.3", cuts=(2,))
    unit.models = unit.models[sum(face == 1 for face in faces) :]
    battle.tell("volley", "toy:5.3")
    return Rounds(now.left - 1)


def left(battle: Battle, now: Rounds) -> Script[int]:
    yield from ()
    return len(battle.units["u"].models)


def test_courses_merge_and_are_exact() -> None:
    weigher = Weigher()
    battle = Battle(4)
    one = Courses.of(weigher, battle, Rounds(1)).then(volley)
    assert len(one) == 5
    stays = Fraction(5, 6) ** 2
    found = Courses.of(weigher, battle, Rounds(2)).while_(lambda now: now.left > 0, volley).end(left)
    assert found.probability(4) == stays**4
    assert found.expect(int) == 4 * stays
    assert len(battle.units["u"].models) == 4, "the battle itself stays as it was"


def test_too_many_courses_are_refused() -> None:
    with pytest.raises(BadInput, match="more than 3 courses"):
        Courses.of(Weigher(), Battle(4), Rounds(1), most=3).then(volley)
    with pytest.raises(BadInput, match="more than 3 courses"):
        Courses.of(Weigher(most=3), Battle(4), Rounds(1)).then(volley)


@pytest.mark.parametrize("change", [("queue", (1,)), ("phase", "end"), ("stage", 3)])
def test_states_differ_in_what_the_battle_keeps(change: tuple[str, Any]) -> None:
    battle = Battle(2)
    twin = battle.copy()
    assert difference(battle, twin) == difference(battle, battle)
    setattr(twin, *change)
    assert difference(battle, twin) != difference(battle, battle)
    other = battle.copy()
    other.models["m1"].on_table = True
    assert difference(battle, other) not in (difference(battle, twin), difference(battle, battle))
    del other.models["m0"]
    assert difference(battle, other) != difference(battle, battle)

"""Records of state are declared once; copies, cases and views follow from the declaration."""

from __future__ import annotations

from typing import Annotated

import pytest

from grognard.kernel.battle import Token
from grognard.kernel.data import giving
from grognard.kernel.errors import BadInput
from grognard.kernel.state.records import Fact, Record, declared, seen


class Charge(Record, frozen=True):
    target: Annotated[str, Fact("whom it charges", seen="all", given=True)] = ""
    inches: Annotated[float, Fact("how far", seen="own", given=True, name="reach")] = 0.0
    tried: Annotated[bool, Fact("whether it has been asked")] = False


class Formation(Record, frozen=True):
    shape: Annotated[str, Fact("how it stands", seen="all", given=True, choices=("ranks", "square"))] = "ranks"
    gaps: Annotated[tuple[str, ...], Fact("who is missing", given=True)] = ()


class Unit(Token):
    charge: Charge
    formation: Formation

    def __init__(self) -> None:
        self.charge = Charge()
        self.formation = Formation()


def test_a_copy_goes_its_own_way() -> None:
    unit = Unit()
    twin = unit.copy()
    unit.charge = unit.charge.but(target="foe", tried=True)
    assert (unit.charge.target, twin.charge.target) == ("foe", "")
    unit.charge = Charge()
    assert unit.charge == twin.charge


def test_a_fact_that_is_not_declared_cannot_be_set() -> None:
    with pytest.raises(TypeError):
        Charge().but(targets="foe")


def test_what_each_may_see() -> None:
    unit = Unit()
    assert seen(unit, own=False) == {"target": "", "shape": "ranks"}
    assert seen(unit, own=True) == {"target": "", "reach": 0.0, "shape": "ranks"}


def test_what_a_case_may_set() -> None:
    unit = Unit()
    assert giving.names(Unit) == ("target", "reach", "shape", "gaps")
    giving.give(unit, {"target": "foe", "reach": 7, "shape": "square", "gaps": ["a"], "tried": True}, "given.unit")
    assert unit.charge == Charge("foe", 7.0, False)
    assert unit.formation == Formation("square", ("a",))


@pytest.mark.parametrize("entry", [{"shape": "heap"}, {"reach": "far"}, {"target": 3}, {"gaps": 3}])
def test_what_is_not_of_its_kind_is_told(entry: dict[str, object]) -> None:
    unit = Unit()
    with pytest.raises(BadInput, match=f"given.unit.{next(iter(entry))}"):
        giving.give(unit, entry, "given.unit")
    assert (unit.charge, unit.formation) == (Charge(), Formation())


class Twice(Token):
    charge: Charge
    again: Charge


class Mute(Record, frozen=True):
    word: str = ""


class Speechless(Token):
    mute: Mute


def test_declarations_are_whole() -> None:
    with pytest.raises(TypeError, match="two facts called target"):
        declared(Twice)
    with pytest.raises(TypeError, match="does not say what it means"):
        declared(Speechless)

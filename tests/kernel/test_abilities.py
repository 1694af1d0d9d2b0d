"""Special rules by the names on cards, with their values as books print them; and numbers that may be dice."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from grognard.kernel.data import abilities
from grognard.kernel.data.abilities import Ability, Registry
from grognard.kernel.data.amounts import Amount, amount, rolled
from grognard.kernel.errors import BadInput


class Trait(Ability):
    sees_all: ClassVar[bool] = False
    fearless: ClassVar[bool] = False

    def bonus(self) -> int:
        return 0


REGISTRY: Registry[Trait] = Registry("toy", rule="toy:1")


def made(name: str, takes: Any = "", **more: Any) -> type[Trait]:
    french = more.pop("french", name)
    return REGISTRY.register(
        type(name, (Trait,), {"name": name, "french": french, "rule": "toy:2", "takes": takes, **more})
    )


made("Stealth", french="Discrétion", sees_all=True)
made("Rapid Fire", "X")
made("Rapid")
made("Feel No Pain", "X+")
made("Scouts", 'X"')
made("Impact Hits", "(X)", bonus=lambda self: 2)
made("Anti", "-WORD X+")
made("Breath Attack", "(...)")
made("Armour", ("/X", "(X)"))
made("Aegis", "(X+)?")
made("Officer", implies=("Stealth", "Rapid Fire 2"))


class Even(Trait):
    name, french, rule, takes = "Even", "Pair", "toy:3", "X"

    def check(self) -> None:
        if self.number % 2:
            raise ValueError


REGISTRY.register(Even)


@pytest.mark.parametrize(
    ("text", "kind", "value", "words"),
    [
        ("Stealth", "Stealth", "0", ()),
        ("discrétion", "Stealth", "0", ()),
        ("Rapid Fire 1", "Rapid Fire", "1", ()),
        ("Rapid", "Rapid", "0", ()),
        ("Rapid Fire D3", "Rapid Fire", "D3", ()),
        ("Rapid Fire 2D6+1", "Rapid Fire", "2D6+1", ()),
        ("Feel  No Pain 5+", "Feel No Pain", "5", ()),
        ('Scouts 6"', "Scouts", "6", ()),
        ("Impact Hits (D6)", "Impact Hits", "D6", ()),
        ("Impact Hits(3)", "Impact Hits", "3", ()),
        ("Anti-Vehicle 4+", "Anti", "4", ("Vehicle",)),
        ("Anti-Epic Hero 2+", "Anti", "2", ("Epic Hero",)),
        ("Breath Attack (Str 4, AP 1)", "Breath Attack", "0", ("Str 4", "AP 1")),
        ("Armour/2", "Armour", "2", ()),
        ("Armour (3)", "Armour", "3", ()),
        ("Aegis", "Aegis", "0", ()),
        ("Aegis (5+)", "Aegis", "5", ()),
        ("Even 4", "Even", "4", ()),
    ],
)
def test_names_with_values_are_read_as_printed(text: str, kind: str, value: str, words: tuple[str, ...]) -> None:
    found = REGISTRY.parse(text)
    assert (type(found).name, str(found.value), found.words) == (kind, value, words)
    assert REGISTRY.parse(text) is found
    assert found.keyword == (words[0] if words else "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Flight", 'toy does not know the ability "Flight"; it knows Aegis'),
        ("", "does not know"),
        ("Stealthy", "does not know"),
        ("Stealth 4", 'is written "Stealth"'),
        ("Rapid Fire", 'is written "Rapid Fire X"'),
        ("Feel No Pain 5", 'is written "Feel No Pain X\\+"'),
        ("Scouts 6", 'is written "Scouts X""'),
        ("Impact Hits D6", "is written"),
        ("Anti 4+", 'is written "Anti-WORD X\\+"'),
        ("Breath Attack ()", "is written"),
        ("Armour 2", 'is written "Armour/X / Armour \\(X\\)"'),
        ("Aegis 5+", "is written"),
        ("Even 3", 'is written "Even X" \\(toy:3\\)'),
    ],
)
def test_wrongly_written_ones_are_told(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        REGISTRY.parse(text)


def test_two_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two abilities are called stealth"):
        made("Stealth")


def test_implied_abilities_follow() -> None:
    assert [a.text for a in REGISTRY.parse_all(["Officer", "Rapid"])] == ["Officer", "Stealth", "Rapid Fire 2", "Rapid"]


def test_flags_and_hooks() -> None:
    traits = REGISTRY.parse_all(["Rapid", "Stealth", "Impact Hits (2)"])
    assert abilities.flag(traits, "sees_all") == "toy:2" and abilities.flag(traits, "fearless") == ""
    assert abilities.flags(traits, Trait) == {"sees_all": "toy:2"}
    assert [a.text for a in abilities.overriding(traits, "bonus", Trait)] == ["Impact Hits (2)"]


# ---------------------------------------------------------------------- amounts


@pytest.mark.parametrize("written", ["3", "D6", "2D6", "D3+1", "4D6-2", "D100", "0", "-1"])
def test_amounts_are_written_as_they_are_read(written: str) -> None:
    assert str(amount(written)) == written
    assert amount(amount(written)) == amount(written)


def test_amounts() -> None:
    assert amount(" 2 d6 + 1 ") == Amount(2, 6, 1) and amount(4) == Amount(plus=4)
    assert amount("D3").total((6,)) == 3 and amount("D3").total((3,)) == 2 and amount("D3").die == 6
    assert amount("2D6+1").total((3, 4)) == 8 and amount("2D6+1").more(2).plus == 3
    assert (amount("2D6+1").least, amount("2D6+1").most, amount("2D6+1").mean) == (3, 13, 8.0)


@pytest.mark.parametrize("wrong", ["", "D", "D1", "six", "D6+", "1.5", None, True, "2D6D6"])
def test_what_is_no_amount_is_told(wrong: object) -> None:
    with pytest.raises(BadInput, match=r"neither a number nor dice.*\(toy:1\)"):
        amount(wrong, "toy:1")


def test_plain_numbers_are_not_rolled() -> None:
    with pytest.raises(StopIteration) as done:
        next(rolled("red", "hits", amount(3), "toy:1"))
    assert done.value.value == 3
    script = rolled("red", "hits", amount("2D3+1"), "toy:1", ("x",))
    ask: Any = next(script)
    assert (ask.count, ask.sides, ask.rule, ask.about) == (2, 6, "toy:1", ("x",))
    with pytest.raises(StopIteration) as done:
        script.send((6, 1))
    assert done.value.value == 5

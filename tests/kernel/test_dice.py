"""Where the faces come from: seeded, sealed, scripted, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scipy.stats import chisquare

from grognard.kernel.errors import BadInput
from grognard.kernel.match.dice import ByHand, Dice, DiceExhausted, Scripted, Sealed, Seeded, verify_sealed
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, save
from grognard.kernel.questions import Roll
from grognard.players import RandomPlayer, play
from tests.kernel.toy import TOY

MAKERS: dict[str, Callable[[], Dice]] = {
    "seeded": lambda: Seeded(7),
    "sealed": lambda: Sealed(b"seven", [b"red", b"blue"]),
}


def roll(sides: int = 6, count: int = 1) -> Roll:
    return Roll("red", "throw", sides, count, rule="toy:5.3")


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_seed_gives_the_same_faces(name: str) -> None:
    one, other = MAKERS[name](), MAKERS[name]()
    assert [one.faces(roll(10, 3)) for _ in range(50)] == [other.faces(roll(10, 3)) for _ in range(50)]


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100, 300])
@pytest.mark.parametrize("name", MAKERS)
def test_every_face_is_equally_likely(name: str, sides: int) -> None:
    dice, seen = MAKERS[name](), [0] * sides
    for _ in range(200):
        for face in dice.faces(roll(sides, sides)) or ():
            seen[face - 1] += 1
    assert chisquare(seen).pvalue > 0.001


def test_seeds_may_be_words() -> None:
    assert Seeded("a").faces(roll(100, 8)) != Seeded("b").faces(roll(100, 8))


def test_by_hand_waits_for_a_person() -> None:
    assert ByHand().faces(roll()) is None  # type: ignore[func-returns-value]


def test_scripted_faces_come_in_order_and_must_fit() -> None:
    dice = Scripted([1, 6, 3, 9])
    assert dice.faces(roll(6, 2)) == (1, 6)
    assert dice.faces(roll()) == (3,)
    assert (dice.left, dice.used) == ([9], 3)
    with pytest.raises(BadInput, match=r"faces \[9\] do not fit 1D6 for throw"):
        dice.faces(roll())
    with pytest.raises(DiceExhausted, match=r"roll 2D6 for throw \(toy:5.3\), but only 1 scripted"):
        Scripted([1]).faces(roll(6, 2))


def test_the_commitment_hides_and_binds_the_seed() -> None:
    assert Sealed(b"a").commitment == Sealed(b"a", [b"x"]).commitment != Sealed(b"b").commitment
    assert Sealed(b"a").faces(roll(100, 8)) != Sealed(b"a", [b"x"]).faces(roll(100, 8))
    assert Sealed(b"a", [b"xy"]).faces(roll(100, 8)) != Sealed(b"a", [b"x", b"y"]).faces(roll(100, 8))


def sealed_match() -> tuple[Match, Sealed]:
    dice = Sealed(b"secret", [b"red", b"blue"])
    match = Match(TOY, TOY.default_setup(), dice=dice)
    play(match, {seat: RandomPlayer(seat) for seat in ("red", "blue")})
    assert match.rolls
    return match, dice


def test_a_sealed_match_can_be_verified() -> None:
    match, dice = sealed_match()
    told = (b"red", b"blue")
    assert verify_sealed(dice.commitment, b"secret", told, match.rolls)
    assert not verify_sealed(dice.commitment, b"other", told, match.rolls)
    assert not verify_sealed(dice.commitment, b"secret", (b"red",), match.rolls)
    forged = [*match.rolls[:-1], (6, tuple(7 - face for face in match.rolls[-1][1]))]
    assert not verify_sealed(dice.commitment, b"secret", told, forged)


def test_sealed_dice_remember_rolls_that_were_taken_back() -> None:
    match, dice = sealed_match()
    match.undo(agreed=True)
    play(match, {seat: RandomPlayer(seat) for seat in ("red", "blue")})
    assert verify_sealed(dice.commitment, b"secret", (b"red", b"blue"), dice.drawn)


def test_sealed_dice_resume_where_a_save_left_them() -> None:
    match, _ = sealed_match()
    places = [place for place, answer in enumerate(match.answers) if answer.roll]
    half = load(save(match), {"toy": TOY}, upto=places[-1])
    again = Sealed(b"secret", [b"red", b"blue"]).resume(half.rolls)
    assert (
        again.faces(roll(*[(sides, len(faces)) for sides, faces in match.rolls][len(half.rolls)]))
        == (match.rolls[len(half.rolls)][1])
    )
    with pytest.raises(BadInput, match="did not roll"):
        Sealed(b"other").resume(match.rolls)


def test_a_face_may_spoil_a_roll() -> None:
    """What is recorded says so only where that face came up."""
    roll = Roll("red", "cast", 10, 3, rule="toy:1", need=14, sense="high", spoils=1)
    assert roll.record((10, 3, 1))["spoilt"] == 1
    assert "spoilt" not in roll.record((10, 3, 2))
    assert "spoilt" not in Roll("red", "cast", 10, rule="toy:1").record((1,))

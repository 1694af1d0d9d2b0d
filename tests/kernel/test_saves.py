"""Saves: the same bytes again, and a clear word about every file that is none."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel.errors import BadInput, GrognardError
from grognard.kernel.events import canonical
from grognard.kernel.match import saves
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.saves import load, parse, save
from grognard.players import RandomPlayer, play
from tests.kernel.toy import TOY

BOOKS = {"toy": TOY}


def whole_game() -> Match:
    match = Match(TOY, TOY.default_setup("trio"), dice=Seeded(5), house={"bold": True})
    play(match, {seat: RandomPlayer(seat) for seat in match.battle.seats})
    return match


MATCH = whole_game()
TEXT = save(MATCH)


def test_a_save_is_readable_lines() -> None:
    lines = [json.loads(line) for line in TEXT.splitlines()]
    assert lines[0]["grognard"] == 1 and lines[0]["game"] == "toy" and lines[0]["house"] == {"bold": True, "rounds": 2}
    assert lines[1] == {"q": "trap.lay", "seat": "red", "a": MATCH.answers[0].value, "secret": True}
    assert any("roll" in line for line in lines)


def test_round_trip_byte_for_byte() -> None:
    for upto in range(len(MATCH.answers) + 1):
        loaded = load(TEXT, BOOKS, upto=upto)
        text = save(loaded)
        assert TEXT.startswith(text)
        assert save(load(text.encode(), BOOKS)) == text
    assert canonical(loaded.events) == canonical(MATCH.events)
    assert loaded.result == MATCH.result and loaded.house == MATCH.house


def test_a_save_for_a_seat_leaves_secrets_out_and_cannot_be_loaded() -> None:
    text = save(MATCH, "red")
    lines = [json.loads(line) for line in text.splitlines()[1:]]
    known = [a for a in MATCH.answers if not a.secret or a.seat == "red"]
    assert [(line["q"], line["seat"]) for line in lines] == [(a.name, a.seat) for a in known]
    assert 0 < len(known) < len(MATCH.answers) and any(a.secret for a in known)
    with pytest.raises(BadInput, match="secrets are left out of its answers"):
        load(text, BOOKS)


def header(**changes: Any) -> str:
    first, rest = TEXT.split("\n", 1)
    return json.dumps(json.loads(first) | changes) + "\n" + rest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the save is empty"),
        ("\n", "line 1"),
        ("\n\n", "line 1"),
        ("junk\n", "line 1"),
        ("[]\n", "not a Grognard save"),
        ("{}\n", "not a Grognard save"),
        ('{"grognard":1}\n', "line 1: Object missing required field"),
        (TEXT[:-1], "cut off"),
        (TEXT[:-20], "cut off"),
        (TEXT + "\n", "line"),
        (TEXT + "{}\n", "missing required field"),
        (TEXT + '{"q":"x","seat":"red","a":1}\n', "goes on after the game is over"),
        (TEXT.replace('"seat":"red"', '"seat":5', 1), "line 2: Expected `str`, got `int`"),
        (TEXT.replace('"trap.lay"', '"trap.hide"', 1), "answer 1 is for trap.hide"),
        (header(grognard=2), "has format 2, this Grognard reads format 1"),
        (header(grognard=10**400), "has format 1000"),
        (header(grognard=None), "has format None"),
        (header(game="chess"), "there is no game chess; there are toy"),
        (header(rules="99"), "needs toy rules version 99, here is 1"),
        (header(cards="0000", sheets=None), "the cards of toy have changed"),
        (header(cards="0000"), "the cards in this save are not those"),
        (header(house={"brave": 1}), "no house rule brave"),
        (header(setup={}), "a setup names one of duel, trio"),
        (header(setup=[]), "line 1"),
        ("\ud800\n", "line 1"),
        ("[" * 100_000 + "\n", "line 1"),
    ],
)  # fmt: skip
def test_bad_saves_are_told_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        load(text, BOOKS)


def test_oversized_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(saves, "MAX_LINES", 3)
        with pytest.raises(BadInput, match="more than 3 lines"):
            load(TEXT, BOOKS)
    monkeypatch.setattr(saves, "MAX_BYTES", 1024 * 1024)
    with pytest.raises(BadInput, match="larger than 1 MiB"):
        parse("x" * (1024 * 1024 + 1))


def test_a_setup_that_breaks_the_game_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(type(TOY), "create", broken)
    with pytest.raises(BadInput, match="cannot be replayed: ZeroDivisionError: by nothing"):
        load(TEXT, BOOKS)


def test_cases_do_not_depend_on_the_cards() -> None:
    with pytest.raises(BadInput, match="a setup names"):
        load(header(cards="0000", setup={"given": {}}, sheets=None), BOOKS)


def only_bad_input(text: str | bytes) -> None:
    try:
        match = load(text, BOOKS)
    except BadInput as error:
        assert str(error)
    else:
        assert isinstance(match, Match)


@given(st.binary(max_size=200))
def test_junk_bytes(junk: bytes) -> None:
    only_bad_input(junk)


@given(st.text(max_size=200))
def test_junk_text(junk: str) -> None:
    only_bad_input(junk)


@given(st.integers(0, len(TEXT) - 1), st.integers(0, 255))
def test_one_byte_changed(place: int, byte: int) -> None:
    raw = bytearray(TEXT.encode())
    raw[place] = byte
    only_bad_input(bytes(raw))


@given(st.integers(0, len(TEXT) - 1))
def test_truncated_anywhere(place: int) -> None:
    with pytest.raises(GrognardError):
        load(TEXT[:place] + "\x00", BOOKS)
    only_bad_input(TEXT[:place])
    only_bad_input(TEXT[:place] + "\n")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["grognard", "game", "rules", "cards", "house", "setup"]), JSON)
def test_junk_in_the_header(field: str, junk: Any) -> None:
    only_bad_input(header(**{field: junk}))


@given(st.integers(1, len(MATCH.answers)), st.sampled_from(["q", "seat", "a", "roll", "secret", "reveals"]), JSON)
def test_junk_in_a_line(number: int, field: str, junk: Any) -> None:
    lines = TEXT.splitlines()
    lines[number] = json.dumps(json.loads(lines[number]) | {field: junk})
    only_bad_input("\n".join(lines) + "\n")


def test_unreadable_covers_what_the_reader_raises() -> None:
    for broken in (b"{", b'"\xff"', b"[" * 100_000, b"1e999"):
        with pytest.raises(saves.UNREADABLE):
            msgspec.json.decode(broken)

"""The jobs that are done by workers: each takes plain data or a parcel of ours, and gives bytes."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard import games, odds
from grognard.kernel.data.typed import decode
from grognard.kernel.errors import BadInput
from grognard.kernel.match import parcel, saves
from grognard.kernel.match.dice import ByHand, Seal
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.kernel.warm import warm
from grognard.report import render
from grognard.server.http import wire
from grognard.server.jobs import making
from grognard.server.playing import weighing

_encode = msgspec.json.Encoder().encode
#: What a setup no game ever wrote can break anywhere.
BROKEN = (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError, AssertionError)


class Made(msgspec.Struct, frozen=True):
    """A match that was set up or brought in, as the store takes it."""

    header: saves.Header
    players: dict[str, str]
    dice: str
    seed: str
    answers: list[Answer]
    over: bool
    master: str
    old: Seal | None = None


def prepare() -> None:
    """Import and compile all there is."""
    for game in games.RULESETS:
        _ = games.RULESETS[game]
    warm()


def made(raw: bytes) -> Made:
    """What `create` and `bring` gave."""
    return decode(raw, Made)


def weigh(game: str, question: str, arguments: dict[str, Any]) -> bytes:
    """The odds desk."""
    found = odds.ask(games.RULESETS[game], question, arguments)
    return _encode({"game": game, **odds.plain(found)})


def weigh_option(raw: bytes, seat: str, sees: str | None, option: str) -> bytes:
    """The odds of an option at a table."""
    twin = parcel.unpack(raw, games.RULESETS).fork(ByHand())
    return _encode(weighing.option_odds(twin, seat, sees, option))


def muster(game: str, text: str, lang: str) -> bytes:
    """What a game says of an army list."""
    return _encode(making.mustered(games.RULESETS[game], text, lang))


def create(game: str, asked: wire.NewMatch, luck: making.Luck) -> bytes:
    """A new match."""
    try:
        match, players = making.new_match(games.RULESETS[game], asked, luck)
    except BROKEN as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        raise BadInput("this match cannot be set up: {problem}", problem=problem) from error
    return _encode(_made(match, players, asked.dice, luck.seed, None))


def bring(raw: bytes, players: list[str], luck: making.Luck) -> bytes:
    """A match from a replay file."""
    match, seated_by, seal = making.brought_in(raw, players)
    return _encode(_made(match, seated_by, "sealed", luck.seed, seal))


def _made(match: Match, players: dict[str, str], dice: str, seed: bytes, old: Seal | None) -> Made:
    header, master = making.header_of(match, old), match.ruleset.game_master(match.house)
    return Made(header, players, dice, seed.hex(), match.answers, match.over, master, old)


def report(raw: bytes, sees: str | None, lang: str, seal: Seal) -> bytes:
    """The battle report."""
    return render(parcel.unpack(raw, games.RULESETS), sees, lang, seal).encode()

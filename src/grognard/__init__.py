"""Grognard plays tabletop miniature wargames by the book.

What an engineer may rely on is here; each name is imported when it is first asked for, so that a program that needs
one game pays for one. Everything else may move from one version to the next.

    games     the rulesets: `games.find("t9a")`, `games.RULESETS`
    Match     a match is its answers: `pending`, `answer`, `view`, `events`, `undo`, `fork`
    save      a match as text; `load` reads one and plays it again
    Seeded    dice from a seed; `Sealed` by a committed seed, `Scripted` as written, `ByHand` as players roll them
    player    a computer player by name; `play` lets players finish a match
    odds      exact answers: `odds.ask(ruleset, question, **arguments)`
    muster    army lists, judged: `muster.check(ruleset, source)`
    report    the battle report as one HTML page: `report.render`
    check     worked examples as data: `check.run_file`
    Refused   an answer the rules forbid, with its rule; `BadInput` what cannot be read; both are `GrognardError`s
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grognard import check, games, muster, odds, players, report
    from grognard.kernel.errors import BadInput, GrognardError, Refusal, Refused
    from grognard.kernel.match.dice import ByHand, Scripted, Sealed, Seeded
    from grognard.kernel.match.match import Match
    from grognard.kernel.match.saves import load, save
    from grognard.kernel.ruleset import Ruleset
    from grognard.players import play, player

__version__ = "0.5.0.dev0"

__all__ = [
    "BadInput", "ByHand", "GrognardError", "Match", "Refusal", "Refused", "Ruleset", "Scripted", "Sealed", "Seeded",
    "check", "games", "load", "muster", "odds", "play", "player", "players", "report", "save",
]  # fmt: skip

#: Where each name comes from; what is not here is a room of its own.
_FROM = {
    **dict.fromkeys(("BadInput", "GrognardError", "Refusal", "Refused"), "grognard.kernel.errors"),
    **dict.fromkeys(("ByHand", "Scripted", "Sealed", "Seeded"), "grognard.kernel.match.dice"),
    **dict.fromkeys(("load", "save"), "grognard.kernel.match.saves"),
    **dict.fromkeys(("play", "player"), "grognard.players"),
    "Match": "grognard.kernel.match.match",
    "Ruleset": "grognard.kernel.ruleset",
}


def __getattr__(name: str) -> Any:
    if name in _FROM:
        return getattr(import_module(_FROM[name]), name)
    if name in __all__:
        return import_module(f"grognard.{name}")
    raise AttributeError(f"module grognard has no {name}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

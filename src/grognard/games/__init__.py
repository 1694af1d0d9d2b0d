"""The games, one folder a rulebook; each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from grognard.games import abouts
from grognard.kernel.errors import BadInput

if TYPE_CHECKING:
    from grognard.kernel.ruleset import Ruleset

#: Where each game's ruleset is, in the order games are listed.
_WHERE = {
    "nemesis": ("grognard.games.nemesis.ruleset", "Nemesis"),
    "ades": ("grognard.games.ades.ruleset", "Ades"),
    "wh40k": ("grognard.games.wh40k.ruleset", "Wh40k"),
    "t9a": ("grognard.games.t9a.ruleset", "T9a"),
    "wfb3": ("grognard.games.wfb3.ruleset", "Wfb3"),
}
#: Games being written: their rules can be read, checked by cases and tried out, but they are not offered to play.
_BEGUN: dict[str, tuple[str, str]] = {}


class Rulesets(Mapping[str, "Ruleset"]):
    """Every ruleset by its id; asking for one imports and makes it."""

    def __init__(self, where: Mapping[str, tuple[str, str]]) -> None:
        self._where = where
        self._made: dict[str, Ruleset] = {}

    def __getitem__(self, game: str) -> Ruleset:
        if game not in self._made:
            module, name = self._where[game]
            self._made[game] = getattr(import_module(module), name)()
        return self._made[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)


RULESETS: Mapping[str, Ruleset] = Rulesets(_WHERE)
BEGUN: Mapping[str, Ruleset] = Rulesets(_BEGUN)


class Every(Mapping[str, "Ruleset"]):
    """The games to play and those begun."""

    def __getitem__(self, game: str) -> Ruleset:
        return RULESETS[game] if game in RULESETS else BEGUN[game]

    def __iter__(self) -> Iterator[str]:
        return iter((*RULESETS, *(game for game in BEGUN if game not in RULESETS)))

    def __len__(self) -> int:
        return len(list(iter(self)))


EVERY = Every()


def find(game: str) -> Ruleset:
    """The ruleset of that id, be it finished or begun; or BadInput with the ids there are."""
    if game in BEGUN:
        return EVERY[game]
    if game not in RULESETS:
        raise BadInput("there is no game {name}; there are {known}", name=game, known=", ".join(RULESETS))
    return RULESETS[game]


def about(game: str) -> dict[str, Any]:
    """A game in short (title, unit, rules, scenarios, armies …), without importing it where its folder says so."""
    return abouts.read(game) or abouts.about(find(game))

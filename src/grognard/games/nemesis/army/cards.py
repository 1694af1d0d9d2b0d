"""nemesis:3.2  Reference sheets and army lists: from files, or written inline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.nemesis.abilities.spell_book import key_of
from grognard.games.nemesis.army.profiles import FACTIONS, Card, parse_card
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput
from grognard.kernel.events import canonical
from grognard.kernel.match import shelf

FOLDER = Path(__file__).resolve().parents[1] / "cards"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of an army list: a regiment or a single model.

    `count` includes the champion; `cards` names a card per model instead of `card` and `count`; `joins` is the
    regiment a hero starts in.
    """

    name: str = ""
    card: str | None = None
    cards: tuple[str, ...] = ()
    count: int = 1
    champion: str | None = None
    joins: str | None = None
    spells: tuple[str, ...] = ()
    stones: int | None = None


class Army(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """nemesis:6-points, nemesis:7-min-hero  An army list. `commander` names one of its units."""

    faction: str
    units: tuple[Entry, ...]
    points: float
    name: str = ""
    french: str = ""
    commander: str | None = None
    scenario: str | None = None
    cards: dict[str, dict[str, Any]] = {}
    ours: bool = False


class Recruit(msgspec.Struct, frozen=True):
    """A line of the list with its cards found: one per model, the champion first."""

    entry: Entry
    name: str
    cards: tuple[Card, ...]
    champion: bool = False

    @property
    def cost(self) -> float:
        """nemesis:5.1-cost"""
        return sum(card.cost for card in self.cards)

    @property
    def is_regiment(self) -> bool:
        """nemesis:5.2-troop  Troops fight in regiments, everyone else stands for himself."""
        return not self.cards[0].is_hero


#: What the cards of a case need not say.
UNSAID = {"M": 0, "HC": 0, "F": 0, "R": 0, "S": 0}


def read_cards(data: Any, where: str, **common: Any) -> dict[str, Card]:
    """Cards from {name: profile}; an error names the file and the entry."""
    if not isinstance(data, dict):
        raise BadInput("{where}: cards are written {{name: {{M, HC, F, R, S, …}}}}", where=where)
    found = {}
    for name, profile in data.items():
        if not isinstance(profile, dict):
            raise BadInput("{where}: {name}: a card is written {{M, HC, F, R, S, …}}", where=where, name=name)
        found[str(name)] = parse_card({**common, "name": str(name), **profile}, f"{where}: {name}")
    return found


@shelf.shelved()
def library() -> Mapping[str, Card]:
    """Every card of the book and of the starter sheets, by name."""
    found: dict[str, Card] = {}
    for file, sheet in sheets.sheets(FOLDER, lambda data: "units" not in data).items():
        common = {key: sheet[key] for key in ("faction", "ours") if key in sheet}
        for name, card in read_cards(sheet["cards"], f"{file}.yaml", **common).items():
            if name in found:
                raise BadInput("{file}.yaml: {name}: another sheet has a card of this name", file=file, name=name)
            found[name] = card
    return found


@shelf.shelved()
def starters() -> Mapping[str, Path]:
    """Starter armies by name: the files of the folder that hold army lists."""
    return sheets.starters(FOLDER)


def find_card(name: Any, inline: Mapping[str, Card], where: str) -> Card:
    """A card by its name, among those written inline first; or one written out on the spot.

    {like: Skeleton, S: 2} is another card with some values changed.
    """
    if isinstance(name, dict):
        return _written(canonical(name), tuple(inline.items()), where)
    if isinstance(name, str) and name in inline:
        return inline[name]
    return sheets.named(name, {**library(), **inline}, where, "card", "nemesis:3.2")


@shelf.shelved(1024)
def _written(text: bytes, inline: tuple[tuple[str, Card], ...], where: str) -> Card:
    """The same text is the same card, so that models of one kind are known to be of one kind."""
    data = msgspec.json.decode(text)
    if "like" in data:
        model = find_card(data.pop("like"), dict(inline), where)
        data = {**msgspec.to_builtins(model), **data}
    return parse_card({"name": where.rpartition(".")[2], **data}, where)


def load_army(source: Any, where: str = "army") -> Army:
    """An army list: a starter army's name, or the list itself."""
    if isinstance(source, str):
        return _starter(source, where)
    if not isinstance(source, dict):
        raise BadInput("{where}: an army list is written {{faction, points, commander, units}}", where=where)
    army = sheets.convert(source, Army, where)
    if not 0 <= army.points < math.inf:
        raise BadInput(
            "{where}: points is a number of 0 or more, not {points} (nemesis:6-points)",
            where=where, points=f"{army.points:g}",
        )  # fmt: skip
    if army.faction not in FACTIONS:
        raise BadInput(
            "{where}: faction is one of {known}, not {faction} (nemesis:2)",
            where=where, known=", ".join(FACTIONS), faction=army.faction,
        )  # fmt: skip
    return msgspec.structs.replace(army, units=tuple(_with_spells(entry, army.faction) for entry in army.units))


def _with_spells(entry: Entry, faction: str) -> Entry:
    """nemesis:14.3-choice  A line with its spells by key, however they were named."""
    if not entry.spells:
        return entry
    return msgspec.structs.replace(entry, spells=tuple(key_of(word, faction) for word in entry.spells))


@shelf.shelved(64)
def _starter(name: str, where: str) -> Army:
    return load_army(sheets.starter(name, starters(), where), name)


def recruits(army: Army, where: str = "army") -> list[Recruit]:
    """nemesis:3.2  Every line of the list with its cards; names that mean nothing are told."""
    inline = read_cards(army.cards, where, faction=army.faction)
    found: list[Recruit] = []
    for number, entry in enumerate(army.units):
        spot = f"{where}: units[{number}]" + (f" ({entry.name})" if entry.name else "")
        found.append(_recruit(entry, inline, spot))
    sheets.check_different((recruit.name for recruit in found), where)
    return found


def _recruit(entry: Entry, inline: Mapping[str, Card], spot: str) -> Recruit:
    if (entry.card is None) == (not entry.cards):
        raise BadInput("{where}: write card and count, or cards with a name per model", where=spot)
    if not 1 <= entry.count <= 100:
        raise BadInput("{where}: count lies between 1 and 100, not {count}", where=spot, count=entry.count)
    names = [*entry.cards] if entry.card is None else [entry.card] * entry.count
    cards = [find_card(name, inline, spot) for name in names]
    name = entry.name or cards[-1].name.casefold().replace(" ", "-")
    if entry.champion is not None:
        cards[0] = find_card(entry.champion, inline, spot)
    elif entry.cards:  # a champion among the cards is the champion, wherever he is named
        cards.sort(key=lambda card: not card.has_keyword("champion"))
    champion = entry.champion is not None or (bool(entry.cards) and cards[0].has_keyword("champion"))
    return Recruit(entry, name, tuple(cards), champion)

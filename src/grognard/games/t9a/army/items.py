"""t9a:22  Special Items: Weapon, Armour and Banner Enchantments, Artefacts. A common list of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grognard.games.t9a.abilities import parse
from grognard.kernel.data import reading as read
from grognard.kernel.data.sheets import read_yaml
from grognard.kernel.errors import BadInput
from grognard.kernel.match.shelf import shelved

FOLDER = Path(__file__).resolve().parents[1] / "cards"
#: t9a:22.A  The four categories, with their rules.
CATEGORIES = {"weapon": "t9a:22.A.a", "armour": "t9a:22.A.b", "banner": "t9a:22.A.c", "artefact": "t9a:22.A.d"}
KEYS = ("category", "points", "dominant", "stats", "rules", "bound", "scope", "on", "french", "once", "unique")


class Item(msgspec.Struct, frozen=True):
    """t9a:22.B.b  A Special Item. `scope`: bearer (one part), model (mount included) or unit; `on` what it may
    enchant.
    """

    name: str
    category: str
    points: int
    dominant: bool = False
    stats: tuple[tuple[str, str, int], ...] = ()
    rules: tuple[str, ...] = ()
    bound: tuple[str, int, int] | None = None
    scope: str = "bearer"
    on: tuple[str, ...] = ()
    french: str = ""
    once: str = ""
    unique: bool = True

    @property
    def rule(self) -> str:
        return CATEGORIES[self.category]


@shelved()
def _read() -> dict[str, Item]:
    found: dict[str, Item] = {}
    for name, said in read_yaml(FOLDER / "items.yaml").items():
        odd = [k for k in said if k not in KEYS]
        if odd or said.get("category") not in CATEGORIES:
            raise BadInput(
                "the item {name} has no other keys than {keys}, and one of the categories {known} (t9a:22.A)",
                name=name,
                keys=", ".join(KEYS),
                known=", ".join(CATEGORIES),
            )
        for text in said.get("rules", ()):
            parse(text)
        bound = said.get("bound")
        found[name] = Item(
            name,
            said["category"],
            int(said["points"]),
            bool(said.get("dominant", False)),
            tuple((str(a), str(b), int(c)) for a, b, c in said.get("stats", ())),
            tuple(said.get("rules", ())),
            (str(bound[0]), int(bound[1]), int(bound[2])) if bound else None,
            str(said.get("scope", "bearer")),
            tuple(said.get("on", ())),
            str(said.get("french", "")),
            str(said.get("once", "")),
            bool(said.get("unique", True)),
        )
    return found


class _Items(dict[str, Item]):
    """The common items, read when first asked for."""

    def __missing__(self, name: str) -> Item:
        self.update(_read())
        if name not in self.keys():
            raise BadInput("there is no item {name}; there are {known} (t9a:22.A)", name=name, known=", ".join(_read()))
        return self[name]


ITEMS = _Items()


def known() -> dict[str, Item]:
    return _read()


def read_items(said: Any, where: str) -> tuple[tuple[str, str], ...]:
    """t9a:22.A.a, t9a:22.A.b  Items as a list names them, and what each is on: "Warding Stone" or {Quick Blade: Hand
    Weapon}, one or a list of them.
    """
    found = []
    for number, entry in enumerate([said] if isinstance(said, str | dict) else read.listing(said, where)):
        pair = {entry: ""} if isinstance(entry, str) else read.mapping(entry, f"{where}[{number}]")
        for name, on in pair.items():
            found.append((ITEMS[name].name, str(on or "")))
    return tuple(found)


def plain(item: Item) -> dict[str, Any]:
    return msgspec.structs.asdict(item)

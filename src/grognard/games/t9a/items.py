"""t9a:22  Special Items: Weapon, Armour and Banner Enchantments, Artefacts. A common list of our own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Model, Unit
from grognard.kernel.errors import BadInput
from grognard.kernel.sheets import read_yaml

FOLDER = Path(__file__).resolve().parent / "cards"
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


@lru_cache(maxsize=1)
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


def give(battle: Battle, model: Model, name: str, on: str = "") -> None:
    """t9a:22.B.b  A model carries an item: its effects are the bearer's, the whole model's or its unit's."""
    item = ITEMS[name]
    model.items = (*model.items, name)
    model.item_of = (*model.item_of, (name, on))
    if item.bound is not None:
        model.bound = (*model.bound, item.bound)
    effect = _effect(battle, model, item)
    if effect is not None:
        model.effects = (*model.effects, effect)


def _effect(battle: Battle, model: Model, item: Item) -> Effect | None:
    if not item.stats and not item.rules:
        return None
    riders = [p for p in model.profile.parts if p.rider]
    part = riders[0].name if item.scope == "bearer" and riders and item.category == "weapon" else ""
    stats = item.stats
    if item.scope == "bearer" and model.profile.has("massive-bulk") and item.category == "armour":
        battle.cite("t9a:21.A.b.26")
        return None
    return Effect(f"item:{item.name}", item.rule, model.seat, "permanent", stats, item.rules, 0, part, item.name)


def raise_banner(battle: Battle, unit: Unit, names: tuple[str, ...]) -> None:
    """t9a:22.A.c  Banner Enchantments of a unit's Standard Bearer affect its unit while the bearer stands."""
    unit.banner = names
    for name in names:
        item = ITEMS[name]
        effect = Effect(f"banner:{name}", item.rule, unit.seat, "permanent", item.stats, item.rules, 0, "", name)
        unit.effects = (*unit.effects, effect)


def plain(item: Item) -> dict[str, Any]:
    return msgspec.structs.asdict(item)

"""t9a:22  Special Items: Weapon, Armour and Banner Enchantments, Artefacts. A common list of our own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Model, Unit
from grognard.kernel import reading as read
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


def read_items(said: Any, where: str) -> tuple[tuple[str, str], ...]:
    """t9a:22.A.a, 22.A.b  Items as a list names them, and what each is on: "Warding Stone" or {Quick Blade: Hand
    Weapon}, one or a list of them.
    """
    found = []
    for number, entry in enumerate([said] if isinstance(said, str | dict) else read.listing(said, where)):
        pair = {entry: ""} if isinstance(entry, str) else read.mapping(entry, f"{where}[{number}]")
        for name, on in pair.items():
            found.append((ITEMS[name].name, str(on or "")))
    return tuple(found)


def give(battle: Battle, model: Model, name: str, on: str = "") -> None:
    """t9a:22.B.b  A model carries an item: its effects are the bearer's, the whole model's or its unit's."""
    item = ITEMS[name]
    model.items = (*model.items, name)
    weapon = (on or next(iter(item.on), "")) if item.category == "weapon" else ""
    model.item_of = (*model.item_of, (name, weapon or on))
    if item.bound is not None:
        model.bound = (*model.bound, item.bound)
    model.effects = (*model.effects, *_effects(model, item, weapon))


#: Values and kinds of rules that are a part's own (t9a:5.A.c, 19.B.4); the others are the whole model's.
_OFFENSIVE = ("att", "off", "str", "ap", "agi", "to-hit")


def _effects(model: Model, item: Item, weapon: str) -> list[Effect]:
    """t9a:22.B.b, 19.B.4, 21.A.b.26  What an item does: for the bearer's own part, for the model, for its unit.

    On a mount with Massive Bulk the bearer's armour and protections count for nothing, unless they are the model's.
    """
    key = f"banner:{item.name}" if item.scope == "unit" else f"item:{item.name}"
    rider = next((p.name for p in model.profile.parts if p.rider), "") if item.scope == "bearer" else ""
    if not rider:
        return _made(model, item, key, item.stats, item.rules, "", weapon)
    massive = bool(model.profile.has("massive-bulk"))
    own = tuple(s for s in item.stats if s[0] in _OFFENSIVE)
    kinds = {text: parse(text)[0].kind for text in item.rules}
    rules = tuple(t for t, kind in kinds.items() if kind in ("attribute", "special"))
    shared = () if massive else tuple(s for s in item.stats if s[0] not in _OFFENSIVE)
    common = tuple(t for t, kind in kinds.items() if kind == "universal" or (kind == "protection" and not massive))
    if massive and item.category == "armour":
        common = ()
    return [
        *_made(model, item, key, own, rules, rider, weapon),
        *_made(model, item, key, shared, common, "", ""),
    ]


def _made(
    model: Model,
    item: Item,
    key: str,
    stats: tuple[tuple[str, str, int], ...],
    rules: tuple[str, ...],
    part: str,
    weapon: str,
) -> list[Effect]:
    if not stats and not rules and not weapon:
        return []
    return [Effect(key, item.rule, model.seat, "permanent", stats, rules, 0, part, item.name, weapon)]


def raise_banner(battle: Battle, unit: Unit, names: tuple[str, ...]) -> None:
    """t9a:22.A.c  Banner Enchantments of a unit's Standard Bearer affect its unit while the bearer stands."""
    unit.banner = names
    for name in names:
        item = ITEMS[name]
        effect = Effect(f"banner:{name}", item.rule, unit.seat, "permanent", item.stats, item.rules, 0, "", name)
        unit.effects = (*unit.effects, effect)


def plain(item: Item) -> dict[str, Any]:
    return msgspec.structs.asdict(item)

"""t9a:8.A.a  What a unit of an army list costs, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grognard.games.t9a.army import items
from grognard.kernel.data import reading as read

if TYPE_CHECKING:
    from grognard.games.t9a.army.cards import Entry


class Bought(msgspec.Struct, frozen=True):
    """What of an entry was bought for one unit."""

    models: int
    options: tuple[str, ...] = ()
    mount: str = ""
    level: str = ""
    items: tuple[str, ...] = ()
    banner: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    bsb: bool = False


#: What, points, rule.
Price = tuple[tuple[str, int, str], ...]


def price(entry: Entry, bought: Bought) -> Price:
    """t9a:8.A.a  What a unit costs, line by line: its models and its options, each with its rule."""
    lines = [(entry.name, entry.points, "t9a:8.D.a.1-cost")]
    lines.append(("more models", entry.cost(bought.models) - entry.points, "t9a:8.D.a.1-cost"))
    for key in bought.options:
        option = entry.options[key]
        bounded = option.limit or option.most or option.models
        rule = "t9a:8.D.a.3-limited" if bounded else "t9a:8.D.a.3-unlimited"
        lines.append((key, option.points + option.each * bought.models, rule))
    lines += [(who, entry.command.get(who, 0), "t9a:8.D.a.3-command") for who in bought.command]
    if bought.mount:
        lines.append((bought.mount, entry.mounts[bought.mount].points, "t9a:8.D.b-mount"))
    if bought.level:
        lines.append((f"wizard {bought.level}", entry.wizard.get(bought.level, 0), "t9a:8.D.b-wizard"))
    if bought.bsb:
        lines.append(("battle standard", entry.bsb or 0, "t9a:21.A.b.17"))
    for name in (*bought.items, *bought.banner):
        lines.append((name, items.ITEMS[name].points, items.ITEMS[name].rule))
    return tuple(line for line in lines if line[1])


def cost(lines: Price) -> int:
    return sum(points for _, points, _ in lines)


def bought(said: dict[str, Any], entry: Entry, where: str) -> Bought:
    """t9a:8.A.a  What a unit of a case was bought with."""
    named_items = (name for name, _ in items.read_items(said.get("items", ()), f"{where}.items"))
    return Bought(
        read.whole(said.get("models", entry.least), f"{where}.models"),
        read.words(said.get("options", ()), f"{where}.options"),
        read.one_of(said.get("mount", ""), f"{where}.mount", ("", *entry.mounts)),
        str(said.get("wizard", "")),
        tuple(named_items),
        read.some_of(said.get("banner", ()), f"{where}.banner", items.ITEMS),
        tuple(k for k in ("champion", "musician", "standard") if said.get(k)),
        bool(said.get("bsb")),
    )

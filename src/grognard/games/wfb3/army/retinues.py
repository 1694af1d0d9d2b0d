"""Chapters 14, 15, 16, 17: what a line of an army list may add: handlers, weres, spells, inventions, contingents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grognard.games.wfb3.army import cards, levels, points, spells
from grognard.games.wfb3.army.profiles import MENTAL, Kit, Profile, raised
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets
from grognard.kernel.errors import BadInput
from grognard.kernel.words.tally import Tally

if TYPE_CHECKING:
    pass

KEYS = ("contingent", "handlers", "weres", "were_form", "hides", "spells", "bonuses", "altar", "guards")
HANDLER_KEYS = (
    "creature", "count", "weapons", "missiles", "armour", "shield", "two_weapons", "poisoned", "torches",
)  # fmt: skip
#: wfb3:15.2-level, 15.4-cost  Flat prices of a character's trade.
CHARACTER_EXTRAS = (("Assassin", 25.0, "wfb3:15.2-level"), ("Engineer", 20.0, "wfb3:15.4-cost"))
#: wfb3:15.1-pack-cost, 15.9-cost
HANDLER, WERE = 5.0, 20.0
#: wfb3:14.3.1-maxima  What a characteristic may gain over the race's.
MAXIMA = {"M": 0, "WS": 3, "BS": 3, "S": 1, "T": 1, "W": 3, "I": 3, "A": 3, "Ld": 3, "Int": 3, "Cl": 3, "WP": 3}
#: wfb3:15.9-form  The animals weres become.
FORMS = ("Giant Wolf", "Boar", "Bear")


def extras(said: Mapping[str, Any], where: str, own: Mapping[str, Profile]) -> dict[str, Any]:
    """The fields of a recruit that this chapter knows."""
    found: dict[str, Any] = {
        "contingent": str(said.get("contingent") or ""),
        "hides": str(said.get("hides") or ""),
        "altar": bool(said.get("altar")),
        "guards": str(said.get("guards") or ""),
    }
    if said.get("weres"):
        found["weres"] = read.count(said["weres"], f"{where}.weres")
    if said.get("were_form"):
        found["were_form"] = read.one_of(said["were_form"], f"{where}.were_form", FORMS)
    if said.get("spells"):
        names = tuple(read.words(said["spells"], f"{where}.spells"))
        for name in names:
            sheets.named(name, spells.SPELLS, where, "spell", spells.RULE)
        found["spells"] = names
    return found


def handlers(said: Mapping[str, Any], where: str, own: Mapping[str, Profile]) -> cards.Recruit | None:
    """wfb3:15.1-pack-unit, wfb3:15.1-pack-cost  The handlers of a pack: a line of their own within the line."""
    if not said.get("handlers"):
        return None
    entry = read.mapping(said["handlers"], f"{where}.handlers", HANDLER_KEYS)
    known = {**cards.bestiary(), **own}
    basic = sheets.named(entry.get("creature"), known, where, "creature", "wfb3:24-points")
    kit = cards.read_kit(entry, where)
    price = points.trooper(basic.points, kit, None, extra=((HANDLER, "handler", "wfb3:15.1-pack-cost"),))
    count = cards.models(entry, f"{where}.handlers")
    return cards.Recruit(
        id="handlers", name=basic.name, profile=basic, kit=kit, mount=None, count=count, price=float(price.value),
        points=float(price.value) * count, rules=price.rules,
    )  # fmt: skip


def invented(
    profile: Profile, level: int, said: Mapping[str, Any], wizard: bool, where: str
) -> tuple[Profile, dict[str, int]]:
    """wfb3:14.3-gm-characters, wfb3:14.3.1-maxima, wfb3:14.4-wizard-friendly  A character whose bonuses were agreed on.

    Ruling: as many bonuses as his level; a wizard's must come from a row of the tables by moving points of the body
    into points of the mind.
    """
    gains = {k: read.whole(v, f"{where}.bonuses.{k}") for k, v in read.mapping(said, where, tuple(MAXIMA)).items()}
    for stat, plus in gains.items():
        if plus > MAXIMA[stat]:
            raise BadInput(
                "{where}: {stat} may gain {most} over the race at most, not {plus} (wfb3:14.3.1-maxima)",
                where=where, stat=stat, most=MAXIMA[stat], plus=plus,
            )  # fmt: skip
    if sum(gains.values()) != level:
        raise BadInput(
            "{where}: bonuses of a character of level {level} come to {level}, not {got} (wfb3:14-character-levels)",
            where=where, level=level, got=sum(gains.values()),
        )  # fmt: skip
    if wizard and not any(_moved(row, gains) for row in levels.CHARACTERS[level]):
        raise BadInput(
            "{where}: no row of level {level} gives these bonuses by moving points of the body into the mind"
            " (wfb3:14.4-wizard-friendly)",
            where=where, level=level,
        )  # fmt: skip
    return raised(profile, gains), {k: v for k, v in gains.items() if v}


def _moved(row: tuple[int, ...], gains: Mapping[str, int]) -> bool:
    """Whether bonuses come from a row by moving points into the mind."""
    table = dict(zip(levels.COLUMNS, row, strict=True))
    return all(gains.get(k, 0) <= v if k not in MENTAL else gains.get(k, 0) >= v for k, v in table.items())


def character_cost(
    basic: float, level: int, kit: Kit, mount: Profile | None, *, wizard: bool, traits: tuple[str, ...]
) -> Tally:
    """wfb3:24.6-characters, wfb3:15.2-level, wfb3:15.4-cost  A character with what his trade costs."""
    cost = points.character(basic, level, kit, mount, wizard=wizard)
    for name, price, rule in CHARACTER_EXTRAS:
        if name in traits:
            cost.add(price, name, rule)
    return cost

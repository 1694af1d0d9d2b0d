"""wh40k:18.4-detachment, wh40k:18.5.4-enhancements  Detachments: units they ask for or forbid, rules, Enhancements.

cards/<faction>.detachments.yaml holds ours; an army list may bring its own. A rule of a Detachment is a registered
class, as an ability is: an unknown name is an error on load.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from grognard.games.wh40k.abilities.detachments import RULE, RULES, DetachmentRule
from grognard.games.wh40k.army.profiles import Datasheet, Wargear, read_wargear
from grognard.kernel.data.sheets import read_yaml
from grognard.kernel.errors import BadInput
from grognard.kernel.match import shelf

FOLDER = Path(__file__).resolve().parents[1] / "cards"
KEYS = ("faction", "compulsory", "forbidden", "rules", "enhancements", "ours")


class Enhancement(msgspec.Struct, frozen=True):
    """wh40k:18.5.4-enhancements  One Enhancement: its points and the abilities it gives."""

    name: str
    points: int
    gives: Wargear


class Detachment(msgspec.Struct, frozen=True, dict=True):
    """wh40k:18.4-detachment  One set of Detachment rules."""

    name: str
    faction: str = ""
    compulsory: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    rule_names: tuple[str, ...] = ()
    enhancements: Mapping[str, Enhancement] = {}
    ours: bool = True

    @cached_property
    def rules(self) -> tuple[DetachmentRule, ...]:
        return tuple(RULES[name] for name in self.rule_names)


def parse_detachment(name: str, data: Any) -> Detachment:
    """A Detachment from plain data; what is wrong is told by name."""
    if not isinstance(data, dict) or not set(data) <= set(KEYS):
        raise BadInput(f"the Detachment {name} has no other keys than {', '.join(KEYS)} ({RULE})")
    unknown = [rule for rule in data.get("rules", ()) if rule not in RULES]
    if unknown:
        raise BadInput(f"the Detachment {name} has a rule {unknown[0]} that is not known; known are {', '.join(RULES)}")
    gifts = {}
    listed = data.get("enhancements") or {}
    if not isinstance(listed, dict):
        raise BadInput(f"the Enhancements of the Detachment {name} are a mapping by name ({RULE})")
    for gift, given in listed.items():
        given = {"points": given} if isinstance(given, int) else given
        if not isinstance(given, dict) or not isinstance(given.get("points", 0), int):
            raise BadInput(
                f"the Enhancement {gift} of the Detachment {name} is its points, or {{points, abilities}} ({RULE})"
            )
        gifts[gift] = Enhancement(gift, given.get("points", 0), read_wargear(gift, given))
        assert gifts[gift].gives.traits is not None
    return Detachment(
        name, str(data.get("faction", "")).upper(), tuple(map(str, data.get("compulsory", ()))),
        tuple(map(str, data.get("forbidden", ()))), tuple(data.get("rules", ())), gifts, bool(data.get("ours", True)),
    )  # fmt: skip


@shelf.shelved()
def detachments() -> dict[str, Detachment]:
    """Every Detachment of the starter armies."""
    found: dict[str, Detachment] = {}
    for path in shelf.paths(FOLDER, "*.detachments.yaml"):
        for name, data in read_yaml(path).items():
            found[name] = parse_detachment(name, data)
    return found


def matches(sheet: Datasheet, what: str) -> bool:
    """Whether a datasheet is what a Detachment asks for: its name, or a keyword."""
    return what == sheet.name or what.upper() in sheet.keywords

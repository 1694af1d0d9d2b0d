"""wh40k:18.4-detachment, 18.5.4-enhancements  Detachments: units they ask for or forbid, rules, Enhancements.

cards/<faction>.detachments.yaml holds ours; an army list may bring its own. A rule of a Detachment is a registered
class, as an ability is: an unknown name is an error on load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.profiles import Datasheet, Wargear, read_wargear
from grognard.kernel.errors import BadInput
from grognard.kernel.questions import Order, Pick, Script, option
from grognard.kernel.sheets import read_yaml

FOLDER = Path(__file__).resolve().parent / "cards"
RULE = "wh40k:18.4-detachment"
KEYS = ("faction", "compulsory", "forbidden", "rules", "enhancements", "ours")


class DetachmentRule:
    """What a Detachment does for its army, with the answer of one that does nothing."""

    name: ClassVar[str]

    def may_act(self, battle: Battle, seat: str) -> bool:
        """Whether it has anything to do as a battle round starts."""
        return False

    def act(self, battle: Battle, seat: str) -> Script[None]:
        """What it does as a battle round starts."""
        yield from ()


class IronDiscipline(DetachmentRule):
    """At the start of a battle round one Battle-shocked unit of the army recovers."""

    name = "Iron Discipline"

    def _shocked(self, battle: Battle, seat: str) -> list[Unit]:
        return [u for u in battle.army(seat) if u.shocked]

    def may_act(self, battle: Battle, seat: str) -> bool:
        return bool(self._shocked(battle, seat))

    def act(self, battle: Battle, seat: str) -> Script[None]:
        units = self._shocked(battle, seat)
        if not units:
            return
        options = [option(u.id, u, about=u.named) for u in units]
        unit: Unit | None = yield Pick(seat, "detachment.steady", options, optional=True, rule=RULE)
        if unit is not None:
            unit.shocked = False
            battle.tell("detachment.steadied", RULE, (unit.id,))


class AshenRegrowth(DetachmentRule):
    """At the start of a battle round one wounded model of the army regains a wound."""

    name = "Ashen Regrowth"

    def _wounded(self, battle: Battle, seat: str) -> list[Model]:
        return [m for m in battle.on_table() if m.seat == seat and m.w < m.profile.W]

    def may_act(self, battle: Battle, seat: str) -> bool:
        return bool(self._wounded(battle, seat))

    def act(self, battle: Battle, seat: str) -> Script[None]:
        models = self._wounded(battle, seat)
        if not models:
            return
        options = [option(m.id, m, about=(m.id,)) for m in models]
        model: Model | None = yield Pick(seat, "detachment.heal", options, optional=True, rule=RULE)
        if model is not None:
            model.w += 1
            battle.tell("detachment.healed", RULE, (model.id,), left=model.w)


class SupplyLines(DetachmentRule):
    """At the start of a battle round the army gains a command point, within the limit of all such gains."""

    name = "Supply Lines"

    def may_act(self, battle: Battle, seat: str) -> bool:
        return True

    def act(self, battle: Battle, seat: str) -> Script[None]:
        """wh40k:3.2.2-cap"""
        from grognard.games.wh40k import command

        command.gain(battle, seat, 1, RULE)
        yield from ()


RULES: dict[str, DetachmentRule] = {rule.name: rule for rule in (IronDiscipline(), AshenRegrowth(), SupplyLines())}


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


@lru_cache(maxsize=1)
def detachments() -> dict[str, Detachment]:
    """Every Detachment of the starter armies."""
    found: dict[str, Detachment] = {}
    for path in sorted(FOLDER.glob("*.detachments.yaml")):
        for name, data in read_yaml(path).items():
            found[name] = parse_detachment(name, data)
    return found


def matches(sheet: Datasheet, what: str) -> bool:
    """Whether a datasheet is what a Detachment asks for: its name, or a keyword."""
    return what == sheet.name or what.upper() in sheet.keywords


# ---------------------------------------------------------------------- in the battle


def round_rules(battle: Battle) -> list[tuple[str, DetachmentRule]]:
    """The rules that have something to do as the battle round starts, with whose they are."""
    found = []
    for seat in battle.seats:
        detachment = battle.sides[seat].rules
        found += [(seat, rule) for rule in (detachment.rules if detachment else ()) if rule.may_act(battle, seat)]
    return found


def round_starts(battle: Battle) -> Script[None]:
    """wh40k:1.15.2-outside  Several rules at the start of a round: a roll-off, its winner chooses their order."""
    from grognard.games.wh40k import mission

    waiting = round_rules(battle)
    if len(waiting) > 1:
        chooser = yield from mission.roll_off(battle, "sequence", "wh40k:1.15.2-outside")
        waiting = yield from in_order(battle, chooser, waiting)
    for seat, rule in waiting:
        battle.cite(RULE)
        yield from rule.act(battle, seat)


def in_order(battle: Battle, seat: str, waiting: Sequence[tuple[str, DetachmentRule]]) -> Script[Any]:
    options = [
        option(f"{owner}:{rule.name}", (owner, rule), text="option.rule", data={"rule": rule.name, "seat": owner})
        for owner, rule in waiting
    ]
    ordered = yield Order(seat, "sequence.rules", options, rule="wh40k:1.15.2-outside")
    return list(ordered)

"""What a model can do about its dice, and what a die means: testers, victims, re-rolls used, the rule of 1."""

from __future__ import annotations

from typing import Any, TypeVar

from grognard.games.nemesis.abilities.base import Trait
from grognard.games.nemesis.battle import OVERRIDE, Battle
from grognard.games.nemesis.forces import Model, Unit, Used
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import HEROIC, REROLL, SOURCES, Rolled, Tester, Victim
from grognard.kernel.citing import cites
from grognard.kernel.questions import Roll, Script
from grognard.kernel.words.tally import Tally

T = TypeVar("T")
MIRROR = "nemesis:A1-mirror"


def holds(battle: Battle, model: Model, flag: str) -> Trait | None:
    """The first trait of a model that sets a flag; cites nothing, for abilities that may yet not act."""
    return next((trait for trait in battle.traits(model) if getattr(trait, flag)), None)


def overrides(battle: Battle, model: Model, flag: str) -> str:
    """nemesis:A1-override  The rule of an ability that takes the place of the ordinary one for this model, or ""."""
    rule = battle.flag(model, flag)
    if rule:
        battle.cite(OVERRIDE)
    return rule


def mirrored(battle: Battle, user: Model, other: Model, flag: str) -> bool:
    """nemesis:A1-mirror  An ability does nothing to an opponent who has the same one."""
    mine = holds(battle, user, flag)
    if mine is None or holds(battle, other, flag) is None:
        return False
    battle.cite(MIRROR, mine.rule)
    return True


def spokesman(battle: Battle, unit: Unit) -> Model:
    """The model whose means count in a test of the whole unit. Ruling: its first trooper still standing."""
    members = battle.standing(unit) or battle.members(unit)
    return next((m for m in members if m.id != unit.hero and not m.champion), members[0])


def tester(battle: Battle, model: Model, *, kinds: tuple[str, ...] = ()) -> Tester:
    """nemesis:A1.1-audacity, nemesis:A1.7-courage, nemesis:A1.11-hardened  Who rolls and which re-rolls he has left.

    kinds: "stat" (a stat test: Audacity), "flight" (failing means flight: Courage). Hardened re-rolls anything.
    """
    again = []
    if "stat" in kinds and not model.used.audacity and holds(battle, model, "rerolls_stat_test"):
        again.append("audacity")
    if "flight" in kinds and holds(battle, model, "rerolls_flight"):
        again.append("courage")
    if not model.used.hardened and holds(battle, model, "bonus_die"):
        again.append("hardened")
    return Tester(
        model.seat, (model.id,), tuple(again),
        one_fails_under=bool(battle.house.get("one_fails_roll_under", False)),
        one_before_stat=bool(battle.house.get("modified_one_before_stat", False)),
    )  # fmt: skip


def victim(battle: Battle, model: Model) -> Victim:
    """nemesis:17.3-resist, nemesis:21.2-current-s  Resistance and present survival of whoever is struck."""
    survival = stat(battle, model, "S")
    if model.s < model.s_start:
        battle.cite("nemesis:21.2-current-s")
    resist = tester(battle, model).again
    return Victim(tester(battle, model, kinds=("stat",)), stat(battle, model, "R"), survival, resist)


def spend(battle: Battle, model: Model, used: tuple[str, ...]) -> None:
    """nemesis:A1-class, nemesis:A1.1-audacity, nemesis:A1.6-corruption, nemesis:A1.11-hardened
    What was used is used up for the turn (Courage and Dodge are not)."""
    for source in used:
        battle.cite(SOURCES[source], "nemesis:A1-class")
        if source in Used.__struct_fields__:
            model.used = model.used.but(**{source: True})


def heed(battle: Battle, script: Script[T]) -> Script[T]:
    """nemesis:3.3-dice, nemesis:3.3-one  Run a step and note what its dice say: which rule of 1 a 1 fell under."""
    reply: Any = None
    rolled: Roll | None = None
    while True:
        try:
            ask = script.send(reply)
        except StopIteration as stop:
            result: T = stop.value
            if rolled is not None and isinstance(result, Rolled) and _undone(rolled, result):
                battle.cite("nemesis:3.3-one", "nemesis:3.3-one-high")
            return result
        reply = yield ask
        if isinstance(ask, Roll):
            rolled = ask
            _note(battle, ask, reply)


def _undone(roll: Roll, result: Rolled) -> bool:
    """nemesis:3.3-one-high  Whether a roll that reached what it needed failed for a 1, natural or modified."""
    need = roll.need.value if isinstance(roll.need, Tally) else roll.need
    return roll.sense == "high" and need is not None and result.total >= need and not result.passed


@cites
def _note(battle: Battle, roll: Roll, faces: tuple[int, ...]) -> None:
    """nemesis:3.3-dice  Which rules a die that was rolled falls under.

    nemesis:21.2-other-saves, nemesis:5.1-test, nemesis:22-test, nemesis:3.3-one
    """
    if roll.sense == "under":
        battle.cite("nemesis:5.1-test")
    if roll.rule == REROLL and roll.name == "resist":
        battle.cite("nemesis:21.2-other-saves")
    if roll.rule == HEROIC and roll.sense == "under":
        battle.cite("nemesis:22-test")
    total = faces[0] + (roll.plus.value if roll.plus is not None else 0)
    if 1 in faces or (roll.sense in ("high", "over") and total <= 1):
        battle.cite("nemesis:3.3-one", _rule_of_one(roll))


def _rule_of_one(roll: Roll) -> str:
    """nemesis:3.3-one-high, nemesis:3.3-one-under, nemesis:3.3-one-value, nemesis:3.3-defence-one"""
    if roll.name == "combat.defence":
        return "nemesis:3.3-defence-one"
    return {"under": "nemesis:3.3-one-under", "value": "nemesis:3.3-one-value"}.get(roll.sense, "nemesis:3.3-one-high")

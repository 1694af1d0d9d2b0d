"""nemesis:14.4-declare  What the players have said they will do in the magic phase, in order."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model


class Target(msgspec.Struct, frozen=True):
    """nemesis:14.4-target  What a spell is aimed at, fixed when it is declared.

    kind: "self", "unit", "model", "wood" or "place"; id of the thing; x, y, facing of a place, if any.
    """

    kind: str
    id: str = ""
    x: float = 0.0
    y: float = 0.0
    facing: float = 0.0


class Declared(msgspec.Struct, frozen=True):
    """One entry of the magic phase's queue.

    kind: "cast" (`what` is the spell's key), "dispel" (`what` is the enchantment's id) or "begun" (a seat has
    started to declare; nothing to execute).
    """

    kind: str
    seat: str
    mage: str = ""
    what: str = ""
    target: Target = Target("self")


def queue_of(battle: Battle) -> list[Declared]:
    return [entry for entry in battle.queue if isinstance(entry, Declared)]


def of_mage(battle: Battle, mage: Model, kind: str) -> list[Declared]:
    return [entry for entry in queue_of(battle) if entry.mage == mage.id and entry.kind == kind]


def add(battle: Battle, entry: Declared) -> None:
    battle.queue = (*battle.queue, entry)


def next_up(battle: Battle) -> Declared | None:
    queue = queue_of(battle)
    return queue[0] if queue else None


def done(battle: Battle) -> None:
    """The first entry has been dealt with."""
    battle.queue = battle.queue[1:]


def mages(battle: Battle, seat: str) -> list[Model]:
    """nemesis:14-who  The models of a side that use magic."""
    return [m for m in battle.on_table(seat) if m.card.CO > 0]


def enemy_mages(battle: Battle, seat: str) -> list[Model]:
    """In the order of activation."""
    return [m for other in battle.order if other != seat for m in mages(battle, other)]

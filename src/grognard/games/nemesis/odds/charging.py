"""nemesis:16.2-procedure  A declared charge weighed: the reaction, fear, reach, and the blows struck first."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.engage import charges
from grognard.games.nemesis.engage.reactions import RULES
from grognard.games.nemesis.forces import Model, Order, Reaction, Unit
from grognard.games.nemesis.odds.fights import Blows, weigh_round
from grognard.games.nemesis.odds.policy import chooser
from grognard.games.nemesis.odds.shots import falling, volley_at
from grognard.games.nemesis.setup.missions import GameOver
from grognard.kernel.odds.weigh import Distribution, Weigher, bind
from grognard.kernel.questions import Script


class Charge(NamedTuple):
    """How a charge ended: "contact", "too far", "afraid", "fled", "shot down"; and what both sides lost."""

    end: str
    chargers_lost: int
    targets_lost: int


class Arrival(NamedTuple):
    """What a charge came to before any blow, told apart by everything that counts for the blows."""

    end: str
    contacts: tuple[tuple[str, str], ...] = ()
    shaken: bool = False
    countered: bool = False


class Charging:
    """A unit's charge at another, both on the table, with the reaction declared."""

    def __init__(self, battle: Battle, unit: Unit, target: Unit, reaction: str, means: str) -> None:
        self.means = means
        self.unit, self.target = unit.id, target.id
        self.weigher = Weigher(chooser(means))
        self.touched: dict[str, None] = {}
        self.battle = battle.copy()
        self.battle.cited = self.touched
        self._declare(reaction)
        self.arrived: dict[Arrival, Battle] = {}
        self._known: Blows = {}

    def _declare(self, reaction: str) -> None:
        """nemesis:13.3-target, nemesis:16.1-mandatory  The order to charge, and the reaction to it."""
        battle = self.battle
        battle.phase, battle.begun = "engage", True
        unit, target = battle.units[self.unit], battle.units[self.target]
        stood = tuple((m.id, battle.pose(m).x, battle.pose(m).y) for m in battle.on_table() if m.seat != unit.seat)
        others = tuple(o for o in unit.orders if o.action != "charge")
        unit.orders = (*others, Order("charge", target.id, unit.models, declared_at=stood))
        target.reaction = Reaction(reaction, unit.id)
        first = ("nemesis:16.2-strike-first", "nemesis:16.2-instant-losses")
        battle.cite("nemesis:16.1-mandatory", RULES[reaction], *first)

    def weigh(self) -> Distribution[Charge]:
        """The whole charge."""
        return bind(self.shot_down(), self.go).reduced()

    def shot_down(self) -> Distribution[int]:
        """nemesis:16.1-shoot  How many chargers the reaction shot fells before the charge moves."""
        battle, target = self.battle, self.battle.units[self.target]
        if target.reaction is None or target.reaction.kind != "shoot":
            return Distribution.certain(0)
        return volley_at(battle, self.weigher, target, battle.units[self.unit], self.shooters(battle))

    def shooters(self, battle: Battle) -> list[Model]:
        """nemesis:16.1-shoot  Who of the target can shoot at the chargers."""
        return [m for m in battle.standing(battle.units[self.target]) if m.card.ranged and not m.shot]

    def go(self, felled: int) -> Distribution[Charge]:
        """The charge of those the reaction left, and their blows."""
        battle = self.after_shot(felled)
        if not battle.units[self.unit].models:
            return Distribution.certain(Charge("shot down", felled, 0))
        arrivals = self.weigher.run(lambda: self.way(battle.copy()))
        return bind(arrivals, lambda arrival: self._blows(arrival, felled))

    def after_shot(self, felled: int) -> Battle:
        """The table once the foremost chargers are gone and the shot is made."""
        battle = self.battle.copy()
        unit, target = battle.units[self.unit], battle.units[self.target]
        if target.reaction is not None and target.reaction.kind == "shoot":
            target.reaction = msgspec.structs.replace(target.reaction, done=True)
        for model in falling(battle, self.shooters(battle), unit)[:felled]:
            model.on_table = False
            battle.bodies.remove(model.body)
            unit.models = tuple(key for key in unit.models if key != model.id)
        return battle

    def way(self, battle: Battle) -> Script[Arrival]:
        """nemesis:16.2-procedure  The battle's own charge, from the reaction on."""
        battle.cited = self.touched
        unit, target = battle.units[self.unit], battle.units[self.target]
        with suppress(GameOver):
            yield from charges.charge(battle, unit)
        touching = tuple((m.id, foe) for m in battle.members(unit) for foe in battle.contacts(m))
        arrival = Arrival(_end(unit, target, touching), touching, target.shaken, target.counter_charged)
        self.arrived.setdefault(arrival, battle)
        return arrival

    def _blows(self, arrival: Arrival, felled: int) -> Distribution[Charge]:
        """nemesis:16.2-strike-first  The chargers strike before anyone else, and whom they slay leaves at once."""
        if arrival.end != "contact":
            return Distribution.certain(Charge(arrival.end, felled, 0))
        battle = self.arrived[arrival]
        unit, target = battle.units[self.unit], battle.units[self.target]
        tolls, touched = weigh_round(battle, unit, target, self.means, only=unit.seat, blows=self._known)
        self.weigher.touched.update(dict.fromkeys(touched))
        return tolls.map(lambda toll: Charge("contact", felled, toll[2]))


def _end(unit: Unit, target: Unit, touching: tuple[tuple[str, str], ...]) -> str:
    if touching:
        return "contact"
    if target.fleeing or not target.models:
        return "fled"
    return "afraid" if unit.courage_failed or unit.stunned else "too far"

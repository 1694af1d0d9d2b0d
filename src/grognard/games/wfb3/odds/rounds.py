"""Chapter 7:
Charges and rounds of combat weighed: the battle's own scripts, followed along every course of the dice."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import charging, declaring, responses
from grognard.games.wfb3.combat import blows, rounds
from grognard.games.wfb3.combat.blows_progress import Clash
from grognard.games.wfb3.flying import air_rounds
from grognard.games.wfb3.forces import AirFight, Unit
from grognard.games.wfb3.shooting import volleys
from grognard.games.wfb3.shooting.volley_progress import Salvo
from grognard.games.wfb3.table import contacts
from grognard.kernel.odds.courses import Courses
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Script

#: What has more courses than this, all its stages together, is not weighed.
MOST = 150_000
CONTACT = "contact"


class Progress:
    """How far a charge and the round after it have come: a volley, a clash, how the charge ended, who won."""

    def __init__(self) -> None:
        self.salvo: Salvo | None = None
        self.clash: Clash | None = None
        self.end = ""
        self.result = ""

    def copy(self) -> Progress:
        twin = Progress()
        twin.salvo = self.salvo.copy() if self.salvo is not None else None
        twin.clash = self.clash.copy() if self.clash is not None else None
        twin.end, twin.result = self.end, self.result
        return twin

    def key(self) -> Hashable:
        salvo, clash = (one.key() if one is not None else None for one in (self.salvo, self.clash))
        return salvo, clash, self.end, self.result


class Toll(NamedTuple):
    """How it ended: the charge, the round, what both sides lost, and what has become of either."""

    end: str
    result: str
    attackers_lost: int
    defenders_lost: int
    attackers: str
    defenders: str


Ways = Courses[Battle, Progress]


class Fight:
    """One unit against another, in a battle whose other units stand by or fight beside them."""

    def __init__(self, weigher: Weigher, battle: Battle, unit: Unit, foe: Unit) -> None:
        self.unit, self.foe = unit.id, foe.id
        self.models = unit.models, foe.models
        self.start: Ways = Courses.of(weigher, battle, Progress())

    # ------------------------------------------------------------------ the charge

    def charge(self, *, fight: bool) -> Distribution[Toll]:
        """Chapters 7.1, 7.2: A charge from its declaration on, and the first round where it makes contact."""
        ways = self.start.then(self._declare).while_(_shooting, self._shoot).then(self._answered).then(self._move)
        return self._fought(ways) if fight else ways.end(self._told)

    def _declare(self, battle: Battle, now: Progress) -> Script[Progress]:
        now.salvo = yield from declaring.announced(battle, battle.units[self.unit], battle.units[self.foe])
        return now

    def _shoot(self, battle: Battle, now: Progress) -> Script[Progress]:
        assert now.salvo is not None
        yield from volleys.loose(battle, now.salvo)
        return now

    def _answered(self, battle: Battle, now: Progress) -> Script[Progress]:
        yield from responses.shot_at(battle, battle.units[self.unit], battle.units[self.foe], now.salvo)
        now.salvo = None
        return now

    def _move(self, battle: Battle, now: Progress) -> Script[Progress]:
        unit, foe = battle.units[self.unit], battle.units[self.foe]
        if unit.where == "table" and unit.charge.target:
            yield from charging.go_in(battle, unit)
        now.end = _end(battle, unit, foe)
        return now

    # ------------------------------------------------------------------ in the air

    def aloft(self) -> Distribution[Toll]:
        """wfb3:21.4.3-to-hit, wfb3:21.4.4-dogfight  A round in or from the air, with what becomes of the beaten."""
        return self.start.then(self._engaged).then(self._swoop).while_(_striking, self._strike).end(self._landed)

    def _swoop(self, battle: Battle, now: Progress) -> Script[Progress]:
        battle.phase = "combat"
        now.clash = yield from air_rounds.opening(battle, self._party(battle))
        return now

    def _party(self, battle: Battle) -> list[AirFight]:
        return next(p for p in air_rounds.parties(battle) if any(self.unit in (f.flyer, f.foe) for f in p))

    def _landed(self, battle: Battle, now: Progress) -> Script[Toll]:
        assert now.clash is not None
        yield from air_rounds.ending(battle, self._party(battle), now.clash)
        now.result = self._result(battle) or "drawn"
        return (yield from self._told(battle, now))

    # ------------------------------------------------------------------ the round

    def round(self) -> Distribution[Toll]:
        """wfb3:7.6-sequence  A round of combat, up to the rout tests and free hits of the beaten."""
        return self._fought(self.start.then(self._engaged))

    def _engaged(self, battle: Battle, now: Progress) -> Script[Progress]:
        now.end = CONTACT
        yield from ()
        return now

    def _fought(self, ways: Ways) -> Distribution[Toll]:
        return ways.then(self._open).while_(_striking, self._strike).end(self._close)

    def _open(self, battle: Battle, now: Progress) -> Script[Progress]:
        if now.end == CONTACT:
            battle.phase, battle.stage = "combat", 1
            now.clash = yield from rounds.opening(battle, contacts.together(battle, battle.units[self.unit]))
            now.result = self._result(battle)
        return now

    def _strike(self, battle: Battle, now: Progress) -> Script[Progress]:
        assert now.clash is not None
        yield from blows.exchange(battle, now.clash)
        return now

    def _close(self, battle: Battle, now: Progress) -> Script[Toll]:
        if now.clash is not None:
            yield from rounds.ending(battle, now.clash)
            now.result = now.result or self._result(battle) or "drawn"
        return (yield from self._told(battle, now))

    # ------------------------------------------------------------------ what came of it

    def _told(self, battle: Battle, now: Progress) -> Script[Toll]:
        yield from ()
        unit, foe = battle.units[self.unit], battle.units[self.foe]
        lost, slain = (fallen(battle, models) for models in self.models)
        return Toll(now.end, now.result or "no fight", lost, slain, fate(battle, unit), fate(battle, foe))

    def _result(self, battle: Battle) -> str:
        """wfb3:7.12-score, wfb3:7.13.1-draw  Who won, where the round has been told already."""
        for event in battle.events:
            if event.kind == "combat.won":
                ours = event.data["winner"] == battle.units[self.unit].seat
                return "attackers win" if ours else "defenders win"
        return ""


def _shooting(now: Progress) -> bool:
    return now.salvo is not None and now.salvo.going


def _striking(now: Progress) -> bool:
    return now.clash is not None and now.clash.going


def fallen(battle: Battle, models: Sequence[str]) -> int:
    """How many of these models are dead; of beasts and chariots these are the beasts and cars."""
    return sum(not battle.models[key].alive for key in models)


def fate(battle: Battle, unit: Unit) -> str:
    """What has become of a unit."""
    if unit.where == "destroyed":
        return "destroyed"
    if unit.rout.routed or unit.where == "fled":
        return "routed"
    return "pushed back" if unit.combat.pushed == battle.clock else "stands"


def _end(battle: Battle, unit: Unit, foe: Unit) -> str:
    """wfb3:7.3-failed-charge  How a charge ended."""
    if unit.where != "table":
        return "shot down"
    if unit.rout.routed:
        return "routed"
    if unit.march.frozen >= battle.clock and unit.march.frozen_why == "fear":
        return "afraid"
    if any(other.id == foe.id for other, _, _ in battle.foes(unit)):
        return CONTACT
    if foe.rout.caught == unit.id:
        return "run down"
    if foe.rout.routed or foe.charge.answered == "flee" or foe.where != "table":
        return "fled"
    return "too far"

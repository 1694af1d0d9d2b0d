"""The state of a battle, and the plain questions one can ask of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from grognard.games.wh40k.abilities import Trait
from grognard.games.wh40k.army.profiles import CORE_KEYWORDS
from grognard.games.wh40k.forces import Marker, Model, Side, Unit
from grognard.games.wh40k.positions import EPS, Crowd
from grognard.games.wh40k.terrain import elevation
from grognard.kernel.citing import cites
from grognard.kernel.geometry.base import Pose, Shape
from grognard.kernel.geometry.gaps import gap
from grognard.kernel.geometry.terrain import FloatArray, Table
from grognard.kernel.state.field import Field

#: wh40k:19.1-sequence, 2.3-phases
BEFORE = ("battlefield", "attacker", "formations", "deployment", "first-turn", "prebattle")
TURN = ("command", "movement", "shooting", "charge", "fight", "end")
PHASES = (*BEFORE, "round", *TURN)
ROUNDS = 5
REVERT = "wh40k:3.4.6-attached-revert"


def up(model: Model) -> float:
    """wh40k:1.10.3-no-base  How far up a model is measured.

    Ruling: a model without a base reaches as high as its height all over its outline.
    """
    return model.profile.tall if model.profile.hull else 0.0


class Battle(Field[Model, Unit, Side]):
    """Everything that changes while Warhammer 40,000 is played; datasheets and terrain are shared by copies."""

    __slots__ = (
        "_crowd", "_geared", "_memo", "attacker", "first", "markers", "plans", "round", "second",
    )  # fmt: skip

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str) -> None:
        super().__init__(seats, table, house, scenario, BEFORE[0])
        self.markers: tuple[Marker, ...] = ()
        self.attacker = self.seats[0]
        self.first = self.seats[0]  # wh40k:2.2-first-player
        self.second = False  # whether it is the second player's turn
        self.round = 0
        #: wh40k:19.4-formations  What each player has declared so far, secret until both have finished.
        self.plans: dict[str, tuple[tuple[str, str, str], ...]] = dict.fromkeys(self.seats, ())
        self._crowd: Crowd | None = None
        self._geared: bool | None = None  # whether anybody's wargear serves a whole unit
        self._memo: dict[Any, Any] = {}

    def copy(self) -> Self:
        twin = super().copy()
        twin.plans = dict(self.plans)
        twin._crowd, twin._memo = None, {}
        return twin

    @property
    def turn(self) -> int:
        """wh40k:2.1-rounds  What logs, reports and clocks count: the battle round."""
        return self.round

    # ------------------------------------------------------------------ who is who

    @property
    def active(self) -> str:
        """The player whose turn it is."""
        return self.other(self.first) if self.second else self.first

    def other(self, seat: str) -> str:
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    def army(self, seat: str, where: str = "table") -> list[Unit]:
        """wh40k:1.2  A player's units in one place, in the order they were mustered."""
        return [u for u in self.units.values() if u.seat == seat and u.where == where and u.models]

    def aboard(self, transport: Unit) -> list[Unit]:
        """wh40k:5.1-capacity  The units embarked in a TRANSPORT."""
        return [u for u in self.units.values() if u.transport == transport.id and u.where == "embarked" and u.models]

    def keywords(self, unit: Unit) -> tuple[str, ...]:
        """wh40k:1.5, wh40k:23.1-attached-keywords
        Ruling: every keyword any of its models has (house rule: all have)."""
        members = self.members(unit)
        found = dict.fromkeys(k for m in members for k in m.keywords)
        if unit.leader is not None:
            self.cite("wh40k:23.1-attached-keywords")
            if self.house["attached_keywords"] == "all":
                return tuple(k for k in found if all(k in m.keywords for m in members))
        return tuple(found)

    def is_kind(self, unit: Unit, *keywords: str) -> bool:
        """wh40k:1.5, wh40k:1.5.1-core-keywords, wh40k:11.3.3-keywords  Whether a unit has any of these keywords."""
        have = self.keywords(unit)
        if not any(k in have for k in keywords):
            return False
        core = any(k in CORE_KEYWORDS for k in keywords)
        self.cite("wh40k:1.5", "wh40k:11.3.3-keywords", *(["wh40k:1.5.1-core-keywords"] if core else []))
        return True

    def attached(self, unit: Unit) -> bool:
        """wh40k:12.5.4-single-unit  A Leader and Bodyguards, both still there."""
        return unit.leader is not None and len({self.models[m].home for m in unit.models}) > 1

    def strength(self, unit: Unit) -> int:
        """wh40k:3.4.1-starting, wh40k:3.4.5-attached-ss, wh40k:3.4.6-attached-revert
        Its Starting Strength as things stand."""
        if unit.leader is None:
            self.cite("wh40k:3.4.1-starting")
            return unit.start
        homes = list(dict.fromkeys(self.models[m].home for m in unit.models))
        self.cite("wh40k:3.4.5-attached-ss" if len(homes) > 1 else REVERT)
        return sum(self.units[home].start for home in homes)

    def below_half(self, unit: Unit) -> bool:
        """wh40k:3.4.2-half-single, wh40k:3.4.3-half-multi  Exactly half is not below."""
        start = self.strength(unit)
        if start == 1:
            self.cite("wh40k:3.4.2-half-single")
            model = self.members(unit)[0]
            return 2 * model.w < model.profile.W
        self.cite("wh40k:3.4.3-half-multi")
        return 2 * len(unit.models) < start

    # ------------------------------------------------------------------ abilities

    def traits(self, model: Model) -> tuple[Trait, ...]:
        """wh40k:11.3.2-wargear-abilities  A model's abilities, with those that wargear in its unit gives to all."""
        if self._geared is None:
            self._geared = any(m.profile.shared for m in self.models.values())
        if not self._geared:
            return model.profile.traits
        shared = [t for other in self.units[model.unit].models for t in self.models[other].profile.shared]
        return (*model.profile.traits, *shared) if shared else model.profile.traits

    def flag(self, model: Model, name: str) -> str:
        """wh40k:11.3.1-abilities  The rule id of the ability that sets a flag, or ""."""
        trait = next((t for t in self.traits(model) if getattr(t, name)), None)
        if trait is None:
            return ""
        self.came_from(model, trait)
        return trait.rule

    @cites
    def came_from(self, model: Model, trait: Trait) -> None:
        """wh40k:11.3.1-abilities  Where an ability comes from: of the model itself, or of what it bears.

        wh40k:11.3.2-wargear-abilities, wh40k:18.5.4-enhancements
        """
        profile = model.profile
        if profile.enhancement is not None and trait in profile.enhancement.traits:
            self.cite("wh40k:18.5.4-enhancements")
        if trait not in profile.traits or any(trait in item.traits for item in profile.gear):
            self.cite("wh40k:11.3.2-wargear-abilities")

    def every_flag(self, unit: Unit, name: str) -> str:
        """wh40k:23.57-attached-abilities  The rule id where every model of the unit has the flag, or ""."""
        rules = [self.flag(m, name) for m in self.members(unit)]
        if not rules or not any(rules):
            return ""
        if self.attached(unit):
            self.cite("wh40k:23.57-attached-abilities")
        self.cite(next(rule for rule in rules if rule))
        return rules[0] if all(rules) else ""

    # ------------------------------------------------------------------ where things are

    def z(self, model: Model) -> float:
        return elevation(self.table, self.pose(model))

    def crowd(self) -> Crowd:
        """Everyone on the battlefield as arrays, worked out once per state of it."""
        if self._crowd is None or self._crowd.version != self.bodies.version:
            models = list(self.on_table())
            rows = np.array([m.body for m in models], np.int64)
            discs = np.empty((len(models), 3))
            discs[:, 0], discs[:, 1] = self.bodies.x[rows], self.bodies.y[rows]
            discs[:, 2] = self.bodies.outlines.reach[rows]
            z = np.array([self.z(m) for m in models], np.float64)
            seats = np.array([self.seats.index(m.seat) for m in models], np.int64)
            exact = None if self.bodies.outlines.all_round else self.bodies.gap_matrix(rows, rows)
            tops = z + np.array([up(m) for m in models], np.float64)
            self._crowd = Crowd(self.bodies.version, models, discs, z, tops, seats, exact)
            self._memo = {}
        return self._crowd

    def radius(self, model: Model) -> float:
        """Of the circle round a model's base; its own where it is round."""
        return float(self.bodies.outlines.reach[model.body])

    def apart(self, a: Model, at: Pose, b: Model, to: Pose) -> float:
        """wh40k:1.10.6-units, wh40k:1.10.3-no-base  The horizontal gap of two models, each where it is imagined."""
        one, two = self.bodies.base(a.body), self.bodies.base(b.body)
        if Shape.RECT in (one.shape, two.shape):
            self.cite("wh40k:1.10.3-no-base")
        return gap(one, at, two, to)

    def gap(self, a: Model, b: Model) -> float:
        """wh40k:1.10.2-closest, wh40k:1.10.3-no-base, wh40k:1.10.1-inches
        From base to base, or hull, in three dimensions, in mm."""
        self.cite("wh40k:1.10.2-closest", "wh40k:1.10.1-inches")
        if a.profile.hull or b.profile.hull:
            self.cite("wh40k:1.10.3-no-base")
        return math.hypot(self.bodies.gap(a.body, b.body), self.rise(a, self.pose(a), b, self.pose(b)))

    def rise(self, a: Model, at: Pose, b: Model, to: Pose) -> float:
        """wh40k:1.10.3-no-base  The vertical gap of two models, each where it is imagined."""
        one, two = elevation(self.table, at), elevation(self.table, to)
        return max(0.0, one - two - up(b), two - one - up(a))

    def gaps(self, ours: Sequence[Model], theirs: Sequence[Model], *, flat: bool = False) -> FloatArray:
        """wh40k:1.10.2-closest  Gaps of these models from those; `flat` horizontally only."""
        crowd = self.crowd()
        self.cite("wh40k:1.10.2-closest", "wh40k:1.10.1-inches")
        if any(m.profile.hull for m in (*ours, *theirs)):
            self.cite("wh40k:1.10.3-no-base")
        rows, columns = crowd.rows(ours), crowd.rows(theirs)
        away: FloatArray = crowd.gaps[np.ix_(rows, columns)]
        return away if flat else np.hypot(away, crowd.rises[np.ix_(rows, columns)])

    def unit_gap(self, a: Unit, b: Unit, *, flat: bool = False) -> float:
        """wh40k:1.10.6-units  Ruling: the smallest distance between models of two units."""
        self.cite("wh40k:1.10.6-units", "wh40k:1.10.2-closest", "wh40k:1.10.1-inches")
        self.crowd()
        key = ("unit gap", a.id, b.id, a.models, b.models, flat)
        if key not in self._memo:
            between = self.gaps(self.members(a), self.members(b), flat=flat)
            self._memo[key] = float(between.min()) if between.size else math.inf
        away: float = self._memo[key]
        return away

    def within(self, a: Unit, b: Unit, distance: float, *, flat: bool = False) -> bool:
        """wh40k:1.10.4-within"""
        self.cite("wh40k:1.10.4-within")
        return self.unit_gap(a, b, flat=flat) <= distance + EPS

    def engaged_with(self, unit: Unit) -> list[Unit]:
        """wh40k:1.7.1-def  The enemy units within Engagement Range of a unit."""
        crowd = self.crowd()
        key = ("engaged", unit.id, unit.models)
        if key not in self._memo:
            rows = crowd.rows(self.members(unit))
            near = crowd.engaged[rows].any(axis=0) if len(rows) else np.zeros(len(crowd.models), np.bool_)
            found = dict.fromkeys(crowd.models[i].unit for i in np.flatnonzero(near).tolist())
            self._memo[key] = [self.units[u] for u in found]
        self.cite("wh40k:1.7.1-def")
        engaged: list[Unit] = self._memo[key]
        return engaged

    def engaged(self, unit: Unit) -> bool:
        return bool(self.engaged_with(unit))

    def by_aircraft(self, unit: Unit) -> tuple[str, ...]:
        """wh40k:23.51-engaged-by-aircraft  The rule, where enemy AIRCRAFT alone hold a unit that does not FLY."""
        foes = self.engaged_with(unit)
        held = bool(foes) and all(self.is_kind(e, "AIRCRAFT") for e in foes) and not self.is_kind(unit, "FLY")
        return ("wh40k:23.51-engaged-by-aircraft",) if held else ()

    def model_engaged(self, model: Model) -> list[Model]:
        """wh40k:1.7.1-def  The enemy models within Engagement Range of a model."""
        crowd = self.crowd()
        if model.id not in crowd.row:
            return []
        return [crowd.models[i] for i in np.flatnonzero(crowd.engaged[crowd.row[model.id]]).tolist()]

    def touching(self, model: Model) -> list[Model]:
        """Whoever is in base-to-base contact with a model."""
        crowd = self.crowd()
        if model.id not in crowd.row:
            return []
        return [crowd.models[i] for i in np.flatnonzero(crowd.touching[crowd.row[model.id]]).tolist()]

    def touches_enemy(self, model: Model) -> bool:
        return any(other.seat != model.seat for other in self.touching(model))

"""The state of a battle, and the plain questions one can ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grognard.games.t9a import carried_items, unit_class
from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.profiles import FULL_RANK, Profile, spoken
from grognard.games.t9a.army.spells import Book
from grognard.games.t9a.forces import Counter, Effect, Engagement, Model, Side, Unit
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.formation.block import Block, Post
from grognard.kernel.formation.obstacles import Field
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import TOUCH, inches

#: t9a:9, 10.A, 2.A.a
BEFORE = ("battlefield", "zones", "spells", "special", "deployment", "scouts", "vanguard", "first-turn")
TURN = ("charge", "movement", "magic", "shooting", "melee", "end")
PHASES = (*BEFORE, *TURN)
TURNS = 6
#: Distances are compared with this slack (mm): a gap of exactly 12" is within 12".
EPS = 0.03
#: Fields a copy takes over as they are: numbers, words and tuples.
_PLAIN = (
    "engagements", "counters", "deployment", "objective", "diagonal", "chooser", "first", "second", "turn", "clock",
    "phase", "begun", "stage", "cursor", "queue", "flux", "combat", "serial", "outcome", "random_terrain", "version",
    "lore", "summons",
)  # fmt: skip


def seat_rules(block: Block) -> list[str]:
    """t9a:21.A.b.3-mismatch, t9a:21.A.b.3-matching-rules  What the bases of a block's Characters have a say by."""
    found = ["t9a:21.A.b.3-mismatch"] if any(g.post is not Post.RANKS for g in block.guests) else []
    if any(g.post is Post.RANKS and block.cells(g) != (1, 1) for g in block.guests):
        found.append("t9a:21.A.b.3-matching-rules")
    return found


class Battle(KernelBattle):
    """Everything that changes while The Ninth Age is played; profiles and terrain are shared by copies."""

    __slots__ = (*_PLAIN, "_memo", "models", "scenario", "shared", "sides", "units")

    def __init__(self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str) -> None:
        super().__init__(seats, table, house)
        self.scenario = scenario
        self.units: dict[str, Unit] = {}
        self.models: dict[str, Model] = {}
        self.sides: dict[str, Side] = {}
        self.engagements: tuple[Engagement, ...] = ()
        self.counters: tuple[Counter, ...] = ()
        self.deployment = 1
        self.objective = 1
        self.diagonal = ""
        self.chooser = self.seats[0]  # who chose his Deployment Zone
        self.first = self.seats[0]
        self.second = False
        self.turn = 0
        self.clock = 0  # Player Turns begun
        self.phase = "battlefield"
        self.begun = False
        self.stage = 0
        self.cursor = 0
        self.queue: tuple[Any, ...] = ()
        self.flux = 0  # the Flux Card in play
        self.combat: tuple[str, ...] = ()  # the units of the combat being fought
        self.serial = 0
        self.outcome: dict[str, Any] | None = None
        self.random_terrain = False
        self.version = 0
        self.lore: Book = {}  # Paths of Magic of this battle besides ours
        self.summons: dict[str, Profile] = {}  # profiles its spells may summon besides ours
        self.shared: dict[str, int] | None = None  # t9a:21.B.e  simultaneous hits distributed so far, by pool
        self._memo: dict[Any, Any] = {}

    def copy(self) -> Battle:
        twin = Battle.__new__(Battle)
        twin.seats, twin.table, twin.house, twin.scenario = self.seats, self.table, self.house, self.scenario
        twin.forget()
        twin.units = {key: unit.copy() for key, unit in self.units.items()}
        twin.models = {key: model.copy() for key, model in self.models.items()}
        twin.sides = {key: side.copy() for key, side in self.sides.items()}
        for name in _PLAIN:
            setattr(twin, name, getattr(self, name))
        twin.shared = None if self.shared is None else dict(self.shared)
        twin._memo = {}
        return twin

    # ------------------------------------------------------------------ who is who

    @property
    def active(self) -> str:
        """t9a:2.A.b  The player whose Player Turn it is; before the battle, the one who comes first
        (t9a:2.A.c-deploy).
        """
        if self.turn == 0:
            done = [s for s in self.seats if self.sides[s].finished == 1]
            return done[0] if done else self.chooser
        return self.other(self.first) if self.second else self.first

    @property
    def reactive(self) -> str:
        return self.other(self.active)

    def other(self, seat: str) -> str:
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    @property
    def field(self) -> Field:
        return Field(self.table.width, self.table.height)

    def army(self, seat: str) -> list[Unit]:
        """A player's units on the table, in the order they were mustered."""
        return [u for u in self.units.values() if u.seat == seat and u.where == "table"]

    def enemies(self, seat: str) -> list[Unit]:
        """t9a:2.A.d"""
        return [u for u in self.units.values() if u.seat != seat and u.where == "table"]

    def on_table(self) -> Iterator[Unit]:
        return (u for u in self.units.values() if u.where == "table")

    def guests(self, unit: Unit) -> list[Model]:
        """Models of a unit with Health Pools of their own, in the order they stand in its block."""
        return [self.models[key] for key in unit.guests]

    def characters(self, unit: Unit) -> list[Model]:
        """t9a:3.B.a  The Characters in a unit; War Platforms are among them (t9a:21.A.b.34)."""
        return [m for m in self.guests(unit) if m.role == "character"]

    def unit_of(self, model: Model) -> Unit:
        return self.units[model.unit]

    def size(self, unit: Unit) -> int:
        """How many models a unit has."""
        return unit.troops + len(unit.guests)

    def rank_and_file(self, unit: Unit) -> int:
        """t9a:3.B.a  Champions, Musicians and Standard Bearers are Rank-and-File."""
        return unit.troops + sum(m.role != "character" for m in self.guests(unit))

    def hp(self, unit: Unit) -> int:
        """t9a:3.B.d  All Health Points of a unit."""
        return unit.troops * unit.profile.hp - unit.lost + sum(m.hp for m in self.guests(unit))

    def pools(self, unit: Unit) -> list[str]:
        """t9a:3.B.d  The Health Pools of a unit: the Rank-and-File's, then one for each model that has its own."""
        return [*([unit.id] if unit.troops else []), *unit.guests]

    def pool_hp(self, pool: str) -> int:
        if pool in self.models:
            return self.models[pool].hp
        unit = self.units[pool]
        return unit.troops * unit.profile.hp - unit.lost

    def pool_profile(self, pool: str) -> Profile:
        return self.models[pool].profile if pool in self.models else self.units[pool].profile

    def pool_unit(self, pool: str) -> Unit:
        return self.units[self.models[pool].unit] if pool in self.models else self.units[pool]

    def pool_count(self, pool: str) -> int:
        return 1 if pool in self.models else self.units[pool].troops

    def pool_at(self, unit: Unit, number: int) -> str:
        """The Health Pool of the model with a number in the unit's block."""
        return unit.id if number < unit.troops else unit.guests[number - unit.troops]

    def numbers(self, unit: Unit, pool: str) -> range:
        """The numbers in the unit's block of a pool's models."""
        if pool == unit.id and unit.troops:
            return range(unit.troops)
        place = unit.troops + unit.guests.index(pool)
        return range(place, place + 1)

    # ------------------------------------------------------------------ rules and effects

    def effects(self, pool: str) -> tuple[Effect, ...]:
        """t9a:3.B-all  What is in effect on a pool."""
        return carried_items.on_pool(self, pool)

    def bearers(self) -> list[Unit | Model]:
        """Everything effects can be on."""
        return [*self.units.values(), *self.models.values()]

    def trait(self, pool: str, key: str) -> Trait | None:
        """A rule of a model by its key, printed or granted."""
        found = self.pool_profile(pool).trait(key)
        if found is not None:
            return found
        for effect in self.effects(pool):
            for text in effect.traits:
                for made in parse(text):
                    if made.key == key:
                        self.cite(effect.rule)
                        if effect.key.startswith(carried_items.MARKS):
                            carried_items.reveal(self, pool, effect)
                        return made
        return None

    def traits(self, pool: str, key: str) -> list[Trait]:
        """t9a:21-duplicate  Every copy of a rule a model has."""
        profile = self.pool_profile(pool)
        found = [t for t in profile.traits if t.key == key]
        if found and key in profile.specific:
            self.cite("t9a:8.D.a.3-specific")
        for effect in self.effects(pool):
            granted = [made for text in effect.traits for made in parse(text) if made.key == key]
            if granted and effect.key.startswith(carried_items.MARKS):
                carried_items.reveal(self, pool, effect)
            found += granted
        return found

    def has(self, pool: str, key: str) -> str:
        """The rule id by which a model has a rule, or nothing."""
        profile = self.pool_profile(pool)
        rule = profile.has(key)
        if rule and key in profile.specific:
            self.cite("t9a:8.D.a.3-specific")
        if not rule and key == "light-troops" and pool in self.models:
            rule = self._light_company(self.models[pool])
        if not rule and (self.effects(pool)):
            made = self.trait(pool, key)
            rule = made.rule if made is not None else ""
        return rule

    def _light_company(self, model: Model) -> str:
        """t9a:21.A.b.49-character  An Infantry Character is Light Troops among Infantry Light Troops of his Size."""
        own = self.units[model.unit].profile
        alike = own.type == model.profile.type == "Infantry" and own.size == model.profile.size
        if model.role != "character" or model.unit == model.home or not alike or not own.has("light-troops"):
            return ""
        self.cite("t9a:21.A.b.49-character")
        return "t9a:21.A.b.49-character"

    def any_has(self, unit: Unit, key: str) -> str:
        """The rule where at least one model of the unit has it."""
        for pool in self.pools(unit):
            if rule := self.has(pool, key):
                self.cite(rule)
                return rule
        return ""

    def all_have(self, unit: Unit, key: str) -> str:
        """The rule where every model of the unit has it."""
        rules = [self.has(pool, key) for pool in self.pools(unit)]
        having = next(filter(None, rules), "")
        if having:
            self.cite(having)
        return having if having and all(rules) else ""

    def most_have(self, unit: Unit, key: str) -> str:
        """The rule where more than half of the unit's models have it."""
        having, rule = 0, ""
        for pool in self.pools(unit):
            if found := self.has(pool, key):
                having, rule = having + self.pool_count(pool), found
        if rule:
            self.cite(rule)
        return rule if 2 * having > self.size(unit) else ""

    def unit_size(self, unit: Unit) -> str:
        """t9a:19.C"""
        return unit.profile.size if not unit.guests else unit_class.group(self, unit, "size")

    def unit_type(self, unit: Unit) -> str:
        """t9a:19.C"""
        return unit.profile.type if not unit.guests else unit_class.group(self, unit, "type")

    def words(self, pool: str) -> tuple[str, ...]:
        """What conditions of rules can ask of a model: its profile's words, and the rules in effect on it."""
        own = self.pool_profile(pool).words
        gained = [t.key for e in self.effects(pool) for text in e.traits for t in parse(text)]
        return (*own, *spoken(gained)) if gained else own

    # ------------------------------------------------------------------ ranks

    def full_ranks(self, unit: Unit) -> int:
        """t9a:3.B.b  Ranks of 5 Standard, 3 Large or 1 Gigantic models; Light Troops have none
        (t9a:21.A.b.49-ranks).
        """
        if unit.block is None:
            return 0
        self.cite("t9a:3.B.b", "t9a:19.A.a", *seat_rules(unit.block))
        if self.most_have(unit, "light-troops"):
            self.cite("t9a:21.A.b.49-ranks")
            return 0
        return unit.block.full_ranks(FULL_RANK[self.unit_size(unit)])

    def in_line(self, unit: Unit) -> bool:
        """t9a:3.B.c  Line Formation: ranks of eight or more."""
        self.cite("t9a:3.B.c")
        return unit.block is not None and unit.block.is_line(8)

    def rank_bonus(self, unit: Unit) -> int:
        """t9a:3.B.i"""
        self.cite("t9a:3.B.i")
        if self.in_line(unit):
            return 0
        return max(0, min(3, self.full_ranks(unit) - 1))

    # ------------------------------------------------------------------ where things are

    def block(self, unit: Unit) -> Block:
        assert unit.block is not None, unit.id
        return unit.block

    def put(self, unit: Unit, block: Block) -> None:
        """A unit's block as it now stands; positions are snapped as they enter the state."""
        unit.block = block.snapped()
        unit.where = "table"
        self.version += 1

    def lift(self, unit: Unit, where: str) -> None:
        """A unit leaves the table."""
        unit.block = None
        unit.where = where
        self.version += 1

    def gap(self, a: Unit, b: Unit) -> float:
        """t9a:4.A, t9a:4.A-boundary  Millimetres between two units' boundaries."""
        key = ("gap", a.id, b.id, self.version)
        if key not in self._memo:
            self.cite("t9a:4.A", "t9a:4.A-boundary", "t9a:3.B.e")
            self._memo[key] = self._memo["gap", b.id, a.id, self.version] = gap(
                self.block(a).outline, self.block(b).outline
            )
        return float(self._memo[key])

    def within(self, a: Unit, b: Unit, far: float) -> bool:
        """t9a:4.A-within  Whether two units are at most so many inches apart; a unit is within range of itself."""
        self.cite("t9a:4.A-within")
        return a.id == b.id or self.gap(a, b) <= inches(far) + EPS

    def remember(self, key: Any, make: Any) -> Any:
        """Something worked out once per state of the table."""
        full = (key, self.version)
        if full not in self._memo:
            if len(self._memo) > 4000:
                self._memo.clear()
            self._memo[full] = make()
        return self._memo[full]

    # ------------------------------------------------------------------ combat

    def foes(self, unit: Unit) -> list[tuple[Unit, Edge, Edge]]:
        """t9a:11.E.g  The enemy units a unit is engaged with, its own side and theirs."""
        found = []
        for engagement in self.engagements:
            seen = engagement.of(unit.id)
            if seen is not None:
                found.append((self.units[seen[0]], seen[1], seen[2]))
        return found

    def engaged(self, unit: Unit) -> bool:
        return any(unit.id in (e.a, e.b) for e in self.engagements)

    def engage(self, a: Unit, a_side: Edge, b: Unit, b_side: Edge) -> None:
        """t9a:11.E.g  From a successful charge on."""
        self.disengage(a, b)
        self.engagements = (*self.engagements, Engagement(a.id, a_side, b.id, b_side))
        for unit in (a, b):
            unit.move = unit.move.but(engaged_earlier=True)
            unit.fight = unit.fight.but(in_fight=True)
        self.cite("t9a:11.E.g")

    def disengage(self, a: Unit, b: Unit | None = None) -> None:
        """Engagements of a unit end, all of them or the one with another."""
        self.engagements = tuple(
            e for e in self.engagements if not (a.id in (e.a, e.b) and (b is None or b.id in (e.a, e.b)))
        )

    def shake(self, unit: Unit, turns: int = 0) -> None:
        """t9a:17.B  Shaken until the end of this Player Turn, or of so many later."""
        self.cite("t9a:17.B")
        unit.nerve = unit.nerve.but(shaken=max(unit.nerve.shaken, self.clock + turns))

    def is_shaken(self, unit: Unit) -> bool:
        """t9a:17.B"""
        return unit.nerve.afraid or unit.nerve.shaken_phase or unit.nerve.shaken >= max(self.clock, 1)

    def has_shaken(self, unit: Unit) -> bool:
        """t9a:17.B, t9a:11.B, t9a:12.D
        Whether any model in it is Shaken, a Character who was so before he joined included."""
        return self.is_shaken(unit) or any(self.is_shaken(self.units[self.models[g].home]) for g in unit.guests)

    def touching(self, a: Unit, b: Unit) -> bool:
        """t9a:3.C.a  Boundaries that touch, corners included."""
        return self.gap(a, b) <= 2 * TOUCH

"""What stands on the table and what each thing remembers: units, single models, sides, engagements, effects."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a.army.profiles import Profile
from grognard.games.t9a.records import (
    Arrival,
    Charge,
    Command,
    Duel,
    Fight,
    Magic,
    Move,
    Muster,
    Nerve,
    Scoring,
    ThisPhase,
)
from grognard.kernel.battle import Token
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge


class Effect(msgspec.Struct, frozen=True):
    """t9a:13.G.d  Chapter 6: Something in effect on a unit or model: changes of values and rules it grants.

    `until`: "magic" (the start of the next Magic Phase of `seat`), "turn" (the end of Player Turn number `clock`),
    "phase",
    "round" (of combat), "permanent". `part` limits it to one part (t9a:13.G.c-focused).
    """

    key: str
    rule: str
    seat: str
    until: str
    stats: tuple[tuple[str, str, int], ...] = ()
    traits: tuple[str, ...] = ()
    clock: int = 0
    part: str = ""
    name: str = ""
    weapon: str = ""  # t9a:22.A.a  the enchanted weapon it serves; attacks without it have nothing of it


class Engagement(msgspec.Struct, frozen=True):
    """t9a:11.E.g  Two units in contact: the side of each that lies against the other."""

    a: str
    a_side: Edge
    b: str
    b_side: Edge

    def of(self, unit: str) -> tuple[str, Edge, Edge] | None:
        """The other unit, this unit's side and the other's, seen from a unit."""
        if unit == self.a:
            return self.b, self.a_side, self.b_side
        if unit == self.b:
            return self.a, self.b_side, self.a_side
        return None

    def turned(self, unit: str, side: Edge) -> Engagement:
        """The same with another side of a unit against the enemy (t9a:15.I)."""
        if unit == self.a:
            return Engagement(self.a, side, self.b, self.b_side)
        return Engagement(self.a, self.a_side, self.b, side) if unit == self.b else self


class Counter(msgspec.Struct, frozen=True):
    """t9a:9.E.3, t9a:9.E.6  A marker on the table, or carried by a unit."""

    id: str
    x: float
    y: float
    bearer: str | None = None
    seat: str | None = None


class Model(Token):
    """A Champion, a Character or a Rank-and-File model of another kind: a model with a Health Pool of its own."""

    magic: Magic
    duel: Duel

    def __init__(self, model_id: str, seat: str, unit: str, profile: Profile, role: str) -> None:
        self.id = model_id
        self.seat = seat
        self.unit = unit  # the unit it is in now
        self.home = unit  # its own unit
        self.profile = profile
        self.role = role  # character, champion, extra
        self.hp = profile.hp
        self.hp_start = profile.hp
        self.items: tuple[str, ...] = ()
        #: t9a:22.A.a, t9a:22.A.b  which weapon or armour an enchantment sits on
        self.item_of: tuple[tuple[str, str], ...] = ()
        self.general = False
        self.bsb = False
        self.used: tuple[str, ...] = ()  # t9a:2.A.e  One Use Only effects spent
        self.shown: tuple[str, ...] = ()  # t9a:8.E.a.1  hidden items revealed
        self.broken: tuple[str, ...] = ()  # weapons it cannot fire any more
        self.jammed: tuple[tuple[str, int], ...] = ()  # weapon, Player Turn of the owner in which it may not fire
        self.effects: tuple[Effect, ...] = ()
        self.weapon = ""  # t9a:21.F.a.1  chosen for this combat
        self.crushing: tuple[str, ...] = ()  # t9a:21.G.b.4  parts that announced a Crush Attack
        self.seat_left: tuple[int, int] | str | None = None  # t9a:21.B.d  its place in the unit it left
        self.breathed = ""  # t9a:21.H.a.4  the phase in which it last used a Breath Attack
        self.magic = Magic()
        self.duel = Duel()
        self.gone = False
        self.new_turn()

    def new_turn(self) -> None:
        """Forget what belonged to the Player Turn before (t9a:21.B.b-status)."""
        self.moved = False
        self.marched = False
        self.reformed = False
        self.stuck = False  # t9a:21.A.b.10  may not leave its unit this Player Turn

    @property
    def lost(self) -> int:
        return self.hp_start - self.hp

    def __repr__(self) -> str:
        return f"Model({self.id})"


class Unit(Token):
    """t9a:3.B  A unit: its block, its Rank-and-File pool, and the models with pools of their own (`guests`).

    `where`: undeployed, table, joined (a Character in another unit), reserve (Ambush and the like), away (pursued off
    the
    table), hidden, gone.
    """

    muster: Muster
    command: Command
    arrival: Arrival
    nerve: Nerve
    fight: Fight
    scoring: Scoring
    charge: Charge
    move: Move
    this_phase: ThisPhase

    def __init__(self, unit_id: str, seat: str, name: str, profile: Profile, troops: int, points: int) -> None:
        self.id = unit_id
        self.seat = seat
        self.name = name
        self.profile = profile
        self.points = points
        self.troops = troops
        self.lost = 0  # t9a:16.A.a  HP lost by the model that is next to go
        self.guests: tuple[str, ...] = ()
        self.block: Block | None = None
        self.where = "undeployed"
        self.effects: tuple[Effect, ...] = ()
        self.linger: tuple[str, ...] = ()  # t9a:4.C-linger  what it may stay within 1" of
        self.counts_as: tuple[str, ...] = ()  # t9a:19.C  Size and Type the opponent chose where models are equally many
        self.reference = ""  # t9a:21.A.b.3-matching  whose base its owner chose among Characters alone
        self.no_charge = 0  # t9a:11.B  the Player Turn in which it may not declare charges
        self.weapon = ""  # t9a:21.F.a.1  the weapon its Rank-and-File use in this combat
        self.shown: tuple[str, ...] = ()  # t9a:8.E.a.1  hidden Banner Enchantments revealed
        self.used: tuple[str, ...] = ()  # t9a:21.H.a.4  Breath Attacks its Rank-and-File have spent
        self.spoiled: tuple[tuple[str, int], ...] = ()  # t9a:21.F.d  guns of its men: weapon, Player Turn or 0 for good
        self.muster = Muster(start_troops=troops, start_hp=troops * profile.hp, start_size=troops)
        self.command = Command()
        self.arrival = Arrival()
        self.nerve = Nerve()
        self.fight = Fight()
        self.scoring = Scoring()
        self.new_turn()
        self.new_phase()

    def new_turn(self) -> None:
        """Forget what belonged to the Player Turn before."""
        self.charge = Charge()
        self.move = Move(was_fleeing=self.nerve.fleeing)

    def new_phase(self) -> None:
        """Forget what belonged to the phase before."""
        self.this_phase = ThisPhase()

    def __repr__(self) -> str:
        return f"Unit({self.id})"


class Side(Token):
    """One player's army: zone, magic, score."""

    def __init__(self, side_id: str, name: str) -> None:
        self.id = side_id
        self.name = name
        self.book = ""  # t9a:8.A  the army book its list is taken from
        self.points = 0
        self.limit = 4500
        self.zone: tuple[tuple[float, float], ...] = ()
        self.half = 0  # 0 the lower or left half, 1 the other
        self.short_edge = ""  # left, right
        self.role = ""  # attacker, defender
        self.deck: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
        self.tokens = 0
        self.dice = 0
        self.attempted: tuple[str, ...] = ()  # t9a:13.H-once
        self.wish = ""  # t9a:10.D  first, second
        self.finished = 0  # order in which normal deployment was finished
        self.undeployed = 0  # t9a:10.I
        self.drops = 0  # deployment turns taken
        self.last_centre: tuple[float, float] | None = None  # t9a:9.D.6-order
        self.no_vanguard = False
        self.control = 0  # t9a:9.E.1
        self.feature = ""  # t9a:9.E.4
        self.delayed = False


class Loss(msgspec.Struct, frozen=True):
    """Points of a Health Pool to be lost, and who caused it."""

    pool: str
    amount: int
    by: str = ""


def plain(value: Any) -> Any:
    """A field as plain data."""
    if isinstance(value, Edge):
        return value.name.lower()
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, msgspec.Struct):
        return {k: plain(v) for k, v in msgspec.structs.asdict(value).items()}
    return value

"""What stands on the battlefield and what each thing remembers: models, units, sides, markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from grognard.games.wh40k.army.profiles import Datasheet, Profile, Weapon
from grognard.kernel.state import field
from grognard.kernel.state.records import Fact, Record

if TYPE_CHECKING:
    from grognard.games.wh40k.army.detachments import Detachment


#: wh40k:4.2.2-free, wh40k:4.2.3-engaged  The kinds of move; "": it has not moved yet.
MOVES = ("", "stationary", "normal", "advance", "fall-back")


class Marker(msgspec.Struct, frozen=True):
    """wh40k:20.1-marker  An objective marker, its centre, and who controls it (None: contested)."""

    id: str
    x: float
    y: float
    control: str | None = None


class Model(field.Model):
    """One miniature. `w` are the wounds it has left."""

    def __init__(
        self, model_id: str, seat: str, unit: str, profile: Profile, weapons: tuple[Weapon, ...], body: int
    ) -> None:
        super().__init__(model_id, seat, unit, body, on_table=False)  # `home`: a Leader's own, while it is attached
        self.profile = profile
        self.keywords = profile.keywords
        self.weapons = weapons
        self.w = profile.W
        self.alive = True
        self.allocated = False  # wh40k:7.4.2-forced  attacks were allocated to it this phase
        self.escape_tested = False  # wh40k:4.8.4-once

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    @property
    def damaged(self) -> bool:
        """wh40k:11.3.1-abilities  Whether it has so few wounds left that its datasheet weakens it."""
        return self.profile.damaged is not None and self.w <= self.profile.damaged.at

    @property
    def big(self) -> bool:
        """wh40k:4.3.4-big  MONSTER or VEHICLE."""
        return "MONSTER" in self.keywords or "VEHICLE" in self.keywords


class Turn(Record, frozen=True):
    """wh40k:2.4-end  What a unit did this turn; forgotten with it."""

    moved: Annotated[str, Fact("how it moved", "all", given=True, choices=MOVES)] = ""
    advance: Annotated[float, Fact("the inches its Advance roll added", "all", given=True)] = 0.0
    arrived: Annotated[bool, Fact("it came from Reserves", "all", given=True)] = False
    began_embarked: Annotated[bool, Fact("it began the Movement phase aboard a TRANSPORT", "all", given=True)] = False
    disembarked: Annotated[str, Fact("when it got out: before or after the TRANSPORT moved, or of its wreck", "all",
                                     given=True, choices=("", "before", "after", "wreck"))] = ""  # fmt: skip
    no_charge: Annotated[bool, Fact("it may not declare a charge", "all", given=True)] = False
    charged: Annotated[bool, Fact("it made a Charge move", "all", given=True)] = False
    heroic: Annotated[bool, Fact("it charged by Heroic Intervention: no Charge bonus", "all", given=True)] = False


class Phase(Record, frozen=True):
    """wh40k:2.3-phases  What a unit did, and what was done to it, this phase; forgotten with it."""

    acted: Annotated[bool, Fact("it was selected to shoot or charge", "all", given=True)] = False
    fought: Annotated[bool, Fact("it has fought", "all", given=True)] = False
    near_enemy: Annotated[bool, Fact('within 12" of an enemy as the Charge phase began', "all", given=True)] = False
    began_engaged: Annotated[bool, Fact("eligible as the Fight phase began", "all", given=True)] = False
    gone_to_ground: Annotated[bool, Fact("it used Go to Ground", "all", given=True)] = False
    smoke: Annotated[bool, Fact("it used Smokescreen", "all", given=True)] = False
    overwatch: Annotated[bool, Fact("it uses Fire Overwatch", "all", given=True)] = False
    tank_shock: Annotated[bool, Fact("it used Tank Shock", "all", given=True)] = False
    epic: Annotated[str | None, Fact("its CHARACTER that took an Epic Challenge", "all")] = None
    tough: Annotated[int, Fact("the Toughness its owner chose where two are as common")] = 0
    fell_back_shocked: Annotated[bool, Fact("it fell back while Battle-shocked")] = False
    ended: Annotated[int, Fact("how many models it had as the turn ended")] = 0


class Unit(field.Unit):
    """wh40k:1.3-unit  A unit. `models` are its living models, those of an attached Leader included.

    `where`: "table", "reserves", "embarked", "undeployed", "attached" (its models are in another unit), "destroyed".
    """

    turn: Turn
    phase: Phase

    def __init__(
        self, unit_id: str, seat: str, name: str, sheet: Datasheet, models: tuple[str, ...], points: int
    ) -> None:
        super().__init__(unit_id, seat, name, models)
        self.sheet = sheet
        self.points = points
        self.start = len(models)  # wh40k:3.4.1-starting
        self.leader: str | None = None  # wh40k:12.5.2-attach  the Leader unit attached to this one
        self.leading: str | None = None  # the unit this Leader is attached to
        self.where = "undeployed"
        self.reserve = ""  # wh40k:23.44  "deep-strike" or "strategic"
        self.returns = False  # wh40k:17.4.4-return  an AIRCRAFT that left the battlefield
        self.transport: str | None = None
        self.hover = False
        self.shocked = False  # wh40k:3.3.3-duration
        self.turn = Turn()
        self.phase = Phase()

    @property
    def named(self) -> tuple[str, ...]:
        """wh40k:12.5.4-single-unit  What a player may call it by: its own name, and that of the Leader in it."""
        return (self.id,) if self.leader is None else (self.id, self.leader)


class Side(field.Side):
    """wh40k:1.2  One player's army: points, command points, deployment zone, Stratagems used."""

    def __init__(self, side_id: str, name: str, faction: str) -> None:
        super().__init__(side_id, name)
        self.faction = faction
        self.detachment = ""
        self.rules: Detachment | None = None  # wh40k:18.4-detachment
        self.warlord: str | None = None
        self.limit = 1000  # points of the battle size
        self.cp = 0
        self.cp_extra = 0  # wh40k:3.2.2-cap  gained this round beyond the automatic ones
        self.counted = False  # wh40k:13.1.1-cost  a situation says how many it has: it is told what these do not pay
        self.vp = 0
        self.used: tuple[str, ...] = ()  # Stratagems used this phase
        self.used_turn: tuple[str, ...] = ()

"""What stands on the battlefield and what each thing remembers: models, units, sides, markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grognard.games.wh40k.profiles import Datasheet, Profile, Weapon
from grognard.kernel import field

if TYPE_CHECKING:
    from grognard.games.wh40k.detachments import Detachment


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


class Unit(field.Unit):
    """wh40k:1.3-unit  A unit. `models` are its living models, those of an attached Leader included.

    `where`: "table", "reserves", "embarked", "undeployed", "attached" (its models are in another unit), "destroyed".
    """

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
        self.new_turn()
        self.new_phase()

    @property
    def named(self) -> tuple[str, ...]:
        """wh40k:12.5.4-single-unit  What a player may call it by: its own name, and that of the Leader in it."""
        return (self.id,) if self.leader is None else (self.id, self.leader)

    def new_turn(self) -> None:
        """Forget what lasts a turn."""
        self.moved = ""  # stationary, normal, advance, fall-back
        self.advance = 0.0
        self.arrived = False
        self.began_embarked = False
        self.disembarked = ""  # before, after (the TRANSPORT moved), wreck
        self.no_charge = False
        self.charged = False
        self.heroic = False  # wh40k:23.24  charged by Heroic Intervention: no Charge bonus

    def new_phase(self) -> None:
        """Forget what lasts a phase."""
        self.acted = False  # selected to shoot or charge this phase
        self.fought = False
        self.near_enemy = False  # wh40k:9.3.1  within 12" at the start of the Charge phase
        self.began_engaged = False  # wh40k:10.5  eligible at the start of the Fight phase
        self.gone_to_ground = False
        self.smoke = False
        self.overwatch = False
        self.tank_shock = False
        self.epic: str | None = None
        self.tough = 0  # wh40k:23.2-mixed-toughness  the Toughness its owner chose where two are as common
        self.fell_back_shocked = False
        self.ended = 0  # wh40k:1.6.8-recount  its models when the turn ended


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

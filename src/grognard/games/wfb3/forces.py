"""wfb3:5.3-units, wfb3:14.6-as-unit  Models, units, sides, and what each remembers while the game is played."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.abilities import Special
from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.records import (
    NEVER,
    Air,
    Baggage,
    Character,
    Charge,
    Chariot,
    Combat,
    Drill,
    Fight,
    Fire,
    Hero,
    Indoors,
    March,
    Minds,
    Ride,
    Rout,
    Shooting,
    Standards,
    Troops,
)
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.state import field

#: Where a unit can fight: on the table, or inside a building.
PRESENT = ("table", "building")


class Model(field.Model):
    """One miniature: its profile, what it carries and rides, its part in the unit, its wounds.

    `role`: "" (ordinary), leader, standard, musician, character.
    """

    hero: Hero
    fight: Fight
    ride: Ride

    def __init__(
        self,
        model_id: str,
        seat: str,
        unit: str,
        body: int,
        profile: Profile,
        kit: Kit,
        mount: Profile | None,
        role: str,
    ) -> None:
        super().__init__(model_id, seat, unit, body, on_table=False)
        self.profile = profile
        self.kit = kit
        self.mount = mount
        self.role = role
        self.w = profile.W
        self.price = 0.0  # its own points
        self.alive = True
        # wfb3:12.1-placement, wfb3:14.6.3-place: front or rear where the player says; of characters left, right, beside
        self.post = ""
        self.trophy = ""  # wfb3:12.3-carry-captured: the unit whose banner it carries off
        self.hero = Hero()
        self.fight = Fight()
        self.ride = Ride()


class Unit(field.Unit):
    """A unit of models in formation, or a single character, and everything the rules remember of it.

    `kind`: infantry, cavalry, character, monster. `where`: undeployed, table, attached (a character within a unit),
    fled (off the table), destroyed. Moments are counted in player turns (`Battle.clock`).
    """

    drill: Drill
    march: March
    shooting: Shooting
    charge: Charge
    combat: Combat
    rout: Rout
    minds: Minds
    indoors: Indoors
    fire: Fire
    standards: Standards
    chariot: Chariot
    air: Air
    troops: Troops
    character: Character
    baggage: Baggage

    def __init__(
        self, unit_id: str, seat: str, name: str, models: tuple[str, ...], profile: Profile, kit: Kit,
        mount: Profile | None, kind: str, price: float,
    ) -> None:  # fmt: skip
        super().__init__(unit_id, seat, name, models)
        self.profile, self.kit, self.mount, self.kind = profile, kit, mount, kind
        self.traits: tuple[Special, ...] = ()  # trades added to the creature's own rules
        self.price = price  # points of one ordinary model
        self.start = len(models)
        self.leader = ""  # the model that leads it now
        self.where = "undeployed"
        self.block: Block | None = None
        self.spells: tuple[tuple[str, int, int], ...] = ()  # on it: name, strength, the last player turn
        self.drill = Drill()
        self.march = March()
        self.shooting = Shooting(turn_strength=len(models))
        self.charge = Charge()
        self.combat = Combat()
        self.rout = Rout()
        self.minds = Minds()
        self.indoors = Indoors()
        self.fire = Fire()
        self.standards = Standards()
        self.chariot = Chariot()
        self.air = Air()
        self.troops = Troops()
        self.character = Character()
        self.baggage = Baggage()

    @property
    def loose(self) -> bool:
        """wfb3:15.10-close-order  Whether skirmishers are in open order: base to base in ranks they are like others."""
        close = self.block is not None and self.block.spacing < 0.03 and self.block.ranks >= 2
        return self.kind == "skirmishers" and not close


class Force(NamedTuple):
    """wfb3:25.2.3-reserve-force  A force held back: who leads it, what is in it, where and when it comes."""

    leader: str
    units: tuple[str, ...]
    edge: str
    segment: int
    turn: int
    arrived: bool = False
    tried: int = NEVER


class Side(field.Side):
    """One player's army; `edge` is the long edge it deploys at: south or north."""

    def __init__(self, side_id: str, name: str, edge: str) -> None:
        super().__init__(side_id, name)
        self.edge = edge
        self.points = 0.0
        self.veiled: tuple[tuple[str, float], ...] = ()  # what hidden units, and weres hidden in units, cost of it
        self.trophies: tuple[str, ...] = ()
        self.score = 0.0
        self.score_parts: tuple[tuple[str, float], ...] = ()
        self.train: tuple[float, float, float, float] | None = None  # wfb3:17.2-deploy: x, y, width, height
        self.train_state = ""  # "", safe, pillaged, captured, recaptured
        self.train_wagons = 0
        self.advance: tuple[str, ...] = ()  # wfb3:25.2.1-advance-secret
        self.reserves: tuple[Force, ...] = ()
        self.coming: tuple[str, ...] = ()  # units that arrive now, still to be placed


class Engagement(NamedTuple):
    """wfb3:7.12-engagement  Two enemy units in contact: whose side lies at whose, since which player turn."""

    a: str
    a_side: Edge
    b: str
    b_side: Edge
    since: int

    def of(self, unit: str) -> tuple[str, Edge, Edge] | None:
        """The other unit, the side of this one and the other's."""
        if unit == self.a:
            return self.b, self.a_side, self.b_side
        return (self.a, self.b_side, self.a_side) if unit == self.b else None


class Throe(NamedTuple):
    """wfb3:18.6-death-throes  A monster that staggers on: what it was, where it stood, what its next throw will do."""

    name: str
    seat: str
    at: tuple[float, float, float]  # x, y, facing
    size: tuple[float, float]  # of its base
    strength: int
    modifier: int
    face: int  # 0: still to be rolled at the end of this player turn


class AirFight(NamedTuple):
    """Chapter 21.4: flyers and whom they fight: troops they fly over, or other flyers they meet."""

    flyer: str
    foe: str
    kind: str  # overfly, dogfight, charged
    since: int
    models: tuple[str, ...] = ()  # of the foe, that were flown over

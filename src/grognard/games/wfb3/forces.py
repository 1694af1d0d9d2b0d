"""wfb3:5.3-units, 14.6-as-unit  Models, units, sides, and what each remembers while the game is played."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.abilities import Special
from grognard.games.wfb3.profiles import Kit, Profile
from grognard.kernel import field
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge

#: Never: before the first player turn.
NEVER = -99


class Model(field.Model):
    """One miniature: its profile, what it carries and rides, its part in the unit, its wounds.

    `role`: "" (ordinary), leader, standard, musician, character. `bonus` are a character's mental bonuses
    (wfb3:14.5-mental-bonus), lent to the unit he leads.
    """

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
        self.alive = True
        self.level = 0
        self.wizard = False
        self.champion = False
        self.bonus: tuple[tuple[str, int], ...] = ()
        self.refused = False  # wfb3:7.15.3-refuse  hides this round
        self.duel = ""  # the model it fights alone this round
        self.dared = ""  # by whom, where it refused
        self.resigning = NEVER  # wfb3:14.6.6-give-up-command: when he announced it
        self.gains: tuple[tuple[str, int], ...] = ()  # a character's bonuses over his race


class Unit(field.Unit):
    """A unit of models in formation, or a single character, and everything the rules remember of it.

    `kind`: infantry, cavalry, character, monster. `where`: undeployed, table, attached (a character within a unit),
    fled (off the table), destroyed. Moments are counted in player turns (`Battle.clock`).
    """

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
        self.general = False
        self.stayed: tuple[str, ...] = ()  # who tried to leave it this turn; of a character, the unit he has just left
        self.second_radius = 0  # inches, of a second-in-command
        self.where = "undeployed"
        self.block: Block | None = None
        self.formation = "ranks"  # ranks, file, square, wedge, missile-wedge, shield-wall, testudo
        self.split = ""  # the obstacle it is crossing
        self.hurt = 0  # wounds noted on the ordinary models
        # -- this player turn and phase
        self.moved = NEVER  # the clock of its last move or manoeuvre in a movement phase
        self.done = False  # its move of this phase has been made
        self.manoeuvres = 0
        self.halted = False  # failed a manoeuvre this phase
        self.failed_complex = NEVER
        self.reserve_inches = 0.0  # distance of its last reserve move
        self.fired = NEVER
        self.fired_at = ""
        self.shot_at_chargers = NEVER
        self.frozen = NEVER  # may not move up to and including this player turn
        self.frozen_why = ""
        self.turn_strength = len(models)
        self.missile_losses = 0
        self.missile_tested = NEVER
        self.no_reserve = NEVER
        # -- charging
        self.target = ""  # the enemy whose charge it has declared this turn
        self.face = ""  # the side of the target it must strike
        self.charged = NEVER
        self.bonus_lost = NEVER
        self.unseen: tuple[str, ...] = ()  # enemies not visible to it at the start of the movement phase
        self.answered = ""  # its response to the charge on it this turn
        # -- combat
        self.disordered = False
        self.shaky = NEVER  # routs automatically if beaten in this player turn's combat
        self.shaky_foes: tuple[str, ...] = ()
        self.won = NEVER
        self.pushed = NEVER  # last pushed back
        self.ever_pushed = False  # in this engagement
        self.rounds = 0  # fought in this engagement
        self.weapon = ""  # in hand in this engagement
        self.lance = False
        self.auto_hit: tuple[str, ...] = ()  # attackers it cannot strike back at
        self.strength_at_start = self.front_at_start = 0  # of this round
        self.opening = (NEVER, 0)  # wounds thrown weapons inflicted at contact, and when
        # -- rout
        self.routed = False
        self.routed_at = NEVER
        self.fled = NEVER  # fled a charge in order
        self.flight = 0.0  # bearing of its flight
        self.pursuing = ""
        self.fresh_pursuit = ""  # the enemy met in pursuit: pushed back by it, it routs
        self.caught = ""  # the pursuer in contact
        self.rallied = NEVER
        # -- minds
        self.frenzied = False
        self.stupid = False
        self.fear_of: tuple[str, ...] = ()  # failed against these this turn
        self.fear_done: tuple[str, ...] = ()
        self.quarrel = ""  # the friend it squabbles with this turn
        self.quarrelled = NEVER
        self.brawls = NEVER  # wfb3:10.3-seven
        self.by_friends = False  # wfb3:10.3-fight-rally
        self.panicked: tuple[str, ...] = ()  # causes met this player turn
        self.ld_loss = 0  # wfb3:7.15.3-refuse
        # -- standards
        self.banner = ""  # "", held, dropped, lost, captured
        self.great = ""  # of a character: the army standard he bears, held, lost or captured
        self.great_loss = 0  # Ld lost with it
        self.trophies: tuple[str, ...] = ()  # units whose banners it has taken


class Side(field.Side):
    """One player's army; `edge` is the long edge it deploys at: south or north."""

    def __init__(self, side_id: str, name: str, edge: str) -> None:
        super().__init__(side_id, name)
        self.edge = edge
        self.points = 0.0
        self.trophies: tuple[str, ...] = ()
        self.score = 0.0
        self.score_parts: tuple[tuple[str, float], ...] = ()


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

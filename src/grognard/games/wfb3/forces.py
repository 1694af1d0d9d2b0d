"""wfb3:5.3-units, 14.6-as-unit  Models, units, sides, and what each remembers while the game is played."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.abilities import Special
from grognard.games.wfb3.profiles import Kit, Profile
from grognard.games.wfb3.vehicles import Car
from grognard.kernel import field
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge

#: Where a unit can fight: on the table, or inside a building.
PRESENT = ("table", "building")
#: Never: before the first player turn.
NEVER = -99
#: Why a unit may not move for a while, and by which rule.
FROZEN = {
    "through": "wfb3:8.2-through", "pierced": "wfb3:5.7.4-wedge-breakthrough", "inside": "wfb3:5.5.1-end-inside",
    "halt": "wfb3:7.13.4-halt", "fear": "wfb3:10.8-charge", "passed": "wfb3:5.5-skirmish",
    "loot": "wfb3:17.3-pillage", "crew": "wfb3:18.6-death-crew", "fly-off": "wfb3:21.5-no-amok",
    "reform": "wfb3:22.1.6-no-pursuit",
}  # fmt: skip


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
        self.price = 0.0  # its own points
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
        # wfb3:12.1-placement, 14.6.3-place: front or rear where the player says; of characters left, right, beside too
        self.post = ""
        self.trophy = ""  # wfb3:12.3-carry-captured: the unit whose banner it carries off
        self.dazed = False  # wfb3:10.9-combat: too stupid to strike this round
        self.weapon = ""  # wfb3:13.2-one-melee-weapon: of a character, what he fights this engagement with
        self.one_hand = False  # wfb3:13.3-two-weapons: of a character, he leaves his second weapon in the belt
        self.pistol = ""  # wfb3:13.8.3-pistol-melee: of a character, "fires" this round or "fired" in this engagement
        # -- wfb3:18, 20, 21.5  beasts, cars and those aboard
        self.aboard = ""  # the model that carries it
        self.crew: tuple[str, ...] = ()  # those it carries
        self.driver = ""  # the one of them who drives
        self.howdah = False
        self.car: Car | None = None
        self.team = 0  # draught creatures alive
        self.taken = (NEVER, 0)  # wounds taken, and in which player turn
        self.amok = False  # wfb3:18.5-amok-move, 20.8.3-runaway
        self.tried = False  # wfb3:18.5-amok-no-driver: the crew has had its one attempt
        self.shoots = False  # wfb3:18.4.3-crew-attacks: shoots in this round instead of striking
        self.marks: tuple[str, ...] = ()  # damage of a chariot that lasts: wheel, reins, stuck, axle, pole, wreck
        self.struck = 0  # hits noted on a chariot this phase
        self.jolts = (NEVER, 0)  # what rough going adds to its damage roll, and in which player turn
        self.shaken = NEVER  # up to and including this player turn the crew can do nothing
        self.rolled = NEVER  # the player turn of its last damage roll
        self.fell = NEVER  # the player turn it crashed in
        self.back = False  # wfb3:14.6.3-step-back: stands where he does not fight
        self.fought = False  # wfb3:14.6.3-leave-engaged: in a fighting rank when the combat began
        self.frenzied = False  # wfb3:14.6.4-own-psychology
        self.assassin = False
        self.stalked = ""  # wfb3:15.2-strike: whom he fights alone in the coming round
        self.invented = False  # wfb3:14.3-gm-characters
        self.ld_less = 0  # wfb3:16.1-lost: Ld and Ld bonus lost with the army standard
        self.magic = 0  # magic points left
        self.spells: tuple[str, ...] = ()


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
        self.second = False
        self.second_radius = 0  # inches, of a second-in-command
        self.where = "undeployed"
        self.block: Block | None = None
        self.formation = "ranks"  # ranks, file, square, wedge, missile-wedge, shield-wall, testudo
        self.split = ""  # the obstacle it is crossing
        self.assorted: tuple[str, ...] = ()  # wfb3:13.1: the rules by which its models count as armed alike
        self.edged = False  # wfb3:25.2.2-rest: placed at its edge, its first move counts from there
        self.mixed = ""  # wfb3:5.7.2-mixed: the other part of a mixed formation
        self.post = ""  # and which part it is: front, rear, centre, flanks
        self.muddled = NEVER  # failed to change places when it was charged
        self.among: tuple[str, ...] = ()  # friends it has stopped among
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
        self.late: tuple[int, tuple[int, ...]] = (NEVER, ())  # when it charged with files that could not come up
        self.unseen: tuple[str, ...] = ()  # enemies not visible to it at the start of the movement phase
        self.answered = ""  # its response to the charge on it this turn
        # -- combat
        self.disordered = False
        self.shaky = NEVER  # routs automatically if beaten in this player turn's combat
        self.shaky_foes: tuple[str, ...] = ()
        self.won = NEVER
        self.pushed = NEVER  # last pushed back
        self.swung = NEVER  # wfb3:7.13.4-pivot
        self.followed = NEVER  # last followed up
        self.ever_pushed = False  # in this engagement
        self.rounds = 0  # fought in this engagement
        self.weapon = ""  # in hand in this engagement
        self.one_hand = False  # wfb3:13.3-two-weapons: the second weapon stays in the belt
        self.lance = False
        self.pistols = ""  # wfb3:13.8.3-pistol-melee: "fires" this round, or "fired" in this engagement
        self.gang = ("", 0)  # wfb3:7.15.5-gang: the challenger its front rank helps against, and how many do
        self.odd_one = False  # wfb3:10.9-combat: whether the odd one of a stupid unit fights this round
        self.auto_hit: tuple[str, ...] = ()  # attackers it cannot strike back at
        self.strength_at_start = self.front_at_start = 0  # of this round
        self.hated_won = NEVER  # when hated enemies among others decided a round against it
        self.gaps = (NEVER, 0, 0)  # wfb3:7.11-casualties: when it last lost troops to blows, its files then, how many
        # when it last fought a round, and how many of the troops that fought each enemy are left
        self.fought: tuple[int, tuple[tuple[str, int], ...]] = (NEVER, ())
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
        self.lashes = NEVER  # wfb3:10.9-out: when, stupid, it attacked what it had run into, as it would an enemy
        self.fear_of: tuple[str, ...] = ()  # failed against these this turn
        self.fear_done: tuple[str, ...] = ()
        self.quarrel = ""  # the friend it squabbles with this turn
        self.quarrelled = NEVER
        self.brawls = NEVER  # wfb3:10.3-seven
        self.by_friends = False  # wfb3:10.3-fight-rally
        self.panicked: tuple[str, ...] = ()  # causes met this player turn
        self.ld_loss = 0  # wfb3:7.15.3-refuse
        # -- machines and buildings
        self.crews: tuple[str, ...] = ()  # wfb3:19.3.3-replace: the kinds of machines its men were trained on
        self.rooms: tuple[tuple[str, tuple[str, ...]], ...] = ()  # wfb3:22.1.2-notes: who is in which section/level
        self.revealed = False  # wfb3:22.1.2-notes: has shown itself at the openings
        self.perch = NEVER  # wfb3:22.1.5-high: fights from a higher level in this player turn
        self.wing = ""  # the part of its unit that is outside, or inside
        self.battered = NEVER  # wfb3:22.5-melee: when it last struck at a building
        self.storms = ""  # wfb3:22.1.5-charge: the section/level it charges this turn
        self.fire_missiles = self.brazier = False  # wfb3:23.1.2-fire-missiles
        self.fire_wounds = (NEVER, 0)  # wfb3:23.4-creatures: wounds by fire, and in which player turn
        self.burning = False  # wfb3:23.4.1-burning
        # -- standards
        self.banner = ""  # "", held, dropped, lost, captured
        self.banner_taken = False  # wfb3:12.3-ld-penalty: the enemy has had it, and it has not been won back
        self.great = ""  # of a character: the army standard he bears, held, lost or captured
        self.great_loss = 0  # Ld lost with it
        self.trophies: tuple[str, ...] = ()  # units whose banners it has taken
        self.let_fall: tuple[str, ...] = ()  # those of them whose carrier has fallen
        self.contingent = ""  # wfb3:16.1-contingents
        self.great_at = ""  # the unit it was dropped in or taken from
        self.great_bearer = ""  # the model that carries the army standard of this character now
        # -- chariots and flyers
        self.hitched = True
        self.unhitching = NEVER  # wfb3:20.9-unhitch: begun in this player turn
        self.salvo = ""  # wfb3:20.7-shooting-at: how the shooter shares his hits, "", one, each or a chariot
        self.height = 0  # wfb3:21.2.3-levels: 0 ground, 1 attack level, 2 is +10, 3 is +20 …
        self.speed = 0.0  # inches flown in its last own movement phase
        self.flew = NEVER
        self.over: tuple[str, ...] = ()  # models it flew over this turn
        self.loaded = False  # with things to drop
        self.strayed = ""  # the unit of flyers it was parted from
        self.left_at = NEVER  # when it left the table to gather things to drop
        self.recalled = False  # comes back at the start of its next turn, empty-handed
        self.busy: tuple[str, ...] = ()  # wfb3:21.4.2-defence: models that fight flyers this round
        # -- special troops, characters, baggage, magic
        self.steed: Profile | None = None  # wfb3:14.2-dismount: the mount a character has left
        self.keeper = ""  # the terrain feature or unit that keeps it
        self.wild = False  # wfb3:15.1-pack-wild
        self.hides = ""  # wfb3:15.2-hidden: of an assassin, the unit he hides in
        self.weres = 0  # wfb3:15.9-hidden: how many of its models are weres in human form
        self.were_form = ""  # the animal, once it is known
        self.were_of = ""  # of a unit of weres in animal form: the unit they came from
        self.were_asked = NEVER
        self.were_known = False  # a die has been rolled for them before everybody's eyes
        self.born: Profile | None = None  # what weres in animal form are by birth
        self.own_traps: tuple[str, ...] = ()  # wfb3:15.6-traps: woods whose traps cannot hurt it
        self.still_since = NEVER  # the player turn since which it has stood motionless
        self.worked = NEVER  # wfb3:15.8-teams
        self.battery: tuple[str, ...] = ()  # wfb3:15.4-battery: of an engineer, his machines
        self.supervised = NEVER  # wfb3:15.4-supervise: when he last did
        self.altar = False  # wfb3:16.2-altar-cart: a war altar, or a wagon that bears one
        self.guards = ""  # wfb3:16.2-altar-alt: of an altar, the unit nominated to guard it
        self.pillaging = ""  # wfb3:17.3-pillage: the seat whose baggage it loots
        self.looted = ""  # wfb3:17.3-capture: the seat whose baggage it has done looting
        self.defends = ""  # wfb3:17.2-garrison: the seat whose baggage it defends
        self.spells: tuple[tuple[str, int, int], ...] = ()  # on it: name, strength, the last player turn

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
    """wfb3:21.4  Flyers and whom they fight: troops they fly over, or other flyers they meet."""

    flyer: str
    foe: str
    kind: str  # overfly, dogfight, charged
    since: int
    models: tuple[str, ...] = ()  # of the foe, that were flown over

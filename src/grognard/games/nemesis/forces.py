"""What stands on the table and what each thing remembers: models, units, sides, orders, enchantments."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from grognard.games.nemesis.army.profiles import Card
from grognard.kernel.state import field
from grognard.kernel.state.records import Fact, Record


class Order(msgspec.Struct, frozen=True):
    """nemesis:13.3-target  An order or action: what, at whom, by which models, given and paid by whom.

    action: approach, shoot, charge, disengage. source: "order" (1 PC), "action" (a hero's own), "test"
    (chapter 13.5), "legend" (nemesis:13.3-third-action, nemesis:13.3-hero-in-regiment).
    """

    action: str
    target: str | None
    models: tuple[str, ...]
    source: str = "order"
    hero: str | None = None
    weapon: str | None = None
    done: bool = False
    declared_at: tuple[tuple[str, float, float], ...] = ()  # where enemies stood, for nemesis:16.2-switch
    found: tuple[str, ...] = ()  # models that had found the target by Insight (nemesis:A1.22)


class Reaction(msgspec.Struct, frozen=True):
    """nemesis:16.1-mandatory  The one reaction of a charged unit, and at which charger."""

    kind: str  # shoot, counter, retreat, hold
    charger: str | None = None
    done: bool = False
    weapon: str | None = None


class Enchantment(msgspec.Struct, frozen=True):
    """A spell in effect on a unit, model, piece of terrain or side."""

    id: str
    spell: str
    target: str
    caster: str
    seat: str
    difficulty: int
    cast_turn: int
    until: int | None  # last turn it lasts (nemesis:14.2-duration); None: permanent or until its own end
    permanent: bool = False
    data: dict[str, Any] = {}


class Magic(Record, frozen=True):
    """Chapter 14: What a mage has and does: spells, magic stones, dice, and what was cast this turn."""

    spells: Annotated[tuple[str, ...], Fact("the spells it knows, by key", "all")] = ()
    stones: Annotated[int, Fact("magic stones left", "all", given=True)] = 0
    creation_dice: Annotated[int, Fact("dice left to cast with this turn", "all")] = 0
    block_dice: Annotated[int, Fact("dice left to block and dispel with this turn", "all")] = 0
    stones_used: Annotated[int, Fact("magic stones spent this turn", "all", given=True)] = 0
    cast: Annotated[tuple[str, ...], Fact("the spells it has cast this turn", "all")] = ()
    cast_in_melee: Annotated[bool, Fact("has cast in contact with an enemy this turn", "all", given=True)] = False
    over: Annotated[bool, Fact("has had a fiasco this turn", "all", given=True, name="magic_over")] = False


class Used(Record, frozen=True):
    """nemesis:A1-class  The abilities a model has used up for the turn."""

    audacity: Annotated[bool, Fact("a test has been rolled again", "all", given=True, name="rerolled")] = False
    hardened: Annotated[bool, Fact("the bonus die has been used", "all", given=True, name="bonus_used")] = False
    corruption: Annotated[bool, Fact("the dice of a blow have been swapped", "all", given=True, name="swapped")] = False
    regeneration: Annotated[bool, Fact("has tried to regenerate", "all", given=True, name="regenerated")] = False


class Model(field.Model):
    """One miniature. `s` is its current survival; flags are for this turn unless said otherwise."""

    magic: Magic
    used: Used

    def __init__(self, model_id: str, seat: str, unit: str, card: Card, body: int) -> None:
        super().__init__(model_id, seat, unit, body, on_table=True)  # `home`: a hero's own, while he is in a regiment
        self.card = card
        self.s: int = card.S
        self.s_start: int = card.S
        self.doomed = False  # nemesis:21-timing  lost, removed at the end of the phase
        self.slayer = ""  # the enemy it is doomed by, who is given the kill when it leaves
        self.instant = False  # struck by a charger: does not fight on (nemesis:16.2-instant-losses)
        self.champion = False
        self.summoned = False
        self.arrived = 0  # the turn it was summoned in (nemesis:A2.N.4: it counts for 20.1 from the next on)
        self.hidden = False  # lasting (nemesis:A1.5)
        self.mad = False  # lasting (nemesis:A1.8)
        self.weapon: str | None = card.melee[0].name if card.melee else None
        self.kills = 0  # enemy models killed and not yet offered (nemesis:A2.C.6)
        self.scrolls: tuple[str, ...] = ()
        self.pc_left: int = card.PC
        self.magic = Magic(stones=card.stones)
        self.new_turn()

    def new_turn(self) -> None:
        """Forget what belonged to the turn before."""
        self.moved = False
        self.travelled = 0.0  # how far it has moved, in mm
        self.shot = 0  # shots fired
        self.charged = False  # made contact by a charge (bonus and first strike)
        self.magic = self.magic.but(stones_used=0, cast=(), cast_in_melee=False, over=False)
        self.used = Used()
        self.hypnotised_by: tuple[str, ...] = ()
        self.detected: tuple[str, ...] = ()  # enemy units found by Insight this phase
        self.actions: tuple[str, ...] = ()  # hero's own actions used


class Unit(field.Unit):
    """A regiment or a single model. `models` are the ids on the table, a hero who joined included."""

    def __init__(self, unit_id: str, seat: str, name: str, models: tuple[str, ...], regiment: bool) -> None:
        super().__init__(unit_id, seat, name, models)
        self.regiment = regiment
        self.hero: str | None = None  # the hero who joined, if any
        self.defending = False  # nemesis:16.1-counter-objective, 18-banned-position
        self.wiped = False
        self.shaken = False  # nemesis:22.1-charged: -1 to combat rolls and C while that combat lasts
        self.shaken_by: tuple[str, ...] = ()
        self.timid_turn = 0  # nemesis:16.1-retreat-after: the turn in which it is timid (0: none)
        self.nerve: bool | None = None  # the result of that turn's test, once taken
        self.pursuit_turn = 0  # nemesis:18-caught: the turn in which its +2 and first strike count
        self.no_disengage_turn = 0
        self.start_strength = len(models)
        self.new_turn()

    def new_turn(self) -> None:
        self.orders: tuple[Order, ...] = ()
        self.reaction: Reaction | None = None
        self.attempted = False  # nemesis:13.5-limits
        self.third_action = False
        self.move_done = False
        self.counter_charged = False
        self.courage_failed = False  # nemesis:22.2-no-counter
        self.fear_tested: bool | None = None  # result of this turn's one fear test when charged
        self.stunned = False  # nemesis:22.1-charger-fails-big
        self.fleeing = False
        self.fled_from: tuple[str, ...] = ()
        self.lost_this_turn = 0
        self.combat_losses = 0


class Side(field.Side):
    """One player's army: faction, commander, initiative, points."""

    def __init__(self, side_id: str, name: str, faction: str) -> None:
        super().__init__(side_id, name)
        self.faction = faction
        self.commander: str | None = None
        self.initiative = 0
        self.initiative_bonus = 0  # nemesis:A2.C.1-deception
        self.lost_points = 0.0  # cost of its removed models (nemesis:A3.2-victory)
        self.started = 0
        self.gone = False  # nemesis:X.8-army-gone: its loss has been told


class Marker(msgspec.Struct, frozen=True):
    """nemesis:A3.1-markers  A manuscript: on the table, carried, or destroyed."""

    id: str
    x: float
    y: float
    bearer: str | None = None
    destroyed: bool = False

"""Fighters, their cards in play, sides, and the other things on the table. Plain fields that copy in one go."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.ades.army.profiles import Nexus, Profile
from grognard.games.ades.records import (
    Activation,
    Assault,
    Effort,
    Fear,
    Marks,
    Melee,
    Powers,
    Recital,
    Round,
    Stance,
    Summons,
)  # fmt: skip
from grognard.kernel.battle import Token

WAITING, ACTIVE, ACTIVATED = "waiting", "active", "activated"
#: ades:4.2.2-actions  What leaves room for nothing else in an activation.
EXCLUSIVE = (
    "run", "dodge", "engage", "charge", "disengage-assault", "aim", "force-run", "force-charge", "force-engage",
    "harass", "seize-complex", "fire-machine", "move-machine", "power-exclusive",
)  # fmt: skip


class Effect(msgspec.Struct, frozen=True):
    """ades:8.4-duration  Something that lasts on a fighter: until the end of turn `until` (0: the game)."""

    name: str
    rule: str
    source: str
    target: str
    until: int
    stats: tuple[tuple[str, float], ...] = ()
    skills: tuple[str, ...] = ()
    formula: str = ""
    recital: int = 0  # which recitation of the game it came from


class Fighter(Token):
    """ades:0-units, ades:4.1.3-fighter-state  One model and everything it has done and suffered."""

    fear: Fear
    marks: Marks
    powers: Powers
    summons: Summons
    stance: Stance
    round: Round
    assault: Assault
    melee: Melee
    effort: Effort
    recital: Recital
    activation: Activation

    def __init__(self, id: str, name: str, seat: str, profile: Profile, body: int, card: str, val: int) -> None:
        self.id = id
        self.name = name
        self.seat = seat
        self.profile = profile
        self.body = body
        self.card = card
        self.val = val
        self.names: tuple[str, ...] = profile.skills  # all skills, with those bought
        self.artefacts: tuple[str, ...] = ()
        self.formulas: tuple[tuple[str, int], ...] = ()  # ades:8.1-book  name, highest level
        self.stripped = False  # ades:2.9.3
        self.pv = profile.pv
        self.alive = True
        self.on_table = False
        self.hidden = False
        self.recall = 0  # ades:13.2-renfort  the turn of its possible return
        self.aboard = ""
        self.stands = ""  # ades:5.4.5-card, 10.2.2  the card that stands for it this turn
        self.fear = Fear()
        self.marks = Marks()
        self.powers = Powers()
        self.summons = Summons()
        self.stance = Stance()
        self.activation = Activation()
        self.new_turn()

    def new_turn(self) -> None:
        """What it did and suffered in a turn is forgotten."""
        self.state = WAITING
        self.round = Round()
        self.assault = Assault()
        self.melee = Melee()
        self.effort = Effort()
        self.recital = Recital()

    @property
    def lurking(self) -> bool:
        """ades:13.2-eclaireur-hidden  Hidden, and not about an assault of its own."""
        return self.hidden and self.state != ACTIVE

    def new_activation(self) -> None:
        """What it did in its last activation is forgotten, unless a case begins in the midst of this one."""
        last = self.activation
        self.activation = Activation(level_changed=last.level_changed and last.midway)


class Card(Token):
    """ades:4.1.3-pile  A reference card in play: its fighters, or one capability of a titan."""

    def __init__(self, id: str, name: str, seat: str, fighters: tuple[str, ...], capability: str = "") -> None:
        self.id = id
        self.name = name
        self.seat = seat
        self.fighters = fighters
        self.capability = capability
        self.shared: tuple[str, ...] = ()  # ades:5.4.5-card, 10.2.2  others it stands for this turn
        self.machine = ""  # ades:10.2.2  the war weapon it belongs to


class Thing(Token):
    """Nexus, war weapons, barricades, scenery with life points, tokens, traps and objectives."""

    def __init__(self, id: str, kind: str, name: str, seat: str, x: float = 0.0, y: float = 0.0) -> None:
        self.id = id
        self.kind = kind
        self.name = name
        self.seat = seat  # "" for everybody's
        self.x = x
        self.y = y
        self.body = -1
        self.piece = ""
        self.res = 0
        self.pv = 0
        self.start_pv = 0
        self.alive = True
        self.placed = False
        self.nexus: Nexus | None = None
        self.profile: Profile | None = None
        self.charges = 0
        self.used = 0
        self.last = ""  # ades:10.2.2.3  who crewed it last
        self.servants: tuple[str, ...] = ()
        self.crew: tuple[str, ...] = ()
        self.bearer = ""
        self.bulky = False
        self.complex = False
        self.experts: tuple[str, ...] = ()
        self.radius = 0.0
        self.worth = 0
        self.scored = ""
        self.maker = ""

    @property
    def skills(self) -> tuple[str, ...]:
        return self.nexus.skills if self.nexus else ()


class Side(Token):
    """ades:5.1  A player: the Commander, points, refusals, the pile and what was used."""

    def __init__(self, id: str, name: str, army: str, path: str, format: int) -> None:
        self.id = id
        self.name = name
        self.army = army
        self.path = path
        self.format = format
        self.affiliation = ""
        self.affiliation_costs: tuple[int, ...] = ()
        self.zone: tuple[Any, ...] = ()
        self.commander = ""
        self.bereaved = 0  # ades:5.2-tactician  the turn in which the Commander was lost
        self.pt = 0
        self.refusals = 0
        self.pile: tuple[str, ...] = ()
        self.reserve: tuple[str, ...] = ()
        self.uses: tuple[str, ...] = ()
        self.spoken = False  # used a tactic in this speech turn
        self.authority = False
        self.ps = 0
        self.killed = 0
        self.conceded = False
        self.recalled = 0
        self.recalled_now = 0
        self.unique: tuple[str, ...] = ()

    def new_turn(self) -> None:
        self.uses = ()
        self.spoken = False
        self.authority = False
        self.recalled_now = 0


class Combat(msgspec.Struct, frozen=True):
    """ades:4.3.2-melee  One fighter of one side against one or more others; `foes` may be scenery."""

    one: str
    foes: tuple[str, ...]

    @property
    def everyone(self) -> tuple[str, ...]:
        return (self.one, *self.foes)

    @property
    def key(self) -> str:
        return f"{self.one}:{'+'.join(self.foes)}"

"""Fighters, their cards in play, sides, and the other things on the table. Plain fields that copy in one go."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.ades.profiles import Nexus, Profile
from grognard.kernel.battle import Token

WAITING, ACTIVE, ACTIVATED = "waiting", "active", "activated"


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
    level: int = 0
    recital: int = 0  # which recitation of the game it came from


class Fighter(Token):
    """ades:0-units, 4.1.3-fighter-state  One model and everything it has done and suffered."""

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
        # what lasts the game
        self.routed = False
        self.hidden = False
        self.resisted = -99  # ades:6.1-won  the highest PEU it has withstood
        self.hardened = 0  # ades:13.2-ennemi-personnel-kill
        self.bereft = False  # ades:13.2-frere-de-sang-death
        self.steam_lost = False
        self.spent: tuple[str, ...] = ()  # once-a-game powers
        self.um = 0
        self.toxic: tuple[int, ...] = ()
        self.fading = 0  # ades:13.2-mort-vivant-ephemere
        self.dying = False  # ades:13.2-acharne
        self.recall = 0  # ades:13.2-renfort  the turn of its possible return
        self.summoner = ""
        self.summoned = 0  # the turn it was summoned in
        self.summoned_by = ""  # the formula
        self.aboard = ""
        self.stands = ""  # ades:5.4.5-card, 10.2.2  the card that stands for it this turn
        self.speed = False  # ades:13.2.1-irrepressible
        self.neutralised: tuple[str, ...] = ()  # ades:11.2-cancel
        # what lasts until something ends it
        self.charged = False  # ades:4.2.4.2-charge-malus
        self.dodging = False
        self.vigilant = False
        # what lasts the turn
        self.new_turn()
        self.done: tuple[str, ...] = ()
        self.level_changed = False
        self.leaps = 0
        self.impact = 0  # ades:13.2.1-impact-chain  the FOR of its first impact

    def new_turn(self) -> None:
        self.state = WAITING
        self.assaulted = False
        self.dived = False
        self.charger = False  # made a successful charge and has not fought since
        self.charge_force = 0
        self.tactic = False
        self.fought = False
        self.pursuits = 0
        self.points: tuple[tuple[str, int, str], ...] = ()  # stat, amount, rule
        self.focus = 0  # Concentration points spent
        self.doses = 0  # mutagen points left
        self.steam = 0  # steam points left
        self.steamed = False
        self.fury = False
        self.lucky = 0
        self.resolved = 0
        self.assassinated = False
        self.catalyst = False
        self.recited: tuple[str, ...] = ()
        self.touched_by: tuple[str, ...] = ()  # ades:8.5-once, 12.4-once
        self.offered = 0  # ades:13.2-devotion
        self.moved = False
        self.returned = False  # ades:13.2-renfort-return
        self.shielded = False  # ades:11.2-cancel
        self.played: tuple[str, ...] = ()  # ades:11.3-activated

    @property
    def lurking(self) -> bool:
        """ades:13.2-eclaireur-hidden  Hidden, and not about an assault of its own."""
        return self.hidden and self.state != ACTIVE

    def new_activation(self) -> None:
        self.done = ()
        self.level_changed = False
        self.leaps = 0
        self.impact = 0


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
    """ades:4.1, 5.1  A player: the Commander, points, refusals, the pile and what was used."""

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

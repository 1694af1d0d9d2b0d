"""The state of a battle, and the plain questions one can ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grognard.games.ades.abilities import SkillSet, skillset
from grognard.games.ades.army.profiles import Library
from grognard.games.ades.forces import WAITING, Card, Combat, Effect, Fighter, Side, Thing
from grognard.games.ades.records import Speech
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.geometry.base import Base, Pose
from grognard.kernel.geometry.bodies import Bodies
from grognard.kernel.geometry.gaps import gap_to_polygon
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import TOUCH, cm

#: ades:0-turn-flow, 3.2.2  Scenery and nexus come first; the deployment turn is turn 0 (Ruling: it is not counted).
BEFORE = ("scenery",)
PHASES = (*BEFORE, "tactical", "activation", "infiltration", "combat", "maintenance")
NEUTRAL = "neutral"
#: ades:9.2.2-seize  Ruling: a token is a counter as wide as a small base; half of it, in mm.
COUNTER = 12.5
EPS = 1e-6
#: Skills that say what somebody is rather than what it can do.
NATURES = ("mort-vivant", "construct", "hyperien", "immortel-lumiere", "immortel-destin")


class Battle(KernelBattle):
    """Everything that changes while the game is played; cards and terrain are shared by copies."""

    __slots__ = (
        "_contacts", "_memo", "bodies", "cards", "clock", "combats", "cursor", "dominant", "effects",
        "fighters", "format", "formats", "library", "melees", "outcome", "phase", "preface", "queue",
        "scenario", "sides", "speaker", "speech", "spoke", "stage", "started", "tactician", "things", "turn", "turns",
    )  # fmt: skip

    def __init__(
        self, seats: Sequence[str], table: Table, house: dict[str, Any], scenario: str, library: Library
    ) -> None:
        super().__init__(seats, table, house)
        self.scenario = scenario
        self.library = library
        self.bodies = Bodies()
        self.fighters: dict[str, Fighter] = {}
        self.cards: dict[str, Card] = {}
        self.sides: dict[str, Side] = {}
        self.things: dict[str, Thing] = {}
        self.effects: tuple[Effect, ...] = ()
        self.format = 200
        self.formats: tuple[str, ...] = ()
        self.turn = 0
        self.turns = 4
        self.phase = PHASES[0]
        self.started = False  # whether this phase's opening has been played
        self.stage = 0
        self.cursor = 0
        self.queue: tuple[Any, ...] = ()
        self.tactician = ""
        self.speaker = ""  # whose speech turn it is or comes next
        self.spoke = 0  # speech turns of this phase
        self.speech = Speech()
        self.dominant = ""
        self.melees = 0  # how many melees have been chosen in this phase
        self.combats: tuple[Combat, ...] = ()
        self.clock = 0  # speech turns and combats played in all
        self.outcome: dict[str, Any] | None = None
        self.preface: tuple[str, ...] = ()  # rules that had their say before the game began
        self._contacts: tuple[int, dict[int, list[int]]] = (-1, {})
        self._memo: dict[Any, Any] = {}

    def copy(self) -> Battle:
        twin = Battle.__new__(Battle)
        for name in Battle.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.seats, twin.table, twin.house = self.seats, self.table, self.house
        twin.forget()
        twin.bodies = self.bodies.copy()
        twin.fighters = {key: fighter.copy() for key, fighter in self.fighters.items()}
        twin.cards = {key: card.copy() for key, card in self.cards.items()}
        twin.sides = {key: side.copy() for key, side in self.sides.items()}
        twin.things = {key: thing.copy() for key, thing in self.things.items()}
        twin._contacts, twin._memo = (-1, {}), {}
        return twin

    # ------------------------------------------------------------------ who is who

    def other(self, seat: str) -> str:
        """The opponent; whoever faces a neutral fighter is the player it threatens."""
        return self.seats[1] if seat == self.seats[0] else self.seats[0]

    def chooser(self, fighter: Fighter, against: Fighter | Thing | None = None) -> str:
        """ades:9.2.3-behaviour  Who decides and rolls for a fighter.

        Ruling: for a neutral fighter the opponent of whoever it faces does, or the first player.
        """
        if fighter.seat in self.seats:
            return fighter.seat
        return self.other(against.seat) if against is not None and against.seat in self.seats else self.seats[0]

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        return [f for f in self.on_table() if f.seat != fighter.seat]

    def friends(self, fighter: Fighter) -> list[Fighter]:
        """The others of its side on the table."""
        return [f for f in self.on_table() if f.seat == fighter.seat and f is not fighter]

    def army(self, seat: str) -> list[Fighter]:
        return [f for f in self.on_table() if f.seat == seat]

    def on_table(self) -> Iterator[Fighter]:
        for fighter in self.fighters.values():
            if fighter.on_table:
                yield fighter

    def things_of(self, kind: str) -> list[Thing]:
        return [t for t in self.things.values() if t.kind == kind and t.alive and t.placed]

    def commander(self, seat: str) -> Fighter | None:
        """ades:5.1, ades:6.2-commander  The Commander, if alive and not routed."""
        found = self.fighters.get(self.sides[seat].commander) if seat in self.sides else None
        return found if found is not None and found.alive and not found.fear.routed else None

    def waiting(self, card: Card) -> list[Fighter]:
        """ades:4.1.3-card-state  The fighters of a card (and of the staff it stands for) that still wait."""
        found = [self.fighters[key] for key in card.fighters]
        if card.capability:
            used = [f for f in found if card.capability in (*f.round.played, *f.powers.neutralised)]
            return [] if used or not all(f.alive and f.on_table for f in found) else found
        found = [f for f in found if (not f.stands or f.stands == card.id) and "reference" not in f.round.played]
        found += [self.fighters[key] for key in card.shared]
        return [f for f in found if f.alive and f.state == WAITING and (f.on_table or self.turn == 0) and not f.aboard]

    # ------------------------------------------------------------------ skills

    def skills(self, fighter: Fighter) -> SkillSet:
        """Printed and bought skills, and those effects lend."""
        lent: tuple[str, ...] = ()
        if self.effects:
            lent = tuple(text for e in self.effects if e.target == fighter.id for text in e.skills)
        if fighter.marks.bereft:
            lent = (*lent, "Desperate")
        if fighter.fear.fading:
            lent = (*lent, f"Ephemeral/{fighter.fear.fading}")
        return skillset((*fighter.names, *lent)) if lent else skillset(fighter.names)

    def has(self, fighter: Fighter, key: str) -> bool:
        return key in self.skills(fighter).by_key

    def uses(self, fighter: Fighter, key: str, word: str = "") -> bool:
        """Whether a skill is held (for a word); it is cited, so ask where it takes effect."""
        held = self.skills(fighter)
        if not (held.says(key, word) if word else held.has(key)):
            return False
        self.cite(*held.rules(key, word))
        return True

    def number(self, fighter: Fighter, key: str) -> int:
        held = self.skills(fighter)
        if len(held.by_key.get(key, ())) > 1:
            self.cite("ades:13.2-stacking")
        return held.number(key)

    def immune(self, fighter: Fighter, word: str) -> bool:
        """ades:13.2-immunite  Whether an effect of this name does not touch it."""
        return self.uses(fighter, "immunite", word)

    def immune_from(self, fighter: Fighter, source: Fighter | None) -> bool:
        """ades:13.2-immunite  Whether effects that come from somebody like this do not touch it."""
        if source is None or not self.has(fighter, "immunite"):
            return False
        own = source.profile
        kin = [h.skill.name for h in self.skills(source).held if h.skill.key in NATURES]
        names = (own.name, own.family, own.army, own.path, *own.classes, *own.affiliations, *kin)
        return any(self.immune(fighter, name) for name in names)

    def wounded(self, fighter: Fighter) -> bool:
        """ades:1.1.8-wounded, ades:13.2-endurance, ades:10.2  At least half its life points gone."""
        full, left = fighter.profile.pv, fighter.pv
        if fighter.marks.dying:
            return True
        if fighter.profile.machine:
            if 2 * left <= full:
                self.cite("ades:10.2")
            return False
        if 2 * left > full:
            return False
        return not (2 * left == full and self.uses(fighter, "endurance"))

    def marks(self, fighter: Fighter) -> tuple[str, ...]:
        """ades:1.1.2.7  Its attributes as effects may name them: name, army, classes, skills, states."""
        profile = fighter.profile
        on = {"Routed": fighter.fear.routed, "Hidden": fighter.hidden, "Charged": fighter.stance.charged}
        on |= {"Wounded": self.wounded(fighter), "Poisoned": bool(fighter.marks.toxic)}
        states = [name for name, held in on.items() if held]
        own = [h.skill.name for h in self.skills(fighter).held if h.skill.key != "immortel-tenebres"]
        kind = (profile.size, *((profile.element,) if profile.element else ()), *profile.affiliations)
        return (profile.name, profile.family, profile.army, profile.path, *profile.classes, *kind, *own, *states)

    def sworn(self, fighter: Fighter, allegiance: str) -> bool:
        """ades:12.3  Whether a fighter meets the allegiance of a nexus: path, army, skill or characteristic."""
        if not allegiance or allegiance.casefold() in [mark.casefold() for mark in self.marks(fighter)]:
            return True
        kind = {"POU": "magicien", "FOI": "fidele"}.get(allegiance)
        return self.has(fighter, kind) if kind else allegiance in fighter.profile.stats

    # ------------------------------------------------------------------ where things are

    def pose(self, fighter: Fighter) -> Pose:
        return self.bodies.pose(fighter.body)

    def base(self, fighter: Fighter) -> Base:
        return self.bodies.base(fighter.body)

    def put(self, fighter: Fighter, pose: Pose) -> None:
        self.bodies.restore(fighter.body, pose)
        fighter.on_table = True

    def lift(self, fighter: Fighter) -> None:
        self.bodies.remove(fighter.body)
        fighter.on_table = False

    def owner_of(self, body: int) -> Fighter | None:
        """The fighter whose body it is; None for a thing."""
        if "owners" not in self._memo:
            self._memo["owners"] = {f.body: f for f in self.fighters.values()}
        found: Fighter | None = self._memo["owners"].get(body)
        return found

    def touching(self, fighter: Fighter) -> list[int]:
        """ades:1.1.13-contact  Bodies in contact, on its level; worked out once per state of the table."""
        version, known = self._contacts
        if version != self.bodies.version:
            known = {}
            for i, j in self.bodies.touching_pairs():
                known.setdefault(i, []).append(j)
                known.setdefault(j, []).append(i)
            self._contacts = (self.bodies.version, known)
        return known.get(fighter.body, []) if fighter.on_table else []

    def contacts(self, fighter: Fighter) -> list[Fighter]:
        """ades:1.1.13-contact  Everybody whose base touches, muster order."""
        found = [self.owner_of(body) for body in sorted(self.touching(fighter))]
        return [f for f in found if f is not None and f.on_table]

    def foes_of(self, fighter: Fighter) -> list[Fighter]:
        """Enemies in contact; a hidden one is not there for it, unless it has come to strike."""
        if fighter.hidden and fighter.lurking:
            return []
        found = [f for f in self.contacts(fighter) if f.seat != fighter.seat and not (f.hidden and f.lurking)]
        if found:
            self.cited["ades:1.1.13-contact"] = None
        return found

    def free(self, fighter: Fighter) -> bool:
        """ades:1.1.13-free  In contact with no enemy."""
        self.cited["ades:1.1.13-free"] = None
        return not self.foes_of(fighter)

    def gap(self, a: Fighter, b: Fighter) -> float:
        """ades:1.1.15  Edge to edge, in mm."""
        return self.bodies.gap(a.body, b.body)

    def gap_to_thing(self, fighter: Fighter, thing: Thing) -> float:
        """ades:1.1.15  Edge to edge from a fighter to a thing, in mm."""
        return self.body_to_thing(fighter.body, thing)

    def body_to_thing(self, body: int, thing: Thing) -> float:
        """ades:1.1.15  Edge to edge from whatever stands on the table to a thing, in mm."""
        if thing.body >= 0:
            return self.bodies.gap(body, thing.body)
        base, pose = self.bodies.base(body), self.bodies.pose(body)
        if thing.piece:
            return gap_to_polygon(base, pose, self.table.piece(thing.piece).ring)
        if thing.bearer:
            return self.bodies.gap(body, self.fighters[thing.bearer].body)
        away = float(np.hypot(pose.x - thing.x, pose.y - thing.y)) - base.half_width
        return max(0.0, away - (COUNTER if thing.kind == "token" else 0.0))

    def touches_thing(self, fighter: Fighter, thing: Thing) -> bool:
        return (
            fighter.on_table and self.pose(fighter).level == 0 and self.gap_to_thing(fighter, thing) <= cm(0.1) + TOUCH
        )

    def in_reach(self, fighter: Fighter, thing: Thing, distance: float) -> bool:
        """ades:7.5  Whether the zone of a thing, which stands on the ground, reaches a fighter: not at level 2."""
        level = self.pose(fighter).level
        if level:
            self.cite("ades:7.5")
        return level <= 1 and self.gap_to_thing(fighter, thing) <= distance + TOUCH

    def near(self, fighter: Fighter, distance: float, *, levels: int = 1) -> list[Fighter]:
        """ades:7.5  Others within a distance in mm, on its level or those next to it."""
        gaps = self.bodies.gaps_from(fighter.body)
        level = self.pose(fighter).level
        return [
            f for f in self.on_table()
            if f is not fighter and gaps[f.body] <= distance + TOUCH and abs(self.pose(f).level - level) <= levels
        ]  # fmt: skip

    # ------------------------------------------------------------------ effects

    def add_effect(self, effect: Effect) -> None:
        self.effects = (*self.effects, effect)

    def end_effects(self, *, target: str = "", source: str = "") -> None:
        """ades:1.1.8-dead, ades:8.5-death  Whatever lies on a target, or came from a source, is over."""
        gone = [e for e in self.effects if (target and e.target == target) or (source and e.source == source)]
        self.effects = tuple(e for e in self.effects if e not in gone)

    def said(self, fighter: Fighter, *kinds: str) -> bool:
        """Whether a fighter has done one of these actions in its activation."""
        return any(kind in fighter.activation.done for kind in kinds)

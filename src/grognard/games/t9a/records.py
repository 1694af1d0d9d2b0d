"""What each chapter of the book remembers of a unit or a model; a fact is declared once (`kernel/state/records.py`).

A record is replaced as a whole: those of a Player Turn (`Charge`, `Move`) and of a phase (`ThisPhase`) when it ends.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.state.records import Fact, Record

Words = tuple[str, ...]
Spot = tuple[float, float]


class Aim(msgspec.Struct, frozen=True):
    """t9a:11.B  A declared charge: its target, the side to strike, and whether it is the primary one."""

    target: str
    side: Edge
    primary: bool = True


class Charge(Record, frozen=True):
    """Chapter 11: A unit's charge this Player Turn, one value from its declaration to contact."""

    charging: Annotated[
        bool, Fact("it has declared a charge, or made one into a combat not yet fought", "all", True)
    ] = False
    aims: Annotated[tuple[Aim, ...], Fact("t9a:11.B, t9a:11.E.e  whom it charges, the primary target first")] = ()
    flying: Annotated[bool, Fact("t9a:21.A.b.52-charge  it charges through the air")] = False
    blocked: Annotated[bool, Fact("t9a:11.E.k  it charges along a Blocked Path", name="blocked_path")] = False
    goal: Annotated[Spot | None, Fact("where the charged unit's centre was last seen")] = None
    redirected: Annotated[bool, Fact("t9a:11.D-once  it has tried to charge another", "all", True)] = False
    former: Annotated[str, Fact("t9a:11.D-double  the unit it charged before it redirected")] = ""
    roll: Annotated[tuple[int, ...], Fact("t9a:11.E.a  the dice of its Charge Range", name="charge_roll")] = ()
    total: Annotated[int, Fact("t9a:11.E.a  what they count", "all", name="charge_total")] = 0
    done: Annotated[bool, Fact("its Charge Move has been made or has failed", name="charge_done")] = False
    left: Annotated[str, Fact("t9a:21.B.d.1  the unit a Character left to charge")] = ""
    through: Annotated[Words, Fact("t9a:15.H.c  comrades it may charge through when it pursues")] = ()
    must: Annotated[bool, Fact("t9a:21.A.b.15  Frenzy makes it charge", "all", True, "must_charge")] = False

    @property
    def aim(self) -> Aim:
        """The primary target and the side of it to strike."""
        return self.aims[0]

    @property
    def target(self) -> str:
        """Whom it charges first of all; nobody where none was declared."""
        return self.aims[0].target if self.aims else ""

    @property
    def secondary(self) -> Words:
        """t9a:11.E.e-secondary  The further enemies it charges."""
        return tuple(aim.target for aim in self.aims if not aim.primary)

    @property
    def pending(self) -> bool:
        """t9a:11.E  Declared, and neither made nor failed."""
        return self.charging and not self.done

    def at(self, target: str) -> bool:
        """Whether it charges this unit first of all."""
        return self.charging and self.target == target

    def pursuing(self, aim: Aim) -> Charge:
        """t9a:15.H.c-2.2  A charge that a pursuit has become."""
        return self.but(charging=True, done=False, flying=False, blocked=False, aims=(aim,))

    def alone(self) -> Charge:
        """t9a:11.E.e  The same on its primary target alone."""
        return self.but(aims=self.aims[:1])

    def over(self) -> Charge:
        """It has failed, was given up or has been fought out."""
        return self.but(charging=False, aims=())


class Move(Record, frozen=True):
    """Chapter 12: What a unit has done this Player Turn."""

    moved: Annotated[bool, Fact("it has moved", "all", True)] = False
    marched: Annotated[bool, Fact("it has marched", "all", True)] = False
    reformed: Annotated[bool, Fact("it has reformed", "all", True)] = False
    done: Annotated[bool, Fact("it has had its move", "all", True, "move_done")] = False
    march_failed: Annotated[bool, Fact("t9a:12.D.a  its March Test failed", "all", True)] = False
    march_tested: Annotated[bool, Fact("t9a:12.D.a  it has taken its March Test")] = False
    halted: Annotated[bool, Fact("t9a:20.A.a-procedure  its March ended where it tested")] = False
    swept: Annotated[Words, Fact("t9a:21.H.a.2  pools and parts whose Sweeping Attacks are spent")] = ()
    swept_any: Annotated[bool, Fact("t9a:21.H.a.2  it has made a Sweeping Attack")] = False
    stood: Annotated[bool, Fact("t9a:11.C.b-once  it has stood and shot", "all", True)] = False
    rallied: Annotated[bool, Fact("t9a:12.B  it has rallied", given=True)] = False
    was_fleeing: Annotated[bool, Fact("t9a:12.B-start  it was fleeing when the Player Turn began", given=True)] = False
    engaged_earlier: Annotated[bool, Fact("it has been engaged at some time of it", given=True)] = False


class ThisPhase(Record, frozen=True):
    """What belongs to the phase that is played."""

    panicked: Annotated[bool, Fact("t9a:17.A-immune  it has passed a Panic Test", "all", True)] = False
    hunted: Annotated[Words, Fact("t9a:11.C.c-caught  who has declared a charge on it")] = ()
    hp_before: Annotated[int, Fact("t9a:17.A-25pct  its Health Points when the phase began", given=True)] = 0
    hp_lost: Annotated[int, Fact("t9a:17.A-25pct  those it has lost since", "all", True)] = 0
    shot: Annotated[bool, Fact("it has shot", "all", True)] = False
    magic_moved: Annotated[bool, Fact("t9a:13.K.a  a spell has moved it", "all", True)] = False
    fought: Annotated[bool, Fact("t9a:15.C  it has fought its round of combat")] = False
    aimed: Annotated[int, Fact("t9a:21.A.b.20  Aim set by an Engineer")] = 0
    helped: Annotated[Words, Fact("t9a:21.A.b.20  its Engineers who have helped")] = ()
    engineered: Annotated[bool, Fact("t9a:21.A.b.20  an Engineer has helped it")] = False


class Nerve(Record, frozen=True):
    """Chapter 17: Flight and Shaken units."""

    fleeing: Annotated[bool, Fact("t9a:17.C  it flees", "all", True)] = False
    running: Annotated[bool, Fact("t9a:12.C-pivot  in the middle of a Flee Move, wherever its Pivot left it")] = False
    feigned: Annotated[bool, Fact("t9a:21.A.b.40  it chose to flee of its own will", given=True)] = False
    shaken: Annotated[int, Fact("t9a:17.B  the Player Turn through whose end it is Shaken; 0 none", "all", True)] = 0
    shaken_phase: Annotated[bool, Fact("t9a:17.B  Shaken until the end of the phase", given=True)] = False
    afraid: Annotated[bool, Fact("t9a:21.A.b.33  it failed its Fear Test this round", "all", True)] = False


class Fight(Record, frozen=True):
    """Chapter 15: The combat a unit is in."""

    first_round: Annotated[bool, Fact("t9a:15.B.a  its next round is a First Round of Combat", "all", True)] = False
    rounds: Annotated[int, Fact("rounds fought in this combat", "all")] = 0
    in_fight: Annotated[bool, Fact("t9a:15.C  engaged when last seen", given=True)] = False
    newly_engaged: Annotated[bool, Fact("it charged, or was charged, after its round of this phase")] = False
    at_start: Annotated[bool, Fact("t9a:15.A  engaged at the start of this Melee Phase")] = False
    reformed_at: Annotated[int, Fact("t9a:15.H.e.2  the Player Turn of its last Post-Combat Reform", given=True)] = 0
    crushing: Annotated[
        tuple[tuple[str, int], ...], Fact("t9a:21.G.b.4  how many of its Rank-and-File crush, by part")
    ] = ()
    grinding: Annotated[Words, Fact("t9a:21.H.a.1  pools that grind this round in place of Impact Hits")] = ()


class Command(Record, frozen=True):
    """Chapter 21.C: Champion, Musician, Standard Bearer."""

    champion: Annotated[str, Fact("the Champion's model, nobody when there is none (left)")] = ""
    musician: Annotated[bool, Fact("it has a Musician", "all", True)] = False
    standard: Annotated[bool, Fact("it has a Standard Bearer", "all", True)] = False
    fallen: Annotated[Words, Fact("t9a:13.K.c  musician, standard: lost, and perhaps raised again")] = ()
    banner: Annotated[Words, Fact("t9a:22.A.c  its Banner Enchantments")] = ()
    posts: Annotated[tuple[tuple[str, int, int], ...], Fact("t9a:21.C.d  where Musician and Standard stand")] = ()


class Scoring(Record, frozen=True):
    """t9a:9.E  Chapter 18: What a unit means to the Secondary Objective."""

    lost: Annotated[int, Fact("the Player Turn until whose end Scoring is lost", "all", True, "scoring_lost")] = 0
    gone: Annotated[bool, Fact("Scoring is lost for good", "all", True, "scoring_gone")] = False
    marker: Annotated[str, Fact("t9a:9.E.3  the marker it carries", "all")] = ""
    marked: Annotated[bool, Fact("t9a:9.E.5  the opponent marked it", "all", True)] = False
    dropped: Annotated[Block | None, Fact("where it stood when it lost its marker")] = None


class Arrival(Record, frozen=True):
    """t9a:9.H, t9a:21.A.b.12, t9a:15.H.d  How a unit came onto the table, left it and comes back."""

    special: Annotated[str, Fact("t9a:9.H  scout, ambush, reserve, delayed: how it is deployed", "all")] = ""
    vanguarded: Annotated[bool, Fact("t9a:21.A.b.4  it made a Vanguard move", "all", True)] = False
    scouted: Annotated[bool, Fact("t9a:21.A.b.11  it was deployed as Scouts", "all", True)] = False
    arrived: Annotated[int, Fact("the Player Turn in which it came onto the table", "all", True)] = 0
    edge: Annotated[str, Fact("t9a:21.A.b.12-limits, t9a:15.H.d  the board edge by which it came or left")] = ""
    exit: Annotated[Spot | None, Fact("t9a:15.H.d  where it left the table, by its `edge`")] = None
    away: Annotated[Block | None, Fact("t9a:15.H.d  the formation in which it left")] = None
    files_away: Annotated[int, Fact("t9a:15.H.d  how wide it left")] = 0


class Muster(Record, frozen=True):
    """t9a:8.A, t9a:3.B  The unit as the army list has it."""

    price: Annotated[tuple[tuple[str, int, str], ...], Fact("t9a:8.A.a  what it costs, line by line")] = ()
    bought: Annotated[Words, Fact("t9a:8.D.a.3  the options bought for it")] = ()
    category: Annotated[Words, Fact("t9a:8.B.b  the categories it counts for")] = ()
    start_troops: Annotated[int, Fact("its Rank-and-File in the pool when the battle began")] = 0
    start_hp: Annotated[int, Fact("its Health Points then", given=True)] = 0
    start_size: Annotated[int, Fact("its models then")] = 0
    summoned: Annotated[bool, Fact("t9a:13.K.d  a spell summoned it", "all", True)] = False


class Magic(Record, frozen=True):
    """Chapter 13: What a model knows and has cast."""

    level: Annotated[str, Fact("t9a:13.B  apprentice, adept, master", "all")] = ""
    path: Annotated[str, Fact("t9a:13.B-path  his Path of Magic", "all")] = ""
    paths: Annotated[Words, Fact("t9a:9.G  the Paths his spells may come from")] = ()
    spells: Annotated[Words, Fact("the spells he knows", "all")] = ()
    choices: Annotated[Words, Fact("t9a:21.A.b.8  the list a Wizard Conclave chooses from")] = ()
    bound: Annotated[
        tuple[tuple[str, int, int], ...], Fact("t9a:13.J.a  Bound Spells, with primary and secondary Power Level")
    ] = ()
    forgotten: Annotated[Words, Fact("t9a:13.I.a-444  spells he has forgotten", "all")] = ()
    cast: Annotated[Words, Fact("t9a:13.H  attempted this Magic Phase")] = ()


class Duel(Record, frozen=True):
    """t9a:15.E  What a model has to do with duels."""

    refused: Annotated[bool, Fact("t9a:15.E.b-refuse  he refused this round", "all")] = False
    foe: Annotated[str, Fact("t9a:15.E  whom he fights", "all", name="duel_foe")] = ""
    overkill: Annotated[int, Fact("t9a:15.E.d  excess wounds he caused in his duel this round")] = 0

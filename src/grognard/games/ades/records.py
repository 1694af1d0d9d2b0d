"""What the chapters of the book remember of a fighter and of the turn to speak.

Each fact says what it means, who sees it and whether a case may set it. Those of the turn and of the activation are
forgotten as a whole when another begins.
"""

from __future__ import annotations

from typing import Annotated

from grognard.kernel.state.records import Fact, Record

Words = tuple[str, ...]
#: A characteristic, what is added to it, and by which rule.
Points = tuple[tuple[str, int, str], ...]


class Fear(Record, frozen=True):
    """Chapter 6  Whom it fears, until it rallies or for good."""

    routed: Annotated[bool, Fact("it flees and has not rallied", "all", given=True)] = False
    resisted: Annotated[int, Fact("the highest PEU it has withstood: ades:6.1-won", "all", given=True)] = -99
    fading: Annotated[int, Fact("what makes it vanish: ades:13.2-mort-vivant-ephemere", "all", given=True)] = 0


class Marks(Record, frozen=True):
    """Chapter 13.2  What its own skills and those of its enemies have left on it, for the rest of the game."""

    hardened: Annotated[int, Fact("ades:13.2-ennemi-personnel-kill  enemies of its own killed", "all", given=True)] = 0
    bereft: Annotated[bool, Fact("ades:13.2-frere-de-sang-death  its brother is dead", "all", given=True)] = False
    dying: Annotated[bool, Fact("ades:13.2-acharne  lost at the end of the phase", "all", given=True)] = False
    toxic: Annotated[tuple[int, ...], Fact("ades:13.2-toxique  the strength of each poison in it", "all")] = ()
    steam_lost: Annotated[bool, Fact("ades:13.1-vapeur  its boiler is gone", "all", given=True)] = False


class Powers(Record, frozen=True):
    """Chapter 8.2, 11.2  What it may still do this game: mystic reserves, powers used up."""

    um: Annotated[int, Fact("mana or faith left", "all", given=True)] = 0
    spent: Annotated[Words, Fact("powers of once a game it has used", "all", given=True)] = ()
    neutralised: Annotated[Words, Fact("ades:11.2-cancel  capabilities given up", "all", given=True)] = ()


class Summons(Record, frozen=True):
    """Chapter 8.10  By whom, when and by which formula it was summoned."""

    summoner: Annotated[str, Fact("the mystic who called it", "all")] = ""
    summoned: Annotated[int, Fact("the turn it came in")] = 0
    summoned_by: Annotated[str, Fact("the formula")] = ""


class Stance(Record, frozen=True):
    """What lasts until something ends it, from one turn to the next."""

    charged: Annotated[bool, Fact("ades:4.2.4.2-charge-malus  shaken by a charge", "all", given=True)] = False
    dodging: Annotated[bool, Fact("ades:4.2.4.1-dodge  made a dodge move", "all", given=True)] = False
    vigilant: Annotated[bool, Fact("ades:5.3.2.4  waits for somebody to act", "all", given=True)] = False
    speed: Annotated[bool, Fact("ades:13.2.1-irrepressible  bears a speed marker", "all", given=True)] = False


class Round(Record, frozen=True):
    """Chapter 4, 5  What it has done in the turn."""

    tactic: Annotated[bool, Fact("ades:5.3.1-fighter  a tactic was used on it", "all", given=True)] = False
    moved: Annotated[bool, Fact("it has moved", "all", given=True)] = False
    returned: Annotated[bool, Fact("ades:13.2-renfort-return  came back this turn", "all", given=True)] = False
    shielded: Annotated[bool, Fact("ades:11.2-cancel  a damage test on it was cancelled")] = False
    played: Annotated[Words, Fact("ades:11.3-activated  cards of a titan played", "all", given=True)] = ()


class Assault(Record, frozen=True):
    """Chapter 4.2.4.2  Assaults of the turn, its own and those on it."""

    assaulted: Annotated[bool, Fact("it was assaulted", "all", given=True)] = False
    dived: Annotated[bool, Fact("ades:7.4.1  it charged in a dive", "all", given=True)] = False
    charger: Annotated[bool, Fact("made a successful charge and has not fought since", "all", given=True)] = False
    charge_force: Annotated[int, Fact("ades:13.1-for-en-charge  what is added to FOR", "all", given=True)] = 0
    assassinated: Annotated[bool, Fact("ades:13.2-assassin  it has struck as an assassin")] = False


class Melee(Record, frozen=True):
    """Chapter 4.3  Combats of the turn."""

    fought: Annotated[bool, Fact("it has fought", "all", given=True)] = False
    pursuits: Annotated[int, Fact("ades:4.3.4.3-pursuit  how often it has pursued", "all", given=True)] = 0
    fury: Annotated[bool, Fact("it is in a fury", "all", given=True)] = False


class Effort(Record, frozen=True):
    """ades:1.1.11-bonus  Points of the turn: put into characteristics, left to be, and re-rolls used."""

    points: Annotated[Points, Fact("put into characteristics", "all")] = ()
    focus: Annotated[int, Fact("Concentration points spent", "all", given=True)] = 0
    doses: Annotated[int, Fact("mutagen points left", "all", given=True)] = 0
    steam: Annotated[int, Fact("steam points left", "all", given=True)] = 0
    steamed: Annotated[bool, Fact("it has raised steam", "all", given=True)] = False
    lucky: Annotated[int, Fact("re-rolls of luck used", "all", given=True)] = 0
    resolved: Annotated[int, Fact("ades:13.2-resolution  how often it was resolute", "all", given=True)] = 0


class Recital(Record, frozen=True):
    """ades:8.5-once, ades:12.4-once  Formulas, powers and nexus of the turn."""

    recited: Annotated[Words, Fact("what it has used", "all", given=True)] = ()
    touched_by: Annotated[Words, Fact("what it was a target of", "all")] = ()
    catalyst: Annotated[bool, Fact("it is the catalyst of a nexus", "all", given=True)] = False
    offered: Annotated[int, Fact("ades:13.2-devotion  gifts received", given=True)] = 0


class Speech(Record, frozen=True):
    """ades:4.1.3-roles  The turn to speak under way: the card that is played, and its fighters."""

    card: Annotated[str, Fact("the card being played")] = ""
    rush: Annotated[str, Fact('ades:5.3.2.2  "", "first" or "second" of two cards')] = ""
    held: Annotated[Words, Fact("its fighters that are not activated in this turn to speak")] = ()
    acting: Annotated[Words, Fact("its fighters being activated")] = ()


class Activation(Record, frozen=True):
    """ades:4.2.2-actions  What it has done since it was activated."""

    done: Annotated[Words, Fact("its actions, and with no- those it cannot do", "all")] = ()
    level_changed: Annotated[bool, Fact("ades:7.3  it has risen or come down", given=True)] = False
    midway: Annotated[bool, Fact("a case begins in the midst of it")] = False
    leaps: Annotated[int, Fact("ades:13.2-bond  leaps made")] = 0

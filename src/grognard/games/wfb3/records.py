"""wfb3:5.3-units, wfb3:14.6-as-unit  What units and models remember while the game is played, by chapter.

Moments are counted in player turns (`Battle.clock`).
"""

from __future__ import annotations

from typing import Annotated

from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.army.vehicles import Car
from grognard.games.wfb3.army.weapons import WEAPONS
from grognard.kernel.state.records import Fact, Record

#: Never: before the first player turn.
NEVER = -99
#: Why a unit may not move for a while, and by which rule.
FROZEN = {
    "through": "wfb3:8.2-through", "pierced": "wfb3:5.7.4-wedge-breakthrough", "inside": "wfb3:5.5.1-end-inside",
    "halt": "wfb3:7.13.4-halt", "fear": "wfb3:10.8-charge", "passed": "wfb3:5.5-skirmish",
    "loot": "wfb3:17.3-pillage", "crew": "wfb3:18.6-death-crew", "fly-off": "wfb3:21.5-no-amok",
    "reform": "wfb3:22.1.6-no-pursuit",
}  # fmt: skip
FORMATIONS = ("ranks", "file", "square", "wedge", "missile-wedge", "shield-wall", "testudo")
#: What has become of a banner.
BANNERS = ("", "held", "dropped", "lost", "captured")


class Drill(Record, frozen=True):
    """wfb3:5.3.3-formations  How a unit is drawn up."""

    formation: Annotated[str, Fact("how it is drawn up", seen="all", given=True, choices=FORMATIONS)] = "ranks"
    split: Annotated[str, Fact("the obstacle it is crossing", seen="all")] = ""
    assorted: Annotated[tuple[str, ...], Fact("wfb3:13.1: the rules by which its models count as armed alike")] = ()
    mixed: Annotated[str, Fact("wfb3:5.7.2-mixed: the other part of a mixed formation", seen="all")] = ""
    post: Annotated[str, Fact("and which part it is: front, rear, centre, flanks", seen="all")] = ""
    muddled: Annotated[int, Fact("when it failed to change places as it was charged")] = NEVER
    among: Annotated[tuple[str, ...], Fact("friends it has stopped among")] = ()


class March(Record, frozen=True):
    """Chapters 5, 9: what a unit has done and may still do of its moves."""

    moved: Annotated[int, Fact("the clock of its last move or manoeuvre in a movement phase")] = NEVER
    done: Annotated[bool, Fact("whether its move of this phase has been made", given=True)] = False
    manoeuvres: Annotated[int, Fact("how many it has attempted this phase", given=True)] = 0
    halted: Annotated[bool, Fact("whether it failed a manoeuvre this phase")] = False
    failed_complex: Annotated[int, Fact("when it last failed a complex manoeuvre")] = NEVER
    edged: Annotated[
        bool, Fact("wfb3:25.2.2-rest: placed at its edge, its first move counts from there", seen="all", given=True)
    ] = False
    still_since: Annotated[int, Fact("the player turn since which it has stood motionless")] = NEVER
    frozen: Annotated[int, Fact("it may not move up to and including this player turn")] = NEVER
    frozen_why: Annotated[str, Fact("and why", given=True, choices=tuple(FROZEN))] = ""
    reserve_inches: Annotated[float, Fact("distance of its last reserve move", given=True)] = 0.0
    no_reserve: Annotated[int, Fact("when it may make no reserve move")] = NEVER


class Shooting(Record, frozen=True):
    """wfb3:8.1-shooting  What a unit has shot, and lost to missiles."""

    fired: Annotated[int, Fact("when it last shot")] = NEVER
    fired_at: Annotated[str, Fact("at whom")] = ""
    shot_at_chargers: Annotated[int, Fact("when it last shot at those who charged it")] = NEVER
    turn_strength: Annotated[int, Fact("its models when the player turn began", given=True)] = 0
    missile_losses: Annotated[int, Fact("how many of them missiles have killed", given=True)] = 0
    missile_tested: Annotated[int, Fact("when it last tested for them")] = NEVER


class Charge(Record, frozen=True):
    """Chapters 7.1, 7.2: A charge from its declaration to contact, and the answer to one."""

    target: Annotated[str, Fact("the enemy whose charge it has declared this turn", seen="all")] = ""
    face: Annotated[str, Fact("the side of the target it must strike")] = ""
    charged: Annotated[int, Fact("when it last charged")] = NEVER
    bonus_lost: Annotated[int, Fact("when it lost the bonuses of its charge")] = NEVER
    late: Annotated[
        tuple[int, tuple[int, ...]], Fact("when it charged with files that could not come up, and which")
    ] = (NEVER, ())
    unseen: Annotated[tuple[str, ...], Fact("enemies not visible to it at the start of the movement phase")] = ()
    answered: Annotated[str, Fact("its response to the charge on it this turn", seen="all")] = ""


class Combat(Record, frozen=True):
    """Chapter 7.6: to chapter 7.14  What a unit remembers of its fights."""

    disordered: Annotated[bool, Fact("wfb3:7.4.1-minus1: whether it has lost its order", seen="all", given=True)] = (
        False
    )
    shaky: Annotated[int, Fact("routs automatically if beaten in this player turn's combat")] = NEVER
    shaky_foes: Annotated[tuple[str, ...], Fact("by these")] = ()
    won: Annotated[int, Fact("when it last won a round")] = NEVER
    pushed: Annotated[int, Fact("when it was last pushed back")] = NEVER
    swung: Annotated[int, Fact("wfb3:7.13.4-pivot: when it last pivoted")] = NEVER
    followed: Annotated[int, Fact("when it last followed up")] = NEVER
    ever_pushed: Annotated[bool, Fact("whether it was pushed back in this engagement")] = False
    rounds: Annotated[int, Fact("fought in this engagement", given=True)] = 0
    weapon: Annotated[str, Fact("in hand in this engagement", seen="all", given=True, choices=("", *WEAPONS))] = ""
    one_hand: Annotated[bool, Fact("wfb3:13.3-two-weapons: the second weapon stays in the belt")] = False
    lance: Annotated[bool, Fact("whether its lances count in this engagement")] = False
    pistols: Annotated[
        str, Fact('wfb3:13.8.3-pistol-melee: "fires" this round, or "fired" in this engagement', seen="all")
    ] = ""
    gang: Annotated[
        tuple[str, int], Fact("wfb3:7.15.5-gang: the challenger its front rank helps against, and how many do")
    ] = ("", 0)
    odd_one: Annotated[bool, Fact("wfb3:10.9-combat: whether the odd one of a stupid unit fights this round")] = False
    auto_hit: Annotated[tuple[str, ...], Fact("attackers it cannot strike back at")] = ()
    strength_at_start: Annotated[int, Fact("its models when this round began")] = 0
    front_at_start: Annotated[int, Fact("and those of its front rank")] = 0
    hated_won: Annotated[int, Fact("when hated enemies among others decided a round against it")] = NEVER
    gaps: Annotated[
        tuple[int, int, int], Fact("wfb3:7.11-casualties: when it last lost troops to blows, its files then, how many")
    ] = (NEVER, 0, 0)
    fought: Annotated[
        tuple[int, tuple[tuple[str, int], ...]],
        Fact("when it last fought a round, and how many of the troops that fought each enemy are left"),
    ] = (NEVER, ())
    opening: Annotated[tuple[int, int], Fact("when thrown weapons last wounded at contact, and how many")] = (NEVER, 0)
    hurt: Annotated[int, Fact("wounds noted on the ordinary models", seen="all", given=True)] = 0


class Rout(Record, frozen=True):
    """Chapter 8: flight, pursuit and rallying."""

    routed: Annotated[bool, Fact("whether it runs", seen="all", given=True)] = False
    routed_at: Annotated[int, Fact("since when")] = NEVER
    fled: Annotated[int, Fact("when it fled a charge in order")] = NEVER
    flight: Annotated[float, Fact("bearing of its flight")] = 0.0
    pursuing: Annotated[str, Fact("whom it pursues", seen="all")] = ""
    fresh_pursuit: Annotated[str, Fact("the enemy met in pursuit: pushed back by it, it routs", given=True)] = ""
    caught: Annotated[str, Fact("the pursuer in contact", seen="all")] = ""
    rallied: Annotated[int, Fact("when it last rallied")] = NEVER


class Minds(Record, frozen=True):
    """Chapter 10: psychology: what troubles a unit."""

    frenzied: Annotated[bool, Fact("wfb3:10.5: whether it is in a frenzy", seen="all", given=True)] = False
    stupid: Annotated[bool, Fact("wfb3:10.9: whether it is stupid now", seen="all", given=True)] = False
    lashes: Annotated[
        int, Fact("wfb3:10.9-out: when, stupid, it attacked what it had run into, as it would an enemy")
    ] = NEVER
    fear_of: Annotated[tuple[str, ...], Fact("whom it failed to stand against this turn")] = ()
    fear_done: Annotated[tuple[str, ...], Fact("against whom it has tested this turn")] = ()
    quarrel: Annotated[str, Fact("the friend it squabbles with this turn", seen="all")] = ""
    quarrelled: Annotated[int, Fact("when it last tested for animosity")] = NEVER
    brawls: Annotated[int, Fact("wfb3:10.3-seven: when it last came to blows with friends")] = NEVER
    by_friends: Annotated[bool, Fact("wfb3:10.3-fight-rally: whether friends routed it", given=True)] = False
    panicked: Annotated[tuple[str, ...], Fact("causes of panic met this player turn")] = ()
    ld_loss: Annotated[int, Fact("wfb3:7.15.3-refuse: Ld lost by refused challenges", seen="all", given=True)] = 0


class Indoors(Record, frozen=True):
    """Chapter 22: A unit inside a building, or about to get in."""

    rooms: Annotated[
        tuple[tuple[str, tuple[str, ...]], ...], Fact("wfb3:22.1.2-notes: who is in which section/level")
    ] = ()
    revealed: Annotated[bool, Fact("wfb3:22.1.2-notes: has shown itself at the openings")] = False
    perch: Annotated[int, Fact("wfb3:22.1.5-high: fights from a higher level in this player turn")] = NEVER
    wing: Annotated[str, Fact("the part of its unit that is outside, or inside")] = ""
    battered: Annotated[int, Fact("wfb3:22.5-melee: when it last struck at a building")] = NEVER
    storms: Annotated[str, Fact("wfb3:22.1.5-charge: the section/level it charges this turn")] = ""


class Fire(Record, frozen=True):
    """Chapter 23: fire missiles, and flames."""

    fire_missiles: Annotated[bool, Fact("wfb3:23.1.2-fire-missiles: whether it has any")] = False
    brazier: Annotated[bool, Fact("and a brazier to light them")] = False
    fire_wounds: Annotated[
        tuple[int, int], Fact("wfb3:23.4-creatures: in which player turn fire last wounded it, and how often")
    ] = (NEVER, 0)
    burning: Annotated[bool, Fact("wfb3:23.4.1-burning: whether it is in flames")] = False


class Standards(Record, frozen=True):
    """Chapters 12, 16.1: banners, and the army standard a character bears."""

    banner: Annotated[str, Fact("its own", seen="all", given=True, choices=BANNERS)] = ""
    banner_taken: Annotated[bool, Fact("wfb3:12.3-ld-penalty: the enemy has had it, and it has not been won back")] = (
        False
    )
    trophies: Annotated[tuple[str, ...], Fact("units whose banners it has taken", seen="all")] = ()
    let_fall: Annotated[tuple[str, ...], Fact("those of them whose carrier has fallen")] = ()
    contingent: Annotated[str, Fact("wfb3:16.1-contingents: the contingent it belongs to", seen="all")] = ""
    great: Annotated[
        str, Fact("of a character: the army standard he bears", seen="all", given=True, choices=BANNERS)
    ] = ""
    great_loss: Annotated[int, Fact("Ld lost with it", seen="all", given=True)] = 0
    great_at: Annotated[str, Fact("the unit it was dropped in or taken from")] = ""
    great_bearer: Annotated[str, Fact("the model that carries the army standard of this character now")] = ""


class Chariot(Record, frozen=True):
    """Chapter 20: teams of chariots, and shots at them."""

    hitched: Annotated[bool, Fact("whether its teams are in harness", given=True)] = True
    unhitching: Annotated[int, Fact("wfb3:20.9-unhitch: begun in this player turn")] = NEVER
    salvo: Annotated[str, Fact("wfb3:20.7-shooting-at: how the shooter shares his hits: one, each or a chariot")] = ""


class Air(Record, frozen=True):
    """Chapter 21: flyers: how high, how fast, over whom."""

    height: Annotated[int, Fact("wfb3:21.2.3-levels: 0 ground, 1 attack level, 2 is +10, 3 is +20 …")] = 0
    speed: Annotated[float, Fact("inches flown in its last own movement phase", given=True)] = 0.0
    flew: Annotated[int, Fact("when it last flew")] = NEVER
    over: Annotated[tuple[str, ...], Fact("models it flew over this turn")] = ()
    loaded: Annotated[bool, Fact("whether it has things to drop")] = False
    strayed: Annotated[str, Fact("the unit of flyers it was parted from")] = ""
    left_at: Annotated[int, Fact("when it left the table to gather things to drop")] = NEVER
    recalled: Annotated[bool, Fact("comes back at the start of its next turn, empty-handed", given=True)] = False
    busy: Annotated[tuple[str, ...], Fact("wfb3:21.4.2-defence: models that fight flyers this round")] = ()


class Troops(Record, frozen=True):
    """Chapter 15: special troops: packs, assassins, weres, scouts, sappers, engineers."""

    keeper: Annotated[str, Fact("the terrain feature or unit that keeps it", seen="all", given=True)] = ""
    wild: Annotated[bool, Fact("wfb3:15.1-pack-wild: a pack without handlers", seen="all", given=True)] = False
    hides: Annotated[str, Fact("wfb3:15.2-hidden: of an assassin, the unit he hides in", seen="own")] = ""
    weres: Annotated[int, Fact("wfb3:15.9-hidden: how many of its models are weres in human form", seen="own")] = 0
    were_form: Annotated[str, Fact("the animal, once it is known", seen="own")] = ""
    were_of: Annotated[
        str, Fact("of a unit of weres in animal form: the unit they came from", seen="all", given=True)
    ] = ""
    were_asked: Annotated[int, Fact("when its player was last asked whether they change")] = NEVER
    were_known: Annotated[bool, Fact("whether they have changed before everybody's eyes")] = False
    born: Annotated[Profile | None, Fact("what weres in animal form are by birth")] = None
    own_traps: Annotated[
        tuple[str, ...], Fact("wfb3:15.6-traps: woods whose traps cannot hurt it", seen="all", given=True)
    ] = ()
    worked: Annotated[int, Fact("wfb3:15.8-teams: when its sappers last worked")] = NEVER
    crews: Annotated[tuple[str, ...], Fact("wfb3:19.3.3-replace: the kinds of machines its men were trained on")] = ()
    battery: Annotated[
        tuple[str, ...], Fact("wfb3:15.4-battery: of an engineer, other units whose machines he commands")
    ] = ()
    supervised: Annotated[int, Fact("wfb3:15.4-supervise: when he last did")] = NEVER


class Character(Record, frozen=True):
    """Chapters 14, 16.2: commanders, and the altars they bring along."""

    general: Annotated[bool, Fact("wfb3:14.8-general-radius: whether he commands the army")] = False
    second: Annotated[bool, Fact("wfb3:14.8.1-seconds: whether he is second-in-command")] = False
    second_radius: Annotated[int, Fact("inches his command reaches as a second", seen="own", given=True)] = 0
    stayed: Annotated[
        tuple[str, ...], Fact("who tried to leave it this turn; of a character, the unit he has just left")
    ] = ()
    steed: Annotated[Profile | None, Fact("wfb3:14.2-dismount: the mount a character has left")] = None
    altar: Annotated[bool, Fact("wfb3:16.2-altar-cart: a war altar, or a wagon that bears one")] = False
    guards: Annotated[str, Fact("wfb3:16.2-altar-alt: of an altar, the unit nominated to guard it")] = ""


class Baggage(Record, frozen=True):
    """Chapter 17: looting trains, and defending them."""

    pillaging: Annotated[str, Fact("wfb3:17.3-pillage: the seat whose baggage it loots", seen="all", given=True)] = ""
    looted: Annotated[
        str, Fact("wfb3:17.3-capture: the seat whose baggage it has done looting", seen="all", given=True)
    ] = ""
    defends: Annotated[str, Fact("wfb3:17.2-garrison: the seat whose baggage it defends", seen="all", given=True)] = ""


class Hero(Record, frozen=True):
    """Chapter 14: what makes a character of a model."""

    level: Annotated[int, Fact("wfb3:14-character-levels", seen="all")] = 0
    wizard: Annotated[bool, Fact("whether he casts spells")] = False
    champion: Annotated[bool, Fact("whether he belongs to one unit")] = False
    bonus: Annotated[
        tuple[tuple[str, int], ...], Fact("wfb3:14.5-mental-bonus: what he lends to the unit he leads")
    ] = ()
    gains: Annotated[tuple[tuple[str, int], ...], Fact("his bonuses over his race")] = ()
    resigning: Annotated[int, Fact("wfb3:14.6.6-give-up-command: when he announced it")] = NEVER
    ld_less: Annotated[int, Fact("wfb3:16.1-lost: Ld and Ld bonus lost with the army standard")] = 0
    assassin: Annotated[bool, Fact("wfb3:15.2-level: whether he is one")] = False
    stalked: Annotated[str, Fact("wfb3:15.2-strike: whom he fights alone in the coming round")] = ""
    invented: Annotated[bool, Fact("wfb3:14.3-gm-characters: made up by the game master")] = False
    magic: Annotated[int, Fact("magic points left", seen="all")] = 0
    spells: Annotated[tuple[str, ...], Fact("those he knows")] = ()


class Fight(Record, frozen=True):
    """Chapters 7.15, 14.6.3: what a model does in the fight it is in."""

    refused: Annotated[bool, Fact("wfb3:7.15.3-refuse: hides this round", seen="all")] = False
    duel: Annotated[str, Fact("the model it fights alone this round", seen="all")] = ""
    dared: Annotated[str, Fact("by whom it was challenged, where it refused")] = ""
    dazed: Annotated[bool, Fact("wfb3:10.9-combat: too stupid to strike this round", seen="all")] = False
    weapon: Annotated[str, Fact("wfb3:13.2-one-melee-weapon: of a character, what he fights this engagement with")] = ""
    one_hand: Annotated[
        bool, Fact("wfb3:13.3-two-weapons: of a character, he leaves his second weapon in the belt")
    ] = False
    pistol: Annotated[
        str,
        Fact('wfb3:13.8.3-pistol-melee: of a character, "fires" this round or "fired" in this engagement', seen="all"),
    ] = ""
    shoots: Annotated[bool, Fact("wfb3:18.4.3-crew-attacks: shoots in this round instead of striking")] = False
    back: Annotated[bool, Fact("wfb3:14.6.3-step-back: stands where he does not fight", seen="all")] = False
    fought: Annotated[bool, Fact("wfb3:14.6.3-leave-engaged: in a fighting rank when the combat began")] = False
    frenzied: Annotated[bool, Fact("wfb3:14.6.4-own-psychology: in a frenzy of his own", seen="all")] = False


class Ride(Record, frozen=True):
    """Chapters 18, 20, 21.5: beasts, cars and those aboard."""

    aboard: Annotated[str, Fact("the model that carries it")] = ""
    crew: Annotated[tuple[str, ...], Fact("those it carries")] = ()
    driver: Annotated[str, Fact("the one of them who drives")] = ""
    howdah: Annotated[bool, Fact("whether they stand in a howdah")] = False
    car: Annotated[Car | None, Fact("wfb3:20.3-types: the chariot it is")] = None
    team: Annotated[int, Fact("draught creatures alive", given=True)] = 0
    taken: Annotated[tuple[int, int], Fact("when it was last wounded, and how often")] = (NEVER, 0)
    amok: Annotated[bool, Fact("wfb3:18.5-amok-move, wfb3:20.8.3-runaway: whether it obeys nobody", given=True)] = False
    tried: Annotated[bool, Fact("wfb3:18.5-amok-no-driver: the crew has had its one attempt", given=True)] = False
    marks: Annotated[
        tuple[str, ...], Fact("damage of a chariot that lasts: wheel, reins, stuck, axle, pole, wreck")
    ] = ()
    struck: Annotated[int, Fact("hits noted on a chariot this phase", given=True)] = 0
    jolts: Annotated[
        tuple[int, int], Fact("when it last crossed rough going, and what that adds to its damage roll")
    ] = (NEVER, 0)
    shaken: Annotated[int, Fact("up to and including this player turn the crew can do nothing")] = NEVER
    rolled: Annotated[int, Fact("the player turn of its last damage roll")] = NEVER
    fell: Annotated[int, Fact("the player turn it crashed in")] = NEVER


class Land(Record, frozen=True):
    """wfb3:15.6-traps, wfb3:15.8-teams, wfb3:23.3.5-rain, wfb3:26.2-gm-awards  What is known of the field itself."""

    trapped: Annotated[tuple[str, ...], Fact("woods with traps in them", seen="all")] = ()
    works: Annotated[tuple[tuple[str, str, float], ...], Fact("pieces, what they will be, inches built")] = ()
    rain: Annotated[int, Fact("it rains up to and including this player turn")] = NEVER
    awards: Annotated[tuple[tuple[str, int], ...], Fact("places and their points", seen="all")] = ()


class Vanguard(Record, frozen=True):
    """wfb3:25.2.1-scout-turn  The turn of the advance forces."""

    scout: Annotated[str, Fact("how far it has come: begin, playing, rest, over")] = ""
    fastest: Annotated[str, Fact("the side with the faster advance force")] = ""

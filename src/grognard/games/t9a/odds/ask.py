"""What the odds desk can be asked of The Ninth Age."""

from __future__ import annotations

from grognard.games.t9a.odds.policy import AIMS, TROOPS, USES
from grognard.kernel.odds.odds import OddsArgument, OddsQuestion


def _whole(name: str, about: str, default: int, least: int, most: int) -> OddsArgument:
    return OddsArgument(name, "whole", about, default, least=least, most=most)


def _flag(name: str, about: str) -> OddsArgument:
    return OddsArgument(name, "flag", about, False)


_DEFENCE = (
    _whole("strength", "Strength of the attack", 3, 0, 20),
    _whole("ap", "Armour Penetration", 0, 0, 20),
    _whole("resilience", "Resilience of the target", 3, 0, 20),
    _whole("armour", "Armour of the target", 0, 0, 6),
    _whole("aegis", "its Aegis save, 7 for none", 7, 2, 7),
    _whole("fortitude", "its Fortitude save, 7 for none", 7, 2, 7),
    OddsArgument("multiple", "dice", "Multiple Wounds (X)", 1),
    _whole("hp", "Health Points of each target model", 1, 1, 20),
    _flag("lethal", "Lethal Strike"),
    _flag("poison", "Poison Attacks"),
    _flag("focus", "Battle Focus"),
    _flag("divine", "Divine Attacks"),
    _flag("flaming", "Flaming Attacks"),
    _flag("flammable", "the target is Flammable"),
)

_COMMON = (
    OddsArgument("profiles", "mapping", "profiles of your own by name, as cases write them"),
    OddsArgument("house", "mapping", "house rules that differ from the usual"),
    OddsArgument("given", "mapping", "a whole situation as cases write it; then name who acts with from and to"),
    OddsArgument("from", "text", "with given: the unit that acts"),
    OddsArgument("to", "text", "with given: the unit it acts on"),
)
_UNIT = "a unit as cases write it, or list=army:unit; what is not said is an ordinary soldier's"
_MELEE = (
    OddsArgument("attacker", "mapping", f"the attackers: {_UNIT}"),
    OddsArgument("defender", "mapping", f"the defenders: {_UNIT}"),
    OddsArgument(
        "charged", "text", "who has charged this turn", "attacker", choices=("attacker", "defender", "nobody")
    ),
    OddsArgument("first", "flag", "whether it is the first round of the combat", True),
    OddsArgument(
        "side", "text", "the side of the defenders that is fought", "front", choices=("front", "flank", "rear")
    ),
    OddsArgument("aim", "text", "whom attacks are aimed at where there is a choice", TROOPS, choices=AIMS),
    OddsArgument("use", "list", f"what else is used: {', '.join(USES)}"),
)

_ALL = (
    OddsQuestion(
        "charge",
        "How likely is a charge to reach its target?",
        (
            OddsArgument("distance", "number", "inches to the target", least=0, most=60),
            OddsArgument("advance", "whole", "Advance Rate, if it is another than the charger's", least=0, most=20),
            _whole("extra", "Maximised rolls less Minimised ones", 0, -4, 4),
            _flag("champion", "the unit has a Champion"),
            OddsArgument("charger", "mapping", f"the chargers: {_UNIT}"),
            OddsArgument("target", "mapping", f"the target: {_UNIT}"),
            _flag("flying", "they fly"),
            *_COMMON,
        ),
        "distance=9 advance=4",
    ),
    OddsQuestion(
        "discipline",
        "How likely is a Discipline Test to be passed?",
        (
            _whole("discipline", "Discipline after all modifiers", 7, 0, 10),
            _whole("extra", "Maximised rolls less Minimised ones", 0, -4, 4),
            _flag("again", "a failed test may be taken again"),
        ),
        "discipline=8 again=true",
    ),
    OddsQuestion(
        "volley",
        "How many Health Points does a volley take?",
        (
            _whole("shots", "how many shots", 10, 1, 60),
            _whole("need", "what hits, after all modifiers (7 is a Hopeless Shot)", 4, 2, 8),
            *_DEFENCE,
        ),
        "shots=10 need=5 strength=4 ap=1 armour=2",
    ),
    OddsQuestion(
        "strike",
        "How many Health Points do Close Combat Attacks take?",
        (
            _whole("attacks", "how many attacks", 5, 1, 60),
            _whole("offence", "Offensive Skill", 3, 0, 20),
            _whole("defence", "Defensive Skill", 3, 0, 20),
            _whole("plus", "modifier of the to-hit roll", 0, -4, 4),
            _flag("hatred", "failed to-hit rolls are rolled again"),
            *_DEFENCE,
        ),
        "attacks=10 offence=4 defence=3",
    ),
    OddsQuestion(
        "casting",
        "How likely is a spell to be cast, against so many dispel dice?",
        (
            _whole("dice", "Magic Dice of the caster", 2, 1, 5),
            _whole("value", "Casting Value", 7, 1, 30),
            _whole("plus", "casting modifiers", 0, -6, 6),
            _whole("dispel", "Magic Dice of the opponent", 0, 0, 8),
            _whole("dispel_plus", "dispel modifiers", 0, -6, 6),
            _whole("flux", "the Flux Card in play, for Miscasts; 0 for none", 0, 0, 8),
        ),
        "dice=3 value=8 dispel=2",
    ),
    OddsQuestion(
        "shooting",
        "What does a unit's round of shooting do to another?",
        (
            OddsArgument("shooter", "mapping", f"the shooters: {_UNIT}"),
            OddsArgument("target", "mapping", f"the target: {_UNIT}"),
            OddsArgument("distance", "number", "inches from front to front", 12, least=0, most=60),
            _flag("moved", "the shooters have moved"),
            OddsArgument("cover", "text", "the cover of the target", "none", choices=("none", "soft", "hard")),
            _flag("stand", "they stand and shoot at a charge"),
            OddsArgument("weapon", "text", "the weapon they shoot with, where they have several"),
            *_COMMON,
        ),
        "shooter.list=free-cities-patrol:Crossbows target.list=old-barrows-patrol:Ghasts distance=14",
    ),
    OddsQuestion(
        "fighting",
        "What do the blows of a unit, or of one model, do to another unit in a round?",
        (
            OddsArgument("model", "text", "whose blows: troops, champion or a model's name; the whole unit's if none"),
            *_MELEE,
            *_COMMON,
        ),
        "attacker.list=free-cities-patrol:Lancers defender.list=old-barrows-patrol:Dead",
    ),
    OddsQuestion(
        "combat",
        "Who wins a Round of Combat, and do the beaten break?",
        (*_MELEE, *_COMMON),
        "attacker.list=free-cities-patrol:Lancers defender.list=old-barrows-patrol:Ghasts side=flank",
    ),
)
QUESTIONS = {question.name: question for question in _ALL}

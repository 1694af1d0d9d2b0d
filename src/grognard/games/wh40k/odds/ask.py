"""What the odds desk can be asked of Warhammer 40,000, with the arguments of each question."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.kernel.odds.odds import OddsArgument, OddsQuestion

Argument = OddsArgument
AGAIN = ("none", "ones", "any")

HOW = (
    Argument("hit_modifier", "whole", "anything else added to Hit rolls", 0, least=-9, most=9),
    Argument("wound_modifier", "whole", "anything else added to Wound rolls", 0, least=-9, most=9),
    Argument("reroll_hits", "text", "which Hit rolls may be re-rolled", "none", choices=AGAIN),
    Argument("reroll_wounds", "text", "which Wound rolls may be re-rolled", "none", choices=AGAIN),
    Argument("reroll_saves", "text", "which saving throws may be re-rolled", "none", choices=AGAIN),
    Argument("fish", "flag", "whether successes that are not critical are re-rolled too", False),
    Argument("command", "text", "a failed roll of the first weapon to use Command Re-roll for", "none",
             choices=("none", "hit", "wound")),
    Argument("command_save", "flag", "whether the target uses Command Re-roll for its first failed save", False),
    Argument("cover", "flag", "whether the target has the Benefit of Cover", False),
    Argument("stationary", "flag", "whether the attackers Remained Stationary", False),
    Argument("charged", "flag", "whether the attackers made a Charge move", False),
    Argument("hidden", "flag", "whether nobody of the attackers sees the target (Indirect Fire)", False),
    Argument("overwatch", "flag", "whether this is Fire Overwatch", False),
    Argument("precision", "flag", "whether Precision is used on the CHARACTER of an Attached unit", True),
    Argument("mortal", "dice", "mortal wounds besides, when all else is done"),
)  # fmt: skip
NUMBERS = (
    Argument("attacks", "dice", "attacks of each weapon, a number or dice such as 2D6+6", 1, also=("A",)),
    Argument("bearers", "whole", "how many models make them", 1, least=1, most=60),
    Argument("skill", "whole", "BS or WS", 4, least=2, most=6, also=("BS", "WS")),
    Argument("S", "dice", "strength of the weapon, a number or dice", 4, least=1, most=40),
    Argument("ap", "dice", "armour penetration, 0 or less, or dice such as -D3", 0, least=-9, most=0, also=("AP",)),
    Argument("damage", "dice", "damage of the weapon, a number or dice", 1, also=("D",)),
    Argument("abilities", "list", "abilities of the weapon, such as Sustained Hits 1"),
    Argument("melee", "flag", "whether these are melee attacks", False),
    Argument("half_range", "flag", "whether the target is within half range", False),
    Argument("wound", "whole", "the Wound roll needed, instead of S against T", least=2, most=6),
    Argument("T", "whole", "toughness of the target", 4, least=1, most=40),
    Argument("save", "whole", "save characteristic of the target; 7 is none", 7, least=2, most=7, also=("Sv",)),
    Argument("invulnerable", "whole", "invulnerable save of the target; 7 is none", 7, least=2, most=7),
    Argument("fnp", "whole", "Feel No Pain of the target; 7 is none", 7, least=2, most=7, also=("FNP",)),
    Argument("models", "whole", "how many models the target has, a leader aside", 1, least=1, most=60),
    Argument("wounds", "whole", "wounds of each of them", 1, least=1, most=60, also=("W",)),
    Argument("left", "whole", "wounds the first of them has left", least=1, most=60),
    Argument("keywords", "list", "keywords of the target, for Anti"),
    Argument("stealth", "flag", "whether the target has Stealth", False),
    Argument("leader_wounds", "whole", "wounds of a leader attached to the target", least=1, most=60),
    Argument("leader_save", "whole", "save of that leader", least=2, most=7),
    Argument("leader_invulnerable", "whole", "invulnerable save of that leader", least=2, most=7),
    Argument("leader_fnp", "whole", "Feel No Pain of that leader", least=2, most=7),
)
UNITS = (
    Argument("attacker", "text", "the attackers: a datasheet, or army:unit"),
    Argument("attacker_models", "mapping", "how many models of each kind, where the datasheet leaves it open"),
    Argument("attacker_options", "mapping", "wargear options taken"),
    Argument("attacker_leader", "text", "the leader attached to them: a datasheet, or army:unit"),
    Argument("weapons", "list", "the weapons used; the usual ones if left out"),
    Argument("target", "text", "the target: a datasheet, or army:unit"),
    Argument("target_models", "mapping", "how many models of each kind, where the datasheet leaves it open"),
    Argument("target_options", "mapping", "wargear options taken"),
    Argument("target_leader", "text", "the leader attached to it: a datasheet, or army:unit"),
    Argument("left", "whole", "wounds the first model of the target has left", least=1, most=60),
    Argument("smoke", "flag", "whether the target used Smokescreen", False),
    Argument("gone_to_ground", "flag", "whether the target has Gone to Ground", False),
    Argument("armies", "mapping", "army lists of your own by name, for army:unit"),
    Argument("datasheets", "mapping", "datasheets of your own by name, as in an army list"),
    Argument("house", "mapping", "house rules that differ from the usual"),
    Argument("given", "mapping", "a whole situation as cases write it; then name who acts with from and to"),
    Argument("from", "text", "with given: the unit that attacks"),
    Argument("to", "text", "with given: the unit it attacks"),
)
EPIC = Argument("epic", "flag", "whether the attackers' CHARACTER used Epic Challenge", False)
DISTANCE = Argument("distance", "number", "inches between attackers and target", 12, least=0, most=120)

VICTIMS = (
    Argument("models", "whole", "how many models the target has", 1, least=1, most=60),
    Argument("wounds", "whole", "wounds of each of them", 1, least=1, most=60, also=("W",)),
    Argument("left", "whole", "wounds the first of them has left", least=1, most=60),
    Argument("fnp", "whole", "Feel No Pain of the target; 7 is none", 7, least=2, most=7, also=("FNP",)),
)

_QUESTIONS = (
    OddsQuestion(
        "attack", "What does one weapon profile do to a unit?", (*NUMBERS, *HOW),
        'attacks=2D6+6 skill=3 "abilities=Sustained Hits 1, Lethal Hits" wound=4 save=4 damage=D6+1 fnp=5 models=5 '
        "wounds=3",
    ),
    OddsQuestion(
        "shooting", "What does a unit's shooting do to a unit?", (*UNITS, DISTANCE, *HOW),
        "attacker=iron-compact-1000:First-Wardens target=Clawkin target_models.Clawkin=20 distance=10",
    ),
    OddsQuestion(
        "fighting", "What do a unit's melee attacks do to a unit?", (*UNITS, EPIC, *HOW),
        "attacker=Stalkers target=Wardens target_leader=Marshal charged=yes",
    ),
    OddsQuestion(
        "charge", "Does a charge reach its target?",
        (
            Argument("distance", "number", "inches between charger and target", required=True, least=0, most=60),
            Argument("barricade", "flag", "whether the target stands behind a barricade", False),
            Argument("command", "flag", "whether a roll that fails is re-rolled by Command Re-roll", False),
        ),
        "distance=9 command=yes",
    ),
    OddsQuestion(
        "shock", "Is a Battle-shock test passed?",
        (
            Argument(
                "leadership", "whole", "the best Leadership of the unit", required=True, least=2, most=12, also=("Ld",)
            ),
        ),
        "leadership=7",
    ),
    OddsQuestion(
        "escape", "How many models does a Desperate Escape cost?",
        (
            Argument("models", "whole", "how many models the unit has", 1, least=1, most=60),
            Argument("tests", "whole", "how many of them test; all if left out", least=1, most=60),
        ),
        "models=5 tests=2",
    ),
    OddsQuestion("grenade", "What does the Grenade Stratagem do to a unit?", VICTIMS, "models=10 fnp=5"),
    OddsQuestion(
        "tank-shock", "What does Tank Shock do to a unit?",
        (
            Argument("S", "dice", "strength of the weapon, a number or dice", 6, least=1, most=40),
            Argument("T", "whole", "toughness of the target", 4, least=1, most=40),
            *VICTIMS,
        ),
        "S=8 T=4 models=5 wounds=2",
    ),
)  # fmt: skip

QUESTIONS: Mapping[str, OddsQuestion] = {question.name: question for question in _QUESTIONS}

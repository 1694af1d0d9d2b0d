"""What the odds desk can be asked of Némésis, with the arguments of each question."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.games.nemesis.odds.policy import SPARE, USE
from grognard.kernel.odds.odds import OddsArgument, OddsQuestion

Argument = OddsArgument

MEANS = Argument(
    "means", "text", "whether re-rolls and other means that are the owner's choice are used", USE, choices=(USE, SPARE)
)
COMMON = (
    MEANS,
    Argument("cards", "mapping", "cards of your own by name, as in an army list"),
    Argument("house", "mapping", "house rules that differ from the usual"),
    Argument("given", "mapping", "a whole situation as cases write it; then name who acts with from and to"),
    Argument("from", "text", "with given: the model or unit that acts"),
    Argument("to", "text", "with given: the unit or model it acts on"),
)
SHOOTER = (
    Argument("shooter", "text", "the shooter's card"),
    Argument("weapon", "text", "the name of the weapon, where there are several"),
    Argument("HT", "whole", "skill with ranged weapons", least=0, most=20),
    Argument("F", "whole", "strength of the weapon", least=0, most=30),
    Argument("DT", "whole", "difficulty of the weapon", least=0, most=30),
    Argument("P", "number", "range of the weapon in cm", least=0, most=120),
    Argument("shooter_size", "whole", "size of the shooter", least=1, most=6),
    Argument("shooter_abilities", "list", "abilities of the shooter"),
)
TARGET = (
    Argument("target", "text", "the target's card"),
    Argument("R", "whole", "resistance of the target", least=0, most=30),
    Argument("S", "whole", "survival of the target", least=0, most=10),
    Argument("size", "whole", "size of the target", least=1, most=6),
    Argument("target_abilities", "list", "abilities of the target"),
)
AIM = (
    Argument("distance", "number", "cm from base to base", 10, least=0, most=120),
    Argument("cover", "flag", "whether the target is covered", False),
    Argument("moved", "flag", "whether the shooter has moved", False),
    Argument("modifier", "whole", "anything else added to the accuracy roll", 0, least=-20, most=20),
)


def _fighter(prefix: str, who: str) -> tuple[OddsArgument, ...]:
    """The arguments that describe one side of a melee."""
    return (
        Argument(prefix, "text", f"the {who}' card"),
        Argument(f"{prefix}s", "whole", f"how many {who} there are", 1, least=1, most=40),
        Argument(f"{prefix}_HC", "whole", f"the {who}' skill in close combat", least=0, most=20),
        Argument(f"{prefix}_F", "whole", f"the {who}' strength", least=0, most=30),
        Argument(f"{prefix}_R", "whole", f"the {who}' resistance", least=0, most=30),
        Argument(f"{prefix}_S", "whole", f"the {who}' survival", least=0, most=10),
        Argument(f"{prefix}_A", "whole", f"attacks of each of the {who}", least=1, most=10),
        Argument(f"{prefix}_size", "whole", f"size of the {who}", least=1, most=6),
        Argument(f"{prefix}_abilities", "list", f"abilities of the {who}"),
    )


_QUESTIONS = (
    OddsQuestion(
        "shot", "What becomes of one shot at one model?",
        (
            *SHOOTER, *TARGET, *AIM,
            Argument("melee", "flag", "whether the target fights one friend of the shooter", False), *COMMON,
        ),
        'HT=4 F=3 DT=9 P=50 R=7 S=1 distance=20',
    ),
    OddsQuestion(
        "volley", "How many of a unit does a volley fell?",
        (
            Argument("shooters", "whole", "how many shoot", 1, least=1, most=60),
            Argument("visible", "whole", "how many of the target unit can be seen", 10, least=1, most=60),
            *SHOOTER, *TARGET, *AIM, *COMMON,
        ),
        'shooters=5 "shooter=Crown Archer" target=Skeleton visible=8 distance=20',
    ),
    OddsQuestion(
        "charge", "How does a declared charge end, and what do its first blows do?",
        (
            *_fighter("attacker", "chargers"), *_fighter("defender", "defenders"),
            Argument("M", "number", "how far the chargers move, in cm", least=0, most=60),
            Argument("distance", "number", "cm from base to base when the charge begins", 8, least=0, most=60),
            Argument(
                "reaction", "text", "what the defenders do", "hold", choices=("hold", "shoot", "counter", "retreat")
            ),
            *COMMON,
        ),
        'attacker=Knight attackers=3 "defender=Crown Archer" defenders=5 distance=12 reaction=shoot',
    ),
    OddsQuestion(
        "melee", "What do both sides lose in a round of close combat?",
        (
            *_fighter("attacker", "attackers"), *_fighter("defender", "defenders"),
            Argument("charged", "flag", "whether the attackers have charged this turn", False),
            Argument("countered", "flag", "whether the defenders counter-charge", False),
            *COMMON,
        ),
        'attacker=Stitched attackers=3 "defender=Realm Halberdier" defenders=3 charged=yes',
    ),
    OddsQuestion(
        "spell", "Is a spell cast, is it blocked, does it end in a fiasco?",
        (
            Argument("spell", "text", "the spell's key, such as N.2-curse, for its difficulty"),
            Argument("difficulty", "whole", "the spell's difficulty", least=0, most=60),
            Argument("mage", "text", "the mage's card"),
            Argument("CO", "whole", "the mage's concentration", least=0, most=8),
            Argument("dice", "whole", "how many dice the mage throws, those of stones aside", 1, least=0, most=8),
            Argument("stones", "whole", "how many magic stones are spent on more dice", 0, least=0, most=8),
            Argument("blocks", "list", "how many dice each enemy mage throws to block it"),
            Argument("safe", "flag", "whether ones do no harm (Snake Eye)", False),
            Argument("R", "whole", "the mage's resistance", least=0, most=30),
            Argument("S", "whole", "the mage's survival", least=0, most=10),
            Argument("abilities", "list", "abilities of the mage"), *COMMON,
        ),
        'difficulty=12 CO=5 dice=2 blocks=1',
    ),
    OddsQuestion(
        "courage", "Is a test of courage passed?",
        (
            Argument("card", "text", "the card of whoever tests"),
            Argument("C", "whole", "courage", least=0, most=20),
            Argument("modifier", "whole", "what is added to C", 0, least=-20, most=20),
            Argument("flight", "flag", "whether failing means fleeing", False),
            Argument("twice", "flag", "whether the better of two dice counts (Heroic Throw)", False),
            Argument("abilities", "list", "abilities of whoever tests"), *COMMON,
        ),
        'C=6 modifier=-1 flight=yes abilities=Courage',
    ),
    OddsQuestion(
        "survival", "Does a model survive a wound?",
        (
            Argument("card", "text", "the card of the model"),
            Argument("S", "whole", "survival", least=0, most=20),
            Argument("modifier", "whole", "what is added to S", 0, least=-20, most=20),
            Argument("abilities", "list", "abilities of the model"), *COMMON,
        ),
        'S=2 abilities=Hardened',
    ),
    OddsQuestion(
        "stat", "Is a test of any characteristic passed?",
        (
            Argument("name", "text", "the characteristic", "HC", choices=("HC", "F", "R", "HT", "C", "CO", "S")),
            Argument("card", "text", "the card of whoever tests"),
            Argument("value", "whole", "the characteristic's value", least=0, most=20),
            Argument("modifier", "whole", "what is added to it", 0, least=-20, most=20),
            Argument("abilities", "list", "abilities of whoever tests"), *COMMON,
        ),
        'name=HC value=4 abilities=Audacity',
    ),
)  # fmt: skip

QUESTIONS: Mapping[str, OddsQuestion] = {question.name: question for question in _QUESTIONS}

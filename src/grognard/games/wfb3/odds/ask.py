"""What the odds desk can be asked of Warhammer, with the arguments of each question."""

from __future__ import annotations

from grognard.kernel.odds.odds import OddsArgument, OddsQuestion

Argument = OddsArgument

WOUND = (
    Argument("strength", "whole", "strength of a hit", 3, least=1, most=10),
    Argument("toughness", "whole", "toughness of the target", 3, least=1, most=10),
    Argument("save", "whole", "the target's save, 7 for none", 7, least=2, most=7),
    Argument("modifier", "whole", "the weapon's save modifier", 0, least=-9, most=1),
)
COMMON = (
    Argument("creatures", "mapping", "creatures of your own by name, as in a case"),
    Argument("house", "mapping", "house rules that differ from the usual"),
    Argument("given", "mapping", "a whole situation as cases write it; then name the units with from and to"),
    Argument("from", "text", "with given: the unit that acts"),
    Argument("to", "text", "with given: the unit it acts on"),
)


def _side(one: str, many: str, who: str) -> tuple[OddsArgument, ...]:
    """The arguments that describe a unit; what is left out is the creature's own."""
    return (
        Argument(one, "text", f"the {who}' creature", "Human"),
        Argument(many, "whole", f"how many {who} there are", 10, least=1, most=60),
        Argument(f"{one}_files", "whole", f"how many {who} stand abreast", least=1, most=30),
        Argument(f"{one}_start", "whole", f"how many {who} there were when the battle began", least=1, most=60),
        Argument(f"{one}_M", "number", f"the {who}' move in inches", least=0, most=24),
        *(
            Argument(f"{one}_{stat}", "whole", f"the {who}' {stat}", least=int(stat == "W"), most=10)
            for stat in ("WS", "BS", "S", "T", "W", "I", "A", "Ld", "Cl")
        ),
        Argument(f"{one}_weapon", "text", f"the {who}' weapon in hand"),
        Argument(f"{one}_missiles", "text", f"the {who}' missile weapon"),
        Argument(f"{one}_armour", "text", f"the {who}' armour", "none", choices=("none", "light", "heavy")),
        Argument(f"{one}_shield", "flag", f"whether the {who} have shields", False),
        Argument(f"{one}_mount", "text", f"the {who}' mounts"),
        Argument(f"{one}_standard", "flag", f"whether the {who} have a standard", False),
    )


ATTACKERS, DEFENDERS = _side("attacker", "attackers", "attackers"), _side("defender", "defenders", "defenders")
FACE = Argument(
    "side", "text", "the side of the unit that is struck", "front", choices=("front", "flank", "rear")
)  # fmt: skip

QUESTIONS = {
    question.name: question
    for question in (
        OddsQuestion(
            "shooting",
            "How many wounds does a volley inflict?",
            (
                Argument("shots", "whole", "how many shots", 5, least=1, most=60),
                Argument("bs", "whole", "ballistic skill", 3, least=1, most=10),
                Argument("modifiers", "whole", "all modifiers of the die together", 0, least=-9, most=9),
                *WOUND,
            ),
            "shots=10 bs=3 modifiers=-1 strength=3 toughness=3 save=6",
        ),
        OddsQuestion(
            "blows",
            "How many wounds do blows inflict?",
            (
                Argument("attacks", "whole", "how many blows", 5, least=1, most=60),
                Argument("ws", "whole", "weapon skill", 3, least=1, most=10),
                Argument("against", "whole", "weapon skill of the enemy", 3, least=1, most=10),
                Argument("modifiers", "whole", "all modifiers of the die together", 0, least=-9, most=9),
                *WOUND,
            ),
            "attacks=6 ws=4 against=3 modifiers=1 strength=4 toughness=3 save=5",
        ),
        OddsQuestion(
            "volley",
            "How many of a unit does another shoot down, and does it stand?",
            (
                *_side("shooter", "shooters", "shooters"),
                *_side("target", "targets", "targets"),
                Argument("weapon", "text", "the missile weapon, where they carry several"),
                Argument("distance", "number", "inches from unit to unit", 12, least=0, most=48),
                Argument("cover", "text", "what the target stands behind", "none", choices=("none", "soft", "hard")),
                Argument("moved", "flag", "whether the shooters have moved", False),
                Argument("twice", "flag", "whether everybody shoots twice, where the weapon can", False),
                FACE,
                *COMMON,
            ),
            "shooters=10 shooter_files=10 shooter_missiles=bow target=Goblin targets=20 distance=10",
        ),
        OddsQuestion(
            "combat",
            "Who wins a round of combat, what do both lose, and who stands?",
            (
                *ATTACKERS,
                *DEFENDERS,
                Argument("charged", "flag", "whether the attackers have charged this turn", True),
                Argument("won", "text", "who won the round before", "none", choices=("none", "attackers", "defenders")),
                Argument("rounds", "whole", "how many rounds they have fought already", 0, least=0, most=20),
                FACE,
                *COMMON,
            ),
            "attackers=10 attacker_weapon=spear defender=Orc defenders=12 defender_armour=light",
        ),
        OddsQuestion(
            "charge",
            "How does a declared charge end, and the first round of combat after it?",
            (
                *ATTACKERS,
                *DEFENDERS,
                Argument("distance", "number", "inches from unit to unit", 6, least=0, most=48),
                Argument("answer", "text", "how the charged answer", "hold", choices=("hold", "shoot", "flee")),
                Argument("fight", "flag", "whether the first round is fought", True),
                FACE,
                *COMMON,
            ),
            "attackers=10 distance=7 defenders=10 defender_missiles=bow answer=shoot",
        ),
        OddsQuestion(
            "machine",
            "How many of a unit does a war machine's shot kill, and does it stand?",
            (
                Argument(
                    "engine", "text", "the machine", "catapult", choices=("ballista", "catapult", "cannon", "mortar")
                ),
                Argument("crew", "whole", "the crew it was built for", least=2, most=10),
                *_side("target", "targets", "targets"),
                Argument("distance", "number", "inches from the muzzle to the unit", 24, least=0, most=70),
                FACE,
                *COMMON,
            ),
            "engine=mortar crew=4 target=Orc targets=20 distance=24",
        ),
        OddsQuestion(
            "stone",
            "How many models does a catapult's stone strike and kill?",
            (
                Argument("crew", "whole", "the crew it was built for", 3, least=3, most=10),
                Argument("distance", "number", "inches to the middle of the target", 24, least=12, most=144),
                Argument("files", "whole", "files of the target, which faces the machine", 5, least=1, most=40),
                Argument("ranks", "whole", "ranks of the target", 4, least=1, most=20),
                Argument("base", "number", "width of a square base in mm", 20, least=10, most=120),
                Argument("blind", "flag", "whether the crew cannot see it", False),
                Argument("toughness", "whole", "toughness of the target", 3, least=1, most=10),
                Argument("save", "whole", "the target's save, 7 for none", 7, least=2, most=7),
            ),
            "crew=3 distance=24 files=5 ranks=4 base=20 toughness=3 save=6",
        ),
    )
}

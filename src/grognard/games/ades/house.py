"""The switches that rulings leave to the players, with what they are unless agreed otherwise."""

from __future__ import annotations

from grognard.kernel.ruleset import HouseRule, house_rules

HOUSE_RULES = house_rules(
    HouseRule(
        "musician", "courage", ("courage", "discipline"), "ades:5.4-conflict",
        "A musician lifts courage and a standard discipline, as chapter 5 has it, or the other way round (chapter 13).",
    ),
    HouseRule(
        "refusals", "compensate", ("compensate", "give"), "ades:4.1.3-refusal-gain",
        "Whoever does not activate a card loses a refusal if they hold one, or always gives the opponent one.",
    ),
    HouseRule(
        "placement_ties", "later", ("later", "first"), "ades:4.3.4.1",
        "Whoever wins a tie of INI places combat dice later, or first.",
    ),
    HouseRule(
        "hostile", "left", ("left", "right"), "ades:13.2.1.1-hostile",
        "Damage of a Hostile nexus is read one column left, as written, or right, as its name suggests.",
    ),
    HouseRule(
        "disputes", False, (False, True), "ades:1.1.14-dispute",
        "Whatever is neither wholly seen nor wholly hidden counts as partly seen.",
    ),
    HouseRule(
        "scenery", "agreed", ("agreed", "alternate"), "ades:9.2.5-alternate",
        "Scenery is agreed on before the game, or laid alternately.",
    ),
    HouseRule("battue", False, (False, True), "ades:9.1.4.3", "Every scenario is played with the Beat deployment."),
    HouseRule("concession", False, (False, True), "ades:9.2.9", "Players may concede in their speech turns."),
    HouseRule(
        "time_limit", 0, (), "ades:3.3-time",
        "The game stops after so many speech turns and combats in all (0: no limit).", 0, 9999, True,
    ),
    HouseRule(
        "shifts", "clamp", ("clamp", "scale"), "ades:1.1.7",
        "A difference is first brought into the table and then shifted, or shifted on an endless scale of columns.",
    ),
    HouseRule(
        "fear_resisted", "game", ("game", "turn"), "ades:6.1-won",
        "Whoever has withstood a fear is immune to it for the game, or for the turn.",
    ),
    HouseRule(
        "routed_pursuit", False, (False, True), "ades:4.3.4.3-pursuit", "Routed fighters may pursue.",
    ),
    HouseRule(
        "extra_limb", "enemies", ("enemies", "everybody"), "ades:13.2-membre-supplementaire",
        "Extra limbs count the enemies in contact, or everybody.",
    ),
    HouseRule(
        "recall", "turn", ("turn", "later"), "ades:13.2-renfort-return",
        "A reinforcement may be recalled in the turn it drew, or also at the start of any later one.",
    ),
)  # fmt: skip

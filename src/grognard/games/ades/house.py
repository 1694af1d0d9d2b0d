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
        "cards_per_profile", "examples", ("examples", "one", "two"), "ades:2.7.1-cards",
        "The blank column of the limits: one card of a profile at 200 and 300, two above; or always one, or two.",
    ),
)  # fmt: skip

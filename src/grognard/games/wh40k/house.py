"""The switches that rulings leave to the players, with what they are unless agreed otherwise."""

from __future__ import annotations

from grognard.kernel.ruleset import HouseRule, house_rules

HOUSE_RULES = house_rules(
    HouseRule(
        "attached_keywords", "any", ("any", "all"), "wh40k:23.1-attached-keywords",
        "A unit has the keywords any of its models has, or only those all of them have.",
    ),
    HouseRule(
        "fly_over", "climb", ("climb", "air"), "wh40k:4.10.5-pass-over",
        "A FLY model that only passes over high terrain climbs it, or measures through the air.",
    ),
    HouseRule(
        "coherency_recount", True, (True, False), "wh40k:1.6.8-recount",
        "During the removal at the end of a turn the size of a unit is counted anew after each model.",
    ),
    HouseRule(
        "starting_cp", 0, (0, 1, 2, 3), "wh40k:3.2.3-start", "Command points each player starts with.",
    ),
    HouseRule(
        "aircraft_in_quarter", False, (False, True), "wh40k:23.56-aircraft-quarter",
        "AIRCRAFT count towards the points a player may keep in Strategic Reserves.",
    ),
    HouseRule(
        "late_fights_first", "remaining", ("remaining", "now"), "wh40k:10.5-remaining",
        "A Fights First unit that becomes eligible during the first step fights in the second, or still in it.",
    ),
    HouseRule(
        "counter_any_step", True, (True, False), "wh40k:23.25-counter-order",
        "Counter-offensive may be used in the first step for a unit without Fights First.",
    ),
    HouseRule(
        "save_choice", "best", ("best", "ask"), "wh40k:23.5-armour-or-invul",
        "Of an armour and an invulnerable save the better one is taken, or its controller is asked each time.",
    ),
    HouseRule(
        "fast_saves", True, (True, False), "wh40k:7.11.2-saves",
        "Saves are rolled together where every model needs the same and the order makes no difference.",
    ),
    HouseRule(
        "fly_charge", "bound", ("bound", "free"), "wh40k:23.34-fly-charge",
        "A FLY charger keeps out of the Engagement Range of units it does not charge, or passes through it.",
    ),
    HouseRule(
        "charge_closer", "every", ("every", "contact"), "wh40k:9.4.4-closer",
        "Every charging model that can must end closer, or only those that can touch the enemy have to move.",
    ),
    HouseRule(
        "too_big_for_the_edge", "barred", ("barred", "touching"), "wh40k:14.3.5-too-big",
        "A model too big to stand wholly within 6 inches of an edge cannot arrive there, or touches the edge.",
    ),
)  # fmt: skip

"""nemesis:1  The switches the book or a ruling leaves to the players, with what they are unless agreed otherwise."""

from __future__ import annotations

from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.ruleset import HouseRule, house_rules

HOUSE_RULES = house_rules(
    HouseRule(
        "modified_one_before_stat", False, (False, True), "nemesis:3.3-one-high",
        "A roll to reach also fails when the die and its modifiers, without the characteristic, come to 1 or less.",
    ),
    HouseRule(
        "one_fails_roll_under", False, (False, True), "nemesis:3.3-one-under",
        "A 1 always fails tests that want a die equal to or under a value.",
    ),
    HouseRule(
        "allow_premeasure", False, (False, True), "nemesis:4-no-premeasure",
        "Distances may be measured and shown before actions are declared.",
    ),
    HouseRule("table_width", 120, (), "nemesis:X.4-table", "Width of the table in cm.", 60, 600),
    HouseRule(
        "table_height", 120, (), "nemesis:X.4-table", "Depth of the table in cm, between the two players.", 60, 600,
    ),
    HouseRule("zone_depth", 25, (), "nemesis:X.4-table", "Depth of the deployment zones in cm.", 5, 100),
    HouseRule(
        "zoc_voluntary_crossing", "refuse", ("refuse", "free_attack"), "nemesis:12-zoc",
        "A voluntary move through an enemy control zone is refused, or gives a free attack.",
    ),
    HouseRule(
        "spell_power_adds_die", False, (False, True), "nemesis:14.2-power",
        "The impact of a spell is 1D10 + its power instead of its power.",
    ),
    HouseRule(
        "countercharge_modifier", 1, (1, -1), "nemesis:16.1-counter-bonus",
        "What a counter-charge adds to combat rolls; the modifier table prints -1, the text +1.",
    ),
    HouseRule(
        "shoot_after_long_move", "allow", ("allow", "refuse"), "nemesis:17.4-moved",
        "A model that moved further than M may still shoot (at -1), or may not.",
    ),
    HouseRule(
        "marker_layout", "line", ("line", "triangle"), "nemesis:A3.1-markers",
        "Manuscripts in a line on the midline, or all three 20 cm from each other.",
    ),
    HouseRule(
        "turn_cap", 0, (), "nemesis:A3.1-length",
        "Last turn of a mission without a printed length; 0 is the mission's own (10 for the manuscripts, 20 for the "
        "commander's head).", 0, 1000, whole=True,
    ),
)  # fmt: skip


def check_numbers(house: dict[str, Any]) -> None:
    """A number that cannot be played is told."""
    for name, value in house.items():
        HOUSE_RULES[name].check(value)
    if 2 * house["zone_depth"] > house["table_height"]:
        raise BadInput("house rule zone_depth: the two zones would overlap (nemesis:X.4-table)")


def changed(house: dict[str, Any]) -> dict[str, Any]:
    """nemesis:1  The switches that are not as ruled."""
    return {name: value for name, value in house.items() if value != HOUSE_RULES[name].default}

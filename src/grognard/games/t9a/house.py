"""House rules: what the book or a ruling leaves to the players."""

from __future__ import annotations

from grognard.kernel.ruleset import HouseRule

_RULES = (
    HouseRule("hidden_lists", False, (True, False), "t9a:8.E.a", "Special Items stay hidden until they are used"),
    HouseRule(
        "flux_cards", "cards", ("cards", "dice"), "t9a:13.D-dice", "Flux Cards are drawn, or rolled for with dice"
    ),
    HouseRule("result", "points", ("points", "simple"), "t9a:18.C.a", "Battle Points, or the simplified result"),
    HouseRule(
        "card_one_miscast", 1, (0, 1), "t9a:13.I-mods", "The miscast modifier of Flux Card 1, cut off in the book"
    ),
)
HOUSE_RULES = {rule.name: rule for rule in _RULES}

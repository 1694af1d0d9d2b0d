"""Chapter 27: the options of chapter 27, the game master, and what rulings leave to the players."""

from __future__ import annotations

from grognard.kernel.ruleset import HouseRule, house_rules


def _option(name: str, rule: str, about: str) -> HouseRule:
    return HouseRule(name, False, (False, True), f"wfb3:{rule}", about)


HOUSE_RULES = house_rules(
    HouseRule(
        "referee",
        "book",
        ("book", "person"),
        "wfb3:1.1-gm",
        "What the book leaves to the game master is decided by the usual ruling, or asked of the game master himself.",
    ),
    HouseRule("turns", 6, (), "wfb3:26.1-length", "Game turns played.", least=1, most=30, whole=True),
    HouseRule(
        "premeasure",
        False,
        (False, True),
        "wfb3:5.4.1-no-premeasure",
        "Whether players may measure before they decide.",
    ),
    HouseRule(
        "ties",
        "roll",
        ("roll", "together"),
        "wfb3:7.7-ties",
        "Equal initiative: both roll, or blows are simultaneous.",
    ),
    HouseRule(
        "altar",
        "book",
        ("book", "supplement"),
        "wfb3:16.2-altar-alt",
        "War altars: carried by guards, or a structure of Toughness 10 with a unit named to guard it.",
    ),
    HouseRule(
        "charge_flyers",
        False,
        (False, True),
        "wfb3:21.4.1-charge-flyers",
        "Ground troops may charge flyers at attack level, who climb or accept.",
    ),
    _option("scatter_die", "1.3-scatter-die", "Random directions come from a scatter die instead of a clock face."),
    _option("scale_terrain", "2.4-scaling", "Big and small tables get more and fewer pieces by the book's generator."),
    HouseRule(
        "friendly_depth",
        12,
        (),
        "wfb3:2-friendly-setup",
        "How deep troops start in a friendly game, in inches.",
        least=1,
        most=24,
        whole=True,
    ),
    _option("forces", "25.2.1-advance-secret", "Advance, reserve and outflanking forces are noted in secret."),
    _option("level_limits", "27.1.1-level-limits", "Character levels are limited by the size of the game."),
    _option("two_ranks", "27.2.1-two-ranks", "Missile troops shoot in two ranks."),
    _option("rank_bonus_always", "27.3.1-rank-bonus", "The rank bonus needs no four models engaged."),
    _option("diagonal", "27.3.2-diagonal", "Weapon attacks may be made diagonally."),
    _option("support", "27.3.3-support", "Models behind a fighter make one supporting attack."),
    _option("simple_banner", "27.4-banner", "Banners are captured by pursuit, on a D6."),
    _option("max_save", "27.5-max-save", "No save is better than 1+."),
    _option("weak_cannon", "27.6.1-cannon", "Cannon cause one hit a rank instead of two."),
    _option("no_speculative", "27.6.2-no-speculative", "A crewman must see what a machine is aimed at."),
    _option("look_out", "27.6.3-look-out", "Characters in units may be pushed out of the way of machines' shots."),
    _option("revised_fear", "27.7-fear", "Fear by numbers instead of the book's."),
)

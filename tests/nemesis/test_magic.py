"""nemesis:14, A2  Magic on a tiny hand-built battle, and its rolls against exact counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from grognard.games.nemesis.abilities.spell_book import within_cap
from grognard.games.nemesis.magic import enchantments, magic, magic_dice
from grognard.games.nemesis.magic.casting_steps import Attempt, attempt, concentrate
from grognard.games.nemesis.magic.casting_steps import magic_dice as dice_of
from grognard.games.nemesis.magic.spells import LISTS, SPELLS
from grognard.games.nemesis.rolls import steps
from grognard.games.nemesis.rolls.stats import value
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Pick
from grognard.kernel.words.tally import Tally
from tests.nemesis.casting import cast, field, in_melee, kinds, knows, play, told

WHO = steps.Tester("red")


def co(level: int) -> Tally:
    return Tally(level, "CO", "nemesis:5.1-CO")


# ---------------------------------------------------------------------- steps


def counted(dice: int, level: int, difficulty: int) -> dict[str, Fraction]:
    """The same by listing every face."""
    found = {"fiasco": 0, "failed": 0, "cast": 0}
    for faces in product(range(1, 11), repeat=dice):
        word = "fiasco" if 1 in faces else "cast" if sum(faces) + level >= difficulty else "failed"
        found[word] += 1
    return {word: Fraction(n, 10**dice) for word, n in found.items()}


@pytest.mark.parametrize(("dice", "level", "difficulty"), [(1, 1, 9), (2, 3, 15), (3, 5, 24), (4, 8, 40)])
def test_concentration_is_exact(dice: int, level: int, difficulty: int) -> None:
    weighed = Weigher().run(lambda: attempt(Attempt(WHO, co(level), dice, difficulty)))
    for word, chance in counted(dice, level, difficulty).items():
        assert weighed.probability(word) == chance


def test_block_subtracts_unless_a_one() -> None:
    trial = Attempt(WHO, co(5), 2, 15, blockers=((steps.Tester("blue"), 1),))
    weighed = Weigher().run(lambda: attempt(trial))
    blocked = 0
    for a, b, c in product(range(1, 11), repeat=3):
        total = a + b + 5
        if 1 not in (a, b) and total >= 15:
            blocked += total - (0 if c == 1 else c) < 15
    assert weighed.probability("blocked") == Fraction(blocked, 1000)


def test_snake_eye_counts_ones() -> None:
    weighed = Weigher().run(lambda: attempt(Attempt(WHO, co(5), 1, 6, safe=True)))
    assert weighed.probability("cast") == 1


def test_audacity_repeats_the_whole_test() -> None:
    who = steps.Tester("red", again=("audacity",))
    again = Weigher(lambda question: question.candidates()[0])
    weighed = again.run(lambda: concentrate(who, "cast.test", 1, co(1), 9))
    assert weighed.chance(lambda got: got.passed) == 1 - Fraction(7, 10) ** 2
    assert weighed.chance(lambda got: got.fiasco) == Fraction(7, 10) * Fraction(1, 10)


def test_tables() -> None:
    assert [dice_of(level) for level in range(1, 9)] == [
        (1, 1), (1, 1), (2, 1), (2, 1), (3, 2), (3, 2), (4, 2), (4, 2),
    ]  # fmt: skip
    caps = [9, 12, 15, 17, 24, 30, 40]
    assert all(within_cap(i, cap) and not within_cap(i, cap + 1) for i, cap in enumerate(caps, 1))
    assert within_cap(8, 99)
    assert not within_cap(0, 5)


# ---------------------------------------------------------------------- the book


def test_the_book_has_49_spells() -> None:
    assert [len(LISTS[faction]) for faction in ("undead", "orphans", "cult", "realm")] == [11, 13, 12, 13]
    assert len({spell.rule for spell in SPELLS.values()}) == 49


@pytest.mark.parametrize(
    ("key", "difficulty", "reach", "tags"),
    [
        ("N.8-ill-will", 18, 30, ("C/C", "1T")),
        ("N.11-soul-swap", 24, None, ("C/C",)),
        ("O.13-living-forest", 25, 35, ("2T",)),
        ("C.4-sacrifice", 9, 20, ("C/C", "P")),
        ("R.11-heroic-throw", 23, 35, ("P",)),
    ],
)
def test_lines_as_printed(key: str, difficulty: int, reach: float | None, tags: tuple[str, ...]) -> None:
    spell = SPELLS[key]
    assert (spell.difficulty, spell.range_cm, spell.tags) == (difficulty, reach, tags)


# ---------------------------------------------------------------------- casting, blocking, dispelling


def test_dice_and_stored_magic() -> None:
    battle = field("undead")
    mage = knows(battle, "N.1-stored-magic")
    assert (mage.magic.creation_dice, mage.magic.block_dice) == (4, 2)
    cast(battle, ["wizard:N.1-stored-magic"], [5], {"cast.dice": 1, "cast.dice.sources": {"dice": 1}})
    enchantments.expire(battle)
    battle.turn = 2
    magic_dice.refill(battle, mage)
    assert mage.magic.creation_dice == 5
    assert "nemesis:14.1-no-carry" in battle.cited
    enchantments.expire(battle)
    battle.turn = 3
    magic_dice.refill(battle, mage)
    assert mage.magic.creation_dice == 4


def test_duration_one_and_two_turns() -> None:
    battle = field()
    knows(battle, "R.8-flayed-stone", "R.10-vitality")
    own = {"magic.target": ["wizard", "wizard"], "cast.dice": [2, 2]}
    cast(battle, ["wizard:R.8-flayed-stone", "wizard:R.10-vitality"], [5, 5, 8, 8], own)
    mage = battle.models["wizard"]
    assert (value(battle, mage, "R"), value(battle, mage, "F"), value(battle, mage, "M")) == (8, 4, 20)
    enchantments.expire(battle)
    battle.turn = 2
    assert (value(battle, mage, "R"), value(battle, mage, "M")) == (6, 20)
    enchantments.expire(battle)
    assert value(battle, mage, "M") == 10
    assert "nemesis:14.2-duration" in battle.cited


def test_spells_above_the_cap_are_barred_and_unknown_ones_not_listed() -> None:
    battle = field(CO=2)
    mage = knows(battle, "R.1-care", "R.12-supernatural-strength")
    asked = next(magic.declare(battle, "red"))
    assert isinstance(asked, Pick)
    assert asked.keys == ("wizard:R.1-care",)
    assert {key: why.rule for key, why in asked.listed.items()} == {
        "wizard:R.12-supernatural-strength": "nemesis:14.1-cap"
    }
    assert list(asked.wire()["barred"]) == ["wizard:R.12-supernatural-strength"]
    why = asked.refusal("wizard:R.5-avenging-ray")
    assert why is not None and (why.code, why.rule) == ("refuse.spell-unknown", "nemesis:14.3-fixed")
    mage.magic = mage.magic.but(spells=("R.1-care", "N.2-curse"))
    assert magic.declarable(battle, "red")[1]["wizard:N.2-curse"].rule == "nemesis:14.3-fixed"
    mage.magic = mage.magic.but(over=True)
    _, barred, unknown = magic.declarable(battle, "red")
    assert [key for key in barred if key not in unknown] == ["wizard:R.1-care"]


def test_no_spell_twice_and_no_more_spells_than_dice() -> None:
    battle = field(CO=1, stones=0)
    knows(battle, "R.1-care", "R.2-armour")
    play(magic.declare(battle, "red"), [], {"magic.declare": ["wizard:R.1-care", None], "magic.target": "wizard"})
    barred = magic.declarable(battle, "red")[1]
    assert barred["wizard:R.1-care"].rule == "nemesis:14.4-more-spells"
    assert barred["wizard:R.2-armour"].rule == "nemesis:14.4-test"


def test_fiasco_ends_the_magic_of_the_mage() -> None:
    battle = field()
    mage = knows(battle, "R.1-care", "R.2-armour")
    keys = ["wizard:R.1-care", "wizard:R.2-armour"]
    cast(battle, keys, [1, 9, 2, 10], {"magic.target": "wizard", "cast.dice": 2})
    assert mage.magic.over
    assert (mage.magic.creation_dice, mage.magic.block_dice, mage.s) == (0, 0, 3)
    assert told(battle, "magic.fiasco").rule == "nemesis:14.4-fiasco"
    assert told(battle, "spell.lapsed").rule == "nemesis:14.4-fiasco"
    assert "nemesis:14.4-dysfunction" in battle.cited


def test_block_then_range() -> None:
    battle = field(near=500.0)
    knows(battle, "R.5-avenging-ray", "R.6-ice-storm")
    keys = ["wizard:R.5-avenging-ray", "wizard:R.6-ice-storm"]
    answers = {"magic.target": ["foes", "foes"], "cast.dice": [1, 1], "block.dice": [1, 0]}
    cast(battle, keys, [2, 2, 9], answers)
    assert told(battle, "spell.blocked").data["total"] == 8
    assert told(battle, "spell.out-of-range").rule == "nemesis:14.4-range"
    assert battle.models["warlock"].magic.block_dice == 1


def test_one_among_blocking_dice() -> None:
    battle = field()
    knows(battle, "R.2-armour")
    cast(battle, ["wizard:R.2-armour"], [2, 1, 10], {"cast.dice": 1, "block.dice": 1})
    warlock = battle.models["warlock"]
    assert warlock.magic.over
    assert told(battle, "magic.fiasco").rule == "nemesis:14.5-block-one"
    assert battle.enchanted("wizard", "R.2-armour") is not None


def test_hidden_mage_is_not_blocked() -> None:
    battle = field()
    knows(battle, "R.2-armour").hidden = True
    asked = cast(battle, ["wizard:R.2-armour"], [2], {"cast.dice": 1})
    assert "block.dice" not in asked
    assert "nemesis:A1.5-hidden-mage" in battle.cited


def test_stones_add_dice_up_to_co() -> None:
    battle = field(CO=1, stones=3)
    mage = knows(battle, "R.1-care")
    assert magic_dice.pool(battle, mage, "create") == (1, 1, 0)
    assert "nemesis:14.8-cap" in battle.cited
    shares = {"magic.target": "g1", "cast.dice": 2, "cast.dice.sources": {"dice": 1, "stones": 1}}
    cast(battle, ["wizard:R.1-care"], [2, 2], shares)
    assert (mage.magic.stones, mage.magic.stones_used, mage.magic.creation_dice) == (2, 1, 0)


def test_hardened_gives_a_die() -> None:
    battle = field(CO=1, stones=0, abilities=("Hardened",))
    mage = knows(battle, "R.1-care")
    shares = {"magic.target": "g1", "cast.dice": 2, "cast.dice.sources": {"dice": 1, "hardened": 1}}
    cast(battle, ["wizard:R.1-care"], [2, 2], shares)
    assert mage.used.hardened
    assert "nemesis:A1.11-hardened" in battle.cited


def test_permanent_spell_is_dispelled_at_once_or_never() -> None:
    battle = field("orphans")
    mage = knows(battle, "O.6-hidden-treasure")
    dispel = {"cast.dice": 2, "block.dice": 0, "dispel.dice": 1, "dispel.dice.sources": {"dice": 1}}
    cast(battle, ["wizard:O.6-hidden-treasure"], [3, 3, 6], dispel)
    assert told(battle, "spell.dispelled").rule == "nemesis:14.6-permanent"
    assert mage.magic.stones == 2
    battle = field("realm")
    knows(battle, "R.11-heroic-throw")
    answers = {"magic.target": "guard", "cast.dice": 2}
    cast(battle, ["wizard:R.11-heroic-throw"], [8, 8], answers)
    battle.turn = 2
    battle.models["warlock"].magic = battle.models["warlock"].magic.but(spells=("R.1-care",))
    made = battle.enchantments[0]
    assert magic.declarable(battle, "blue")[1][f"warlock:dispel:{made.id}"].rule == "nemesis:14.6-permanent"


def test_multi_turn_spell_is_dispelled_later() -> None:
    battle = field("realm")
    knows(battle, "R.10-vitality")
    cast(battle, ["wizard:R.10-vitality"], [8, 8], {"magic.target": "guard", "cast.dice": 2})
    made = battle.enchantments[0]
    enchantments.expire(battle)
    battle.turn = 2
    warlock = battle.models["warlock"]
    for model in battle.on_table():
        model.new_turn()
        magic_dice.refill(battle, model)
    play(magic.declare(battle, "blue"), [], {"magic.declare": [f"warlock:dispel:{made.id}", None]})
    sources = {"dispel.dice": 2, "dispel.dice.sources": {"dice": 2}}
    play(magic.execute(battle), [6, 6], sources)
    assert warlock.magic.block_dice == 0
    assert not battle.enchantments
    assert told(battle, "spell.dispelled").rule == "nemesis:14.6-dispel"


def test_same_name_does_not_stack() -> None:
    battle = field("undead")
    knows(battle, "N.2-curse")
    cast(battle, ["wizard:N.2-curse"], [5], {"magic.target": "foes", "cast.dice": 1})
    foe = battle.models["f1"]
    assert (value(battle, foe, "HC"), value(battle, foe, "R")) == (1, 6)
    battle.models["wizard"].magic = battle.models["wizard"].magic.but(cast=())
    assert SPELLS["C.9-curse"].name == SPELLS["N.2-curse"].name
    barred = SPELLS["N.2-curse"].targets(battle, battle.models["wizard"])[1]
    assert barred["foes"].rule == "nemesis:14.2-target-unit"


def test_casting_in_melee() -> None:
    battle = field()
    in_melee(battle)
    mage = knows(battle, "R.7-flayed-iron", "R.8-flayed-stone")
    barred = SPELLS["R.8-flayed-stone"].targets(battle, mage)[1]
    assert barred["guard"].rule == "nemesis:14.7-melee"
    cast(battle, ["wizard:R.7-flayed-iron"], [6], {"magic.target": "wizard", "cast.dice": 1})
    assert (value(battle, mage, "HC"), value(battle, mage, "R")) == (1, 7)
    battle = field(abilities=("Warrior-mage",))
    in_melee(battle)
    mage = knows(battle, "R.7-flayed-iron")
    cast(battle, ["wizard:R.7-flayed-iron"], [6], {"magic.target": "wizard", "cast.dice": 1})
    assert value(battle, mage, "HC") == 3


def test_close_combat_tag() -> None:
    battle = field()
    mage = knows(battle, "R.7-flayed-iron")
    assert SPELLS["R.7-flayed-iron"].targets(battle, mage)[1]["guard"].rule == "nemesis:14.2-cc"
    assert magic.declarable(battle, "red")[1]["wizard:R.7-flayed-iron"].rule == "nemesis:14.2-cc"


def test_doomed_mage_still_casts() -> None:
    battle = field()
    mage = knows(battle, "R.2-armour")
    play(magic.declare(battle, "red"), [], {"magic.declare": ["wizard:R.2-armour", None]})
    mage.doomed = True
    play(magic.execute(battle), [5], {"cast.dice": 1, "block.dice": 0})
    assert "spell.cast" in kinds(battle)
    assert "nemesis:21-timing" in battle.cited

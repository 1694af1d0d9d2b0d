"""nemesis:14, A2  Magic on a tiny hand-built battle, and its rolls against exact counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from grognard.games.nemesis import declared, enchantments, fielding, magic, magic_dice, steps
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.casting_steps import Attempt, attempt, concentrate, within_cap
from grognard.games.nemesis.casting_steps import magic_dice as dice_of
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.house import HOUSE_RULES
from grognard.games.nemesis.profiles import Card, Ranged
from grognard.games.nemesis.spells import LISTS, SPELLS
from grognard.games.nemesis.stats import value
from grognard.games.nemesis.terrain import make_piece
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table, rectangle
from grognard.kernel.questions import OPEN, Pick, Question, Roll, Script
from grognard.kernel.tally import Tally
from grognard.kernel.weigh import Weigher

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


# ---------------------------------------------------------------------- a tiny battle


TROOPER = Card("Guard", M=10, HC=3, F=3, R=6, S=1, C=6, base=30)
SKELETON = Card("Skeleton", M=10, HC=2, F=3, R=7, S=1, C=None, base=30, keywords=("skeleton", "undead"))
MAGE = Card("Mage", M=10, HC=3, F=3, R=6, S=4, C=7, CO=8, type="mage", base=30, stones=2)


def field(faction: str = "realm", *, near: float = 300.0, **mage: Any) -> Battle:
    """Red's mage at the origin of things, blue's mage north of him, a regiment of three each."""
    house = {name: rule.default for name, rule in HOUSE_RULES.items()}
    battle = Battle(("red", "blue"), Table(1200.0, 1200.0), house, "for-miter")
    for seat in battle.seats:
        fielding.add_side(battle, seat, seat, faction)
    card = Card(**{**{f: getattr(MAGE, f) for f in MAGE.__struct_fields__}, **mage})
    soldiers = SKELETON if faction == "undead" else TROOPER
    one = [Pose(600.0, 400.0, 0.0)]
    fielding.add_unit(battle, "wizard", "red", "wizard", ["wizard"], [card], one)
    rank = [Pose(700.0 + 40 * i, 400.0, 0.0) for i in range(3)]
    fielding.add_unit(battle, "guard", "red", "guard", ["g1", "g2", "g3"], [soldiers] * 3, rank)
    other = [Pose(500.0, 400.0 + near + 30.0, 180.0)]
    fielding.add_unit(battle, "warlock", "blue", "warlock", ["warlock"], [MAGE], other)
    facing = [Pose(600.0 + 40 * i, 400.0 + near + 30.0, 180.0) for i in range(3)]
    fielding.add_unit(battle, "foes", "blue", "foes", ["f1", "f2", "f3"], [soldiers] * 3, facing)
    battle.turn, battle.phase = 1, "magic"
    for model in battle.on_table():
        magic.refill(battle, model)
    return battle


def knows(battle: Battle, *keys: str, mage: str = "wizard") -> Model:
    model = battle.models[mage]
    model.spells = keys
    return model


def usual(ask: Question) -> Any:
    """The answer to a question a test does not care about: the least, nothing, the first."""
    return None if isinstance(ask, Pick) and not ask.least else ask.candidates()[0]


def play(script: Script[Any], dice: list[int], answers: dict[str, Any] | None = None) -> list[str]:
    """Run a script: faces in order, answers by question name (a list is taken one by one); names asked."""
    left, given = list(dice), {k: list(v) if isinstance(v, list) else [v] for k, v in (answers or {}).items()}
    asked: list[str] = []
    reply: Any = None
    while True:
        try:
            ask = script.send(reply)
        except StopIteration:
            assert not left, f"dice left over: {left}"
            return asked
        if isinstance(ask, Roll):
            reply, left = tuple(left[: ask.count]), left[ask.count :]
            assert len(reply) == ask.count, f"no dice left for {ask.name}"
            continue
        assert isinstance(ask, Question)
        forced = ask.forced()
        if forced is OPEN:
            asked.append(ask.name)
            queue = given.get(ask.name) or []
            forced = queue.pop(0) if queue else usual(ask)
        reply = ask.decode(forced)


def cast(battle: Battle, keys: list[str], dice: list[int], answers: dict[str, Any] | None = None) -> list[str]:
    """Red declares these spells, then the phase is executed."""
    battle.events.clear()
    wanted = {"magic.declare": [*keys, None], **(answers or {})}
    play(magic.declare(battle, "red"), [], wanted)
    return play(magic.execute(battle), dice, {"block.dice": 0, "dispel.dice": 0, **(answers or {})})


def kinds(battle: Battle) -> list[str]:
    return [event.kind for event in battle.events]


def told(battle: Battle, kind: str) -> Any:
    return next(event for event in battle.events if event.kind == kind)


def test_dice_and_stored_magic() -> None:
    battle = field("undead")
    mage = knows(battle, "N.1-stored-magic")
    assert (mage.creation_dice, mage.block_dice) == (4, 2)
    cast(battle, ["wizard:N.1-stored-magic"], [5], {"cast.dice": 1, "cast.dice.sources": {"dice": 1}})
    enchantments.expire(battle)
    battle.turn = 2
    magic.refill(battle, mage)
    assert mage.creation_dice == 5
    assert "nemesis:14.1-no-carry" in battle.cited
    enchantments.expire(battle)
    battle.turn = 3
    magic.refill(battle, mage)
    assert mage.creation_dice == 4


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


def test_cap_and_foreign_spells_are_barred() -> None:
    battle = field(CO=2)
    mage = knows(battle, "R.1-care", "R.12-supernatural-strength")
    options, barred = magic.declarable(battle, "red")
    assert [o.key for o in options] == ["wizard:R.1-care"]
    assert barred["wizard:R.12-supernatural-strength"].rule == "nemesis:14.1-cap"
    assert barred["wizard:R.5-avenging-ray"].rule == "nemesis:14.3-fixed"
    mage.spells = ("R.1-care", "N.2-curse")
    assert magic.declarable(battle, "red")[1]["wizard:N.2-curse"].rule == "nemesis:14.3-fixed"


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
    assert mage.magic_over
    assert (mage.creation_dice, mage.block_dice, mage.s) == (0, 0, 3)
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
    assert battle.models["warlock"].block_dice == 1


def test_one_among_blocking_dice() -> None:
    battle = field()
    knows(battle, "R.2-armour")
    cast(battle, ["wizard:R.2-armour"], [2, 1, 10], {"cast.dice": 1, "block.dice": 1})
    warlock = battle.models["warlock"]
    assert warlock.magic_over
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
    assert (mage.stones, mage.stones_used, mage.creation_dice) == (2, 1, 0)


def test_hardened_gives_a_die() -> None:
    battle = field(CO=1, stones=0, abilities=("Hardened",))
    mage = knows(battle, "R.1-care")
    shares = {"magic.target": "g1", "cast.dice": 2, "cast.dice.sources": {"dice": 1, "hardened": 1}}
    cast(battle, ["wizard:R.1-care"], [2, 2], shares)
    assert mage.bonus_used
    assert "nemesis:A1.11-hardened" in battle.cited


def test_permanent_spell_is_dispelled_at_once_or_never() -> None:
    battle = field("orphans")
    mage = knows(battle, "O.6-hidden-treasure")
    dispel = {"cast.dice": 2, "block.dice": 0, "dispel.dice": 1, "dispel.dice.sources": {"dice": 1}}
    cast(battle, ["wizard:O.6-hidden-treasure"], [3, 3, 6], dispel)
    assert told(battle, "spell.dispelled").rule == "nemesis:14.6-permanent"
    assert mage.stones == 2
    battle = field("realm")
    knows(battle, "R.11-heroic-throw")
    answers = {"magic.target": "guard", "cast.dice": 2}
    cast(battle, ["wizard:R.11-heroic-throw"], [8, 8], answers)
    battle.turn = 2
    battle.models["warlock"].spells = ("R.1-care",)
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
        magic.refill(battle, model)
    play(magic.declare(battle, "blue"), [], {"magic.declare": [f"warlock:dispel:{made.id}", None]})
    sources = {"dispel.dice": 2, "dispel.dice.sources": {"dice": 2}}
    play(magic.execute(battle), [6, 6], sources)
    assert warlock.block_dice == 0
    assert not battle.enchantments
    assert told(battle, "spell.dispelled").rule == "nemesis:14.6-dispel"


def test_same_name_does_not_stack() -> None:
    battle = field("undead")
    knows(battle, "N.2-curse")
    cast(battle, ["wizard:N.2-curse"], [5], {"magic.target": "foes", "cast.dice": 1})
    foe = battle.models["f1"]
    assert (value(battle, foe, "HC"), value(battle, foe, "R")) == (1, 6)
    battle.models["wizard"].cast = ()
    assert SPELLS["C.9-curse"].name == SPELLS["N.2-curse"].name
    barred = SPELLS["N.2-curse"].targets(battle, battle.models["wizard"])[1]
    assert barred["foes"].rule == "nemesis:14.2-target-unit"


def in_melee(battle: Battle) -> None:
    pose = battle.pose(battle.models["wizard"])
    battle.bodies.place(battle.models["f1"].body, Pose(pose.x, pose.y + 30.0, 180.0))


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


def test_care_heals_up_to_the_start() -> None:
    battle = field()
    mage = knows(battle, "R.1-care")
    mage.s = 3
    cast(battle, ["wizard:R.1-care"], [5], {"magic.target": "wizard", "cast.dice": 1})
    assert mage.s == 4
    mage.cast = ()
    cast(battle, ["wizard:R.1-care"], [5], {"magic.target": "wizard", "cast.dice": 1})
    assert mage.s == 4


def test_soul_exchange() -> None:
    battle = field("undead")
    in_melee(battle)
    mage = knows(battle, "N.11-soul-swap")
    mage.s = 1
    cast(battle, ["wizard:N.11-soul-swap"], [8, 8], {"magic.target": "f1", "cast.dice": 2})
    assert (mage.s, battle.models["f1"].s, battle.models["f1"].doomed) == (2, 0, True)


def test_summoning_and_its_limits() -> None:
    battle = field("undead")
    mage = knows(battle, "N.6-summon-3")
    places = [{"propose": "180:g1"}, {"propose": "180:g2"}]
    answers = {"magic.target": "guard", "cast.dice": 2, "summon.place": places}
    cast(battle, ["wizard:N.6-summon-3"], [5, 5], answers)
    unit = battle.units["guard"]
    assert len(unit.models) == 5
    assert [battle.models[m].summoned for m in unit.models] == [False] * 3 + [True] * 2
    assert SPELLS["N.4-summon-1"].targets(battle, mage)[1]["guard"].rule == "nemesis:A2.N.4-summon-1"


def test_forest_grows_within_reach_and_not_on_models() -> None:
    battle = field("orphans")
    mage = knows(battle, "O.5-forest-grows")
    spot = {"wood": {"path": [[600.0, 520.0]], "facing": 0.0}}
    answers = {"forest.place": spot, "cast.dice": 1}
    cast(battle, ["wizard:O.5-forest-grows"], [6], answers)
    assert [p.kind for p in battle.table.pieces] == ["wood"]
    assert battle.enchantments == ()
    script = SPELLS["O.5-forest-grows"].locate(battle, mage, declared.Target("place"))
    question = next(script)
    assert isinstance(question, Question)
    refusal = question.refusal({"wood": [600.0, 560.0]})
    assert refusal is not None
    assert refusal.rule == "nemesis:A2.O.5-forest-grows"


def test_living_forest_strikes_again_next_turn() -> None:
    battle = field("orphans", CO=8)
    wood = make_piece("wood", "wood", rectangle(600.0, 560.0, 100.0, 100.0))
    battle.table = battle.table.with_piece(wood)
    knows(battle, "O.13-living-forest")
    answers = {"magic.target": "wood", "cast.dice": 3}
    cast(battle, ["wizard:O.13-living-forest"], [9, 9, 9, 10, 10, 10], answers)
    assert kinds(battle).count("impact.resisted") == 3
    enchantments.expire(battle)
    battle.turn = 2
    battle.events.clear()
    play(magic.lingering(battle), [10, 10, 10])
    assert kinds(battle).count("impact.resisted") == 3


def test_mirage_binds_until_reached() -> None:
    battle = field("cult")
    knows(battle, "C.10-mirage")
    point = {"point": [600.0, 700.0]}
    cast(battle, ["wizard:C.10-mirage"], [7, 7], {"magic.target": "foes", "mirage.point": point, "cast.dice": 2})
    unit = battle.units["foes"]
    made = magic.mirage_of(battle, unit)
    assert made is not None
    assert magic.mirage_point(made) == (600.0, 700.0)
    battle.turn = 2
    enchantments.expire(battle)
    play(magic.forced_walks(battle, "blue"), [])
    assert unit.move_done
    assert magic.mirage_of(battle, unit) is None
    assert "spell.mirage-reached" in kinds(battle)


def test_offerings_need_a_kill() -> None:
    battle = field("cult")
    mage = knows(battle, "C.6-offerings")
    assert magic.declarable(battle, "red")[1]["wizard:C.6-offerings"].rule == "nemesis:A2.C.6-offerings"
    mage.kills = 1
    cast(battle, ["wizard:C.6-offerings"], [5], {"cast.dice": 1, "offerings.learn": "C.1-deception"})
    assert mage.spells == ("C.6-offerings", "C.1-deception")
    assert mage.kills == 0


def test_frozen_mage_loses_his_spell() -> None:
    battle = field("cult", near=200.0)
    knows(battle, "C.7-paralysing-ice")
    knows(battle, "C.1-deception", mage="warlock")
    answers = {"magic.declare": ["wizard:C.7-paralysing-ice", None], "magic.target": "warlock"}
    play(magic.declare(battle, "red"), [], answers)
    play(magic.declare(battle, "blue"), [], {"magic.declare": ["warlock:C.1-deception", None]})
    play(magic.execute(battle), [9], {"cast.dice": 1, "block.dice": 0})
    assert told(battle, "spell.lapsed").rule == "nemesis:A2.C.7-paralysing-ice"


def test_cheating_fate_shoots_after_the_phase() -> None:
    battle = field("orphans")
    bow = Ranged("bow", F=3, DT=9, P=50)
    for name in ("g1", "g2"):
        battle.models[name].card = msgspec.structs.replace(TROOPER, HT=4, ranged=(bow,))
    knows(battle, "O.9-fate-cheat")
    cast(battle, ["wizard:O.9-fate-cheat"], [5, 5], {"cast.dice": 2})
    gift = battle.enchantments[0]
    assert gift.data["models"] == ["wizard", "g1", "g2", "g3"]
    play(magic.after_phase(battle), [2, 2], {"fate.shoot": ["guard", None], "fate.target": "foes"})
    assert told(battle, "fate.shoots").about == ("guard", "foes")
    assert battle.enchantments == ()
    assert battle.models["g1"].shot == 0


def test_dark_wood_bars_whoever_fails() -> None:
    battle = field("orphans")
    wood = make_piece("wood", "wood", rectangle(560.0, 520.0, 100.0, 100.0))
    battle.table = battle.table.with_piece(wood)
    battle.sides["blue"].faction = "realm"
    knows(battle, "O.11-dark-wood")
    cast(battle, ["wizard:O.11-dark-wood"], [6, 6], {"magic.target": "wood", "cast.dice": 2})
    foes, guard = battle.units["foes"], battle.units["guard"]
    assert magic.dark_wood_bars(battle, foes, wood)
    assert not magic.dark_wood_bars(battle, guard, wood)
    play(magic.face_dark_woods(battle, foes), [7], {"dark-wood.test": "test"})
    assert magic.dark_wood_bars(battle, foes, wood)
    battle.turn = 2
    play(magic.face_dark_woods(battle, foes), [6], {"dark-wood.test": "test"})
    assert not magic.dark_wood_bars(battle, foes, wood)


def test_dark_wood_drives_out_whoever_stands_in_it() -> None:
    battle = field("orphans")
    wood = make_piece("wood", "wood", rectangle(560.0, 660.0, 160.0, 100.0))
    battle.table = battle.table.with_piece(wood)
    battle.sides["blue"].faction = "realm"
    SPELLS["O.11-dark-wood"].enchant(battle, battle.models["wizard"], declared.Target("wood", "wood"))
    play(magic.forced_walks(battle, "blue"), [9])
    assert battle.units["foes"].move_done
    assert battle.pose(battle.models["f1"]).y > 760.0


def test_protective_shield_leaves_the_melee() -> None:
    battle = field("cult")
    pose = battle.pose(battle.models["g1"])
    battle.bodies.place(battle.models["f1"].body, Pose(pose.x, pose.y + 30.0, 180.0))
    knows(battle, "C.8-shield")
    answers = {"magic.target": "guard", "cast.dice": 2, "disengage.direction": {"bearing": 180.0, "facing": 0.0}}
    cast(battle, ["wizard:C.8-shield"], [6, 6, 4], answers)
    assert not battle.engaged(battle.units["guard"])
    assert battle.pose(battle.models["g1"]).y == pytest.approx(260.0)
    assert battle.flag(battle.models["g1"], "cannot_be_attacked") == "nemesis:A2.C.8-shield"


def test_audacity_saves_a_fiasco() -> None:
    battle = field(abilities=("Audacity",))
    mage = knows(battle, "R.2-armour")
    cast(battle, ["wizard:R.2-armour"], [1, 5], {"cast.dice": 1, "reroll": "audacity"})
    assert mage.rerolled
    assert not mage.magic_over
    assert "spell.cast" in kinds(battle)


def test_house_rule_adds_a_die_to_the_power() -> None:
    battle = field("cult")
    battle.house["spell_power_adds_die"] = True
    knows(battle, "C.2-flaming-head")
    cast(battle, ["wizard:C.2-flaming-head"], [5, 10, 10, 10], {"magic.target": "foes", "cast.dice": 1})
    assert [battle.models[m].doomed for m in ("f1", "f2", "f3")].count(True) == 1


@pytest.mark.parametrize("key", list(SPELLS))
def test_every_spell_touches_its_rule(key: str) -> None:
    """Each spell cast where it can be, with dice that succeed; its rule is cited when it takes effect."""
    spell = SPELLS[key]
    battle = field(spell.faction, near=200.0)
    prepare(battle, key)
    mage = knows(battle, key)
    mage.kills = 1
    target = next(o.key for o in spell.targets(battle, mage)[0] if wanted(key, o.key))
    script = spell.take_effect(battle, mage, aim(battle, mage, key, target))
    play_freely(script)
    rules = [event.rule for event in battle.events]
    silent = ("C.1-deception", "N.7-unusual-strength")  # told as cast, or by the attacks they make
    assert spell.rule in rules or battle.enchantments or key in silent


def wanted(key: str, target: str) -> bool:
    return target != "wizard" or key in SELF_ONLY or SPELLS[key].kind == "self"


SELF_ONLY = ("N.9-healing", "O.4-visual-trick", "O.12-thorn-whip", "R.1-care", "O.10-tree-of-life")


def prepare(battle: Battle, key: str) -> None:
    battle.models["wizard"].s = 2
    wood = make_piece("wood", "wood", rectangle(480.0, 480.0, 60.0, 60.0))
    battle.table = battle.table.with_piece(wood)
    if key.startswith(("N.4", "N.5")):
        word = "rotten" if key.startswith("N.4") else "stitched"
        for name in ("g1", "g2", "g3"):
            model = battle.models[name]
            model.card = Card("Thing", M=10, HC=2, F=3, R=7, S=1, C=None, base=30, keywords=(word,))
    spell = SPELLS[key]
    if key in ("N.11-soul-swap", "O.12-thorn-whip"):
        in_melee(battle)
    elif spell.close_combat or key == "C.9-curse":
        pose = battle.pose(battle.models["g1"])
        battle.bodies.place(battle.models["f1"].body, Pose(pose.x, pose.y + 30.0, 180.0))


def aim(battle: Battle, mage: Model, key: str, target: str) -> declared.Target:
    if key == "O.5-forest-grows":
        return declared.Target("place", "", 600.0, 520.0)
    if key == "C.10-mirage":
        return declared.Target("unit", target, 600.0, 500.0)
    return declared.Target(SPELLS[key].kind, target)


def play_freely(script: Script[Any]) -> None:
    """Every die a 4, every question its first candidate."""
    reply: Any = None
    while True:
        try:
            ask = script.send(reply)
        except StopIteration:
            return
        if isinstance(ask, Roll):
            reply = (4,) * ask.count
        else:
            assert isinstance(ask, Question)
            reply = ask.decode(ask.candidates()[0])

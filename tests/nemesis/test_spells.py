"""Single spells of Némésis, and every one of them once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grognard.games.nemesis.army.profiles import Card, Ranged
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.magic import declarations, enchantments, magic
from grognard.games.nemesis.magic.spells import SPELLS
from grognard.games.nemesis.movement import spell_walks
from grognard.games.nemesis.table import spells_in_effect
from grognard.games.nemesis.table.terrain import make_piece
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import rectangle
from grognard.kernel.questions import Question, Roll, Script
from tests.nemesis.casting import TROOPER, cast, field, in_melee, kinds, knows, play, told


def test_care_heals_up_to_the_start() -> None:
    battle = field()
    mage = knows(battle, "R.1-care")
    mage.s = 3
    cast(battle, ["wizard:R.1-care"], [5], {"magic.target": "wizard", "cast.dice": 1})
    assert mage.s == 4
    mage.magic = mage.magic.but(cast=())
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
    script = SPELLS["O.5-forest-grows"].locate(battle, mage, declarations.Target("place"))
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
    made = spells_in_effect.mirage_of(battle, unit)
    assert made is not None
    assert spells_in_effect.mirage_point(made) == (600.0, 700.0)
    battle.turn = 2
    enchantments.expire(battle)
    play(spell_walks.forced_walks(battle, "blue"), [])
    assert unit.move_done
    assert spells_in_effect.mirage_of(battle, unit) is None
    assert "spell.mirage-reached" in kinds(battle)


def test_offerings_need_a_kill() -> None:
    battle = field("cult")
    mage = knows(battle, "C.6-offerings")
    assert magic.declarable(battle, "red")[1]["wizard:C.6-offerings"].rule == "nemesis:A2.C.6-offerings"
    mage.kills = 1
    cast(battle, ["wizard:C.6-offerings"], [5], {"cast.dice": 1, "offerings.learn": "C.1-deception"})
    assert mage.magic.spells == ("C.6-offerings", "C.1-deception")
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
    assert spells_in_effect.dark_wood_bars(battle, foes, wood)
    assert not spells_in_effect.dark_wood_bars(battle, guard, wood)
    play(spell_walks.face_dark_woods(battle, foes), [7], {"dark-wood.test": "test"})
    assert spells_in_effect.dark_wood_bars(battle, foes, wood)
    battle.turn = 2
    play(spell_walks.face_dark_woods(battle, foes), [6], {"dark-wood.test": "test"})
    assert not spells_in_effect.dark_wood_bars(battle, foes, wood)


def test_dark_wood_drives_out_whoever_stands_in_it() -> None:
    battle = field("orphans")
    wood = make_piece("wood", "wood", rectangle(560.0, 660.0, 160.0, 100.0))
    battle.table = battle.table.with_piece(wood)
    battle.sides["blue"].faction = "realm"
    SPELLS["O.11-dark-wood"].enchant(battle, battle.models["wizard"], declarations.Target("wood", "wood"))
    play(spell_walks.forced_walks(battle, "blue"), [9])
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
    assert mage.used.audacity
    assert not mage.magic.over
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


def aim(battle: Battle, mage: Model, key: str, target: str) -> declarations.Target:
    if key == "O.5-forest-grows":
        return declarations.Target("place", "", 600.0, 520.0)
    if key == "C.10-mirage":
        return declarations.Target("unit", target, 600.0, 500.0)
    return declarations.Target(SPELLS[key].kind, target)


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

"""A mage, his guards and some skeletons, and what is played with them."""

from __future__ import annotations

from typing import Any

from grognard.games.nemesis.army.profiles import Card
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.house import HOUSE_RULES
from grognard.games.nemesis.magic import magic, magic_dice
from grognard.games.nemesis.setup import fielding
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.questions import OPEN, Pick, Question, Roll, Script

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
        magic_dice.refill(battle, model)
    return battle


def knows(battle: Battle, *keys: str, mage: str = "wizard") -> Model:
    model = battle.models[mage]
    model.magic = model.magic.but(spells=keys)
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


def in_melee(battle: Battle) -> None:
    pose = battle.pose(battle.models["wizard"])
    battle.bodies.place(battle.models["f1"].body, Pose(pose.x, pose.y + 30.0, 180.0))

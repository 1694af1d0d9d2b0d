"""How likely a card's shot, blow or spell does what it should: exact odds, worked out once per pair of cards."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from grognard.games.nemesis.army.profiles import Card
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.magic.casting_steps import block, concentrate
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.odds import scene
from grognard.games.nemesis.odds.policy import sparing
from grognard.games.nemesis.odds.shots import into_melee, one_shot
from grognard.games.nemesis.rolls.rerolls import victim
from grognard.games.nemesis.rolls.steps import Tester, blow, wound
from grognard.games.nemesis.shooting import shot_numbers
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.words.tally import Tally

#: A shot is judged at this share of the weapon's range.
USUAL = 0.6
SOMEBODY = Tester("")


@lru_cache(maxsize=4096)
def shot(shooter: Card, weapon: str, target: Card) -> float:
    """Chapter 17.3: The chance that one shot wounds."""
    bow = next(w for w in shooter.ranged if w.name == weapon)
    far = scene.reach(_plain(shooter)) + scene.reach(_plain(target)) + bow.P * USUAL
    battle = _pair(shooter, target, far)
    aim = shot_numbers.aim(battle, battle.models["one"], bow, battle.units["other"])
    assert aim is not None
    return float(one_shot(Weigher(sparing), aim.shot, victim(battle, aim.mark)).probability("wounded"))


@lru_cache(maxsize=4096)
def astray(shooter: Card, weapon: str, target: Card, friend: Card) -> tuple[float, float]:
    """nemesis:17.4-melee, nemesis:17.5-friend
    The chances that a shot into a melee wounds the enemy, and the friend."""
    bow = next(w for w in shooter.ranged if w.name == weapon)
    far = scene.reach(_plain(shooter)) + scene.reach(_plain(target)) + bow.P * USUAL
    battle = _pair(shooter, target, far, friend)
    aim = shot_numbers.aim(battle, battle.models["one"], bow, battle.units["other"])
    assert aim is not None
    shot = into_melee(Weigher(sparing), aim.shot, victim(battle, aim.mark), victim(battle, battle.models["friend"]))
    return float(shot.probability("wounded")), float(shot.probability("friend wounded"))


@lru_cache(maxsize=4096)
def strike(attacker: Card, target: Card, charged: bool) -> float:
    """Chapter 19.2: The chance that one blow wounds."""
    near = scene.reach(_plain(attacker)) + scene.reach(_plain(target)) + scene.KISS
    battle = _pair(attacker, target, near)
    battle.models["one"].charged = charged
    numbers = melee.blow_for(battle, battle.models["one"], battle.models["other"])
    return float(Weigher(sparing).run(lambda: blow(numbers)).chance(lambda struck: struck.result == "wounded"))


@lru_cache(maxsize=1024)
def impact(power: int, target: Card) -> float:
    """nemesis:14.2-power  The chance that an automatic hit wounds."""
    battle = _pair(target, target, 50)
    struck = victim(battle, battle.models["other"])
    return float(Weigher(sparing).run(lambda: wound(struck, power)).chance(lambda hurt: hurt.wounded))


@lru_cache(maxsize=1024)
def casting(dice: int, co: int, difficulty: int) -> tuple[float, float]:
    """nemesis:14.4-test  The chances that so many dice cast a spell, and that they end in a fiasco."""
    value = Tally(co, "CO", "nemesis:5.1-CO")
    tried = Weigher(sparing).run(lambda: concentrate(SOMEBODY, "cast.test", dice, value, difficulty))
    return float(tried.chance(lambda got: got.passed)), float(tried.chance(lambda got: got.fiasco))


@lru_cache(maxsize=1024)
def blocking(dice: int, excess: int) -> tuple[float, float]:
    """nemesis:14.5-block  The chances that so many dice stop a spell that succeeded by `excess`, and of a fiasco."""
    tried = Weigher(sparing).run(lambda: block(SOMEBODY, dice))
    return float(tried.chance(lambda got: got.amount > excess)), float(tried.chance(lambda got: got.fiasco))


def _plain(card: Card) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(card)
    return found


def _pair(one: Card, other: Card, apart: float, friend: Card | None = None) -> Battle:
    """Two models facing each other, each of its own side; with a friend of the one who fights the other."""
    x, y = scene.SPOT
    cards = {"one": _plain(one) | {"name": "one"}, "other": _plain(other) | {"name": "other"}}
    units = {
        "one": {"side": "red", "card": "one", "at": [x, y]},
        "other": {"side": "blue", "card": "other", "at": [x, y + apart]},
    }
    if friend is not None:
        cards["friend"] = _plain(friend) | {"name": "friend"}
        beside = scene.reach(_plain(other)) + scene.reach(_plain(friend)) + scene.KISS
        units["friend"] = {"side": "red", "card": "friend", "at": [x + beside, y + apart]}
    return scene.create({}, {"cards": cards, "units": units, "phase": "combat", "begun": True})

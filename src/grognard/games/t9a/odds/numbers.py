"""Attacks from plain numbers: a unit with just these values is laid out, the battle does the rest."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.melee.striking import Share
from grognard.games.t9a.odds import scene
from grognard.games.t9a.odds.harm import Harm
from grognard.games.t9a.odds.policy import chooser
from grognard.games.t9a.odds.sums import Losses, Numbers
from grognard.games.t9a.odds.volleys import Shooting
from grognard.games.t9a.shooting.shooters import shooters
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.words.tally import Tally

Arguments = dict[str, Any]
#: As many as are hit more often than any question asks for, in ranks of five.
CROWD = 130
_ATTRIBUTES = {
    "lethal": "Lethal Strike", "poison": "Poison Attacks", "focus": "Battle Focus", "divine": "Divine Attacks",
    "flaming": "Flaming Attacks", "hatred": "Hatred",
}  # fmt: skip


def _attributes(given: Arguments) -> list[str]:
    found = [name for key, name in _ATTRIBUTES.items() if given.get(key)]
    return [*found, *([f"Multiple Wounds ({given['multiple']})"] if given["multiple"] != 1 else [])]


def _target(given: Arguments) -> dict[str, Any]:
    """The profile of whoever is hit."""
    saves = [
        f"{name} ({given[key]}+)" for key, name in (("aegis", "Aegis"), ("fortitude", "Fortitude")) if given[key] < 7
    ]
    return scene.SOLDIER | {
        "hp": given["hp"], "res": given["resilience"], "arm": given["armour"], "def": given.get("defence", 3),
        "rules": [*saves, *(["Flammable"] if given["flammable"] else [])],
    }  # fmt: skip


def volley(given: Arguments) -> Odds:
    """t9a:14.A.a-fire, t9a:14.D  So many shots that need so much."""
    shot = {"range": 24, "str": given["strength"], "ap": given["ap"], "attributes": _attributes(given)}
    part = scene.SOLDIER["parts"][0] | {"shooting": ["Shot (4+)"]}
    profiles = {"Archer": scene.SOLDIER | {"weapons": {"Shot": shot}, "parts": [part]}, "Target": _target(given)}
    plan = {
        "shooter": {"profile": "Archer", "models": 5}, "target": {"profile": "Target", "models": CROWD},
        "profiles": profiles, "distance": 6, "moved": False, "cover": "none",
    }  # fmt: skip
    battle = scene.shooting_range(plan)
    unit, target = battle.units["shooter"], battle.units["target"]
    going = Shooting(battle, unit, target, chooser(battle))
    first = shooters(going.battle, unit, target)[0]
    count: Distribution[Numbers] = Distribution.certain((given["shots"],))
    losses = going.shots(first, Tally(given["need"], "Aim", "t9a:14.B"), count)
    return _told("volley", losses, given, (*going.touched, *going.weigher.touched))


def strike(given: Arguments) -> Odds:
    """t9a:15.D.e  So many Close Combat Attacks."""
    values = {"off": given["offence"], "str": given["strength"], "ap": given["ap"], "attributes": _attributes(given)}
    profiles = {"Attacker": scene.SOLDIER | {"parts": [scene.SOLDIER["parts"][0] | values]}, "Target": _target(given)}
    effects = [{"stats": [["to-hit", "add", given["plus"]]]}] if given["plus"] else []
    plan = {
        "attacker": {"profile": "Attacker", "models": 5, "effects": effects},
        "defender": {"profile": "Target", "models": CROWD}, "profiles": profiles, "side": "front", "charged": "nobody",
        "first": True,
    }  # fmt: skip
    battle = scene.melee(plan)
    weigher = Weigher(chooser(battle))
    share = Share(Entry("attacker", "attacker", 0, "close"), "defender", "front", True, given["attacks"])
    return _told("strike", Harm(battle, weigher).share(share), given, (*battle.cited, *weigher.touched))


def _told(question: str, losses: Distribution[Losses], given: Arguments, touched: tuple[str, ...]) -> Odds:
    found = losses.map(lambda taken: sum(amount for _, amount in taken))
    return Odds.of(
        question, found, parts={"lost": lambda n: n}, touched=tuple(dict.fromkeys(touched)), arguments=given
    )  # fmt: skip

"""Numbers that chapters change: the standards, fears and fires of chapters above register here as they load."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.army.profiles import Profile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hooks import Hook
from grognard.kernel.words.tally import Tally


class Group(NamedTuple):
    """Attackers alike: the troops of a unit, their mounts, or one model; how many, with how many attacks each."""

    unit: str
    foe: str
    who: str  # "troops", "mounts" or a model's id
    fighters: int
    attacks: int
    initiative: int
    profile: Profile
    auto: bool = False
    hand: int = 0  # wfb3:13.3-two-weapons: 1 right, 2 left; PISTOL
    blind: bool = False  # wfb3:5.7.4-wedge-fight: strikes whoever is there
    free: bool = False  # wfb3:8.3-free: at the backs of those who run


#: A unit's Ld, for a purpose (`stats.mental`).
LEADERSHIP: Hook[[Battle, Unit, str, Tally], None] = Hook("army standard", "altar")
#: What a group of attackers needs to hit an enemy (`to_hit_to_wound.to_hit`).
TO_HIT: Hook[[Battle, Group, Unit, Tally], None] = Hook("hatred", "obstacle", "fear")
#: How strong a unit's blow is against a victim (`to_hit_to_wound.strength_of`).
STRENGTH: Hook[[Battle, Unit, Profile, Tally], None] = Hook("fire")

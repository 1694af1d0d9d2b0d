"""The questions procedures ask of abilities, with the answer of an ordinary model or weapon.

wh40k:8.0-open  The registries are open: another publication adds a class. A name nobody registered is an error.
"""

from __future__ import annotations

import msgspec

from grognard.games.wh40k.army.amounts import Amount
from grognard.kernel.data.abilities import Ability, Registry

#: One change to a roll: how much, what for, by which rule.
Change = tuple[int, str, str]


class Aim(msgspec.Struct, frozen=True):
    """What a weapon's abilities may want to know of one attack when its target is selected."""

    melee: bool = False
    half_range: bool = False
    models: int = 1
    stationary: bool = False
    charged: bool = False
    hidden: bool = False  # wh40k:8.9.2  nobody of the unit saw the target
    keywords: tuple[str, ...] = ()


class WeaponTrait(Ability):
    """wh40k:8.0-open  A weapon ability."""

    torrent = False
    lethal = False
    devastating = False
    rerolls_wounds = False
    ignores_cover = False
    indirect = False
    precision = False
    hazardous = False
    heavy = False
    pistol = False
    assault = False
    blast = False
    extra_weapon = False
    psychic = False

    __slots__ = ()

    def attacks(self, aim: Aim) -> int:
        """Attacks added to the weapon's own."""
        return 0

    def damage(self, aim: Aim) -> int:
        """Damage added to the weapon's own."""
        return 0

    def hit(self, aim: Aim) -> int:
        """A modifier of the Hit roll."""
        return 0

    def wound(self, aim: Aim) -> int:
        """A modifier of the Wound roll."""
        return 0

    def more_hits(self) -> Amount | None:
        """Hits a Critical Hit adds."""
        return None

    def mortal_wounds(self) -> Amount | None:
        """Mortal wounds a Critical Wound causes beside its damage."""
        return None

    def critical_wound(self, aim: Aim) -> int:
        """The unmodified Wound roll from which on a wound is critical."""
        return 6


class Trait(Ability):
    """An ability of a model."""

    deep_strike = False
    fights_first = False
    infiltrators = False
    deploys_late = False
    leader = False
    lone_operative = False
    stealth = False
    hover = False
    #: wh40k:11.4.4-aura  how far it reaches, in inches (0: no aura), and the keywords of the units it serves
    aura = 0.0
    rerolls_hits_of_one = False
    #: wh40k:7.5.3-cap  what is added to its armour saves
    armour_bonus = 0

    __slots__ = ()

    def feel_no_pain(self) -> int:
        """The roll that ignores a lost wound (7: none)."""
        return 7

    def scouts(self) -> float:
        """How far it scouts, in inches."""
        return 0.0

    def firing_deck(self) -> int:
        """How many passengers fire from it."""
        return 0

    def demise(self) -> Amount | None:
        """Mortal wounds it deals when it is destroyed."""
        return None


_WEAPONS: Registry[WeaponTrait] = Registry("wh40k", rule="wh40k:8.0-open")
_CORE: Registry[Trait] = Registry("wh40k", rule="wh40k:8.0-open")

#: Class decorators: make an ability known by its names.
weapon_ability, core_ability = _WEAPONS.register, _CORE.register


def parse_weapon_trait(text: str) -> WeaponTrait:
    """A weapon ability as written, such as "Rapid Fire 1" or "Anti-Vehicle 4+"."""
    return _WEAPONS.parse(str(text).removeprefix("[").removesuffix("]"))


def parse_trait(text: str) -> Trait:
    """A model's ability as written, such as "Feel No Pain 5+"."""
    return _CORE.parse(text)

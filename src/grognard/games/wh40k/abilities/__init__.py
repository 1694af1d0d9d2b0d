"""Special rules by the name on the datasheet: weapon abilities and core abilities."""

from grognard.games.wh40k.abilities import core, weapons
from grognard.games.wh40k.abilities.base import Aim, Trait, WeaponTrait, parse_trait, parse_weapon_trait

__all__ = ["Aim", "Trait", "WeaponTrait", "core", "parse_trait", "parse_weapon_trait", "weapons"]

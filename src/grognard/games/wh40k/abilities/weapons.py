"""Chapter 8: the weapon abilities, one small class each, by the name in the brackets."""

from __future__ import annotations

from grognard.games.wh40k.abilities.base import Aim, WeaponTrait, weapon_ability
from grognard.games.wh40k.army.amounts import Amount


@weapon_ability
class Assault(WeaponTrait):
    """May be fired by a unit that Advanced."""

    name, french, rule = "Assault", "Assaut", "wh40k:8.1-assault"
    assault = True


@weapon_ability
class RapidFire(WeaponTrait):
    """More attacks within half range."""

    name, french, rule, takes = "Rapid Fire", "Tir Rapide", "wh40k:8.2-rapid-fire", "X"

    def attacks(self, aim: Aim) -> int:
        return self.number if aim.half_range else 0


@weapon_ability
class IgnoresCover(WeaponTrait):
    """The target has no Benefit of Cover."""

    name, french, rule = "Ignores Cover", "Ignore le Couvert", "wh40k:8.3-ignores-cover"
    ignores_cover = True


@weapon_ability
class TwinLinked(WeaponTrait):
    """Wound rolls may be re-rolled, successes too."""

    name, french, rule = "Twin-linked", "Jumelé", "wh40k:8.4-twin-linked"
    rerolls_wounds = True


@weapon_ability
class Pistol(WeaponTrait):
    """May be fired within Engagement Range."""

    name, french, rule = "Pistol", "Pistolet", "wh40k:8.5.1-pistol-eligible"
    pistol = True


@weapon_ability
class Torrent(WeaponTrait):
    """Hits without a Hit roll."""

    name, french, rule = "Torrent", "Torrent", "wh40k:8.6-torrent"
    torrent = True


@weapon_ability
class LethalHits(WeaponTrait):
    """A Critical Hit wounds without a Wound roll."""

    name, french, rule = "Lethal Hits", "Touches Fatales", "wh40k:8.7-lethal-hits"
    lethal = True


@weapon_ability
class Lance(WeaponTrait):
    """Wounds better after a Charge move."""

    name, french, rule = "Lance", "Lance", "wh40k:8.8-lance"

    def wound(self, aim: Aim) -> int:
        return 1 if aim.charged else 0


@weapon_ability
class IndirectFire(WeaponTrait):
    """May be aimed at what nobody sees, and hits it worse."""

    name, french, rule = "Indirect Fire", "Tir Indirect", "wh40k:8.9.2-indirect-penalty"
    indirect = True

    def hit(self, aim: Aim) -> int:
        return -1 if aim.hidden else 0


@weapon_ability
class Precision(WeaponTrait):
    """May be allocated to a CHARACTER of an Attached unit."""

    name, french, rule = "Precision", "Précision", "wh40k:8.10-precision"
    precision = True


@weapon_ability
class Blast(WeaponTrait):
    """More attacks at big units, none at units in combat."""

    name, french, rule = "Blast", "Déflagration", "wh40k:8.11.1-blast"
    blast = True

    def attacks(self, aim: Aim) -> int:
        return aim.models // 5


@weapon_ability
class Melta(WeaponTrait):
    """More damage within half range."""

    name, french, rule, takes = "Melta", "Fusion", "wh40k:8.12-melta", "X"

    def damage(self, aim: Aim) -> int:
        return self.number if aim.half_range else 0


@weapon_ability
class Heavy(WeaponTrait):
    """Hits better when the unit Remained Stationary."""

    name, french, rule = "Heavy", "Lourd", "wh40k:8.13-heavy"
    heavy = True

    def hit(self, aim: Aim) -> int:
        return 1 if aim.stationary else 0


@weapon_ability
class Hazardous(WeaponTrait):
    """May destroy whoever uses it."""

    name, french, rule = "Hazardous", "À Risque", "wh40k:8.14.1-hazardous"
    hazardous = True


@weapon_ability
class DevastatingWounds(WeaponTrait):
    """A Critical Wound becomes mortal wounds."""

    name, french, rule = "Devastating Wounds", "Blessures Dévastatrices", "wh40k:8.15-devastating"
    devastating = True


@weapon_ability
class SustainedHits(WeaponTrait):
    """A Critical Hit scores more hits."""

    name, french, rule, takes = "Sustained Hits", "Touches Soutenues", "wh40k:8.16-sustained", "X"

    def more_hits(self) -> Amount | None:
        return self.value


@weapon_ability
class ExtraAttacks(WeaponTrait):
    """Used in addition to the weapon chosen."""

    name, french, rule = "Extra Attacks", "Attaques Bonus", "wh40k:8.17-extra-attacks"
    extra_weapon = True


@weapon_ability
class Anti(WeaponTrait):
    """Wounds some targets critically more often."""

    name, french, rule, takes = "Anti", "Anti", "wh40k:8.18-anti", "-WORD X+"

    def critical_wound(self, aim: Aim) -> int:
        return self.number if self.keyword.upper() in aim.keywords else 6


@weapon_ability
class Savage(WeaponTrait):
    """wh40k:7.3.4-cap  Ours, not the book's: wounds better, however it is used."""

    name, french, rule = "Savage", "Sauvage", "wh40k:7.3.4-cap"

    def wound(self, aim: Aim) -> int:
        return 1


@weapon_ability
class Searing(WeaponTrait):
    """wh40k:7.8.4-still  Ours, not the book's: each Critical Wound causes X mortal wounds beside its damage."""

    name, french, rule, takes = "Searing", "Brûlure", "wh40k:7.8.4-still", "X"

    def mortal_wounds(self) -> Amount | None:
        return self.value


@weapon_ability
class Psychic(WeaponTrait):
    """wh40k:11.4.5-psychic  Its wounds count as those of a Psychic Attack."""

    name, french, rule = "Psychic", "Psychique", "wh40k:11.4.5-psychic"
    psychic = True

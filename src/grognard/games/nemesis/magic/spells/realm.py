"""Chapter A2.R: White magic of the Realm of the Gods, in the book's order."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model
from grognard.games.nemesis.magic.declarations import Target
from grognard.games.nemesis.magic.spells import healing, hits
from grognard.games.nemesis.magic.spells.base import Change, DoubleMove, Frozen, Spell, spell
from grognard.kernel.questions import Script


@spell
class Care(Spell):
    """One friendly model regains 1 S, if it is not lost."""

    name, french, rule = "Care", "Soins", "nemesis:A2.R.1-care"
    difficulty, range_cm, kind, whose = 5, 30, "model", "friend"

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        healing.heal(battle, battle.models[target.id], 1, self.rule)
        return None


@spell
class ProtectiveArmour(Spell):
    """The mage himself is immune to shots and thrown weapons."""

    name, french, rule = "Protective Armour", "Armure de protection", "nemesis:A2.R.2-armour"
    difficulty, kind, turns = 6, "self", 1
    shot_proof = True


@spell
class PropheticAgility(Change):
    """One friendly model HC +1."""

    name, french, rule = "Prophetic Agility", "Agilité prophétique", "nemesis:A2.R.3-agility"
    difficulty, range_cm, kind, whose, turns = 7, 15, "model", "friend", 1
    changes = {"HC": 1}


@spell
class ColossalDexterity(Change):
    """One friendly model HT +1."""

    name, french, rule = "Colossal Dexterity", "Dextérité colossale", "nemesis:A2.R.4-dexterity"
    difficulty, range_cm, kind, whose, turns = 8, 15, "model", "friend", 1
    changes = {"HT": 1}


class Ray(Spell):
    """1D10 automatic hits on a unit."""

    damages, hit_die = True, 10

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        count = yield from hits.number_of_hits(battle, caster, self)
        yield from hits.strike_unit(battle, caster, battle.units[target.id], count, self.power, self.rule)
        return None


@spell
class AvengingRay(Ray):
    """1D10 hits PO 13."""

    name, french, rule = "Avenging Ray", "Rayon vengeur", "nemesis:A2.R.5-avenging-ray"
    difficulty, range_cm, power = 9, 30, 13


@spell
class IceStorms(Ray):
    """1D10 hits PO 15."""

    name, french, rule = "Ice Storms", "Tempêtes de glace", "nemesis:A2.R.6-ice-storm"
    difficulty, range_cm, power = 11, 30, 15


@spell
class FlayedIron(Change):
    """+1 R."""

    name, french, rule = "Flayed Iron", "Fer écorché", "nemesis:A2.R.7-flayed-iron"
    difficulty, range_cm, close_combat, turns = 12, 20, True, 1
    changes = {"R": 1}


@spell
class FlayedStone(Change):
    """+2 R, +1 F."""

    name, french, rule = "Flayed Stone", "Pierre écorchée", "nemesis:A2.R.8-flayed-stone"
    difficulty, range_cm, turns = 14, 20, 1
    changes = {"R": 2, "F": 1}


@spell
class Glacial(Frozen):
    """The whole target unit does nothing."""

    name, french, rule = "Glacial", "Glacial", "nemesis:A2.R.9-glacial"
    difficulty, range_cm, turns = 19, 35, 1


@spell
class Vitality(DoubleMove):
    """Double M, this turn and the next."""

    name, french, rule = "Vitality", "Vitalité", "nemesis:A2.R.10-vitality"
    difficulty, range_cm, turns = 20, 15, 2


@spell
class HeroicThrow(Spell):
    """Courage tests with 2D10, the better one counts."""

    name, french, rule = "Heroic Throw", "Lancer héroïque", "nemesis:A2.R.11-heroic-throw"
    difficulty, range_cm, permanent = 23, 35, True
    best_of_two_courage = True


@spell
class SupernaturalStrength(Change):
    """F +3."""

    name, french, rule = "Supernatural Strength", "Force surnaturelle", "nemesis:A2.R.12-supernatural-strength"
    difficulty, range_cm, turns = 24, 45, 1
    changes = {"F": 3}


@spell
class DivineRay(Spell):
    """Any one model, a hero in a unit too: 1D5 hits PO 13 (as printed, though weaker than Avenging Ray)."""

    name, french, rule = "Divine Ray", "Rayon divin", "nemesis:A2.R.13-divine-ray"
    difficulty, range_cm, kind, power, hit_die = 24, 30, "model", 13, 5

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        count = yield from hits.number_of_hits(battle, caster, self)
        yield from hits.strike_model(battle, caster, battle.models[target.id], count, self.power, self.rule)
        return None

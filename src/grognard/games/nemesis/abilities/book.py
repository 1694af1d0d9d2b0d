"""Chapter A1: Annex I, in the book's order. What each flag does is said where the procedure asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.nemesis.abilities.base import REGISTRY, Trait

if TYPE_CHECKING:
    from grognard.games.nemesis.battle import Battle
    from grognard.games.nemesis.forces import Model
    from grognard.kernel.words.tally import Tally

register = REGISTRY.register


@register
class Audacity(Trait):
    """Re-rolls one stat test per turn."""

    name, french, rule = "Audacity", "Audace", "nemesis:A1.1-audacity"
    optional = True
    rerolls_stat_test = True


@register
class NaturalAura(Trait):
    """+1 R inside a wood. Ruling: the base's centre is inside."""

    name, french, rule = "Natural Aura", "Aura naturelle", "nemesis:A1.2-natural-aura"

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if name == "R":
            battle.cite(self.rule, "nemesis:5.1-abilities")
            tally.add(0 if battle.piece_under(model, "wood") is None else 1, "natural aura", self.rule)


@register
class Authority(Trait):
    """May give one second order per turn."""

    name, french, rule = "Authority", "Autorité", "nemesis:A1.3-authority"
    optional = True
    order_ability = True
    gives_second_order = True


@register
class RightHand(Trait):
    """Needs no extra regiment, never commands."""

    name, french, rule = "Right Hand", "Bras droit", "nemesis:A1.4-right-hand"
    right_hand = True


@register
class Hidden(Trait):
    """May be deployed hidden."""

    name, french, rule = "Hidden", "Caché", "nemesis:A1.5-hidden"
    optional = True
    hides = True


@register
class Corruption(Trait):
    """Once per turn swaps an enemy combat die with its own."""

    name, french, rule = "Corruption", "Corruption", "nemesis:A1.6-corruption"
    optional = True
    swaps_dice = True


@register
class Courage(Trait):
    """Re-rolls failed tests that would make it flee; immune to Hypnotism."""

    name, french, rule = "Courage", "Courage", "nemesis:A1.7-courage"
    optional = True
    rerolls_flight = True
    resists_hypnosis = True


@register
class Madness(Trait):
    """HC +1 and A +1 from its first close-combat wound on."""

    name, french, rule = "Madness", "Folie", "nemesis:A1.8-madness"
    maddens = True

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if model.mad and name in ("HC", "A"):
            tally.add(1, "madness", self.rule)


@register
class Disciplined(Trait):
    """May receive up to X orders per turn."""

    name, french, rule = "Disciplined", "Discipliné", "nemesis:A1.9-disciplined"
    takes = "(X)"
    optional = True
    order_ability = True
    takes_more_orders = True


@register
class Scout(Trait):
    """May deploy outside its zone."""

    name, french, rule = "Scout", "Éclaireur", "nemesis:A1.10-scout"
    optional = True
    scouts = True


@register
class Hardened(Trait):
    """One bonus D10 per turn."""

    name, french, rule = "Hardened", "Endurci", "nemesis:A1.11-hardened"
    bonus_die = True


@register
class Swarm(Trait):
    """Sees all round."""

    name, french, rule = "Swarm", "Essaim", "nemesis:A1.12-swarm"
    all_round_view = True


@register
class Dodge(Trait):
    """Re-rolls its defence rolls in close combat."""

    name, french, rule = "Dodge", "Esquive", "nemesis:A1.13-dodge"
    optional = True
    rerolls_defence = True


@register
class Ethereal(Trait):
    """Ignores terrain and models, sees all round."""

    name, french, rule = "Ethereal", "Éthéré", "nemesis:A1.14-ethereal"
    all_round_view = True
    ignores_terrain = True
    moves_through_models = True


@register
class Fanatic(Trait):
    """Immune to fear, never flees. Ruling: cannot retreat, may disengage."""

    name, french, rule = "Fanatic", "Fanatique", "nemesis:A1.15-fanatic"
    fearless = True
    never_flees = True
    never_retreats = True


@register
class WarriorMage(Trait):
    """No penalty for casting in melee."""

    name, french, rule = "Warrior-mage", "Guerrier-mage", "nemesis:A1.16-warrior-mage"
    optional = True
    casts_freely_in_melee = True


@register
class Hermit(Trait):
    """Cannot be a member of a unit."""

    name, french, rule = "Hermit", "Ermite", "nemesis:A1.17-hermit"
    cannot_join = True


@register
class Hypnotism(Trait):
    """Models in contact that fail a courage test cannot attack it nor defend against it."""

    name, french, rule = "Hypnotism", "Hypnotisme", "nemesis:A1.18-hypnotism"
    optional = True
    hypnotic = True


@register
class Fearless(Trait):
    """Ignores fear."""

    name, french, rule = "Immune to fear", "Immunité à la peur", "nemesis:A1.19-fearless"
    fearless = True


@register
class Loyalty(Trait):
    """Immune to fear, with the unit it is in."""

    name, french, rule = "Loyalty", "Loyauté", "nemesis:A1.20-loyalty"
    fearless = True
    fearless_unit = True


@register
class Undead(Trait):
    """Causes fear; a magic creature for orders."""

    name, french, rule = "Undead", "Mort-vivant", "nemesis:A1.21-undead"
    causes_fear = True
    magic_creature = True


@register
class Insight(Trait):
    """Detects unseen enemies within its charge distance."""

    name, french, rule = "Insight", "Perspicacité", "nemesis:A1.22-insight"
    optional = True
    detects = True


@register
class Rotten(Trait):
    """Its wounds cost 2 S."""

    name, french, rule = "Rotten", "Pourri", "nemesis:A1.23-rotten"
    rots = True


@register
class Precision(Trait):
    """No penalty for having moved."""

    name, french, rule = "Precision", "Précision", "nemesis:A1.24-precision"
    precise = True


@register
class Speed(Trait):
    """May double M; a bonus die on die-based moves."""

    name, french, rule = "Speed", "Rapidité", "nemesis:A1.25-speed"
    optional = True
    speedy = True


@register
class Regeneration(Trait):
    """Once per turn, 1D10 <= X regains 1 S."""

    name, french, rule = "Regeneration", "Régénération", "nemesis:A1.26-regeneration"
    takes = "(X)"
    optional = True
    regenerates = True


@register
class MultipleShots(Trait):
    """N shots per order, each at -1."""

    name, french, rule = "Multiple shots", "Tirs multiples", "nemesis:A1.27-multishot"
    takes = ("(X)", "(xX)")
    multishot = True

    def accuracy(self, battle: Battle, shooter: Model, target: Model, tally: Tally) -> None:
        tally.add(-1, "multiple shots", self.rule)

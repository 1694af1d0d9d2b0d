"""The core abilities of models, and the one aura the book prints."""

from __future__ import annotations

from grognard.games.wh40k.abilities.base import Trait, core_ability
from grognard.games.wh40k.army.amounts import Amount


@core_ability
class Bulwark(Trait):
    """wh40k:7.5.3-cap  Ours, not the book's: armour saves are improved by 1."""

    name, french, rule = "Bulwark", "Rempart", "wh40k:7.5.3-cap"
    armour_bonus = 1


@core_ability
class DeadlyDemise(Trait):
    """Harms everybody near when it is destroyed."""

    name, french, rule, takes = "Deadly Demise", "Destruction Néfaste", "wh40k:7.10.1-demise", "X"

    def demise(self) -> Amount | None:
        return self.value


@core_ability
class DeepStrike(Trait):
    """May start in Reserves and arrive anywhere."""

    name, french, rule = "Deep Strike", "Frappe en Profondeur", "wh40k:12.2-deep-strike"
    deep_strike = True


@core_ability
class FeelNoPain(Trait):
    """May ignore each wound it would lose."""

    name, french, rule, takes = "Feel No Pain", "Insensible à la Douleur", "wh40k:7.9.1-fnp", "X+"

    def feel_no_pain(self) -> int:
        return self.number


@core_ability
class FightsFirst(Trait):
    """Fights in the first step of the Fight phase."""

    name, french, rule = "Fights First", "Combat en Premier", "wh40k:10.4-fights-first"
    fights_first = True


@core_ability
class FiringDeck(Trait):
    """Passengers' weapons may be fired from it."""

    name, french, rule, takes = "Firing Deck", "Pont de Tir", "wh40k:5.3-firing-deck", "X"

    def firing_deck(self) -> int:
        return self.number


@core_ability
class Hover(Trait):
    """An AIRCRAFT that may be played as something else."""

    name, french, rule = "Hover", "Stationnaire", "wh40k:17.3-hover"
    hover = True


@core_ability
class Infiltrators(Trait):
    """May be deployed forward."""

    name, french, rule = "Infiltrators", "Infiltrateurs", "wh40k:12.4-infiltrators"
    infiltrators = True


@core_ability
class LateDeployment(Trait):
    """wh40k:21.6-late-deploy  Ours, not the book's: set up after both armies have deployed."""

    name, french, rule = "Late Deployment", "Déploiement Tardif", "wh40k:21.6-late-deploy"
    deploys_late = True


@core_ability
class Leader(Trait):
    """May be attached to the units its datasheet lists."""

    name, french, rule = "Leader", "Meneur", "wh40k:12.5.1-list"
    leader = True


@core_ability
class LoneOperative(Trait):
    """A ranged target only from near by."""

    name, french, rule = "Lone Operative", "Agent Solitaire", "wh40k:6.4-lone-operative"
    lone_operative = True


@core_ability
class Scouts(Trait):
    """Moves before the first turn."""

    name, french, rule, takes = "Scouts", "Éclaireurs", "wh40k:12.3.1-scouts", 'X"'

    def scouts(self) -> float:
        return float(self.number)


@core_ability
class Stealth(Trait):
    """Harder to hit from afar."""

    name, french, rule = "Stealth", "Discrétion", "wh40k:6.7-stealth"
    stealth = True


@core_ability
class RitesOfBattle(Trait):
    """wh40k:22.1-sample-datasheet  Aura: friendly units of the same faction re-roll Hit rolls of 1."""

    name, french, rule = "Rites of Battle", "Rites de Bataille", "wh40k:22.1-sample-datasheet"
    aura = 6.0
    rerolls_hits_of_one = True

"""Chapter 21.A.b: The Universal Rules, in the order of the book, and those of Characters and command groups."""

from __future__ import annotations

from grognard.games.t9a.abilities.base import Universal, register
from grognard.kernel.errors import BadInput

#: t9a:20.B  Kinds of terrain a rule may name.
GROUNDS = ("field", "hill", "forest", "wall", "ruins", "water", "impassable")


@register
class WizardAdept(Universal):
    name, french, rule = "Wizard Adept", "Adepte magicien", "t9a:21.A.b.1"
    implies = ("Channel (1)",)


@register
class WizardApprentice(Universal):
    name, french, rule = "Wizard Apprentice", "Apprenti magicien", "t9a:21.A.b.2"


@register
class FrontRank(Universal):
    name, french, rule = "Front Rank", "Au premier rang", "t9a:21.A.b.3"


@register
class Vanguard(Universal):
    name, french, rule = "Vanguard", "Avant-garde", "t9a:21.A.b.4"
    takes = "?"


@register
class Channel(Universal):
    name, french, rule = "Channel", "Canalisation", "t9a:21.A.b.5"
    takes = "X"
    cumulative = True


@register
class Scoring(Universal):
    name, french, rule = "Scoring", "Capture", "t9a:21.A.b.6"


@register
class Chariot(Universal):
    name, french, rule = "Chariot", "Char", "t9a:21.A.b.7"
    implies = ("Exclusive (Chariot)",)


@register
class WizardConclave(Universal):
    name, french, rule = "Wizard Conclave", "Conclave de magiciens", "t9a:21.A.b.8"
    takes = "X"


@register
class Swiftstride(Universal):
    name, french, rule = "Swiftstride", "Course rapide", "t9a:21.A.b.9"


@register
class Hidden(Universal):
    name, french, rule = "Hidden", "Dissimulé", "t9a:21.A.b.10"


@register
class Scout(Universal):
    name, french, rule = "Scout", "Éclaireur", "t9a:21.A.b.11"


@register
class Ambush(Universal):
    name, french, rule = "Ambush", "Embuscade", "t9a:21.A.b.12"


@register
class SpecialAmbush(Universal):
    """Its condition is the terrain beside which the unit appears: (Forest), (Forest, Ruins), (in a Field)."""

    name, french, rule = "Special Ambush", "Embuscade spéciale", "t9a:21.A.b.13"
    takes = "X"

    def __init__(self, text: str, args: tuple[str, ...], against: tuple[tuple[str, ...], ...]) -> None:
        super().__init__(text, args, against)
        if any(kind not in GROUNDS for kind in self.grounds):
            known = ", ".join(GROUNDS)
            raise BadInput('"{text}": the place is one of {known} (t9a:21.A.b.13)', text=text, known=known)

    @property
    def grounds(self) -> list[str]:
        """The kinds of terrain that will do."""
        return [arg.casefold().split()[-1] for arg in self.args]


@register
class Exclusive(Universal):
    name, french, rule = "Exclusive", "Exclusif", "t9a:21.A.b.14"
    takes = "?"


@register
class Frenzy(Universal):
    name, french, rule = "Frenzy", "Frénésie", "t9a:21.A.b.15"


@register
class Bodyguard(Universal):
    name, french, rule = "Bodyguard", "Garde du corps", "t9a:21.A.b.16"
    takes = "?"


@register
class BattleStandardBearer(Universal):
    name, french, rule = "Battle Standard Bearer", "Grande bannière", "t9a:21.A.b.17"
    implies = (
        "Rally Around the Flag",
        "Not a Leader",
    )


@register
class Strider(Universal):
    name, french, rule = "Strider", "Guide", "t9a:21.A.b.18"
    takes = "?"


@register
class Unbreakable(Universal):
    name, french, rule = "Unbreakable", "Indémoralisable", "t9a:21.A.b.19"
    implies = ("Exclusive (Unbreakable)",)


@register
class Engineer(Universal):
    name, french, rule = "Engineer", "Ingénieur", "t9a:21.A.b.20"
    takes = "X"


@register
class Insignificant(Universal):
    name, french, rule = "Insignificant", "Insignifiant", "t9a:21.A.b.21"


@register
class Unstable(Universal):
    name, french, rule = "Unstable", "Instable", "t9a:21.A.b.22"
    implies = ("Exclusive (Unstable)",)


@register
class WarMachine(Universal):
    name, french, rule = "War Machine", "Machine de guerre", "t9a:21.A.b.23"
    implies = ("Exclusive",)


@register
class ProteanMagic(Universal):
    name, french, rule = "Protean Magic", "Magie protéiforme", "t9a:21.A.b.24"


@register
class WizardMaster(Universal):
    name, french, rule = "Wizard Master", "Maître magicien", "t9a:21.A.b.25"
    implies = ("Channel (1)",)


@register
class MassiveBulk(Universal):
    name, french, rule = "Massive Bulk", "Massif", "t9a:21.A.b.26"


@register
class Maximised(Universal):
    name, french, rule = "Maximised", "Maximisé", "t9a:21.A.b.27"
    takes = "X"
    cumulative = True


@register
class Minimised(Universal):
    name, french, rule = "Minimised", "Minimisé", "t9a:21.A.b.28"
    takes = "X"
    cumulative = True


@register
class Undead(Universal):
    name, french, rule = "Undead", "Mort-vivant", "t9a:21.A.b.29"
    implies = ("Unstable",)


@register
class RandomMovement(Universal):
    name, french, rule = "Random Movement", "Mouvement aléatoire", "t9a:21.A.b.30"
    takes = "X"


@register
class GhostStep(Universal):
    name, french, rule = "Ghost Step", "Mouvement spectral", "t9a:21.A.b.31"


@register
class NotALeader(Universal):
    name, french, rule = "Not a Leader", "Pas un meneur", "t9a:21.A.b.32"


@register
class Fear(Universal):
    name, french, rule = "Fear", "Peur", "t9a:21.A.b.33"


@register
class WarPlatform(Universal):
    name, french, rule = "War Platform", "Plateforme de guerre", "t9a:21.A.b.34"
    implies = ("Character",)


@register
class CommandingPresence(Universal):
    name, french, rule = "Commanding Presence", "Présence impérieuse", "t9a:21.A.b.35"
    takes = "?"


@register
class ToweringPresence(Universal):
    name, french, rule = "Towering Presence", "Présence imposante", "t9a:21.A.b.36"
    implies = ("Tall",)


@register
class RallyAroundTheFlag(Universal):
    name, french, rule = "Rally Around the Flag", "Ralliement au drapeau", "t9a:21.A.b.37"
    takes = "?"


@register
class Attached(Universal):
    name, french, rule = "Attached", "Rattaché", "t9a:21.A.b.38"


@register
class SwiftReform(Universal):
    name, french, rule = "Swift Reform", "Reformation rapide", "t9a:21.A.b.39"


@register
class FeignedFlight(Universal):
    name, french, rule = "Feigned Flight", "Repli tactique", "t9a:21.A.b.40"


@register
class MagicResistance(Universal):
    name, french, rule = "Magic Resistance", "Résistance à la magie", "t9a:21.A.b.41"
    takes = "X"


@register
class Fearless(Universal):
    name, french, rule = "Fearless", "Sans peur", "t9a:21.A.b.42"


@register
class StandBehind(Universal):
    name, french, rule = "Stand Behind", "Se tient derrière", "t9a:21.A.b.43"


@register
class Supernal(Universal):
    name, french, rule = "Supernal", "Surnaturel", "t9a:21.A.b.44"
    implies = ("Unstable",)


@register
class Stubborn(Universal):
    name, french, rule = "Stubborn", "Tenace", "t9a:21.A.b.45"


@register
class StandFast(Universal):
    name, french, rule = "Stand Fast!", "Tenez bon !", "t9a:21.A.b.46"


@register
class Terror(Universal):
    name, french, rule = "Terror", "Terreur", "t9a:21.A.b.47"


@register
class Skirmisher(Universal):
    name, french, rule = "Skirmisher", "Tirailleur", "t9a:21.A.b.48"


@register
class LightTroops(Universal):
    name, french, rule = "Light Troops", "Troupe légère", "t9a:21.A.b.49"


@register
class Tall(Universal):
    name, french, rule = "Tall", "Une tête au dessus", "t9a:21.A.b.50"


@register
class DeafeningDin(Universal):
    name, french, rule = "Deafening Din", "Vacarme assourdissant", "t9a:21.A.b.51"
    implies = ("Musician",)


@register
class Fly(Universal):
    name, french, rule = "Fly", "Vol", "t9a:21.A.b.52"
    takes = "X"


@register
class Character(Universal):
    name, french, rule = "Character", "Personnage", "t9a:21.B"
    implies = ("Front Rank",)


@register
class Champion(Universal):
    name, french, rule = "Champion", "Champion", "t9a:21.C.a"
    implies = ("Front Rank",)


@register
class Musician(Universal):
    name, french, rule = "Musician", "Musicien", "t9a:21.C.b"
    implies = ("Swift Reform",)


@register
class StandardBearer(Universal):
    name, french, rule = "Standard Bearer", "Porte-étendard", "t9a:21.C.c"

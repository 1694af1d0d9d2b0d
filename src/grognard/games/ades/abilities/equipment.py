"""Chapter 13.1  Equipment, apart from ranged weapons."""

from __future__ import annotations

from grognard.games.ades.abilities.base import Blow, Skill, skill


class Gear(Skill):
    """ades:1.1.2.4  Equipment is no skill, but stands on the card beside them."""

    __slots__ = ()
    equipment = True


@skill
class HeliantWeapon(Gear):
    """May be the target of certain Light formulas."""

    name, french, rule, key = "Heliant weapon", "Arme hélianthe", "ades:13.1-helianthe", "heliant-weapon"


@skill
class HeliantArmour(Gear):
    name, french, rule, key = "Heliant armour", "Armure hélianthe", "ades:13.1-helianthe", "heliant-armour"


@skill
class HeliantMechanisms(Gear):
    name, french, rule, key = "Heliant mechanisms", "Mécanismes hélianthes", "ades:13.1-helianthe", "heliant-mechanisms"


@skill
class BlackWeapon(Gear):
    """May be the target of certain Darkness formulas."""

    name, french, rule, key = "Black weapon", "Arme noire", "ades:13.1-noire", "black-weapon"


@skill
class BlackArmour(Gear):
    name, french, rule, key = "Black armour", "Armure noire", "ades:13.1-noire", "black-armour"


@skill
class SacredWeapon(Gear):
    """A 1 of a melee damage test may count as a 6."""

    name, french, rule, key = "Sacred weapon", "Arme sacrée", "ades:13.1-arme-sacree", "sacred-weapon"


@skill
class SacredArmour(Gear):
    """A 6 of a damage test suffered may count as a 1."""

    name, french, rule, key = "Sacred armour", "Armure sacrée", "ades:13.1-armure-sacree", "sacred-armour"


@skill
class SwordAxe(Gear):
    """Three points or more in the table are one more."""

    name, french, rule, key = "Sword-axe", "Épée-hache", "ades:13.1-epee-hache", "sword-axe"

    def adds(self, blow: Blow, face: int, base: int) -> int:
        return 1 if base >= 3 else 0


@skill
class ChargeStrength(Gear):
    """FOR +X after a charge."""

    name, french, rule, takes = "Charge strength", "FOR en charge", "ades:13.1-for-en-charge", "number"
    key = "charge-strength"


@skill
class BackBlades(Gear):
    """Extra attack dice with a FOR of their own."""

    name, french, rule, takes = "Back blades", "Lames dorsales", "ades:13.1-lames-dorsales", "pair"
    key = "back-blades"


@skill
class Breath(Gear):
    """A triangle of fire: FOR X, Y cm long."""

    name, french, rule, takes, key = "Breath", "Souffle", "ades:13.1-souffle", "pair", "breath"


@skill
class Steam(Gear):
    """Two dice of bonus points, and the risk."""

    name, french, rule, takes, key = "Steam", "Vapeur", "ades:13.1-vapeur", "stats", "steam"


@skill
class Naphtha(Gear):
    name, french, rule, takes, key = "Naphtha", "Naphte", "ades:13.1-vapeur", "stats", "steam"

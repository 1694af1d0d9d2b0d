"""Chapter 13.2  The skills of fighters, apart from those of combat and the callings: procedures simply ask for them."""

from __future__ import annotations

from grognard.games.ades.abilities.base import Skill, skill


@skill
class Relentless(Skill):
    """Leaves the table only at the end of the phase in which it falls."""

    __slots__ = ()
    name, french, rule = "Relentless", "Acharné", "ades:13.2-acharne"


@skill
class Seasoned(Skill):
    """May roll failed tests of a characteristic again."""

    __slots__ = ()
    name, french, rule = "Seasoned", "Aguerri", "ades:13.2-aguerri"
    takes = "stats"


@skill
class Assassin(Skill):
    """Strikes as it arrives where it was not seen coming."""

    __slots__ = ()
    name, french, rule = "Assassin", "Assassin", "ades:13.2-assassin"


@skill
class Leap(Skill):
    """Leaps over obstacles."""

    __slots__ = ()
    name, french, rule = "Leap", "Bond", "ades:13.2-bond"


@skill
class Swashbuckler(Skill):
    """Places its combat dice last."""

    __slots__ = ()
    name, french, rule = "Swashbuckler", "Bretteur", "ades:13.2-bretteur"


@skill
class Brutal(Skill):
    """Every assault of it shakes like a charge."""

    __slots__ = ()
    name, french, rule = "Brutal", "Brutal", "ades:13.2-brutal"


@skill
class Luck(Skill):
    """So often a turn a failed test is rolled again."""

    __slots__ = ()
    name, french, rule = "Luck", "Chance", "ades:13.2-chance"
    takes = "number"


@skill
class CounterAttack(Skill):
    """Turns defence dice into attacks against whoever missed it."""

    __slots__ = ()
    name, french, rule = "Counter-attack", "Contre-attaque", "ades:13.2-contre-attaque"


@skill
class MasterStrike(Skill):
    """Gives up dice for stronger blows."""

    __slots__ = ()
    name, french, rule = "Master strike", "Coup de maître", "ades:13.2-coup-de-maitre"


@skill
class WarCry(Skill):
    """Frightens as it charges."""

    __slots__ = ()
    name, french, rule = "War cry", "Cri de guerre", "ades:13.2-cri-de-guerre"
    takes = "number"


@skill
class Desperate(Skill):
    """Better against more valuable foes."""

    __slots__ = ()
    name, french, rule = "Desperate", "Désespéré", "ades:13.2-desespere"


@skill
class SequenceStrike(Skill):
    """One blow or parry leads to another."""

    __slots__ = ()
    name, french, rule = "Sequence strike", "Enchaînement", "ades:13.2-enchainement"


@skill
class Endurance(Skill):
    """Wounded only when more than half its life is gone."""

    __slots__ = ()
    name, french, rule = "Endurance", "Endurance", "ades:13.2-endurance"


@skill
class Huge(Skill):
    """Six life points and power 3."""

    __slots__ = ()
    name, french, rule = "Huge", "Énorme", "ades:13.2-enorme"


@skill
class Ephemeral(Skill):
    """Fades away."""

    __slots__ = ()
    name, french, rule = "Ephemeral", "Éphémère", "ades:13.2-ephemere"
    takes = "number"
    least = True


@skill
class Ethereal(Skill):
    """Hard to touch, hard to hold."""

    __slots__ = ()
    name, french, rule = "Ethereal", "Éthéré", "ades:13.2-ethere"


@skill
class Fanaticism(Skill):
    """Never flees."""

    __slots__ = ()
    name, french, rule = "Fanaticism", "Fanatisme", "ades:13.2-fanatisme"


@skill
class LoneWolf(Skill):
    """Better alone."""

    __slots__ = ()
    name, french, rule = "Lone wolf", "Farouche", "ades:13.2-farouche"


@skill
class BloodBrother(Skill):
    """Fights beside its brothers."""

    __slots__ = ()
    name, french, rule = "Blood brother", "Frère de sang", "ades:13.2-frere-de-sang"
    takes = "words"


@skill
class WarFury(Skill):
    """All dice in attack, and one more."""

    __slots__ = ()
    name, french, rule = "War fury", "Furie guerrière", "ades:13.2-furie-guerriere"


@skill
class Gigantic(Skill):
    """Eight life points and power 4."""

    __slots__ = ()
    name, french, rule = "Gigantic", "Gigantesque", "ades:13.2-gigantesque"


@skill
class Harassment(Skill):
    """Runs and shoots."""

    __slots__ = ()
    name, french, rule = "Harassment", "Harcèlement", "ades:13.2-harcelement"


@skill
class Immunity(Skill):
    """Is not touched by something."""

    __slots__ = ()
    name, french, rule = "Immunity", "Immunité", "ades:13.2-immunite"
    takes = "words"


@skill
class Implacable(Skill):
    """Pursues again."""

    __slots__ = ()
    name, french, rule = "Implacable", "Implacable", "ades:13.2-implacable"
    takes = "number"


@skill
class SurvivalInstinct(Skill):
    """Row 4 of the damage table does it no harm."""

    __slots__ = ()
    name, french, rule = "Survival instinct", "Instinct de survie", "ades:13.2-instinct-de-survie"


@skill
class Intimidation(Skill):
    """May have successful tests against it rolled again."""

    __slots__ = ()
    name, french, rule = "Intimidation", "Intimidation", "ades:13.2-intimidation"
    takes = "stats"


@skill
class Swift(Skill):
    """Three times its movement in a run or charge."""

    __slots__ = ()
    name, french, rule = "Swift", "Rapidité", "ades:13.2-rapidite"


@skill
class FastReload(Skill):
    """Shoots twice, less well."""

    __slots__ = ()
    name, french, rule = "Fast reload", "Rechargement rapide", "ades:13.2-rechargement-rapide"
    takes = "number"
    least = True


@skill
class Regeneration(Skill):
    """Heals by itself."""

    __slots__ = ()
    name, french, rule = "Regeneration", "Régénération", "ades:13.2-regeneration"
    takes = "number"
    least = True


@skill
class Resolution(Skill):
    """So often a turn it is seasoned for a test."""

    __slots__ = ()
    name, french, rule = "Resolution", "Résolution", "ades:13.2-resolution"
    takes = "number"


@skill
class AssaultShot(Skill):
    """Shoots as it assaults."""

    __slots__ = ()
    name, french, rule = "Assault shot", "Tir d'assaut", "ades:13.2-tir-dassaut"


@skill
class InstinctiveShot(Skill):
    """Shoots well into melees and past cover."""

    __slots__ = ()
    name, french, rule = "Instinctive shot", "Tir instinctif", "ades:13.2-tir-instinctif"


@skill
class Toxic(Skill):
    """Its blows go on harming."""

    __slots__ = ()
    name, french, rule = "Toxic", "Toxique", "ades:13.2-toxique"
    takes = "number"
    least = True


@skill
class Flight(Skill):
    """Flies."""

    __slots__ = ()
    name, french, rule = "Flight", "Vol", "ades:13.2-vol"

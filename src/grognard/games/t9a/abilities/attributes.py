"""Chapter 21.G.b: The Attack Attributes."""

from __future__ import annotations

from grognard.games.t9a.abilities.base import CLOSE, SHOOTING, Attribute, register


@register
class TwoHanded(Attribute):
    name, french, rule = "Two-Handed", "À deux mains", "t9a:21.G.b.1"


@register
class BattleFocus(Attribute):
    name, french, rule = "Battle Focus", "Ardeur guerrière", "t9a:21.G.b.2"
    keywords = (CLOSE,)


@register
class DivineAttacks(Attribute):
    name, french, rule = "Divine Attacks", "Attaque divine", "t9a:21.G.b.3"
    keywords = (CLOSE,)


@register
class CrushAttack(Attribute):
    name, french, rule = "Crush Attack", "Attaque écrasante", "t9a:21.G.b.4"
    keywords = (CLOSE,)


@register
class PoisonAttacks(Attribute):
    name, french, rule = "Poison Attacks", "Attaque empoisonnée", "t9a:21.G.b.5"
    keywords = (CLOSE, SHOOTING)


@register
class FlamingAttacks(Attribute):
    name, french, rule = "Flaming Attacks", "Attaque enflammée", "t9a:21.G.b.6"
    keywords = (CLOSE, SHOOTING)


@register
class MagicalAttacks(Attribute):
    name, french, rule = "Magical Attacks", "Attaque magique", "t9a:21.G.b.7"
    keywords = (CLOSE, SHOOTING)


@register
class SupportingAttacks(Attribute):
    name, french, rule = "Supporting Attacks", "Attaque de soutien", "t9a:21.G.b.8"
    takes = "X"
    keywords = (CLOSE,)


@register
class ToxicAttacks(Attribute):
    name, french, rule = "Toxic Attacks", "Attaque toxique", "t9a:21.G.b.9"
    keywords = (CLOSE,)


@register
class AreaAttack(Attribute):
    name, french, rule = "Area Attack", "Attaque de zone", "t9a:21.G.b.10"
    takes = "X"


@register
class MultipleWounds(Attribute):
    name, french, rule = "Multiple Wounds", "Blessures multiples", "t9a:21.G.b.11"
    takes = "X"
    keywords = (CLOSE,)


@register
class DevastatingCharge(Attribute):
    name, french, rule = "Devastating Charge", "Charge dévastatrice", "t9a:21.G.b.12"
    takes = "X"
    keywords = (CLOSE,)
    cumulative = True


@register
class FightInExtraRank(Attribute):
    name, french, rule = "Fight in Extra Rank", "Combat sur un rang supplémentaire", "t9a:21.G.b.13"
    keywords = (CLOSE,)
    cumulative = True


@register
class LethalStrike(Attribute):
    name, french, rule = "Lethal Strike", "Coup fatal", "t9a:21.G.b.14"
    keywords = (CLOSE,)


@register
class Unwieldy(Attribute):
    name, french, rule = "Unwieldy", "Encombrant", "t9a:21.G.b.15"
    keywords = (SHOOTING,)


@register
class Hatred(Attribute):
    name, french, rule = "Hatred", "Haine", "t9a:21.G.b.16"
    keywords = (CLOSE,)


@register
class Harnessed(Attribute):
    name, french, rule = "Harnessed", "Harnaché", "t9a:21.G.b.17"
    keywords = (CLOSE, SHOOTING)


@register
class Inanimate(Attribute):
    name, french, rule = "Inanimate", "Inanimé", "t9a:21.G.b.18"
    keywords = (CLOSE, SHOOTING)


@register
class WeaponMaster(Attribute):
    name, french, rule = "Weapon Master", "Maître d'armes", "t9a:21.G.b.19"
    keywords = (CLOSE,)


@register
class MoveOrFire(Attribute):
    name, french, rule = "Move or Fire", "Mouvement ou Tir", "t9a:21.G.b.20"
    keywords = (SHOOTING,)


@register
class Rage(Attribute):
    name, french, rule = "Rage", "Rage", "t9a:21.G.b.21"
    keywords = (CLOSE,)


@register
class Reload(Attribute):
    name, french, rule = "Reload!", "Rechargez !", "t9a:21.G.b.22"
    keywords = (SHOOTING,)


@register
class LightningReflexes(Attribute):
    name, french, rule = "Lightning Reflexes", "Réflexes foudroyants", "t9a:21.G.b.23"
    keywords = (CLOSE,)


@register
class MarchAndShoot(Attribute):
    name, french, rule = "March and Shoot", "Tir en marche forcée", "t9a:21.G.b.24"
    keywords = (SHOOTING,)


@register
class ShootInExtraRank(Attribute):
    name, french, rule = "Shoot in Extra Rank", "Tir sur un rang supplémentaire", "t9a:21.G.b.25"
    keywords = (SHOOTING,)
    cumulative = True


@register
class Accurate(Attribute):
    name, french, rule = "Accurate", "Tir précis", "t9a:21.G.b.26"
    keywords = (SHOOTING,)


@register
class QuickToFire(Attribute):
    name, french, rule = "Quick to Fire", "Tir rapide", "t9a:21.G.b.27"
    keywords = (SHOOTING,)


@register
class VolleyFire(Attribute):
    name, french, rule = "Volley Fire", "Tir de volée", "t9a:21.G.b.28"
    keywords = (SHOOTING,)


@register
class SteadyAim(Attribute):
    name, french, rule = "Steady Aim", "Visée stable", "t9a:21.G.b.29"
    keywords = (SHOOTING,)

"""Chapter 21.H.a: The Special Attacks."""

from __future__ import annotations

from grognard.games.t9a.abilities.base import Special, register


@register
class GrindAttacks(Special):
    name, french, rule = "Grind Attacks", "Attaque de broyage", "t9a:21.H.a.1"


@register
class SweepingAttack(Special):
    name, french, rule = "Sweeping Attack", "Attaque au passage", "t9a:21.H.a.2"


@register
class StompAttacks(Special):
    name, french, rule = "Stomp Attacks", "Attaque de piétinement", "t9a:21.H.a.3"


@register
class BreathAttack(Special):
    name, french, rule = "Breath Attack", "Attaque de souffle", "t9a:21.H.a.4"


@register
class ImpactHits(Special):
    name, french, rule = "Impact Hits", "Touches d'impact", "t9a:21.H.a.5"

"""Chapter 21.D.b: The Personal Protections."""

from __future__ import annotations

from grognard.games.t9a.abilities.base import Protection, register


@register
class Aegis(Protection):
    name, french, rule = "Aegis", "Ægide", "t9a:21.D.b.1"
    takes = "X"


@register
class HardTarget(Protection):
    name, french, rule = "Hard Target", "Cible difficile", "t9a:21.D.b.2"
    takes = "X"
    cumulative = True


@register
class Fortitude(Protection):
    name, french, rule = "Fortitude", "Fortitude", "t9a:21.D.b.3"
    takes = "X"


@register
class Immunity(Protection):
    name, french, rule = "Immunity", "Immunité", "t9a:21.D.b.4"
    takes = "X"


@register
class Flammable(Protection):
    name, french, rule = "Flammable", "Inflammable", "t9a:21.D.b.5"


@register
class CannotBeStomped(Protection):
    name, french, rule = "Cannot Be Stomped", "Ne peut être piétiné", "t9a:21.D.b.6"


@register
class Parry(Protection):
    name, french, rule = "Parry", "Parade", "t9a:21.D.b.7"


@register
class Distracting(Protection):
    name, french, rule = "Distracting", "Perturbant", "t9a:21.D.b.8"

"""Chapters 15, 16.2, 17: trades that come with orders of their own."""

from __future__ import annotations

from grognard.games.wfb3.abilities.base import ABILITIES, Special


@ABILITIES.register
class Assassin(Special):
    """wfb3:15.2-hidden  Hides in a unit of his race until he strikes."""

    name, french, rule = "Assassin", "Assassin", "wfb3:15.2-hidden"


@ABILITIES.register
class Engineer(Special):
    """wfb3:15.4-battery  Commands a battery of war machines."""

    name, french, rule = "Engineer", "Ingénieur", "wfb3:15.4-battery"


@ABILITIES.register
class Sappers(Special):
    name, french, rule = "Sappers", "Sapeurs", "wfb3:15.8-teams"


@ABILITIES.register
class Weres(Special):
    """wfb3:15.9-hidden  A unit of weres, in the shape they were born in."""

    name, french, rule = "Weres", "Garous", "wfb3:15.9-hidden"


@ABILITIES.register
class AltarGuards(Special):
    """wfb3:16.2-altar-guards  Fanatics who carry and guard a war altar."""

    name, french, rule = "Altar Guards", "Gardes de l'autel", "wfb3:16.2-altar-guards"


@ABILITIES.register
class Civilians(Special):
    """wfb3:17.2-civilians  The people of a baggage train."""

    name, french, rule = "Civilians", "Civils", "wfb3:17.2-civilians"


@ABILITIES.register
class Ethereal(Special):
    """wfb3:13.4-poison, wfb3:14.8.1-second-race"""

    name, french, rule = "Ethereal", "Éthéré", "wfb3:14.8.1-second-race"
    implies = ("Immune to Psychology",)

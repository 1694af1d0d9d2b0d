"""Chapters 15, 13.4, 23.4: what sets some troops apart: natures and trades."""

from __future__ import annotations

from grognard.games.wfb3.abilities.base import ABILITIES, Special


@ABILITIES.register
class Undead(Special):
    """wfb3:13.4-poison, wfb3:14.8.1-second-race  Undead, ethereal beings, daemons and elementals do not feel poison."""

    name, french, rule = "Undead", "Mort-vivant", "wfb3:13.4-poison"
    implies = ("Immune to Psychology",)


@ABILITIES.register
class Daemon(Special):
    name, french, rule = "Daemon", "Démon", "wfb3:13.4-poison"
    implies = ("Immune to Psychology",)


@ABILITIES.register
class Berserker(Special):
    name, french, rule = "Berserker", "Berserk", "wfb3:15.3-frenzy"


@ABILITIES.register
class Skirmisher(Special):
    name, french, rule = "Skirmishers", "Tirailleurs", "wfb3:15.10-eligibility"


@ABILITIES.register
class Scout(Special):
    name, french, rule = "Scouts", "Éclaireurs", "wfb3:15.11-scouts"
    implies = ("Skirmishers",)


@ABILITIES.register
class Forester(Special):
    name, french, rule = "Foresters", "Forestiers", "wfb3:15.6-woods"


@ABILITIES.register
class Levy(Special):
    name, french, rule = "Levied", "Levée", "wfb3:15.7-mob"


@ABILITIES.register
class Flammable(Special):
    name, french, rule = "Flammable", "Inflammable", "wfb3:23.4-creatures"


@ABILITIES.register
class FearsFire(Special):
    name, french, rule = "Fears Fire", "Craint le feu", "wfb3:23.2-panic"

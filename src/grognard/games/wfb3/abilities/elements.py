"""wfb3:23.3.6-elementals  Beings of water and fire."""

from __future__ import annotations

from grognard.games.wfb3.abilities.base import ABILITIES, Special


@ABILITIES.register
class WaterElemental(Special):
    """wfb3:23.3.6-elementals  Keeps its section/level from burning, and puts fires out."""

    name, french, rule = "Water Elemental", "Élémentaire de l'eau", "wfb3:23.3.6-elementals"
    implies = ("Immune to Psychology",)


@ABILITIES.register
class FireElemental(Special):
    """wfb3:23.3.6-elementals  Lights what burns."""

    name, french, rule = "Fire Elemental", "Élémentaire de feu", "wfb3:23.3.6-elementals"
    implies = ("Immune to Psychology",)

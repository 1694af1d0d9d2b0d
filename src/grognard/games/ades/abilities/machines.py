"""Chapter 13.2.1, 13.2.1.1  Skills of war machines and of nexus."""

from __future__ import annotations

from grognard.games.ades.abilities.base import Skill, skill


def _register(name: str, french: str, rule: str, takes: str, about: str) -> None:
    space = {"name": name, "french": french, "rule": f"ades:{rule}", "takes": takes, "__doc__": about, "__slots__": ()}
    skill(type(name.replace(" ", "").replace("-", ""), (Skill,), space))


for _row in (
    ("Unstoppable", "Irrépressible", "13.2.1-irrepressible", "", "Keeps its speed."),
    ("Impact", "Impact", "13.2.1-impact", "number", "Hits as hard as it comes far."),
    ("Unalterable", "Inaltérable", "13.2.1-inalterable", "", "Only damage tests touch it."),
    ("Scything", "Fauchage", "13.2.1-fauchage", "number", "Mows down whom it passes."),
    ("Rampart", "Rempart", "13.2.1-rempart", "number", "Nobody lands near it."),
    ("Transport", "Transport", "13.2.1-transport", "number", "Carries fighters."),
    ("Enslaved", "Asservi", "13.2.1.1-asservi", "", "The Commander uses it from afar."),
    ("Emblem", "Emblème", "13.2.1.1-embleme", "number", "Its life is its friends' courage."),
    ("Faith", "Foi", "13.2.1.1-foi", "number", "Broken, it gives faith."),
    ("Guard", "Garde", "13.2.1.1-garde", "number", "Ignores damage tests."),
    ("Hostile", "Hostile", "13.2.1.1-hostile", "words", "Its damage on X is read one column left."),
    ("Icon", "Icône", "13.2.1.1-icone", "number", "Gives faith to those near it."),
    ("Inviolable", "Inviolable", "13.2.1.1-inviolable", "", "Enemies cannot use it."),
    ("Mana", "Mana", "13.2.1.1-mana", "number", "Broken, it gives gems."),
    ("Repair", "Réparation", "13.2.1.1-reparation", "number", "Mends itself."),
    ("Resource", "Ressource", "13.2.1.1-ressource", "number", "Regains charges."),
    ("Ruin", "Ruine", "13.2.1.1-ruine", "number", "Falls apart."),
    ("Sanctuary", "Sanctuaire", "13.2.1.1-sanctuaire", "number", "No enemy scout or nexus near it."),
):
    _register(*_row)

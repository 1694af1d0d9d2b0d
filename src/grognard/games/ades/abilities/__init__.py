"""Skills and equipment of chapter 13 by the names on cards, in either language."""

from grognard.games.ades.abilities import callings, equipment, fighting, machines, skills
from grognard.games.ades.abilities.base import STATS, Blow, Melee, Skill, SkillSet, kinds, parse, skillset

__all__ = [
    "STATS", "Blow", "Melee", "Skill", "SkillSet", "callings", "equipment", "fighting", "kinds", "machines", "parse",
    "skills", "skillset",
]  # fmt: skip

"""Chapter 14.2: How spells come into effect and end."""

from __future__ import annotations

from typing import Any

from grognard.games.nemesis.abilities.spell_book import BOOK, SpellLine
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model
from grognard.games.nemesis.table.spells_in_effect import lift

STORED_MAGIC = "N.1-stored-magic"
DURATION = "nemesis:14.2-duration"


def lay(battle: Battle, spell: SpellLine, caster: Model, holder: str, data: dict[str, Any]) -> Enchantment:
    """nemesis:14.2-duration, nemesis:14.2-permanent
    A spell begins to lie on something; it replaces one of its name."""
    made = Enchantment(
        battle.next_id("spell"), spell.key, holder, caster.id, caster.seat, spell.difficulty, battle.turn,
        spell.until(battle.turn), spell.permanent, data,
    )  # fmt: skip
    old = same_named(battle, spell, holder)
    battle.enchantments = (*(e for e in battle.enchantments if e is not old), made)
    if spell.permanent:
        battle.cite("nemesis:14.2-permanent")
    elif spell.turns:
        battle.cite(DURATION)
    return made


def same_named(battle: Battle, spell: SpellLine, holder: str) -> Enchantment | None:
    """nemesis:14.2-target-unit  The spell of that name that already lies there, whoever's list it is from."""
    for enchantment in battle.enchantments:
        if enchantment.target == holder and BOOK[enchantment.spell].name == spell.name:
            return enchantment
    return None


def expire(battle: Battle) -> None:
    """nemesis:14.2-duration, nemesis:10-start  At the end of the turn what has run out ends."""
    for enchantment in battle.enchantments:
        if _gone(battle, enchantment):
            lift(battle, enchantment)
        elif enchantment.until is not None and enchantment.until <= battle.turn:
            lift(battle, enchantment)
            spell = BOOK[enchantment.spell]
            rule = DURATION if spell.turns else spell.rule
            battle.cite(spell.rule)
            battle.tell("spell.expired", rule, (enchantment.target,), spell=spell.name, target=enchantment.target)


def _gone(battle: Battle, enchantment: Enchantment) -> bool:
    """Whether what the spell lay on has left the table."""
    model, unit = battle.models.get(enchantment.target), battle.units.get(enchantment.target)
    if model is not None:
        return not model.on_table
    return unit is not None and not unit.models


def stored_die(battle: Battle, model: Model) -> Enchantment | None:
    """nemesis:A2.N.1-stored-magic  What the caster stored last turn."""
    found = battle.enchanted(model.id, STORED_MAGIC)
    return found if found is not None and found.cast_turn == battle.turn - 1 else None

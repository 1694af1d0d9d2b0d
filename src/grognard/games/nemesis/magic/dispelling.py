"""Chapter 14.6: Dispelling: spells that last several turns on later turns, permanent ones at once or never."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model
from grognard.games.nemesis.magic import casting, declarations, magic_dice, spells
from grognard.games.nemesis.magic.declarations import Declared
from grognard.games.nemesis.magic.spells import aiming
from grognard.games.nemesis.table import sight, spells_in_effect
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Script

DISPEL = "nemesis:14.6-dispel"
PERMANENT = "nemesis:14.6-permanent"


def refusal(battle: Battle, mage: Model, enchantment: Enchantment) -> Refusal | None:
    """nemesis:14.6-dispel, nemesis:14.6-permanent  Why a mage may not declare to dispel a spell in effect."""
    data = {"mage": mage.id, "spell": spells.spell_of(enchantment).name}
    if enchantment.permanent:
        return Refusal("refuse.dispel-permanent", PERMANENT, data)
    if enchantment.cast_turn >= battle.turn:
        return Refusal("refuse.dispel-too-early", DISPEL, data)
    attempts = declarations.of_mage(battle, mage, "dispel")
    if any(entry.what == enchantment.id for entry in attempts):
        return Refusal("refuse.dispel-twice", DISPEL, data)
    if len(attempts) >= magic_dice.pool(battle, mage, "block").total:
        return Refusal("refuse.no-magic-dice", DISPEL, data)
    if not sees(battle, mage, enchantment):
        return Refusal("refuse.dispel-unseen", DISPEL, data)
    return None


def dispellable(battle: Battle, mage: Model) -> list[tuple[Enchantment, Refusal | None]]:
    """Enemy spells that last, each with the reason against dispelling it, if any. Ruling: not one's own side's."""
    lasting = [
        e for e in battle.enchantments if e.seat != mage.seat and (e.permanent or spells.spell_of(e).dispellable)
    ]
    return [(e, refusal(battle, mage, e)) for e in lasting]


def sees(battle: Battle, mage: Model, enchantment: Enchantment) -> bool:
    """nemesis:14.6-dispel  Ruling: sight of what the spell lies on, or of its caster."""
    caster = battle.models.get(enchantment.caster)
    if caster is not None and caster.on_table and sight.look(battle, mage, caster).seen:
        return True
    target = enchantment.target
    if target in battle.models and battle.models[target].on_table:
        model = battle.models[target]
        return model is mage or sight.look(battle, mage, model).seen
    if target in battle.units and battle.units[target].models:
        unit = battle.units[target]
        return mage.unit == unit.id or aiming.sees(battle, mage, unit)
    return any(p.id == target and aiming.sees_piece(battle, mage, p) for p in battle.table.pieces)


def execute(battle: Battle, entry: Declared) -> Script[None]:
    """nemesis:14.6-dispel  A concentration test with blocking dice against the spell's difficulty."""
    mage, enchantment = battle.models[entry.mage], spells_in_effect.find(battle, entry.what)
    why = _lapse(battle, mage, enchantment)
    if why is not None or enchantment is None:
        declarations.done(battle)
        if why is not None:
            battle.tell("dispel.lapsed", why.rule, (mage.id,), reason=why.code, mage=mage.id)
        return
    spell = spells.spell_of(enchantment)
    dice = yield from magic_dice.choose(
        battle, mage, "block", "dispel.dice", least=1, rule=DISPEL, checkpoint=True, about=(enchantment.target,),
        data={"spell": spell.name, "difficulty": enchantment.difficulty},
        notes=(*spell.notes[:1], *magic_dice.test_notes(battle, mage, enchantment.difficulty, DISPEL)),
    )  # fmt: skip
    declarations.done(battle)
    yield from _attempt(battle, mage, enchantment, dice, DISPEL)


def _lapse(battle: Battle, mage: Model, enchantment: Enchantment | None) -> Refusal | None:
    data = {"mage": mage.id}
    if enchantment is None or not mage.on_table:
        return Refusal("refuse.dispel-gone", DISPEL, data)
    if magic_dice.pool(battle, mage, "block").total < 1:
        return magic_dice.unable(battle, mage) or Refusal("refuse.no-magic-dice", DISPEL, data)
    return magic_dice.unable(battle, mage)


def _attempt(battle: Battle, mage: Model, enchantment: Enchantment, dice: int, rule: str) -> Script[bool]:
    """Whether the spell was dispelled; ones are a fiasco here too."""
    spell = spells.spell_of(enchantment)
    about = (mage.id, enchantment.target)
    got = yield from casting.test(battle, mage, "dispel.test", dice, enchantment.difficulty, rule)
    if got.passed:
        spells_in_effect.lift(battle, enchantment)
        battle.tell("spell.dispelled", rule, about, spell=spell.name, total=got.total)
        spell.undo(battle, enchantment)
        return True
    battle.tell("dispel.failed", rule, about, spell=spell.name, total=got.total)
    if got.fiasco:
        yield from casting.fiasco(battle, mage)
    return False


def permanent_window(battle: Battle, caster: Model, enchantment: Enchantment) -> Script[None]:
    """nemesis:14.6-permanent  Right after it took effect each enemy mage who sees it may try once to dispel it."""
    for mage in declarations.enemy_mages(battle, caster.seat):
        if magic_dice.unable(battle, mage) is not None or magic_dice.pool(battle, mage, "block").total < 1:
            continue
        if not sees(battle, mage, enchantment):
            continue
        spell = spells.spell_of(enchantment)
        dice = yield from magic_dice.choose(
            battle, mage, "block", "dispel.dice", least=0, rule=PERMANENT, about=(caster.id, enchantment.target),
            data={"spell": spell.name, "difficulty": enchantment.difficulty},
            notes=(*spell.notes[:1], *magic_dice.test_notes(battle, mage, enchantment.difficulty, PERMANENT)),
        )  # fmt: skip
        if dice and (yield from _attempt(battle, mage, enchantment, dice, PERMANENT)):
            return

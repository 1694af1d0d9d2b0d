"""Chapters 14.4, 14.5: Executing one declared spell: dice, concentration, block, range, effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.magic import declarations, dispelling, magic_dice, spells
from grognard.games.nemesis.magic.casting_steps import BLOCK, TEST, Concentration, block, concentrate
from grognard.games.nemesis.magic.declarations import Declared, Target
from grognard.games.nemesis.magic.spells import hits
from grognard.games.nemesis.rolls.rerolls import heed, holds, spend, tester
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import Tester
from grognard.games.nemesis.table import sight, spells_in_effect
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Note, Script

if TYPE_CHECKING:
    from grognard.games.nemesis.magic.spells.base import Spell

MELEE = "nemesis:14.7-melee"
RANGE = "nemesis:14.4-range"
DYSFUNCTION = "nemesis:14.4-dysfunction"


def execute(battle: Battle, entry: Declared) -> Script[None]:
    """nemesis:14.4-declare, nemesis:14.4-test  A declared spell's turn has come."""
    mage, spell = battle.models[entry.mage], spells.SPELLS[entry.what]
    why = lapse(battle, mage, spell, entry.target)
    if why is not None:
        declarations.done(battle)
        facts = {**why.data, "mage": mage.id, "spell": spell.name, "reason": why.code}
        battle.tell("spell.lapsed", why.rule, _about(mage, entry.target), **facts)
        return
    dice = yield from magic_dice.choose(
        battle, mage, "create", "cast.dice", least=1, rule=TEST, checkpoint=True, about=_about(mage, entry.target)[1:],
        data={"spell": spell.name, "difficulty": spell.difficulty},
        notes=(*spell.notes[:1], *magic_dice.test_notes(battle, mage, spell.difficulty, TEST)),
    )  # fmt: skip
    declarations.done(battle)
    _note_casting(battle, mage, spell)
    got = yield from test(battle, mage, "cast.test", dice, spell.difficulty, TEST)
    if got.fiasco:
        battle.tell("spell.failed", magic_dice.FIASCO, _about(mage, entry.target), spell=spell.name, total=got.total)
        yield from fiasco(battle, mage)
    elif not got.passed:
        battle.tell("spell.failed", TEST, _about(mage, entry.target), spell=spell.name, total=got.total)
    else:
        yield from _succeed(battle, mage, spell, entry.target, got.total)


def lapse(battle: Battle, mage: Model, spell: Spell, target: Target) -> Refusal | None:
    """Why a declared spell is not cast after all: the mage cannot, or the target is none any more."""
    if not mage.on_table:
        return Refusal("refuse.spell-caster-gone", "nemesis:14.4-declare", {"mage": mage.id})
    why = magic_dice.unable(battle, mage)
    if why is None and magic_dice.pool(battle, mage, "create").total < 1:
        return Refusal("refuse.no-magic-dice", TEST, {"mage": mage.id})
    return why or spell.lapse(battle, mage, target)


def _about(mage: Model, target: Target) -> tuple[str, ...]:
    return (mage.id, target.id) if target.id else (mage.id,)


def _note_casting(battle: Battle, mage: Model, spell: Spell) -> None:
    """nemesis:14.4-more-spells, nemesis:14.7-melee, nemesis:A1.16-warrior-mage, nemesis:21-timing
    What casting does to the mage himself."""
    if mage.magic.cast:
        battle.cite("nemesis:14.4-more-spells")
    mage.magic = mage.magic.but(cast=(*mage.magic.cast, spell.key))
    if mage.doomed:
        battle.cite("nemesis:21-timing")
    if battle.engaged(mage) and not mage.magic.cast_in_melee and not battle.flag(mage, "casts_freely_in_melee"):
        mage.magic = mage.magic.but(cast_in_melee=True)
        battle.tell("magic.in-melee", MELEE, (mage.id,))


def test(battle: Battle, mage: Model, name: str, dice: int, difficulty: int, rule: str) -> Script[Concentration]:
    """nemesis:14.4-test, nemesis:A1.1-audacity, nemesis:A2.C.12-snake-eye
    A concentration test by a mage on the table."""
    safe = holds(battle, mage, "ones_are_safe")
    if safe is not None:
        battle.cite(safe.rule)
    who = tester(battle, mage, kinds=("stat",))
    step = concentrate(who, name, dice, stat(battle, mage, "CO"), difficulty, rule, safe=safe is not None)
    got: Concentration = yield from heed(battle, step)
    spend(battle, mage, got.used)
    if got.spared and safe is not None:
        battle.tell("magic.spared", safe.rule, (mage.id,))
    return got


def _succeed(battle: Battle, mage: Model, spell: Spell, target: Target, total: int) -> Script[None]:
    """nemesis:14.5-block, nemesis:14.4-range  Blocked? In range? Then it takes effect.

    Ruling: blocks are declared after the successful total and before the range is measured.
    """
    about = _about(mage, target)
    left = yield from block_window(battle, mage, spell, total)
    if left < spell.difficulty:
        battle.tell("spell.blocked", BLOCK, about, spell=spell.name, total=left, difficulty=spell.difficulty)
        return
    battle.cite("nemesis:4-no-premeasure")
    if not spell.reaches(battle, mage, target):
        far = round(spell.distance(battle, mage, target) / MM_PER_CM, 2)
        battle.tell("spell.out-of-range", RANGE, about, spell=spell.name, distance=far, range=spell.range_cm or 0)
        return
    battle.cite(RANGE, *(("nemesis:14.2-target-unit",) if target.kind == "unit" else ()))
    battle.tell("spell.cast", spell.rule, about, spell=spell.name, total=left, difficulty=spell.difficulty)
    made = yield from spell.take_effect(battle, mage, target)
    if made is not None and spell.permanent:
        yield from dispelling.permanent_window(battle, mage, made)
        if not spell.keeps():
            spells_in_effect.lift(battle, made)


@cites
def fiasco(battle: Battle, mage: Model, rule: str = magic_dice.FIASCO) -> Script[None]:
    """nemesis:3.3-one, nemesis:3.3-one-high  A 1: no more magic this phase, and a hit of power 15.

    nemesis:14.4-fiasco, nemesis:14.5-block-one, nemesis:14.4-dysfunction
    Ruling: one hit however many ones; it is struck at once, a loss leaves at the end of the phase.
    """
    mage.magic = mage.magic.but(over=True, creation_dice=0, block_dice=0)
    battle.tell("magic.fiasco", rule, (mage.id,))
    power = yield from hits.impact_of(battle, mage.seat, 15, DYSFUNCTION)
    yield from casualties.strike(battle, mage, power, by=None, rule=DYSFUNCTION)


# ---------------------------------------------------------------------- blocking


def blockers(battle: Battle, caster: Model) -> list[Model]:
    """nemesis:14.5-block, nemesis:A1.5-hidden-mage
    Enemy mages who see the caster and have dice; none against a hidden mage."""
    able = [
        m
        for m in declarations.enemy_mages(battle, caster.seat)
        if magic_dice.unable(battle, m) is None and magic_dice.pool(battle, m, "block").total > 0
    ]
    if able:
        battle.cite(BLOCK)
        able = [m for m in able if sight.look(battle, m, caster).seen]
    if able and caster.hidden:
        battle.cite("nemesis:A1.5-hidden-mage")
        return []
    return able


def block_window(battle: Battle, caster: Model, spell: Spell, total: int) -> Script[int]:
    """nemesis:14.5-block, nemesis:14.5-joint
    The caster's total after blocks; all dice are committed before any is rolled."""
    committed: list[tuple[Model, int]] = []
    for mage in blockers(battle, caster):
        dice = yield from magic_dice.choose(
            battle, mage, "block", "block.dice", least=0, rule=BLOCK, about=(caster.id,),
            data={"spell": spell.name, "total": total, "difficulty": spell.difficulty},
            notes=_block_notes(mage, spell, total),
        )  # fmt: skip
        if dice:
            committed.append((mage, dice))
    if len(committed) > 1:
        battle.cite("nemesis:14.5-joint")
    for mage, dice in committed:
        got = yield from block(Tester(mage.seat, (mage.id, caster.id)), dice)
        battle.cite("nemesis:3.3-dice")
        total -= got.amount
        battle.tell("magic.block", BLOCK, (mage.id, caster.id), amount=got.amount, total=total)
        if got.fiasco:
            battle.flag(mage, "ones_are_safe")  # nemesis:A2.C.12-snake-eye is asked, and does not cover blocking
            yield from fiasco(battle, mage, "nemesis:14.5-block-one")
            battle.cite(magic_dice.FIASCO)
    return total


def _block_notes(mage: Model, spell: Spell, total: int) -> tuple[Note, ...]:
    """nemesis:14.5-block, nemesis:14.5-block-one
    What the spell does, what stops it, and what a 1 does to who blocks."""
    need = Note("note.block", {"total": total, "difficulty": spell.difficulty}, BLOCK)
    return (*spell.notes[:1], need, magic_dice.ones_note(mage, "nemesis:14.5-block-one"))

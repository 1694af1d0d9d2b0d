"""Chapter 14: The magic phase: everyone declares all spells, then they are executed in that order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.nemesis.abilities.spell_book import CAPS, within_cap
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.magic import casting, declarations, dispelling, free_shooting, magic_dice, spells
from grognard.games.nemesis.magic.casting_steps import TEST
from grognard.games.nemesis.magic.declarations import Declared, Target
from grognard.games.nemesis.magic.spells import spell_of
from grognard.games.nemesis.orders import insight
from grognard.games.nemesis.rolls.rerolls import holds
from grognard.games.nemesis.rolls.stats import value
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Option, Pick, Script, option

if TYPE_CHECKING:
    from grognard.games.nemesis.magic.spells.base import Spell

DECLARE = "nemesis:14.4-declare"


def lingering(battle: Battle) -> Script[None]:
    """nemesis:A2.O.13-living-forest  Spells of earlier turns that act at the start of the magic phase."""
    for enchantment in battle.enchantments:
        if enchantment.cast_turn < battle.turn:
            yield from spell_of(enchantment).linger(battle, enchantment)


# ---------------------------------------------------------------------- declaring


def declare(battle: Battle, seat: str) -> Script[None]:
    """nemesis:14.4-declare  A player declares all his spells with their targets, and what he tries to dispel."""
    if not any(entry.seat == seat for entry in declarations.queue_of(battle)):
        seers = [m for m in declarations.mages(battle, seat) if m.magic.spells and holds(battle, m, "detects")]
        if seers:
            yield from insight.search(battle, seat)
        declarations.add(battle, Declared("begun", seat))
    while True:
        options, barred, unknown = declarable(battle, seat)
        if not options and not barred:
            return
        chosen = yield Pick(
            seat, "magic.declare", options, optional=True, barred=barred, unlisted=unknown, rule=DECLARE,
            about=(seat,), checkpoint=True, also=("nemesis:14-who",), notes=_dice_left(battle, seat),
        )  # fmt: skip
        if chosen is None:
            return
        if chosen.kind == "dispel":
            _enter(battle, chosen)
        else:
            yield from _aim(battle, chosen)


def _dice_left(battle: Battle, seat: str) -> list[Note]:
    """nemesis:14.1-dice, nemesis:14.8-stones  What each mage who knows a spell has to cast with."""
    found = []
    for mage in declarations.mages(battle, seat):
        pool = magic_dice.pool(battle, mage, "create")
        facts = {"mage": mage.id, "dice": pool.dice + pool.bonus}
        if mage.magic.spells and pool.stones:
            found.append(Note("note.dice", facts | {"stones": pool.stones}, "nemesis:14.1-dice"))
        elif mage.magic.spells:
            found.append(Note("note.dice-only", facts, "nemesis:14.1-dice"))
    return found


def declarable(battle: Battle, seat: str) -> tuple[list[Option], dict[str, Refusal], list[str]]:
    """Every spell and dispelling a player may declare now, the rule against each of the others, and which of these are
    spells his mages never had.
    """
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    unknown: list[str] = []

    def offer(key: str, text: str, entry: Declared, spell: Spell, why: Refusal | None) -> None:
        if why is not None:
            barred[key] = why
        else:
            data = {"mage": entry.mage, "spell": spell.name}
            options.append(option(key, entry, text=text, about=(entry.mage,), data=data, notes=spell.notes))

    for mage in declarations.mages(battle, seat):
        unable = magic_dice.unable(battle, mage)
        for spell in _spells_of(battle, mage):
            key, entry = f"{mage.id}:{spell.key}", Declared("cast", seat, mage.id, spell.key)
            offer(key, "option.spell", entry, spell, unable or refusal(battle, mage, spell))
            if not _knows(battle, mage, spell):
                unknown.append(key)
        for enchantment, why in dispelling.dispellable(battle, mage):
            entry = Declared("dispel", seat, mage.id, enchantment.id)
            key = f"{mage.id}:dispel:{enchantment.id}"
            offer(key, "option.dispel", entry, spell_of(enchantment), unable or why)
    return options, barred, unknown


def _spells_of(battle: Battle, mage: Model) -> list[Spell]:
    """What a model knows, and all of its army's list."""
    keys = dict.fromkeys((*mage.magic.spells, *spells.LISTS.get(_faction(battle, mage), ())))
    return [spells.SPELLS[key] for key in keys]


def _knows(battle: Battle, mage: Model, spell: Spell) -> bool:
    return spell.key in mage.magic.spells and _faction(battle, mage) in ("", spell.faction)


def _faction(battle: Battle, mage: Model) -> str:
    return mage.card.faction or battle.sides[mage.seat].faction


def refusal(battle: Battle, mage: Model, spell: Spell) -> Refusal | None:
    """Why a mage may not declare a spell at all; the spell's own rule has a say in it too."""
    why = _refusal(battle, mage, spell)
    return why and why.beside([Refusal("", spell.rule)])


def _refusal(battle: Battle, mage: Model, spell: Spell) -> Refusal | None:
    """nemesis:14.3-fixed, nemesis:14.1-cap, nemesis:14.4-more-spells, nemesis:14.4-test
    Why a mage may not declare a spell at all."""
    data = {"mage": mage.id, "spell": spell.name}
    if not _knows(battle, mage, spell):
        return Refusal("refuse.spell-unknown", "nemesis:14.3-fixed", data, ("nemesis:14.3-choice",))
    co = value(battle, mage, "CO")
    if not within_cap(co, spell.difficulty):
        cap = {"difficulty": spell.difficulty, "cap": CAPS[co], "co": co}
        return Refusal("refuse.spell-cap", "nemesis:14.1-cap", {**data, **cap})
    spoken_for = declarations.of_mage(battle, mage, "cast")
    if spell.key in mage.magic.cast or any(entry.what == spell.key for entry in spoken_for):
        return Refusal("refuse.spell-twice", "nemesis:14.4-more-spells", data)
    if len(spoken_for) >= magic_dice.pool(battle, mage, "create").total:
        return Refusal("refuse.no-magic-dice", TEST, data)
    own = spell.casting_bar(battle, mage)
    if own is not None:
        return own
    found, barred = spell.targets(battle, mage)
    if found:
        return None
    nearest = max(barred.values(), key=_came_near, default=None)
    told = Refusal("refuse.spell-no-target", nearest.rule if nearest else "nemesis:14.4-target", data)
    return told.beside(barred.values())


def _came_near(why: Refusal) -> int:
    """How much of what is asked of a target one that was refused fulfilled: the further, the more telling."""
    steps = (
        "refuse.spell-friend", "refuse.spell-enemy", "refuse.spell-contact", "refuse.spell-melee",
        "refuse.spell-close-combat", "", "refuse.spell-stacks", "refuse.spell-hidden", "refuse.spell-unseen",
    )  # fmt: skip
    return steps.index(why.code if why.code in steps else "")


def _aim(battle: Battle, entry: Declared) -> Script[None]:
    """nemesis:14.4-target  The target is named with the spell and cannot be changed afterwards."""
    mage, spell = battle.models[entry.mage], spells.SPELLS[entry.what]
    battle.cite(spell.rule)
    options, barred = spell.targets(battle, mage)
    key = yield Pick(
        entry.seat, "magic.target", options, barred=barred, rule="nemesis:14.4-target", about=(mage.id,),
        data={"spell": spell.name}, notes=spell.notes,
    )  # fmt: skip
    target = yield from spell.locate(battle, mage, Target(spell.kind, "" if spell.kind == "place" else key))
    if target is not None:
        _enter(battle, Declared("cast", entry.seat, mage.id, spell.key, target))


@cites
def _enter(battle: Battle, entry: Declared) -> None:
    """nemesis:14-who, nemesis:14.4-no-order, nemesis:5.2-mage
    A spell or dispelling is declared: no order is needed for it."""
    declarations.add(battle, entry)
    if entry.kind == "dispel":
        enchantment = next(e for e in battle.enchantments if e.id == entry.what)
        about = (entry.mage, enchantment.target)
        battle.cite(spell_of(enchantment).rule)
        battle.tell("dispel.declared", "nemesis:14.6-dispel", about, spell=spell_of(enchantment).name)
        return
    spell = spells.SPELLS[entry.what]
    battle.cite("nemesis:14.2-format", "nemesis:14.4-target", "nemesis:14.1-cap", spell.rule)
    battle.cite("nemesis:14.3-choice", "nemesis:14.3-fixed")
    if len(declarations.of_mage(battle, battle.models[entry.mage], "cast")) > 1:
        battle.cite("nemesis:14.4-more-spells")
    if spell.close_combat:
        battle.cite("nemesis:14.2-cc")
    aim = (entry.target.id,) if entry.target.id else ()
    battle.tell("spell.declared", DECLARE, (entry.mage, *aim), spell=spell.name)


# ---------------------------------------------------------------------- executing


def execute(battle: Battle) -> Script[None]:
    """nemesis:14.4-declare  Spells and dispellings in the order of declaration, whoever of their casters is lost."""
    while (entry := declarations.next_up(battle)) is not None:
        if entry.kind == "cast":
            yield from casting.execute(battle, entry)
        elif entry.kind == "dispel":
            yield from dispelling.execute(battle, entry)
        else:
            declarations.done(battle)
    insight.forget(battle)


def after_phase(battle: Battle) -> Script[None]:
    """nemesis:A2.O.9-fate-cheat  What comes right after the magic phase and before close combat."""
    yield from free_shooting.play(battle)

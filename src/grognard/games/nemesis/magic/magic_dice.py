"""nemesis:14.1-dice, nemesis:14.8-stones  A mage's dice: his pools, magic stones, Hardened's bonus die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.games.nemesis.abilities.spell_book import BOOK
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.magic import enchantments
from grognard.games.nemesis.magic.casting_steps import magic_dice
from grognard.games.nemesis.rolls.rerolls import holds
from grognard.games.nemesis.rolls.stats import value
from grognard.games.nemesis.table import spells_in_effect
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Number, Script, Split, option

FIASCO = "nemesis:14.4-fiasco"
STONES = "nemesis:14.8-stones"
CAP = "nemesis:14.8-cap"


class Pool(NamedTuple):
    """Dice a mage may throw now: his own, by magic stones, by Hardened."""

    dice: int
    stones: int
    bonus: int

    @property
    def total(self) -> int:
        return self.dice + self.stones + self.bonus


def refill(battle: Battle, model: Model) -> None:
    """nemesis:14.1-dice, nemesis:14.1-no-carry, nemesis:A2.N.1-stored-magic
    Full pools at the start of the turn; what was left is lost."""
    co = value(battle, model, "CO")
    if co < 1:
        return
    if model.magic.creation_dice or model.magic.block_dice:
        battle.cite("nemesis:14.1-no-carry")
    creation, block = magic_dice(co)
    model.magic = model.magic.but(creation_dice=creation, block_dice=block)
    battle.cite("nemesis:14.1-dice")
    stored = enchantments.stored_die(battle, model)
    if stored is not None:
        model.magic = model.magic.but(creation_dice=model.magic.creation_dice + 1)
        rule = BOOK[stored.spell].rule
        battle.tell("magic.stored", rule, (model.id,), dice=model.magic.creation_dice)


def pool(battle: Battle, mage: Model, purpose: str) -> Pool:
    """nemesis:14.8-cap, nemesis:A1.11-hardened
    What a mage has left to "create" (cast) or to "block" (block, dispel)."""
    spendable = max(0, value(battle, mage, "CO") - mage.magic.stones_used)
    if mage.magic.stones > spendable:
        battle.cite(CAP)
    bonus = 0 if mage.used.hardened or holds(battle, mage, "bonus_die") is None else 1
    own = mage.magic.creation_dice if purpose == "create" else mage.magic.block_dice
    return Pool(own, min(mage.magic.stones, spendable), bonus)


def unable(battle: Battle, mage: Model) -> Refusal | None:
    """Why a mage can use no magic at all now. Ruling: what bars casting bars blocking and dispelling too."""
    data, unit = {"mage": mage.id}, battle.unit_of(mage)
    if mage.magic.over:
        return Refusal("refuse.magic-over", FIASCO, data)
    frozen = battle.flag(mage, "does_nothing")
    if frozen:
        return Refusal("refuse.magic-frozen", frozen, data)
    if unit.fleeing:
        return Refusal("refuse.magic-fleeing", "nemesis:X.1-flight", data)
    if unit.stunned:
        return Refusal("refuse.magic-stunned", "nemesis:22.1-charger-fails-big", data)
    if spells_in_effect.mirage_of(battle, unit) is not None:
        return Refusal("refuse.magic-mirage", "nemesis:A2.C.10-mirage", data)
    return None


def choose(
    battle: Battle, mage: Model, purpose: str, name: str, *, least: int, rule: str, checkpoint: bool = False,
    about: tuple[str, ...] = (), data: dict[str, Any] | None = None, notes: Sequence[Note] = (),
) -> Script[int]:  # fmt: skip
    """nemesis:14.4-test, nemesis:14.8-stones, nemesis:14.8-cap
    How many dice a mage throws, and from where they come; they are spent.

    `name` asks for the number; where there is more than one source, `name`.sources asks for the shares. Those not said
    are the mage's own dice first, then stones, then the bonus die.
    """
    have = pool(battle, mage, purpose)
    bounds = ["nemesis:14.1-dice", STONES, *([CAP] if mage.magic.stones > have.stones else [])]
    count: int = yield Number(
        mage.seat, name, least, have.total, rule=rule, about=(mage.id, *about), data=data, checkpoint=checkpoint,
        bounds=bounds, notes=notes,
    )  # fmt: skip
    if not count:
        return 0
    limits = {"dice": (0, have.dice), "stones": (0, have.stones), "hardened": (0, have.bonus)}
    options = [option(key, text=f"option.{key}") for key, (_, most) in limits.items() if most]
    shares: dict[str, int] = yield Split(
        mage.seat, f"{name}.sources", options, count, limits={o.key: limits[o.key] for o in options}, rule=STONES,
        about=(mage.id,), exact=len(options) == 1 or count == have.total, filled=True,
    )  # fmt: skip
    _spend(battle, mage, purpose, shares)
    return int(count)


def test_notes(battle: Battle, mage: Model, difficulty: int, rule: str) -> tuple[Note, ...]:
    """nemesis:14.4-test, nemesis:14.4-fiasco  What a concentration test needs, and what spoils it."""
    need = Note("note.test", {"co": value(battle, mage, "CO"), "difficulty": difficulty}, rule)
    safe = holds(battle, mage, "ones_are_safe") is not None
    return (need,) if safe else (need, ones_note(mage, FIASCO))


def ones_note(mage: Model, rule: str) -> Note:
    return Note("note.ones", {"mage": mage.id}, rule)


@cites
def _spend(battle: Battle, mage: Model, purpose: str, shares: dict[str, int]) -> None:
    """nemesis:14.1-dice  Dice and stones are gone, the bonus die for the turn.

    nemesis:14.4-test, nemesis:14.8-stones, nemesis:A1.11-hardened  As they were put into a test.
    """
    if purpose == "create":
        mage.magic = mage.magic.but(creation_dice=mage.magic.creation_dice - shares.get("dice", 0))
    else:
        mage.magic = mage.magic.but(block_dice=mage.magic.block_dice - shares.get("dice", 0))
    stones = shares.get("stones", 0)
    if stones:
        battle.cite(CAP)
        mage.magic = mage.magic.but(stones=mage.magic.stones - stones, stones_used=mage.magic.stones_used + stones)
        battle.tell("magic.stones", STONES, (mage.id,), spent=stones, left=mage.magic.stones)
    if shares.get("hardened", 0):
        mage.used = mage.used.but(hardened=True)
        battle.tell("magic.bonus-die", "nemesis:A1.11-hardened", (mage.id,))

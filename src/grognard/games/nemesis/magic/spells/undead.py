"""Chapter A2.N: Necromantic lore of the undead, in the book's order."""

from __future__ import annotations

from typing import ClassVar

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.magic.declarations import Target
from grognard.games.nemesis.magic.spells import healing, summoning
from grognard.games.nemesis.magic.spells.base import Change, Curse, Spell, spell
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.rolls.stats import value
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option

#: Keywords of the three troop types the lore speaks of.
ROTTEN, STITCHED, SKELETON = "rotten", "stitched", "skeleton"


def of_kind(battle: Battle, unit: Unit, *kinds: str) -> bool:
    """Whether a unit's troopers are of one of these types, by the keyword on their card."""
    card = battle.card_of(unit)
    return unit.regiment and card is not None and any(map(card.has_keyword, kinds))


@spell
class StoredMagic(Spell):
    """One more creation die in the caster's next magic phase. Ruling: next turn only."""

    name, french, rule = "Stored Magic", "Magie accumulée", "nemesis:A2.N.1-stored-magic"
    difficulty, kind, stays = 7, "self", True

    def until(self, turn: int) -> int | None:
        return turn + 1


@spell
class UndeadCurse(Curse):
    """-1 HC, F, R and C, floor 0."""

    name, french, rule = "Curse", "Malédiction", "nemesis:A2.N.2-curse"
    difficulty, range_cm, turns = 10, 30, 1


@spell
class PutridFlies(Change):
    """A unit of Rotten, Stitched or Skeletons: +1 R."""

    name, french, rule = "Putrid Flies", "Mouches putrides", "nemesis:A2.N.3-putrid-flies"
    difficulty, range_cm, permanent = 10, 25, True
    changes = {"R": 1}

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        if of_kind(battle, unit, ROTTEN, STITCHED, SKELETON):
            return None
        return Refusal("refuse.spell-troop-type", self.rule, {"target": unit.id})


class Summon(Spell):
    """nemesis:A2.N.4-summon-1  Models join a regiment of their own type. Ruling: never above 10 models."""

    number: ClassVar[int]
    troop: ClassVar[str]
    whose = "friend"
    range_cm = 40

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        if not of_kind(battle, unit, self.troop):
            return Refusal("refuse.spell-troop-type", self.rule, {"target": unit.id})
        if summoning.room(unit) < 1:
            return Refusal("refuse.spell-regiment-full", "nemesis:6-regiment-size", {"target": unit.id}, (self.rule,))
        return None

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        unit = battle.units[target.id]
        made = yield from summoning.summon(battle, unit, self.number, self.rule)
        return self.enchant(battle, caster, target, summoned=made) if self.permanent and made else None

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        summoning.dismiss(battle, enchantment.data["summoned"], "nemesis:14.6-permanent")

    def keeps(self) -> bool:
        return False


@spell
class SummoningOne(Summon):
    """One Rotten joins a regiment."""

    name, french, rule = "Summoning 1", "Invocation de niveau 1", "nemesis:A2.N.4-summon-1"
    difficulty, permanent, number, troop = 11, True, 1, ROTTEN


@spell
class SummoningTwo(Summon):
    """Two Stitched join a unit, equipped alike."""

    name, french, rule = "Summoning 2", "Invocation de niveau 2", "nemesis:A2.N.5-summon-2"
    difficulty, permanent, number, troop = 14, True, 2, STITCHED


@spell
class SummoningThree(Summon):
    """Two Skeletons join a regiment, equipped alike. No P: it cannot be dispelled."""

    name, french, rule = "Summoning 3", "Invocation de niveau 3", "nemesis:A2.N.6-summon-3"
    difficulty, number, troop = 16, 2, SKELETON


@spell
class UnusualStrength(Spell):
    """A regiment of Skeletons, Stitched or Rotten in melee attacks now, and again in phase 9.

    Ruling: nobody counter-attacks now; losses leave at the end of the magic phase; a hero among them does not
    share in it.
    """

    name, french, rule = "Unusual Strength", "Force inhabituelle", "nemesis:A2.N.7-unusual-strength"
    difficulty, range_cm, close_combat = 17, 30, True

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        if of_kind(battle, unit, ROTTEN, STITCHED, SKELETON):
            return None
        return Refusal("refuse.spell-troop-type", self.rule, {"target": unit.id})

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        unit = battle.units[target.id]
        for model in battle.standing(unit):
            if model.id != unit.hero and not melee.held(battle, model):
                yield from self._attack(battle, model)
        return None

    def _attack(self, battle: Battle, model: Model) -> Script[None]:
        foes = [m for m in melee.within_reach(battle, model) if melee.may_strike(battle, model, m)]
        if not foes:
            return
        options = [option(m.id, m, text="option.spell-target", about=(m.id,), data={"target": m.id}) for m in foes]
        foe = yield Pick(model.seat, "strength.attack", options, optional=True, rule=self.rule, about=(model.id,))
        for _ in range(max(1, value(battle, model, "A")) if foe is not None else 0):
            if melee.may_strike(battle, model, foe):
                yield from melee.attack(battle, model, foe)


@spell
class IllWill(Spell):
    """A unit or lone model gains Hypnotism."""

    name, french, rule = "Ill Will", "Mauvaises intentions", "nemesis:A2.N.8-ill-will"
    difficulty, range_cm, close_combat, turns = 18, 30, True, 1
    hypnotic = True


@spell
class Healing(Spell):
    """The target regains all lost S. Ruling: not models already lost."""

    name, french, rule = "Healing", "Guérison", "nemesis:A2.N.9-healing"
    difficulty, range_cm = 20, 45

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        for model in battle.members(battle.units[target.id]):
            healing.heal(battle, model, model.s_start, self.rule)
        return None


@spell
class Damnation(Spell):
    """In this turn's combat the target attacks itself and can neither strike at nor defend against its opponents."""

    name, french, rule = "Damnation", "Damnation", "nemesis:A2.N.10-damnation"
    difficulty, range_cm, close_combat, stays = 22, 30, True, True
    attacks_self = True
    cannot_defend = True


@spell
class SoulExchange(Spell):
    """The caster takes S from one opponent in contact, up to his own starting S.

    Ruling: k = min(its S, what he lacks); at 0 the opponent is eliminated.
    """

    name, french, rule = "Soul Exchange", "Echange d'âmes", "nemesis:A2.N.11-soul-swap"
    difficulty, kind, whose, close_combat = 24, "model", "enemy", True

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        foe = battle.models[target.id]
        taken = max(0, min(foe.s, caster.s_start - caster.s))
        foe.s -= taken
        caster.s += taken
        battle.tell("spell.souls", self.rule, (caster.id, foe.id), taken=taken, caster_s=caster.s, target_s=foe.s)
        if foe.s < 1 and not foe.doomed:
            casualties.doom(battle, foe, caster, self.rule)
        return None

"""Chapter A2.C: The Cult of the Thousand Faces' magic of rancour, in the book's order."""

from __future__ import annotations

from grognard.games.nemesis.abilities.spell_book import BOOK
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import held_orders
from grognard.games.nemesis.disengage import disengage_moves
from grognard.games.nemesis.forces import Enchantment, Model, Reaction, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.magic.declarations import Target
from grognard.games.nemesis.magic.spells import aiming, hits, places
from grognard.games.nemesis.magic.spells.base import Change, Curse, Frozen, Spell, spell
from grognard.games.nemesis.table import spells_in_effect
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import cm, heading
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.words.tally import Tally


@spell
class Deception(Spell):
    """+1 to the player's next command test. Ruling: several castings do not add up."""

    name, french, rule = "Deception", "Déception", "nemesis:A2.C.1-deception"
    difficulty, kind = 5, "self"

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        battle.sides[caster.seat].initiative_bonus = 1
        return None


@spell
class FlamingHead(Spell):
    """One automatic hit PO 11."""

    name, french, rule = "Flaming Head", "Tête enflammée", "nemesis:A2.C.2-flaming-head"
    difficulty, range_cm, damages, power = 7, 40, True, 11

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from hits.strike_unit(battle, caster, battle.units[target.id], 1, self.power, self.rule)
        return None


@spell
class ShadowCloak(Change):
    """+1 R."""

    name, french, rule = "Shadow Cloak", "Cape des ombres", "nemesis:A2.C.3-shadow-cloak"
    difficulty, range_cm, close_combat, turns = 8, 20, True, 1
    changes = {"R": 1}


@spell
class Sacrifice(Spell):
    """A model of the own army, in melee, is lost; the caster gains 2 magic stones. Ruling: not the caster himself.

    It leaves at the end of the phase, as every loss; dispelling takes the stones back, not the loss.
    """

    name, french, rule = "Sacrifice", "Sacrifice", "nemesis:A2.C.4-sacrifice"
    difficulty, range_cm, kind, whose, close_combat, permanent = 9, 20, "model", "friend", True, True

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        own = model is not None and model.id == caster.id
        return Refusal("refuse.spell-not-self", self.rule, {"target": caster.id}) if own else None

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        battle.cite("nemesis:X.14-bounds")
        victim = battle.models[target.id]
        if victim.doomed:
            return None
        casualties.doom(battle, victim, caster, self.rule)
        caster.magic = caster.magic.but(stones=caster.magic.stones + 2)
        battle.tell("spell.stones", self.rule, (caster.id,), gained=2, stones=caster.magic.stones)
        return self.enchant(battle, caster, target)

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        caster = battle.models[enchantment.caster]
        caster.magic = caster.magic.but(stones=max(0, caster.magic.stones - 2))

    def keeps(self) -> bool:
        return False


@spell
class MadCourage(Spell):
    """The target's C is doubled."""

    name, french, rule = "Mad Courage", "Courage insensé", "nemesis:A2.C.5-mad-courage"
    difficulty, range_cm, turns = 10, 25, 1

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if name == "C":
            tally.times(2, self.name, self.rule)


@spell
class Offerings(Spell):
    """A sorcerer who has killed an enemy learns another spell of his list.

    Ruling: of difficulty up to 12, not known yet; each casting uses up a kill.
    """

    name, french = "Offerings to the God of the Abyss", "Offrandes pour le dieu des abysses"
    rule = "nemesis:A2.C.6-offerings"
    difficulty, kind, permanent = 12, "self", True

    def casting_bar(self, battle: Battle, caster: Model) -> Refusal | None:
        return None if caster.kills else Refusal("refuse.spell-no-kill", self.rule, {"mage": caster.id})

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        unknown = [
            known
            for known in BOOK.values()
            if known.faction == self.faction
            and known.difficulty <= self.difficulty
            and known.key not in caster.magic.spells
        ]
        if not unknown:
            return None
        options = [option(s.key, text="option.learn", data={"spell": s.name}) for s in unknown]
        learnt = yield Pick(caster.seat, "offerings.learn", options, rule=self.rule, about=(caster.id,))
        caster.kills -= 1
        caster.magic = caster.magic.but(spells=(*caster.magic.spells, learnt))
        battle.tell("spell.learnt", self.rule, (caster.id,), spell=BOOK[learnt].name)
        return self.enchant(battle, caster, target, learnt=learnt)

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        caster = battle.models[enchantment.caster]
        kept = tuple(key for key in caster.magic.spells if key != enchantment.data["learnt"])
        caster.magic = caster.magic.but(spells=kept)

    def keeps(self) -> bool:
        return False


@spell
class ParalysingIce(Frozen):
    """One single model, in a unit or not, can do nothing this turn."""

    name, french, rule = "Paralysing Ice", "Glace paralysante", "nemesis:A2.C.7-paralysing-ice"
    difficulty, range_cm, kind, turns = 15, 30, "model", 1


@spell
class ProtectiveShield(Spell):
    """A friendly unit in melee leaves it at once, 1D10 + M, and cannot be attacked or pursued this turn.

    nemesis:18-move  The move of disengaging, without the hits and the pursuit.
    """

    name, french, rule = "Protective Shield", "Bouclier de protection", "nemesis:A2.C.8-shield"
    difficulty, range_cm, whose, close_combat, turns = 19, 30, "friend", True, 1
    cannot_be_attacked = True

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        made = self.enchant(battle, caster, target)
        unit = battle.units[target.id]
        held = battle.unit_flag(unit, "cannot_move")
        if held:
            battle.tell("held", held, (unit.id,))
        else:
            yield from disengage_moves.leave(battle, unit, battle.opponents(unit), self.rule)
        return made


@spell
class CultCurse(Curse):
    """An enemy regiment or single model in melee: -1 F, R, HC and C, floor 1. Ruling: "in melee" binds both."""

    name, french, rule = "Curse", "Malédiction", "nemesis:A2.C.9-curse"
    difficulty, range_cm, whose, turns = 20, 40, "enemy", 1
    floor = 1

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        engaged = battle.engaged(unit)
        return None if engaged else Refusal("refuse.spell-close-combat", self.rule, {"target": unit.id})


@spell
class Mirage(Spell):
    """An enemy must walk to a marked point in its view arc and do nothing else, until it arrives.

    Ruling: the range is that of the point; orders not yet carried out are void and a reaction becomes holding.
    """

    name, french, rule = "Mirage", "Mirage", "nemesis:A2.C.10-mirage"
    difficulty, range_cm, whose, persists = 22, 40, "enemy", True

    def locate(self, battle: Battle, caster: Model, target: Target) -> Script[Target | None]:
        unit = battle.units[target.id]

        def check(pose: Pose) -> Refusal | None:
            if not places.on_table(battle, pose):
                return Refusal("refuse.spot-off-table", self.rule, {})
            if not any(_in_view(battle, m, pose) for m in battle.members(unit)):
                return Refusal("refuse.spot-view", self.rule, {"unit": unit.id})
            return None

        spots = {**places.between(battle, caster, [unit]), **_ahead(battle, unit)}
        judge = SpotJudge("point", check, spots, self.rule)
        pose = yield Place(
            caster.seat, "mirage.point", ["point"], judge, optional=True, rule=self.rule, about=(caster.id, unit.id)
        )
        return None if pose is None else Target("unit", unit.id, pose.x, pose.y)

    def distance(self, battle: Battle, caster: Model, target: Target) -> float:
        battle.cite("nemesis:X.14-bounds")
        return aiming.gap_to_point(battle, caster, target.x, target.y)

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        unit = battle.units[target.id]
        for order in unit.orders:
            if not order.done:
                held_orders.void(battle, unit, order, "refuse.mirage", self.rule)
        if unit.reaction is not None and unit.reaction.kind != "hold":
            unit.reaction = Reaction("hold", unit.reaction.charger)
        made = self.enchant(battle, caster, target, x=target.x, y=target.y)
        spells_in_effect.mirage_reached(battle, unit)
        return made


def _in_view(battle: Battle, model: Model, pose: Pose) -> bool:
    """nemesis:5.5-arc  Whether a point lies in a model's field of view."""
    here = battle.pose(model)
    ahead = heading(here.facing)
    around = any(trait.all_round_view for trait in battle.traits(model))
    return around or (pose.x - here.x) * ahead[0] + (pose.y - here.y) * ahead[1] >= 0.0


def _ahead(battle: Battle, unit: Unit) -> dict[str, Pose]:
    """Points before the victim and to its sides."""
    here = battle.pose(battle.members(unit)[0])
    spots: dict[str, Pose] = {}
    for name, turn in (("ahead", 0.0), ("right", 85.0), ("left", -85.0)):
        way = heading(here.facing + turn)
        for far in (10, 25):
            spots[f"{name}-{far}"] = Pose(here.x + way[0] * cm(far), here.y + way[1] * cm(far))
    return spots


@spell
class Submission(Spell):
    """The target can neither attack nor counter-attack. Ruling: it still defends."""

    name, french, rule = "Submission", "Soumission", "nemesis:A2.C.11-submission"
    difficulty, range_cm, close_combat, turns = 23, 35, True, 1
    cannot_attack = True


@spell
class SnakeEye(Spell):
    """The caster's ones when casting and dispelling are no fiascos and count. Ruling: not when blocking."""

    name, french, rule = "Snake Eye", "Œil de serpent", "nemesis:A2.C.12-snake-eye"
    difficulty, kind, permanent = 27, "self", True
    ones_are_safe = True

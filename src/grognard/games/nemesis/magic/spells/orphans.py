"""Chapter A2.O: The Orphans' power of nature, in the book's order."""

from __future__ import annotations

from shapely import Point

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import held_orders
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.magic.declarations import Target
from grognard.games.nemesis.magic.spells import aiming, healing, hits, places
from grognard.games.nemesis.magic.spells.base import DoubleMove, Spell, spell
from grognard.games.nemesis.table import terrain
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, cm, snap
from grognard.kernel.placing.judges import SpotJudge
from grognard.kernel.questions import Pick, Place, Script, option
from grognard.kernel.words.tally import Tally

#: nemesis:A2.O.10-tree-of-life, nemesis:A2.O.13-living-forest
NEAR_A_TREE = cm(15)
BRANCHES = cm(10)


@spell
class Aura(Spell):
    """The target's HC becomes 5, even if that lowers it."""

    name, french, rule = "Aura", "Aura", "nemesis:A2.O.1-aura"
    difficulty, range_cm, close_combat, turns = 5, 15, True, 1

    def stat(self, battle: Battle, model: Model, name: str, tally: Tally) -> None:
        if name == "HC":
            tally.set(5, self.name, self.rule)


@spell
class FallingLeaves(Spell):
    """Shots at the target suffer -1 HT, in accuracy and impact."""

    name, french, rule = "Falling Leaves", "Le déchu parti", "nemesis:A2.O.2-falling-leaves"
    difficulty, range_cm, turns = 9, 25, 1

    def aimed_at(self, battle: Battle, shooter: Model, target: Model, tally: Tally) -> None:
        tally.add(-1, self.name, self.rule)


@spell
class FoamingPoison(Spell):
    """One enemy model, a hero in a unit too: one automatic hit PO 12, which that very model takes."""

    name, french, rule = "Foaming Poison", "Poison mousseux", "nemesis:A2.O.3-foam-poison"
    difficulty, range_cm, kind, whose, damages, power = 10, 60, "model", "enemy", True, 12

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from hits.strike_model(battle, caster, battle.models[target.id], 1, self.power, self.rule)
        return None


@spell
class VisualTrick(Spell):
    """One friend standing alone cannot be charged or shot at. Ruling: what was declared at it is void."""

    name, french, rule = "Visual Trick", "Tour visuel", "nemesis:A2.O.4-visual-trick"
    difficulty, range_cm, whose, turns = 12, 30, "friend", 1
    untargetable = True

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        return Refusal("refuse.spell-individual", self.rule, {"target": unit.id}) if unit.regiment else None

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        for enemy in battle.enemies(caster.seat):
            for order in enemy.orders:
                if order.target == target.id and order.action in ("charge", "shoot") and not order.done:
                    held_orders.void(battle, enemy, order, "refuse.untargetable", self.rule)
        return self.enchant(battle, caster, target)


@spell
class ForestGrows(Spell):
    """A wood of 10 x 10 cm, its nearest edge within 20 cm, not on terrain or models. It is a wood for every rule.

    Ruling: its middle must be in the mage's sight.
    """

    name, french, rule = "Forest Grows", "Le forêt grandi", "nemesis:A2.O.5-forest-grows"
    difficulty, range_cm, kind, permanent = 13, 20, "place", True

    def locate(self, battle: Battle, caster: Model, target: Target) -> Script[Target | None]:
        def check(pose: Pose) -> Refusal | None:
            if not aiming.sees_point(battle, caster, pose.x, pose.y):
                return Refusal("refuse.spot-unseen", "nemesis:14.4-target", {})
            return places.wood_bar(battle, pose, self.rule)

        spots = places.between(battle, caster, battle.enemies(caster.seat))
        judge = SpotJudge("wood", check, spots, self.rule, shape=lambda pose: [_corners(pose)])
        pose = yield Place(
            caster.seat, "forest.place", ["wood"], judge, optional=True, rule=self.rule, about=(caster.id,)
        )
        return None if pose is None else Target("place", "", pose.x, pose.y, pose.facing)

    def lapse(self, battle: Battle, caster: Model, target: Target) -> Refusal | None:
        return places.wood_bar(battle, Pose(target.x, target.y, target.facing), self.rule)

    def distance(self, battle: Battle, caster: Model, target: Target) -> float:
        battle.cite("nemesis:X.14-bounds")
        return aiming.gap_to_piece(battle, caster, self._piece("", target))

    def _piece(self, piece_id: str, target: Target) -> Piece:
        return terrain.make_piece(piece_id, "wood", _corners(Pose(target.x, target.y, target.facing)))

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        piece = self._piece(battle.free_id("wood"), target)
        battle.table = battle.table.with_piece(piece)
        battle.tell("spell.forest", self.rule, (caster.id, piece.id), points=[list(point) for point in piece.points])
        return self.enchant(battle, caster, Target("wood", piece.id))

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        battle.table = battle.table.without_piece(enchantment.target)

    def keeps(self) -> bool:
        return False


@spell
class HiddenTreasure(Spell):
    """The shaman gains one magic stone."""

    name, french, rule = "Hidden Treasure", "Trésor caché", "nemesis:A2.O.6-hidden-treasure"
    difficulty, kind, permanent = 14, "self", True

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        caster.magic = caster.magic.but(stones=caster.magic.stones + 1)
        battle.tell("spell.stones", self.rule, (caster.id,), gained=1, stones=caster.magic.stones)
        return self.enchant(battle, caster, target)

    def undo(self, battle: Battle, enchantment: Enchantment) -> None:
        caster = battle.models[enchantment.caster]
        caster.magic = caster.magic.but(stones=max(0, caster.magic.stones - 1))

    def keeps(self) -> bool:
        return False


@spell
class ClimbingIvy(Spell):
    """The target cannot move: no approach, charge, retreat, disengaging or flight move. It still fights."""

    name, french, rule = "Climbing Ivy", "Lierre grimpant", "nemesis:A2.O.7-ivy"
    difficulty, range_cm, turns = 15, 15, 1
    cannot_move = True
    bars_disengaging = True

    def bars(self, battle: Battle, caster: Model, unit: Unit, model: Model | None) -> Refusal | None:
        flies = any(m.card.fly is not None for m in battle.members(unit))
        return Refusal("refuse.spell-flying", self.rule, {"target": unit.id}) if flies else None


@spell
class SwiftAsWind(DoubleMove):
    """M x 2. Cast in phase 4 it helps the later moves of this turn."""

    name, french, rule = "Swift as Wind", "Rapide comme le vent", "nemesis:A2.O.8-swift-wind"
    difficulty, range_cm, turns = 16, 30, 1


@spell
class CheatingFate(Spell):
    """All models of the shaman's army within 35 cm shoot once more, right after the magic phase.

    Ruling: who is within 35 cm is measured when the spell takes effect; targets are chosen afterwards. A second
    shaman's casting adds those near him; nobody shoots freely twice.
    """

    name, french, rule = "Cheating Fate", "Escroquerie du destin", "nemesis:A2.O.9-fate-cheat"
    difficulty, range_cm, kind, stays = 17, 35, "self", True

    def holder(self, battle: Battle, target: Target) -> str:
        return battle.models[target.id].seat

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        battle.cite("nemesis:X.14-bounds")
        friends = [m for m in battle.on_table(caster.seat) if m is caster or battle.gap(caster, m) <= cm(35) + TOUCH]
        old = battle.enchanted(caster.seat, self.key)
        chosen = [*(old.data["models"] if old is not None else []), *(m.id for m in friends)]
        return self.enchant(battle, caster, target, models=list(dict.fromkeys(chosen)))


@spell
class TreeOfLife(Spell):
    """A friendly target less than 15 cm from a wood regains 1 S; its 1T has no further effect.

    Ruling: measured after the spell succeeded; of a unit, each model that is near enough.
    """

    name, french, rule = "Tree of Life", "L'arbre de la vie", "nemesis:A2.O.10-tree-of-life"
    difficulty, range_cm, whose, turns = 18, 30, "friend", 1

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        yield from ()
        battle.cite("nemesis:X.14-bounds")
        woods = [p for p in battle.table.pieces if p.kind in ("wood", "tree")]
        for model in battle.members(battle.units[target.id]):
            if any(aiming.gap_to_piece(battle, model, wood) < NEAR_A_TREE - TOUCH for wood in woods):
                healing.heal(battle, model, 1, self.rule)
        return None


@spell
class DarkWood(Spell):
    """A wood causes fear to all but Orphans: see `spells_in_effect.dark_woods`, `dark_wood_test`, `dark_wood_bars`."""

    name, french, rule = "Dark Wood", "Le bois ténébreux", "nemesis:A2.O.11-dark-wood"
    difficulty, range_cm, kind, permanent = 20, 35, "wood", True


@spell
class ThornWhip(Spell):
    """1D5 impacts PO 15 shared evenly among the enemies in contact with the target, the rest by the caster's choice.

    Ruling: the target is the caster or a friend in contact with him.
    """

    name, french, rule = "Thorn Whip", "Fouet épineux", "nemesis:A2.O.12-thorn-whip"
    difficulty, kind, whose, close_combat, power, hit_die = 22, "model", "friend", True, 15, 5

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        count = yield from hits.number_of_hits(battle, caster, self)
        foes = [battle.models[key] for key in battle.contacts(battle.models[target.id])]
        shares = {m.id: count // len(foes) for m in foes}
        left = count % len(foes)
        if left:
            options = [option(m.id, text="option.spell-target", about=(m.id,), data={"target": m.id}) for m in foes]
            chosen = yield Pick(
                caster.seat, "whip.share", options, least=left, most=left, rule=self.rule, about=(caster.id,)
            )
            for key in [chosen] if isinstance(chosen, str) else chosen:
                shares[key] += 1
        for foe in foes:
            yield from hits.strike_model(battle, caster, foe, shares[foe.id], self.power, self.rule)
        return None


@spell
class LivingForest(Spell):
    """Each enemy in a wood or within 10 cm of it takes one impact PO 13, now and in the next magic phase.

    Ruling: nobody needs to see them.
    """

    name, french, rule = "Living Forest", "La forêt animée", "nemesis:A2.O.13-living-forest"
    difficulty, range_cm, kind, turns, power = 25, 35, "wood", 2, 13

    def take_effect(self, battle: Battle, caster: Model, target: Target) -> Script[Enchantment | None]:
        made = self.enchant(battle, caster, target)
        yield from self._lash(battle, made)
        return made

    def linger(self, battle: Battle, enchantment: Enchantment) -> Script[None]:
        battle.cite("nemesis:14.2-duration")
        yield from self._lash(battle, enchantment)

    def _lash(self, battle: Battle, enchantment: Enchantment) -> Script[None]:
        wood, caster = battle.table.piece(enchantment.target), battle.models.get(enchantment.caster)
        battle.cite("nemesis:X.14-bounds")
        for model in list(battle.on_table()):
            pose = battle.pose(model)
            apart = float(wood.polygon.distance(Point(pose.x, pose.y))) - model.card.outline.half_width
            if model.seat != enchantment.seat and not model.doomed and apart <= BRANCHES + TOUCH:
                yield from hits.strike_model(battle, caster, model, 1, self.power, self.rule, enchantment.seat)


def _corners(pose: Pose) -> tuple[tuple[float, float], ...]:
    """nemesis:A2.O.5-forest-grows  The corners of a wood that grows there."""
    return tuple((snap(x), snap(y)) for x, y in list(places.wood_shape(pose).exterior.coords)[:-1])

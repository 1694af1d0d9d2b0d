"""nemesis:14.4-target  At whom a spell may be cast: sight, contact, close combat, and the spell's own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import Point, contains_xy

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.magic import enchantments
from grognard.games.nemesis.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.sight.sight import line_block
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH, heading
from grognard.kernel.questions import Option, option

if TYPE_CHECKING:
    from grognard.games.nemesis.magic.declarations import Target
    from grognard.games.nemesis.magic.spells.base import Spell

Found = tuple[list[Option], dict[str, Refusal]]
STACKING = "nemesis:14.2-target-unit"
CLOSE_COMBAT = "nemesis:14.2-cc"
MELEE = "nemesis:14.7-melee"
SIGHT = ("nemesis:5.5-los", "nemesis:5.5-arc")


def targets(battle: Battle, caster: Model, spell: Spell) -> Found:
    """Everything of the spell's kind: options, and the rule against each of the others.

    While spells are declared nothing on the table changes, so it is worked out once.
    """
    if battle.phase != "magic" or battle.stage > 0:
        return _targets(battle, caster, spell)
    memo = battle._sight.setdefault("spells", {})
    spells = tuple(e.id for e in battle.enchantments)
    key = (battle.turn, battle.bodies.version, spells, caster.id, spell.key, caster.detected)
    if key not in memo:
        memo[key] = _targets(battle, caster, spell)
    options, barred = memo[key]
    return list(options), dict(barred)


def _targets(battle: Battle, caster: Model, spell: Spell) -> Found:
    if spell.kind == "self":
        return _sort(spell, [(caster.id, _self_bar(battle, caster, spell))])
    if spell.kind == "model":
        every = [(u, m) for u in battle.units.values() for m in battle.standing(u)]
        return _sort(spell, [(m.id, refusal(battle, caster, spell, u, m)) for u, m in every])
    if spell.kind == "unit":
        units = [u for u in battle.units.values() if battle.standing(u)]
        inside = [(u.hero, _inside_bar(spell, u.hero)) for u in units if u.hero is not None]
        return _sort(spell, [*((u.id, refusal(battle, caster, spell, u)) for u in units), *inside])
    away = Refusal("refuse.spell-melee", MELEE, {"mage": caster.id}) if battle.engaged(caster) else None
    if spell.kind == "wood":
        woods = [p for p in battle.table.pieces if p.kind == "wood"]
        return _sort(spell, [(p.id, away or _wood_bar(battle, caster, spell, p)) for p in woods])
    return _sort(spell, [("place", away)])


def _sort(spell: Spell, found: list[tuple[str, Refusal | None]]) -> Found:
    options = [
        option(key, text="option.spell-target", about=(key,), data={"target": key}) for key, why in found if why is None
    ]
    return options, {key: why for key, why in found if why is not None}


def refusal(battle: Battle, caster: Model, spell: Spell, unit: Unit, model: Model | None = None) -> Refusal | None:
    """Why a unit (or one model of it) cannot be the target."""
    data = {"mage": caster.id, "target": model.id if model is not None else unit.id}
    friend = unit.seat == caster.seat
    if spell.whose == ("enemy" if friend else "friend"):
        return Refusal(f"refuse.spell-{spell.whose}", spell.rule, data)
    near = in_touch(battle, caster, unit, model)
    told = []
    if spell.damages and (unit.id == caster.unit if model is None else model.id == caster.id):
        told.append(_own_victim(caster, spell))
    if spell.range_cm is None and not near:
        told.append(Refusal("refuse.spell-contact", "nemesis:14.2-format", data, (spell.rule,)))
    if battle.engaged(caster) and not (near and (not friend or _himself(caster, unit, model, spell))):
        told.append(Refusal("refuse.spell-melee", MELEE, data))
    why = _state_bar(battle, caster, spell, unit, model)
    if why is not None:
        told.append(why)
    hidden = all(m.hidden for m in ([model] if model is not None else battle.members(unit)))
    if not friend and hidden and unit.id not in caster.detected:
        told.append(Refusal("refuse.spell-hidden", "nemesis:A1.5-hidden-target", data, ("nemesis:A1.5-hidden",)))
    if not near and not sees(battle, caster, unit, model):
        found = sight.DETECTED if unit.id in caster.detected else ()
        told.append(Refusal("refuse.spell-unseen", "nemesis:14.4-target", data, (*SIGHT, *found)))
    return told[0].beside(told) if told else None


def _inside_bar(spell: Spell, hero: str) -> Refusal:
    """nemesis:14.2-target-unit  Whoever is in a regiment is no target of his own for a spell at units."""
    return Refusal("refuse.spell-individual", "nemesis:14.2-target-unit", {"target": hero}, (spell.rule,))


def _own_victim(caster: Model, spell: Spell) -> Refusal:
    """nemesis:14.2-power, nemesis:14.4-target
    Ruling: a damage spell strikes like a shot, never the mage or his own unit."""
    also = (spell.rule, "nemesis:14.2-power")
    return Refusal("refuse.spell-not-self", "nemesis:14.4-target", {"target": caster.id}, also)


def _himself(caster: Model, unit: Unit, model: Model | None, spell: Spell) -> bool:
    """nemesis:14.7-melee  Ruling: "himself" is his own unit for a spell on units; a friend in contact for no range."""
    return unit.id == caster.unit if model is None else model.id == caster.id or spell.range_cm is None


def _state_bar(battle: Battle, caster: Model, spell: Spell, unit: Unit, model: Model | None) -> Refusal | None:
    """nemesis:14.2-cc, nemesis:14.2-target-unit  What must hold when a spell is declared and still when it is cast."""
    data = {"mage": caster.id, "target": model.id if model is not None else unit.id}
    told = []
    if spell.close_combat and not battle.engaged(model if model is not None else unit):
        told.append(Refusal("refuse.spell-close-combat", CLOSE_COMBAT, data, (spell.rule,)))
    own = spell.bars(battle, caster, unit, model)
    if own is not None:
        told.append(own)
    holder = model.id if model is not None else unit.id if unit.regiment or not unit.models else unit.models[0]
    stacks = _stacking(battle, spell, holder, data)
    if stacks is not None:
        told.append(stacks)
    return told[0].beside(told) if told else None


def _stacking(battle: Battle, spell: Spell, holder: str, data: dict[str, str]) -> Refusal | None:
    """nemesis:14.2-target-unit  Ruling: a spell of the same name is refused unless it would last longer."""
    old = enchantments.same_named(battle, spell, holder) if spell.lasting else None
    if old is None:
        return None
    end = spell.until(battle.turn)
    if old.until is not None and (end is None or end > old.until):
        return None
    return Refusal("refuse.spell-stacks", STACKING, data)


def _self_bar(battle: Battle, caster: Model, spell: Spell) -> Refusal | None:
    own = spell.bars(battle, caster, battle.unit_of(caster), caster)
    return own or _stacking(battle, spell, caster.id, {"mage": caster.id, "target": caster.id})


def _wood_bar(battle: Battle, caster: Model, spell: Spell, piece: Piece) -> Refusal | None:
    data = {"mage": caster.id, "target": piece.id}
    why = _stacking(battle, spell, piece.id, data)
    if why is None and not sees_piece(battle, caster, piece):
        return Refusal("refuse.spell-unseen", "nemesis:14.4-target", data, SIGHT)
    return why


def lapse(battle: Battle, caster: Model, spell: Spell, target: Target) -> Refusal | None:
    """Why a declared target is none any more: it left the table, the melee, or is enchanted already."""
    data = {"mage": caster.id, "target": target.id}
    gone = Refusal("refuse.spell-target-gone", "nemesis:14.4-target", data)
    if target.kind == "unit":
        unit = battle.units[target.id]
        return _state_bar(battle, caster, spell, unit, None) if unit.models else gone
    if target.kind == "model":
        model = battle.models[target.id]
        return _state_bar(battle, caster, spell, battle.unit_of(model), model) if model.on_table else gone
    if target.kind == "self":
        return _self_bar(battle, caster, spell)
    if target.kind == "wood":
        here = any(p.id == target.id for p in battle.table.pieces)
        return _stacking(battle, spell, target.id, data) if here else gone
    return None


# ---------------------------------------------------------------------- contact and sight


def in_touch(battle: Battle, caster: Model, unit: Unit, model: Model | None) -> bool:
    """Whether the target is the caster, his own unit, or in base contact with him."""
    if model is None and caster.unit == unit.id:
        return True
    others = [model] if model is not None else battle.members(unit)
    return any(m.id == caster.id or battle.bodies.gap(m.body, caster.body) <= TOUCH for m in others)


def sees(battle: Battle, viewer: Model, unit: Unit, model: Model | None = None) -> bool:
    """nemesis:14.4-target  The mage's line of sight, in his field of view."""
    members = [model] if model is not None else battle.members(unit)
    seen = sight.seen_by(battle, viewer)
    return any(m.id in seen for m in members)


def sees_point(battle: Battle, viewer: Model, x: float, y: float) -> bool:
    """nemesis:14.4-target  Ruling: a point is seen where it lies in the front half and no terrain is between."""
    pose = battle.pose(viewer)
    ahead = heading(pose.facing)
    around = any(trait.all_round_view for trait in battle.traits(viewer))
    if not around and (x - pose.x) * ahead[0] + (y - pose.y) * ahead[1] < 0.0:
        return False
    battle.cite("nemesis:5.5-los", "nemesis:5.5-arc")
    return line_block((pose.x, pose.y), (x, y), battle.table, sight.TERRAIN_ONLY) is None


def sees_piece(battle: Battle, viewer: Model, piece: Piece) -> bool:
    """nemesis:14.4-target  Ruling: a wood is seen by its middle or a point just inside a corner, or from inside."""
    pose = battle.pose(viewer)
    if bool(contains_xy(piece.polygon, pose.x, pose.y)):
        return True
    middle = piece.polygon.representative_point()
    spots = [(middle.x, middle.y)]
    spots += [(0.98 * x + 0.02 * middle.x, 0.98 * y + 0.02 * middle.y) for x, y in piece.points]
    return any(sees_point(battle, viewer, x, y) for x, y in spots)


@cites
def gap_to_piece(battle: Battle, model: Model, piece: Piece) -> float:
    """nemesis:4-edge, nemesis:4-cm  From a model's base to the nearest edge of a piece of terrain; 0 inside."""
    pose = battle.pose(model)
    away = float(piece.polygon.distance(Point(pose.x, pose.y))) - model.card.outline.half_width
    return max(0.0, away)


@cites
def gap_to_point(battle: Battle, model: Model, x: float, y: float) -> float:
    """nemesis:4-edge, nemesis:4-cm  From a model's base to a point."""
    pose = battle.pose(model)
    return max(0.0, float(((pose.x - x) ** 2 + (pose.y - y) ** 2) ** 0.5) - model.card.outline.half_width)

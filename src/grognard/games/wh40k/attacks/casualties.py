"""Chapters 7.7, 7.8, 3.4.4 and 7.10: wounds lost, models and units destroyed, and what that sets off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.games.wh40k.army import amounts
from grognard.games.wh40k.army.amounts import D6
from grognard.games.wh40k.attacks import allocation
from grognard.games.wh40k.battle import REVERT, Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.positions import EPS
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Roll, Script

DEMISE = inches(6)
_BEFORE_REMOVAL: list[Callable[[Battle, Model], Script[None]]] = []


def before_removal(act: Callable[[Battle, Model], Script[None]]) -> None:
    """wh40k:23.22-transport-death  Chapters say here what a model that is destroyed sets off before it is removed."""
    _BEFORE_REMOVAL.append(act)


def pain(battle: Battle, model: Model) -> int:
    """wh40k:7.9.2-fnp-one  The best Feel No Pain of a model; with several only one is used."""
    known = sorted((t for t in battle.traits(model) if t.feel_no_pain() < 7), key=lambda t: t.feel_no_pain())
    if not known:
        return 7
    if len(known) > 1:
        battle.cite("wh40k:7.9.2-fnp-one")
    battle.came_from(model, known[0])
    return known[0].feel_no_pain()


def hurt(battle: Battle, model: Model, damage: int, rule: str) -> Script[None]:
    """wh40k:7.7.1-damage, wh40k:7.7.2-excess, wh40k:7.13-damage-fnp, wh40k:11.1.4-w
    A model loses wounds; at none it is destroyed."""
    need = pain(battle, model)
    if need < 7:
        battle.cite("wh40k:7.13-damage-fnp")
    lost = yield from steps.feel_no_pain(Roller(model.seat, (model.id,)), damage, need)
    if not lost:
        battle.tell("wound.ignored", "wh40k:7.9.1-fnp", (model.id,), damage=damage)
        return
    if lost > model.w:
        battle.cite("wh40k:7.7.2-excess")
    model.w = steps.suffer(model.w, lost)
    battle.tell("wound.lost", rule, (model.id,), lost=lost, left=model.w)
    battle.cite("wh40k:11.1.4-w")
    if model.w == 0:
        yield from destroy(battle, model, "wh40k:7.7.1-damage")


def mortal_wounds(battle: Battle, unit: Unit, number: int, rule: str, *, first: Model | None = None) -> Script[None]:
    """wh40k:7.8.1-def, wh40k:7.8.2-spill, wh40k:23.13-mortal-attached, wh40k:7.12-target-gone
    One at a time, no saves, on to the next model."""
    if not number or not unit.models:
        battle.cite(*(["wh40k:7.12-target-gone"] if number else []))
        return
    battle.tell("mortal.wounds", rule, (unit.id,), number=number)
    battle.cite("wh40k:7.8.1-def")
    if battle.attached(unit):
        battle.cite("wh40k:23.13-mortal-attached")
    on = first
    for _ in range(number):
        if not unit.models:
            battle.cite("wh40k:7.12-target-gone")
            return
        if on is None or not on.alive:
            if on is not None:
                battle.cite("wh40k:7.8.2-spill")
            on = yield from allocation.allocate(battle, unit, "mortal.allocate", "wh40k:7.8.1-def")
        yield from hurt(battle, on, 1, "wh40k:7.8.1-def")
        if first is None and on.alive and len(allocation.candidates(battle, unit)) > 1:
            on = None  # several are wounded, or every point was ignored: the next is the owner's choice again


def destroy(battle: Battle, model: Model, rule: str, *, triggers: bool = True) -> Script[None]:
    """wh40k:3.4.4-destroyed, wh40k:23.22-transport-death
    Deadly Demise, then passengers out, then the model is removed."""
    if not model.alive:
        return
    unit = battle.unit_of(model)
    model.alive, model.w = False, 0
    unit.models = tuple(m for m in unit.models if m != model.id)
    battle.tell("model.destroyed", rule, (model.id, unit.id))
    if triggers and model.on_table:
        yield from _demise(battle, model)
        for act in _BEFORE_REMOVAL:
            yield from act(battle, model)
    if model.on_table:
        battle.lift(model)
    battle.cite("wh40k:3.4.4-destroyed")
    _component(battle, model, unit)


def _component(battle: Battle, model: Model, unit: Unit) -> None:
    """wh40k:3.4.7-attached-triggers  A unit is destroyed when its own last model is; each component for itself."""
    if any(battle.models[m].home == model.home for m in unit.models):
        return
    home = battle.units[model.home]
    if unit.leader is not None:
        battle.cite("wh40k:3.4.7-attached-triggers", *([REVERT] if unit.models else []))
    battle.tell("unit.destroyed", "wh40k:3.4.4-destroyed", (home.id,))
    if home is not unit:
        home.where = "destroyed"
    if not unit.models:
        unit.where = "destroyed"


def _demise(battle: Battle, model: Model) -> Script[None]:
    """wh40k:7.10.1-demise, wh40k:7.10.2-demise-random, wh40k:1.3-unqualified
    On a 6 every unit within 6", of either army."""
    known = [(t.demise(), t.rule) for t in battle.traits(model)]
    value, rule = next(((a, r) for a, r in known if a is not None), (None, ""))
    if value is None:
        return
    (face,) = yield Roll(model.seat, "demise", D6, rule=rule, about=(model.id,), need=6, sense="high", cuts=(6,))
    if face < 6:
        return
    near = within(battle, model, DEMISE)
    battle.tell("demise", rule, (model.id, *(u.id for u in near)))
    spared = any(unit is not battle.unit_of(model) and battle.aboard(unit) for unit in near)
    battle.cite("wh40k:1.3-unqualified", *(["wh40k:5.4.3-inert"] if spared else []))
    for unit in near:
        if not value.fixed:
            battle.cite("wh40k:7.10.2-demise-random", *amounts.rules(value))
        number, _ = yield from rerolls.total(Roller(model.seat, (model.id, unit.id)), "demise.wounds", value, rule)
        yield from mortal_wounds(battle, unit, number, rule)


def within(battle: Battle, model: Model, distance: float) -> list[Unit]:
    """The units on the battlefield within a distance of a model, its own unit's other models included."""
    found: list[Unit] = []
    for unit in battle.units.values():
        if unit.where != "table" or not unit.models:
            continue
        others = [m for m in battle.members(unit) if m.on_table]
        if others and float(battle.gaps([model], others).min()) <= distance + EPS:
            found.append(unit)
    return found


def remove(battle: Battle, models: Sequence[Model], rule: str) -> Script[None]:
    """wh40k:1.6.6-end-turn  Models that count as destroyed but set nothing off."""
    for model in models:
        yield from destroy(battle, model, rule, triggers=False)

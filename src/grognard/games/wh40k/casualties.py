"""wh40k:7.7, 7.8, 3.4.4, 7.10  Wounds lost, models and units destroyed, and what that sets off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.wh40k import amounts, steps
from grognard.games.wh40k.amounts import D6
from grognard.games.wh40k.battle import REVERT, Battle
from grognard.games.wh40k.crowd import EPS
from grognard.games.wh40k.forces import Model, Unit
from grognard.games.wh40k.steps import Roller
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Note, Option, Pick, Roll, Script, option

DEMISE = inches(6)


def candidates(battle: Battle, unit: Unit) -> list[Model]:
    """wh40k:7.4.2-forced, 12.5.6-protection, 12.5.7-last  The models an attack or mortal wound may be allocated to."""
    members = battle.members(unit)
    if unit.leader is not None:
        guards = [m for m in members if not m.has("CHARACTER")]
        if guards and len(guards) < len(members):
            battle.cite("wh40k:12.5.6-protection")
            members = guards
        elif not guards:
            battle.cite("wh40k:12.5.7-last")
    marked = [m for m in members if m.w < m.profile.W or m.allocated]
    if marked:
        battle.cite("wh40k:7.4.2-forced")
    return marked or members


def alike(models: Sequence[Model], covered: Sequence[str] = ()) -> bool:
    """Whether nothing but where they stand tells several models from one another."""
    return len(models) > 1 and len({(m.profile, m.weapons, m.w, m.allocated, m.id in covered) for m in models}) == 1


def each(models: Sequence[Model]) -> list[Option]:
    """Models to choose among; those armed otherwise than most say how."""
    kinds = [(m.profile.name, tuple(dict.fromkeys(w.item for w in m.weapons))) for m in models]
    common = max(kinds, key=kinds.count) if kinds else None
    found = []
    for model, kind in zip(models, kinds, strict=True):
        note = Note("note.model", {"profile": kind[0], "weapons": list(kind[1])}, "wh40k:1.4")
        found.append(option(model.id, model, about=(model.id,), notes=() if kind == common else (note,)))
    return found


def one_of(unit: Unit, name: str, models: Sequence[Model], rule: str, *, same: bool, **more: Any) -> Script[Model]:
    """wh40k:7.4.1-owner, 7.8.1-def, 8.14.1-hazardous, 4.8.3-procedure  One of these models, its controller's choice.

    Ruling: of models alike in all but their place it is the first, if he does not mind.
    """
    chosen: Model | None = yield Pick(
        unit.seat, name, each(models), optional=same, aside=same, rule=rule, about=(unit.id,), **more
    )
    return models[0] if chosen is None else chosen


def allocate(battle: Battle, unit: Unit, name: str, rule: str, covered: Sequence[str] = ()) -> Script[Model]:
    """wh40k:7.4.1-owner  The target's controller chooses among the models that may be chosen."""
    able = candidates(battle, unit)
    barred = {}
    if len(able) < len(unit.models):
        guarded = unit.leader is not None and not all(m.has("CHARACTER") for m in able)
        barred = {m.id: _spared(m, guarded and m.has("CHARACTER")) for m in battle.members(unit) if m not in able}
    return (yield from one_of(unit, name, able, rule, same=alike(able, covered), barred=barred))


def _spared(model: Model, guarded: bool) -> Refusal:
    """wh40k:7.4.2-forced, 12.5.6-protection  Why an attack cannot be allocated to a model."""
    if guarded:
        return Refusal("refuse.guarded", "wh40k:12.5.6-protection", {"model": model.id})
    return Refusal("refuse.other-first", "wh40k:7.4.2-forced", {"model": model.id})


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
    """wh40k:7.7.1-damage, 7.7.2-excess, 7.13-damage-fnp  A model loses wounds; at none it is destroyed."""
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
    """wh40k:7.8.1-def, 7.8.2-spill, 23.13-mortal-attached  One at a time, no saves, on to the next model."""
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
            on = yield from allocate(battle, unit, "mortal.allocate", "wh40k:7.8.1-def")
        yield from hurt(battle, on, 1, "wh40k:7.8.1-def")
        if first is None and on.alive and len(candidates(battle, unit)) > 1:
            on = None  # several are wounded, or every point was ignored: the next is the owner's choice again


def destroy(battle: Battle, model: Model, rule: str, *, triggers: bool = True) -> Script[None]:
    """wh40k:3.4.4-destroyed, 23.22-transport-death  Deadly Demise, then passengers out, then the model is removed."""
    if not model.alive:
        return
    unit = battle.unit_of(model)
    model.alive, model.w = False, 0
    unit.models = tuple(m for m in unit.models if m != model.id)
    battle.tell("model.destroyed", rule, (model.id, unit.id))
    if triggers and model.on_table:
        yield from _demise(battle, model)
        if model.has("TRANSPORT"):
            from grognard.games.wh40k import wrecks

            yield from wrecks.abandon(battle, model)
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
    """wh40k:7.10.1-demise, 7.10.2-demise-random, 1.3-unqualified  On a 6 every unit within 6", of either army."""
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
        number, _ = yield from steps.total(Roller(model.seat, (model.id, unit.id)), "demise.wounds", value, rule)
        yield from mortal_wounds(battle, unit, number, rule)


def within(battle: Battle, model: Model, distance: float) -> list[Unit]:
    """The units on the battlefield within a distance of a model, its own unit's other models included."""
    found: list[Unit] = []
    for unit in battle.units.values():
        if unit.where != "table" or not unit.models:
            continue
        others = [m for m in battle.members(unit) if m.on_table and m is not model]
        if others and float(battle.gaps([model], others).min()) <= distance + EPS:
            found.append(unit)
    return found


def remove(battle: Battle, models: Sequence[Model], rule: str) -> Script[None]:
    """wh40k:1.6.6-end-turn  Models that count as destroyed but set nothing off."""
    for model in models:
        yield from destroy(battle, model, rule, triggers=False)

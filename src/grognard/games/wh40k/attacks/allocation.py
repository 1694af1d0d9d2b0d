"""Chapters 7.4 and 12.5: whom attacks and mortal wounds are allocated to, and who chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Model, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Option, Pick, Script, option


def candidates(battle: Battle, unit: Unit) -> list[Model]:
    """wh40k:7.4.2-forced, wh40k:12.5.6-protection, wh40k:12.5.7-last
    The models an attack or mortal wound may be allocated to."""
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
    """wh40k:7.4.1-owner, wh40k:7.8.1-def, wh40k:8.14.1-hazardous, wh40k:4.8.3-procedure
    One of these models, its controller's choice.

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
    """wh40k:7.4.2-forced, wh40k:12.5.6-protection  Why an attack cannot be allocated to a model."""
    if guarded:
        return Refusal("refuse.guarded", "wh40k:12.5.6-protection", {"model": model.id})
    return Refusal("refuse.other-first", "wh40k:7.4.2-forced", {"model": model.id})

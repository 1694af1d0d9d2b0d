"""Chapters 14, 15, 16, 17: what makes some units and characters special, as they are mustered."""

from __future__ import annotations

import msgspec

from grognard.games.wfb3.abilities.trades import Assassin
from grognard.games.wfb3.army import spells
from grognard.games.wfb3.army.cards import Recruit
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.errors import BadInput


def complete(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    """What a unit has beyond its models, from its line in the list."""
    unit.standards = unit.standards.but(contingent=recruit.contingent)
    unit.character = unit.character.but(second=recruit.second)
    unit.troops = unit.troops.but(weres=recruit.weres, were_form=recruit.were_form)
    unit.character = unit.character.but(guards=recruit.guards)
    if unit.troops.weres:
        battle.cite("wfb3:15.9-hidden", "wfb3:15.9-cost")
    if recruit.level:
        _character(battle, unit, recruit)
    if recruit.altar:
        unit.character = unit.character.but(altar=True)
        battle.models[unit.models[0]].role = "altar"
        unit.leader = ""
    if recruit.handlers is not None:
        _pack(battle, unit, recruit.handlers)


def carrier(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    """wfb3:16.2-altar-cart  What a monster or chariot has beyond those aboard: an altar, a wizard's magic."""
    unit.standards = unit.standards.but(contingent=recruit.contingent)
    unit.character = unit.character.but(second=recruit.second, altar=recruit.altar)
    rider = battle.models.get(unit.id)
    if recruit.level and rider is not None and recruit.wizard:
        rider.hero = rider.hero.but(
            wizard=True, magic=recruit.level, spells=recruit.spells or spells.known(recruit.level)
        )


def _character(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    model = battle.models[unit.models[0]]
    if recruit.wizard:
        model.hero = model.hero.but(magic=recruit.level, spells=recruit.spells or spells.known(recruit.level))
        for name in model.hero.spells:
            if spells.SPELLS[name].level > recruit.level:
                raise BadInput(
                    "{name} is a spell of level {level}, too high for {wizard} ({rule})",
                    name=name, level=spells.SPELLS[name].level, wizard=unit.name, rule=spells.RULE,
                )  # fmt: skip
    if any(isinstance(t, Assassin) for t in unit.traits):
        model.hero = model.hero.but(assassin=True)
        battle.cite("wfb3:15.2-level")
    model.hero = model.hero.but(invented=recruit.invented)


def _pack(battle: Battle, unit: Unit, handlers: Recruit) -> None:
    """wfb3:15.1-pack-unit  Beasts in front, handlers behind; the first handler leads.

    Ruling: handlers stand on the beasts' bases, so that the pack keeps its ranks.
    """
    ids = tuple(f"{unit.id}.handler{n}" for n in range(1, handlers.count + 1))
    base, tall = (unit.mount or unit.profile).base, handlers.profile.height
    profile = msgspec.structs.replace(handlers.profile, base=base)
    bodies = battle.embody([base] * len(ids), None, [tall] * len(ids))
    for key in unit.models:
        battle.models[key].role = ""
    for key, body in zip(ids, bodies, strict=True):
        model = Model(key, unit.seat, unit.id, body, profile, handlers.kit, None, "handler")
        model.fight = model.fight.but(back=True)
        battle.models[key] = model
    unit.models = (*unit.models, *ids)
    unit.start = len(unit.models)
    unit.leader = ids[0]
    unit.standards = unit.standards.but(banner="")
    battle.cite("wfb3:15.1-pack-unit", "wfb3:15.1-pack-cost", *handlers.rules)

"""What a case may set of special troops, characters, baggage and magic."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army import spells
from grognard.games.wfb3.army.cards import bestiary
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given_lines
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.setup import baggage_deployment
from grognard.kernel.data import reading as read
from grognard.kernel.data import sheets

KEYS = ("trapped", "baggage")
CLOCKS = ("still_since", "worked", "supervised")
MORE = ("magic", "enchanted", "steed", "back", "battery", *CLOCKS)


def unit(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """The states of one unit or character."""
    given_lines.clocks(battle, unit, said, CLOCKS, where)
    if "battery" in said:
        unit.troops = unit.troops.but(
            battery=tuple(
                read.one_of(key, f"{where}.battery", battle.units) for key in read.words(said["battery"], where)
            )
        )
    if "steed" in said:
        unit.character = unit.character.but(
            steed=sheets.named(said["steed"], bestiary(), where, "mount", "wfb3:14.2-dismount")
        )
    if unit.models:
        model = battle.models[unit.models[0]]
        if "great_loss" in said and unit.kind == "character":
            model.hero = model.hero.but(ld_less=unit.standards.great_loss)
        if "magic" in said:
            model.hero = model.hero.but(magic=read.whole(said["magic"], f"{where}.magic"))
        if "back" in said:
            model.fight = model.fight.but(back=read.flag(said["back"], f"{where}.back"))
    for name, strength in read.mapping(said.get("enchanted") or {}, where, tuple(spells.SPELLS)).items():
        unit.spells = (*unit.spells, (name, read.whole(strength, where), battle.clock + 1))
    if said.get("hides"):
        unit.troops = unit.troops.but(hides=read.one_of(said["hides"], f"{where}.hides", battle.units))
        unit.where = "hidden"
        battle.cite("wfb3:15.2-hidden")


def whole(battle: Battle, data: dict[str, Any]) -> None:
    """What belongs to the battle: trapped woods, baggage trains."""
    pieces = [p.id for p in battle.table.pieces]
    battle.land = battle.land.but(
        trapped=tuple(
            read.one_of(key, "given.trapped", pieces) for key in read.words(data.get("trapped") or [], "given.trapped")
        )
    )
    for seat, said in read.mapping(data.get("baggage") or {}, "given.baggage", battle.seats).items():
        baggage_deployment.given(battle, seat, said, f"given.baggage.{seat}")

"""What a case may set of special troops, characters, baggage and magic."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3 import baggage, given_lines, spells
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cards import bestiary
from grognard.games.wfb3.forces import Unit
from grognard.kernel import reading as read
from grognard.kernel import sheets

KEYS = ("trapped", "baggage")
FLAGS = ("wild",)
WORDS = ("were_of", "keeper", "pillaging", "looted", "defends", "great")
CLOCKS = ("still_since", "worked", "supervised")
MORE = (
    "second_radius", "magic", "enchanted", "own_traps", "steed", "back", "great_loss", "battery", *FLAGS, *WORDS,
    *CLOCKS,
)  # fmt: skip


def unit(battle: Battle, unit: Unit, said: dict[str, Any], where: str) -> None:
    """The states of one unit or character."""
    for name in FLAGS:
        if name in said:
            setattr(unit, name, read.flag(said[name], f"{where}.{name}"))
    for name in WORDS:
        if name in said:
            setattr(unit, name, read.text(said[name], f"{where}.{name}"))
    if "great" in said:
        unit.great = read.one_of(said["great"], f"{where}.great", ("", "held", "dropped", "lost", "captured"))
    for name in CLOCKS:
        if name in said:
            setattr(unit, name, given_lines.when(battle, said[name], f"{where}.{name}"))
    for name in ("second_radius", "great_loss"):
        if name in said:
            setattr(unit, name, read.whole(said[name], f"{where}.{name}"))
    if "own_traps" in said:
        unit.own_traps = tuple(read.words(said["own_traps"], f"{where}.own_traps"))
    if "battery" in said:
        unit.battery = tuple(
            read.one_of(key, f"{where}.battery", battle.units) for key in read.words(said["battery"], where)
        )
    if "steed" in said:
        unit.steed = sheets.named(said["steed"], bestiary(), where, "mount", "wfb3:14.2-dismount")
    if unit.models:
        model = battle.models[unit.models[0]]
        if "great_loss" in said and unit.kind == "character":
            model.ld_less = unit.great_loss
        if "magic" in said:
            model.magic = read.whole(said["magic"], f"{where}.magic")
        if "back" in said:
            model.back = read.flag(said["back"], f"{where}.back")
    for name, strength in read.mapping(said.get("enchanted") or {}, where, tuple(spells.SPELLS)).items():
        unit.spells = (*unit.spells, (name, read.whole(strength, where), battle.clock + 1))
    if said.get("hides"):
        unit.hides = read.one_of(said["hides"], f"{where}.hides", battle.units)
        unit.where = "hidden"
        battle.cite("wfb3:15.2-hidden")


def whole(battle: Battle, data: dict[str, Any]) -> None:
    """What belongs to the battle: trapped woods, baggage trains."""
    pieces = [p.id for p in battle.table.pieces]
    battle.trapped = tuple(
        read.one_of(key, "given.trapped", pieces) for key in read.words(data.get("trapped") or [], "given.trapped")
    )
    for seat, said in read.mapping(data.get("baggage") or {}, "given.baggage", battle.seats).items():
        baggage.given(battle, seat, said, f"given.baggage.{seat}")

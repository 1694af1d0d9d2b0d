"""Chapters 14.2, 15, 16.2, 17: what special troops may do beside what everybody may, and what they may not."""

from __future__ import annotations

from grognard.games.wfb3.abilities.trades import Civilians
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import army_standards, riding
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hooks import AFTER_MOVE
from grognard.games.wfb3.table import baggage
from grognard.games.wfb3.troops import berserkers, looting, packs, sappers, skirmish, traps, weres
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.questions import Option, Script

KINDS = ("dismount", "remount", "traps", "palisade", "bridge", "spacing", "detach", "rejoin")


def held(battle: Battle, unit: Unit, doing: str) -> Refusal | None:
    """Why a unit may not do something just now: move, charge, shoot or make a reserve move."""
    facts = {"unit": unit.id}
    defends = unit.baggage.defends and doing in ("charge", "shoot")
    works = unit.troops.worked == battle.clock and doing in ("reserve", "charge")
    for barred, code, rule in (
        (unit.troops.wild, "wild", "wfb3:15.1-pack-wild"),
        (unit.kind == "altar", "altar", "wfb3:16.2-altar-guards"),
        (bool(unit.baggage.pillaging), "pillaging", "wfb3:17.3-pillage"),
        (battle.trait(unit, Civilians) is not None, "civilians", "wfb3:17.2-civilians"),
        (defends, "garrison", "wfb3:17.2-garrison"),
        (works, "sappers", "wfb3:15.8-teams"),
    ):
        if barred:
            return Refusal(f"refuse.special.{code}", rule, facts)
    return None


def offers(battle: Battle, unit: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """What a unit may do instead of moving, by its trade."""
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for some, others in (riding.offers(battle, unit), traps.offers(battle, unit), sappers.offers(battle, unit)):
        found += some
        barred |= others
    if unit.kind == "skirmishers":
        found.append(Option("spacing", "spacing", "option.move.spacing"))
    if looting.may_detach(battle, unit):
        found.append(Option("detach", "detach", "option.move.detach"))
    if weres.hosts(battle, unit):
        found.append(Option("rejoin", "rejoin", "option.move.rejoin"))
    return found, barred


def carry_out(battle: Battle, unit: Unit, kind: str) -> Script[None]:
    """One of these orders."""
    if kind == "dismount":
        yield from riding.dismount(battle, unit)
    elif kind == "remount":
        yield from riding.remount(battle, unit)
    elif kind == "traps":
        yield from traps.lay(battle, unit)
    elif kind == "spacing":
        yield from skirmish.space(battle, unit)
    elif kind == "detach":
        yield from looting.detach(battle, unit)
    elif kind == "rejoin":
        yield from weres.rejoin(battle, unit)
    else:
        yield from sappers.work(battle, unit, kind)


def driven(battle: Battle, unit: Unit) -> bool:
    """Whether a unit moves by itself in the compulsory part of the phase."""
    return (unit.troops.wild and not battle.engaged(unit)) or (
        berserkers.raging(battle, unit) and not unit.charge.target and not unit.indoors.storms
    )


def drive(battle: Battle, unit: Unit) -> Script[None]:
    """Wild beasts make for the edge, berserkers and weres for the enemy."""
    if unit.troops.wild:
        yield from packs.roam(battle, unit)
    else:
        before = unit.block
        berserkers.march(battle, unit, "movement")
        yield from after_move(battle, unit, before)


@AFTER_MOVE.by("special orders")
def after_move(battle: Battle, unit: Unit, before: Block | None) -> Script[None]:
    """What a finished move sets off: traps, entering a baggage train."""
    if unit.where != "table":
        return
    yield from traps.sprung(battle, unit, before)
    if unit.where != "table":
        return
    if battle.sides[unit.seat].train is not None:
        baggage.enter(battle, unit)
    looting.begin(battle, unit)
    if before is not None:
        army_standards.walk_along(battle, unit, before)


def after_combat(battle: Battle) -> None:
    """The fights of the phase are over."""
    weres.after_combat(battle)
    packs.fall_back(battle)
    packs.go_wild(battle)
    for unit in battle.here():
        if "loot" in unit.minds.panicked:
            looting.won(battle, unit, battle.other(unit.seat))
        looting.begin(battle, unit)

"""t9a:15.E  Duels between Characters and Champions."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option


def able(battle: Battle, unit: Unit) -> list[Model]:
    """Characters and Champions of a unit; War Platforms never fight duels (t9a:21.A.b.34)."""
    found = [m for m in battle.guests(unit) if m.role in ("character", "champion")]
    if any(m.profile.is_platform for m in found):
        battle.cite("t9a:21.A.b.34")
    return [m for m in found if not m.profile.is_platform]


def _fighters(battle: Battle, units: list[Unit], seat: str) -> list[Model]:
    return [m for u in units if u.seat == seat and u.where == "table" for m in able(battle, u)]


def answerers(battle: Battle, challenger: Model) -> list[Model]:
    """t9a:15.E.a, t9a:15.E.b  Enemies in units in contact with the challenger's unit who could accept."""
    home = battle.unit_of(challenger)
    return [m for foe, _, _ in battle.foes(home) for m in able(battle, foe)]


def _barred(battle: Battle, units: list[Unit]) -> dict[str, Refusal]:
    """t9a:21.A.b.34  War Platforms in units, which fight no duels."""
    platforms = [m for u in units if u.where == "table" for m in battle.guests(u) if m.profile.is_platform]
    return {m.id: Refusal("refuse.duel", "t9a:21.A.b.34", {"model": m.id}, ("t9a:15.E.a",)) for m in platforms}


def _waiting(battle: Battle, units: list[Unit], seat: str) -> dict[str, Refusal]:
    """t9a:15.E.c-duration  Who would challenge if no duel went on in this combat."""
    found = [m.id for m in _fighters(battle, units, seat) if answerers(battle, m)]
    return {k: Refusal("refuse.duel.goes-on", "t9a:15.E.c-duration", {"model": k}, ("t9a:15.E.a",)) for k in found}


def challenges(battle: Battle, units: list[Unit]) -> Script[None]:
    """t9a:15.E.a  The active player may challenge; if he does not, or is refused, the reactive player may."""
    if any(m.duel.foe for u in units if u.where == "table" for m in battle.guests(u)):
        battle.cite("t9a:15.E.c-duration")
        for seat in (battle.active, battle.reactive):
            yield Pick(
                seat, "duel.challenge", [], optional=True, barred=_waiting(battle, units, seat), rule="t9a:15.E.a"
            )
        return
    cowed = ""
    for seat in (battle.active, battle.reactive):
        fighters = _fighters(battle, units, seat)
        ready = [m for m in fighters if answerers(battle, m) and m.id != cowed]
        barred = _barred(battle, [u for u in units if u.seat == seat])
        barred |= {
            m.id: Refusal("refuse.duel.nobody", "t9a:15.E.a", {"model": m.id}) for m in fighters if m not in ready
        }
        if not barred and not ready:
            continue
        if cowed in battle.models and battle.models[cowed].seat == seat:
            barred[cowed] = Refusal("refuse.duel", "t9a:15.E.a", {"model": cowed}, ("t9a:15.E.b-refuse",))
        options = [option(m.id, m, about=(m.id,)) for m in ready]
        about = [u.id for u in units]
        challenger = yield Pick(
            seat, "duel.challenge", options, optional=True, barred=barred, rule="t9a:15.E.a", about=about
        )
        if challenger is None:
            continue
        battle.tell("duel.issued", "t9a:15.E.a", (challenger.id,))
        if challenger.duel.refused:
            challenger.duel = challenger.duel.but(refused=False)
            battle.cite("t9a:15.E.b-refuse-end")
        answer = yield from _answered(battle, challenger)
        if answer is None:
            return
        cowed = answer


def _answered(battle: Battle, challenger: Model) -> Script[str | None]:
    """t9a:15.E.b, t9a:15.E.b-refuse  Somebody accepts (None), or the challenger's player names a Character who refused.

    Ruling: only the Character named has refused; the others may challenge in their turn.
    """
    found = answerers(battle, challenger)
    other = battle.other(challenger.seat)
    taker = yield Pick(
        other,
        "duel.accept",
        [option(m.id, m, about=(m.id,)) for m in found],
        optional=True,
        barred=_barred(battle, [foe for foe, _, _ in battle.foes(battle.unit_of(challenger))]),
        rule="t9a:15.E.b",
        about=(challenger.id,),
    )
    if taker is not None:
        if taker.duel.refused:
            taker.duel = taker.duel.but(refused=False)
            battle.cite("t9a:15.E.b-refuse-end")
        challenger.duel = challenger.duel.but(foe=taker.id)
        taker.duel = taker.duel.but(foe=challenger.id)
        battle.tell("duel.accepted", "t9a:15.E.b", (taker.id, challenger.id))
        battle.cite("t9a:15.E")
        return None
    cowards = [m for m in found if m.role == "character"]
    if cowards:
        named = yield Pick(
            challenger.seat,
            "duel.shame",
            [option(m.id, m, about=(m.id,)) for m in cowards],
            rule="t9a:15.E.b-refuse",
            about=(challenger.id,),
        )
        named.duel = named.duel.but(refused=True)
        battle.tell("duel.refused", "t9a:15.E.b-refuse", (named.id, challenger.id))
        return str(named.id)
    battle.cite("t9a:15.E.b-refuse")  # Champions refuse without shame
    return ""


def end_round(battle: Battle, units: list[str]) -> None:
    """t9a:15.E.c-duration  A duel goes on only while both live and their units are engaged with each other."""
    for key in units:
        for model in [m for m in battle.models.values() if m.unit == key]:
            model.duel = model.duel.but(overkill=0)
            model.crushing = ()
            if not model.duel.foe:
                continue
            foe = battle.models[model.duel.foe]
            ours, theirs = battle.units[model.unit], battle.units[foe.unit]
            linked = any(other.id == theirs.id for other, _, _ in battle.foes(ours)) if ours.where == "table" else False
            if model.gone or foe.gone or not linked or ours.nerve.fleeing or theirs.nerve.fleeing:
                model.duel = model.duel.but(foe="")
                foe.duel = foe.duel.but(foe="")
                battle.cite("t9a:15.E.c-duration")


def end_turn(battle: Battle) -> None:
    """t9a:15.E.b-refuse-end  A refusal is forgotten at the end of the turn in which the combat ends, or nobody could
    fight him.
    """
    for model in battle.models.values():
        if not model.duel.refused:
            continue
        unit = battle.units[model.unit]
        if unit.where != "table" or not battle.engaged(unit) or not answerers(battle, model):
            model.duel = model.duel.but(refused=False)
            battle.cite("t9a:15.E.b-refuse-end")

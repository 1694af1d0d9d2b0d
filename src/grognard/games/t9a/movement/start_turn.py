"""The start of a Player Turn: what is forgotten, Hidden models that step forth, markers picked up."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.characters import joining
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import closing_up
from grognard.games.t9a.records import Charge
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.units import seating
from grognard.kernel.questions import Pick, Script, option


def refresh(battle: Battle) -> None:
    """A new Player Turn: flags of the last are forgotten; who charged into a combat not yet fought is still
    charging.
    """
    for unit in battle.units.values():
        declared, engaged = unit.charge, battle.engaged(unit)
        unit.new_turn()
        if engaged:
            unit.charge = Charge(charging=declared.charging, aims=declared.aims)
        unit.move = unit.move.but(engaged_earlier=engaged)
    for model in battle.models.values():
        model.new_turn()


def begin(battle: Battle) -> Script[None]:
    """t9a:9.E.3-pickup, t9a:21.A.b.10  Optional things at the start of a Player Turn: the active player's, then the
    other's.
    """
    if battle.cursor == 0:
        yield from hidden(battle)
        battle.cursor = 1
    if battle.cursor == 1:
        yield from objectives.start_of_turn(battle)
        battle.cursor = 2


def hosts(battle: Battle, unit: Unit) -> list[Unit]:
    """t9a:21.A.b.10  Units a Hidden model may step out of."""
    model = battle.models[unit.guests[0]]
    found = []
    for other in battle.army(unit.seat):
        if other.nerve.fleeing or other.muster.summoned or battle.rank_and_file(other) < 2 or not other.troops:
            continue
        if other.profile.base != model.profile.base or all(p.rank for p in battle.block(other).places[: other.troops]):
            continue
        if other.profile.type != model.profile.type or other.profile.size != model.profile.size:
            continue
        if _could_join(battle, model.id, other):
            found.append(other)
    return found


def _could_join(battle: Battle, key: str, unit: Unit) -> bool:
    refusal = joining.join_refusal(battle, battle.models[key], unit)
    return refusal is None or refusal.code == "refuse.join.busy"


def hidden(battle: Battle) -> Script[None]:
    """t9a:21.A.b.10, t9a:2.A.c
    At the start of any Player Turn its owner may put a Hidden model in a unit, in place of one
    of its models. The active player says what he will do, then the other, then it is done in that order.
    """
    steps: list[tuple[Unit, Unit]] = []
    for seat in (battle.active, battle.reactive):
        for unit in list(battle.units.values()):
            if unit.seat != seat or unit.where != "hidden":
                continue
            if battle.turn > 4:
                unit.where = "gone"
                battle.tell("unit.destroyed", "t9a:21.A.b.10", (unit.id,))
                continue
            found = hosts(battle, unit)
            if not found:
                continue
            host = yield Pick(
                seat,
                "hidden.appear",
                [option(u.id, u, about=(u.id,)) for u in found],
                optional=True,
                rule="t9a:21.A.b.10",
                about=(unit.id,),
            )
            if host is not None:
                steps.append((unit, host))
    if steps:
        battle.cite("t9a:2.A.c")
    for unit, host in steps:
        if host in hosts(battle, unit):
            yield from appear(battle, unit, host)


def appear(battle: Battle, unit: Unit, host: Unit) -> Script[None]:
    """t9a:21.A.b.10  In the place of one of the front rank's Rank-and-File, as his owner chooses."""
    model, block = battle.models[unit.guests[0]], battle.block(host)
    options = [seating.file_option(battle, host, f, f, rank=0) for f in block.rows[0]]
    about = (unit.id, host.id)
    file = yield Pick(unit.seat, "hidden.place", options, optional=True, aside=True, rule="t9a:21.A.b.10", about=about)
    host.troops -= 1
    closing_up.command_left(battle, host)
    joining.enter(battle, model, host, None if file is None else {model.id: (file, 0)})
    model.stuck = True
    model.effects = (*model.effects, *(e for e in host.effects if not e.key.startswith("banner:")))
    battle.tell("hidden.appeared", "t9a:21.A.b.10", (model.id, host.id))
    battle.cite("t9a:16.B.a")

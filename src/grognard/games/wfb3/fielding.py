"""Making sides, units and models of a battle from army lists and cases."""

from __future__ import annotations

import msgspec

from grognard.games.wfb3 import musters, ordnance, seating, worths
from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cards import Recruit
from grognard.games.wfb3.forces import Model, Side, Unit
from grognard.games.wfb3.profiles import HORSEMAN
from grognard.kernel.errors import BadInput


def add_side(battle: Battle, seat: str, name: str, edge: str) -> Side:
    return battle.enlist(Side(seat, name, edge))


def add_unit(battle: Battle, seat: str, unit_id: str, recruit: Recruit) -> Unit:
    """wfb3:5.3-units, 11.1-leader-required, 12.1-placement

    A unit off the table: leader, bearer and musician among its models.
    """
    if recruit.crew:
        from grognard.games.wfb3 import crews

        return crews.add_unit(battle, seat, unit_id, recruit)
    ids = (unit_id,) if recruit.count == 1 else tuple(f"{unit_id}.{n}" for n in range(1, recruit.count + 1))
    base = (recruit.mount or recruit.profile).base
    tall = HORSEMAN if recruit.mount is not None else recruit.profile.height
    bodies = battle.embody([base] * len(ids), None, [tall] * len(ids))
    roles = [""] * len(ids)
    if recruit.level:
        roles[0] = "character"
    elif recruit.count > 1:
        command = ["leader", *(["standard"] if recruit.standard else []), *(["musician"] if recruit.musician else [])]
        roles[: len(command)] = command[: len(ids)]
    models = [
        Model(model_id, seat, unit_id, body, recruit.profile, recruit.kit, recruit.mount, role)
        for model_id, body, role in zip(ids, bodies, roles, strict=True)
    ]
    unit = Unit(
        unit_id, seat, recruit.name, ids, recruit.profile, recruit.kit, recruit.mount, recruit.kind, recruit.price
    )
    unit.traits = ABILITIES.parse_all(recruit.traits)
    unit.assorted = recruit.assorted
    _mingle(unit, models, recruit)
    unit.loaded = recruit.loaded
    if recruit.level:
        models[0].level, models[0].bonus, models[0].wizard = recruit.level, recruit.bonus, recruit.wizard
        models[0].champion, models[0].gains = recruit.champion, recruit.gains
        unit.general = recruit.general
        unit.great = "held" if recruit.army_standard else ""
        unit.leader = models[0].id
    elif recruit.count > 1:
        unit.leader = models[0].id
    else:
        unit.leader = models[0].id
    unit.banner = "held" if recruit.standard and recruit.count > 1 else ""
    battle.muster(unit, models)
    battle.cite(*recruit.rules, "wfb3:3-bases", "wfb3:3.3-equipment")
    if recruit.level:
        table = "wfb3:14.4-wizard-table" if recruit.wizard else "wfb3:14.3-character-bonuses"
        battle.cite("wfb3:14-character-levels", table, "wfb3:14.5-mental-bonus", "wfb3:14.6-as-unit")
    else:
        battle.cite("wfb3:5.3.1-uniform", "wfb3:5.3.2-leader", "wfb3:13.1-command-equipment")
    for model in models:
        if model.role == "leader":
            battle.cite("wfb3:11.1-leader-required")
    musters.complete(battle, unit, recruit)
    ordnance.issue(battle, unit, recruit)
    worths.appraise(battle, unit, recruit)
    return unit


def _mingle(unit: Unit, models: list[Model], recruit: Recruit) -> None:
    """wfb3:10.2-combine, 11.1.2-unit-value  Models of other races stand last; what troubles them troubles all."""
    last = len(models)
    for profile, number in recruit.others:
        for model in models[max(1, last - number) : last]:
            model.profile, model.w = msgspec.structs.replace(profile, base=unit.profile.base), profile.W
        last -= number
        unit.traits = (*unit.traits, *(a for a in profile.abilities if a not in unit.profile.abilities))


def attach(
    battle: Battle, character: Unit, host: Unit, *, leads: bool, where: str = "", carrier: Model | None = None
) -> None:
    """wfb3:14.6.3-attach, 14.6.5-take-command  A character joins a unit, and may take command of it."""
    if character.kind not in ("character", "altar") or not character.models:
        raise BadInput("{where}: only a character joins a unit (wfb3:14.6.3-attach)", where=where)
    model = battle.models[character.models[0]]
    if model.champion and model.mount != host.mount:
        raise BadInput("{where}: a champion rides what his unit rides (wfb3:14.2-mounted-characters)", where=where)
    if host.kind in ("chariot", "monster"):
        from grognard.games.wfb3 import crews

        carrier = carrier or battle.models[host.models[0] if host.leader not in host.models else host.leader]
        if carrier.car is not None and not crews.room_for(battle, carrier, model):
            raise BadInput("{where}: there is no room aboard {host} (wfb3:20.5-capacity)", where=where, host=host.id)
        crews.board(battle, model, carrier)
        return
    model.unit = host.id
    host.models = (*host.models, model.id)
    character.models, character.where, character.block = (), "attached", None
    battle.cite("wfb3:14.6.3-attach")
    leader = battle.leader(host)
    if leads and model.profile.Ld > host.profile.Ld and (leader is None or model.profile.Ld > leader.profile.Ld):
        host.leader = model.id
        battle.cite("wfb3:14.6.5-take-command")
    if host.block is not None:
        battle.form(host, seating.settle(battle, host, host.block.files))

"""Making sides, units and models of a battle from army lists and cases."""

from __future__ import annotations

import msgspec

from grognard.games.wfb3.abilities import ABILITIES
from grognard.games.wfb3.army.cards import Recruit
from grognard.games.wfb3.army.profiles import HORSEMAN
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Side, Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.setup import model_costs, musters
from grognard.games.wfb3.table import crews, seating
from grognard.kernel.errors import BadInput


def add_side(battle: Battle, seat: str, name: str, edge: str) -> Side:
    return battle.enlist(Side(seat, name, edge))


def add_unit(battle: Battle, seat: str, unit_id: str, recruit: Recruit) -> Unit:
    """wfb3:5.3-units, wfb3:11.1-leader-required, wfb3:12.1-placement, wfb3:5.3.1-uniform,
    wfb3:13.1-command-equipment, wfb3:14.4-wizard-table
    A unit off the table: leader, bearer and musician among its models.
    """
    if recruit.crew:
        return _carriers(battle, seat, unit_id, recruit)
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
    unit.drill = unit.drill.but(assorted=recruit.assorted)
    _mingle(unit, models, recruit)
    unit.air = unit.air.but(loaded=recruit.loaded)
    if recruit.level:
        models[0].hero = models[0].hero.but(
            level=recruit.level,
            bonus=recruit.bonus,
            wizard=recruit.wizard,
            champion=recruit.champion,
            gains=recruit.gains,
        )
        unit.character = unit.character.but(general=recruit.general)
        unit.standards = unit.standards.but(great="held" if recruit.army_standard else "")
        unit.leader = models[0].id
    elif recruit.count > 1:
        unit.leader = models[0].id
    else:
        unit.leader = models[0].id
    unit.standards = unit.standards.but(banner="held" if recruit.standard and recruit.count > 1 else "")
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
    _issue(battle, unit, recruit)
    model_costs.appraise(battle, unit, recruit)
    return unit


def _mingle(unit: Unit, models: list[Model], recruit: Recruit) -> None:
    """wfb3:10.2-combine, wfb3:11.1.2-unit-value  Models of other races stand last; what troubles them troubles all."""
    last = len(models)
    for profile, number in recruit.others:
        for model in models[max(1, last - number) : last]:
            model.profile, model.w = msgspec.structs.replace(profile, base=unit.profile.base), profile.W
        last -= number
        unit.traits = (*unit.traits, *(a for a in profile.abilities if a not in unit.profile.abilities))


def attach(
    battle: Battle, character: Unit, host: Unit, *, leads: bool, where: str = "", carrier: Model | None = None
) -> None:
    """wfb3:14.6.3-attach, wfb3:14.6.5-take-command  A character joins a unit, and may take command of it."""
    if character.kind not in ("character", "altar") or not character.models:
        raise BadInput("{where}: only a character joins a unit (wfb3:14.6.3-attach)", where=where)
    model = battle.models[character.models[0]]
    if model.hero.champion and model.mount != host.mount:
        raise BadInput("{where}: a champion rides what his unit rides (wfb3:14.2-mounted-characters)", where=where)
    if host.kind in ("chariot", "monster"):
        carrier = carrier or battle.models[host.models[0] if host.leader not in host.models else host.leader]
        if carrier.ride.car is not None and not crews.room_for(battle, carrier, model):
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


def _carriers(battle: Battle, seat: str, unit_id: str, recruit: Recruit) -> Unit:
    """wfb3:18-monster-definition, wfb3:20.1-units  Beasts or cars off the table, everybody aboard."""
    ridden = recruit.level > 0
    if recruit.count == 1:
        ids: tuple[str, ...] = (f"{unit_id}.mount" if ridden else unit_id,)
    else:
        ids = tuple(f"{unit_id}.{n}" for n in range(1, recruit.count + 1))
    tall = recruit.profile.height if recruit.car is None else HORSEMAN
    bodies = battle.embody([recruit.profile.base] * len(ids), None, [tall] * len(ids))
    carriers = [
        Model(key, seat, unit_id, body, recruit.profile, recruit.kit, None, "")
        for key, body in zip(ids, bodies, strict=True)
    ]
    unit = Unit(unit_id, seat, recruit.name, ids, recruit.profile, recruit.kit, None, recruit.kind, recruit.price)
    unit.traits = ABILITIES.parse_all(recruit.traits)
    unit.standards = unit.standards.but(banner="held" if recruit.standard else "")
    unit.character = unit.character.but(general=recruit.general)
    unit.standards = unit.standards.but(great="held" if recruit.army_standard else "")
    unit.leader = ids[0]
    unit.air = unit.air.but(loaded=recruit.loaded)
    everybody = list(carriers)
    for carrier in carriers:
        members = _members(battle, seat, unit_id, carrier, recruit)
        carrier.ride = carrier.ride.but(
            crew=tuple(m.id for m in members),
            driver=members[0].id,
            howdah=recruit.howdah,
            car=recruit.car,
            team=recruit.car.beasts if recruit.car is not None else 0,
        )
        everybody += members
    if ridden:
        unit.leader = unit_id
    battle.muster(unit, everybody)
    musters.carrier(battle, unit, recruit)
    model_costs.appraise(battle, unit, recruit)
    battle.cite(*recruit.rules, "wfb3:3-bases")
    if recruit.car is None:
        battle.cite("wfb3:18-monster-definition", "wfb3:18.4.4-driver")
    else:
        battle.cite(
            "wfb3:20.3-types", "wfb3:20.5-capacity", "wfb3:20.5-crew-gear", "wfb3:20.5-driver", "wfb3:20.1-units"
        )
    return unit


def _members(battle: Battle, seat: str, unit_id: str, carrier: Model, recruit: Recruit) -> list[Model]:
    found: list[Model] = []
    for line in recruit.crew:
        for _ in range(line.count):
            key = unit_id if recruit.level and line.level else f"{carrier.id}.crew{len(found) + 1}"
            (body,) = battle.embody([line.profile.base], None, [line.profile.height])
            role = "character" if line.level else ""
            member = Model(key, seat, unit_id, body, line.profile, line.kit, None, role)
            member.ride = member.ride.but(aboard=carrier.id)
            member.hero = member.hero.but(
                level=line.level, bonus=line.bonus, wizard=line.wizard, champion=line.champion, gains=line.gains
            )
            found.append(member)
    return found


def _issue(battle: Battle, unit: Unit, recruit: Recruit) -> None:
    """wfb3:19.2-units  A unit's machines, off the table with it."""
    unit.troops = unit.troops.but(crews=recruit.crews)
    unit.fire = unit.fire.but(fire_missiles=recruit.fire_missiles, brazier=recruit.brazier)
    if unit.kind == "machine":
        battle.cite("wfb3:19.1-crew-cost", "wfb3:19.2-units")
        unit.leader = ""
        for model in battle.members(unit):
            model.role = "" if model.role == "leader" else model.role
    many: dict[str, int] = {}
    for one in recruit.machines:
        many[one.engine.kind] = many.get(one.engine.kind, 0) + 1
        alone = sum(o.engine.kind == one.engine.kind for o in recruit.machines) == 1
        name = f"{unit.id}-{one.engine.kind}" + ("" if alone else f"-{many[one.engine.kind]}")
        battle.machines[name] = Machine(name, unit.seat, unit.id, one)
        if one.engine.portable:
            battle.cite("wfb3:19.5-portable-team" if unit.kind == "team" else "wfb3:19.5-portable")

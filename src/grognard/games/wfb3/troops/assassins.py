"""Chapter 15.2: assassins: hidden among the soldiers of a unit until they strike, shoot or show themselves."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.weapons import MISSILES
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.characters import characters
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.movement import formations
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.shooting import aiming, missiles
from grognard.games.wfb3.table import indoor_fights, seating, sight
from grognard.kernel.formation.block import single
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script
from grognard.kernel.words import tally

#: wfb3:15.2-shoot
REACH = inches(8)


def hidden(battle: Battle, unit: Unit) -> list[Unit]:
    """The assassins hidden in a unit."""
    return [u for u in battle.units.values() if u.troops.hides == unit.id and u.where == "hidden"]


def hosts(battle: Battle, assassin: Unit) -> list[Unit]:
    """wfb3:15.2-hidden  Units of his race that may hide him."""
    return [
        u
        for u in battle.units.values()
        if u.seat == assassin.seat and u.kind in ("infantry", "cavalry", "skirmishers")
        and u.profile.race == assassin.profile.race and len(u.models) > 1
    ]  # fmt: skip


def assign(battle: Battle) -> Script[None]:
    """wfb3:15.2-hidden  Before the battle every assassin is assigned to a unit in secret; he is not deployed."""
    for unit in battle.units.values():
        model = battle.models.get(unit.id)
        if model is None or not model.hero.assassin or unit.where != "undeployed":
            continue
        options = [Option(h.id, h, about=(h.id,)) for h in hosts(battle, unit)]
        if not options:
            continue
        host = yield Pick(
            unit.seat, "assassin.hides", options, rule="wfb3:15.2-hidden", about=(unit.id,), secret=True,
            checkpoint=True,
        )  # fmt: skip
        conceal(battle, unit, host)


def conceal(battle: Battle, unit: Unit, host: Unit) -> None:
    unit.troops = unit.troops.but(hides=host.id)
    unit.where = "hidden"
    battle.tell("assassin.hidden", "wfb3:15.2-hidden", (unit.id, host.id), seats=(unit.seat,))


def reveal(battle: Battle, assassin: Unit, rule: str, place: Model | None = None) -> Model | None:
    """wfb3:15.2-reveal  His model takes the place of a soldier of the front rank: the one who stood for him."""
    host = battle.units[assassin.troops.hides]
    model = battle.models[assassin.id]
    soldiers = [m for m in battle.ordinary(host) if not m.role and not m.trophy] or battle.ordinary(host)
    if soldiers and host.where == "building":
        return _step_out(battle, assassin, host, soldiers, rule)
    if not soldiers or host.block is None:
        return None
    front = [m for m in soldiers if host.block.places[host.models.index(m.id)].rank == 0]
    gone = place or next(iter(front), soldiers[0])
    files = host.block.files
    gone.alive = False
    battle.lift(gone)
    host.models = tuple(m if m != gone.id else model.id for m in host.models)
    if host.leader == gone.id:
        host.leader = ""
    model.unit = host.id
    assassin.models = ()
    assassin.where = "attached"
    assassin.block = None
    assassin.troops = assassin.troops.but(hides="")
    host.start -= 1
    block = seating.settle(battle, host, files).placed(host.block.front, host.block.facing)
    battle.form(host, block)
    formations.shaped(battle, host)
    battle.cite("wfb3:15.2-hidden")
    battle.tell("assassin.revealed", rule, (model.id, host.id))
    return model


def _step_out(battle: Battle, assassin: Unit, host: Unit, soldiers: list[Model], rule: str) -> Model:
    """wfb3:15.2-reveal  Inside a building he takes the place of a soldier where it is fought."""
    there = indoor_fights.fighting(battle, host)
    model = battle.models[assassin.id]
    gone = next((m for m in soldiers if m.id in there), soldiers[0])
    gone.alive = False
    host.models = tuple(m if m != gone.id else model.id for m in host.models)
    host.indoors = host.indoors.but(
        rooms=tuple((key, tuple(model.id if m == gone.id else m for m in held)) for key, held in host.indoors.rooms)
    )
    if host.leader == gone.id:
        host.leader = ""
    model.unit = host.id
    assassin.models = ()
    assassin.where = "attached"
    assassin.block = None
    assassin.troops = assassin.troops.but(hides="")
    host.start -= 1
    battle.cite("wfb3:15.2-hidden")
    battle.tell("assassin.revealed", rule, (model.id, host.id))
    return model


def exposed(battle: Battle, host: Unit, pose: Pose | None) -> None:
    """wfb3:15.2-disguise  When the unit is destroyed its assassins are found where it stood."""
    for assassin in hidden(battle, host):
        model = battle.models[assassin.id]
        assassin.troops = assassin.troops.but(hides="")
        if pose is None:
            assassin.where = "destroyed"
            continue
        battle.form(assassin, single(seating.model_base(model), pose))
        battle.tell("assassin.revealed", "wfb3:15.2-disguise", (model.id, host.id))


def _asked(unit: Unit, what: str) -> None:
    unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, what))


def lurking(battle: Battle, seat: str, what: str) -> list[Unit]:
    """A side's hidden assassins whose player has not been asked this yet in this player turn."""
    return [
        a
        for a in battle.units.values()
        if a.where == "hidden" and a.seat == seat and what not in a.minds.panicked
        and battle.units[a.troops.hides].where in (PRESENT if what == "strike" else ("table",))
    ]  # fmt: skip


def show(battle: Battle) -> Script[None]:
    """wfb3:15.2-reveal  At the start of his movement phase an assassin may drop his disguise."""
    while hiding := lurking(battle, battle.active, "show"):
        options = [Option(f"reveal:{a.id}", a, "option.assassin.reveal", (a.id, a.troops.hides)) for a in hiding]
        chosen = yield Pick(
            battle.active, "assassin.reveal", options, optional=True, rule="wfb3:15.2-reveal", secret=True,
            checkpoint=True,
        )  # fmt: skip
        if chosen is None:
            for one in hiding:
                _asked(one, "show")
            return
        _asked(chosen, "show")
        reveal(battle, chosen, "wfb3:15.2-reveal")


def shots(battle: Battle) -> Script[None]:
    """wfb3:15.2-shoot  In the shooting phase he may step out and aim at any one model of an enemy's front rank."""
    for assassin in lurking(battle, battle.active, "shoot"):
        host = battle.units[assassin.troops.hides]
        model = battle.models[assassin.id]
        if host.rout.routed or battle.engaged(host) or not model.kit.missiles:
            continue
        options = [Option(m.id, m, about=(m.id, m.unit)) for m in aims(battle, host, model)]
        if not options:
            continue
        mark = yield Pick(
            assassin.seat, "assassin.shoot", options, optional=True, rule="wfb3:15.2-shoot", about=(assassin.id,),
            secret=True, checkpoint=True,
        )  # fmt: skip
        _asked(assassin, "shoot")
        if mark is not None and reveal(battle, assassin, "wfb3:15.2-shoot") is not None:
            yield from _shoot(battle, host, model, mark)


def aims(battle: Battle, host: Unit, model: Model) -> list[Model]:
    """wfb3:15.2-shoot  Models in enemy front ranks within 8", in arc and line of sight."""
    found: list[Model] = []
    block = battle.block_of(host)
    front = [p for p in block.places if p.rank == 0]
    for foe in battle.enemies(host):
        if battle.gap(host, foe) > REACH + EPS:
            continue
        others = sight.blockers(battle, host, foe, [], [])
        for place in battle.block_of(foe).places:
            if place.rank:
                continue
            mark = battle.models[foe.models[place.number]]
            near = [p for p in front if gap(p.outline, place.outline) <= REACH + EPS]
            if any(
                sight.in_arc(p, place.outline, battle.mounted(host)) and sight.from_place(battle, host, p, foe, others)
                for p in near
            ):
                found.append(mark)
    return found


def _shoot(battle: Battle, host: Unit, model: Model, mark: Model) -> Script[None]:
    target = battle.units[mark.unit]
    weapon = MISSILES[model.kit.missiles[0]]
    place = battle.block_of(host).places[host.models.index(model.id)]
    made = aiming.shot(battle, host, place, model, target, weapon, mark=mark)
    if made is None:
        battle.tell("shoot.volley", "wfb3:15.2-shoot", (model.id, mark.id), weapon=weapon.name, shots=0, out_of_range=1)
        return
    battle.tell("shoot.volley", "wfb3:15.2-shoot", (model.id, mark.id), weapon=weapon.name, shots=1, out_of_range=0)
    yield from missiles.resolve(battle, host, target, weapon, made, 1, mark)


def strikes(battle: Battle) -> Script[None]:
    """wfb3:15.2-strike  Before any challenge: an assassin of an engaged unit may fall on any model of the enemy's.

    Ruling: the two fight each other alone for this round; afterwards he stands in the front rank.
    """
    for seat in (battle.active, battle.passive):
        for assassin in lurking(battle, seat, "strike"):
            host = battle.units[assassin.troops.hides]
            options = [
                Option(m.id, m, about=(m.id, m.unit))
                for foe, _, _ in battle.foes(host)
                if foe.seat != host.seat
                for m in battle.members(foe)
                if not m.hero.stalked and m.role != "altar"
            ]
            if not options:
                continue
            mark = yield Pick(
                seat, "assassin.strike", options, optional=True, rule="wfb3:15.2-strike", about=(assassin.id,),
                secret=True, checkpoint=True,
            )  # fmt: skip
            _asked(assassin, "strike")
            model = reveal(battle, assassin, "wfb3:15.2-strike") if mark is not None else None
            if model is not None:
                model.hero = model.hero.but(stalked=mark.id)
                mark.hero = mark.hero.but(stalked=model.id)
                battle.tell("assassin.strikes", "wfb3:15.2-strike", (model.id, mark.id))


def pair_off(battle: Battle, fight: Sequence[Unit]) -> None:
    """wfb3:15.2-strike  Assassins and those they fell upon fight each other, whatever challenges there are."""
    for model in [m for unit in fight for m in battle.members(unit)]:
        rival = battle.models.get(model.hero.stalked)
        if rival is not None and rival.alive and rival.hero.stalked == model.id:
            model.fight = model.fight.but(duel=rival.id)
            rival.fight = rival.fight.but(duel=model.id)
            rival.hero = rival.hero.but(stalked="")
        model.hero = model.hero.but(stalked="")


def rallies(battle: Battle) -> Script[None]:
    """wfb3:15.2-rout  In a routed unit an assassin may rally by himself, on his own Ld.

    Ruling: one who is still hidden shows himself by it.
    """
    for unit in battle.army(battle.active):
        inside = [m for m in battle.characters(unit) if m.hero.assassin and unit.kind != "character"]
        inside += [battle.models[a.id] for a in hidden(battle, unit)]
        for model in inside if unit.rout.routed and unit.rout.routed_at != battle.clock else []:
            home = battle.units[model.home]
            if "rally" in home.minds.panicked:
                continue
            options = [Option("try", True, "option.assassin.rally"), Option("stay", False, "option.assassin.stay")]
            wants = yield Pick(
                unit.seat, "assassin.rally", options, optional=True, nay="stay", rule="wfb3:15.2-rout",
                about=(model.id, unit.id), secret=True, checkpoint=True,
            )  # fmt: skip
            _asked(home, "rally")
            if not wants:
                continue
            value = tally.Tally(model.profile.Ld, "Ld", "wfb3:15.2-rout")
            passed = yield from tests.against(battle, home, value, "test.rally", "wfb3:15.2-rout", (unit.id,))
            if not passed or (home.where == "hidden" and reveal(battle, home, "wfb3:15.2-rout") is None):
                continue
            spot = characters.beside(battle, unit, model)
            if spot is not None:
                characters.released(battle, unit, model, spot)
                home.rout = home.rout.but(routed=False)
                battle.tell("rallied", "wfb3:15.2-rout", (home.id,))


def losses(battle: Battle, unit: Unit) -> None:
    """wfb3:15.2-disguise  While others are left the dead are always others: he cannot be picked out."""
    if hidden(battle, unit):
        battle.cite("wfb3:15.2-disguise")

"""What screens draw of a battle; see kernel/scene.py."""

from __future__ import annotations

import msgspec

from grognard.games.wfb3.army import cardsheet
from grognard.games.wfb3.battle import BEFORE, PHASES, Battle
from grognard.games.wfb3.forces import Model, Side, Unit
from grognard.games.wfb3.screen import machines_and_rooms
from grognard.games.wfb3.screen.view import names
from grognard.games.wfb3.setup import victory
from grognard.games.wfb3.table import terrain
from grognard.games.wfb3.troops import secrets
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.screen import scene as draw
from grognard.kernel.words.tally import Tally


def scene(battle: Battle, seat: str | None) -> draw.Scene:
    """Everything on the table."""
    called = names(battle)
    unknown = secrets.unknown(battle, seat)
    shown = [model for model in battle.models.values() if model.id not in unknown]
    sheets = {model.id: _printed(battle, model) for model in shown}
    cards = draw.keyed(sheets.values(), lambda sheet: sheet.profile.name)
    table = battle.table
    return draw.Scene(
        draw.Board(table.width, table.height, "inch", MM_PER_INCH),
        draw.clock(battle.turn, battle.phase, PHASES, battle.active if battle.turn else None, battle.limit, BEFORE),
        tuple(msgspec.structs.replace(side, score=_score(battle, side.id, seat)) for side in sides(battle, seat)),
        tuple(
            draw.terrain(p, called[p.id], terrain.kind(p).ground, (), machines_and_rooms.fires(battle, p.id))
            for p in table.pieces
        ),
        tuple(_model(battle, model, called[model.id], cards[sheets[model.id]]) for model in shown),
        tuple(_unit(battle, unit, seat) for unit in battle.units.values() if unit.id not in unknown),
        _zones(battle),
        machines_and_rooms.tokens(battle),
        {key: cardsheet.card(sheet, key) for sheet, key in cards.items()},
    )


def _zones(battle: Battle) -> tuple[draw.Zone, ...]:
    """wfb3:25.1-zone, wfb3:2.2-sections  Where armies stand; before that the sections that get their terrain."""
    if battle.phase == "terrain":
        every = enumerate(victory.sections(battle), 1)
        return tuple(draw.box(f"section:{n}", "section", at, section=n) for n, at in every)
    placed = ((s.id, s.zone) for s in battle.sides.values() if s.zone is not None)
    return tuple(draw.box(f"zone:{side}", "deployment", zone, side) for side, zone in placed)


def sides(battle: Battle, seat: str | None = None) -> tuple[draw.Player, ...]:
    """wfb3:24-points  The players with what their armies cost, as far as is known; the score is reckoned apart."""
    held = enumerate(battle.sides.values())
    return tuple(_side(side, place, secrets.price(battle, side, seat)) for place, side in held)


def _side(side: Side, place: int, points: float) -> draw.Player:
    army = draw.count("army", Tally(points, "army", "wfb3:24-points"))
    return draw.Player(side.id, side.name, place, (), (army,))


def _score(battle: Battle, side: str, seat: str | None) -> tuple[draw.Count, ...]:
    """wfb3:26.2-winner  What a side would score if the battle ended now, so far as a seat knows who is there."""
    if not battle.turn:
        return ()
    known = battle if battle.outcome else secrets.known(battle, seat)
    return (draw.count("points", victory.score(known, side)),)


def _model(battle: Battle, model: Model, name: str, card: str) -> draw.Figure:
    shown = draw.states(
        leader=model.role == "leader",
        standard=model.role == "standard",
        musician=model.role == "musician",
        character=model.role == "character",
        dead=not model.alive,
        duel=bool(model.fight.duel),
        refused=model.fight.refused,
    )
    return draw.Figure(
        model.id,
        name,
        model.seat,
        model.unit,
        card,
        draw.stand(battle.pose(model)) if model.on_table else None,
        draw.foot(battle.base(model)),
        model.profile.height,
        draw.Wounds(max(0, model.w), model.profile.W),
        shown,
    )


def _forces(battle: Battle, unit: Unit, seat: str | None) -> tuple[draw.Said, ...]:
    """wfb3:25.2.1-advance-secret, wfb3:25.2.3-reserve-force
    With which force a unit comes; its own side knows before."""
    side = battle.sides[unit.seat]
    if seat not in (None, unit.seat):
        return draw.states(undeployed=unit.where in ("undeployed", "held"))
    if unit.where == "undeployed" and unit.id in side.advance:
        return draw.states(undeployed=True, advance=True)
    force = next((f for f in side.reserves if unit.id in f.units), None)
    if unit.where == "held" and force is not None:
        return (draw.said("reserve", "wfb3:25.2.3-reserve-force", edge=force.edge, turn=force.turn),)
    return draw.states(undeployed=unit.where == "undeployed")


def _unit(battle: Battle, unit: Unit, seat: str | None) -> draw.Troop:
    shown = draw.states(
        attached=unit.where == "attached",
        destroyed=unit.where == "destroyed",
        gone=unit.where == "fled",
        disordered=unit.combat.disordered,
        routed=unit.rout.routed,
        pursuing=bool(unit.rout.pursuing),
        frenzied=unit.minds.frenzied,
        stupid=unit.minds.stupid,
        quarrel=bool(unit.minds.quarrel),
        moved=unit.march.moved == battle.clock,
        charged=unit.charge.charged == battle.clock,
        engaged=battle.engaged(unit),
        crossing=bool(unit.drill.split),
        square=unit.drill.formation == "square",
        shield_wall=unit.drill.formation == "shield-wall",
        spearhead=unit.drill.formation == "wedge",
        missile_wedge=unit.drill.formation == "missile-wedge",
        single_file=unit.drill.formation == "file",
        mixed=bool(unit.drill.mixed),
        testudo=unit.drill.formation == "testudo",
        leaderless=unit.where == "table" and battle.leader(unit) is None,
        banner_lost=unit.standards.banner in ("lost", "captured"),
        airborne=unit.air.height > 0,
        amok=any(m.ride.amok for m in battle.members(unit)),
        unhitched=not unit.chariot.hitched,
        loaded=unit.air.loaded,
    )
    shown = (*_forces(battle, unit, seat), *shown)
    block = unit.block
    shape = None if block is None else draw.Formation(block.files, block.ranks)
    outline = None if block is None or block.seats else block.boundary.corners
    tags = tuple(t.text for t in battle.traits(unit))
    return draw.Troop(unit.id, unit.name, unit.seat, unit.models, shape, outline, shown, tags)


def _printed(battle: Battle, model: Model) -> cardsheet.Printed:
    beast = model.ride.car.team if model.ride.car is not None else model.mount
    engines = tuple(dict.fromkeys(m.engine for m in battle.machines.values() if m.unit == model.home))
    crew = engines if model.role != "character" else ()
    return cardsheet.Printed(model.profile, model.kit, beast, crew, model.hero.spells, model.mount is not None)

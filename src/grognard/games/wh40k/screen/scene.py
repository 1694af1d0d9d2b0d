"""What screens draw of a Warhammer 40,000 battle; see kernel/scene.py. Declared formations stay out until both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.games.wh40k.army.profiles import Profile, Weapon
from grognard.games.wh40k.battle import BEFORE, PHASES, ROUNDS, Battle
from grognard.games.wh40k.forces import Marker, Model, Side, Unit
from grognard.games.wh40k.mission.objectives import RANGE
from grognard.games.wh40k.screen.view import names
from grognard.games.wh40k.setup.battle_formations import RULE
from grognard.games.wh40k.table.ground import MARKER
from grognard.games.wh40k.terrain import NO_END, floors
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.screen import scene as draw

CELLS = ("M", "T", "Sv", "W", "Ld", "OC")
COLUMNS = tuple(f"stat.{name}" for name in ("name", "range", "A", "skill", "S", "AP", "D", "abilities"))


#: A card: a profile, the datasheet it stands on, and the weapons carried.
Printed = tuple[Profile, str, tuple[Weapon, ...]]


def scene(battle: Battle, seat: str | None) -> draw.Scene:
    """wh40k:18.2-roster, wh40k:19.4-formations
    Everything on the table; of what is declared in secret one's own only."""
    called = names(battle)
    cards = draw.keyed((_printed(battle, model) for model in battle.models.values()), lambda card: card[0].name)
    table = battle.table
    return draw.Scene(
        draw.Board(table.width, table.height, "inch", MM_PER_INCH),
        draw.clock(battle.round, battle.phase, PHASES, battle.active, ROUNDS, BEFORE),
        sides(battle, called),
        tuple(
            draw.terrain(piece, called[piece.id], "no-end" if piece.kind in NO_END else "", floors(piece))
            for piece in table.pieces
        ),
        tuple(
            _model(battle, model, called[model.id], cards[_printed(battle, model)]) for model in battle.models.values()
        ),
        tuple(_unit(battle, unit, seat) for unit in battle.units.values()),
        _zones(battle),
        tuple(_token(marker, called[marker.id]) for marker in battle.markers),
        {key: _card(profile, weapons, key) for (profile, _, weapons), key in cards.items()},
    )


def _printed(battle: Battle, model: Model) -> Printed:
    """A model's profile, the datasheet it stands on, and its weapons."""
    return model.profile, battle.units[model.home].sheet.name, model.weapons


def sides(battle: Battle, called: Mapping[str, str]) -> tuple[draw.Player, ...]:
    """The players with their numbers."""
    found = enumerate(battle.sides.values())
    return tuple(_side(battle, side, called.get(side.id, side.id), place) for place, side in found)


def _side(battle: Battle, side: Side, name: str, place: int) -> draw.Player:
    shown = draw.states(attacker=battle.attacker == side.id and side.zone is not None, first=battle.first == side.id)
    score, pools = (draw.count("vp", side.vp),), (draw.count("cp", side.cp),)
    return draw.Player(side.id, name, place, score, pools, shown if battle.round else shown[:1])


def _model(battle: Battle, model: Model, name: str, card: str) -> draw.Figure:
    shown = draw.states(
        warlord=battle.sides[model.seat].warlord == model.home and model.has("CHARACTER"), dead=not model.alive,
        allocated=model.allocated,
    )  # fmt: skip
    if model.weapons:
        shown += (draw.said("armed", "wh40k:1.4", weapons=list(dict.fromkeys(w.item for w in model.weapons))),)
    return draw.Figure(
        model.id, name, model.seat, model.unit, card, draw.stand(battle.pose(model)) if model.on_table else None,
        draw.foot(battle.bodies.base(model.body)), model.profile.tall, draw.Wounds(model.w, model.profile.W), shown,
    )  # fmt: skip


def _unit(battle: Battle, unit: Unit, seat: str | None) -> draw.Troop:
    turn, phase = unit.turn, unit.phase
    shown = draw.states(
        reserves=unit.where == "reserves", undeployed=unit.where == "undeployed", attached=unit.where == "attached",
        destroyed=unit.where == "destroyed", hover=unit.hover, shocked=unit.shocked,
        stationary=turn.moved == "stationary", moved=turn.moved == "normal", advanced=turn.moved == "advance",
        fell_back=turn.moved == "fall-back", arrived=turn.arrived, charged=turn.charged, fought=phase.fought,
        engaged=unit.where == "table" and battle.engaged(unit), gone_to_ground=phase.gone_to_ground, smoke=phase.smoke,
    )  # fmt: skip
    if unit.where == "embarked" and unit.transport is not None:
        shown += (draw.said("embarked", transport=unit.transport),)
    if unit.leader is not None:
        shown += (draw.said("led", leader=unit.leader),)
    shown += (*_load(battle, unit), *(_declared(battle, unit) if unit.seat == seat else ()))
    return draw.Troop(
        unit.id, unit.name, unit.seat, unit.models, states=shown,
        tags=tuple(dict.fromkeys(keyword for m in battle.members(unit) for keyword in m.keywords)),
    )  # fmt: skip


def _load(battle: Battle, unit: Unit) -> tuple[draw.Said, ...]:
    """wh40k:5.1-capacity  What a TRANSPORT carries."""
    if not unit.sheet.capacity or unit.where == "destroyed":
        return ()
    aboard, rule = [u.id for u in battle.aboard(unit)], "wh40k:5.1-capacity"
    if aboard:
        return (draw.said("laden", rule, capacity=unit.sheet.capacity, aboard=aboard),)
    return (draw.said("room", rule, capacity=unit.sheet.capacity),)


def _declared(battle: Battle, unit: Unit) -> tuple[draw.Said, ...]:
    """wh40k:19.4-formations  What its player has declared of a unit, before it is revealed."""
    found = []
    for kind, key, answer in battle.plans[unit.seat]:
        if key == unit.id and answer:
            told = kind in ("lead", "embark")  # else the answer itself is what is declared
            facts = {"target": answer} if told else {}
            found.append(draw.said(f"declared-{kind if told else answer}", RULE, **facts))
    return tuple(found)


def _zones(battle: Battle) -> tuple[draw.Zone, ...]:
    """wh40k:20.7-zones, wh40k:20.3-range, wh40k:11.4.4-aura  Deployment zones, what markers reach, auras of models."""
    found = [draw.box(f"zone:{s.id}", "deployment", s.zone, s.id) for s in battle.sides.values() if s.zone is not None]
    found += [draw.disc(f"zone:{m.id}", "objective", m.x, m.y, RANGE + MARKER, m.control) for m in battle.markers]
    for model in battle.on_table():
        reach = max((trait.aura for trait in model.profile.traits), default=0.0)
        if reach:
            x, y, *_ = battle.pose(model)
            wide = inches(reach) + battle.bodies.base(model.body).reach
            found.append(draw.disc(f"aura:{model.id}", "aura", x, y, wide, model.seat, model=model.id))
    return tuple(found)


def _token(marker: Marker, name: str) -> draw.Token:
    return draw.Token(marker.id, "objective", name, marker.x, marker.y, MARKER, marker.control)


def _card(profile: Profile, weapons: Sequence[Weapon], key: str) -> draw.Card:
    """wh40k:1.4  The part of a datasheet that is about one kind of model, and the weapons of those armed alike."""
    values = {
        "M": "-" if profile.M is None else f'{profile.M}"', "Sv": f"{profile.printed('Sv')}+",
        "Ld": f"{profile.printed('Ld')}+",
    }  # fmt: skip
    cells = [draw.Cell(f"stat.{n}", values.get(n) or profile.printed(n)) for n in CELLS]
    if profile.invulnerable < 7:
        cells.append(draw.Cell("stat.invulnerable", f"{profile.invulnerable}+"))
    return draw.Card(
        key, profile.name, tuple(cells),
        (*_arms("ranged", [w for w in weapons if not w.melee]), *_arms("melee", [w for w in weapons if w.melee])),
        tuple(draw.Special(trait.text, trait.rule) for trait in profile.traits),
        profile.keywords,
    )  # fmt: skip


def _arms(kind: str, weapons: list[Weapon]) -> tuple[draw.Grid, ...]:
    rows = tuple(
        (
            w.name, "-" if w.melee else f'{w.range:g}"', str(w.attacks), f"{w.skill}+" if w.skill else "-",
            str(w.strength), w.printed_ap, str(w.damage), draw.printed(w.abilities),
        )
        for w in weapons
    )  # fmt: skip
    return (draw.Grid(f"grid.{kind}", COLUMNS, rows),) if rows else ()

"""What screens draw of a Némésis battle; see kernel/scene.py. There are no secrets to keep (view.py)."""

from __future__ import annotations

from grognard.games.nemesis.abilities.spell_book import BOOK
from grognard.games.nemesis.army.profiles import STATS, Card
from grognard.games.nemesis.battle import BEFORE, PHASES, Battle
from grognard.games.nemesis.forces import Marker, Model, Side, Unit
from grognard.games.nemesis.magic.spells import spell_of
from grognard.games.nemesis.screen.view import names
from grognard.games.nemesis.setup import deployment_zones, missions
from grognard.games.nemesis.table.terrain import movement_class
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.screen import scene as draw
from grognard.kernel.words.tally import Tally

#: How tall a point of size is drawn; nemesis:5.3 compares sizes only.
SIZE = cm(1)
RANGED = ("name", "F", "DT", "P", "thrown", "abilities")
MELEE = ("name", "F", "HC", "A", "reach", "abilities")
SPELLS = ("name", "difficulty", "range_cm", "tags", "effect")


def scene(battle: Battle, seat: str | None) -> draw.Scene:
    """nemesis:13.1-markers  Everything lies open to every seat."""
    called = names(battle)
    cards = draw.keyed((model.card for model in battle.models.values()), lambda card: card.name)
    table = battle.table
    return draw.Scene(
        draw.Board(table.width, table.height, "cm", MM_PER_CM),
        draw.clock(battle.turn, battle.phase, PHASES, battle.acting, missions.last_turn(battle), BEFORE),
        sides(battle),
        tuple(
            draw.terrain(piece, called[piece.id], movement_class(piece), shown=_spells_on(battle, piece.id))
            for piece in table.pieces
        ),
        tuple(_model(battle, model, called[model.id], cards[model.card]) for model in battle.models.values()),
        tuple(_unit(battle, unit) for unit in battle.units.values()),
        _zones(battle),
        tuple(_token(battle, marker, called[marker.id]) for marker in battle.markers if not marker.destroyed),
        {key: _card(battle, card, key) for card, key in cards.items()},
    )


def _zones(battle: Battle) -> tuple[draw.Zone, ...]:
    """nemesis:8.3-zones  Whose are whose, and those that can still be chosen."""
    owned = [(side.id, side.zone) for side in battle.sides.values() if side.zone is not None]
    return (
        *(draw.box(f"zone:{seat}", "deployment", zone, seat) for seat, zone in owned),
        *(
            draw.box(deployment_zones.drawn(name), "free", zone, zone=name)
            for name, zone in deployment_zones.free(battle).items()
        ),
    )


def sides(battle: Battle) -> tuple[draw.Player, ...]:
    """The players with their numbers."""
    counts = missions.score(battle)
    return tuple(_side(battle, side, place, counts) for place, side in enumerate(battle.sides.values()))


def _side(battle: Battle, side: Side, place: int, counts: dict[str, float]) -> draw.Player:
    """nemesis:11, chapter A3  The mission's count, the initiative of the turn and the command points left."""
    heroes = battle.heroes(side.id)
    left = Tally(0, "command", "nemesis:13.2-refill")
    for hero in heroes:
        left.add(hero.pc_left, hero.id, "nemesis:5.1-PC")
    pools = (
        ()
        if battle.phase in BEFORE
        else (
            draw.count("initiative", Tally(side.initiative, "command test", "nemesis:11")),
            draw.count("command", left, sum(hero.card.PC for hero in heroes)),
        )
    )
    what = missions.SCENARIOS[battle.scenario]
    kind = "manuscripts" if what.manuscripts else "commanders" if what.head else "points"
    return draw.Player(side.id, side.name, place, (draw.count(kind, counts[side.id]),), pools)


def _spells_on(battle: Battle, target: str) -> tuple[draw.Said, ...]:
    """nemesis:14.2-target-unit  Spells that lie on something."""
    found = [(e, spell_of(e)) for e in battle.enchantments if e.target == target]
    return tuple(
        draw.said("spell", spell.rule, spell=spell.name, until=e.until) if e.until
        else draw.said("spell-lasting", spell.rule, spell=spell.name)
        for e, spell in found
    )  # fmt: skip


def _model(battle: Battle, model: Model, name: str, card: str) -> draw.Figure:
    side = battle.sides[model.seat]
    shown = draw.states(
        commander=side.commander == model.id, champion=model.champion, summoned=model.summoned, hidden=model.hidden,
        lost=model.doomed, mad=model.mad, engaged=model.on_table and battle.engaged(model), moved=model.moved,
        shot=model.shot, charged=model.charged, cast=model.magic.cast, hypnotised=model.hypnotised_by,
        dead=battle.turn > 0 and not model.on_table,
    )  # fmt: skip
    if model.card.is_mage and model.card.stones:
        shown += (draw.said("stones", stones=model.magic.stones),)
    return draw.Figure(
        model.id, name, model.seat, model.unit, card, draw.stand(battle.pose(model)) if model.on_table else None,
        draw.foot(battle.bodies.base(model.body)), model.card.size * SIZE, draw.Wounds(model.s, model.s_start),
        shown + _spells_on(battle, model.id),
    )  # fmt: skip


def _unit(battle: Battle, unit: Unit) -> draw.Troop:
    """nemesis:13.1-markers, nemesis:A1.5-hidden
    Orders lie beside the unit, face up; who hides all together says so once."""
    hides = [model.hidden for model in battle.standing(unit)]
    shown = draw.states(
        hidden=bool(hides) and all(hides), defending=unit.defending, shaken=unit.shaken,
        timid=bool(unit.timid_turn) and unit.timid_turn == battle.turn,
        pursuing=bool(unit.pursuit_turn) and unit.pursuit_turn == battle.turn, fleeing=unit.fleeing,
        stunned=unit.stunned, engaged=battle.engaged(unit), wiped=unit.wiped,
    )  # fmt: skip
    for order in unit.orders:
        if order.action == "reaction" and unit.reaction is not None:
            continue  # told below
        code = "order-done" if order.done else "order"
        at = {"target": order.target} if order.target else {}
        shown += (draw.said(code if at else f"{code}-alone", action=order.action, **at),)
    if unit.reaction is not None:
        shown += (draw.said("reaction", action=unit.reaction.kind),)
    return draw.Troop(
        unit.id, unit.name, unit.seat, unit.models, states=shown + _spells_on(battle, unit.id),
        tags=("regiment",) if unit.regiment else ("single",),
    )  # fmt: skip


def _token(battle: Battle, marker: Marker, name: str) -> draw.Token:
    """nemesis:A3.1-carry  A manuscript is where its bearer is."""
    bearer = battle.models.get(marker.bearer or "")
    owner = None if bearer is None else bearer.seat
    x, y = marker.x, marker.y
    if bearer is not None and bearer.on_table:
        x, y, *_ = battle.pose(bearer)
    return draw.Token(marker.id, "manuscript", name, x, y, 0.0, owner, marker.bearer)


def _card(battle: Battle, card: Card, key: str) -> draw.Card:
    """nemesis:3.2, chapter 5.1  The reference sheet, with the spells its bearers know."""
    learnt = dict.fromkeys(key for m in battle.models.values() if m.card is card for key in m.magic.spells)
    fly = ("fly",) if card.fly is not None else ()
    return draw.Card(
        key, card.name, draw.cells(card, ("M", *fly, *STATS[1:], "size", "cost")),
        (
            *draw.grid("ranged", card.ranged, RANGED), *draw.grid("melee", card.melee, MELEE),
            *draw.grid("spells", [BOOK[key] for key in learnt if key in BOOK], SPELLS),
        ),
        tuple(draw.Special(trait.text, trait.rule) for trait in card.traits),
        tuple(tag for tag in (card.type, card.faction, card.race, *card.keywords) if tag),
    )  # fmt: skip

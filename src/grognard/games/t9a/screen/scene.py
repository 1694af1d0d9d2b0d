"""What screens draw of a battle; see kernel/scene.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from grognard.games.t9a.army.gear import Shooting
from grognard.games.t9a.army.profiles import Part, Profile
from grognard.games.t9a.army.spells import spell
from grognard.games.t9a.battle import BEFORE, PHASES, TURNS, Battle
from grognard.games.t9a.forces import Model, Side, Unit
from grognard.games.t9a.magic import spell_notes as notes
from grognard.games.t9a.scoring import objectives, victory
from grognard.games.t9a.screen.view import hidden_from, known_items, names
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.units import MM_PER_INCH, inches
from grognard.kernel.screen import scene as draw
from grognard.kernel.words.tally import Tally

#: t9a:5.A  What a profile prints, in its order.
GLOBAL = ("adv", "mar", "dis")
DEFENSIVE = ("hp", "defence", "res", "arm")
OFFENSIVE = ("name", "att", "off", "strength", "ap", "agi", "weapons", "attributes")
SHOOTING = ("name", "range", "shots", "strength", "ap", "aim", "attributes")
SPELLS = ("name", "value", "range", "duration", "types", "effect")
MARKER = 12.5
Cards = dict[tuple[str, ...], str]


def scene(battle: Battle, seat: str | None) -> draw.Scene:
    """Everything on the table."""
    called = names(battle)
    every = [sheet for unit in battle.units.values() for sheet in _sheets(battle, unit, seat)]
    sheets = {sheet.key: sheet for sheet in every}
    cards = draw.keyed(sheets, lambda known: sheets[known].profile.name)
    table = battle.table
    return draw.Scene(
        draw.Board(table.width, table.height, "inch", MM_PER_INCH),
        draw.clock(battle.turn, battle.phase, PHASES, battle.active if battle.turn else None, TURNS, BEFORE),
        tuple(
            msgspec.structs.replace(side, score=(*_score(battle, battle.sides[side.id], seat), *side.score))
            for side in sides(battle)
        ),
        tuple(draw.terrain(piece, called[piece.id], piece.kind, ()) for piece in table.pieces),
        tuple(figure for unit in battle.units.values() for figure in _figures(battle, unit, called, cards, seat)),
        tuple(_unit(battle, unit, cards, seat) for unit in battle.units.values()),
        tuple(_zones(battle)),
        tuple(_tokens(battle, called)),
        {key: _card(battle, sheets[known], key) for known, key in cards.items()},
    )


class Sheet(NamedTuple):
    """What makes a card: a profile, and the spells its bearer knows."""

    profile: Profile
    spells: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        return (self.profile.fingerprint, *self.spells)


def _sheets(battle: Battle, unit: Unit, seat: str | None) -> Iterator[Sheet]:
    if unit.troops or unit.where == "gone":
        yield Sheet(unit.profile)
    yield from (_sheet(battle, model, seat) for model in battle.guests(unit))


def _sheet(battle: Battle, model: Model, seat: str | None) -> Sheet:
    """t9a:13.B, t9a:13.J, t9a:8.E.a
    A model with the spells it knows and those bound in what it carries, unless that is
    hidden.
    """
    bound = () if hidden_from(battle, seat, model.seat) else tuple(key for key, _, _ in model.magic.bound)
    return Sheet(model.profile, tuple(dict.fromkeys((*model.magic.spells, *bound))))


def sides(battle: Battle) -> tuple[draw.Player, ...]:
    """The players with what they hold; Victory Points are reckoned apart."""
    return tuple(_side(battle, side, place) for place, side in enumerate(battle.sides.values()))


def _side(battle: Battle, side: Side, place: int) -> draw.Player:
    """t9a:13.F, 9.E.1"""
    pools = [draw.count("army", Tally(side.points, "army", "t9a:8.A.a"), side.limit)]
    if battle.phase == "magic":
        pools.append(draw.count("magic-dice", side.dice))
    pools.append(draw.count("veil-tokens", side.tokens))
    control = (draw.count("control", side.control),) if battle.turn and battle.objective == 1 else ()
    shown = draw.states(
        first=battle.first == side.id and battle.turn > 0, attacker=side.role == "attacker",
        defender=side.role == "defender",
    )  # fmt: skip
    return draw.Player(side.id, side.name, place, control, tuple(pools), shown)


def _score(battle: Battle, side: Side, seat: str | None) -> tuple[draw.Count, ...]:
    """t9a:18.A, t9a:18.C
    What the battle would give if it ended now, and what it gave; what units of a hidden list cost
    stays hidden.
    """
    earned = victory.earned(battle, side.id)
    found = () if earned is None else (draw.count("battle-points", earned),)
    if not battle.turn or hidden_from(battle, seat, battle.other(side.id)):
        return found
    return (*found, draw.count("victory-points", victory.victory_points(battle, side.id)))


# ---------------------------------------------------------------------- models and units


def _figures(
    battle: Battle, unit: Unit, called: dict[str, str], cards: Cards, seat: str | None
) -> Iterator[draw.Figure]:
    """t9a:3.B.d  The Rank-and-File, the next to go having lost what the pool has lost; then whoever has a pool."""
    places = unit.block.places if unit.block is not None else ()
    full = unit.profile.hp
    for number in range(unit.troops):
        key = f"{unit.id}.{number + 1}"
        hurt = unit.lost if number == unit.troops - 1 else 0
        pose = _stand(places[number].pose) if places else None
        yield draw.Figure(
            key, called[key], unit.seat, unit.id, cards[Sheet(unit.profile).key], pose, draw.foot(unit.profile.base),
            0.0, draw.Wounds(full - hurt, full),
        )  # fmt: skip
    for index, model in enumerate(battle.guests(unit)):
        pose = _stand(places[unit.troops + index].pose) if places else None
        yield _guest(battle, unit, model, called[model.id], cards[_sheet(battle, model, seat).key], pose, seat)


def _guest(
    battle: Battle, unit: Unit, model: Model, name: str, card: str, pose: draw.Stand | None, seat: str | None
) -> draw.Figure:
    shown = draw.states(
        general=model.general, battle_standard=model.bsb, champion=model.role == "champion",
        character=model.role == "character", wizard=bool(model.magic.spells), duel=bool(model.duel.foe),
        refused=model.duel.refused,
    )  # fmt: skip
    carried = known_items(battle, model, seat) if hidden_from(battle, seat, model.seat) else list(model.items)
    items = tuple(draw.said("item", item=item) for item in carried)
    return draw.Figure(
        model.id, name, model.seat, unit.id, card, pose, draw.foot(model.profile.base), 0.0,
        draw.Wounds(model.hp, model.hp_start), (*shown, *items),
    )  # fmt: skip


def _stand(pose: Pose) -> draw.Stand:
    return draw.Stand(round(pose.x, 3), round(pose.y, 3), pose.facing, pose.level)


def _unit(battle: Battle, unit: Unit, cards: Cards, seat: str | None) -> draw.Troop:
    here = unit.where == "table"
    shown = draw.states(
        undeployed=unit.where == "undeployed", joined=unit.where == "joined", reserve=unit.where in ("reserve", "away"),
        gone=unit.where == "gone", fleeing=unit.nerve.fleeing, shaken=here and battle.is_shaken(unit),
        afraid=unit.nerve.afraid, engaged=here and battle.engaged(unit), charging=unit.charge.charging,
        marched=unit.move.marched, moved=unit.move.moved and not unit.move.marched, reformed=unit.move.reformed,
        shot=unit.this_phase.shot, rallied=unit.move.rallied,
        musician=unit.command.musician, standard=unit.command.standard, bears_marker=bool(unit.scoring.marker),
        scoring=here and objectives.scoring(battle, unit),
    )  # fmt: skip
    spells = tuple(draw.said("under", effect.rule, what=effect.name or effect.key) for effect in unit.effects)
    block = unit.block
    shape = None if block is None or block.is_round else draw.Formation(block.files, block.ranks)
    outline = None if block is None or block.is_round else tuple((x, y) for x, y in block.boundary.corners)
    models = (*(f"{unit.id}.{number + 1}" for number in range(unit.troops)), *unit.guests)
    banners = [b for b in unit.command.banner if b in unit.shown or not hidden_from(battle, seat, unit.seat)]
    tags = (unit.profile.size, unit.profile.type, *banners)
    card = cards[Sheet(unit.profile).key] if unit.where == "gone" else ""
    return draw.Troop(unit.id, unit.name, unit.seat, models, shape, outline, (*shown, *spells), tags, card)


# ---------------------------------------------------------------------- the ground and the cards


def _zones(battle: Battle) -> Iterator[draw.Zone]:
    """t9a:9.D, t9a:9.E.1, t9a:9.E.6  Deployment Zones, and what is held."""
    for side in battle.sides.values():
        if side.zone:
            yield draw.area(f"zone:{side.id}", "deployment", side.zone, side.id)
    if battle.objective == 1:
        yield draw.disc("zone:centre", "centre", battle.table.width / 2, battle.table.height / 2, inches(6))
    if battle.objective == 6:
        for counter in battle.counters:
            yield draw.disc(f"zone:{counter.id}", "objective", counter.x, counter.y, inches(6))


def _tokens(battle: Battle, called: dict[str, str]) -> Iterator[draw.Token]:
    for counter in battle.counters:
        bearer = battle.units.get(counter.bearer or "")
        at = bearer.block.centre if bearer is not None and bearer.block is not None else (counter.x, counter.y)
        yield draw.Token(counter.id, "marker", called[counter.id], *at, MARKER, counter.seat, counter.bearer)


def _card(battle: Battle, sheet: Sheet, key: str) -> draw.Card:
    """t9a:5.A, t9a:13.G.a
    Global and defensive values, then the offensive ones of every part, what it shoots with and what
    it casts.
    """
    profile, spells = sheet.profile, [spell(known, battle.lore) for known in sheet.spells]
    cast = [notes.Row(known, version) for known in spells for version in known.versions]
    shoots: list[Shooting] = [weapon for part in profile.parts for weapon in part.shooting]
    parts: list[Part] = list(profile.parts)
    suit = [*([profile.suit] if profile.suit else []), *(["Shield"] if profile.shield else [])]
    return draw.Card(
        key, profile.name, (*draw.cells(profile, GLOBAL), *draw.cells(profile, DEFENSIVE)),
        (
            *draw.grid("parts", parts, OFFENSIVE), *draw.grid("shooting", shoots, SHOOTING),
            *draw.grid("spells", cast, SPELLS),
        ),
        tuple(draw.Special(trait.text, trait.rule) for trait in profile.traits),
        (profile.size, profile.type, *suit),
    )  # fmt: skip

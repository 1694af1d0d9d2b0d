"""What screens draw of a battle; see kernel/scene.py. Of a pile the opponent sees the backs only, as in view.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from shapely.geometry import box as rectangle

from grognard.games.ades.abilities import STATS, parse
from grognard.games.ades.army.profiles import Power, Profile
from grognard.games.ades.army.profiles import shown as allegiance
from grognard.games.ades.battle import BEFORE, NEUTRAL, PHASES, Battle
from grognard.games.ades.forces import ACTIVATED, ACTIVE, Card, Fighter, Side, Thing
from grognard.games.ades.mystics import casting
from grognard.games.ades.scenarios import scenarios
from grognard.games.ades.screen.view import names, pile, reserve, troop
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import MM_PER_CM, cm
from grognard.kernel.screen import scene as draw
from grognard.kernel.words.tally import Tally

#: ades:9.2.8, 12.3  How large tokens without a base are drawn.
TOKEN = cm(1)
WEAPONS = ("name", "force", "range", "kind")
POWERS = ("name", "action", "effect", "range", "area", "duration")
FORMULAS = ("name", "cost", "level", "effect", "elements", "range", "area", "duration")
#: The states of fighters that are told of their card, too.
GLANCE = ("routed", "hidden", "vigilant", "engaged", "activated")
Print = tuple[str, tuple[str, ...], tuple[tuple[str, int], ...], tuple[str, ...]]


def scene(battle: Battle, seat: str | None) -> draw.Scene:
    """ades:4.1.4-visibility  Everything on the table lies open; the order of face-down cards does not."""
    called = names(battle)
    weapons = [thing for thing in battle.things.values() if thing.profile is not None]
    bearers: list[Fighter | Thing] = [*battle.fighters.values(), *weapons]
    cards = draw.keyed((_printed(bearer) for bearer in bearers), lambda printed: printed[0])
    shown = {cards[_printed(bearer)]: bearer for bearer in bearers}
    table = battle.table
    return draw.Scene(
        draw.Board(table.width, table.height, "cm", MM_PER_CM),
        draw.clock(battle.turn, battle.phase, PHASES, battle.speaker or None, battle.turns, BEFORE),
        sides(battle, called),
        tuple(_ground(battle, piece, called[piece.id]) for piece in table.pieces),
        tuple(_model(battle, f, called[f.id], cards[_printed(f)]) for f in battle.fighters.values()),
        (
            *(_unit(battle, card, called[card.id], seat)
              for card in battle.cards.values() if card.fighters and not card.capability),
            *(_weapon(battle, thing, called[thing.id], cards[_printed(thing)], seat) for thing in weapons),
            *_summoned(battle, called),
        ),
        (*_deployment(battle), *_reaches(battle)),
        tuple(
            _token(battle, thing, called[thing.id])
            for thing in battle.things.values() if thing.alive and thing.placed and not thing.piece
        ),
        {key: _card(battle, bearer, key) for key, bearer in shown.items()},
    )  # fmt: skip


def _printed(bearer: Fighter | Thing) -> Print:
    """What makes two reference cards different: the profile and what was bought for it."""
    if isinstance(bearer, Thing):
        assert bearer.profile is not None
        return bearer.profile.name, bearer.profile.skills, (), ()
    return bearer.profile.name, bearer.names, bearer.formulas, bearer.artefacts


def sides(battle: Battle, called: Mapping[str, str]) -> tuple[draw.Player, ...]:
    """Chapter 9.2.3  The players, and after them those who fight for nobody."""
    found = [_side(battle, side, place) for place, side in enumerate(battle.sides.values())]
    if NEUTRAL in called:
        found.append(draw.Player(NEUTRAL, called[NEUTRAL], len(found)))
    return tuple(found)


def _side(battle: Battle, side: Side, place: int) -> draw.Player:
    """ades:4.1.3-refusal-gain  Points won, tactical points, refusals, cards to come."""
    pools = (
        draw.count("pt", side.pt), draw.count("refusals", side.refusals),
        draw.count("pile", Tally(len(side.pile), "cards of the pile", "ades:4.1.3-pile")),
        draw.count("reserve", Tally(len(side.reserve), "cards of the reserve", "ades:4.1.3-reserve")),
    )  # fmt: skip
    most = scenarios.threshold(battle) or None
    shown = draw.states(
        tactician=battle.tactician == side.id, dominant=battle.dominant == side.id, conceded=side.conceded
    )
    return draw.Player(side.id, side.name, place, (draw.count("ps", side.ps, most),), pools, shown)


def _ground(battle: Battle, piece: Piece, name: str) -> draw.Ground:
    """ades:9.2.6-stats  What it does to movement, and the life points of what has some."""
    movement = "impassable" if piece.has("impassable") else "encumbered" if piece.has("encumbered") else ""
    lives = [_life(thing) for thing in battle.things.values() if thing.piece == piece.id and thing.alive]
    return draw.terrain(piece, name, movement, shown=tuple(state for found in lives for state in found))


def _life(thing: Thing) -> tuple[draw.Said, ...]:
    return (draw.said("life", "ades:9.2.6-stats", left=thing.pv, start=thing.start_pv),) if thing.start_pv else ()


def _effects(battle: Battle, target: str) -> tuple[draw.Said, ...]:
    """ades:8.4-duration  What lies on a fighter."""
    return tuple(
        draw.said("effect", e.rule, effect=e.name, until=e.until) if e.until
        else draw.said("effect-lasting", e.rule, effect=e.name)
        for e in battle.effects if e.target == target
    )  # fmt: skip


def _states(battle: Battle, fighter: Fighter) -> dict[str, object]:
    """ades:4.1.3-fighter-state  What holds of a fighter, by the code of the state."""
    side = battle.sides.get(fighter.seat)
    return {
        "commander": side is not None and side.commander == fighter.id, "dead": not fighter.alive,
        "routed": fighter.fear.routed, "hidden": fighter.hidden,
        "wounded": fighter.alive and battle.wounded(fighter),
        "engaged": fighter.on_table and battle.foes_of(fighter), "active": fighter.state == ACTIVE,
        "activated": fighter.state == ACTIVATED, "vigilant": fighter.stance.vigilant, "dodging": fighter.stance.dodging,
        "charged": fighter.stance.charged, "charger": fighter.assault.charger,
        "fought": fighter.melee.fought, "fury": fighter.melee.fury,
        "catalyst": fighter.recital.catalyst, "dying": fighter.marks.dying, "bereft": fighter.marks.bereft,
    }  # fmt: skip


def _model(battle: Battle, fighter: Fighter, name: str, card: str) -> draw.Figure:
    """ades:4.1.3-fighter-state  Where it stands, and what it has done and suffered."""
    here = fighter.on_table
    shown = draw.states(**_states(battle, fighter))
    level = battle.pose(fighter).level if here else 0
    if level:
        shown += (draw.said("level", level=level),)
    if fighter.aboard:
        shown += (draw.said("aboard", transport=fighter.aboard),)
    if fighter.summons.summoner:
        shown += (draw.said("summoned", summoner=fighter.summons.summoner),)
    if casting.kind_of(battle, fighter):
        shown += (draw.said("um", um=fighter.powers.um),)
    if fighter.marks.toxic:
        shown += (draw.said("toxic", strengths=", ".join(map(str, fighter.marks.toxic))),)
    return draw.Figure(
        fighter.id, name, fighter.seat, troop(fighter), card, draw.stand(battle.pose(fighter)) if here else None,
        draw.foot(battle.base(fighter)), fighter.profile.height, draw.Wounds(fighter.pv, fighter.profile.pv),
        shown + _effects(battle, fighter.id),
    )  # fmt: skip


def _unit(battle: Battle, card: Card, name: str, seat: str | None) -> draw.Troop:
    """ades:4.1.3-pile  A reference card and those it stands for; where it lies shows to those who may know."""
    own = tuple(key for key in card.fighters if troop(battle.fighters[key]) == card.id)
    fighters = [battle.fighters[key] for key in own]
    shown = _whereabouts(battle, card, seat) + _in_common(battle, fighters)
    return draw.Troop(card.id, name, card.seat, own, states=shown, tags=_tags(*(f.profile for f in fighters)))


def _in_common(battle: Battle, fighters: Sequence[Fighter]) -> tuple[draw.Said, ...]:
    """ades:4.1.3-fighter-state  What is to be known of the fighters of a card at a glance: of all, or of how many."""
    holds = [_states(battle, fighter) for fighter in fighters if fighter.on_table]
    found: list[draw.Said] = []
    for code in GLANCE:
        number, most = sum(bool(held[code]) for held in holds), len(holds)
        if number:
            some = draw.said(f"{code}-some", number=number, most=most)
            found.append(draw.said(code) if number == most else some)
    return tuple(found)


def _whereabouts(battle: Battle, card: Card, seat: str | None) -> tuple[draw.Said, ...]:
    """ades:4.1.4-visibility  Where a card lies, to those who may know."""
    shown = draw.states(playing=battle.speech.card == card.id)
    side = battle.sides.get(card.seat)
    if side is not None:
        own = seat in (None, side.id)
        places = pile(battle, side, own)
        if card.id in places:
            shown += (draw.said("pile", place=places.index(card.id) + 1),)
        shown += draw.states(reserve=card.id in reserve(battle, side, own))
    return shown


def _tags(*profiles: Profile) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for p in profiles for tag in (p.army, *p.classes) if tag))


def _weapon(battle: Battle, thing: Thing, name: str, card: str, seat: str | None) -> draw.Troop:
    """ades:10.2.2  A war weapon has a card like a troop; on the table it is a token."""
    assert thing.profile is not None
    places = _whereabouts(battle, battle.cards[thing.id], seat) if thing.id in battle.cards else ()
    shown = draw.states(destroyed=not thing.alive, undeployed=thing.alive and not thing.placed) + places + _life(thing)
    return draw.Troop(thing.id, name, thing.seat, (), states=shown, tags=_tags(thing.profile), card=card)


def _summoned(battle: Battle, called: Mapping[str, str]) -> list[draw.Troop]:
    """ades:8.10-activation  Those who were summoned are on their summoner's card, but are no mystics themselves."""
    found: dict[str, list[Fighter]] = {}
    for fighter in battle.fighters.values():
        if fighter.summons.summoner:
            found.setdefault(troop(fighter), []).append(fighter)
    return [
        draw.Troop(key, called[key], fighters[0].seat, tuple(f.id for f in fighters), tags=_tags(fighters[0].profile))
        for key, fighters in found.items()
    ]


# ---------------------------------------------------------------------- zones and tokens


def _deployment(battle: Battle) -> list[draw.Zone]:
    """ades:9.1.4  A box, or all that lies far enough from one."""
    found = []
    for side in battle.sides.values():
        if side.zone and side.zone[0] == "box":
            found.append(draw.box(f"zone:{side.id}", "deployment", side.zone[1:5], side.id))
        elif side.zone:
            rings = _beyond(side.zone[1:], battle.table.width, battle.table.height)
            for number, ring in enumerate(rings, 1):
                key = f"zone:{side.id}" if number == 1 else f"zone:{side.id}:{number}"
                found.append(draw.area(key, "deployment", ring, side.id))
    return found


@lru_cache(maxsize=64)
def _beyond(zone: tuple[float, ...], width: float, height: float) -> tuple[tuple[draw.Point, ...], ...]:
    """ades:9.1.4.2  The table without what lies near a box; a hole is joined to the edge by a cut."""
    x, y, w, h, away = zone
    left: Any = rectangle(0, 0, width, height).difference(rectangle(x, y, x + w, y + h).buffer(away))
    rings = []
    for polygon in getattr(left, "geoms", (left,)):
        ring = list(polygon.exterior.coords)
        for hole in polygon.interiors:
            turned = hole.is_ccw == polygon.exterior.is_ccw
            ring += [*(reversed(hole.coords) if turned else hole.coords), ring[0]]
        if len(ring) > 2:
            rings.append(tuple((round(px, 3), round(py, 3)) for px, py in ring[:-1]))
    return tuple(rings)


def _reaches(battle: Battle) -> list[draw.Zone]:
    """ades:9.2.7-zone, ades:12.3  Where objectives are held, and how far a nexus reaches."""
    found = []
    for thing in battle.things.values():
        if not (thing.alive and thing.placed):
            continue
        if thing.nexus is not None:
            wide = cm(thing.nexus.zone) + _radius(battle, thing)
            found.append(draw.disc(f"zone:{thing.id}", "nexus", thing.x, thing.y, wide, thing.seat or None))
        elif thing.kind == "objective" and thing.piece:
            found.append(draw.area(f"zone:{thing.id}", "objective", battle.table.piece(thing.piece).points))
        elif thing.kind == "objective":
            found.append(draw.disc(f"zone:{thing.id}", "objective", thing.x, thing.y, thing.radius))
    return found


def _radius(battle: Battle, thing: Thing) -> float:
    return TOKEN if thing.body < 0 else battle.bodies.base(thing.body).half_width


def _token(battle: Battle, thing: Thing, name: str) -> draw.Token:
    """ades:9.2.8, ades:10.2.2, ades:12.3  A carried token is where its bearer is."""
    bearer = battle.fighters.get(thing.bearer)
    x, y = thing.x, thing.y
    if bearer is not None and bearer.on_table:
        x, y, *_ = battle.pose(bearer)
    shown = draw.states(bulky=thing.bulky, complex=thing.complex, crewed=thing.crew) + _life(thing)
    if thing.charges:
        shown += (draw.said("charges", charges=thing.charges),)
    owner = thing.seat or (bearer.seat if bearer is not None else None)
    return draw.Token(thing.id, thing.kind, name, x, y, _radius(battle, thing), owner, thing.bearer or None, shown)


# ---------------------------------------------------------------------- cards


def _card(battle: Battle, bearer: Fighter | Thing, key: str) -> draw.Card:
    """ades:1.1.2  The reference card, with what was bought for it."""
    profile = bearer.profile
    assert profile is not None
    _, skills, formulas, artefacts = _printed(bearer)
    powers = battle.library.powers
    learnt = [powers[name] for name, _ in formulas if name in powers]
    borne = [powers[name] for name in artefacts if name in powers]
    return draw.Card(
        key, profile.name, _cells(profile),
        (
            *draw.grid("weapons", profile.weapons, WEAPONS),
            *_powers("abilities", profile.abilities), *_powers("capabilities", profile.capabilities),
            *draw.grid("formulas", learnt, FORMULAS), *_powers("artefacts", borne),
        ),
        tuple(draw.Special(text, parse(text).rule) for text in dict.fromkeys(skills)),
        tuple(dict.fromkeys(
            tag for tag in (profile.army, allegiance(profile.path), profile.size, *profile.classes,
                            *profile.affiliations, *artefacts) if tag
        )),
    )  # fmt: skip


def _cells(profile: Profile) -> tuple[draw.Cell, ...]:
    """ades:1.1.2.2, ades:1.1.2.9  Characteristics as printed: MOU of a flyer has both values."""
    found = [draw.Cell(f"stat.{name}", f"{profile.stats[name]:g}") for name in STATS if name in profile.stats]
    if profile.air and "MOU" in profile.stats:
        found[0] = draw.Cell("stat.MOU", f"{profile.stats['MOU']:g}/{profile.air:g}")
    return (*found, *draw.cells(profile, ("pui", "pv", "rank", "val")))


def _powers(what: str, powers: Sequence[Power]) -> tuple[draw.Grid, ...]:
    return draw.grid(what, powers, POWERS)

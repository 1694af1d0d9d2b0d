"""What a seat may know, as plain data. The order of the opponent's face-down cards is secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.forces import Card, Fighter, Side, Thing
from grognard.games.ades.turn import tactical_phase
from grognard.kernel.state.records import seen
from grognard.kernel.state.views import facts, plain

FIGHTER_FACTS = (
    "name", "card", "val", "names", "artefacts", "formulas", "pv", "alive", "on_table", "hidden", "state", "recall",
    "aboard", "stands",
)  # fmt: skip
SIDE_FACTS = (
    "name", "army", "path", "format", "affiliation", "commander", "bereaved", "pt", "refusals", "uses", "spoken",
    "authority", "ps", "killed", "conceded", "recalled", "unique",
)  # fmt: skip
THING_FACTS = (
    "kind", "name", "seat", "res", "pv", "start_pv", "alive", "placed", "charges", "used", "crew", "servants", "bearer",
    "bulky", "complex", "scored",
)  # fmt: skip


def view(battle: Battle, seat: str | None) -> dict[str, Any]:
    """ades:4.1.4-visibility  Everything on the table; of the opponent's pile only the backs, and what lies face up.

    Ruling: tokens of traps lie on the table for all to see; they are hidden only for the rules.
    """
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "turns": battle.turns,
        "phase": battle.phase,
        "acting": battle.speaker or None,
        "tactician": battle.tactician,
        "dominant": battle.dominant,
        "house": dict(battle.house),
        "table": {"width": battle.table.width, "height": battle.table.height},
        "terrain": [
            {"id": p.id, "kind": p.kind, "points": [list(c) for c in p.points], "sight": p.sight, "height": p.height,
             "traits": list(p.traits)} for p in battle.table.pieces
        ],
        "sides": {side.id: _side(battle, side, seat) for side in battle.sides.values()},
        "units": {c.id: _card(c) for c in battle.cards.values()},
        "models": {f.id: _fighter(battle, f) for f in battle.fighters.values()},
        "things": {t.id: _thing(battle, t) for t in battle.things.values()},
        "markers": [{"id": t.id, "x": t.x, "y": t.y} for t in battle.things.values() if t.alive and t.placed],
        "effects": [plain(e) for e in battle.effects],
        "combats": [list(c.everyone) for c in battle.combats],
        "outcome": plain(battle.outcome),
        "names": dict(names(battle)),
    }  # fmt: skip


def _side(battle: Battle, side: Side, seat: str | None) -> dict[str, Any]:
    own = seat is None or seat == side.id
    cards = {"pile": pile(battle, side, own), "reserve": reserve(battle, side, own)}
    return facts(side, SIDE_FACTS) | cards | {"zone": plain(side.zone)}


def pile(battle: Battle, side: Side, own: bool) -> list[str | None]:
    """ades:4.1.4-visibility  The pile from its top: cards one may know, None for a back."""
    return [
        key if own or key == battle.speech.card or tactical_phase.face_up(battle, battle.cards[key]) else None
        for key in side.pile
    ]


def reserve(battle: Battle, side: Side, own: bool) -> list[str | None]:
    """A card that was played before it came to the reserve has been seen; one laid there by Temporisation has not."""
    played = [
        key for key in side.reserve if any(battle.fighters[f].stance.vigilant for f in battle.cards[key].fighters)
    ]
    return [
        key if own or key in played or tactical_phase.face_up(battle, battle.cards[key]) else None
        for key in side.reserve
    ]


def _card(card: Card) -> dict[str, Any]:
    return {"side": card.seat, "name": card.name, "models": list(card.fighters), "capability": card.capability}


def _fighter(battle: Battle, fighter: Fighter) -> dict[str, Any]:
    pose = battle.pose(fighter)
    where = {"x": pose.x, "y": pose.y, "facing": pose.facing, "level": pose.level} if fighter.on_table else None
    base = battle.base(fighter)
    return (
        facts(fighter, FIGHTER_FACTS)
        | seen(fighter, own=True)
        | {
            "side": fighter.seat,
            "unit": fighter.card,
            "profile": fighter.profile.name,
            "pose": where,
            "base": base.width,
            "square": bool(base.shape),
            "pui": fighter.profile.pui,
            "rank": fighter.profile.rank,
            "stats": dict(fighter.profile.stats),
        }
    )


def _thing(battle: Battle, thing: Thing) -> dict[str, Any]:
    return facts(thing, THING_FACTS) | {"x": thing.x, "y": thing.y}


def imagine(battle: Battle, seat: str) -> Battle:
    """ades:4.1.4-visibility  The opponent's face-down cards are taken to lie in the order they were mustered."""
    for side in battle.sides.values():
        if side.id == seat:
            continue
        known = [
            key for key in side.pile if key == battle.speech.card or tactical_phase.face_up(battle, battle.cards[key])
        ]
        open_ = {n: key for n, key in enumerate(side.pile) if key in known}
        rest = iter([key for key in battle.cards if key in side.pile and key not in open_.values()])
        side.pile = tuple(open_[n] if n in open_ else next(rest) for n in range(len(side.pile)))
    return battle


def troop(fighter: Fighter) -> str:
    """The troop a fighter is shown with: its card, or others of its kind that were summoned by the same."""
    return f"{fighter.summons.summoner}:{fighter.profile.name}" if fighter.summons.summoner else fighter.card


#: Where the number of a thing begins: token2 is called token 2.
_NUMBERED = re.compile(r"(?<=[a-z])(?=\d+$)|-")


def names(battle: Battle) -> Mapping[str, str]:
    """The display name of every seat, card, fighter, thing and piece of scenery."""
    found = {side.id: side.name for side in battle.sides.values()}
    if any(fighter.seat == NEUTRAL for fighter in battle.fighters.values()):
        found[NEUTRAL] = "neutral fighters"
    for card in battle.cards.values():
        found[card.id] = card.name
    for fighter in battle.fighters.values():
        found[fighter.id] = fighter.name
        if fighter.summons.summoner:
            found[troop(fighter)] = fighter.profile.name
    for thing in battle.things.values():
        found.setdefault(thing.id, thing.name if thing.kind in ("nexus", "weapon") else _NUMBERED.sub(" ", thing.id))
    for piece in battle.table.pieces:
        found.setdefault(piece.id, piece.id.replace("-", " "))
    return found

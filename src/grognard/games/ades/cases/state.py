"""Everything a case may expect of a fighter, side, thing or the battle, by name, in cm."""

from __future__ import annotations

from typing import Any

from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.forces import Fighter, Side, Thing
from grognard.games.ades.screen.view import FIGHTER_FACTS, SIDE_FACTS, THING_FACTS, troop
from grognard.kernel.data.reading import CM
from grognard.kernel.errors import BadInput
from grognard.kernel.state.records import seen
from grognard.kernel.state.views import facts, plain


def state(battle: Battle, thing: str) -> dict[str, Any]:
    """Every field of a thing."""
    if thing == "battle":
        return _battle(battle)
    if thing in battle.fighters:
        return _fighter(battle, battle.fighters[thing])
    if thing in battle.sides:
        return _side(battle.sides[thing])
    if thing in battle.things:
        return _thing(battle, battle.things[thing])
    if thing in battle.cards:
        return {"fighters": list(battle.cards[thing].fighters), "shared": list(battle.cards[thing].shared)}
    if thing == NEUTRAL:
        return {"fighters": [f.id for f in battle.army(NEUTRAL)]}
    if called := [f for f in battle.fighters.values() if f.summons.summoner and troop(f) == thing]:
        return {"fighters": [f.id for f in called]}
    for piece in battle.table.pieces:
        if piece.id == thing:
            return {"kind": piece.kind, "height": CM.shown(piece.height)[0], "traits": list(piece.traits)}
    known = ", ".join(["battle", *battle.sides, *battle.fighters, *battle.things])
    raise BadInput("there is no {thing} here; there are {known}", thing=thing, known=known)


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "scenario": battle.scenario,
        "turn": battle.turn,
        "turns": battle.turns,
        "phase": battle.phase,
        "speaker": battle.speaker,
        "tactician": battle.tactician,
        "dominant": battle.dominant,
        "over": battle.outcome is not None,
        "outcome": plain(battle.outcome),
        "effects": [f"{e.name}: {e.target}" for e in battle.effects],
        "fighters": [f.id for f in battle.on_table()],
        "pieces": [p.id for p in battle.table.pieces],
    }


def _fighter(battle: Battle, fighter: Fighter) -> dict[str, Any]:
    pose = battle.pose(fighter)
    here = fighter.on_table
    return (
        facts(fighter, FIGHTER_FACTS)
        | seen(fighter, own=True)
        | {
            "side": fighter.seat,
            "profile": fighter.profile.name,
            "at": CM.shown(pose.x, pose.y) if here else None,
            "level": pose.level,
            "facing": pose.facing,
            "wounded": battle.wounded(fighter),
            "touches": [f.id for f in battle.contacts(fighter)],
            "free": battle.free(fighter),
            "pui": fighter.profile.pui,
            "effects": [e.name for e in battle.effects if e.target == fighter.id],
            "tokens": [t.id for t in battle.things.values() if t.bearer == fighter.id],
        }
    )


def _side(side: Side) -> dict[str, Any]:
    return facts(side, SIDE_FACTS) | {"pile": list(side.pile), "reserve": list(side.reserve)}


def _thing(battle: Battle, thing: Thing) -> dict[str, Any]:
    return facts(thing, THING_FACTS) | {"at": CM.shown(thing.x, thing.y)}

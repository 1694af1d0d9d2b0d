"""Chapter 9.2.2  Scenario tokens: taking, stealing and putting them down."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.table import hidden
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import heading
from grognard.kernel.questions import Pick, Script, option

SEIZE = "ades:9.2.2-seize"
NONE = Refusal("", SEIZE)
#: The sides of a base on which something small is laid, in degrees from its facing.
SIDES = {"front": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}


def carried(battle: Battle, fighter: Fighter) -> list[Thing]:
    """ades:9.2.2-control  The tokens a fighter carries, and so controls."""
    return [t for t in battle.things.values() if t.kind == "token" and t.bearer == fighter.id]


def reach(battle: Battle, fighter: Fighter, *, complex_: bool) -> list[Thing]:
    """ades:9.2.2-seize, ades:9.2.2-complex  Tokens in contact, or carried by a friend in contact (Ruling)."""
    found = []
    for token in battle.things_of("token"):
        hard = token.complex and not any(mark in token.experts for mark in battle.marks(fighter))
        if hard != complex_ or token.bearer == fighter.id or battle.pose(fighter).level:
            continue
        if token.bearer:
            bearer = battle.fighters[token.bearer]
            if bearer.seat == fighter.seat and bearer in battle.contacts(fighter):
                found.append(token)
        elif battle.touches_thing(fighter, token):
            found.append(token)
    return found


def _may(battle: Battle, fighter: Fighter, complex_: bool) -> Refusal | None:
    """ades:9.2.2-capacity  Why a fighter takes no token: none near, or its hands are full."""
    found = reach(battle, fighter, complex_=complex_)
    facts = {"fighter": fighter.id}
    if not found:
        if not complex_ and reach(battle, fighter, complex_=True):
            return Refusal("refuse.token-complex", "ades:9.2.2-complex", facts, (SEIZE,))
        far = any(token.kind == "token" for token in battle.things.values()) and not complex_
        return Refusal("refuse.no-token", SEIZE, facts) if far else NONE
    if fighter.summons.summoner:
        return Refusal("refuse.summoned-token", "ades:9.2.4", facts, (SEIZE,))
    if len(carried(battle, fighter)) >= fighter.profile.pui:
        return Refusal("refuse.token-capacity", "ades:9.2.2-capacity", facts, (SEIZE,))
    return None


def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _may(battle, fighter, False)


def possible_complex(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    return _may(battle, fighter, True)


def seize(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:9.2.2-seize  Take a token; whoever does is hidden no more."""
    found = [*reach(battle, fighter, complex_=False), *reach(battle, fighter, complex_=True)]
    token: Thing = yield Pick(
        fighter.seat, "token.which", [option(t.id, t, about=(t.id,)) for t in found], rule=SEIZE, about=(fighter.id,)
    )
    take(battle, fighter, token, SEIZE)
    if token.complex:
        battle.cite("ades:9.2.2-complex")
    return "done"


def take(battle: Battle, fighter: Fighter, token: Thing, rule: str) -> None:
    token.bearer = fighter.id
    battle.cite("ades:9.2.2-control", "ades:9.2.2-capacity", *(("ades:9.2.2-bulky",) if token.bulky else ()))
    battle.tell("token.taken", rule, (fighter.id, token.id))
    hidden.reveal(battle, fighter, "ades:9.2.2-hidden")


def may_drop(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    """ades:9.2.2-drop  At the start of the activation; later it is its end."""
    return None if carried(battle, fighter) else NONE


def _early(fighter: Fighter) -> bool:
    """Whether a fighter has done nothing yet that is more than getting ready."""
    return all(d in ("drop", "spend", "steam") or d.startswith("no-") for d in fighter.activation.done)


def drop(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:9.2.2-drop  Put down one token or more; free. Whoever has done something else has done enough then."""
    found = carried(battle, fighter)
    chosen = yield Pick(
        fighter.seat, "token.drop", [option(t.id, t, about=(t.id,)) for t in found], least=0, most=len(found),
        rule="ades:9.2.2-drop", about=(fighter.id,),
    )  # fmt: skip
    chosen = chosen if isinstance(chosen, tuple) else ((chosen,) if chosen else ())
    for token in chosen:
        token.bearer = ""
        _lay(battle, fighter, token, "front")
        battle.tell("token.dropped", "ades:9.2.2-drop", (fighter.id, token.id))
    for token in chosen:
        side = yield Pick(
            fighter.seat, "token.where", [option(s, text=f"option.{s}") for s in SIDES], optional=True,
            rule="ades:9.2.2-drop", about=(fighter.id, token.id),
        )  # fmt: skip
        if side is not None:
            _lay(battle, fighter, token, side)
    if not chosen:
        return "held"
    return "done" if _early(fighter) else "over"


def _lay(battle: Battle, fighter: Fighter, token: Thing, side: str) -> None:
    """A token lies against a side of a base, on the table."""
    pose, r = battle.pose(fighter), battle.base(fighter).half_width
    ux, uy = heading(pose.facing + SIDES[side])
    token.x = min(max(pose.x + ux * r, 0.0), battle.table.width)
    token.y = min(max(pose.y + uy * r, 0.0), battle.table.height)


def offer_drop(battle: Battle, fighter: Fighter, when: str) -> Script[None]:
    acted = any(kind != "rout" for kind in fighter.activation.done)
    if carried(battle, fighter) and fighter.seat in battle.seats and acted:
        yield from drop(battle, fighter)

"""Chapter 1.1.8  Life points lost and regained, death, and everything that ends or begins with it."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import ACTIVATED, Card, Fighter, Thing
from grognard.games.ades.scenarios import game_end
from grognard.games.ades.tactics import command
from grognard.kernel.citing import cites
from grognard.kernel.elsewhere import elsewhere
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.moving.rims import ring_of
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.questions import Roll, Script

DEAD = "ades:1.1.8-dead"


def lose(
    battle: Battle,
    fighter: Fighter,
    lost: int,
    rule: str,
    *,
    by: Fighter | None = None,
    killers: Sequence[Fighter] = (),
) -> Script[None]:
    """ades:1.1.8-pv, ades:13.2-acharne  One damage point is one life point; at 0 the fighter is eliminated."""
    if lost <= 0 or not fighter.alive:
        return
    if fighter.marks.dying:
        battle.cite("ades:13.2-acharne")
        return
    fighter.pv = max(0, fighter.pv - lost)
    battle.cite("ades:1.1.8-pv")
    battle.tell("pv.lost", rule, (fighter.id,), lost=lost, left=fighter.pv)
    if fighter.pv:
        if 2 * fighter.pv <= fighter.profile.pv and not fighter.profile.machine:
            battle.cite("ades:1.1.8-wounded")
        return
    for killer in killers or ([by] if by is not None else []):
        _avenge(battle, killer, fighter)
    if battle.has(fighter, "acharne"):
        fighter.pv, fighter.marks = 1, fighter.marks.but(dying=True)
        battle.tell("relentless", "ades:13.2-acharne", (fighter.id,))
        return
    yield from eliminate(battle, fighter, rule, by=by, killers=killers)


def _avenge(battle: Battle, by: Fighter, fallen: Fighter) -> None:
    """ades:13.2-ennemi-personnel-kill  Whoever kills its personal enemy is better for the rest of the game."""
    words = [w.casefold() for w in battle.skills(by).words("ennemi-personnel")]
    if any(mark.casefold() in words for mark in battle.marks(fallen)):
        by.marks = by.marks.but(hardened=by.marks.hardened + 1)
        battle.tell("personal-enemy", "ades:13.2-ennemi-personnel-kill", (by.id, fallen.id))


def heal(battle: Battle, fighter: Fighter, amount: int, rule: str) -> None:
    """ades:1.1.8-heal, ades:13.2-acharne  Never above the starting number."""
    if fighter.marks.dying:
        battle.cite("ades:13.2-acharne")
        return
    gained = min(amount, fighter.profile.pv - fighter.pv)
    if gained > 0:
        fighter.pv += gained
        battle.cite("ades:1.1.8-heal")
        battle.tell("pv.gained", rule, (fighter.id,), gained=gained, left=fighter.pv)


def eliminate(
    battle: Battle, fighter: Fighter, rule: str, *, by: Fighter | None = None, casualty: bool = True,
    killers: Sequence[Fighter] = (),
) -> Script[None]:  # fmt: skip
    """ades:1.1.8-dead  Removed at once; what targeted it ends. A summoned fighter that vanishes is no casualty."""
    if not fighter.alive:
        return
    where = battle.pose(fighter)
    fighter.pv, fighter.alive, fighter.marks = 0, False, fighter.marks.but(dying=False)
    musician = _in_commanders_staff(battle, fighter)
    if fighter.on_table:
        drop_all(battle, fighter, where.x, where.y)
        battle.lift(fighter)
    battle.end_effects(target=fighter.id)
    fighter.state = ACTIVATED
    battle.speech = battle.speech.but(acting=tuple(key for key in battle.speech.acting if key != fighter.id))
    battle.tell("eliminated", DEAD if casualty else rule, (fighter.id,), by="" if by is None else by.id, cause=rule)
    if casualty and fighter.seat in battle.seats:
        battle.sides[battle.other(fighter.seat)].killed += fighter.val
    leave_with(battle, fighter)
    if musician:
        _silence(battle, fighter)
    lost_commander(battle, fighter)
    _bereave(battle, fighter)
    yield from _mystic(battle, fighter)
    yield from _wreck(battle, fighter, where)
    if casualty:
        yield from _reinforce(battle, fighter)
        game_end.after_elimination(battle, fighter, list(killers) or ([by] if by is not None else []))


def leave_with(battle: Battle, fighter: Fighter) -> None:
    """ades:4.1.3-card-state  A card nobody of which waits any more leaves the sequence.

    Ruling: one whose fighters are all dead, too.
    """
    for card in battle.cards.values():
        if fighter.id in (*card.fighters, *card.shared) and not battle.waiting(card):
            leave_sequence(battle, card)


def leave_sequence(battle: Battle, card: Card) -> None:
    """ades:4.1.3-card-state  An activated card leaves the sequence at once."""
    side = battle.sides.get(card.seat)
    if side is None or card.id not in (*side.pile, *side.reserve):
        return
    side.pile = tuple(key for key in side.pile if key != card.id)
    side.reserve = tuple(key for key in side.reserve if key != card.id)
    battle.cite("ades:4.1.3-card-state", "ades:4.1.3-sequence")


def drop_all(battle: Battle, fighter: Fighter, x: float, y: float) -> None:
    """ades:9.2.2-table, ades:9.2.2-control  Ruling: the tokens of an eliminated bearer lie where it stood."""
    for thing in battle.things.values():
        if thing.kind == "token" and thing.bearer == fighter.id:
            thing.bearer = ""
            thing.x = min(max(x, 0.0), battle.table.width)
            thing.y = min(max(y, 0.0), battle.table.height)
            battle.tell("token.dropped", "ades:9.2.2-table", (fighter.id, thing.id))


def _in_commanders_staff(battle: Battle, fighter: Fighter) -> bool:
    """ades:5.4.5-musician-loss"""
    if fighter.seat not in battle.sides or not battle.has(fighter, "musicien") or not fighter.on_table:
        return False
    chief = battle.commander(fighter.seat)
    return any(s.chief is chief and fighter in s.musicians for s in command.staffs(battle, fighter.seat))


@cites
def _silence(battle: Battle, fighter: Fighter) -> None:
    """ades:5.4.5-musician-loss  The Commander's musician is gone: one PT less."""
    side = battle.sides[fighter.seat]
    if side.pt:
        side.pt -= 1
        battle.tell("musician.lost", "ades:5.4.5-musician-loss", (fighter.id, side.id), left=side.pt)


def lost_commander(battle: Battle, fighter: Fighter) -> None:
    """ades:5.2-no-pt, ades:6.2-commander  The Commander dead or routed: no PT and no tactics until he is replaced."""
    side = battle.sides.get(fighter.seat)
    if side is None or side.commander != fighter.id:
        return
    rule = "ades:6.2-commander" if fighter.alive else "ades:5.2-no-pt"
    side.bereaved, side.pt = battle.turn, 0
    battle.cite("ades:5.2-no-pt", "ades:5.1")
    battle.tell("commander.lost", rule, (fighter.id, side.id))


def _bereave(battle: Battle, fallen: Fighter) -> None:
    """ades:13.2-frere-de-sang-death  The brothers of one who died are desperate for the rest of the game."""
    if not battle.has(fallen, "frere-de-sang"):
        return
    named = battle.skills(fallen).words("frere-de-sang")
    for other in battle.fighters.values():
        kin = other.alive and other.seat == fallen.seat and other.profile.name in named
        if kin and battle.has(other, "frere-de-sang") and not other.marks.bereft:
            other.marks = other.marks.but(bereft=True)
            battle.tell("bereft", "ades:13.2-frere-de-sang-death", (other.id, fallen.id))


def _mystic(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:8.5-death, ades:8.10-death  With a mystic go his formulas; those he summoned count as casualties."""
    ended = [e for e in battle.effects if e.source == fighter.id]
    if ended:
        battle.end_effects(source=fighter.id)
        battle.tell("effects.ended", "ades:8.5-death", (fighter.id,), formulas=sorted({e.name for e in ended}))
    for other in list(battle.fighters.values()):
        if other.summons.summoner == fighter.id and other.alive:
            battle.cite("ades:8.5-death", "ades:8.10-death")
            yield from eliminate(battle, other, "ades:8.10-death")
    for thing in battle.things_of("nexus"):
        if thing.maker == fighter.id:
            battle.cite("ades:8.5-death")
            destroy(battle, thing, "ades:8.5-death")


def _wreck(battle: Battle, engine: Fighter, where: Pose) -> Script[None]:
    """ades:10.2.1.3-wreck  Passengers of a destroyed engine are hurt and stand where it stood."""
    riders = [f for f in battle.fighters.values() if f.aboard == engine.id and f.alive]
    if riders:
        yield from wreck(battle, engine, riders, where)


@elsewhere
def wreck(battle: Battle, engine: Fighter, inside: list[Fighter], where: Pose) -> Script[None]:
    """Its passengers are hurt and stand where a destroyed engine stood."""
    raise NotImplementedError


def _reinforce(battle: Battle, fighter: Fighter) -> Script[None]:
    """ades:13.2-renfort  A die for the turn of its possible return; those above the number of turns are re-rolled."""
    if fighter.seat not in battle.seats or not battle.has(fighter, "renfort"):
        return
    while True:
        (face,) = yield Roll(fighter.seat, "reinforcement", 6, rule="ades:13.2-renfort", about=(fighter.id,))
        if face <= battle.turns:
            break
    fighter.recall = face if face > battle.turn else 0
    battle.tell("reinforcement", "ades:13.2-renfort", (fighter.id,), turn=fighter.recall)


def wear(battle: Battle, thing: Thing, lost: int, rule: str, seat: str = "") -> None:
    """ades:9.2.6-stats, ades:12.3-pv  Scenery loses life points; without any it cannot be destroyed."""
    if not thing.start_pv:
        battle.cite("ades:12.3-pv")
        return
    if not lost or not thing.alive:
        return
    thing.pv = max(0, thing.pv - lost)
    battle.tell("thing.damaged", rule, (thing.id,), lost=lost, left=thing.pv)
    if not thing.pv:
        destroy(battle, thing, "ades:9.2.6-destroyed")
        game_end.after_destruction(battle, thing, seat)


def destroy(battle: Battle, thing: Thing, rule: str) -> None:
    """ades:9.2.6-destroyed, ades:13.2-sapeur-destroyed, ades:12.4-once
    Gone; its footprint is encumbered ground now."""
    thing.alive = False
    if thing.kind == "barricade":
        rule = "ades:13.2-sapeur-destroyed"
    if thing.kind == "nexus":
        battle.cite("ades:12.4-once")
        battle.end_effects(source=thing.id)
    points = None
    if thing.piece:
        piece = battle.table.piece(thing.piece)
        points = piece.points
        battle.table = battle.table.without_piece(thing.piece)
    elif thing.body >= 0:
        ring = ring_of(battle.bodies.base(thing.body), battle.bodies.pose(thing.body))
        points = tuple((x, y) for x, y in ring.tolist())
        battle.bodies.remove(thing.body)
    if points is not None and rule != "ades:8.5-death":
        battle.table = battle.table.with_piece(
            Piece(f"{thing.id}-rubble", "rubble", points, 0.0, "open", ("encumbered",))
        )
        battle.cite("ades:9.2.6-destroyed")
    battle.tell("thing.destroyed", rule, (thing.id,))


def end_of_phase(battle: Battle) -> Script[None]:
    """ades:13.2-acharne  The relentless dead leave at the end of the phase."""
    for fighter in list(battle.fighters.values()):
        if fighter.alive and fighter.marks.dying:
            yield from eliminate(battle, fighter, "ades:13.2-acharne")

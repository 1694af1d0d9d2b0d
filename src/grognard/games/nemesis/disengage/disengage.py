"""Chapter 18: Disengaging: who may, the hits it costs, the move, and the pursuit."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import held_orders
from grognard.games.nemesis.disengage import disengage_moves, pursuit_line
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.movement import forced, movement
from grognard.games.nemesis.rolls.rerolls import heed
from grognard.games.nemesis.rolls.stats import stat
from grognard.games.nemesis.rolls.steps import D10, absorb, impact
from grognard.games.nemesis.table import engagements
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Pick, Roll, Script, option

HIT = "nemesis:18-hit"
MOVE = "nemesis:18-move"
PURSUIT = "nemesis:18-pursuit"
CAUGHT = "nemesis:18-caught"
BANNED = "nemesis:18-banned"
BANS = tuple(f"{BANNED}-{why}" for why in ("surrounded", "position", "rule", "same-turn"))


# ---------------------------------------------------------------------- who may


def refusal(battle: Battle, unit: Unit, alone: Model | None = None) -> Refusal | None:
    """nemesis:18-eligible, nemesis:18-banned  Why a unit may not be told to disengage; None if it may.

    nemesis:X.13-join-leave  Ruling: a hero does not leave his engaged regiment `alone`.
    """
    if not battle.engaged(unit):
        return Refusal("refuse.not-engaged", "nemesis:18-eligible", {"unit": unit.id})
    if alone is not None and len(unit.models) > 1:
        return Refusal("refuse.join-engaged", "nemesis:X.13-join-leave", {"unit": unit.id, "hero": alone.id})
    why = _banned(battle, unit)
    if why is None and not disengage_moves.has_way_out(battle, unit):
        why = Refusal("refuse.surrounded", "nemesis:18-banned-surrounded", {"unit": unit.id})
    battle.cite(*([BANNED] if why is not None else ["nemesis:18-eligible", *BANS]))
    return why


def _banned(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:18-banned-position, nemesis:18-banned-rule, nemesis:18-banned-same-turn, nemesis:18-caught
    The bans that can come up late."""
    data = {"unit": unit.id}
    told = []
    if unit.defending:
        told.append(Refusal("refuse.defends-position", "nemesis:18-banned-position", data))
    for model in battle.standing(unit):
        rule = battle.flag(model, "bars_disengaging")
        if rule:
            battle.cite(rule)
            told.append(Refusal("refuse.rule-forbids", "nemesis:18-banned-rule", data | {"model": model.id}, (rule,)))
    if unit.no_disengage_turn == battle.turn:
        told.append(Refusal("refuse.caught", CAUGHT, data))
    if engagements.fresh(battle, unit):
        told.append(Refusal("refuse.same-turn", "nemesis:18-banned-same-turn", data))
    return foremost(told)


# ---------------------------------------------------------------------- the phase


def activate(battle: Battle, seat: str) -> Script[None]:
    """nemesis:18-when, nemesis:10-activation  A player's units with the order leave, in the order he likes."""
    while waiting := [u for u in battle.army(seat) if _order(u) is not None]:
        options = [option(u.id, u, text="option.unit", about=(u.id,), data={"unit": u.id}) for u in waiting]
        unit = yield Pick(seat, "disengage.unit", options, rule="nemesis:18-when", about=(seat,), checkpoint=True)
        order = _order(unit)
        assert order is not None
        why = _obstacle(battle, unit)
        if why is not None:
            held_orders.void(battle, unit, order, why.code, why.rule)
            continue
        held_orders.finish(battle, unit, order)
        yield from disengage(battle, unit)


def _order(unit: Unit) -> Order | None:
    return next((o for o in unit.orders if o.action == "disengage" and not o.done), None)


def _obstacle(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:18-when, nemesis:A2.O.7-ivy
    What has come up since the order: opponents gone, a spell, a combat just joined."""
    data = {"unit": unit.id}
    if not battle.engaged(unit):
        return Refusal("refuse.not-engaged", "nemesis:18-when", data, ("nemesis:18-eligible",))
    battle.cite("nemesis:18-eligible")
    held = forced.bound(battle, unit)
    if held:
        return Refusal("refuse.held", held, data)
    return _banned(battle, unit)


def disengage(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:18-hit, nemesis:18-move, nemesis:18-pursuit
    The enemies' hits, the move, then whoever wants to pursue."""
    enemies = battle.opponents(unit)
    battle.tell("disengage", "nemesis:18-when", (unit.id, *(e.id for e in enemies)))
    yield from _hits(battle, unit)
    if not unit.models:
        return
    yield from disengage_moves.leave(battle, unit, enemies, MOVE)
    for seat in battle.order:
        for enemy in enemies:
            if enemy.seat == seat:
                yield from _pursue(battle, enemy, unit)


# ---------------------------------------------------------------------- hits


def _hits(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:18-hit  Ruling: one automatic hit by each enemy model in contact; losses leave before the move."""
    touching = dict.fromkeys(key for m in battle.members(unit) for key in battle.contacts(m))
    enemies = [battle.models[key] for key in touching]
    for seat in battle.order:
        for enemy in enemies:
            if enemy.seat == seat and not _idle(battle, enemy):
                yield from _hit(battle, enemy, unit)
    lost = [m for m in battle.members(unit) if m.doomed]
    if lost:
        yield from casualties.remove(battle, lost, HIT)


def _idle(battle: Battle, enemy: Model) -> bool:
    """Ruling: whoever could not attack does not hit."""
    return any(battle.flag(enemy, name) for name in ("does_nothing", "cannot_attack", "attacks_self"))


def _hit(battle: Battle, enemy: Model, unit: Unit) -> Script[None]:
    """nemesis:18-hit  No combat roll: 1D10 + HC + F against a model it touches, of its owner's choice."""
    touched = [battle.models[key] for key in battle.contacts(enemy) if key in unit.models]
    standing = [m for m in touched if not m.doomed] or touched
    options = [option(m.id, m, text="option.model", about=(m.id,), data={"model": m.id}) for m in standing]
    struck: Model = yield Pick(enemy.seat, "disengage.hit", options, rule=HIT, about=(enemy.id, unit.id))
    skill, strength = stat(battle, enemy, "HC"), stat(battle, enemy, "F")
    (face,) = yield from heed(battle, _impact_die(battle, enemy))
    power = impact(face, skill, strength, HIT)
    battle.tell("disengage.struck", HIT, (enemy.id, struck.id), power=power)
    yield from casualties.strike(battle, struck, power, by=enemy, rule=HIT, melee=True, overflow=True)


def _impact_die(battle: Battle, enemy: Model) -> Script[tuple[int, ...]]:
    plus = absorb(stat(battle, enemy, "HC"), stat(battle, enemy, "F"))
    die = Roll(enemy.seat, "impact", D10, rule=HIT, about=(enemy.id,), plus=plus, sense="value")
    faces: tuple[int, ...] = yield die
    return faces


# ---------------------------------------------------------------------- pursuit


@cites
def _pursue(battle: Battle, enemy: Unit, unit: Unit) -> Script[None]:
    """nemesis:18-pursuit  A unit engaged with nobody else may follow: 1D10 + M straight after; first it decides.

    nemesis:16.1-retreat-after  It is a move toward an enemy: who fell back last turn must pass the test first.
    """
    if battle.engaged(enemy) or forced.bound(battle, enemy) or enemy.fleeing:
        return
    options = [option("pursue", text="option.pursue"), option("stay", text="option.stay")]
    wanted = yield Pick(enemy.seat, "pursue", options, rule=PURSUIT, about=(enemy.id, unit.id))
    if wanted == "stay":
        return
    if not (yield from movement.dares(battle, enemy)):
        battle.tell("pursuit.failed", "nemesis:16.1-retreat-after", (enemy.id, unit.id))
        return
    distance = yield from forced.die_distance(battle, enemy, "pursuit", PURSUIT)
    way, far = pursuit_line.line(battle, enemy, unit, distance)
    yield from forced.run_straight(
        battle, enemy, way, distance, rule=PURSUIT, free_attacks=True, spared=(unit.id,), upto=far
    )
    _catch(battle, enemy, unit)


def _catch(battle: Battle, enemy: Unit, unit: Unit) -> None:
    """nemesis:18-caught  Engaged again: +2 and the first blow for the pursuers, next turn; no leaving before that."""
    if unit not in battle.opponents(enemy):
        battle.tell("pursuit.failed", PURSUIT, (enemy.id, unit.id))
        return
    enemy.pursuit_turn = unit.no_disengage_turn = battle.turn + 1
    engagements.note_contact(battle, enemy, unit)
    battle.tell("pursuit.caught", CAUGHT, (enemy.id, unit.id))

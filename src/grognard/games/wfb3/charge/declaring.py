"""Chapter 7.1: declaring charges: who may, against whom; each is answered at once."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import characters
from grognard.games.wfb3.charge import responses, wedge
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import formations, mixed
from grognard.games.wfb3.psychology import character_psychology, fear, grudges, hatred
from grognard.games.wfb3.records import FROZEN, NEVER
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.shooting import volley_progress
from grognard.games.wfb3.table import air_fights, baggage, flyers, sight, terrain
from grognard.games.wfb3.troops import berserkers, looting, skirmish, special_orders
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.arcs import front_shares
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.outlook import sees
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Script


def declare_all(battle: Battle) -> Script[None]:
    """wfb3:7.1-declare, wfb3:10.6-charge  One charge after another, until the player has declared all he wants.

    Units that hate an enemy in reach and are to charge another must be held back by a test.
    """
    yield from _compelled(battle)
    while True:
        options, barred = choices(battle)
        if not options and not barred:
            break
        chosen = yield Pick(
            battle.active,
            "charge.declare",
            options,
            optional=True,
            barred=barred,
            rule="wfb3:7.1-declare",
            checkpoint=True,
        )
        if chosen is None:
            break
        unit, foe = chosen
        if hatred.hates(battle, unit, foe) or not (yield from grudges.carried_off(battle, unit)):
            yield from declare(battle, unit, foe)


def _compelled(battle: Battle) -> Script[None]:
    """wfb3:15.3-must-charge, wfb3:17.3-must-charge
    Charges nobody is asked about: berserkers', and for the sake of loot."""
    for unit in battle.army(battle.active):
        if "compelled" in unit.minds.panicked:
            continue  # before the player declares, not again after each of his charges
        unit.minds = unit.minds.but(panicked=(*unit.minds.panicked, "compelled"))
        if berserkers.raging(battle, unit) and not unit.charge.target:
            yield from berserkers.charge(battle, unit)
            continue
        yield from looting.compelled(battle, unit)


@cites
def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """wfb3:7.1-contact-only
    Every unit that may charge with every enemy it sees; distances are not measured (wfb3:5.4.1-no-premeasure)."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(battle.active):
        if unit.charge.target or unit.indoors.storms:
            continue
        found = refusal(battle, unit) or mixed.refusal(battle, unit)
        for foe in battle.enemies(unit):
            key = f"{unit.id}>{foe.id}"
            why = found or target_refusal(battle, unit, foe)
            if why is None:
                options.append(Option(key, (unit, foe), "option.charge", (unit.id, foe.id)))
            else:
                barred[key] = why
    return options, barred


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:7.2.3-after, wfb3:8.4-state, wfb3:10.8-charge  Why a unit may not charge at all this turn."""
    facts = {"unit": unit.id}
    reasons = (
        (unit.rout.routed, "routed", "wfb3:8.4-state"),
        (bool(unit.rout.pursuing), "pursuing", "wfb3:8.5.1-locked"),
        (battle.engaged(unit), "engaged", "wfb3:7.14-continue"),
        (unit.drill.formation == "file", "file", "wfb3:5.7.1-file-charge"),
        (
            unit.drill.formation in formations.STILL,
            "formation",
            formations.FORM.get(unit.drill.formation, "wfb3:5.7.3-square"),
        ),
        (unit.combat.disordered, "disordered", "wfb3:7.4.2-reform"),
        (unit.rout.fled != NEVER and unit.rout.fled >= battle.clock - 1, "fled", "wfb3:7.2.3-after"),
        (unit.march.frozen >= battle.clock, "frozen", FROZEN.get(unit.march.frozen_why, "wfb3:8.2-through")),
        (unit.minds.stupid, "stupid", "wfb3:10.9-out"),
        (bool(unit.minds.quarrel), "quarrel", "wfb3:10.3-six"),
        (bool(unit.drill.split), "split", "wfb3:5.4-split"),
        (unit.march.done, "done", "wfb3:7.1-declare"),
        (unit.air.height > 0, "airborne", "wfb3:21.4.1-overfly"),
        (air_fights.pinned(battle, unit), "engaged", "wfb3:21.4.1-one-round"),
        (chariots.halted(battle, unit), "stuck", "wfb3:20.8.1-damage-table"),
        (unit.kind == "chariot" and not unit.chariot.hitched, "stuck", "wfb3:20.9-unhitch"),
        (any(m.ride.amok for m in battle.members(unit)), "amok", "wfb3:18.5-amok-move"),
    )
    found = [(code, rule) for barred, code, rule in reasons if barred]
    if found:
        (code, rule), *rest = found
        return Refusal(f"refuse.charge.{code}", rule, facts, tuple(other for _, other in rest))
    rooted = Refusal("refuse.move.rooted", "wfb3:3.1-zero", facts) if stats.rooted(unit) else None
    return special_orders.held(battle, unit, "charge") or rooted


def target_refusal(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    """wfb3:15.10-may-not-charge, wfb3:7.1.4-los"""
    facts = {"unit": unit.id, "target": foe.id}
    if not flyers.chargeable(battle, foe):
        return Refusal("refuse.charge.flyers", "wfb3:21.4.1-charge-flyers", facts)
    if not sight.visible(battle, unit, foe):
        return Refusal("refuse.charge.unseen", "wfb3:7.1.4-los", facts, ("wfb3:6.2.2-los",))
    if unit.kind == "skirmishers" and not _skirmishers_may(battle, unit, foe):
        return Refusal("refuse.charge.skirmish", "wfb3:15.10-may-not-charge", facts)
    return None


def _skirmishers_may(battle: Battle, unit: Unit, foe: Unit) -> bool:
    if foe.kind == "skirmishers" or foe.combat.disordered or foe.rout.routed or skirmish.scouts(battle, unit):
        return True
    return 4 * battle.size(foe) < battle.size(unit) and not battle.large(foe)


def declare(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:7.1-declare, wfb3:10.8-charge  The charge is announced, the charger's nerve tested, the enemy answers."""
    yield from responses.shot_at(battle, unit, foe, (yield from announced(battle, unit, foe)))


def announced(battle: Battle, unit: Unit, foe: Unit) -> Script[volley_progress.Salvo | None]:
    """wfb3:7.1-declare, wfb3:10.8-charge
    A charge, up to the first die of a volley at the chargers, if there is one."""
    if fear.dread(battle, unit, foe) is not None:
        stood = yield from fear.test(battle, unit, foe, "wfb3:10.8-charge")
        if not stood:
            unit.march = unit.march.but(done=True, frozen=battle.clock, frozen_why="fear")
            if battle.house["revised_fear"]:
                battle.cite("wfb3:27.7-fear-charging")
            battle.tell("charge.afraid", "wfb3:10.8-charge", (unit.id, foe.id))
            return None
    yield from character_psychology.terror(battle, unit, foe, charging=True)
    characters.face_charge(battle, unit, foe)
    baggage.line_up(battle, unit, foe)
    unit.charge = unit.charge.but(
        target=foe.id,
        face=(yield from chosen_face(battle, unit, foe)).name,
        unseen=(foe.id,) if _concealed(battle, unit, foe) else (),
    )
    battle.tell("charge.declared", "wfb3:7.1-declare", (unit.id, foe.id), face=unit.charge.face.casefold())
    formations.charged(battle, foe)
    yield from wedge.offer(battle, unit)
    if foe.air.height:
        yield from responses.flyers_answer(battle, foe, unit)
        return None
    yield from looting.charged(battle, unit, foe)
    return (yield from responses.answered(battle, unit, foe))


def face(battle: Battle, unit: Unit, foe: Unit, start: Block | None = None) -> Edge:
    """wfb3:7.1.5-facing  The side in whose arc most of the charger's front stands; of equals the flank."""
    return _faces(battle, start or battle.block_of(unit), foe)[0]


@cites
def _faces(battle: Battle, charger: Block, foe: Unit) -> list[Edge]:
    """wfb3:7.1.5-facing  The sides in whose arcs as much of the charger's front stands as in any, flanks first."""
    found = front_shares(battle.block_of(foe).boundary, charger.boundary)
    shares = {side: round(share, 3) for side, share in found.items()}
    best = [side for side in Edge if shares[side] == max(shares.values())]
    return sorted(best, key=lambda side: (not side.is_flank, side.value))


def chosen_face(battle: Battle, unit: Unit, foe: Unit) -> Script[Edge]:
    """wfb3:7.1.5-flank, wfb3:7.1.5-facing
    Where as much of its front stands before one side as before another, the charger
    says which it means; declined, the flank."""
    tied = _faces(battle, battle.block_of(unit), foe)
    if len(tied) == 1:
        return tied[0]
    sides = {side.name.casefold(): side for side in tied}
    options = [Option(name, side, f"option.side.{name}", data={"side": name}) for name, side in sides.items()]
    chosen: Edge | None = yield Pick(
        unit.seat, "charge.face", options, optional=True, rule="wfb3:7.1.5-facing", about=(unit.id, foe.id)
    )
    return chosen or tied[0]


def _concealed(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:10.7.3

    Whether the target could not see the charger at all at the start of the phase, whichever way it looked.
    Ruling: troops within a wood come out of concealment.
    """
    centre = battle.block_of(unit).centre
    if any(terrain.kind(p).sight == "area" and terrain.inside(p, [centre]) for p in battle.table.pieces):
        return True
    eyes, goals = sight.spots(battle.block_of(foe).outline), sight.spots(battle.block_of(unit).outline)
    others = sight.blockers(battle, foe, unit, eyes, goals)
    return bool(others) and not sees(eyes, goals, others)

"""wfb3:7.1  Declaring charges: who may, against whom; each is answered at once."""

from __future__ import annotations

from grognard.games.wfb3 import (
    air_combat,
    baggage,
    berserkers,
    characters,
    chariots,
    fear,
    flyers,
    formations,
    hatred,
    looting,
    minds,
    mixed,
    orders,
    responses,
    sight,
    skirmish,
    stats,
    terrain,
    wedge,
)
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import FROZEN, NEVER, Unit
from grognard.games.wfb3.salvo import Salvo
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.arcs import front_shares
from grognard.kernel.formation.outlook import sees
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Pick, Script


def declare_all(battle: Battle) -> Script[None]:
    """wfb3:7.1-declare, 10.6-charge  One charge after another, until the player has declared all he wants.

    Units that hate an enemy in reach and are to charge another must be held back by a test.
    """
    from grognard.games.wfb3 import grudges

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
    """wfb3:15.3-must-charge, 17.3-must-charge  Charges nobody is asked about: berserkers', and for the sake of loot."""
    for unit in battle.army(battle.active):
        if "compelled" in unit.panicked:
            continue  # before the player declares, not again after each of his charges
        unit.panicked = (*unit.panicked, "compelled")
        if berserkers.raging(battle, unit) and not unit.target:
            yield from berserkers.charge(battle, unit)
            continue
        yield from looting.compelled(battle, unit)


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Every unit that may charge with every enemy it sees; distances are not measured (wfb3:5.4.1-no-premeasure)."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(battle.active):
        if unit.target or unit.storms:
            continue
        found = refusal(battle, unit) or mixed.refusal(battle, unit)
        for foe in battle.enemies(unit):
            key = f"{unit.id}>{foe.id}"
            why = found or target_refusal(battle, unit, foe)
            if why is None:
                options.append(Option(key, (unit, foe), "option.charge", (unit.id, foe.id)))
            else:
                barred[key] = why
    battle.cite("wfb3:7.1-contact-only")
    return options, barred


def refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """wfb3:5.7.1, 7.4.2, 7.2.3-after, 8.4-state, 10.8-charge, 10.9  Why a unit may not charge at all this turn."""
    facts = {"unit": unit.id}
    reasons = (
        (unit.routed, "routed", "wfb3:8.4-state"),
        (bool(unit.pursuing), "pursuing", "wfb3:8.5.1-locked"),
        (battle.engaged(unit), "engaged", "wfb3:7.14-continue"),
        (unit.formation == "file", "file", "wfb3:5.7.1-file-charge"),
        (unit.formation in formations.STILL, "formation", formations.FORM.get(unit.formation, "wfb3:5.7.3-square")),
        (unit.disordered, "disordered", "wfb3:7.4.2-reform"),
        (unit.fled != NEVER and unit.fled >= battle.clock - 1, "fled", "wfb3:7.2.3-after"),
        (unit.frozen >= battle.clock, "frozen", FROZEN.get(unit.frozen_why, "wfb3:8.2-through")),
        (unit.stupid, "stupid", "wfb3:10.9-out"),
        (bool(unit.quarrel), "quarrel", "wfb3:10.3-six"),
        (bool(unit.split), "split", "wfb3:5.4-split"),
        (unit.done, "done", "wfb3:7.1-declare"),
        (unit.height > 0, "airborne", "wfb3:21.4.1-overfly"),
        (air_combat.pinned(battle, unit), "engaged", "wfb3:21.4.1-one-round"),
        (chariots.halted(battle, unit), "stuck", "wfb3:20.8.1-damage-table"),
        (unit.kind == "chariot" and not unit.hitched, "stuck", "wfb3:20.9-unhitch"),
        (any(m.amok for m in battle.members(unit)), "amok", "wfb3:18.5-amok-move"),
    )
    found = [(code, rule) for barred, code, rule in reasons if barred]
    if found:
        (code, rule), *rest = found
        return Refusal(f"refuse.charge.{code}", rule, facts, tuple(other for _, other in rest))
    rooted = Refusal("refuse.move.rooted", "wfb3:3.1-zero", facts) if stats.rooted(unit) else None
    return orders.held(battle, unit, "charge") or rooted


def target_refusal(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    """wfb3:7.1.4-los, 15.10-may-not-charge"""
    facts = {"unit": unit.id, "target": foe.id}
    if not flyers.chargeable(battle, foe):
        return Refusal("refuse.charge.flyers", "wfb3:21.4.1-charge-flyers", facts)
    if not sight.visible(battle, unit, foe):
        return Refusal("refuse.charge.unseen", "wfb3:7.1.4-los", facts, ("wfb3:6.2.2-los",))
    if unit.kind == "skirmishers" and not _skirmishers_may(battle, unit, foe):
        return Refusal("refuse.charge.skirmish", "wfb3:15.10-may-not-charge", facts)
    return None


def _skirmishers_may(battle: Battle, unit: Unit, foe: Unit) -> bool:
    if foe.kind == "skirmishers" or foe.disordered or foe.routed or skirmish.scouts(battle, unit):
        return True
    return 4 * battle.size(foe) < battle.size(unit) and not battle.large(foe)


def declare(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:7.1-declare, 10.8-charge  The charge is announced, the charger's nerve tested, the enemy answers."""
    yield from responses.shot_at(battle, unit, foe, (yield from announced(battle, unit, foe)))


def announced(battle: Battle, unit: Unit, foe: Unit) -> Script[Salvo | None]:
    """wfb3:7.1-declare, 10.8-charge  A charge, up to the first die of a volley at the chargers, if there is one."""
    if fear.dread(battle, unit, foe) is not None:
        stood = yield from fear.test(battle, unit, foe, "wfb3:10.8-charge")
        if not stood:
            unit.done, unit.frozen, unit.frozen_why = True, battle.clock, "fear"
            if battle.house["revised_fear"]:
                battle.cite("wfb3:27.7-fear-charging")
            battle.tell("charge.afraid", "wfb3:10.8-charge", (unit.id, foe.id))
            return None
    yield from minds.terror(battle, unit, foe, charging=True)
    characters.face_charge(battle, unit, foe)
    baggage.line_up(battle, unit, foe)
    unit.target = foe.id
    unit.face = (yield from chosen_face(battle, unit, foe)).name
    unit.unseen = (foe.id,) if _concealed(battle, unit, foe) else ()
    battle.tell("charge.declared", "wfb3:7.1-declare", (unit.id, foe.id), face=unit.face.casefold())
    formations.charged(battle, foe)
    yield from wedge.offer(battle, unit)
    if foe.height:
        yield from air_combat.answers(battle, foe, unit)
        return None
    yield from looting.charged(battle, unit, foe)
    return (yield from responses.answered(battle, unit, foe))


def face(battle: Battle, unit: Unit, foe: Unit) -> Edge:
    """wfb3:7.1.5-facing  The side in whose arc most of the charger's front stands; of equals the flank."""
    return _faces(battle, unit, foe)[0]


def _faces(battle: Battle, unit: Unit, foe: Unit) -> list[Edge]:
    """The sides in whose arcs as much of the charger's front stands as in any, flanks first."""
    battle.cite("wfb3:7.1.5-facing")
    found = front_shares(battle.block_of(foe).boundary, battle.block_of(unit).boundary)
    shares = {side: round(share, 3) for side, share in found.items()}
    best = [side for side in Edge if shares[side] == max(shares.values())]
    return sorted(best, key=lambda side: (not side.is_flank, side.value))


def chosen_face(battle: Battle, unit: Unit, foe: Unit) -> Script[Edge]:
    """wfb3:7.1.5-flank, 7.1.5-facing  Where as much of its front stands before one side as before another, the charger
    says which it means; declined, the flank."""
    tied = _faces(battle, unit, foe)
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

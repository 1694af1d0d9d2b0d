"""Chapter 4.4  The Maintenance phase: a new Commander, what harms, what helps, formulas kept up, objectives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.losses import casualties, fear
from grognard.games.ades.mystics import recovery, upkeep
from grognard.games.ades.scenarios import scenarios
from grognard.kernel.citing import cites
from grognard.kernel.questions import Order, Pick, Roll, Script, option


def phase(battle: Battle) -> Script[None]:
    """ades:4.4-commander, ades:4.4.1, ades:4.4.2, ades:4.4.3-maintain, ades:4.5  In the book's order."""
    for seat in battle.seats:
        yield from commander(battle, seat)
    yield from negative(battle)
    yield from positive(battle)
    yield from upkeep.maintain(battle)
    yield from scenarios.temporary(battle)
    battle.cite("ades:4.5")


# ---------------------------------------------------------------------- the Commander


def commander(battle: Battle, seat: str) -> Script[None]:
    """ades:4.4-commander, ades:5.2-replace  A new one if the old is dead or routed: an Incarnate if there is one.

    Ruling: nobody routed unless there is nobody else.
    """
    side = battle.sides[seat]
    if battle.commander(seat) is not None:
        return
    living = [f for f in battle.fighters.values() if f.seat == seat and f.alive and not f.summons.summoner]
    living = [f for f in living if f.on_table or f.aboard]
    fit = [f for f in living if not f.fear.routed] or living
    chosen = [f for f in fit if f.profile.incarnate] or fit
    chosen = [f for f in chosen if f.id != side.commander] or chosen
    if not chosen:
        return
    new: Fighter = yield Pick(
        seat, "commander", [option(f.id, f, about=(f.id,)) for f in chosen], rule="ades:5.2-replace", about=(seat,),
        also=("ades:4.4-commander", "ades:5.1"),
    )  # fmt: skip
    side.commander = new.id
    battle.cite("ades:4.4-commander", "ades:5.1")
    battle.tell("commander", "ades:5.2-replace", (new.id, seat))


# ---------------------------------------------------------------------- what harms

Job = tuple[str, Callable[[Battle], Script[None]]]


def _in_order(battle: Battle, jobs: Sequence[Job], name: str, rule: str) -> Script[None]:
    """Ruling: where several kinds of effects fall together, the Tactician of the turn orders them."""
    if not jobs:
        return
    todo = [key for key, _ in jobs]
    if len(todo) > 1:
        todo = list((yield Order(battle.tactician or battle.seats[0], name, [
            option(k, k, text=f"effect.{k}") for k in todo], rule=rule)))  # fmt: skip
    known = dict(jobs)
    for key in todo:
        yield from known[key](battle)


@cites
def negative(battle: Battle) -> Script[None]:
    """ades:4.4.1  Fading, poison, ruin; then unused PT and faith are lost."""
    everyone = list(battle.on_table())
    jobs: list[Job] = []
    if any(battle.has(f, "ephemere") for f in everyone):
        jobs.append(("ephemeral", _ephemeral))
    if any(f.marks.toxic for f in everyone):
        jobs.append(("toxic", _toxic))
    if any(skillset(t.skills).has("ruine") for t in battle.things_of("nexus")):
        jobs.append(("ruin", _ruin))
    yield from _in_order(battle, jobs, "maintenance.negative", "ades:4.4.1")
    for side in battle.sides.values():
        if side.pt:
            battle.tell("pt.lost", "ades:4.4.1", (side.id,), lost=side.pt)
            battle.cite("ades:4.1.2")
            side.pt = 0
    recovery.fade(battle)


def _die(battle: Battle, fighter: Fighter, name: str, need: int, rule: str) -> Script[bool]:
    (face,) = yield Roll(battle.chooser(fighter), name, 6, rule=rule, about=(fighter.id,), need=need, sense="high")
    return bool(face >= need)


def _ephemeral(battle: Battle) -> Script[None]:
    """ades:13.2-ephemere, ades:13.2-mort-vivant-ephemere  A die of X or more costs a life point."""
    for fighter in list(battle.on_table()):
        if battle.has(fighter, "ephemere") and fighter.alive:
            rule = "ades:13.2-ephemere"
            if fighter.fear.fading:
                battle.cite("ades:13.2-mort-vivant-ephemere")
            if (yield from _die(battle, fighter, "ephemeral", battle.number(fighter, "ephemere"), rule)):
                yield from casualties.lose(battle, fighter, 1, rule)


def _toxic(battle: Battle) -> Script[None]:
    """ades:13.2-toxique-resolve  The lowest marker, one less for each other; all are discarded."""
    rule = "ades:13.2-toxique-resolve"
    for fighter in list(battle.on_table()):
        if not fighter.marks.toxic:
            continue
        need = min(fighter.marks.toxic) - (len(fighter.marks.toxic) - 1)
        fighter.marks = fighter.marks.but(toxic=())
        if need <= 1:
            battle.tell("toxic.sure", rule, (fighter.id,), need=need)
            yield from casualties.lose(battle, fighter, 1, rule)
        elif (yield from _die(battle, fighter, "toxic", need, rule)):
            yield from casualties.lose(battle, fighter, 1, rule)


def _thing_die(battle: Battle, thing: Thing, name: str, need: int, rule: str) -> Script[bool]:
    seat = thing.seat or battle.seats[0]
    (face,) = yield Roll(seat, name, 6, rule=rule, about=(thing.id,), need=need, sense="high")
    return bool(face >= need)


def _ruin(battle: Battle) -> Script[None]:
    """ades:13.2.1.1-ruine"""
    rule = "ades:13.2.1.1-ruine"
    for thing in battle.things_of("nexus"):
        held = skillset(thing.skills)
        if held.has("ruine") and (yield from _thing_die(battle, thing, "ruin", held.number("ruine"), rule)):
            casualties.wear(battle, thing, 1, rule)


# ---------------------------------------------------------------------- what helps


@cites
def positive(battle: Battle) -> Script[None]:
    """ades:4.4.2  Healing and repairs, rally tests, recovery of gems and faith."""
    everyone = list(battle.on_table())
    jobs: list[Job] = []
    if any(battle.has(f, "regeneration") and f.pv < f.profile.pv for f in everyone):
        jobs.append(("regeneration", _regenerate))
    if any(battle.has(f, "soin") for f in everyone):
        jobs.append(("healer", _healers))
    if any(battle.has(f, "mecanicien") for f in everyone):
        jobs.append(("mechanic", _mechanics))
    if any(skillset(t.skills).has(k) for t in battle.things_of("nexus") for k in ("reparation", "ressource")):
        jobs.append(("nexus", _nexus))
    if any(f.fear.routed for f in everyone):
        jobs.append(("rally", _rally))
    yield from _in_order(battle, jobs, "maintenance.positive", "ades:4.4.2")
    recovery.recover(battle)


def _regenerate(battle: Battle) -> Script[None]:
    """ades:13.2-regeneration"""
    rule = "ades:13.2-regeneration"
    for fighter in list(battle.on_table()):
        if not battle.has(fighter, "regeneration") or fighter.pv >= fighter.profile.pv:
            continue
        if (yield from _die(battle, fighter, "regeneration", battle.number(fighter, "regeneration"), rule)):
            casualties.heal(battle, fighter, 1, rule)


def _healers(battle: Battle) -> Script[None]:
    """ades:13.2-soin, ades:6.2-noaction  Itself or a friend in contact; not while routed."""
    rule = "ades:13.2-soin"
    for healer in list(battle.on_table()):
        if not battle.has(healer, "soin") or healer.seat not in battle.seats:
            continue
        if healer.fear.routed:
            battle.cite("ades:6.2-noaction")
            continue
        near = [healer, *(f for f in battle.contacts(healer) if f.seat == healer.seat)]
        hurt = [f for f in near if f.pv < f.profile.pv and not f.profile.machine]
        if not hurt:
            continue
        patient: Fighter | None = yield Pick(
            healer.seat,
            "heal",
            [option(f.id, f, about=(f.id,)) for f in hurt],
            optional=True,
            rule=rule,
            about=(healer.id,),
        )
        if patient is not None and (yield from _die(battle, healer, "healer", battle.number(healer, "soin"), rule)):
            casualties.heal(battle, patient, 1, rule)


def _mechanics(battle: Battle) -> Script[None]:
    """ades:13.2-mecanicien  A war machine in contact is repaired."""
    rule = "ades:13.2-mecanicien"
    for fighter in list(battle.on_table()):
        if not battle.has(fighter, "mecanicien") or fighter.fear.routed or fighter.seat not in battle.seats:
            continue
        engines: list[Fighter | Thing] = [
            f for f in battle.contacts(fighter) if f.profile.machine and f.pv < f.profile.pv
        ]
        engines += [t for t in battle.things_of("weapon") if t.pv < t.start_pv and battle.touches_thing(fighter, t)]
        if not engines:
            continue
        machine = yield Pick(
            fighter.seat, "repair", [option(m.id, m, about=(m.id,)) for m in engines], optional=True, rule=rule,
            about=(fighter.id,),
        )  # fmt: skip
        if machine is None or not (
            yield from _die(battle, fighter, "repair", battle.number(fighter, "mecanicien"), rule)
        ):
            continue
        if isinstance(machine, Fighter):
            casualties.heal(battle, machine, 1, rule)
        else:
            machine.pv += 1
            battle.tell("thing.repaired", rule, (machine.id, fighter.id), left=machine.pv)


def _nexus(battle: Battle) -> Script[None]:
    """ades:13.2.1.1-reparation, ades:13.2.1.1-ressource  Nexus mend themselves and regain charges."""
    for thing in battle.things_of("nexus"):
        held = skillset(thing.skills)
        if held.has("reparation") and thing.pv < thing.start_pv:
            rule = "ades:13.2.1.1-reparation"
            if (yield from _thing_die(battle, thing, "nexus.repair", held.number("reparation"), rule)):
                thing.pv += 1
                battle.tell("thing.repaired", rule, (thing.id,), left=thing.pv)
        if held.has("ressource") and thing.nexus is not None and thing.charges < thing.nexus.charges:
            rule = "ades:13.2.1.1-ressource"
            if (yield from _thing_die(battle, thing, "nexus.charge", held.number("ressource"), rule)):
                thing.charges += 1
                battle.tell("nexus.charge", rule, (thing.id,), left=thing.charges)


def _rally(battle: Battle) -> Script[None]:
    """ades:6.3-test  Every routed fighter tries to rally."""
    for fighter in list(battle.on_table()):
        if fighter.fear.routed:
            yield from fear.rally(battle, fighter)

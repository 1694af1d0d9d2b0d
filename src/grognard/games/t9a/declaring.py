"""t9a:11.A-11.D  The Charge Phase up to the moves: declarations, reactions, redirects."""

from __future__ import annotations

from grognard.games.t9a import charge_plans, ground, psychology, reactions, sight, stats
from grognard.games.t9a.abilities import parse
from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Aim, Unit
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Script, option
from grognard.kernel.tally import Tally


def cannot_charge(battle: Battle, unit: Unit) -> Refusal | None:
    """t9a:11.B  Why a unit may not declare a charge at all."""

    def no(code: str, rule: str, *also: str) -> Refusal:
        return Refusal(f"refuse.charge.{code}", rule, {"unit": unit.id}, ("t9a:11.B", *also))

    if unit.charging or unit.charge_done:
        return no("again", "t9a:11.B")
    if battle.engaged(unit):
        return no("engaged", "t9a:11.E.g-locked")
    if unit.fleeing:
        return no("fleeing", "t9a:17.C")
    if battle.has_shaken(unit):
        return no("shaken", "t9a:17.B")
    if battle.any_has(unit, "war-machine"):
        return no("machine", "t9a:21.A.b.23")
    if battle.any_has(unit, "random-movement"):
        return no("random", "t9a:21.A.b.30-limits")
    if unit.no_charge == battle.clock:
        return no("barred", *_why_barred(battle, unit))
    return None


def _why_barred(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The rule by which a unit may not charge in this Player Turn; of a case that does not say why, either."""
    if unit.reformed_at:
        return ("t9a:15.H.e.2",)
    if unit.vanguarded:
        return ("t9a:21.A.b.4-limits",)
    if unit.scouted or battle.clock == 1:
        return ("t9a:21.A.b.11-charge",)
    return "t9a:21.B.d.1", "t9a:15.H.e.2"


def reach(battle: Battle, unit: Unit, flying: bool) -> float:
    """t9a:11.B-range, 21.A.b.15-ms  The furthest a unit could charge, in inches: its Advance Rate and 12."""
    return charge_rate(battle, unit, flying) + 12.0


def charge_rate(battle: Battle, unit: Unit, flying: bool) -> float:
    """A charging unit's Advance Rate in inches."""
    return float(charge_account(battle, unit, flying).value)


def charge_account(battle: Battle, unit: Unit, flying: bool) -> Tally:
    """t9a:11.E.a, 21.G.b.12  A charging unit's Advance Rate, the lowest of its models; Devastating Charge may add to
    that of its bearer.
    """
    battle.cite("t9a:11.E.a")
    rates = [
        stats.rate(battle, unit, "adv", flying=flying, pool=pool).add(
            _devastating(battle, pool), "Devastating Charge", "t9a:21.G.b.12"
        )
        for pool in battle.pools(unit)
    ]
    return min(rates, key=lambda rate: rate.value)


def _devastating(battle: Battle, pool: str) -> int:
    """t9a:21.G.b.12  Inches a Devastating Charge adds: all of one part's, printed or granted, the best part's."""
    effects = battle.effects(pool)
    given = [t for e in effects for text in e.traits if text.startswith("Devastating") for t in parse(text)]
    best = 0
    for part in battle.pool_profile(pool).parts:
        if not given and not part.has("devastating-charge"):
            continue
        mine = [t for t in (*part.traits, *given) if t.key == "devastating-charge"]
        best = max(best, sum(_plus(a, "adv") for t in mine for a in t.args))
    if best:
        battle.cite("t9a:21.G.b.12")
    return best


def _plus(word: str, stat: str) -> int:
    parts = word.replace('"', "").split()
    return int(parts[0]) if len(parts) == 2 and parts[1].casefold() == stat and parts[0].lstrip("+-").isdigit() else 0


def target_refusal(battle: Battle, unit: Unit, target: Unit, flying: bool) -> Refusal | None:
    """t9a:11.B-range, 11.B-los, 11.B-room  Why this target may not be charged."""
    facts = {"unit": unit.id, "target": target.id}
    battle.cite("t9a:11.B", "t9a:11.B-range", "t9a:4.A-premeasure")
    if battle.gap(unit, target) > inches(reach(battle, unit, flying)) + EPS:
        return Refusal("refuse.charge.range", "t9a:11.B-range", facts)
    battle.cite("t9a:11.B-los")
    if not sight.front_sees(battle, unit, target):
        return Refusal("refuse.charge.sight", "t9a:11.B-los", facts)
    side = ground.located(battle, target, unit)
    if charge_plans.plan(battle, unit, target, side, flying=flying) is None:
        return Refusal("refuse.charge.room", "t9a:11.B-room", facts)
    return None


def targets(battle: Battle, unit: Unit) -> tuple[list[tuple[Unit, bool]], dict[str, Refusal]]:
    """Whom a unit may charge, on the ground or in the air, and why not the others."""
    found: list[tuple[Unit, bool]] = []
    barred: dict[str, Refusal] = {}
    modes = [False, True] if stats.flight(battle, unit) is not None else [False]
    for foe in battle.enemies(unit.seat):
        for flying in modes:
            refusal = target_refusal(battle, unit, foe, flying)
            key = f"{unit.id}>{foe.id}{':fly' if flying else ''}"
            if refusal is None:
                found.append((foe, flying))
            else:
                barred[key] = refusal
    return found, barred


def options(battle: Battle) -> tuple[list[Option], dict[str, Refusal], bool]:
    """Every charge the active player may declare; whether one must be declared (t9a:21.A.b.15)."""
    from grognard.games.t9a import charge_dice, leaving

    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    must = False
    for unit in battle.army(battle.active):
        refusal = cannot_charge(battle, unit)
        if refusal is not None:
            for foe in battle.enemies(unit.seat):
                barred[f"{unit.id}>{foe.id}"] = refusal
        else:
            legal, why = targets(battle, unit)
            barred |= why
            for foe, flying in legal:
                key = f"{unit.id}>{foe.id}{':fly' if flying else ''}"
                told = (charge_dice.note(battle, unit, foe, flying),)
                facts = {"flying": flying}
                found.append(Option(key, (unit.id, foe.id, flying), "option.charge", (unit.id, foe.id), facts, told))
            must = must or (unit.must_charge and bool(legal))
        extra, why = leaving.charge_options(battle, unit)
        found += extra
        barred |= why
    return found, barred, must


def phase(battle: Battle) -> Script[None]:
    """t9a:11.A  The Charge Phase."""
    from grognard.games.t9a import charging

    battle.cite("t9a:11.A")
    if battle.stage == 0:
        yield from frenzy(battle)
        battle.stage = 1
    while battle.stage == 1:
        found, barred, must = options(battle)
        chosen = None
        if found or barred:
            chosen = yield Pick(
                battle.active,
                "charge.declare",
                found,
                optional=not must,
                barred=barred,
                rule="t9a:11.B",
                also=("t9a:21.A.b.15",) if must else (),
                checkpoint=True,
            )
        if chosen is None:
            battle.stage = 2
            break
        unit_id, target_id, flying = chosen
        yield from declare(battle, unit_id, target_id, flying)
    yield from charging.move_chargers(battle)


def declare(battle: Battle, unit_id: str, target_id: str, flying: bool) -> Script[None]:
    """t9a:11.B, 11.C  One charge is declared, the target reacts."""
    from grognard.games.t9a import leaving

    unit = leaving.detached(battle, unit_id)
    target = battle.units[target_id]
    side = ground.located(battle, target, unit)
    plan = charge_plans.plan(battle, unit, target, side, flying=flying)
    unit.charging = True
    unit.must_charge = False
    unit.flying = flying
    unit.blocked_path = plan is not None and plan.kind == "blocked"
    unit.aims = (Aim(target.id, side),)
    unit.goal = battle.block(target).centre
    if unit.id not in target.hunted:
        target.hunted = (*target.hunted, unit.id)
    battle.cite("t9a:11.B-charging", "t9a:11.C-side")
    if flying:
        battle.cite("t9a:21.A.b.52-charge")
    battle.tell("charge.declared", "t9a:11.B", (unit.id, target.id), side=side.name.lower(), flying=flying)
    if sum(u.charging and bool(u.aims) and u.aims[0].target == target.id for u in battle.army(unit.seat)) > 1:
        battle.cite("t9a:11.E.f-room", "t9a:11.C-each")
    yield from reactions.react(battle, unit, target)
    if (
        plan is not None
        and plan.kind == "multiple"
        and not target.fleeing
        and unit.charging
        and target.where == "table"
    ):
        yield from _secondary(battle, unit, plan.sets)


def _secondary(battle: Battle, unit: Unit, sets: tuple[tuple[str, ...], ...]) -> Script[None]:
    """t9a:11.E.e-secondary, 11.E.d-p1  Enemies whose contact cannot be avoided are charged as well, in the player's
    order; where fewest can be had in several ways, he chooses.
    """
    from grognard.kernel.questions import Order

    touch = sets[0]
    if len(sets) > 1:
        touch = yield Pick(
            battle.active,
            "charge.secondary.which",
            [option("+".join(s), s, about=s) for s in sets],
            rule="t9a:11.E.e-secondary",
            about=(unit.id,),
        )
    order = touch
    if len(touch) > 1:
        order = yield Order(
            battle.active,
            "charge.secondary",
            [option(t, about=(t,)) for t in touch],
            rule="t9a:11.E.e-secondary",
            about=(unit.id,),
        )
    for key in order:
        other = battle.units[key]
        if other.where != "table" or not unit.charging:
            continue
        side = ground.located(battle, other, unit)
        unit.aims = (*unit.aims, Aim(key, side, primary=False))
        other.hunted = (*other.hunted, unit.id)
        battle.tell("charge.secondary", "t9a:11.E.e-secondary", (unit.id, key))
        yield from reactions.react(battle, unit, other, secondary=True)


# ---------------------------------------------------------------------- redirect


def redirects(battle: Battle, target: Unit) -> Script[None]:
    """t9a:11.D, 11.D-many, 11.D-once  After a flight everyone who charged the unit may try to charge another, in any
    order.
    """
    asked: list[str] = []
    after = [u for u in battle.army(battle.active) if u.charging and u.aims and u.aims[0].target == target.id]
    barred = {u.id: Refusal("refuse.redirect.once", "t9a:11.D-once", {"unit": u.id}) for u in after if u.redirected}
    if barred:
        battle.cite("t9a:11.D-once")
    while True:
        able = [
            u
            for u in battle.army(battle.active)
            if u.charging and not u.redirected and u.id not in asked and u.aims and u.aims[0].target == target.id
        ]
        if not able and (asked or not barred):
            return
        picked = yield Pick(
            battle.active,
            "charge.redirect",
            [option(u.id, u, about=(u.id,)) for u in able],
            optional=True,
            barred=barred,
            rule="t9a:11.D",
            about=(target.id,),
        )
        if picked is None:
            return
        if len(able) > 1:
            battle.cite("t9a:11.D-many")
        asked.append(picked.id)
        picked.redirected = True
        battle.cite("t9a:11.D-once")
        swing = stats.swing(battle, picked, "Redirect Test")
        if (yield from psychology.test(battle, picked, "redirect", "t9a:11.D", swing=swing)):
            yield from _new_target(battle, picked, target)


def _new_target(battle: Battle, unit: Unit, old: Unit) -> Script[None]:
    """t9a:11.D  Ruling: without a legal or wanted new target the first charge stands."""
    unit.charging = False
    legal, barred = targets(battle, unit)
    unit.charging = True
    why_not = {key.removeprefix(f"{unit.id}>"): refusal for key, refusal in barred.items()}
    found = [
        option(
            f"{foe.id}{':fly' if flying else ''}",
            (foe.id, flying),
            text="option.charge",
            about=(unit.id, foe.id),
            data={"flying": flying},
        )
        for foe, flying in legal
        if foe.id != old.id
    ]
    if not found:
        return
    chosen = yield Pick(
        battle.active, "charge.new-target", found, optional=True, barred=why_not, rule="t9a:11.D", about=(unit.id,)
    )
    if chosen is None:
        return
    former = old.id if old.where == "table" else ""
    unit.charging = False
    yield from declare(battle, unit.id, chosen[0], chosen[1])
    if unit.charging:
        unit.former = former


# ---------------------------------------------------------------------- frenzy


def frenzy(battle: Battle) -> Script[None]:
    """t9a:21.A.b.15, 15-ms  At the start of the phase: frenzied units with an enemy near before them test, or must
    charge.
    """
    for unit in battle.army(battle.active):
        if not battle.any_has(unit, "frenzy") or cannot_charge(battle, unit) is not None:
            continue
        flying = stats.flight(battle, unit) is not None
        ground_rate = stats.rate(battle, unit, "adv").value
        air = stats.rate(battle, unit, "adv", flying=True).value if flying else 0
        battle.cite("t9a:21.A.b.15-ms")
        far = inches(max(ground_rate, air) + 7)
        near = [
            foe
            for foe in battle.enemies(unit.seat)
            if battle.gap(unit, foe) < far - EPS and sight.in_arc(battle, unit, None, foe)
        ]
        if not near:
            continue
        swing = 1 + stats.swing(battle, unit, "Frenzy Test")
        if not (yield from psychology.test(battle, unit, "frenzy", "t9a:21.A.b.15", swing=swing)):
            unit.must_charge = True
            battle.tell("frenzy.failed", "t9a:21.A.b.15", (unit.id,))


def chargers_of(battle: Battle, target: Unit) -> list[Unit]:
    """Units that declared a charge on a unit and have not moved."""
    return [u for u in battle.enemies(target.seat) if u.charging and any(a.target == target.id for a in u.aims)]


def far_enough(battle: Battle, target: Unit, charger: Unit) -> bool:
    """t9a:11.C.b-distance  At least the charger's Advance Rate away, with what its charge adds to it."""
    rate = charge_rate(battle, charger, charger.flying)
    battle.cite("t9a:11.C.b-distance")
    return battle.gap(target, charger) >= inches(rate) - EPS

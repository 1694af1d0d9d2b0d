"""Chapter 16.1: Reactions to charges: shoot, counter-charge, retreat or hold, exactly one."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import command_points, unordered
from grognard.games.nemesis.command import notes as guidance
from grognard.games.nemesis.forces import Model, Order, Reaction, Unit
from grognard.games.nemesis.rolls.stats import has_courage
from grognard.games.nemesis.shooting import shooting, shot_numbers
from grognard.games.nemesis.table import cohesion, sight, spells_in_effect
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal, foremost
from grognard.kernel.questions import Note, Option, Pick, Script, option

CONDITIONS = "nemesis:16.1-counter-conditions"
KINDS = ("shoot", "counter", "retreat", "hold")
RULES = {
    "shoot": "nemesis:16.1-shoot",
    "counter": CONDITIONS,
    "retreat": "nemesis:16.1-retreat",
    "hold": "nemesis:16.1-hold",
}


def charge_of(unit: Unit) -> Order | None:
    """The charge a unit still has to make."""
    return next((o for o in unit.orders if o.action == "charge" and not o.done), None)


def chargers(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemy units that have declared a charge on this unit and not yet made it."""
    found = []
    for enemy in battle.enemies(unit.seat):
        if any(o.action == "charge" and not o.done and o.target == unit.id for o in enemy.orders):
            found.append(enemy)
    return found


def react(battle: Battle, seat: str) -> Script[None]:
    """nemesis:16.1-timing, nemesis:16.1-mandatory  At the end of the phase every charged unit declares its reaction."""
    cross_charges(battle)
    while True:
        waiting = [u for u in battle.army(seat) if u.reaction is None and chargers(battle, u)]
        if not waiting:
            return
        battle.cite("nemesis:16.1-timing")
        yield from declare(battle, seat, waiting[0])


def cross_charges(battle: Battle) -> None:
    """nemesis:16.1-mutual  The later activated of two crossing charges turns into a counter-charge.

    Ruling: owners are compared by activation order; a unit that charged a third one earlier keeps its charge.
    """
    for seat in battle.order:
        for unit in battle.army(seat):
            order = charge_of(unit)
            if order is None or unit.reaction is not None:
                continue
            earlier = [c for c in chargers(battle, unit) if battle.order.index(c.seat) < battle.order.index(seat)]
            if earlier:
                unit.orders = tuple(o for o in unit.orders if o is not order)
                unit.orders = (*unit.orders, Order("counter", earlier[0].id, order.models, order.source, order.hero))
                battle.tell("charge.crossed", "nemesis:16.1-mutual", (unit.id, earlier[0].id))


def possible(battle: Battle, unit: Unit) -> dict[str, Refusal | None]:
    """nemesis:16.3-engaged-target, nemesis:16.1-hold
    Every reaction with None or the rule against it, whatever it would cost."""
    found: dict[str, Refusal | None] = {"hold": None}
    data = {"unit": unit.id}
    if battle.engaged(unit):
        battle.cite("nemesis:16.3-engaged-target")
        banned = {
            "shoot": "nemesis:17.2-restrict",
            "counter": CONDITIONS,
            "retreat": "nemesis:16.1-retreat-banned",
        }
        rule = "nemesis:16.3-engaged-target"
        return {k: Refusal("refuse.engaged-target", rule, data, (also,)) for k, also in banned.items()} | found
    if unit.stunned or unit.fleeing:
        rule = "nemesis:22.1-charger-fails-big" if unit.stunned else "nemesis:X.1-flight"
        why = Refusal("refuse.hold-only", rule, data)
        return {"shoot": why, "counter": why, "retreat": why, "hold": None}
    if unit.regiment and not cohesion.holds(battle, unit):
        why = Refusal("refuse.cohesion", "nemesis:6-cohesion-lost", data)
        return {"shoot": why, "counter": why, "retreat": why, "hold": None}
    frozen = battle.unit_flag(unit, "does_nothing")
    if frozen:
        why = Refusal("refuse.frozen", frozen, data)
        return {"shoot": why, "counter": why, "retreat": why, "hold": None}
    if spells_in_effect.mirage_of(battle, unit) is not None:
        why = Refusal("refuse.mirage", "nemesis:A2.C.10-mirage", data)
        return {"shoot": why, "counter": why, "retreat": why, "hold": None}
    found["shoot"] = _shoot_refusal(battle, unit)
    held = battle.unit_flag(unit, "cannot_move") if battle.enchantments else ""
    if held:  # nemesis:A2.O.7-ivy: it shoots or holds where it stands
        why = Refusal("refuse.held", held, data)
        return {"shoot": found["shoot"], "counter": why, "retreat": why, "hold": None}
    found["counter"] = counter_refusal(battle, unit, chargers(battle, unit))
    found["retreat"] = _retreat_refusal(battle, unit)
    return {kind: found[kind] for kind in KINDS}


def _shoot_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:16.1-shoot  Only units with ranged weapons that have not shot yet."""
    armed = [m for m in battle.standing(unit) if m.card.ranged]
    if not armed:
        return Refusal("refuse.no-ranged", "nemesis:16.1-shoot", {"unit": unit.id}, ("nemesis:5.2-shooter",))
    if all(m.shot for m in armed):
        return Refusal("refuse.shot-already", "nemesis:17.2-one-shot", {"unit": unit.id})
    unseen = [_unseen(battle, unit, charger) for charger in chargers(battle, unit)]
    return unseen[0] if unseen and None not in unseen else None


def _unseen(battle: Battle, unit: Unit, charger: Unit) -> Refusal | None:
    """nemesis:16.1-shoot, nemesis:17.2-los  A reaction shot needs one shooter who sees somebody of the charger."""
    shooters = [m for m in battle.standing(unit) if m.card.ranged and not m.shot]
    if any(shot_numbers.marks(battle, shooter, charger) for shooter in shooters):
        return None
    also = ("nemesis:16.1-shoot", "nemesis:5.5-los", "nemesis:5.5-arc")
    hidden = all(m.hidden for m in battle.members(charger))
    rule = "nemesis:A1.5-hidden-target" if hidden else "nemesis:17.2-los"
    return Refusal("refuse.counter-unseen", rule, {"unit": unit.id, "target": charger.id}, also)


def counter_refusal(battle: Battle, unit: Unit, against: list[Unit]) -> Refusal | None:
    """nemesis:16.1-counter-conditions, nemesis:16.1-counter-objective, nemesis:16.3-multi, nemesis:22.2-no-counter
    Why a unit may not counter-charge."""
    bars = {
        ("refuse.counter-engaged", CONDITIONS): battle.engaged(unit),
        ("refuse.counter-shot", CONDITIONS): any(m.shot for m in battle.standing(unit)),
        ("refuse.counter-multi", "nemesis:16.3-multi"): len(against) > 1,
        ("refuse.counter-defending", "nemesis:16.1-counter-objective"): unit.defending,
        ("refuse.counter-afraid", "nemesis:22.2-no-counter"): unit.courage_failed,
        ("refuse.counter-unseen", CONDITIONS): bool(against) and not sight.sees_unit(battle, unit, against[0]),
    }
    told = [Refusal(code, rule, {"unit": unit.id}, (CONDITIONS,)) for (code, rule), bar in bars.items() if bar]
    return foremost(told)


def _retreat_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    """nemesis:16.1-retreat-banned  C dash and whoever never retreats."""
    data = {"unit": unit.id}
    for model in battle.standing(unit):
        if not has_courage(model):
            battle.cite("nemesis:22.2-absent")
            return Refusal("refuse.never-retreats", "nemesis:16.1-retreat-banned", data, ("nemesis:22.2-absent",))
        never = battle.flag(model, "never_retreats")
        if never:
            return Refusal("refuse.never-retreats", "nemesis:16.1-retreat-banned", data, (never,))
    return None


def payments(battle: Battle, unit: Unit, kind: str) -> list[Option]:
    """nemesis:16.1-cost  What may pay for a reaction: a held order, 1 PC, a hero's action, a 13.5 test."""
    if kind == "hold":
        return []
    found: list[Option] = []
    if _open_orders(unit):
        found.append(option("swap", text="option.swap"))
    for hero in battle.heroes(unit.seat):
        lone = hero.id in unit.models and len(unit.models) == 1
        if not lone and command_points.order_refusal(battle, hero, unit) is None:
            left = (guidance.of_points(hero, own=True),)
            found.append(
                option(f"pc:{hero.id}", text="option.pc", about=(hero.id,), data={"hero": hero.id}, notes=left)
            )
    members = battle.members(unit)
    if len(members) == 1 and members[0].card.is_hero and command_points.own_actions_left(members[0]) > 0:
        found.append(option("action", text="option.own-action"))
    untold = not unit.attempted and not command_points.unit_orders(unit) and not members[0].card.is_hero
    if kind in ("shoot", "counter") and untold:
        told = guidance.of_attempt(battle, unit, "shoot" if kind == "shoot" else "charge")
        found.append(option("test", text="option.test", notes=(told,)))
    return found


def _unpaid(battle: Battle, unit: Unit) -> dict[str, Refusal]:
    """nemesis:16.1-cost, nemesis:13.3-range, nemesis:13.4-one-order  Why the other heroes cannot pay for a reaction."""
    found = {f"pc:{hero.id}": command_points.order_refusal(battle, hero, unit) for hero in battle.heroes(unit.seat)}
    if unit.attempted:
        found["test"] = Refusal("refuse.attempted", "nemesis:13.5-limits", {"unit": unit.id})
    return {key: why for key, why in found.items() if why is not None}


def declare(battle: Battle, seat: str, unit: Unit, *, late: bool = False) -> Script[None]:
    """nemesis:16.1-mandatory, nemesis:16.1-cost
    Exactly one reaction, and what pays for it; `late`: in the midst of one."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    threats = [charger.id for charger in chargers(battle, unit)]
    for kind, why in possible(battle, unit).items():
        if why is None and kind != "hold" and not payments(battle, unit, kind):
            dear = Refusal("refuse.cannot-pay", "nemesis:16.1-cost", {"unit": unit.id})
            why = dear.beside(_unpaid(battle, unit).values())
        if why is None:
            about = (unit.id, *threats[:1]) if kind in ("shoot", "counter") else (unit.id,)
            notes = guidance.of_reaction(battle, unit, kind)
            options.append(option(kind, text=f"option.react-{kind}", about=about, notes=notes))
        else:
            barred[kind] = why
    kind = yield Pick(
        seat, "charge.react", options, barred=barred, rule="nemesis:16.1-mandatory",
        about=(*threats[:1], unit.id, *threats[1:]), data={"unit": unit.id, "by": threats}, checkpoint=not late,
        notes=(Note("note.react-cost", {}, "nemesis:16.1-cost"),) if len(options) > 1 else (),
    )  # fmt: skip
    if kind == "hold":
        battle.cite("nemesis:16.1-cost")
        _set(battle, unit, "hold", None)
        return
    paid = yield from _pay(battle, seat, unit, kind)
    charger = (yield from _which(battle, seat, unit, kind)) if paid else None
    weapon = (yield from _with_what(battle, seat, unit, kind)) if paid else None
    _set(battle, unit, kind if paid else "hold", charger, weapon)


def _pay(battle: Battle, seat: str, unit: Unit, kind: str) -> Script[bool]:
    """nemesis:16.1-cost, nemesis:13.4-swap  Pay for the reaction; only the test can fail."""
    how = yield Pick(
        seat, "react.pay", payments(battle, unit, kind), barred=_unpaid(battle, unit), rule="nemesis:16.1-cost",
        about=(unit.id,),
    )  # fmt: skip
    if how == "swap":
        held = yield from _which_order(seat, unit)
        unit.orders = tuple(o for o in unit.orders if o is not held)
        battle.tell("order.swapped", "nemesis:13.4-swap", (unit.id,), action=held.action, reaction=kind)
    elif how == "test":
        return (yield from unordered.attempt(battle, unit, "shoot" if kind == "shoot" else "charge"))
    elif how == "action":
        hero = battle.members(unit)[0]
        hero.actions = (*hero.actions, "reaction")
        battle.tell("react.own-action", "nemesis:13.3-two-actions", (hero.id,))
    else:
        hero = battle.models[how.removeprefix("pc:")]
        command_points.pay(battle, hero, unit)
        other = command_points.hero_of(battle, unit)
        if other is not None:
            battle.units[other.home].third_action = True
            battle.cite("nemesis:13.3-third-action")
        unit.orders = (*unit.orders, Order("reaction", None, unit.models, "order", hero.id, done=True))
    return True


def _open_orders(unit: Unit) -> list[Order]:
    """nemesis:13.4-swap  Orders of the unit that have not been carried out."""
    return [o for o in command_points.unit_orders(unit) if not o.done]


def _which_order(seat: str, unit: Unit) -> Script[Order]:
    """nemesis:13.4-swap, nemesis:A1.9-disciplined  Which of several orders is given up for the reaction."""
    options = [option(o.action, o, text=f"option.{o.action}") for o in _open_orders(unit)]
    held: Order = yield Pick(seat, "react.swap", options, rule="nemesis:13.4-swap", about=(unit.id,))
    return held


def _which(battle: Battle, seat: str, unit: Unit, kind: str) -> Script[str | None]:
    """nemesis:16.3-multi-shoot  A reaction shot goes at one charger only."""
    threats = chargers(battle, unit)
    if kind != "shoot":
        return threats[0].id if threats else None
    if len(threats) > 1:
        battle.cite("nemesis:16.3-multi-shoot")
    why = {c.id: _unseen(battle, unit, c) for c in threats}
    seen = [c for c in threats if why[c.id] is None] or threats
    options = [option(c.id, text="option.unit", about=(c.id,), data={"unit": c.id}) for c in seen]
    barred = {key: refusal for key, refusal in why.items() if refusal is not None and key not in [c.id for c in seen]}
    chosen: str = yield Pick(
        seat, "react.charger", options, barred=barred, rule="nemesis:16.3-multi-shoot", about=(unit.id,)
    )
    return chosen


def declare_ordered(battle: Battle, unit: Unit, kind: str, hero: Model) -> Script[None]:
    """nemesis:16.1-timing  A reaction given as an ordinary order once the charge is known."""
    charger = yield from _which(battle, unit.seat, unit, kind)
    weapon = yield from _with_what(battle, unit.seat, unit, kind)
    unit.orders = (*unit.orders, Order("reaction", None, unit.models, "order", hero.id, done=True))
    _set(battle, unit, kind, charger, weapon)


def _with_what(battle: Battle, seat: str, unit: Unit, kind: str) -> Script[str | None]:
    """nemesis:16.1-shoot, nemesis:17.1-weapon  Which of several ranged weapons a reaction shot is made with."""
    if kind != "shoot":
        return None
    return (yield from shooting.weapon_of(seat, "react", battle.standing(unit), (unit.id,)))


@cites
def _set(battle: Battle, unit: Unit, kind: str, charger: str | None, weapon: str | None = None) -> None:
    """nemesis:16.1-timing  The reaction is declared. Ruling: holding loses a pending approach; a shoot order stays."""
    unit.reaction = Reaction(kind, charger, weapon=weapon)
    lost = ("approach", "counter") if kind == "hold" else ("counter",)
    given_up = [o for o in unit.orders if not o.done and o.action == "approach" and o.action in lost]
    unit.orders = tuple(o for o in unit.orders if o.done or o.action not in lost)
    battle.tell("charge.reaction", RULES[kind], (unit.id,), reaction=kind, charger=charger)
    for order in given_up:
        void = {"action": order.action, "reason": "refuse.holds", "unit": unit.id}
        battle.tell("order.void", "nemesis:16.1-hold", (unit.id,), **void)

"""nemesis:13-actions  The actions a unit or hero may be told to do, and at whom."""

from __future__ import annotations

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import notes as guidance
from grognard.games.nemesis.disengage import disengage
from grognard.games.nemesis.forces import Model, Order, Unit
from grognard.games.nemesis.shooting import shooting, shot_numbers
from grognard.games.nemesis.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Option, Pick, Script, option

ACTIONS = ("approach", "shoot", "charge", "disengage")
RULES = {
    "approach": "nemesis:15-direction",
    "shoot": "nemesis:17.2-declare",
    "charge": "nemesis:16-order",
    "disengage": "nemesis:18-eligible",
}
SEEN = {"charge": "nemesis:16-los", "shoot": "nemesis:17.2-los", "approach": "nemesis:15-direction"}
SHIELD = "nemesis:17.2-hero-shield"


def crew(battle: Battle, unit: Unit, model: Model | None = None) -> list[Model]:
    """Who executes: the whole unit, or one hero acting on his own."""
    return [model] if model is not None else battle.standing(unit)


def refusal(battle: Battle, unit: Unit, action: str, model: Model | None = None) -> Refusal | None:
    """nemesis:12-engaged-static  Why this action is not possible at all for the unit (or for a hero within it)."""
    data = {"unit": unit.id}
    if action == "disengage":
        return disengage.refusal(battle, unit, model)
    if action == "shoot":
        barred = shooting.may_shoot(battle, unit, crew(battle, unit, model))
        if barred is not None:
            return barred
    elif battle.engaged(unit):
        also: tuple[str, ...]
        rule, also = "nemesis:12-engaged-static", ("nemesis:15-no-contact",)
        if action == "charge":
            rule, also = "nemesis:16-los", ("nemesis:16-order",)
        return Refusal("refuse.engaged", rule, data, also)
    else:
        held = _held(battle, crew(battle, unit, model))
        if held:
            return Refusal("refuse.held", held, data)
    found, against = targets(battle, unit, action, model)
    if not found:
        rules = dict.fromkeys(why.rule for why in against.values())
        also = tuple(dict.fromkeys(rule for why in against.values() for rule in why.rules))
        return Refusal("refuse.no-target", next(iter(rules)) if len(rules) == 1 else RULES[action], data, also)
    return None


def _held(battle: Battle, models: list[Model]) -> str:
    """nemesis:A2.O.7-ivy  The spell that keeps every one of these models from moving, or ""."""
    rules = [battle.flag(m, "cannot_move") for m in models] if battle.enchantments else []
    return rules[0] if rules and all(rules) else ""


def targets(
    battle: Battle, unit: Unit, action: str, model: Model | None = None
) -> tuple[list[Option], dict[str, Refusal]]:
    """Enemy units that may be named as the target, and why the others may not.

    In the orders phase nothing moves, and the same is asked again and again: it is remembered.
    """
    if action == "disengage":
        return [], {}
    if battle.phase != "orders":
        return _targets(battle, unit, action, model)
    memo = battle._sight.setdefault("targets", {})
    eyes = tuple(m.detected for m in crew(battle, unit, model))
    spells = tuple(e.id for e in battle.enchantments)
    key = (battle.bodies.version, spells, unit.id, action, model.id if model else None, eyes)
    if key not in memo:
        memo[key] = _targets(battle, unit, action, model)
    found, barred = memo[key]
    return list(found), dict(barred)


def _targets(battle: Battle, unit: Unit, action: str, model: Model | None) -> tuple[list[Option], dict[str, Refusal]]:
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    watchers = crew(battle, unit, model)
    if action == "shoot":
        watchers = [w for w in watchers if w.card.ranged]
        barred = {key: Refusal("refuse.hero-shield", SHIELD, {"unit": key}) for key in _lodgers(battle, unit.seat)}
    for enemy in battle.enemies(unit.seat):
        why = target_refusal(battle, watchers, enemy, action)
        if why is None:
            data = {"unit": enemy.id, **_measured(battle, watchers, enemy)}
            found.append(option(enemy.id, text="option.unit", about=(enemy.id,), data=data))
        else:
            barred[enemy.id] = why
    return found, barred


def _lodgers(battle: Battle, seat: str) -> list[str]:
    """nemesis:17.2-hero-shield  Enemy heroes who are in a regiment: nobody can shoot at them."""
    foes = (m for m in battle.on_table() if m.seat != seat and m.unit != m.home)
    return [m.home for m in foes if shot_numbers.shielded(battle.unit_of(m))]


def _measured(battle: Battle, watchers: list[Model], enemy: Unit) -> dict[str, float]:
    """nemesis:4-no-premeasure  How far away an enemy is, in cm, told only where the house allows measuring first."""
    if not battle.house.get("allow_premeasure", False) or not watchers:
        return {}
    battle.cite("nemesis:4-no-premeasure")
    return {"distance": round(min(battle.gap(w, m) for w in watchers for m in battle.members(enemy)) / MM_PER_CM, 2)}


def target_refusal(battle: Battle, watchers: list[Model], enemy: Unit, action: str) -> Refusal | None:
    """nemesis:16-los, nemesis:17.2-los, nemesis:15-direction, nemesis:15-hidden, nemesis:A1.5-hidden-target
    Why an enemy cannot be named."""
    data = {"unit": enemy.id}
    members = battle.members(enemy)
    found = any(enemy.id in w.detected for w in watchers)
    if members and all(m.hidden for m in members) and not found:
        battle.cite("nemesis:A1.5-hidden")
        return Refusal("refuse.hidden", "nemesis:A1.5-hidden-target", data, ("nemesis:A1.5-hidden",))
    if action in ("charge", "shoot"):
        tricked = battle.unit_flag(enemy, "untargetable")
        if tricked:
            return Refusal("refuse.untargetable", tricked, data)
    if action == "approach" and found:
        return None
    if sight.any_sees(battle, watchers, enemy):
        if action != "shoot" or any(shot_numbers.marks(battle, w, enemy) for w in watchers):
            return None
        return Refusal("refuse.hero-shield", SHIELD, data)
    rule = SEEN[action]
    if action == "approach" and sight.hidden_by_terrain(battle, watchers, enemy):
        rule = "nemesis:15-hidden"
    return Refusal("refuse.unseen", rule, data, (*sight.CITED, *(sight.DETECTED if found else ())))


def menu(
    battle: Battle, unit: Unit, held: tuple[str, ...], model: Model | None = None, *,
    twice: str = "nemesis:13.3-two-actions", only: tuple[str, ...] = ACTIONS,
) -> dict[str, Refusal | None]:  # fmt: skip
    """Every action with None (possible) or the reason against it; `held` are already taken, never `twice`."""
    found: dict[str, Refusal | None] = {}
    for action in only:
        if action in held:
            found[action] = Refusal("refuse.same-action", twice, {"unit": unit.id})
        else:
            found[action] = refusal(battle, unit, action, model)
    return found


def nothing(battle: Battle, unit: Unit, held: tuple[str, ...], only: tuple[str, ...]) -> Refusal | None:
    """Why none of these actions is possible: what keeps it from shooting, if armed, else from the last of them."""
    against: list[Refusal] = []
    for action in reversed(only):
        why = menu(battle, unit, held, only=(action,))[action]
        if why is None:
            return None
        against.insert(0, why)
    return next((why for why in against if why.rule == "nemesis:17.2-los"), against[-1]).beside(against)


def offered(battle: Battle, unit: Unit, action: str, model: Model | None = None, *, tested: bool = False) -> Option:
    """An action to choose, with what it comes to; `tested`: where it takes a test."""
    notes = guidance.of_action(battle, unit, action, model)
    if tested:
        notes = (*notes, guidance.of_attempt(battle, unit, action))
    return option(action, text=f"option.{action}", about=(model.id if model else unit.id,), notes=notes)


def choose(
    battle: Battle, seat: str, unit: Unit, prefix: str, held: tuple[str, ...], model: Model | None = None,
    only: tuple[str, ...] = ACTIONS,
) -> Script[Order | None]:  # fmt: skip
    """nemesis:13.3-target  Name an action, its target and the models that execute it."""
    possible = menu(battle, unit, held, model)
    tested = prefix == "attempt"
    options = [offered(battle, unit, a, model, tested=tested) for a in only if possible[a] is None]
    barred = {a: r for a, r in possible.items() if r is not None and a in only}
    barred |= {a: Refusal("refuse.needs-order", "nemesis:13.5-limits", {}) for a in ACTIONS if a not in only}
    about = (model.id if model else unit.id,)
    action = yield Pick(
        seat, f"{prefix}.action", options, optional=True, barred=barred, rule="nemesis:13-actions", about=about
    )
    if action is None:
        return None
    return (yield from aim(battle, seat, unit, action, prefix, model))


@cites
def aim(
    battle: Battle, seat: str, unit: Unit, action: str, prefix: str, model: Model | None = None
) -> Script[Order | None]:
    """nemesis:4-no-premeasure  The target and, for shots, weapon and shooters, named before anything is measured."""
    about = (model.id if model else unit.id,)
    chosen: str | None = None
    if action != "disengage":
        options, barred = targets(battle, unit, action, model)
        chosen = yield Pick(
            seat, f"{prefix}.target", options, barred=barred, rule=RULES[action], about=about,
            data={"action": f"option.{action}"},
        )  # fmt: skip
        battle.cite(SEEN[action])
    models = crew(battle, unit, model)
    weapon: str | None = None
    if action == "shoot":
        models = [m for m in models if m.card.ranged]
        weapon = yield from shooting.weapon_of(seat, prefix, models, about)
    where = tuple((m.id, battle.pose(m).x, battle.pose(m).y) for e in battle.enemies(seat) for m in battle.members(e))
    return Order(
        action, chosen, tuple(m.id for m in models), weapon=weapon, declared_at=where if action == "charge" else (),
        found=tuple(m.id for m in models if chosen in m.detected),
    )  # fmt: skip


def narrow(battle: Battle, seat: str, unit: Unit, order: Order, prefix: str) -> Script[None]:
    """nemesis:17.2-declare, nemesis:13.3-target  Which models of a unit just told to shoot do so; none named: all."""
    if order.action != "shoot" or len(order.models) < 2:
        return
    options = [option(key, text="option.model", about=(key,), data={"model": key}) for key in order.models]
    chosen = yield Pick(
        seat, f"{prefix}.models", options, least=0, most=len(options), rule="nemesis:17.2-declare", about=(unit.id,),
        idle=True,
    )  # fmt: skip
    if chosen and len(chosen) < len(options):
        named = tuple(key for key in order.models if key in chosen)
        unit.orders = tuple(msgspec.structs.replace(o, models=named) if o == order else o for o in unit.orders)
        battle.tell("order.shooters", "nemesis:17.2-declare", (unit.id, *named), models=list(named))

"""Notes beside options: what actions, orders and reactions come to. They tell of the unit itself, never of a distance
between models (nemesis:4-no-premeasure).
"""

from __future__ import annotations

from grognard.games.nemesis.army.profiles import Melee
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.rolls.stats import group_value
from grognard.kernel.questions import Note, Option, option

CHOICE = "nemesis:19.1-weapon-choice"
#: What an action may be tried with where there is no order, and the rule.
TESTS = {"shoot": ("HT", "nemesis:13.5-shoot"), "charge": ("HC", "nemesis:13.5-charge")}


def pace(battle: Battle, models: list[Model]) -> float:
    """nemesis:12-mixed-speed  The M of the slowest, flying where it flies, in cm."""
    return min((float(allowance(battle, m, flying=m.card.fly is not None).value) for m in models), default=0.0)


def of_action(battle: Battle, unit: Unit, action: str, model: Model | None = None) -> tuple[Note, ...]:
    """nemesis:13-actions  What an action lets a unit, or a hero within it, do."""
    crew = [model] if model is not None else battle.standing(unit)
    far = round(pace(battle, crew), 1)
    if action == "approach":
        return (Note("note.approach", {"far": far / 2}, "nemesis:15-move"),)
    if action == "charge":
        return (Note("note.charge", {"far": far}, "nemesis:16.2-move"),)
    if action == "disengage":
        return (Note("note.disengage", {"far": far}, "nemesis:18-move"),)
    ranges = sorted({bow.P for m in crew for bow in m.card.ranged})
    return (Note("note.shoot", {"ranges": ranges}, "nemesis:17.3-range"),) if action == "shoot" else ()


def of_attempt(battle: Battle, unit: Unit, action: str) -> Note:
    """nemesis:13.5-shoot, nemesis:13.5-charge  What the die may show at most."""
    stat, rule = TESTS[action]
    need = group_value(battle, unit, stat).value
    return Note("note.attempt" if need >= 1 else "note.hopeless", {"need": need}, rule)


def of_reaction(battle: Battle, unit: Unit, kind: str) -> tuple[Note, ...]:
    """nemesis:16.1-mandatory  What a reaction does."""
    far = round(pace(battle, battle.standing(unit)), 1)
    facts = {"far": far / 2 if kind == "counter" else far}
    rules = {"counter": "nemesis:16.1-counter-bonus"}
    return (Note(f"note.react-{kind}", facts, rules.get(kind, f"nemesis:16.1-{kind}")),)


def weapon(arm: Melee, unit: Unit) -> Option:
    """nemesis:19.1-weapon-choice  A close-combat weapon to choose, with what it changes."""
    changes = [f"{name} {number:+d}" for name in ("HC", "F", "A") if (number := getattr(arm, name))]
    notes = [Note("note.weapon", {"changes": changes}, CHOICE)] if changes else [Note("note.weapon-plain", {}, CHOICE)]
    if arm.abilities:
        notes.append(Note("note.weapon-abilities", {"abilities": list(arm.abilities)}, CHOICE))
    return option(arm.name, text="option.weapon", about=(unit.id,), data={"weapon": arm.name}, notes=tuple(notes))


def of_points(hero: Model, *, own: bool = False) -> Note:
    """nemesis:13.2-spend  What a hero has left to order with; `own`: beside his name."""
    return Note(f"note.{'own-' * own}points", {"hero": hero.id, "left": hero.pc_left}, "nemesis:13.2-spend")

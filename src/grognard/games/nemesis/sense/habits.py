"""Small decisions that are nearly always made the same way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.games.nemesis.sense import chances, worth
from grognard.kernel.questions import Pick, Question, Split

#: Where units of a role like to be deployed, the best first.
ROWS = {
    "fighter": ("front", "middle", "back"), "archer": ("middle", "front", "back"), "mage": ("back", "middle", "front"),
    "leader": ("back", "middle", "front"), "bearer": ("back", "middle", "front"),
}  # fmt: skip
COLUMNS = ("centre", "right", "left")


def usual(question: Question, answer: Any) -> float:
    """What costs nothing is taken; where there is nothing to choose between, anything will do."""
    return -0.1 if answer is None or answer == [] else 0.0


def deploy(battle: Battle, unit: Unit, name: str) -> float:
    """nemesis:8.3-inside  Fighters in front, archers behind them, mages at the back; not all in the same place."""
    row, _, column = name.partition("-")
    rows = ROWS[worth.role(battle, unit)]
    if row in rows and column in COLUMNS:
        down = sum(battle.models[u.models[0]].on_table for u in battle.army(unit.seat))
        return 10.0 - 3 * rows.index(row) - (COLUMNS.index(column) - down) % len(COLUMNS)
    return {"scout": 3.5, "cover": 3.0}.get(row, 0.0)


def blow(battle: Battle, attacker: str, target: str) -> float:
    """What one blow at a model is worth."""
    by, mark = battle.models[attacker], battle.models[target]
    head = worth.prize(battle, battle.unit_of(mark)) if mark.id == battle.sides[mark.seat].commander else 1.0
    wasted = 0.2 if mark.doomed else 1.0
    return chances.strike(by.card, mark.card, by.charged) * worth.price(mark) * head * wasted


def _foremost(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:12-basic  Everyone moves, those in front first, so that nobody stands in another's way."""
    if answer is None:
        return -1e6
    unit = battle.units[answer]
    return -min((battle.unit_gap(unit, enemy) for enemy in battle.enemies(unit.seat)), default=0.0)


def _few(battle: Battle, question: Question, answer: Any) -> float:
    """The fewer the better."""
    return -float(len(answer or ()))


def _many(battle: Battle, question: Question, answer: Any) -> float:
    """The more the better."""
    return float(len(answer or ()))


def _sources(battle: Battle, question: Split, answer: Any) -> float:
    """nemesis:14.8-stones  Dice first, stones last."""
    return -float(answer.get("stones", 0)) - 0.5 * float(answer.get("hardened", 0))


def _weapon(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:19.1-weapon-choice  Skill counts for the hit and the impact, strength for the impact."""
    for key in battle.units[question.about[0]].models:
        for weapon in battle.models[key].card.melee:
            if weapon.name == answer:
                return 1.6 * weapon.HC + weapon.F + 2 * weapon.A + 0.5 * len(weapon.abilities)
    return 0.0


def _courage(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:6-champion, nemesis:6-hero  Whoever is bravest."""
    lead = next(o.value for o in question.options if o.key == answer)
    return float(lead.value.value + 2 * len(lead.who.again) + 2 * lead.who.best_of_two)


def _casualty(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:17.2-casualties  The cheapest of one's own."""
    model = battle.models[question.options[0].key if answer is None else answer]
    return -model.card.cost - 10.0 * bool(model.scrolls)


def _pay(battle: Battle, question: Pick, answer: str) -> float:
    """nemesis:16.1-cost  Command points are lost at the end of the turn anyway; a test may fail."""
    return {"pc": 3.0, "action": 2.0, "swap": 1.0}.get(answer.partition(":")[0], 0.0)


def _scroll(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:A3.1-carry  What lies there is picked up; what a friend has he keeps."""
    return 0.0 if answer is None else 1.0 if answer.startswith("pick") else -1.0


def _join(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:6-hero  A commander is safer among his own; others go their own way."""
    hero = answer if question.name == "deploy.join" else question.about[0]
    if answer is None:
        return 0.0
    return 1.0 if hero == battle.sides[question.seat].commander else -1.0


def _into_melee(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:17.5-random  Into one's own only if the enemy has more to lose."""
    unit, enemy = (battle.units[key] for key in question.about)
    return worth.volley(battle, unit, enemy) if answer == "shoot" else 0.0


def _pursue(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:18-pursuit  After him, if he is worth catching."""
    unit, enemy = battle.units[question.about[0]], battle.units[question.about[1]]
    gain = worth.exchange(battle, unit, enemy) if unit.models and enemy.models else 0.0
    return gain if answer == "pursue" else 0.0


def _swap(battle: Battle, question: Pick, answer: Any) -> float:
    """nemesis:A1.6-corruption  A higher die for an attacker, a lower one against a defender."""
    if answer is None:
        return 0.0
    rolls = [e for e in battle.events[-4:] if e.kind == "roll" and e.data.get("name") == "combat.attack"]
    attacking = bool(rolls) and question.about[0] in rolls[-1].about
    lead = question.data["defence"] - question.data["attack"]
    return float(lead if attacking else -lead) - 0.5


OPINIONS: dict[str, Callable[[Battle, Any, Any], float | None]] = {
    "move.unit": _foremost, "approach.unit": _foremost, "charge.unit": _foremost,
    "combat.hold": _few, "deploy.defend": _few, "deploy.hide": _many, "order.models": _many, "attempt.models": _many,
    "hero.models": _many, "cast.dice.sources": _sources, "block.dice.sources": _sources,
    "dispel.dice.sources": _sources, "weapon.choose": _weapon, "courage.whose": _courage, "shot.casualty": _casualty,
    "react.pay": _pay, "scroll.exchange": _scroll, "deploy.join": _join, "hero.join": _join,
    "shoot.into-melee": _into_melee, "pursue": _pursue, "corruption.swap": _swap,
}  # fmt: skip

"""nemesis:A2.O.9-fate-cheat  The free shooting phase of Cheating Fate, right after the magic phase."""

from __future__ import annotations

from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Order, Unit
from grognard.games.nemesis.losses import casualties
from grognard.games.nemesis.orders import actions
from grognard.games.nemesis.shooting import shooting
from grognard.games.nemesis.table import spells_in_effect
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script, option

FATE = "O.9-fate-cheat"
RULE = "nemesis:A2.O.9-fate-cheat"


def play(battle: Battle) -> Script[None]:
    """Everyone with a free shooting phase names targets, then all shoot, then the lost leave."""
    for seat in battle.order:
        gift = battle.enchanted(seat, FATE)
        if gift is not None and not gift.data.get("named"):
            yield from _name_targets(battle, seat)
    gifts = [gift for seat in battle.order if (gift := battle.enchanted(seat, FATE)) is not None]
    for gift in gifts:
        spells_in_effect.lift(battle, gift)
        for shot in gift.data.get("shots", []):
            yield from _shoot(battle, shot)
    yield from casualties.sweep(battle)


def _name_targets(battle: Battle, seat: str) -> Script[None]:
    """nemesis:A2.O.9-fate-cheat, nemesis:17.2-declare  Units within the spell's reach each name one target, or not."""
    while True:
        gift = battle.enchanted(seat, FATE)
        assert gift is not None
        options, barred = _shooters(battle, seat, gift)
        if not options:
            break
        unit = yield Pick(
            seat, "fate.shoot", options, optional=True, barred=barred, rule=RULE, about=(seat,), checkpoint=True
        )
        if unit is None:
            break
        targets, unseen = _targets(battle, unit, gift)
        target = yield Pick(seat, "fate.target", targets, barred=unseen, rule="nemesis:17.2-declare", about=(unit.id,))
        crew = _armed(battle, unit, gift)
        weapon = yield from shooting.weapon_of(seat, "fate", crew, (unit.id,))
        shot = {"unit": unit.id, "target": target, "models": [m.id for m in crew], "weapon": weapon}
        spells_in_effect.note(battle, gift, shots=[*gift.data.get("shots", []), shot])
    spells_in_effect.note(battle, gift, named=True)


def _armed(battle: Battle, unit: Unit, gift: Enchantment) -> list[Model]:
    return [m for m in battle.standing(unit) if m.card.ranged and m.id in gift.data["models"]]


def _targets(battle: Battle, unit: Unit, gift: Enchantment) -> tuple[list[Option], dict[str, Refusal]]:
    """nemesis:17.2-los  The enemy units those with a free shot may name, and why not the others."""
    armed = _armed(battle, unit, gift)
    found = [(e, actions.target_refusal(battle, armed, e, "shoot")) for e in battle.enemies(unit.seat)]
    options = [
        option(e.id, text="option.spell-target", about=(e.id,), data={"target": e.id})
        for e, why in found
        if why is None
    ]
    return options, {e.id: why for e, why in found if why is not None}


def _shooters(battle: Battle, seat: str, gift: Enchantment) -> tuple[list[Option], dict[str, Refusal]]:
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(seat):
        data = {"unit": unit.id}
        if not any(m.card.ranged for m in battle.standing(unit)):
            continue
        if any(shot["unit"] == unit.id for shot in gift.data.get("shots", [])):
            barred[unit.id] = Refusal("refuse.fate-once", RULE, data)
        elif not _armed(battle, unit, gift):
            barred[unit.id] = Refusal("refuse.fate-range", RULE, data)
        elif (why := shooting.may_shoot(battle, unit)) is not None:
            barred[unit.id] = why
        elif not _targets(battle, unit, gift)[0]:
            barred[unit.id] = Refusal("refuse.fate-no-target", "nemesis:17.2-los", data)
        else:
            options.append(option(unit.id, unit, text="option.unit", about=(unit.id,), data=data))
    return options, barred


def _shoot(battle: Battle, shot: dict[str, Any]) -> Script[None]:
    """nemesis:A2.O.9-fate-cheat  Ruling: it does not use up the turn's shot; the restrictions of 17 hold."""
    unit, target = battle.units[shot["unit"]], battle.units[shot["target"]]
    order = Order("shoot", target.id, tuple(shot["models"]), source="fate", weapon=shot["weapon"])
    battle.tell("fate.shoots", RULE, (unit.id, target.id))
    yield from shooting.volley(battle, unit, order, target, free=True)

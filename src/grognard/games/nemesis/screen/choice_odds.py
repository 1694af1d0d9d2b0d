"""Odds of what an option would set off: by the cards, and by what may be known before it is measured."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.nemesis import odds as desk
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.command import notes
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.magic import magic_dice, spells
from grognard.games.nemesis.magic.declarations import Declared
from grognard.games.nemesis.melee import melee
from grognard.games.nemesis.odds.policy import sparing
from grognard.games.nemesis.orders.actions import RULES
from grognard.games.nemesis.rolls.stats import value
from grognard.games.nemesis.rolls.steps import blow
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Note, Pick

NO_PREMEASURE = "nemesis:4-no-premeasure"
#: A volley whose distance may not be measured is weighed at this share of the weapon's range.
USUAL = 0.6
#: More models than this on one side are not weighed while a player waits.
MOST = 12
#: So many of either side meet in the first blows of a charge.
FRONT = 4


def of_option(battle: Battle, question: Pick, option: str) -> Odds | None:
    """What choosing this option comes to; None where that is nothing to be weighed."""
    if option not in question.keys or not question.about:
        return None
    actor = question.about[0]
    if question.name in ("combat.target", "combat.extra"):
        return _blow(battle, battle.models[actor], battle.models[option])
    if question.name == "magic.declare":
        entry = next(o.value for o in question.options if o.key == option)
        return _spell(battle, entry) if isinstance(entry, Declared) and entry.kind == "cast" else None
    unit = battle.units.get(actor) or battle.units.get(battle.models[actor].unit if actor in battle.models else "")
    target = battle.units.get(option)
    if unit is None or target is None or question.rule not in (RULES["shoot"], RULES["charge"]):
        return None
    shoots = question.rule == RULES["shoot"]
    odds = _volley(battle, unit, target) if shoots else _charge(battle, unit, target)
    if odds is None or question.name != "attempt.target":
        return odds
    action = "shoot" if shoots else "charge"
    test = notes.of_attempt(battle, unit, action)
    return odds.assuming(Note("note.assumed.attempt", test.data, test.rule))


def _blow(battle: Battle, attacker: Model, target: Model) -> Odds:
    """nemesis:19.2-roll  One attack, as things stand."""
    weigher = Weigher(sparing)
    numbers = melee.blow_for(battle, attacker, target)
    results = weigher.run(lambda: blow(numbers)).map(lambda struck: struck.result)
    return Odds.of("blow", results, touched=weigher.touched)


def _volley(battle: Battle, unit: Unit, target: Unit) -> Odds | None:
    """Chapter 17.3, nemesis:4-no-premeasure
    By the cards, in the open, at a usual distance unless one may measure first."""
    shooters = [m for m in battle.standing(unit) if m.card.ranged]
    marks = battle.standing(target)
    if not shooters or not marks or len(shooters) > MOST:
        return None
    bow = battle.ranged_weapon(shooters[0])
    assert bow is not None
    measured = bool(battle.house.get("allow_premeasure", False))
    gaps = [battle.gap(shooter, mark) / MM_PER_CM for shooter in shooters for mark in marks] if measured else []
    far = round(min(gaps, default=bow.P * USUAL), 1)
    arguments = {
        "shooters": len(shooters), "visible": min(len(marks), MOST), "shooter": "shooter", "target": "target",
        "weapon": bow.name, "distance": far, "moved": shooters[0].moved, "means": "spare",
        "cards": {**_card(shooters[0], "shooter"), **_card(marks[0], "target")},
    }  # fmt: skip
    facts = {"shooters": len(shooters), "distance": far, "range": bow.P}
    how = "measured" if measured else "usual"
    return desk.weigh("volley", arguments).assuming(Note(f"note.assumed.volley-{how}", facts, NO_PREMEASURE))


def _charge(battle: Battle, unit: Unit, target: Unit) -> Odds | None:
    """Chapter 19.2, nemesis:4-no-premeasure  The first blows of a charge that gets there, by the cards alone."""
    ours, theirs = battle.standing(unit), battle.standing(target)
    if not ours or not theirs or max(len(ours), len(theirs)) > MOST:
        return None
    attackers, defenders = min(len(ours), FRONT), min(len(theirs), FRONT)
    arguments = {
        "attacker": "attacker", "attackers": attackers, "defender": "defender", "defenders": defenders,
        "charged": True, "means": "spare",
        "cards": {**_card(ours[0], "attacker"), **_card(theirs[0], "defender")},
    }  # fmt: skip
    facts = {"attackers": attackers, "defenders": defenders}
    odds = desk.weigh("melee", arguments).between({"attackers": unit.id, "defenders": target.id})
    return odds.assuming(Note("note.assumed.charge", facts, NO_PREMEASURE))


def _spell(battle: Battle, entry: Declared) -> Odds | None:
    """nemesis:14.4-test  The spell with all the dice its mage has of his own, blocked by nobody."""
    mage, spell = battle.models[entry.mage], spells.SPELLS[entry.what]
    pool = magic_dice.pool(battle, mage, "create")
    if not pool.dice:
        return None
    arguments = {
        "difficulty": spell.difficulty, "CO": value(battle, mage, "CO"), "dice": pool.dice, "means": "spare",
        "mage": "mage", "cards": _card(mage, "mage"),
    }  # fmt: skip
    facts = {"dice": pool.dice, "mage": mage.id}
    return desk.weigh("spell", arguments).assuming(Note("note.assumed.spell", facts, "nemesis:14.4-test"))


def _card(model: Model, name: str) -> dict[str, Any]:
    return {name: msgspec.to_builtins(model.card) | {"name": name}}

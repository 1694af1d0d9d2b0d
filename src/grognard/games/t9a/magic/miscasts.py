"""t9a:13.I  Miscasts: when there is one, and what the table does to the caster."""

from __future__ import annotations

from grognard.games.t9a.army.spells import Spell
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model
from grognard.games.t9a.losses import attacks, casualties, hit_distribution
from grognard.games.t9a.losses.attacks import Batch, Strike
from grognard.games.t9a.magic import casting_steps, magic
from grognard.kernel.questions import Roll, Script


def miscast_value(battle: Battle, faces: tuple[int, ...]) -> int | None:
    """t9a:13.I, t9a:13.I-mods
    The modified value of a Miscast, or None: three dice or more that show the same (t9a:13.I-when)."""
    card = magic.CARDS[battle.flux].miscast if battle.flux else 0
    if battle.flux == 1:
        card = int(battle.house["card_one_miscast"])
    tally = casting_steps.doom(faces, battle.flux, card)
    if tally is None:
        return None
    battle.cite("t9a:13.I", "t9a:13.I-when", "t9a:13.I-mods", *tally.rules, *(["t9a:13.D"] if card else []))
    return max(0, min(7, int(tally.value)))


def miscast(battle: Battle, model: Model, known: Spell, value: int, dice: int) -> Script[None]:
    """t9a:13.I.a
    The Miscast table, after the spell (t9a:13.I.a-000, t9a:13.I.a-222, t9a:13.I.a-333, t9a:13.I.a-444, t9a:13.I.a-555,
    t9a:13.I.a-666, t9a:13.I.a-777)."""
    rule = f"t9a:13.I.a-{value}{value}{value}"
    battle.tell("miscast", rule, (model.id,), value=value)
    battle.cite("t9a:13.I.a")
    if model.gone or battle.unit_of(model).where != "table":
        return
    unit = battle.unit_of(model)
    magical = ("magical-attacks",)
    if value in (2, 3):
        faces = yield Roll(model.seat, "miscast.hits", 6, value - 1, rule=rule, about=(model.id,))
        strike = Strike(model.seat, "", strength=dice, ap=2, keys=magical, rule=rule)
        yield from hit_distribution.hit_unit(battle, unit, strike, sum(faces))
    elif value == 4:
        model.magic = model.magic.but(forgotten=(*model.magic.forgotten, known.key))
    elif value in (5, 6):
        strike = Strike(model.seat, "", wounds_on=4, ap=10, keys=magical, rule=rule)
        yield from attacks.resolve(battle, [Batch(strike, model.id, 2 if value == 5 else 4)])
    elif value == 7:
        yield from casualties.remove_model(battle, model.id, rule)

"""Chapter 12  Nexus: who may use them, what it costs, and what they do."""

from __future__ import annotations

import msgspec

from grognard.games.ades.abilities import skillset
from grognard.games.ades.army.profiles import Nexus, shown
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Effect, Fighter, Thing
from grognard.games.ades.losses import casualties, damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.mystics import casting, power_notes, powers, recovery
from grognard.games.ades.rolls import tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.table import sight
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Option, Pick, Script, option

CATALYST = "ades:12.4-catalyst"
NONE = Refusal("", CATALYST)


def refusal(battle: Battle, fighter: Fighter, thing: Thing) -> Refusal | None:
    """ades:12.4-catalyst, ades:12.4-limit, ades:12.3-charges, ades:12.1-neutral, ades:13.2.1.1-asservi,
    ades:13.2.1.1-inviolable
    Why a fighter cannot use a nexus."""
    kind = thing.nexus
    assert kind is not None
    held = skillset(thing.skills)
    facts = {"fighter": fighter.id, "nexus": thing.id}
    if thing.seat not in ("", fighter.seat):
        rule = "ades:13.2.1.1-inviolable" if held.has("inviolable") else CATALYST
        return Refusal("refuse.nexus-enemy", rule, facts, (CATALYST, "ades:12.1-neutral"))
    if not thing.seat:
        battle.cite("ades:12.1-neutral")
    if fighter.recital.catalyst:
        return Refusal("refuse.nexus-again", "ades:12.4-limit", facts, (CATALYST,))
    if not battle.sworn(fighter, kind.allegiance):
        return Refusal(
            "refuse.nexus-allegiance", CATALYST, facts | {"allegiance": shown(kind.allegiance)}, ("ades:12.3",)
        )
    if not battle.in_reach(fighter, thing, cm(kind.activation)):
        chief = battle.commander(fighter.seat)
        if not (held.has("asservi") and chief is fighter):
            return Refusal("refuse.nexus-far", CATALYST, facts, ("ades:12.3",))
        battle.cite("ades:13.2.1.1-asservi")
    if not sight.view_thing(battle, fighter, thing).seen:
        return Refusal("refuse.nexus-unseen", CATALYST, facts, sight.UNSEEN)
    if (kind.charges and thing.charges <= 0) or (kind.per_turn and thing.used >= kind.per_turn):
        return Refusal("refuse.nexus-charges", "ades:12.3-charges", facts, (CATALYST,))
    if not _can_pay(battle, fighter, kind):
        return Refusal("refuse.nexus-sacrifice", CATALYST, facts, ("ades:12.3",))
    return None


def _can_pay(battle: Battle, fighter: Fighter, kind: Nexus) -> bool:
    price = kind.sacrifice
    if price.kind == "um":
        return fighter.powers.um >= price.number
    if price.kind == "pv":
        return fighter.pv >= price.number
    if price.kind == "skill":
        return price.words[0] in fighter.names
    return True


def _broken(battle: Battle, fighter: Fighter) -> tuple[list[tuple[str, Thing, int]], dict[str, Refusal]]:
    """ades:13.2.1.1-foi, ades:13.2.1.1-mana
    What a mystic may break for units, one nexus a turn, and why not the others."""
    found, barred = [], {}
    key = {"miracle": "foi", "spell": "mana"}.get(casting.kind_of(battle, fighter), "")
    for thing in battle.things_of("nexus"):
        held = skillset(thing.skills)
        if not key or not held.has(key) or thing.nexus is None:
            continue
        code = ""
        if thing.seat != fighter.seat:
            code = "refuse.nexus-enemy"
        elif not battle.in_reach(fighter, thing, cm(thing.nexus.zone)):
            code = "refuse.nexus-far"
        elif f"break-{key}" in fighter.recital.recited:
            code = "refuse.nexus-again"
        if code:
            barred[f"break:{thing.id}"] = Refusal(
                code, f"ades:13.2.1.1-{key}", {"fighter": fighter.id, "nexus": thing.id}
            )
        else:
            found.append((key, thing, held.number(key)))
    return found, barred


def possible(battle: Battle, fighter: Fighter, group: list[Fighter]) -> Refusal | None:
    things = battle.things_of("nexus")
    if not things:
        return NONE
    refusals = [refusal(battle, fighter, t) for t in things]
    if any(r is None for r in refusals) or _broken(battle, fighter)[0]:
        return None
    first, *others = [r for r in (*refusals, *_broken(battle, fighter)[1].values()) if r is not None]
    return msgspec.structs.replace(first, also=(*first.also, *(rule for r in others for rule in r.rules)))


def activate(battle: Battle, fighter: Fighter) -> Script[str]:
    """ades:12.4-procedure  The trial, the sacrifice in any case, the effect on success. Ruling: a free action."""
    options: list[Option] = []
    barred: dict[str, Refusal] = {}
    for thing in battle.things_of("nexus"):
        why = refusal(battle, fighter, thing)
        if why is None:
            told = power_notes.nexus(thing.nexus) if thing.nexus is not None else ()
            options.append(option(thing.id, thing, about=(thing.id,), notes=told))
        else:
            barred[thing.id] = why
    found, closed = _broken(battle, fighter)
    for key, thing, number in found:
        options.append(option(f"break:{thing.id}", (key, thing, number), text="option.break-nexus", about=(thing.id,)))
    chosen = yield Pick(
        fighter.seat, "nexus", options, optional=True, barred=barred | closed, rule=CATALYST, about=(fighter.id,)
    )
    if chosen is None:
        return "held"
    if isinstance(chosen, tuple):
        key, thing, number = chosen
        fighter.recital = fighter.recital.but(recited=(*fighter.recital.recited, f"break-{key}"))
        recovery.gain(battle, fighter, number, f"ades:13.2.1.1-{key}")
        casualties.destroy(battle, thing, f"ades:13.2.1.1-{key}")
        return "done"
    yield from _use(battle, fighter, chosen)
    return "done" if fighter.alive else "dead"


def _use(battle: Battle, fighter: Fighter, thing: Thing) -> Script[None]:
    kind = thing.nexus
    assert kind is not None
    fighter.recital = fighter.recital.but(catalyst=True)
    battle.cite(CATALYST, "ades:12.4-limit", "ades:12.3")
    stat, hard = kind.trial
    passed = yield from tests.test(battle, "nexus.trial", "ades:12.4-procedure", fighter, stat, hard)
    yield from _sacrifice(battle, fighter, thing)
    battle.tell("nexus.used" if passed else "nexus.failed", "ades:12.4-procedure", (fighter.id, thing.id))
    battle.cite("ades:12.3-charges")
    if not passed:
        return
    if kind.charges:
        thing.charges -= 1
    thing.used += 1
    for target in (yield from _targets(battle, fighter, thing)):
        yield from powers.apply(
            battle, kind.power, fighter, [target], "ades:12.4-procedure", source=thing.id, once="ades:12.4-once",
            shifts=lambda struck: _hostile(battle, thing, struck),
        )  # fmt: skip


def _hostile(battle: Battle, thing: Thing, struck: Fighter) -> tuple[Shift, ...]:
    """ades:13.2.1.1-hostile  As written: one column left against X."""
    words = [w.casefold() for w in skillset(thing.skills).words("hostile")]
    if not any(mark.casefold() in words for mark in battle.marks(struck)):
        return ()
    right = battle.house["hostile"] == "right"
    return ((1 if right else -1, "hostile", "ades:13.2.1.1-hostile"),)


def _targets(battle: Battle, fighter: Fighter, thing: Thing) -> Script[list[Fighter]]:
    """Everybody the nexus means in its zone, or the one the catalyst chooses."""
    kind = thing.nexus
    assert kind is not None
    power = kind.power
    if power.target == "self":
        return [fighter]
    near = [
        f for f in battle.on_table()
        if battle.in_reach(f, thing, cm(kind.zone)) and powers.suits(battle, power, fighter, f)
    ]  # fmt: skip
    if power.area or not near:
        return near
    chosen: Fighter | None = yield Pick(
        fighter.seat, "nexus.target", [option(f.id, f, about=(f.id,)) for f in near], optional=True,
        rule="ades:12.4-procedure", about=(fighter.id, thing.id),
    )  # fmt: skip
    return [] if chosen is None else [chosen]


def _sacrifice(battle: Battle, fighter: Fighter, thing: Thing) -> Script[None]:
    """ades:12.3, ades:12.4-procedure  What the nexus asks of its catalyst."""
    kind = thing.nexus
    assert kind is not None
    price, rule = kind.sacrifice, "ades:12.4-procedure"
    if price.kind == "um":
        fighter.powers = fighter.powers.but(um=fighter.powers.um - price.number)
    elif price.kind == "pv":
        yield from casualties.lose(battle, fighter, price.number, rule)
    elif price.kind == "damage":
        yield from damage.strike(battle, fighter, price.number, Source(), rule)
    elif price.kind == "stat":
        battle.add_effect(Effect(kind.name, rule, "", fighter.id, battle.turn, price.stats))
    elif price.kind == "skill":
        names = list(fighter.names)
        names.remove(price.words[0])
        fighter.names = tuple(names)
    battle.tell("nexus.sacrifice", rule, (fighter.id, thing.id), price=price.kind)


def new_turn(battle: Battle) -> None:
    for thing in battle.things_of("nexus"):
        thing.used = 0

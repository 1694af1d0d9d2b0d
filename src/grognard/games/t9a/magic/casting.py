"""t9a:13.H, t9a:13.I, t9a:13.J  Casting Attempts, dispelling, Miscasts, Bound Spells."""

from __future__ import annotations

from typing import Any

from grognard.games.t9a.army.spells import Spell, Version, paths, spell
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Model
from grognard.games.t9a.magic import casting_odds, casting_steps, effects, miscasts, spell_targets
from grognard.games.t9a.magic import spell_notes as notes
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Note, Number, Option, Pick, Script, option
from grognard.kernel.words.tally import Tally


def is_wizard(model: Model) -> bool:
    """t9a:13.B  A model able to cast spells that are not bound."""
    return bool(model.magic.spells)


def castable(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """t9a:13.H, t9a:13.H-once, t9a:13.G.b.4, t9a:13.J.b  What the active player may still try to cast."""
    side = battle.sides[battle.active]
    found: list[Option] = []
    barred: dict[str, Refusal] = {}
    for unit in battle.army(battle.active):
        for model in battle.guests(unit):
            for key in model.magic.spells:
                known = spell(key, battle.lore)
                if known.number == "A":
                    continue
                why = _barred(battle, unit.nerve.fleeing, model, known, side.attempted)
                name = f"{model.id}:{key}"
                if why is None and (side.dice < 1 or not spell_targets.any_target(battle, model, known)):
                    why = Refusal(
                        "refuse.cast.no-target" if side.dice else "refuse.cast.no-dice",
                        "t9a:13.G.c" if side.dice else "t9a:13.C",
                        {"model": model.id, "spell": known.name},
                        spell_targets.why_nobody(battle, model, known) if side.dice else (),
                    )
                if why is None:
                    facts = {"spell": known.name}
                    told = notes.of_spell(known)
                    found.append(Option(name, (model.id, key, ""), "option.cast", (model.id,), facts, told))
                else:
                    barred[name] = why
            for key, primary, secondary in model.magic.bound:
                known = spell(key, battle.lore)
                name = f"{model.id}:bound:{key}"
                why = _bound_barred(battle, unit.nerve.fleeing, model, known, side.dice)
                if why is not None:
                    barred[name] = why
                else:
                    found.append(
                        Option(
                            name,
                            (model.id, key, "bound"),
                            "option.cast-bound",
                            (model.id,),
                            {"spell": known.name, "primary": primary, "secondary": secondary},
                            _bound_notes(known, primary, secondary),
                        )
                    )
    return found, barred


def _bound_notes(known: Spell, primary: int, secondary: int) -> tuple[Note, ...]:
    """t9a:13.J.b.1  What a Bound Spell does, and its Power Levels."""
    level = Note("note.bound", {"primary": primary, "secondary": secondary}, "t9a:13.J.b.1")
    return (*notes.of_version(known.versions[0], priced=False), level)


def _barred(battle: Battle, fleeing: bool, model: Model, known: Spell, attempted: tuple[str, ...]) -> Refusal | None:
    facts = {"model": model.id, "spell": known.name}
    if fleeing:
        return Refusal("refuse.cast.fleeing", "t9a:13.H", facts, ("t9a:17.C",))
    if known.key in model.magic.forgotten:
        return Refusal("refuse.cast.forgotten", "t9a:13.I.a-444", facts)
    if known.key in model.magic.cast:
        return Refusal(
            "refuse.cast.again", "t9a:13.G.b.4" if known.replicable else "t9a:13.H-once", facts, ("t9a:13.H.a-lost",)
        )
    if known.key in attempted and not known.replicable:
        return Refusal("refuse.cast.again", "t9a:13.H-once", facts, ("t9a:13.G.b.1",))
    return None


def _bound_barred(battle: Battle, fleeing: bool, model: Model, known: Spell, dice: int) -> Refusal | None:
    """t9a:13.J.b  Why a Bound Spell may not be tried now."""
    facts = {"model": model.id, "spell": known.name}
    if fleeing:
        return Refusal("refuse.cast.fleeing", "t9a:13.J.b", facts, ("t9a:17.C",))
    if f"bound:{known.key}" in model.magic.cast:
        return Refusal("refuse.cast.again", "t9a:13.J.b", facts)
    if dice < 2:
        return Refusal("refuse.cast.no-dice", "t9a:13.J.a", facts)
    if not spell_targets.has_target(battle, model, known.versions[0]):
        return Refusal(
            "refuse.cast.no-target",
            "t9a:13.G.c",
            facts,
            spell_targets.why_nobody(battle, model, known, known.versions[0]),
        )
    return None


def cast_spells(battle: Battle) -> Script[None]:
    """t9a:13.A, t9a:13.H  Step 4 again and again."""
    while True:
        found, barred = castable(battle)
        if not found and not barred:
            return
        picked = yield Pick(
            battle.active, "magic.cast", found, optional=True, barred=barred, rule="t9a:13.H", checkpoint=True
        )
        if picked is None:
            return
        model_id, key, bound = picked
        if bound:
            yield from cast_bound(battle, battle.models[model_id], spell(key, battle.lore))
        else:
            yield from cast(battle, battle.models[model_id], spell(key, battle.lore))


def _version(battle: Battle, model: Model, known: Spell) -> Script[Version]:
    """t9a:13.H.a.1  The basic version, or a boosted one, declared before rolling; the basic one if nothing is said."""
    usable = [v for v in known.versions if spell_targets.has_target(battle, model, v)]
    options = [
        option(str(v.value), v, text="option.version", data={"value": v.value}, notes=notes.of_version(v, priced=False))
        for v in usable
    ]
    facts = {"model": model.id, "spell": known.name}
    barred = {
        str(v.value): Refusal(
            "refuse.cast.no-target", "t9a:13.G.c", facts, spell_targets.why_nobody(battle, model, known, v)
        )
        for v in known.versions
        if v not in usable
    }
    picked: Version | None = yield Pick(
        model.seat,
        "magic.version",
        options,
        optional=len(usable) > 1,
        barred=barred,
        rule="t9a:13.H.a.1",
        about=(model.id,),
        data={"spell": known.name},
    )
    return picked or usable[0]


def modifier(battle: Battle, model: Model, targets: list[Any]) -> Tally:
    """t9a:13.H.d.1, t9a:13.B, t9a:21.A.b.25, t9a:21.A.b.41  What is added to a casting roll."""
    plus = Tally(0, "casting", "t9a:13.H.d.1")
    if model.magic.level == "master":
        plus.add(1, "Wizard Master", "t9a:21.A.b.25")
        battle.cite("t9a:13.B")
    for effect in battle.effects(model.id):
        for name, op, amount in effect.stats:
            if name == "casting" and op == "add":
                plus.add(amount, effect.name or effect.key, effect.rule)
    plus.add(-resistance(battle, model.seat, targets), "Magic Resistance", "t9a:21.A.b.41")
    return plus


def resistance(battle: Battle, seat: str, targets: list[Any]) -> int:
    """t9a:21.A.b.41  The highest Magic Resistance among enemy units targeted."""
    enemies = [u for u in spell_targets.units_of(battle, targets) if u.seat != seat]
    found = [t.number() for u in enemies for p in battle.pools(u) for t in battle.traits(p, "magic-resistance")]
    if found:
        battle.cite("t9a:21.A.b.41", *(["t9a:21-duplicate"] if len(found) > 1 else []))
    return max(found, default=0)


def cast(battle: Battle, model: Model, known: Spell) -> Script[None]:
    """t9a:13.H  Steps A to F of one spell (t9a:13.H.a-lost)."""
    side = battle.sides[model.seat]
    version = yield from _version(battle, model, known)
    dice = int(
        (
            yield Number(
                model.seat,
                "magic.dice",
                1,
                min(5, side.dice),
                rule="t9a:13.H.a",
                about=(model.id,),
                data={"spell": known.name, "value": version.value},
                notes=casting_odds.casting(min(5, side.dice), version.value, modifier(battle, model, [])),
            )
        )
    )
    targets = yield from spell_targets.choose(battle, model, known, version)
    model.magic = model.magic.but(cast=(*model.magic.cast, known.key))
    side.attempted = (*side.attempted, known.key)
    side.dice -= dice
    battle.cite(known.rule, "t9a:13.H-once", "t9a:13.G.a", "t9a:13.G.b")
    if known.replicable:
        battle.cite("t9a:13.G.b.4")
    plus = modifier(battle, model, targets)
    faces, total, done = yield from casting_steps.cast(model.seat, dice, version.value, plus, (model.id,))
    if dice == 1:
        battle.cite("t9a:13.H.a-single", "t9a:2.B.a-natural")
    if not done:
        battle.tell("magic.failed", "t9a:13.H.a-lost", (model.id,), spell=known.name, total=total)
        _fizzle(battle, model.seat, faces)
        if casting_steps.triple(faces) is not None:
            battle.cite("t9a:13.I", "t9a:13.I-when")
        return
    if (yield from _dispelled(battle, model, known, version, total, targets)):
        if casting_steps.triple(faces) is not None:
            battle.cite("t9a:13.I-when")
        return
    doom = miscasts.miscast_value(battle, faces)
    if doom == 1:
        battle.tell("miscast", "t9a:13.I.a-111", (model.id,), value=1)
        battle.tell("magic.failed", "t9a:13.I.a-111", (model.id,), spell=known.name, total=total)
        _fizzle(battle, model.seat, faces)
        return
    _told(battle, model, known, targets, "t9a:13.H.c", total)
    yield from effects.resolve(battle, model, known, version, targets)
    yield from _attribute(battle, model, known)
    if doom is not None:
        yield from miscasts.miscast(battle, model, known, doom, dice)


def _told(battle: Battle, model: Model, known: Spell, targets: list[Any], rule: str, total: int) -> None:
    """What is cast, and at whom."""
    whom = [t[1] for t in targets if t[0] == "unit" or (t[0] == "model" and t[1] != model.id)]
    battle.tell("magic.cast", rule, (model.id, *whom), spell=known.name, total=total, targets=whom)


@cites
def _fizzle(battle: Battle, seat: str, faces: tuple[int, ...]) -> None:
    """t9a:13.H.d.2  After a failed attempt with two dice or more, dice that show 1 come back."""
    back = sum(f == 1 for f in faces) if len(faces) >= 2 else 0
    if back:
        battle.sides[seat].dice += back
        battle.tell("magic.fizzle", "t9a:13.H.d.2", (seat,), dice=back)


def _dispelled(
    battle: Battle, model: Model, known: Spell, version: Version, total: int, targets: list[Any]
) -> Script[bool]:
    """t9a:13.H.b  One attempt with any number of dice; at least the Casting Total stops the spell."""
    foe = battle.other(model.seat)
    side = battle.sides[foe]
    if not side.dice:
        return False
    plus = _dispelling(battle, foe)
    dice = int(
        (
            yield Number(
                foe,
                "magic.dispel",
                0,
                side.dice,
                rule="t9a:13.H.b",
                about=(model.id, *(unit.id for unit in spell_targets.units_of(battle, targets))),
                data={"spell": known.name, "total": total},
                notes=(
                    *_aimed(targets),
                    *notes.of_version(version, priced=False),
                    *casting_odds.dispelling(side.dice, total, plus),
                ),
            )
        )
    )
    if not dice:
        return False
    side.dice -= dice
    faces, stopped = yield from casting_steps.dispel(foe, dice, total, plus, (model.id,))
    if stopped:
        battle.tell("magic.dispelled", "t9a:13.H.b", (model.id,), spell=known.name)
        return True
    _fizzle(battle, foe, faces)
    return False


def _aimed(targets: list[Any]) -> tuple[Note, ...]:
    whom = [t[1] for t in targets if t[0] in ("unit", "model")]
    return (Note("note.aimed", {"targets": whom}, "t9a:13.G.c"),) if whom else ()


def _dispelling(battle: Battle, foe: str) -> Tally:
    """t9a:13.H.d.1  What is added to a dispel roll."""
    plus = Tally(0, "dispelling", "t9a:13.H.d.1")
    for unit in battle.army(foe):
        for guest in battle.guests(unit):
            for effect in battle.effects(guest.id):
                for name, op, amount in effect.stats:
                    if name == "dispel" and op == "add":
                        plus.add(amount, effect.name or effect.key, effect.rule)
    return plus


def _attribute(battle: Battle, model: Model, known: Spell) -> Script[None]:
    """t9a:13.G.b.3, t9a:13.J-attribute  The Attribute Spell of the Path, free after any other spell of it; it cannot be
    dispelled.
    """
    attribute = paths(battle.lore).get(known.path, {}).get("A")
    if attribute is None or model.gone or battle.unit_of(model).where != "table":
        return
    version = attribute.versions[0]
    if not spell_targets.has_target(battle, model, version):
        return
    wish = yield Pick(
        model.seat,
        "magic.attribute",
        [option("cast", text="option.attribute", data={"spell": attribute.name}, notes=notes.of_spell(attribute))],
        optional=True,
        rule="t9a:13.G.b.3",
        about=(model.id,),
        data={"spell": attribute.name},
    )
    if wish:
        targets = yield from spell_targets.choose(battle, model, attribute, version)
        _told(battle, model, attribute, targets, "t9a:13.G.b.3", 0)
        yield from effects.resolve(battle, model, attribute, version, targets)


# ---------------------------------------------------------------------- bound spells


def cast_bound(battle: Battle, model: Model, known: Spell) -> Script[None]:
    """t9a:13.J.b.1, t9a:13.J.b.2
    Two dice for the primary, three for the secondary Power Level; never rolled, never boosted (t9a:13.G.b.5)."""
    side = battle.sides[model.seat]
    _, primary, secondary = next(b for b in model.magic.bound if b[0] == known.key)
    version = known.versions[0]
    dice = int(
        (
            yield Number(
                model.seat,
                "magic.bound-dice",
                2,
                min(3, side.dice),
                bounds=("t9a:13.J.a", "t9a:13.J"),
                rule="t9a:13.J.b.1",
                about=(model.id,),
                data={"spell": known.name},
            )
        )
    )
    targets = yield from spell_targets.choose(battle, model, known, version)
    side.dice -= dice
    model.magic = model.magic.but(cast=(*model.magic.cast, f"bound:{known.key}"))
    battle.cite("t9a:13.J", "t9a:13.J.a", "t9a:13.J.b", "t9a:13.G.b.5")
    total = (primary if dice == 2 else secondary) - resistance(battle, model.seat, targets)
    battle.tell("magic.bound", "t9a:13.J.b.1", (model.id,), spell=known.name, total=total)
    battle.cite("t9a:13.J.b.2")
    if (yield from _dispelled(battle, model, known, version, total, targets)):
        return
    _told(battle, model, known, targets, "t9a:13.H.c", total)
    yield from effects.resolve(battle, model, known, version, targets)
    if "A" in paths(battle.lore).get(known.path, {}):
        battle.cite("t9a:13.J-attribute")
    yield from _attribute(battle, model, known)

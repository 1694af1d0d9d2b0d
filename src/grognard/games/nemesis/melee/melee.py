"""Chapter 19: The combat phase: who attacks whom, in which order, and every blow."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model
from grognard.games.nemesis.losses import casualties, courage
from grognard.games.nemesis.rolls.fearless import ABSENT
from grognard.games.nemesis.rolls.rerolls import MIRROR, heed, holds, mirrored, spend, spokesman, tester, victim
from grognard.games.nemesis.rolls.stats import has_courage, stat, value
from grognard.games.nemesis.rolls.steps import Blow, blow
from grognard.games.nemesis.table import engagements, spells_in_effect
from grognard.games.nemesis.table.engagements import note_contact
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.questions import Option, Pick, Script, Split, option
from grognard.kernel.words.tally import Tally

__all__ = [
    "attack", "blow_for", "choose_targets", "combat_roll", "fight", "hypnotise", "note_contact", "resolve", "spend",
    "spokesman", "targets_of", "tester", "victim",
]  # fmt: skip

HYPNOTISM = "nemesis:A1.18-hypnotism"
HARDENED = "nemesis:A1.11-hardened"
INSTANT = "nemesis:16.2-instant-losses"
MODS = "nemesis:19.2-mods"
#: nemesis:19.2-mods  The modifiers every combat roll is looked at for.
MODIFIERS = tuple(f"{MODS[:-1]}-{what}" for what in ("charge", "counter", "outnumbered", "taller", "shorter"))

#: An attacker and whom each of its attacks goes at.
Plan = tuple[str, tuple[str, ...]]


# ---------------------------------------------------------------------- hypnotism


def hypnotise(battle: Battle, among: Sequence[str] = ()) -> Script[None]:
    """nemesis:A1.18-hypnotism, nemesis:A2.N.8-ill-will
    As the phase begins models touching a hypnotist test, once each.

    With `among` only those are looked at.
    """
    gazed: dict[str, tuple[str, ...]] = {}
    for seat in battle.order:
        for model in list(battle.on_table(seat)):
            if among and model.id not in among:
                continue
            facing = [battle.models[key] for key in battle.contacts(model)]
            gaze = holds(battle, model, "hypnotic")
            if not facing or gaze is None or battle.flag(model, "does_nothing"):
                continue
            used = yield Pick(
                seat, "hypnotism.use", [option("use", text="option.hypnotism")], optional=True, rule=HYPNOTISM,
                about=(model.id, *(m.id for m in facing)),
            )  # fmt: skip
            if used is not None:
                battle.cite("nemesis:A1-class", gaze.rule)
                for other in facing:
                    gazed[other.id] = (*gazed.get(other.id, ()), model.id)
    for key, hypnotists in gazed.items():
        yield from _resist_gaze(battle, battle.models[key], hypnotists)


def _resist_gaze(battle: Battle, model: Model, hypnotists: tuple[str, ...]) -> Script[None]:
    """nemesis:A1.18-hypnotism, nemesis:A1-mirror
    Ruling: immune are the ability Courage, a C dash, and other hypnotists."""
    if holds(battle, model, "hypnotic"):
        battle.tell("hypnotism.immune", MIRROR, (model.id,))
        return
    immune = battle.flag(model, "resists_hypnosis") if has_courage(model) else ABSENT
    if immune:
        battle.tell("hypnotism.immune", immune, (model.id,))
        return
    if not (yield from courage.test(battle, battle.unit_of(model), "hypnotism", HYPNOTISM, model=model)):
        model.hypnotised_by = hypnotists
        battle.tell("hypnotism.held", HYPNOTISM, (model.id, *hypnotists))


# ---------------------------------------------------------------------- the phase


def fight(battle: Battle) -> Script[None]:
    """nemesis:19.1-order  Ruling: first those who strike first, then the others, each in activation order.

    A player's attacks of a step are all allocated (into the queue) before any is rolled.
    """
    if battle.stage == 0:
        engagements.record(battle)
        battle.stage = 1
    while battle.stage <= 2:
        while battle.cursor < len(battle.order):
            yield from _allocate(battle, battle.order[battle.cursor], first=battle.stage == 1)
            plans, battle.queue = battle.queue, ()
            battle.cursor += 1
            yield from resolve(battle, plans)
        battle.stage, battle.cursor = battle.stage + 1, 0


def strikes_first(battle: Battle, model: Model) -> str:
    """nemesis:16.2-strike-first, nemesis:18-caught  The rule by which a model strikes first, or ""."""
    if model.charged:
        return "nemesis:16.2-strike-first"
    return "nemesis:18-caught" if battle.unit_of(model).pursuit_turn == battle.turn else ""


def strikers(battle: Battle, seat: str, *, first: bool) -> list[Model]:
    """nemesis:19.1-who  The models of a player that fight in this step, with someone to fight."""
    found = []
    for model in battle.on_table(seat):
        if bool(strikes_first(battle, model)) is not first or not battle.engaged(battle.unit_of(model)):
            continue
        if targets_of(battle, model) and not held(battle, model):
            found.append(model)
    return found


def held(battle: Battle, model: Model) -> str:
    """nemesis:A2.C.11-submission, nemesis:A2.C.7-paralysing-ice, nemesis:A2.R.9-glacial
    The rule that keeps a model from attacking, or "".

    nemesis:A2.C.10-mirage  Ruling: the victim of a mirage fights on.
    """
    if battle.enchantments:
        spells_in_effect.mirage_of(battle, battle.unit_of(model))
    return battle.flag(model, "does_nothing") or battle.flag(model, "cannot_attack")


def targets_of(battle: Battle, model: Model) -> list[Model]:
    """nemesis:19.1-who, nemesis:16.2-per-model
    Whom a model may attack: the enemies it touches, or its weapon reaches."""
    near = within_reach(battle, model)
    if near and battle.flag(model, "attacks_self"):
        return [model]
    return [m for m in near if may_strike(battle, model, m)]


def within_reach(battle: Battle, model: Model) -> list[Model]:
    """nemesis:19.1-who, nemesis:16.2-per-model  The enemies a model touches; if none, those its weapon reaches."""
    return [battle.models[key] for key in battle.contacts(model)] or _reached(battle, model)


def _reached(battle: Battle, model: Model) -> list[Model]:
    """nemesis:16.2-per-model  A long weapon strikes from behind comrades at the enemies they fight."""
    weapon = battle.melee_weapon(model)
    if weapon is None or weapon.reach <= 0:
        return []
    foes = [m for unit in battle.opponents(battle.unit_of(model)) for m in battle.members(unit)]
    near = [m for m in foes if battle.gap(model, m) <= cm(weapon.reach) + TOUCH]
    if near:
        battle.cite("nemesis:16.2-per-model")
    return near


def may_strike(battle: Battle, model: Model, target: Model) -> bool:
    """Whether a model may attack that one now: not its hypnotist, not shielded, somebody left to hurt."""
    unit = battle.unit_of(target)
    if target.id in model.hypnotised_by or engagements.deferred(battle, battle.unit_of(model), unit):
        return False
    if battle.flag(target, "cannot_be_attacked"):
        return False
    return not target.doomed or (unit.regiment and bool(battle.standing(unit)))


def _spared(battle: Battle, model: Model, targets: list[Model]) -> dict[str, Refusal]:
    """Whom a model touches and may not attack, and by which rule."""
    found = {}
    for foe in within_reach(battle, model):
        if foe in targets:
            continue
        data = {"model": model.id, "target": foe.id}
        if foe.id in model.hypnotised_by:
            found[foe.id] = Refusal("refuse.strike-hypnotist", HYPNOTISM, data)
        elif shield := battle.flag(foe, "cannot_be_attacked"):
            found[foe.id] = Refusal("refuse.strike-shielded", shield, data)
        elif engagements.deferred(battle, battle.unit_of(model), battle.unit_of(foe)):
            found[foe.id] = Refusal("refuse.strike-caught", "nemesis:18-caught", data)
    return found


def _allocate(battle: Battle, seat: str, *, first: bool) -> Script[None]:
    """nemesis:19.1-allocate  A player says who does not attack, then at whom the others strike."""
    ready = strikers(battle, seat, first=first)
    if not ready:
        return
    battle.cite("nemesis:19.1-order", "nemesis:19.1-allocate", "nemesis:10-activation", engagements.CONTACT)
    options = [_model_option(m) for m in ready if targets_of(battle, m) != [m]]
    if options and not battle.queue:
        idle = yield Pick(
            seat, "combat.hold", options, least=0, most=max(2, len(options)), rule="nemesis:19.1-who",
            about=(seat,), checkpoint=True, idle=True,
        )  # fmt: skip
        battle.queue = tuple((m.id, ()) for m in idle) or (("", ()),)
    done = [plan[0] for plan in battle.queue]
    for model in ready:
        if model.id not in done:
            targets = yield from choose_targets(battle, model, checkpoint=True)
            battle.queue = (*battle.queue, (model.id, targets))


def _model_option(model: Model) -> Option:
    return option(model.id, model, text="option.model", about=(model.id,), data={"model": model.id})


def choose_targets(battle: Battle, model: Model, *, checkpoint: bool = False) -> Script[tuple[str, ...]]:
    """nemesis:19.1-attacks, nemesis:A1.11-hardened  Heroes share their attacks; others strike only one model."""
    targets, factor = targets_of(battle, model), stat(battle, model, "A")
    attacks = max(1, int(factor.value))
    battle.cite(*factor.rules)
    if attacks > 1:
        battle.cite(f"nemesis:5.2-{model.card.type}")
    if targets == [model]:
        return (model.id,) * attacks
    options = [_model_option(m) for m in sorted(targets, key=lambda m: m.doomed)]
    about, rule = (model.id, *(m.id for m in targets)), "nemesis:19.1-attacks"
    if model.card.is_hero and attacks > 1:
        shares = yield Split(
            model.seat, "combat.split", options, attacks, rule=rule, about=about, checkpoint=checkpoint
        )
        chosen = tuple(key for key, share in shares.items() for _ in range(share))
    else:
        target: Model = yield Pick(
            model.seat, "combat.target", options, barred=_spared(battle, model, targets), rule=rule, about=about,
            checkpoint=checkpoint,
        )  # fmt: skip
        chosen = (target.id,) * attacks
    if model.used.hardened or not holds(battle, model, "bonus_die"):
        return chosen
    if not model.card.is_hero:
        options = [o for o in options if o.key in chosen]
    extra = yield Pick(model.seat, "combat.extra", options, optional=True, rule=HARDENED, about=about)
    if extra is not None:
        spend(battle, model, ("hardened",))
        chosen = (*chosen, extra.id)
    return chosen


def resolve(battle: Battle, plans: Sequence[Plan]) -> Script[None]:
    """nemesis:19.1-allocate, nemesis:16.2-instant-losses, nemesis:19.3
    Roll the attacks; those on a model already gone are lost."""
    for key, targets in plans:
        attacker = battle.models.get(key)
        if attacker is None or not attacker.on_table or not targets:
            continue
        battle.cite("nemesis:19.1-who", strikes_first(battle, attacker) or "nemesis:19.1-order")
        if _answers(battle, attacker):
            battle.cite("nemesis:19.3")
        for target in targets:
            yield from _one(battle, attacker, battle.models[target])


def _one(battle: Battle, attacker: Model, target: Model) -> Script[None]:
    if not target.on_table or (target is not attacker and target not in within_reach(battle, attacker)):
        battle.tell("attack.lost", "nemesis:19.1-allocate", (attacker.id, target.id))
        return
    yield from attack(battle, attacker, target, instant=attacker.charged and target is not attacker)
    gone = [m for m in battle.on_table() if m.doomed and m.instant]
    if gone:
        yield from casualties.remove(battle, gone, INSTANT)


def _answers(battle: Battle, model: Model) -> bool:
    """nemesis:19.3  Whether an enemy it touches has struck before it: it counter-attacks."""
    if strikes_first(battle, model):
        return False
    foes = [battle.models[key] for key in battle.contacts(model)]
    rank = battle.order.index
    return any(strikes_first(battle, foe) or rank(foe.seat) < rank(model.seat) for foe in foes)


# ---------------------------------------------------------------------- one attack


def attack(battle: Battle, attacker: Model, target: Model, *, instant: bool = False, free: bool = False) -> Script[str]:
    """nemesis:19.2-roll  One whole attack: "missed", "blocked", "resisted", "survived" or "wounded".

    `instant` losses wait, marked, for the caller to remove them; `free` has no riposte (nemesis:12-free-attack).
    """
    rule = "nemesis:12-free-attack" if free else "nemesis:19.2-roll"
    struck = yield from heed(battle, blow(blow_for(battle, attacker, target)))
    spend(battle, attacker, struck.attacker_used)
    spend(battle, target, struck.defender_used)
    if struck.result == "missed":
        battle.cite("nemesis:3.3-one", "nemesis:3.3-one-high")
    battle.tell(f"attack.{struck.result}", rule, (attacker.id, target.id))
    if struck.result == "wounded":
        casualties.hurt(battle, target, by=attacker, melee=True, cause_rule="nemesis:19.2-survival", instant=instant)
    return struck.result


def blow_for(battle: Battle, attacker: Model, target: Model) -> Blow:
    """nemesis:19.2-roll, nemesis:19.2-impact, nemesis:19.1-defend  The numbers of one attack as things stand."""
    guard = None if _defenceless(battle, attacker, target) else combat_roll(battle, target, attacker)
    defender = tester(battle, target)
    if holds(battle, target, "rerolls_defence"):
        defender = msgspec.structs.replace(defender, again=("dodge", *defender.again))
    return Blow(
        tester(battle, attacker), defender, combat_roll(battle, attacker, target), stat(battle, attacker, "HC"),
        stat(battle, attacker, "F"), guard, float(value(battle, target, "HC")), victim(battle, target),
        _swapper(battle, attacker, target),
    )  # fmt: skip


def _defenceless(battle: Battle, attacker: Model, target: Model) -> bool:
    """nemesis:19.2-no-defence  Hypnotised, frozen, damned, or striking itself."""
    if target is attacker or battle.flag(target, "does_nothing") or battle.flag(target, "cannot_defend"):
        return True
    if attacker.id in target.hypnotised_by:
        battle.cite(HYPNOTISM)
        return True
    battle.cite("nemesis:19.1-defend")
    return False


def _swapper(battle: Battle, attacker: Model, target: Model) -> str:
    """nemesis:A1.6-corruption, nemesis:A1-mirror  Who may still swap the dice of this attack."""
    if mirrored(battle, attacker, target, "swaps_dice"):
        return ""
    for name, model in (("attacker", attacker), ("defender", target)):
        if not model.used.corruption and holds(battle, model, "swaps_dice"):
            return name
    return ""


def combat_roll(battle: Battle, model: Model, opponent: Model) -> Tally:
    """nemesis:19.2-mods  HC and the modifiers of a combat roll, in attack and defence alike (Ruling).

    nemesis:19.2-mod-charge, nemesis:19.2-mod-counter, nemesis:19.2-mod-outnumbered, nemesis:19.2-mod-taller,
    nemesis:19.2-mod-shorter
    """
    unit = battle.unit_of(model)
    tally = stat(battle, model, "HC")
    plain = len(tally.changes)
    if MODIFIERS[0] not in battle.cited:
        battle.cite(*MODIFIERS)
    if model.charged:
        battle.cite("nemesis:16.2-bonus")
        tally.add(1, "charge", "nemesis:19.2-mod-charge")
    if unit.counter_charged:
        battle.cite("nemesis:16.1-counter-bonus")
        tally.add(int(battle.house.get("countercharge_modifier", 1)), "counter-charge", "nemesis:19.2-mod-counter")
    if unit.pursuit_turn == battle.turn:
        tally.add(2, "pursuit", "nemesis:18-caught")
    tally.add(-max(0, len(battle.contacts(model)) - 1), "outnumbered", "nemesis:19.2-mod-outnumbered")
    taller = opponent.card.size - model.card.size
    if taller >= 2:
        tally.add(1, "taller opponent", "nemesis:19.2-mod-taller")
    elif taller <= -2:
        tally.add(-1, "shorter opponent", "nemesis:19.2-mod-shorter")
    if unit.shaken:
        tally.add(-1, "shaken by fear", "nemesis:22.1-charged")
    if len(tally.changes) > plain:
        battle.cite(MODS)
    return tally

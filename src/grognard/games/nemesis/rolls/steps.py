"""The rolls of Némésis, each written once: the battle rolls them, the odds desk weighs them.

A step is a script over plain numbers. It yields rolls (and offers re-rolls), and returns what came out;
whoever calls it draws the consequences on the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from grognard.kernel.questions import Note, Pick, Roll, Script, option
from grognard.kernel.words.tally import Num, Tally

D10 = 10
REROLL = "nemesis:X.10-reroll"
HEROIC = "nemesis:A2.R.11-heroic-throw"


class Tester(msgspec.Struct, frozen=True):
    """Whoever rolls: seat, ids it is about, and what may be done about a failure, in the owner's hands.

    `again` names the sources of one re-roll: "audacity", "courage", "hardened", "dodge".
    """

    seat: str
    about: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    best_of_two: bool = False
    one_fails_under: bool = False  # house rule one_fails_roll_under
    one_before_stat: bool = False  # house rule modified_one_before_stat


class Rolled(msgspec.Struct, frozen=True):
    """What a test came to: passed or not, the natural face that counts, the total, re-rolls used."""

    passed: bool
    face: int
    total: float
    used: tuple[str, ...] = ()


SOURCES = {
    "audacity": "nemesis:A1.1-audacity",
    "courage": "nemesis:A1.7-courage",
    "hardened": "nemesis:A1.11-hardened",
    "dodge": "nemesis:A1.13-dodge",
    "corruption": "nemesis:A1.6-corruption",
}


def offer_reroll(
    who: Tester, name: str, sources: tuple[str, ...], got: float, need: float,
    good: Callable[[int], bool] | None = None, *, spoilt: tuple[int, ...] = (),
) -> Script[str | None]:  # fmt: skip
    """nemesis:A1-class, nemesis:X.10-reroll  A failed die may be re-rolled once, if the owner can and wants to.

    He is told what he got and needs, on how many of ten faces (`good`) another die would do, or which dice were spoilt
    by a 1.
    """
    if not sources:
        return None
    options = [option(source, text=f"reroll.{source}", about=who.about[:1]) for source in sources]
    note = Note("note.reroll", {"got": got, "need": need}, SOURCES[sources[0]])
    if good is not None:
        faces = sum(1 for face in range(1, 11) if good(face))
        note = Note("note.reroll-chance", {"got": got, "need": need, "chance": 10 * faces}, note.rule)
    elif spoilt:
        note = Note("note.reroll-one", {"faces": ", ".join(map(str, spoilt)), "need": need}, note.rule)
    chosen: str | None = yield Pick(
        who.seat, "reroll", options, optional=True, rule=note.rule, about=who.about, data={"roll": f"roll.{name}"},
        notes=(note,),
    )  # fmt: skip
    return chosen


def without(who: Tester, used: tuple[str, ...]) -> Tester:
    """The same tester with less left to re-roll with."""
    return msgspec.structs.replace(who, again=tuple(source for source in who.again if source not in used))


def absorb(total: Tally, other: Tally) -> Tally:
    """Add another account to this one, line by line: what each of its changes was worth."""
    running: Num = 0
    for change in other.changes:
        if change.op == "add":
            after = running + change.amount
        elif change.op == "times":
            after = running * change.amount
        else:
            after = change.amount
        total.add(after - running, change.what, change.rule)
        running = after
    return total


def under(who: Tester, name: str, value: Tally, rule: str) -> Script[Rolled]:
    """nemesis:5.1-test, nemesis:3.3-one-under  1D10 equal to or under the value passes."""
    need = int(value.value)
    cuts = (2, need + 1) if who.one_fails_under else (need + 1,)

    def die(rule_id: str, count: int = 1) -> Roll:
        return Roll(who.seat, name, D10, count, rule=rule_id, about=who.about, need=value, sense="under", cuts=cuts)

    def passes(face: int) -> bool:
        return face <= need and not (who.one_fails_under and face == 1)

    def best(faces: tuple[int, ...]) -> Rolled:
        """nemesis:A2.R.11-heroic-throw  Of several dice the preferred one counts."""
        good = [face for face in sorted(faces) if passes(face)]
        face = good[0] if good else min(faces)
        return Rolled(bool(good), face, face)

    dice = 2 if who.best_of_two else 1
    first = best((yield die(HEROIC if who.best_of_two else rule, dice)))
    if first.passed:
        return first
    source = yield from offer_reroll(who, name, who.again, first.face, need, None if who.best_of_two else passes)
    if source is None:
        return first
    return msgspec.structs.replace(best((yield die(REROLL, dice))), used=(source,))


def beats(face: int, plus: Tally, stat: float, need: float, who: Tester) -> bool:
    """nemesis:3.3-one-high  A natural 1, or a total of 1 or less, fails whatever is needed."""
    total = face + plus.value
    modified = face + (plus.value - stat) if who.one_before_stat else total
    return face > 1 and modified > 1 and total >= need


def cuts_of(plus: Tally, stat: float, need: float, who: Tester) -> tuple[int, ...]:
    """The faces at which `beats` changes its mind."""
    least = plus.value - stat if who.one_before_stat else plus.value
    return 2, math.floor(2 - least), math.ceil(need - plus.value)


def high(who: Tester, name: str, plus: Tally, stat: float, need: Tally | int, rule: str) -> Script[Rolled]:
    """A roll to reach: 1D10 + stat + modifiers against a number. `stat` is the part that is no modifier."""
    goal = need.value if isinstance(need, Tally) else need

    def die(rule_id: str) -> Roll:
        return Roll(who.seat, name, D10, rule=rule_id, about=who.about, plus=plus, need=need, sense="high")

    (face,) = yield die(rule)
    if beats(face, plus, stat, goal, who):
        return Rolled(True, face, face + plus.value)
    total = face + plus.value
    source = yield from offer_reroll(who, name, who.again, total, goal, lambda face: beats(face, plus, stat, goal, who))
    if source is None:
        return Rolled(False, face, face + plus.value)
    (face,) = yield die(REROLL)
    return Rolled(beats(face, plus, stat, goal, who), face, face + plus.value, (source,))


# ---------------------------------------------------------------------- wounds


class Victim(msgspec.Struct, frozen=True):
    """Whoever may be wounded: resistance, survival, and the means to re-roll either."""

    who: Tester
    resistance: Tally
    survival: Tally
    resist_again: tuple[str, ...] = ()


class Hurt(msgspec.Struct, frozen=True):
    """What an impact did: "resisted", "survived" or "wounded", and re-rolls used by the victim."""

    result: str
    used: tuple[str, ...] = ()

    @property
    def wounded(self) -> bool:
        return self.result == "wounded"


def impact(face: int, skill: Tally, strength: Tally, rule: str) -> Tally:
    """nemesis:17.3-impact, nemesis:19.2-impact
    Natural die + HT + weapon F, or + HC + F; no roll modifiers (Ruling)."""
    return absorb(absorb(Tally(face, "die", rule), skill), strength)


def wound(victim: Victim, power: Tally | int, *, melee: bool = False) -> Script[Hurt]:
    """nemesis:17.3-resist, nemesis:17.3-survival, nemesis:19.2-resist, nemesis:19.2-survival
    Resistance, then survival."""
    chapter = "19.2" if melee else "17.3"
    strength = power.value if isinstance(power, Tally) else power
    stat = float(victim.resistance.value)
    who = msgspec.structs.replace(victim.who, again=victim.resist_again)

    def die(rule: str) -> Roll:
        return Roll(
            who.seat, "resist", D10, rule=rule, about=who.about, plus=victim.resistance, need=power, sense="high",
            cuts=cuts_of(victim.resistance, stat, strength, who),
        )  # fmt: skip

    def resists(face: int) -> bool:
        return beats(face, victim.resistance, stat, strength, who)

    used: tuple[str, ...] = ()
    (face,) = yield die(f"nemesis:{chapter}-resist")
    if not resists(face):
        total = face + victim.resistance.value
        source = yield from offer_reroll(who, "resist", who.again, total, strength, resists)
        if source is not None:
            used = (source,)
            (face,) = yield die(REROLL)
    if resists(face):
        return Hurt("resisted", used)
    saved = yield from under(without(victim.who, used), "survival", victim.survival, f"nemesis:{chapter}-survival")
    return Hurt("survived" if saved.passed else "wounded", (*used, *saved.used))


# ---------------------------------------------------------------------- a shot


class Shot(msgspec.Struct, frozen=True):
    """One shot: accuracy (with its part that is skill), what it must reach, and what it strikes with."""

    shooter: Tester
    accuracy: Tally
    skill: Tally
    difficulty: Tally
    strength: Tally


def accuracy(shot: Shot) -> Script[Rolled]:
    """nemesis:17.3-accuracy  1D10 + HT + modifiers against the difficulty of the weapon."""
    rule = "nemesis:17.3-accuracy"
    stat = float(shot.skill.value)
    return (yield from high(shot.shooter, "accuracy", shot.accuracy, stat, shot.difficulty, rule))


def shot_power(shot: Shot, face: int) -> Tally:
    """nemesis:17.3-impact  The same natural die + HT + weapon F."""
    return impact(face, shot.skill, shot.strength, "nemesis:17.3-impact")


def shoot(shot: Shot, victim: Victim) -> Script[str]:
    """nemesis:17.3-example  One shot at one known victim: "missed", "resisted", "survived" or "wounded"."""
    aimed = yield from accuracy(shot)
    if not aimed.passed:
        return "missed"
    return (yield from wound(victim, shot_power(shot, aimed.face))).result


# ---------------------------------------------------------------------- a blow


class Blow(msgspec.Struct, frozen=True):
    """One attack in melee: both sides' rolls, the impact, and who may do what about the dice.

    `defence` None: the target cannot defend (nemesis:19.2-no-defence). `swap` names who may still use
    Corruption: "attacker", "defender" or "". The impact is made of `skill` (HC) and `strength` (F).
    """

    attacker: Tester
    defender: Tester
    attack: Tally
    skill: Tally
    strength: Tally
    defence: Tally | None
    defence_stat: float
    victim: Victim
    swap: str = ""


class Struck(msgspec.Struct, frozen=True):
    """What a blow came to: "missed", "blocked", "resisted", "survived", "wounded", and means used by whom."""

    result: str
    attack_face: int
    attacker_used: tuple[str, ...] = ()
    defender_used: tuple[str, ...] = ()


class _Dice(msgspec.Struct):
    """The two natural dice of a blow, and what was used on them."""

    ours: int
    theirs: int
    ours_used: tuple[str, ...] = ()
    theirs_used: tuple[str, ...] = ()


def blow(b: Blow) -> Script[Struck]:
    """nemesis:19.2-roll, nemesis:19.2-impact, nemesis:3.3-one-high, nemesis:19.2-example
    Combat rolls, impact, resistance, survival."""
    dice = yield from (_unopposed(b) if b.defence is None else _opposed(b, b.defence))
    aimed = dice.ours > 1 if b.defence is None else _aimed(b, dice.ours)
    if not aimed or (b.defence is not None and not hits(b, b.defence, dice.ours, dice.theirs)):
        return Struck("blocked" if aimed else "missed", dice.ours, dice.ours_used, dice.theirs_used)
    power = impact(dice.ours, b.skill, b.strength, "nemesis:19.2-impact")
    again = tuple(source for source in b.victim.resist_again if source not in dice.theirs_used)
    victim = msgspec.structs.replace(b.victim, who=without(b.victim.who, dice.theirs_used), resist_again=again)
    hurt = yield from wound(victim, power, melee=True)
    return Struck(hurt.result, dice.ours, dice.ours_used, (*dice.theirs_used, *hurt.used))


def hits(b: Blow, defence: Tally, ours: int, theirs: int) -> bool:
    """nemesis:19.2-roll, nemesis:3.3-defence-one  Strictly higher hits; a 1 fails, the attacker's first."""
    if not _aimed(b, ours):
        return False
    if not beats(theirs, defence, b.defence_stat, -math.inf, b.defender):
        return True
    return ours + b.attack.value > theirs + defence.value


def _aimed(b: Blow, ours: int) -> bool:
    """nemesis:3.3-one-high  Whether the attack die is no 1, natural or modified."""
    return beats(ours, b.attack, float(b.skill.value), -math.inf, b.attacker)


def _attack_die(b: Blow, rule: str) -> Roll:
    return Roll(
        b.attacker.seat, "combat.attack", D10, rule=rule, about=b.attacker.about, plus=b.attack, sense="over"
    )  # fmt: skip


def _defence_die(b: Blow, defence: Tally, ours: int, rule: str) -> Roll:
    """Blocks with a total of at least the attacker's."""
    goal = int(ours + b.attack.value)
    return Roll(
        b.defender.seat, "combat.defence", D10, rule=rule, about=b.defender.about, plus=defence, need=goal,
        sense="high", cuts=None if b.swap or b.attacker.again else cuts_of(defence, b.defence_stat, goal, b.defender),
    )  # fmt: skip


def _unopposed(b: Blow) -> Script[_Dice]:
    """nemesis:19.2-no-defence  Ruling: a natural 1 misses, anything else hits."""
    (ours,) = yield _attack_die(b, "nemesis:19.2-no-defence")
    dice = _Dice(ours, 0)
    if ours == 1:
        source = yield from offer_reroll(b.attacker, "combat.attack", b.attacker.again, 1, 2, lambda face: face > 1)
        if source is not None:
            (dice.ours,) = yield _attack_die(b, REROLL)
            dice.ours_used = (source,)
    return dice


def _opposed(b: Blow, defence: Tally) -> Script[_Dice]:
    """nemesis:19.2-roll, nemesis:A1.6-corruption  Both roll; a swap; then each may re-roll his own die once."""
    (ours,) = yield _attack_die(b, "nemesis:19.2-roll")
    (theirs,) = yield _defence_die(b, defence, ours, "nemesis:19.2-roll")
    dice = _Dice(ours, theirs)
    if b.swap:
        yield from _corrupt(b, dice)
    asked: list[bool] = []
    while (hit := hits(b, defence, dice.ours, dice.theirs)) not in asked:
        asked.append(hit)
        source = yield from _second_thoughts(b, defence, dice, hit)
        if source is None:
            break
        if hit:
            (dice.theirs,) = yield _defence_die(b, defence, dice.ours, REROLL)
            dice.theirs_used = (*dice.theirs_used, source)
        else:
            (dice.ours,) = yield _attack_die(b, REROLL)
            dice.ours_used = (*dice.ours_used, source)
    return dice


def _second_thoughts(b: Blow, defence: Tally, dice: _Dice, hit: bool) -> Script[str | None]:
    """nemesis:A1-class, nemesis:19.2-roll
    Whoever the dice went against may roll his own again; an attack must exceed."""
    ours, theirs = dice.ours + b.attack.value, dice.theirs + defence.value
    if hit:
        who, name, got, need = b.defender, "combat.defence", theirs, ours
        return (yield from offer_reroll(who, name, who.again, got, need, lambda f: not hits(b, defence, dice.ours, f)))
    who, name, got, need = b.attacker, "combat.attack", ours, theirs + 1
    return (yield from offer_reroll(who, name, who.again, got, need, lambda f: hits(b, defence, f, dice.theirs)))


def _corrupt(b: Blow, dice: _Dice) -> Script[None]:
    """nemesis:A1.6-corruption  Swap the two natural dice, before any re-roll."""
    who = b.attacker if b.swap == "attacker" else b.defender
    swapped = yield Pick(
        who.seat, "corruption.swap", [option("swap", text="option.corruption-swap")], optional=True,
        rule="nemesis:A1.6-corruption", about=who.about, data={"attack": dice.ours, "defence": dice.theirs},
    )  # fmt: skip
    if swapped is None:
        return
    dice.ours, dice.theirs = dice.theirs, dice.ours
    if b.swap == "attacker":
        dice.ours_used = ("corruption",)
    else:
        dice.theirs_used = ("corruption",)

"""ades:1.1.4, ades:1.1.7  Tests, challenges and comparisons between fighters, with their re-rolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from grognard.games.ades.abilities import skillset
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.rolls import characteristic_points, stats, steps
from grognard.games.ades.rolls.steps import Test, Tested
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import Note, Option, Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

T = TypeVar("T")
#: Columns to the right (left if negative), what for, by which rule.
Shift = tuple[int, str, str]
RESOLVED = ("INI", "ATT", "FOR", "DEF", "COU")
RESOLUTION = "resolution"


def needed(battle: Battle, label: str, value: Tally | float, against: Tally | float, shifts: Sequence[Shift]) -> Tally:
    """ades:1.1.3-truc, ades:1.1.7  The face needed, with its account: the difference, then each column."""
    for tally in (value, against):
        if isinstance(tally, Tally):
            battle.cite(*tally.rules)
    mine = value.value if isinstance(value, Tally) else value
    theirs = against.value if isinstance(against, Tally) else against
    face = steps.truc(mine - theirs) if battle.house["shifts"] == "clamp" else steps.endless(mine - theirs)
    need = Tally(face, f"{label} {mine:g} against {theirs:g}", "ades:1.1.3-truc")
    for columns, what, rule in shifts:
        need.add(-columns, what, rule)
    if any(columns for columns, _, _ in shifts):
        battle.cite("ades:1.1.7", "ades:1.1.9-types")
    found = steps.clamp(need)
    sure = not 1 < found.value < steps.NEVER or not 1 < face < steps.NEVER
    battle.cite("ades:1.1.3-truc", *(("ades:1.1.3-auto",) if sure else ()))
    return found


def again(
    battle: Battle, who: Fighter, stat: str, foe: Fighter | None, lent: str = ""
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """ades:13.2-aguerri, ades:13.2-aguerri-cancel, ades:13.2-chance
    What a failure or a success may be rolled again with.

    `lent`: what makes the fighter seasoned for this one test. The cursed never are, so they stay open to intimidation.
    """
    held = battle.skills(who)
    bold = foe is not None and battle.skills(foe).says("intimidation", stat)
    bold = bold and not battle.immune(who, "Intimidation")
    seasoned = bool(lent) or held.says("aguerri", stat)
    lucky = battle.number(who, "chance") > who.effort.lucky
    if held.has("maudit") and (seasoned or lucky):
        battle.cite(*held.rules("maudit"), "ades:13.2-immunite")
        seasoned = lucky = False
    if bold and seasoned:
        battle.cite("ades:13.2-aguerri-cancel")
        return (), ()
    if bold and foe is not None:
        battle.cite(*battle.skills(foe).rules("intimidation", stat))
        return (), ("intimidation",)
    if seasoned:
        battle.cite(*held.rules("aguerri", stat))
        return (lent or "seasoned",), ()
    return ("luck",) if lucky else (), ()


@cites
def make(
    battle: Battle, name: str, rule: str, who: Fighter, stat: str, value: Tally | float, against: Tally | float, *,
    foe: Fighter | None = None, shifts: Sequence[Shift] = (), lent: str = "", dice: int = 1,
) -> Test:  # fmt: skip
    """ades:1.1.3-test  One test of a fighter, ready to be rolled; `lent` makes it seasoned for this test."""
    own, forced = again(battle, who, stat, foe, lent)
    need = needed(battle, stat, value, against, shifts)
    about = (who.id,) if foe is None else (who.id, foe.id)
    seat = battle.chooser(foe, who) if foe is not None else ""
    return Test(battle.chooser(who, foe), name, rule, need, about, dice, own, seat, forced)


def settle(battle: Battle, who: Fighter, done: Tested) -> None:
    """What a test used up is gone; which faces were rolled again is told."""
    if "luck" in done.used:
        who.effort = who.effort.but(lucky=who.effort.lucky + 1)
    if done.used:
        told_again(battle, (who.id,), done.old, done.faces, done.used)


def told_again(
    battle: Battle, about: tuple[str, ...], old: Sequence[int], new: Sequence[int], used: Sequence[str]
) -> None:
    """ades:1.1.10-once  Dice were rolled again: what they showed before, and now."""
    battle.tell("rerolled", "ades:1.1.10-once", about, old=list(old), new=list(new), by=f"again.{used[0]}")


def resolve(battle: Battle, who: Fighter, stat: str) -> Script[bool]:
    """ades:13.2-resolution  So often a turn a fighter may be seasoned for a test, said before the die."""
    if stat not in RESOLVED or who.seat not in battle.seats or battle.number(who, "resolution") <= who.effort.resolved:
        return False
    if battle.skills(who).says("aguerri", stat) or battle.has(who, "maudit"):
        return False
    most = battle.number(who, "resolution")
    told = Note("note.resolution", {"left": most - who.effort.resolved, "most": most}, "ades:13.2-resolution")
    chosen = yield Pick(
        who.seat, "resolution", [option("use", text="option.resolution", notes=(told,))], optional=True,
        rule="ades:13.2-resolution", about=(who.id,), data={"stat": stat},
    )  # fmt: skip
    if chosen is None:
        return False
    who.effort = who.effort.but(resolved=who.effort.resolved + 1)
    return True


def courage(battle: Battle, who: Fighter) -> Tally:
    """ades:13.2.1.1-embleme  COU in a test of it: the first life points of an Emblem nexus near by if they are more."""
    own = stats.stat(battle, who, "COU")
    for thing in battle.things_of("nexus"):
        held = skillset(thing.skills)
        if held.has("embleme") and thing.seat == who.seat and thing.nexus is not None:
            near = battle.in_reach(who, thing, cm(held.number("embleme")))
            if near and battle.sworn(who, thing.nexus.allegiance) and thing.start_pv > own.value:
                own.set(thing.start_pv, "emblem", "ades:13.2.1.1-embleme")
    return own


def current(battle: Battle, who: Fighter, stat: str) -> Tally:
    return courage(battle, who) if stat == "COU" else stats.tested(battle, who, stat)


def stat_options(
    battle: Battle, who: Fighter, names: Sequence[str], against: Callable[[str], float], more: float = 0
) -> list[Option]:
    """The characteristics a fighter may test on, each with its value as it counts and what it is tested against."""
    found = []
    with battle.cited_apart():
        for name in names:
            data = {"stat": name, "value": current(battle, who, name).value + more, "against": against(name)}
            if name == "MOU":
                data["mou"] = stats.value(battle, who, name)
            found.append(option(name, text="option.mou" if name == "MOU" else "option.stat", data=data))
    return found


def test(
    battle: Battle, name: str, rule: str, who: Fighter, stat: str, against: Tally | float, *,
    foe: Fighter | None = None, shifts: Sequence[Shift] = (), plus: Sequence[Shift] = (), dice: int = 1,
) -> Script[bool]:  # fmt: skip
    """ades:1.1.3-test  A whole test: points, Resolution, the die, re-rolls. `plus` changes the value itself."""
    yield from characteristic_points.offer(battle, who, (stat,), "test")
    value = current(battle, who, stat)
    for amount, what, why in plus:
        value.add(amount, what, why)
    lent = RESOLUTION if (yield from resolve(battle, who, stat)) else ""
    made = make(battle, name, rule, who, stat, value, against, foe=foe, shifts=shifts, lent=lent, dice=dice)
    battle.cite("ades:1.1.3-test")
    done = yield from steps.attempt(made)
    settle(battle, who, done)
    if not done.faces:
        battle.cite(rule, "ades:1.1.3-auto")
    return done.passed


def duel(
    battle: Battle, name: str, rule: str, one: Fighter, stat: str, two: Fighter, answer: str, *,
    plus: Sequence[Shift] = (), minus: Sequence[Shift] = (),
) -> Script[bool]:  # fmt: skip
    """ades:1.1.4, ades:13.2-resolution  A challenge of one fighter against another; whether the first wins.

    The other says whether it uses Resolution only once it has to answer.
    """
    for who, of in ((one, stat), (two, answer)):
        yield from characteristic_points.offer(battle, who, (of,), "test")
    mine, theirs, own = stats.tested(battle, one, stat), stats.tested(battle, two, answer), current(battle, two, answer)
    for tally, changes in ((mine, plus), (theirs, minus), (own, minus)):
        for amount, what, why in changes:
            tally.add(amount, what, why)
    lent = RESOLUTION if (yield from resolve(battle, one, stat)) else ""
    first = make(battle, name, rule, one, stat, mine, theirs, foe=two, lent=lent)

    def back() -> Script[Test]:
        lent = RESOLUTION if (yield from resolve(battle, two, answer)) else ""
        return make(battle, f"{name}.answer", rule, two, answer, own, mine, foe=one, lent=lent)

    battle.cite("ades:1.1.4", "ades:1.1.3-test", rule)
    won, done, answered = yield from steps.challenge(first, back)
    settle(battle, one, done)
    if answered is not None:
        settle(battle, two, answered)
    return won


# ---------------------------------------------------------------------- comparisons


def arbitrate(battle: Battle, parties: Sequence[tuple[str, T]], about: Sequence[str] = ()) -> Script[list[T]]:
    """ades:1.1.5-roll  A die each, highest first; equal ones roll again among themselves."""
    faces: list[int] = []
    for seat, _ in parties:
        (face,) = yield Roll(seat, "arbitration", 6, rule="ades:1.1.5-roll", about=about)
        faces.append(face)
    done: list[T] = []
    for face in sorted(dict.fromkeys(faces), reverse=True):
        same = [party for party, rolled in zip(parties, faces, strict=True) if rolled == face]
        done += [same[0][1]] if len(same) == 1 else (yield from arbitrate(battle, same, about))
    return done


@cites
def ranked(battle: Battle, fighters: Sequence[Fighter], stat: str, values: Sequence[float]) -> Script[list[Fighter]]:
    """ades:1.1.5-passive  Highest first; ties by skills, value, then dice (ades:1.1.5-tiebreak)."""
    done: list[Fighter] = []
    for value in sorted(dict.fromkeys(values), reverse=True):
        same = [f for f, v in zip(fighters, values, strict=True) if v == value]
        while same:
            if len(same) == 1:
                done.append(same.pop())
                break
            battle.cite("ades:1.1.5-tiebreak")
            best = _peel(battle, same, stat)
            if best is None:
                done += yield from arbitrate(battle, [(battle.chooser(f), f) for f in same], [f.id for f in same])
                break
            same.remove(best)
            done.append(best)
    return done


def _peel(battle: Battle, same: Sequence[Fighter], stat: str) -> Fighter | None:
    """ades:1.1.5-tiebreak  The one who is before all others, if there is one."""
    held = [battle.skills(f) for f in same]
    marks = [(h.says("aguerri", stat), h.says("intimidation", stat)) for h in held]
    for wins in ([a and i for a, i in marks], [a or i for a, i in marks]):
        if sum(wins) == 1:
            return same[wins.index(True)]
    top = max(f.val for f in same)
    richest = [f for f in same if f.val == top]
    return richest[0] if len(richest) == 1 else None


def face(need: float) -> str:
    """ades:1.1.3-truc, ades:1.1.3-auto  The face a die must show: 4+, or that it succeeds or fails in any case."""
    return "word.always" if need <= 1 else "word.never" if need >= steps.NEVER else f"{need:g}+"

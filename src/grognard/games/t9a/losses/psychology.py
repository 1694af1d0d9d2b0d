"""t9a:5.C.a
Chapter 17: Discipline Tests, Panic, Fear of what is near; who lends Discipline and who lets tests be taken again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from grognard.games.t9a.battle import EPS, Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import dice, stats
from grognard.games.t9a.table import contacts
from grognard.kernel.citing import cites
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally

Mod = tuple[int, str, str]
NEAR = 6.0
#: t9a:17.A-flee  How a unit flees from a cause; Flee Moves are a later chapter's, which says so (`flees_by`).
Flight = Callable[[Battle, Unit, str, str], Script[None]]
_FLIGHT: list[Flight] = []


def flees_by(procedure: Flight) -> Flight:
    """t9a:17.A-flee  The procedure by which panicked units flee."""
    _FLIGHT.append(procedure)
    return procedure


def aura(battle: Battle, pool: str, key: str, usual: float) -> float:
    """t9a:21.A.a, t9a:21.A.b.35, t9a:21.A.b.36, t9a:21.A.b.37
    How far a model's Commanding Presence or Rally Around the Flag reaches, in inches; what only adds to the range is
    nothing without the rule itself."""
    found = battle.traits(pool, key)
    plain: list[float] = []
    more, most = 0.0, math.inf
    if key == "commanding-presence" and pool in battle.models and battle.models[pool].general:
        battle.cite("t9a:8.B.c.4")
        plain.append(usual)
    for trait in found:
        if trait.args:
            battle.cite("t9a:21.A.a")
        words = [a for a in trait.args if _measure(a)]
        most = min([most, *(float(w[3:].strip('. "')) for w in words if w.casefold().startswith("max"))])
        added = [float(w.strip('+" ')) for w in words if w.startswith("+")]
        more += sum(added)
        ranges = [float(w.rstrip('"')) for w in words if w.rstrip('"').isdigit()]
        if not added:
            plain += ranges or [usual]
    if not plain:
        return 0.0
    if battle.has(pool, "towering-presence"):
        battle.cite("t9a:21.A.b.36", "t9a:21.A.a")
        more += 6
    return min(max(plain) + more, most)


@cites
def lenders(battle: Battle, unit: Unit, key: str, usual: float) -> list[str]:
    """t9a:2.A.d
    The pools of friendly models with a rule of that kind whose range the unit is within; not those of fleeing units
    (t9a:17.C)."""
    found = []
    for friend in battle.army(unit.seat):
        if friend.nerve.fleeing:
            if any(aura(battle, pool, key, usual) for pool in battle.pools(friend)):
                battle.cite("t9a:17.C")
            continue
        for pool in battle.pools(friend):
            if pool in battle.models and battle.models[pool].duel.refused and key == "rally-around-the-flag":
                battle.cite("t9a:15.E.b-refuse")
                continue
            reach = aura(battle, pool, key, usual)
            if reach:
                battle.cite("t9a:21.A.b.35" if key == "commanding-presence" else "t9a:21.A.b.37")
            if reach and _in_range(battle, pool, friend, unit, reach) and _serves(battle, pool, key, unit):
                found.append(pool)
    return found


def _serves(battle: Battle, pool: str, key: str, unit: Unit) -> bool:
    """t9a:21.A.a  A rule may be written for some only: models with a named rule, or units that contain one."""
    named = [a.casefold().replace(" ", "-") for t in battle.traits(pool, key) for a in t.args if not _measure(a)]
    return not named or any(battle.any_has(unit, word) for word in named)


def _measure(word: str) -> bool:
    return word.strip('+"').isdigit() or word.casefold().startswith("max")


def _in_range(battle: Battle, pool: str, home: Unit, unit: Unit, reach: float) -> bool:
    if home.id == unit.id:
        return True
    if unit.block is None:
        return False
    places, there = battle.block(home).places, battle.block(unit).outline
    return any(gap(places[n].outline, there) <= inches(reach) + EPS for n in battle.numbers(home, pool))


@cites
def discipline(battle: Battle, unit: Unit, mods: Sequence[Mod] = ()) -> Tally:
    """t9a:5.C.a-unit  The best Discipline a unit can test on (t9a:6.A-borrow, t9a:21.A.b.35).

    Ruling: the owner's free choice of the model that tests, and of borrowing, is always the highest value.
    """
    plain: list[stats.Change] = [("add", *mod) for mod in mods]
    feared = frightened(battle, unit)
    loans = [(pool, _lent(battle, pool)) for pool in lenders(battle, unit, "commanding-presence", 12.0)]
    best: Tally | None = None
    for pool in battle.pools(unit):
        shared = [*plain, *(_fear(battle, pool) if feared else ())]
        tries = [_own(battle, pool, shared)]
        refused = pool in battle.models and battle.models[pool].duel.refused
        if loans and not refused:
            tries += [_borrowed(battle, pool, name, loan, shared) for name, loan in loans]
        for tally in tries:
            if best is None or tally.value > best.value:
                best = tally
    assert best is not None
    return best


def _lent(battle: Battle, lender: str) -> Tally:
    """t9a:6.A-borrow  A lender's Discipline with all that changes it, Fear among them."""
    return _own(battle, lender, _fear(battle, lender) if frightened(battle, battle.pool_unit(lender)) else [])


def _borrowed(battle: Battle, pool: str, lender: str, loan: Tally, shared: Sequence[stats.Change]) -> Tally:
    """t9a:6.A-borrow, t9a:21.A.b.35  Borrowed, then changed by what is on the borrower; what changed the lender's value
    does not count a second time.
    """
    top = int(loan.value)
    done = [(line.what, line.rule) for line in loan.changes]
    more = [c for c in (*stats.changes(battle, pool, "dis"), *shared) if (c[2], c[3]) not in done]
    tally = Tally(top, "borrowed Discipline", "t9a:6.A-borrow")
    return stats.heed(battle, tally, [("set", top, lender, "t9a:21.A.b.35"), *more], "dis", top)


def _own(battle: Battle, pool: str, more: Sequence[stats.Change]) -> Tally:
    extra = list(more)
    if pool in battle.models and battle.models[pool].duel.refused:
        extra.append(("set", 0, "refused a duel", "t9a:15.E.b-refuse"))
        battle.cite("t9a:15.E.b-refuse")
    return stats.value(battle, pool, "dis", extra)


def fearing(battle: Battle, pool: str) -> bool:
    """t9a:21.A.b.33-immune, t9a:21.A.b.42  Models that cause Fear, and the Fearless, are immune to its effects."""
    return not battle.has(pool, "fear") and not battle.has(pool, "fearless")


def _fear(battle: Battle, pool: str) -> list[stats.Change]:
    """t9a:21.A.b.33  -1 for a model of a unit in contact with an enemy that causes Fear, unless it is immune."""
    if not fearing(battle, pool):
        battle.cite("t9a:21.A.b.33-immune")
        return []
    return [("add", -1, "Fear", "t9a:21.A.b.33")]


def _meets_fear(battle: Battle, unit: Unit) -> bool:
    """t9a:21.A.b.33, t9a:3.C.a-models  Whether one of the enemy models a unit touches causes Fear."""
    met = {battle.pool_at(battle.units[t.foe], t.foe_number): t for t in contacts.of_unit(battle, unit)}
    return any(battle.has(pool, "fear") for pool in met)


def frightened(battle: Battle, unit: Unit) -> bool:
    """t9a:21.A.b.33, t9a:21.A.b.33-immune
    Whether a unit touches an enemy with Fear and has a model that is not immune."""
    if not battle.engaged(unit):
        return False
    if not any(battle.any_has(foe, "fear") for foe, _, _ in battle.foes(unit)) or not _meets_fear(battle, unit):
        return False
    if not any(fearing(battle, pool) for pool in battle.pools(unit)):
        battle.cite("t9a:21.A.b.33-immune")
        return False
    return True


def test(
    battle: Battle,
    unit: Unit,
    name: str,
    rule: str,
    *,
    mods: Sequence[Mod] = (),
    swing: int = 0,
    half: bool = False,
    panic: bool = False,
) -> Script[bool]:
    """t9a:5.C.a, t9a:5.C.a-kinds  A Discipline Test: 2D6 at most the unit's Discipline; some may take it again."""
    battle.cite("t9a:5.C.a", "t9a:5.C.a-kinds", *(["t9a:2.B.a.2"] if swing else []))
    need = discipline(battle, unit, mods)
    if half:
        need.set(math.ceil(need.value / 2), "Decimated", "t9a:12.B-decimated")
        battle.cite("t9a:17.D")
    passed = yield from tried(unit, name, rule, need, swing)
    if passed:
        battle.tell("discipline.passed", rule, (unit.id,), test=name)
        return True
    if panic and (yield from _stand_fast(battle, unit)):
        battle.cite("t9a:2.B.a-reroll")
        passed = yield from tried(unit, f"{name}.again", "t9a:21.A.b.46", need, swing)
    elif lenders(battle, unit, "rally-around-the-flag", 12.0):
        wish = yield Pick(
            unit.seat,
            "discipline.again",
            [option("again", text="option.again")],
            optional=True,
            rule="t9a:21.A.b.37",
            about=(unit.id,),
            data={"test": name},
        )
        if wish:
            battle.cite("t9a:2.B.a-reroll")
            passed = yield from tried(unit, f"{name}.again", "t9a:21.A.b.37", need, swing)
    battle.tell("discipline.passed" if passed else "discipline.failed", rule, (unit.id,), test=name)
    return passed


def characteristic_test(battle: Battle, unit: Unit, stat: str, rule: str) -> Script[bool]:
    """t9a:5.C, t9a:5.C-unit  A D6 at most the unit's highest value; a 6 always fails."""
    need = stats.characteristic(battle, unit, stat)
    (face,) = yield Roll(unit.seat, "characteristic", 6, rule="t9a:5.C", about=(unit.id,), need=need, sense="under")
    passed = face != 6 and face <= need.value
    battle.tell("discipline.passed" if passed else "discipline.failed", rule, (unit.id,), test=stat)
    return bool(passed)


def tried(unit: Unit, name: str, rule: str, need: Tally, swing: int) -> Script[bool]:
    """t9a:5.C.a  One roll of a Discipline Test."""
    faces = yield Roll(
        unit.seat, name, 6, 2 + abs(swing), rule=rule, about=(unit.id,), need=need, sense="under", drop=swing
    )
    counted = dice.kept(faces, swing) if swing else faces
    return sum(counted) <= need.value


def _stand_fast(battle: Battle, unit: Unit) -> Script[bool]:
    """t9a:21.A.b.46  Friends near a unit with Stand Fast! must take failed Panic Tests again."""
    yield from ()
    for friend in battle.army(unit.seat):
        if not friend.nerve.fleeing and battle.any_has(friend, "stand-fast") and battle.within(friend, unit, NEAR):
            battle.cite("t9a:21.A.b.46")
            return True
    return False


# ---------------------------------------------------------------------- panic


def begin_phase(battle: Battle) -> None:
    """t9a:17.A-25pct  What each unit has at the start of a phase."""
    for unit in battle.units.values():
        unit.new_phase()
        unit.this_phase = unit.this_phase.but(hp_before=battle.hp(unit))


def after_losses(
    battle: Battle, hurt: Iterable[Unit], destroyed: Sequence[tuple[Unit, Block]], by: dict[str, str], cause: str
) -> Script[None]:
    """t9a:17.A  Panic Tests after simultaneous losses."""
    yield from panic(battle, called_to_test(battle, hurt, destroyed, by, cause))


def called_to_test(
    battle: Battle, hurt: Iterable[Unit], destroyed: Sequence[tuple[Unit, Block]], by: dict[str, str], cause: str
) -> list[tuple[Unit, str, str]]:
    """t9a:17.A
    Who tests after losses, because of whom and by which rule: for the losses themselves and for friends destroyed near
    by (t9a:17.A-destroyed)."""
    called: list[tuple[Unit, str, str]] = []
    for unit in hurt:
        if unit.where == "table" and heavy_losses(battle, unit):
            called.append((unit, by.get(unit.id, cause), "t9a:17.A-25pct"))
    for gone, block in destroyed:
        for friend in battle.army(gone.seat):
            if gap(battle.block(friend).outline, block.outline) <= inches(NEAR) + EPS and _impressed(
                battle, friend, gone
            ):
                called.append((friend, "", "t9a:17.A-destroyed"))
    return called


def heavy_losses(battle: Battle, unit: Unit) -> bool:
    """t9a:17.A-25pct  A quarter of the Health Points it began the phase with; not for what has always been one
    model.
    """
    if unit.this_phase.hp_before <= 0:
        return False
    battle.cite("t9a:17.A-25pct")
    return 4 * unit.this_phase.hp_lost >= unit.this_phase.hp_before and not (
        unit.muster.start_size == 1 and battle.size(unit) == 1
    )


def _impressed(battle: Battle, friend: Unit, cause: Unit) -> bool:
    """t9a:21.A.b.21  Insignificant units cause no Panic to others."""
    if battle.all_have(cause, "insignificant") if battle.pools(cause) else cause.profile.has("insignificant"):
        many = sum(battle.pool_count(p) for p in battle.pools(friend) if battle.has(p, "insignificant"))
        if 2 * many < battle.size(friend):
            battle.cite("t9a:21.A.b.21")
            return False
    return True


def immune(battle: Battle, unit: Unit) -> bool:
    """t9a:17.A-immune, t9a:21.A.b.42  No test for the engaged, the fleeing, and those who took one this phase."""
    if battle.engaged(unit) or unit.nerve.fleeing or unit.this_phase.panicked:
        battle.cite("t9a:17.A-immune")
        return True
    return False


def panic_test(battle: Battle, unit: Unit, rule: str) -> Script[bool]:
    """t9a:17.A  One Panic Test; the Fearless pass (t9a:21.A.b.42)."""
    unit.this_phase = unit.this_phase.but(panicked=True)
    battle.cite("t9a:17.A", rule)
    if battle.most_have(unit, "fearless"):
        battle.tell("discipline.passed", "t9a:21.A.b.42", (unit.id,), test="panic")
        return True
    return (yield from test(battle, unit, "panic", rule, panic=True, swing=stats.swing(battle, unit, "Panic Test")))


def panic(battle: Battle, called: Sequence[tuple[Unit, str, str]]) -> Script[None]:
    """t9a:17.A-simultaneous, t9a:17.A-flee, t9a:2.A.c
    All tests first, then the flights they cause: the active player's units
    before the other's, each in its owner's order (as mustered, if he does not mind).
    """
    failed = yield from panic_tests(battle, called)
    for seat in (battle.active, battle.reactive):
        left = {unit.id: cause for unit, cause in failed if unit.seat == seat}
        minds = True
        while left:
            key = next(iter(left))
            if len(left) > 1 and minds:
                options = [option(k, about=(k,)) for k in left]
                picked = yield Pick(seat, "flee.first", options, optional=True, rule="t9a:2.A.c")
                key, minds = picked or key, picked is not None
            unit, cause = battle.units[key], left.pop(key)
            if unit.where == "table" and not battle.engaged(unit):
                yield from panicked(battle, unit, cause)


def panic_tests(battle: Battle, called: Sequence[tuple[Unit, str, str]]) -> Script[list[tuple[Unit, str]]]:
    """t9a:17.A-simultaneous  The units that fail, each with whom it flees from."""
    failed: list[tuple[Unit, str]] = []
    for unit, cause, rule in called:
        if unit.where != "table" or immune(battle, unit):
            continue
        if not (yield from panic_test(battle, unit, rule)):
            failed.append((unit, cause))
    if len(called) > 1:
        battle.cite("t9a:17.A-simultaneous")
    return failed


def panicked(battle: Battle, unit: Unit, cause: str) -> Script[None]:
    """t9a:17.A-flee, t9a:21.A.b.23-panic
    A failed Panic Test: flight from the cause or the nearest enemy; a War Machine
    is Shaken.
    """
    unit.charge = unit.charge.over()
    if battle.any_has(unit, "war-machine"):
        battle.shake(unit, 1)
        battle.tell("unit.shaken", "t9a:21.A.b.23-panic", (unit.id,))
        return
    unit.nerve = unit.nerve.but(feigned=False)
    yield from _FLIGHT[-1](battle, unit, cause, "t9a:17.A-flee")

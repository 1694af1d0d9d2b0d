"""ades:13.2-concentration, ades:13.2-mutagene-use, ades:13.1-vapeur-distribution  Points put into characteristics."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.kernel.questions import Pick, Script, Split, option

FOCUS, DOSE, STEAM = "ades:13.2-concentration", "ades:13.2-mutagene-use", "ades:13.1-vapeur-distribution"
#: What else limits what is put where.
LIMITS = {
    FOCUS: ("ades:13.2-concentration-max", "ades:13.2-concentration-moments", "ades:1.1.2.3"),
    DOSE: ("ades:13.2-mutagene",),
    STEAM: ("ades:13.1-vapeur",),
}
SHOT = "FOR(TIR)"  # the strength of shots, which steam may raise
MOST = 2  # ades:13.2-concentration-max, 13.2-mutagene-use


class Pool(msgspec.Struct, frozen=True):
    """Points left of one kind, and how many of them each characteristic may still take."""

    name: str
    rule: str
    left: int
    room: tuple[tuple[str, int], ...]


def _given(fighter: Fighter, stat: str, rule: str) -> int:
    return sum(amount for of, amount, why in fighter.effort.points if of == stat and why == rule)


def pools(battle: Battle, fighter: Fighter, stats: Sequence[str], moment: str = "") -> list[Pool]:
    """ades:13.1-vapeur-distribution  What it has left for these characteristics; steam does not wait for tests."""
    found = []
    own = fighter.profile
    left = battle.number(fighter, "concentration") - fighter.effort.focus
    if left > 0:
        room = [(s, MOST - _given(fighter, s, FOCUS)) for s in stats if s in own.bold and s in own.stats]
        found.append(Pool("focus", FOCUS, left, tuple((s, n) for s, n in room if n > 0)))
    if fighter.effort.doses > 0:
        room = [(s, MOST - _given(fighter, s, DOSE)) for s in stats if s != "MYS" and s in own.stats]
        found.append(Pool("dose", DOSE, fighter.effort.doses, tuple((s, n) for s, n in room if n > 0)))
    if fighter.effort.steam > 0 and moment != "test":
        listed = battle.skills(fighter).words("steam")
        base = {**own.stats, SHOT: max((w.force for w in own.weapons), default=0)}
        room = [(s, int(base[s]) - 1 - _given(fighter, s, STEAM)) for s in stats if s in listed and s in base]
        found.append(Pool("steam", STEAM, fighter.effort.steam, tuple((s, n) for s, n in room if n > 0)))
    return [pool for pool in found if pool.room]


def offer(battle: Battle, fighter: Fighter, stats: Sequence[str], moment: str) -> Script[None]:
    """ades:13.2-concentration-moments  Put points into characteristics, before the dice they are for."""
    if fighter.seat not in battle.seats:
        return
    for pool in pools(battle, fighter, stats, moment):
        total = min(pool.left, sum(n for _, n in pool.room))
        options = [option(stat, text="option.points", data={"stat": stat}) for stat, _ in pool.room]
        limits = {stat: (0, min(n, total)) for stat, n in pool.room}
        shares = yield Split(
            fighter.seat, "points", options, total, limits=limits, exact=False, rule=pool.rule, about=(fighter.id,),
            data={"pool": f"points.{pool.name}", "moment": f"moment.{moment}"}, also=LIMITS[pool.rule],
        )  # fmt: skip
        given = [(stat, n, pool.rule) for stat, n in shares.items() if n]
        if given:
            spend(battle, fighter, pool, given, moment)


def spend(battle: Battle, fighter: Fighter, pool: Pool, given: list[tuple[str, int, str]], moment: str) -> None:
    """ades:13.2-concentration-max  Points are put into characteristics, each no higher than it may go."""
    count = sum(n for _, n, _ in given)
    fighter.effort = fighter.effort.but(points=(*fighter.effort.points, *given))
    if pool.name == "focus":
        fighter.effort = fighter.effort.but(focus=fighter.effort.focus + count)
        battle.cite("ades:13.2-concentration-moments", "ades:13.2-concentration-max")
    elif pool.name == "dose":
        fighter.effort = fighter.effort.but(doses=fighter.effort.doses - count)
    else:
        fighter.effort = fighter.effort.but(steam=fighter.effort.steam - count)
    battle.tell("points", pool.rule, (fighter.id,), points={stat: n for stat, n, _ in given}, moment=f"moment.{moment}")


def charge_strength(battle: Battle, fighter: Fighter, bonus: int) -> Script[int]:
    """ades:13.1-for-en-charge  The FOR a charge brings, unless its bearer gives it up.

    Ruling: it is asked where that FOR would count: forcing a way, a stab on arrival, placing combat dice.
    """
    if bonus <= 0 or fighter.seat not in battle.seats:
        return bonus
    rule = "ades:13.1-for-en-charge"
    options = [option("renounce", text="option.renounce", data={"bonus": bonus})]
    chosen = yield Pick(fighter.seat, "charge.strength", options, optional=True, rule=rule, about=(fighter.id,))
    if chosen is None:
        return bonus
    battle.tell("charge.renounced", rule, (fighter.id,), bonus=bonus)
    return 0

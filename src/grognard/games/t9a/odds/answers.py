"""The answers: the battle's own steps, weighed for every face."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.t9a import amounts, casting_steps, steps
from grognard.games.t9a.amounts import Amount, amount
from grognard.kernel.odds import Odds
from grognard.kernel.questions import Roll, Script
from grognard.kernel.weigh import Distribution, Weigher, bind

SEAT = "red"


def _charge(given: dict[str, Any]) -> Odds:
    """t9a:11.E.a, 21.C.a.1"""
    weigher = Weigher()

    def reached() -> Script[int]:
        total, _ = yield from amounts.roll(SEAT, "charge.range", Amount(2, 6, 0), "t9a:11.E.a", swing=given["extra"])
        return max(total, 4) if given["champion"] else total

    dice = weigher.run(reached)
    need = given["distance"] - given["advance"]
    return Odds.of(
        "charge",
        dice,
        parts={"range": lambda n: n + given["advance"]},
        tests={"reaches": lambda n: n >= need},
        touched=weigher.touched,
        arguments=given,
    )


def _discipline(given: dict[str, Any]) -> Odds:
    """t9a:5.C.a, 2.B.a-reroll"""
    weigher = Weigher()

    def passed() -> Script[str]:
        for _ in range(2 if given["again"] else 1):
            faces = yield Roll(SEAT, "panic", 6, 2 + abs(given["extra"]), rule="t9a:5.C.a")
            if sum(amounts.kept(faces, given["extra"]) if given["extra"] else faces) <= given["discipline"]:
                return "passed"
        return "failed"

    return Odds.of("discipline", weigher.run(passed), touched=weigher.touched, arguments=given)


def _harm(weigher: Weigher, hits: Distribution[tuple[int, int]], given: dict[str, Any]) -> Distribution[int]:
    """t9a:7.B  From hits (and natural sixes among them) to Health Points lost, every step weighed."""
    each = amount(given["multiple"])
    need = steps.to_wound(given["strength"], given["resilience"])
    again = given["flaming"] and given["flammable"]
    save = steps.to_save(given["armour"], given["ap"])

    def wounded(state: tuple[int, int]) -> Distribution[tuple[int, int]]:
        count, sixes = state
        total = count + (sixes if given["focus"] else 0)
        sure = sixes if given["poison"] else 0
        found = weigher.run(lambda: steps.wounds(SEAT, total - sure, need, again))
        return found.map(lambda w: (w[0] - (w[1] if given["lethal"] else 0) + sure, w[1] if given["lethal"] else 0))

    def unsaved(state: tuple[int, int]) -> Distribution[tuple[int, int]]:
        plain, lethal = state
        return weigher.run(lambda: steps.unsaved(SEAT, plain, save)).map(lambda n: (n, lethal))

    def special(state: tuple[int, int]) -> Distribution[int]:
        plain, lethal = state
        first = weigher.run(lambda: _special(plain, False, given))
        second = weigher.run(lambda: _special(lethal, True, given))
        return bind(first, lambda n: second.map(lambda m: n + m))

    def many(count: int) -> Distribution[int]:
        one = weigher.run(lambda: steps.multiplied(SEAT, 1, each, given["hp"]))
        total = Distribution.certain(0)
        for _ in range(count):
            total = bind(total, lambda n: one.map(lambda m: n + m))
        return total

    return bind(bind(bind(bind(hits, _kept(wounded)), _kept(unsaved)), _kept(special)), _kept(many))


def _kept(function: Callable[[Any], Distribution[Any]]) -> Callable[[Any], Distribution[Any]]:
    """A function that remembers what it answered."""
    known: dict[Any, Distribution[Any]] = {}

    def ask(state: Any) -> Distribution[Any]:
        if state not in known:
            known[state] = function(state)
        return known[state]

    return ask


def _special(count: int, lethal: bool, given: dict[str, Any]) -> Script[int]:
    """t9a:7.H-one  The better of the Special Saves a wound leaves open."""
    tough = 7 if lethal or given["flaming"] else given["fortitude"]
    if tough < given["aegis"]:
        return (yield from steps.unsaved(SEAT, count, tough, name="save.fortitude", rule="t9a:21.D.b.3"))
    return (yield from steps.aegis(SEAT, count, given["aegis"], given["divine"]))


def _volley(given: dict[str, Any]) -> Odds:
    """t9a:14.A.a-fire, 14.D"""
    weigher = Weigher()
    hits = weigher.run(lambda: steps.shots(SEAT, given["shots"], given["need"]))
    return Odds.of(
        "volley", _harm(weigher, hits, given), parts={"lost": lambda n: n}, touched=weigher.touched, arguments=given
    )


def _strike(given: dict[str, Any]) -> Odds:
    """t9a:15.D.e"""
    weigher = Weigher()
    need = min(6, max(2, steps.to_hit(given["offence"], given["defence"]) - given["plus"]))
    hits = weigher.run(lambda: steps.melee_hits(SEAT, given["attacks"], need, given["hatred"]))
    return Odds.of(
        "strike", _harm(weigher, hits, given), parts={"lost": lambda n: n}, touched=weigher.touched, arguments=given
    )


def _casting(given: dict[str, Any]) -> Odds:
    """t9a:13.H.a, 13.H.b, 13.I"""
    weigher = Weigher()
    found = weigher.run(
        lambda: casting_steps.attempt(
            SEAT, given["dice"], given["value"], given["plus"], given["dispel"], given["dispel_plus"]
        )
    )
    return Odds.of("casting", found, touched=weigher.touched, arguments=given)


ANSWERS: dict[str, Callable[[dict[str, Any]], Odds]] = {
    "charge": _charge,
    "discipline": _discipline,
    "volley": _volley,
    "strike": _strike,
    "casting": _casting,
}

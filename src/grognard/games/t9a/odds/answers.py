"""The answers: the battle's own steps, weighed for every face."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.t9a.losses import psychology
from grognard.games.t9a.magic import casting_steps
from grognard.games.t9a.magic.magic import CARDS
from grognard.games.t9a.odds import charges, numbers, scene, units
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

SEAT = "red"


def _discipline(given: dict[str, Any]) -> Odds:
    """t9a:5.C.a, 2.B.a-reroll"""
    weigher = Weigher()
    unit = scene.apart({"distance": 10}, "one", "other", "charge").units["one"]
    need = Tally(given["discipline"], "dis", "t9a:5.A.a")

    def passed() -> Script[str]:
        for _ in range(2 if given["again"] else 1):
            if (yield from psychology.tried(unit, "panic", "t9a:5.C.a", need, given["extra"])):
                return "passed"
        return "failed"

    return Odds.of("discipline", weigher.run(passed), touched=weigher.touched, arguments=given)


#: What a triple does to an attempt; a Loss of Concentration fails it.
MISCAST = ["t9a:13.I", "t9a:13.I-when", "t9a:13.I-mods", "t9a:13.I.a-111"]


def _casting(given: dict[str, Any]) -> Odds:
    """t9a:13.H.a, 13.H.b, 13.I"""
    weigher = Weigher()
    card = CARDS[given["flux"]].miscast if given["flux"] else 0
    found = weigher.run(
        lambda: casting_steps.attempt(
            SEAT, given["dice"], given["value"], given["plus"], given["dispel"], given["dispel_plus"], card
        )
    )
    alone = ["t9a:13.H.a-single"] if given["dice"] == 1 else MISCAST if given["dice"] > 2 else []
    flux = ["t9a:13.D"] if card else []
    return Odds.of("casting", found, touched=[*weigher.touched, *alone, *flux], arguments=given)


ANSWERS: dict[str, Callable[[dict[str, Any]], Odds]] = {
    "charge": charges.charge,
    "discipline": _discipline,
    "volley": numbers.volley,
    "strike": numbers.strike,
    "casting": _casting,
    "shooting": units.shooting,
    "fighting": units.fighting,
    "combat": units.combat_round,
}

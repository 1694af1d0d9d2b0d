"""Chapter 19.7: the odds of a stone thrower's shot at a block of troops, exact.

The direction is an hour and the distance a sum of dice, so every place a stone can fall is one of finitely many; how
many bases the template touches there is plain geometry.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from grognard.games.wfb3.army.machine_table import ENGINES, Ordered
from grognard.games.wfb3.machines import scatter
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.rolls import steps
from grognard.kernel.geometry.units import inches
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally


class Fall(NamedTuple):
    hits: int
    killed: int


def _machine(crew: int) -> Machine:
    """A catapult with its muzzle at the origin, looking up the table."""
    made = Machine("stone", "red", "", Ordered(ENGINES["catapult", crew], True, (40.0, 60.0)))
    made.put(0.0, -30.0, 0.0)
    return made


def touched(args: dict[str, Any], x: float, y: float, radius: float) -> int:
    """wfb3:19.7-damage  How many bases of the block a template at a point touches; the block's middle is the aim."""
    side = float(args["base"])
    count = 0
    for file in range(args["files"]):
        for rank in range(args["ranks"]):
            cx = (file - (args["files"] - 1) / 2) * side
            cy = inches(args["distance"]) + (rank - (args["ranks"] - 1) / 2) * side
            dx, dy = max(0.0, abs(x - cx) - side / 2), max(0.0, abs(y - cy) - side / 2)
            count += math.hypot(dx, dy) <= radius + 0.03
    return count


def shot(args: dict[str, Any]) -> Script[Fall]:
    """wfb3:19.7-scatter, wfb3:19.7-damage, wfb3:19.7-speculative  One shot, by the steps the battle rolls."""
    machine = _machine(args["crew"])
    engine = machine.engine
    far = inches(args["distance"])
    score = yield from scatter.score("red", engine)
    off = 0.0
    if score <= scatter.HOURS:
        off = inches((yield from scatter.drift("red", engine, far, bool(args["blind"]))))
    x, y = scatter.landing(machine, (0.0, far), score, off, blind=bool(args["blind"]))
    hits = touched(args, x, y, inches(engine.radius))
    wound = Tally(steps.wound_need(engine.strength, args["toughness"]), f"S{engine.strength}", "wfb3:6.3-wound-table")
    save = None
    if args["save"] <= 6:
        save = Tally(args["save"], "save", "wfb3:6.4-saves").add(-engine.modifier, "modifier", "wfb3:19.7-table")
    rules = ("wfb3:19.7-damage", "wfb3:6.4-saves")
    struck = yield from steps.attack(steps.Attacks("red", "blue", None, wound, save, rules), hits)
    return Fall(hits, struck.hurt)


def weigh(args: dict[str, Any]) -> Odds:
    """The exact answer: models struck and, of those with one wound, killed."""
    weigher = Weigher()
    all_of_it = weigher.run(lambda: shot(args))
    any_hit = all_of_it.chance(lambda fall: fall.hits > 0)
    return Odds.of(
        "stone",
        all_of_it,
        parts={"hits": lambda fall: fall.hits, "killed": lambda fall: fall.killed},
        touched=weigher.touched,
        steps=(OddsStep("somebody is struck", any_hit, "wfb3:19.7-scatter"),),
        arguments=args,
    )

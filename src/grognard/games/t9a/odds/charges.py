"""t9a:11.E.a  How far a charge goes, and whether that is far enough."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_range, charging
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.odds import scene
from grognard.games.t9a.odds.policy import chooser
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Weigher
from grognard.kernel.questions import Script


class Run(NamedTuple):
    """A Charge Range in inches, and whether it reaches the target."""

    range: float
    reaches: bool


def charge(arguments: dict[str, Any]) -> Odds:
    """t9a:11.E.a, 21.C.a.1"""
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = laid_out(arguments)
        unit, target = battle.units["charger"], battle.units["target"]
    else:
        unit, target = scene.named(battle, arguments, "from"), scene.named(battle, arguments, "to")
    return reach(battle, unit, target, arguments["flying"], arguments)


def reach(
    battle: Battle, unit: Unit, target: Unit, flying: bool = False, arguments: dict[str, Any] | None = None
) -> Odds:
    """t9a:11.E.a  The Charge Range on the table as it stands."""
    weigher = Weigher(chooser(battle))
    touched: dict[str, None] = {}

    def run() -> Script[Run]:
        twin = battle.copy()
        twin.cited = touched
        charger, enemy = twin.units[unit.id], twin.units[target.id]
        charger.charge = charger.charge.but(flying=charger.charge.flying or flying)
        yield from charging.roll_range(twin, charger, enemy)
        return Run(charge_range.range_rolled(twin, charger), charge_range.in_range(twin, charger, enemy))

    return Odds.of(
        "charge", weigher.run(run), parts={"range": lambda r: r.range}, tests={"reaches": lambda r: r.reaches},
        touched=tuple(dict.fromkeys([*touched, *weigher.touched])), arguments=arguments,
    )  # fmt: skip


def laid_out(arguments: dict[str, Any]) -> Battle:
    """The charger as it is described; advance, extra and champion change it."""
    if arguments["distance"] is None:
        raise BadInput("charge needs {name}: {about}", name="distance", about="inches to the target")
    said = dict(arguments["charger"] or {})
    extra = arguments["extra"]
    dice = {"rules": ["Maximised (Charge Range)" if extra > 0 else "Minimised (Charge Range)"]}
    said["effects"] = [*read.listing(said.get("effects", []), "charger.effects"), *([dice] * abs(extra))]
    if arguments["advance"] is not None:
        said["effects"].append({"stats": [["adv", "set", arguments["advance"]]]})
    if arguments["champion"]:
        said["champion"] = True
    return scene.apart({**arguments, "charger": said}, "charger", "target", "charge")

"""wfb3:12.1-placement  Where bearers, musicians and captured banners stand, set at the start of their player's turn."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import seating
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:12.1-placement"
ROLES = ("standard", "musician")


def start_of_turn(battle: Battle) -> Script[None]:
    """Bearers and musicians change places between the front rank and the rear, unless their unit is engaged."""
    while True:
        options: list[Option] = []
        barred: dict[str, Refusal] = {}
        for unit in battle.army(battle.active):
            for model in movable(battle, unit):
                way = "rear" if stats.in_front(battle, unit, model) else "front"
                key = f"{model.id}:{way}"
                if battle.engaged(unit):
                    barred[key] = Refusal("refuse.post.engaged", RULE, {"unit": unit.id})
                else:
                    facts = {"role": f"post.{model.role if model.role in ROLES else 'trophy'}"}
                    options.append(Option(key, (unit, model, way), f"option.post.{way}", (model.id, unit.id), facts))
        if not options and not barred:
            return
        chosen = yield Pick(
            battle.active, "command.place", options, optional=True, barred=barred, rule=RULE, checkpoint=True
        )
        if chosen is None:
            return
        unit, model, way = chosen
        model.post = way
        seating.swap_in(battle, unit)
        battle.tell("post", RULE, (model.id, unit.id), place=way)


def movable(battle: Battle, unit: Unit) -> list[Model]:
    """Those who may be placed: no leader, who keeps the centre; nobody where there is only one rank."""
    if unit.kind == "character" or unit.rout.routed or unit.block is None or unit.block.ranks < 2:
        return []
    return [m for m in battle.ordinary(unit) if m.role in ROLES or m.trophy]

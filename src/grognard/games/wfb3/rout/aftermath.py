"""wfb3:10.7.5, wfb3:8.5-pursue  When the fights are over: panic of friends near routs, then flight and pursuit."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.psychology import panic
from grognard.games.wfb3.rout import pursuit
from grognard.games.wfb3.table import contacts
from grognard.kernel.questions import Script


def panic_then_flight(battle: Battle) -> Script[None]:
    """wfb3:10.7.5, wfb3:8.5-pursue  Panic of friends near routs, then every rout is run and pursued."""
    while battle.queue:
        told: set[str] = set()
        while fresh := [u for u, _ in battle.queue if u not in told]:
            for key in fresh:
                told.add(key)
                if battle.units[key].where == "table":
                    yield from panic.friends_routed(battle, battle.units[key])
        queue, battle.queue = battle.queue, ()
        for key, winners in queue:
            unit = battle.units[key]
            if unit.where == "table":
                yield from pursuit.flight_and_pursuit(battle, unit, winners)
    contacts.close_up(battle)
    overlap.tidy(battle)

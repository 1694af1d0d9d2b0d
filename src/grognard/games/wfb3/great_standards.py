"""wfb3:16.1  The army standard: what it lends, how it is lost."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.kernel.geometry.units import inches

#: wfb3:16.1-reroll, 16.1-rally
REACH = inches(12)


def bearer(battle: Battle, seat: str) -> Model | None:
    """wfb3:16.1-army-standard, 16.1-general-dead  The living bearer of a side's standard while it has its power."""
    for home in battle.units.values():
        if home.seat == seat and home.great == "held" and home.id in battle.models:
            model = battle.models[home.id]
            if not model.alive or not model.on_table:
                return None
            chief = next((u for u in battle.units.values() if u.seat == seat and u.general), None)
            if chief is not None and not battle.models[chief.id].alive:
                battle.cite("wfb3:16.1-general-dead")
                return None
            battle.cite("wfb3:16.1-army-standard")
            return model
    return None


def near(battle: Battle, unit: Unit) -> bool:
    """Whether a unit stands within 12" of its army's standard."""
    model = bearer(battle, unit.seat)
    if model is None or battle.units[model.unit].routed or unit.block is None:
        return False
    if model.unit == unit.id:
        return True
    host = battle.units[model.unit]
    return host.block is not None and battle.gap(host, unit) <= REACH


def in_fight(battle: Battle, unit: Unit) -> int:
    """wfb3:16.1-combat, 7.12-army-standard  One more for the side whose standard is in the fight."""
    model = bearer(battle, unit.seat)
    if model is None or model.unit != unit.id:
        return 0
    battle.cite("wfb3:16.1-combat")
    return 1


def fallen(battle: Battle, model: Model, unit: Unit) -> None:
    """wfb3:16.1-lost, 16.1-capture  The bearer has been killed: the standard is lost until the fight decides."""
    home = battle.units[model.home]
    if home.great == "held":
        home.great = "lost"
        unit.great_loss = 2
        battle.tell("standard.lost", "wfb3:16.1-lost", (model.id, unit.id))


def captured(battle: Battle, unit: Unit, captor: Unit) -> None:
    """wfb3:16.1-capture  With a unit routed in close combat its bearer's standard is taken."""
    for model in battle.characters(unit):
        home = battle.units[model.home]
        if home.great in ("held", "lost"):
            home.great = "captured"
            unit.great_loss = 3
            captor.trophies = (*captor.trophies, home.id)
            battle.tell("standard.captured", "wfb3:16.1-capture", (home.id, captor.id))

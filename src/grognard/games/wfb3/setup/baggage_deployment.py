"""wfb3:17.2-deploy, wfb3:17.2-civilians  Setting up the baggage trains and their civilians."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.army import cards
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.rolls import dice
from grognard.games.wfb3.setup import fielding
from grognard.games.wfb3.table import baggage, seating
from grognard.games.wfb3.troops import assassins
from grognard.kernel.citing import cites
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Option, Pick, Roll, Script


@cites
def set_up(battle: Battle, seat: str, points: float, x: float, creature: str = "") -> None:
    """wfb3:17.2-civilians  The area, and civilians of the army's commonest race in it."""
    wagons, people, _, _ = baggage.composition(battle, points)
    side = battle.sides[seat]
    side.train, side.train_state, side.train_wagons = baggage.area_for(battle, seat, points, x), "safe", wagons
    name = creature or majority(battle, seat)
    entry = {
        "name": f"{seat} civilians", "creature": name, "count": people, "weapons": ["improvised"],
        "traits": ["Civilians"],
    }  # fmt: skip
    unit = fielding.add_unit(battle, seat, f"{seat}-civilians", cards.recruit(entry, "baggage"))
    unit.baggage = unit.baggage.but(defends=seat)
    unit.price = 0.0
    left, low, wide, high = side.train
    south = side.edge == "south"
    block = seating.settle(battle, unit, people)
    front = (left + wide / 2, low + high / 2)
    battle.form(unit, block.placed(front, 0.0 if south else 180.0))
    battle.tell("baggage.placed", "wfb3:17.2-deploy", (seat,), wagons=wagons, civilians=people)


def majority(battle: Battle, seat: str) -> str:
    """wfb3:17.2-civilians  The commonest creature of an army; halflings where there are any and the player wants."""
    counts: dict[str, int] = {}
    for unit in battle.units.values():
        if unit.seat == seat and unit.kind != "character":
            counts[unit.profile.name] = counts.get(unit.profile.name, 0) + len(unit.models)
    return max(counts, key=lambda name: counts[name]) if counts else "Human"


def deploy(battle: Battle) -> Script[None]:
    """wfb3:17.2-deploy  Before all other troops; where both have one, the lower of two dice places first."""

    owners = tuple(s for s in battle.seats if battle.sides[s].train_state == "wanted")
    if len(owners) == 2 and not battle.queue:
        high = yield from dice.roll_off(battle, owners, "baggage.first", "wfb3:17.2-deploy")
        battle.queue = tuple(reversed(high))
    for seat in battle.queue or owners:
        side = battle.sides[seat]
        if side.train_state != "wanted":
            continue
        _, _, _, long = baggage.composition(battle, side.points)
        last = int(battle.table.width / inches(1) - long)
        options = [Option(str(n), n, "option.baggage.place", data={"inches": n}) for n in range(last + 1)]
        left = yield Pick(seat, "baggage.place", options, rule="wfb3:17.2-deploy", checkpoint=True)
        races = ["", *(["Halfling"] if has_halflings(battle, seat) else [])]
        chosen = races[0]
        if len(races) > 1:
            names = [Option("majority", "", "option.civilians.majority"), Option("Halfling", "Halfling")]
            chosen = yield Pick(seat, "baggage.civilians", names, rule="wfb3:17.2-civilians")
        set_up(battle, seat, side.points, inches(left), chosen)
    battle.queue = ()


def has_halflings(battle: Battle, seat: str) -> bool:
    return any(u.seat == seat and u.profile.race == "halfling" for u in battle.units.values())


def given(battle: Battle, seat: str, said: Any, where: str) -> None:
    """A baggage train in a case: {points, x, civilians: creature, state}."""
    data = read.mapping(said, where, ("points", "x", "civilians", "state", "undefended"))
    points = read.number(data.get("points", 1000), f"{where}.points")
    if points < 1000:
        raise BadInput("{where}: only an army of 1000 points has a baggage train (wfb3:17.1-composition)", where=where)
    battle.sides[seat].points = points
    set_up(battle, seat, points, inches(read.number(data.get("x", 33), f"{where}.x")), str(data.get("civilians") or ""))
    battle.sides[seat].train_state = read.one_of(data.get("state", "safe"), f"{where}.state", ("safe", "pillaged"))
    gone = battle.sides[seat].train_state == "pillaged" or data.get("civilians") == 0
    if read.flag(data.get("undefended", gone), f"{where}.undefended"):
        battle.remove(battle.units[f"{seat}-civilians"], "fled")
    for unit in battle.here():
        baggage.enter(battle, unit)


def before_deployment(battle: Battle) -> Script[None]:
    """wfb3:17.2-deploy, wfb3:15.2-hidden, wfb3:14.8.1-second-radius
    Trains placed, assassins hidden, seconds' reach rolled."""
    yield from deploy(battle)
    yield from assassins.assign(battle)
    for unit in battle.units.values():
        if unit.character.second and not unit.character.second_radius:
            faces = yield Roll(
                unit.seat, "second.radius", 6, 2, rule="wfb3:14.8.1-second-radius", about=(unit.id,), secret=True
            )
            unit.character = unit.character.but(second_radius=sum(faces))
            battle.cite("wfb3:14.8.1-seconds")

"""Numbers the rules compute, for cases and screens."""

from __future__ import annotations

from typing import Any

from grognard.games.ades.abilities.base import STATS
from grognard.games.ades.army import army_value
from grognard.games.ades.assault import assault, contact
from grognard.games.ades.battle import Battle
from grognard.games.ades.combat import combat_dice, pursuit
from grognard.games.ades.forces import Fighter
from grognard.games.ades.machines import machines
from grognard.games.ades.movement import movement
from grognard.games.ades.mystics import casting, recovery
from grognard.games.ades.rolls import stats as values
from grognard.games.ades.rolls import steps, tests
from grognard.games.ades.scenarios import scenarios
from grognard.games.ades.shooting import battering, shot_numbers
from grognard.games.ades.shooting.shot_numbers import Gun
from grognard.games.ades.table import sight
from grognard.kernel.citing import cites
from grognard.kernel.data.measures import measure as kernel_measure
from grognard.kernel.data.measures import of
from grognard.kernel.errors import BadInput, ScriptError
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Pick
from grognard.kernel.words.tally import Tally

#: Other words for arguments.
ALIASES = {
    "distance": {"from": "a", "of": "a", "to": "b"}, "view": {"of": "viewer", "from": "viewer", "to": "target"},
    "shot": {"of": "shooter", "from": "shooter", "at": "target", "to": "target", "against": "target"},
}  # fmt: skip


def measure(battle: Battle, what: str, arguments: dict[str, Any]) -> Any:
    """One number by name; the arguments are ids. Its own rules have their say in it."""
    other = ALIASES.get(what, {})
    arguments = {other.get(key, key): value for key, value in arguments.items()}
    found = kernel_measure("ades", MEASURES, battle, what, arguments)
    battle.cite(*RULES[what])
    return found


def _who(battle: Battle, name: str) -> Fighter:
    if name not in battle.fighters:
        raise BadInput("there is no fighter {name}; there are {known}", name=name, known=", ".join(battle.fighters))
    return battle.fighters[name]


def _named(name: str) -> str:
    """A characteristic by its name; POU and FOI are MYS."""
    known = "MYS" if name.upper() in ("POU", "FOI") else name.upper()
    if known not in STATS:
        raise BadInput("there is no characteristic {name}; there are {known}", name=name, known=", ".join(STATS))
    return known


def stat(battle: Battle, of: str, name: str) -> Tally:
    """ades:1.1.2.2  A characteristic as it stands."""
    return values.stat(battle, _who(battle, of), _named(name))


def tested(battle: Battle, of: str, name: str) -> Tally:
    """ades:1.1.11-test  A characteristic as tests use it."""
    return values.tested(battle, _who(battle, of), _named(name))


@cites
def distance(battle: Battle, a: str, b: str) -> float:
    """ades:1.1.15  Edge to edge, in cm."""
    if b in battle.things:
        return round(battle.gap_to_thing(_who(battle, a), battle.things[b]) / MM_PER_CM, 4)
    return round(battle.gap(_who(battle, a), _who(battle, b)) / MM_PER_CM, 4)


def view(battle: Battle, viewer: str, target: str) -> str:
    """ades:1.1.14-degrees  clear, partial or none."""
    if target in battle.things:
        return sight.view_thing(battle, _who(battle, viewer), battle.things[target]).degree
    return sight.view(battle, _who(battle, viewer), _who(battle, target)).degree


def dice(battle: Battle, of: str, foes: int = 1) -> Tally:
    """ades:4.3.4-dice  Combat dice against so many adversaries."""
    return combat_dice.pool(battle, _who(battle, of), foes)


def need(battle: Battle, stat: str, value: float, against: float, shift: int = 0) -> Tally:
    """ades:1.1.3-truc  The face a test needs; shift counts columns to the right."""
    shifts = [(shift, "shift", "ades:1.1.7")] if shift else []
    return tests.needed(battle, stat, value, against, shifts)


def damage(battle: Battle, force: int, res: int, face: int, shift: int = 0) -> int:
    """ades:1.1.6-bidule  What a face does."""
    battle.cite("ades:1.1.6-bidule", "ades:1.1.6-procedure", *(["ades:1.1.7"] if shift else []))
    return steps.bidule(face, max(0, min(9, steps.column(force - res) + shift)))


def shot(battle: Battle, shooter: str, target: str, assault: bool = False, weapon: str = "") -> Tally:
    """ades:4.2.5.2-procedure  The face a shot needs, with its first weapon unless one is named."""
    who = _who(battle, shooter)
    arms = {arm.name: arm for arm in who.profile.weapons}
    if not arms or (weapon and weapon not in arms):
        raise BadInput("{name} has no such weapon; it has {known}", name=shooter, known=", ".join(arms) or "none")
    gun = Gun(who, arms[weapon or next(iter(arms))], assault=assault)
    if target in battle.things:
        return battering.to_hit(battle, gun, battle.things[target]).need
    mark = _who(battle, target)
    return shot_numbers.to_hit(battle, gun, mark, sight.view(battle, who, mark, shooting=True)).need


@cites
def attack(battle: Battle, of: str, against: str) -> Tally:
    """ades:4.3.4.2.1  The face an attack die of one fighter needs against another."""
    one, two = _who(battle, of), _who(battle, against)
    att, defence = values.stat(battle, one, "ATT", foes=[two]), values.stat(battle, two, "DEF", foes=[one])
    return tests.needed(battle, "ATT", att, defence, ())


@cites
def defence(battle: Battle, of: str, against: str) -> Tally:
    """ades:4.3.4.2.2-test  The face a defence die of one fighter needs against another."""
    one, two = _who(battle, of), _who(battle, against)
    own, att = values.stat(battle, one, "DEF", foes=[two]), values.stat(battle, two, "ATT", foes=[one])
    return tests.needed(battle, "DEF", own, att, ())


def split(battle: Battle, of: str) -> Tally:
    """ades:4.3.2-splitter  The discipline a fighter brings to separating a melee."""
    return values.discipline(battle, _who(battle, of))


def potential(battle: Battle, of: str, action: str = "pursuit") -> float:
    """ades:1.1.16  How far a pursuit leads, or another action: walk, run, dodge, charge, engage, …; in cm."""
    who = _who(battle, of)
    if action == "pursuit":
        battle.cite("ades:4.3.4.3-pursuit", "ades:1.1.12")
        return pursuit.potential(battle, who)
    moves = [kind for kind in movement.RULES if kind not in ("pursuit", "infiltration")]
    assaults = [kind for kind in assault.RULES if kind != "pursuit"]
    if action not in (*moves, *assaults):
        known = ", ".join(("pursuit", *moves, *assaults))
        raise BadInput("action is one of {known}, not {name}", known=known, name=action)
    way = movement.way_for(battle, who, action) if action in moves else assault.way(battle, who, action)
    battle.cite(way.rule)
    return round(way.budget(battle.pose(who).level) / MM_PER_CM, 4)


def recovered(battle: Battle, of: str) -> Tally:
    """ades:8.8.1-gain, ades:8.8.2-gain  What a mystic recovers."""
    return recovery.income(battle, _who(battle, of))


def formula(battle: Battle, of: str, level: int, target: str = "") -> Tally:
    """ades:8.4-level  The face a formula needs, with the columns of a target if one is named."""
    who = _who(battle, of)
    columns = casting.columns(battle, who, _who(battle, target)) if target else ()
    return tests.needed(battle, "MYS", values.stat(battle, who, "MYS"), level, columns)


def push(battle: Battle, weapon: str) -> Tally:
    """ades:10.4  How far a war weapon can be pushed, in cm."""
    return machines.potential(battle, battle.things[weapon])


def weight(battle: Battle, of: str, inflicts: bool = True) -> int:
    """ades:4.2.4.2-charge-malus  PUI as it counts for the charge malus."""
    return contact.power(battle, _who(battle, of), inflicts=inflicts)


@cites
def zone(battle: Battle, of: str) -> float:
    """ades:8.1-zone  How far the control zone of a mystic reaches, in cm."""
    return casting.zone(_who(battle, of)) / MM_PER_CM


def control(battle: Battle, objective: str) -> str:
    """ades:9.2.7-control  Who controls an objective now: a seat, or nobody."""
    script = scenarios.control(battle)
    try:
        ask = next(script)
        while isinstance(ask, Pick):  # whoever stands in two zones alike counts for the first
            ask = script.send(ask.options[0].value)
        raise ScriptError(f"control asked for {ask}")
    except StopIteration as done:
        holders: dict[str, str] = done.value
    if objective not in holders:
        raise BadInput(
            "there is no objective {name}; there are {known}", name=objective, known=", ".join(holders) or "none"
        )
    return holders[objective] or "nobody"


def capacity(battle: Battle, of: str) -> int:
    """ades:2.7.4-capacity  How many fighters a card stands for."""
    fighter = _who(battle, of)
    if casting.kind_of(battle, fighter) and not fighter.profile.incarnate:
        battle.cite("ades:2.7.4-mystic")
    return army_value.capacity(fighter.profile)


_ALL = (
    stat, tested, distance, view, dice, need, damage, shot, attack, defence, split, potential, recovered, formula, push,
    weight, zone, control, capacity,
)  # fmt: skip
MEASURES = {f.__name__: of(f) for f in _ALL}
#: The rules each begins its description with; of a recovery, only those of the mystic's kind are told with the number.
RULES = {
    f.__name__: tuple(
        f"ades:{rule.removeprefix('ades:')}" for rule in (f.__doc__ or "").split("  ")[0].split(", ")
    ) if f is not recovered else ()
    for f in _ALL
}  # fmt: skip

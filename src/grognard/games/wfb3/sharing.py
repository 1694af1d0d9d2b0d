"""wfb3:11.2.2-choice, 7.5-attack-types  Models that touch several enemy units share their blows among them."""

from __future__ import annotations

from grognard.games.wfb3 import contacts
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.profiles import REACH
from grognard.games.wfb3.striking import Group
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Option, Script, Split


def spread(battle: Battle, group: Group, able: int) -> Script[list[tuple[Group, int]]]:
    """A group's fighters by the enemy they strike: those at the seam may turn to another they touch and can reach."""
    unit = battle.units[group.unit]
    others = alternatives(battle, unit, group) if group.who in ("troops", "mounts") and able else {}
    if not others:
        return [(group, able)]
    options = [Option(key, key, about=(key,)) for key in others]
    limits = {key: (0, min(able, number)) for key, number in others.items()}
    shares = yield Split(
        unit.seat, "combat.share", options, able, limits=limits, exact=False, rule="wfb3:11.2.2-choice",
        about=(unit.id, group.foe), data={"by": group.who},
    )  # fmt: skip
    parts = [(group._replace(foe=key, auto=False), number) for key, number in shares.items() if number]
    return [*parts, (group, able - sum(number for _, number in parts))]


def alternatives(battle: Battle, unit: Unit, group: Group) -> dict[str, int]:
    """Other enemies the fighters of a group touch where their attacks reach, and how many of them do."""
    sides = {foe.id: side for foe, side, _ in battle.foes(unit) if foe.where == "table"}
    if group.foe not in sides or len(sides) < 2 or unit.block is None:
        return {}
    touches = contacts.of_unit(battle, unit)
    first = min((s for s in sides), key=lambda key: (sides[key].value, list(sides).index(key)))
    mine = {t.number for t in touches if t.foe == group.foe}
    if group.foe != first:
        mine -= {t.number for t in touches if t.foe == first}
    found: dict[str, int] = {}
    for key, side in sides.items():
        if key == group.foe or (side is not sides[group.foe] and not _reaches(unit, group, side)):
            continue
        both = {t.number for t in touches if t.foe == key} & mine
        if both and battle.units[key].kind not in ("monster", "chariot"):
            found[key] = len(both)
    return found


def _reaches(unit: Unit, group: Group, side: Edge) -> bool:
    """wfb3:7.5-attack-types  Stomps reach every side, claws the flanks, tails flanks and rear."""
    profile = unit.mount if group.who == "mounts" and unit.mount is not None else unit.profile
    way = "front" if side is Edge.FRONT else "flank" if side.is_flank else "rear"
    return bool(profile.attacks) and all(way in REACH[kind] for kind, count in profile.attacks if count)

"""wfb3:6.2-procedure  A volley: everybody takes aim, the shots fly, those alike together."""

from __future__ import annotations

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.buildings import building_shooting
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.psychology import fear
from grognard.games.wfb3.shooting import aiming, missiles, targeting, volley_progress
from grognard.kernel.questions import Script


def dares(battle: Battle, unit: Unit, target: Unit, mark: Model | None = None) -> Script[bool]:
    """wfb3:10.8-shoot, wfb3:27.7-fear-charging  Whether a unit may shoot at what it fears, or at one it picks out."""
    if battle.house["revised_fear"]:
        battle.cite("wfb3:27.7-fear-charging")
        return True
    feared = fear.dread(battle, unit, target) is not None
    if mark is not None:
        feared = any(m is mark for m, _ in fear.followers(battle, unit, target))
    if feared and battle.gap(unit, target) <= fear.charge_reach(battle, target) + EPS:
        stood = yield from fear.test(battle, unit, target, "wfb3:10.8-shoot", mark)
        if not stood:
            battle.tell("shoot.afraid", "wfb3:10.8-shoot", (unit.id, mark.id if mark is not None else target.id))
            return False
    return True


def volley(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool = False, at_chargers: bool = False,
    hasty: bool = False, mark: Model | None = None, only: tuple[str, ...] | None = None,
) -> Script[int]:  # fmt: skip
    """wfb3:6.2-procedure  Everybody who can shoots; hits, wounds, saves, losses; how many wounds were inflicted."""
    salvo = yield from levelled(
        battle, unit, target, weapon, twice=twice, at_chargers=at_chargers, hasty=hasty, mark=mark, only=only
    )
    return (yield from loosed(battle, salvo))


def loosed(battle: Battle, salvo: volley_progress.Salvo) -> Script[int]:
    """All shots of a volley, those alike together.

    One from or into a house is told when all have shot: what has been seen at its openings is known then.
    """
    while salvo.going:
        yield from loose(battle, salvo)
    if salvo.rule != "wfb3:6.2-procedure":
        _told(battle, salvo)
    return salvo.wounds


def _told(battle: Battle, salvo: volley_progress.Salvo) -> None:
    battle.tell(
        "shoot.volley",
        salvo.rule,
        (salvo.unit, salvo.target),
        weapon=salvo.weapon.name,
        shots=salvo.shots,
        out_of_range=salvo.wasted,
    )


def loose(battle: Battle, salvo: volley_progress.Salvo) -> Script[None]:
    """wfb3:6.2-procedure  The next shots alike of a volley."""
    (made, count), *rest = salvo.groups
    salvo.groups = tuple(rest)
    unit, target, mark = battle.units[salvo.unit], battle.units[salvo.target], battle.models.get(salvo.mark)
    salvo.wounds += yield from missiles.resolve(battle, unit, target, salvo.weapon, made, count, mark)


def levelled(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool = False, at_chargers: bool = False,
    hasty: bool = False, mark: Model | None = None, only: tuple[str, ...] | None = None,
) -> Script[volley_progress.Salvo]:  # fmt: skip
    """wfb3:6.2.2-rear-ranks, wfb3:6.2.5-modifiers  Everybody who can takes aim: what each needs to hit."""
    yield from chariots.announce(battle, unit, target)
    if "building" in (unit.where, target.where):
        rule = "wfb3:22.2-firing-points" if unit.where == "building" else "wfb3:22.3-shoot-in"
        unit.indoors = unit.indoors.but(revealed=unit.indoors.revealed or unit.where == "building")
        through = building_shooting.shots(
            battle, unit, target, weapon, at_chargers=at_chargers, twice=twice, mark=mark, only=only
        )
        found = [(aimed.by, aimed.shot) for aimed in through]
    else:
        rule, found = (
            "wfb3:6.2-procedure",
            _shots(
                battle, unit, target, weapon, at_chargers=at_chargers, twice=twice, hasty=hasty, mark=mark, only=only
            ),
        )
    groups: dict[tuple[object, ...], tuple[aiming.Shot, int]] = {}
    for by, made in found:
        if made is not None:
            kept = groups.get((by, *made.key))
            groups[by, *made.key] = (made, (kept[1] if kept else 0) + (2 if twice else 1))
    wasted = sum(made is None for _, made in found)
    salvo = volley_progress.Salvo(unit, target, weapon, list(groups.values()), mark)
    salvo.twice, salvo.rule, salvo.wasted = twice, rule, wasted
    if rule == "wfb3:6.2-procedure":
        _told(battle, salvo)
    if wasted:
        battle.cite("wfb3:5.4.1-no-premeasure")
    battle.cite("wfb3:6.1-ranges", weapon.table, weapon.rule)
    return salvo


def _shots(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool, at_chargers: bool, hasty: bool,
    mark: Model | None, only: tuple[str, ...] | None,
) -> list[tuple[str, aiming.Shot | None]]:  # fmt: skip
    """wfb3:6.2.2-rear-ranks  The shots of all who can shoot in the open, None of those who are too far."""
    far = targeting.limit(battle, unit, target, weapon)
    return [
        (
            "",
            aiming.shot(
                battle,
                unit,
                place,
                model,
                target,
                weapon,
                at_chargers=at_chargers,
                twice=twice,
                hasty=hasty,
                limit=far or targeting.limit_of_mark(battle, target, model, mark, weapon),
                mark=mark,
            ),
        )
        for model, place in aiming.shooters(battle, unit, target)
        if weapon.name in model.kit.missiles and (only is None or model.id in only)
    ]

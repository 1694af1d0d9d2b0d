"""Whole units weighed: a round of shooting, one side's blows, a Round of Combat to its Break Tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import melee
from grognard.games.t9a.melee.initiative import Entry
from grognard.games.t9a.odds import scene
from grognard.games.t9a.odds.combat import BROKEN, DESTROYED, STANDS, Combat, Round
from grognard.games.t9a.odds.policy import Choose, chooser
from grognard.games.t9a.odds.volleys import FLEES, PANICS, PASSED, STEADY, Shooting, Volley
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds, OddsStep
from grognard.kernel.odds.weigh import Distribution, bind


def _touched(*more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for rules in more for rule in rules))


def shooting(arguments: dict[str, Any]) -> Odds:
    """t9a:14.A.a-fire, t9a:17.A  A unit's round of shooting at another."""
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = scene.shooting_range(arguments)
        unit, target = battle.units["shooter"], battle.units["target"]
    else:
        unit, target = scene.named(battle, arguments, "from"), scene.named(battle, arguments, "to")
    return volley(battle, unit, target, stand=arguments["stand"], weapon=arguments["weapon"], arguments=arguments)


def volley(
    battle: Battle, unit: Unit, target: Unit, *, stand: bool = False, weapon: str | None = None,
    arguments: dict[str, Any] | None = None,
) -> Odds:  # fmt: skip
    """t9a:14.A.a-fire, t9a:17.A  A unit's round of shooting on the table as it stands."""
    going = Shooting(battle, unit, target, chooser(battle, weapons=[weapon] if weapon else []), stand)
    found = _ranked(going.weigh(), lambda v: v.end, (STEADY, FLEES, PASSED, PANICS, DESTROYED))
    tested = found.chance(lambda v: v.end in (PASSED, PANICS))
    steps = [
        OddsStep("the target must take a Panic Test", tested, "t9a:17.A-25pct"),
        *([OddsStep("it fails the test", found.chance(_panics) / tested, "t9a:17.A")] if tested else []),
    ]
    return Odds.of(
        "shooting", found,
        parts={
            "Health Points lost": lambda v: v.lost, "models slain": lambda v: v.slain, "target": lambda v: v.end,
        },
        tests={"destroyed": lambda v: v.end == DESTROYED, "panics": _panics, "nothing lost": lambda v: v.lost == 0},
        touched=_touched(going.touched, going.weigher.touched), steps=steps, arguments=arguments,
    )  # fmt: skip


def _panics(volley: Volley) -> bool:
    return volley.end == PANICS


# ---------------------------------------------------------------------- melee


def _fighters(arguments: dict[str, Any]) -> tuple[Battle, Unit, Unit, list[Unit]]:
    """The table, the two who are asked about, and everybody in their combat."""
    battle = scene.given_battle(arguments)
    if battle is None:
        battle = scene.melee(arguments)
        one, other = battle.units["attacker"], battle.units["defender"]
    else:
        one, other = scene.named(battle, arguments, "from"), scene.named(battle, arguments, "to")
    if not any(foe.id == other.id for foe, _, _ in battle.foes(one)):
        raise BadInput("{one} and {other} do not fight each other (t9a:11.E.g)", one=one.id, other=other.id)
    group = next(units for units in melee.combats(battle) if one in units)
    return battle, one, other, group


def fighting(arguments: dict[str, Any]) -> Odds:
    """t9a:15.D.d, t9a:15.D.e  What the blows of one unit, or of one of its models, do to another in a round."""
    battle, one, other, group = _fighters(arguments)
    pools = _pools(battle, one, str(arguments["model"] or ""))

    def strikes(entry: Entry) -> bool:
        return entry.unit == one.id and entry.pool in pools

    combat = Combat(battle, group, chooser(battle, arguments["aim"], arguments["use"] or ()), strikes)
    found = combat.blows().map(lambda state: combat.toll(state, other.id)).reduced()
    return Odds.of(
        "fighting", found, parts={"Health Points lost": lambda t: t.lost, "models slain": lambda t: t.slain},
        tests={"destroyed": lambda t: t.end == DESTROYED, "nothing lost": lambda t: t.lost == 0},
        touched=_touched(combat.touched, combat.weigher.touched), arguments=arguments,
    )  # fmt: skip


def _pools(battle: Battle, unit: Unit, model: str) -> list[str]:
    """Whose blows count: the whole unit's, its Rank-and-File's, its Champion's, or those of one model by its id."""
    pools = battle.pools(unit)
    if not model:
        return pools
    wanted = {"troops": unit.id, "champion": unit.command.champion}.get(model, model)
    if wanted not in pools:
        known = ", ".join(["troops", *(["champion"] if unit.command.champion else []), *unit.guests])
        raise BadInput("{unit} has no model {model}; it has {known}", unit=unit.id, model=model, known=known)
    return [wanted]


def combat_round(arguments: dict[str, Any]) -> Odds:
    """t9a:15.D.a, t9a:15.F.a, t9a:15.G  A Round of Combat, both sides, to the Combat Score and the Break Test."""
    battle, one, other, group = _fighters(arguments)
    return fought(battle, group, one, other, chooser(battle, arguments["aim"], arguments["use"] or ()), arguments)


def fought(
    battle: Battle, group: list[Unit], one: Unit, other: Unit, choose: Choose, arguments: dict[str, Any] | None = None
) -> Odds:
    """t9a:15.D  A Round of Combat on the table as it stands, seen from one unit and an enemy of it."""
    combat = Combat(battle, group, choose)
    found = bind(combat.blows(), lambda state: combat.settled(state, one.id, other.id)).reduced()
    found = _ranked(found, lambda r: (r.end, r.enemy_end), _ENDS)
    return _told(found, arguments or {}, _touched(combat.touched, combat.weigher.touched))


_ENDS = tuple((own, enemy) for own in (STANDS, BROKEN, DESTROYED) for enemy in (STANDS, BROKEN, DESTROYED))


def _told(found: Distribution[Round], arguments: dict[str, Any], touched: tuple[str, ...]) -> Odds:
    """Everything people ask of a Round of Combat."""
    parts: dict[str, Callable[[Round], Any]] = {
        "attackers' Health Points lost": lambda r: r.lost,
        "defenders' Health Points lost": lambda r: r.enemy_lost,
        "difference of the Combat Scores": lambda r: r.margin,
        "attackers": lambda r: r.end,
        "defenders": lambda r: r.enemy_end,
    }
    tests: dict[str, Callable[[Round], bool]] = {
        "attackers win": lambda r: r.margin > 0,
        "draw": lambda r: r.margin == 0,
        "defenders win": lambda r: r.margin < 0,
        "attackers break": lambda r: r.end == BROKEN,
        "defenders break": lambda r: r.enemy_end == BROKEN,
        "attackers destroyed": lambda r: r.end == DESTROYED,
        "defenders destroyed": lambda r: r.enemy_end == DESTROYED,
    }
    won, lost = found.chance(lambda r: r.margin > 0), found.chance(lambda r: r.margin < 0)
    steps = [OddsStep("the attackers win the round", won, "t9a:15.F.a")]
    if won:
        held = found.chance(lambda r: r.margin > 0 and r.enemy_end == STANDS)
        steps.append(OddsStep("the beaten defenders hold all the same", held / won, "t9a:15.G"))
    steps.append(OddsStep("the defenders win the round", lost, "t9a:15.F.a"))
    if lost:
        held = found.chance(lambda r: r.margin < 0 and r.end == STANDS)
        steps.append(OddsStep("the beaten attackers hold all the same", held / lost, "t9a:15.G"))
    return Odds.of("combat", found, parts=parts, tests=tests, steps=steps, touched=touched, arguments=arguments)


def _ranked(found: Distribution[Any], key: Callable[[Any], Any], order: tuple[Any, ...]) -> Distribution[Any]:
    """The same outcomes, in an order people expect."""
    weights = {o: w for end in order for o, w in found.weights.items() if key(o) == end}
    return Distribution(weights, found.denominator)

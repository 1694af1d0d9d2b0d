"""The answers: from a question's arguments to a table, from the table to every course, from those to odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.odds import engines, plain, stone
from grognard.games.wfb3.odds.policy import chooser
from grognard.games.wfb3.odds.rounds import CONTACT, MOST, Fight, Progress, Toll, fallen, fate
from grognard.games.wfb3.odds.scene import Scene, scene
from grognard.games.wfb3.shooting import volleys, who_may_shoot
from grognard.games.wfb3.table import air_fights
from grognard.games.wfb3.turn import shooting
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.courses import Courses
from grognard.kernel.odds.odds import Odds, OddsStep, is_numeric
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Script

Arguments = dict[str, Any]
ENDS = (CONTACT, "too far", "afraid", "fled", "run down", "routed", "shot down")
RESULTS = ("attackers win", "drawn", "defenders win", "no fight")
FATES = ("stands", "pushed back", "routed", "destroyed")


def _ratio(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else Fraction(0)


def _ordered(odds: Odds) -> Odds:
    """The words of every part in the order people read them."""
    places = {word: place for place, word in enumerate((*ENDS, *RESULTS, *FATES))}

    def sort(part: Distribution[Any]) -> Distribution[Any]:
        words = sorted(part.weights, key=lambda value: places.get(value, 0))
        return Distribution({word: part.weights[word] for word in words}, part.denominator)

    parts = {name: part if is_numeric(part) else sort(part) for name, part in odds.parts.items()}
    return replace(odds, parts=parts)


# ---------------------------------------------------------------------- combat


def combat(arguments: Arguments) -> Odds:
    """wfb3:7.6-sequence, wfb3:7.12-score, wfb3:7.13.5-test"""
    won, rounds = arguments["won"], arguments["rounds"]
    fresh = arguments["charged"] and won == "none" and not rounds
    states: list[dict[str, Any]] = [{"rounds": max(rounds, int(won != "none"))} for _ in range(2)]
    if fresh:
        states[0]["charged"] = 0
    if won != "none":
        states[won == "defenders"]["won"] = -1
    there = scene(
        arguments, "combat", ("attacker", "defender"), own=states[0], theirs=states[1], engaged=True
    )  # fmt: skip
    aloft = there.other in air_fights.foes(there.battle, there.unit)
    if not aloft and not any(foe.id == there.other.id for foe, _, _ in there.battle.foes(there.unit)):
        raise BadInput("{one} and {other} are not in contact (wfb3:7-contact)", one=there.unit.id, other=there.other.id)
    return fought(there, arguments)


def fought(there: Scene, arguments: Arguments) -> Odds:
    """wfb3:7.6-sequence  A round between two units that are in contact."""
    weigher = _weigher({})
    fight = Fight(weigher, there.battle, there.unit, there.other)
    found = fight.aloft() if there.other in air_fights.foes(there.battle, there.unit) else fight.round()
    odds = Odds.of(
        "combat", found, touched=_touched(there.battle, weigher), steps=_round_steps(found), arguments=arguments,
        parts={
            "result": lambda toll: toll.result,
            "attackers lost": lambda toll: toll.attackers_lost,
            "defenders lost": lambda toll: toll.defenders_lost,
            "attackers": lambda toll: toll.attackers,
            "defenders": lambda toll: toll.defenders,
        },
    )  # fmt: skip
    return _ordered(odds)


def _round_steps(found: Distribution[Toll]) -> list[OddsStep]:
    wins = found.chance(lambda toll: toll.result == "attackers win")
    loses = found.chance(lambda toll: toll.result == "defenders win")
    routs = found.chance(lambda toll: toll.result == "attackers win" and toll.defenders == "routed")
    runs = found.chance(lambda toll: toll.result == "defenders win" and toll.attackers == "routed")
    return [
        OddsStep("the attackers win", wins, "wfb3:7.12-score"),
        OddsStep("beaten defenders rout", _ratio(routs, wins), "wfb3:7.13.5-test"),
        OddsStep("the defenders win", loses, "wfb3:7.12-score"),
        OddsStep("beaten attackers rout", _ratio(runs, loses), "wfb3:7.13.5-test"),
    ]


# ---------------------------------------------------------------------- charges


def charge(arguments: Arguments) -> Odds:
    """wfb3:7.1-declare, wfb3:7.2-responses, wfb3:10.8-charge"""
    there = scene(arguments, "movement", ("attacker", "defender"), own={}, theirs={})
    return charged(there, {"charge.answer": arguments["answer"]}, arguments["fight"], arguments)


def charged(there: Scene, wanted: Mapping[str, Any], fight: bool, arguments: Arguments) -> Odds:
    """wfb3:7.1-declare  A charge from where the units stand, and the first round if that is wanted."""
    weigher = _weigher(wanted)
    found = Fight(weigher, there.battle, there.unit, there.other).charge(fight=fight)
    parts: dict[str, Callable[[Any], Any]] = {"end": lambda toll: toll.end}
    if fight:
        parts["result"] = lambda toll: toll.result
    parts["attackers lost"] = lambda toll: toll.attackers_lost
    parts["defenders lost"] = lambda toll: toll.defenders_lost
    parts["attackers"] = lambda toll: toll.attackers
    parts["defenders"] = lambda toll: toll.defenders
    met = found.chance(lambda toll: toll.end == CONTACT)
    steps = [OddsStep("the charge makes contact", met, "wfb3:7.1.1-align")]
    if fight:
        wins = found.chance(lambda toll: toll.result == "attackers win")
        steps.append(OddsStep("in contact, the attackers win", _ratio(wins, met), "wfb3:7.12-score"))
    odds = Odds.of(
        "charge", found, parts=parts, touched=_touched(there.battle, weigher), steps=steps, arguments=arguments
    )
    return _ordered(odds)


# ---------------------------------------------------------------------- volleys


class Shot(NamedTuple):
    """What a volley came to: models lost by the target, by the shooters themselves, and what became of the target."""

    lost: int
    misfired: int
    target: str


def volley(arguments: Arguments) -> Odds:
    """wfb3:6.2-procedure, wfb3:8.1-shooting"""
    own: dict[str, Any] = {"moved": 0} if arguments["moved"] else {}
    if arguments.get("given") is None and arguments["shooter_missiles"] is None:
        arguments = {**arguments, "shooter_missiles": arguments["weapon"] or "bow"}
    there = scene(arguments, "shooting", ("shooter", "target"), own=own, theirs={})
    _check(there)
    wanted = {"shoot.target": there.other.id, "shoot.rate": "twice" if arguments["twice"] else "once"}
    if arguments["weapon"]:
        wanted["shoot.weapon"] = arguments["weapon"]
    return shot(there, wanted, arguments)


def shot(there: Scene, wanted: Mapping[str, Any], arguments: Arguments) -> Odds:
    """wfb3:6.2-procedure  A volley from where the units stand."""
    weigher = _weigher(wanted)
    found = Volley(weigher, there).weigh()
    parts: dict[str, Callable[[Any], Any]] = {"targets lost": lambda shot: shot.lost}
    if any(shot.misfired for shot in found.weights):
        parts["shooters lost"] = lambda shot: shot.misfired
    parts["targets"] = lambda shot: shot.target
    some = found.chance(lambda shot: shot.lost > 0)
    tests = {"at least one": lambda shot: shot.lost > 0}
    steps = [OddsStep("somebody is shot down", some, "wfb3:6.3-wounds")]
    odds = Odds.of(
        "volley", found, parts=parts, tests=tests, touched=_touched(there.battle, weigher), steps=steps,
        arguments=arguments,
    )  # fmt: skip
    return _ordered(odds)


def _check(there: Scene) -> None:
    """BadInput with the rule where the unit may not shoot at the other."""
    refusal = who_may_shoot.unit_refusal(there.battle, there.unit)
    refusal = refusal or who_may_shoot.target_refusal(there.battle, there.unit, there.other)
    if refusal is not None:
        raise BadInput(
            "{unit} cannot shoot at {target} ({rule})",
            unit=there.unit.id, target=there.other.id, rule=refusal.rule,
        )  # fmt: skip


class Volley:
    """wfb3:6.2-procedure, wfb3:8.1-shooting  A unit's volley at another, and the test of those who lost a quarter."""

    def __init__(self, weigher: Weigher, there: Scene) -> None:
        self.unit = there.unit.id
        self.target = there.other.id
        self.models = there.other.models, there.unit.models
        self.start = Courses.of(weigher, there.battle, Progress())

    def weigh(self) -> Distribution[Shot]:
        return self.start.then(self._ready).while_(_going, self._loose).then(self._finish).end(self._settle)

    def _ready(self, battle: Battle, now: Progress) -> Script[Progress]:
        now.salvo = yield from shooting.readied(battle, battle.units[self.unit])
        return now

    def _loose(self, battle: Battle, now: Progress) -> Script[Progress]:
        assert now.salvo is not None
        yield from volleys.loose(battle, now.salvo)
        return now

    def _finish(self, battle: Battle, now: Progress) -> Script[Progress]:
        if now.salvo is not None:
            yield from shooting.finished(battle, now.salvo)
        now.salvo = None
        return now

    def _settle(self, battle: Battle, now: Progress) -> Script[Shot]:
        yield from shooting.aftermath(battle)
        lost, misfired = (fallen(battle, models) for models in self.models)
        return Shot(lost, misfired, fate(battle, battle.units[self.target]))


# ---------------------------------------------------------------------- war machines


def machine(arguments: Arguments) -> Odds:
    """wfb3:19.6-fire, wfb3:19.7-scatter, wfb3:19.8-line, wfb3:19.9-fire, wfb3:8.1-shooting"""
    there = engines.emplacement(arguments)
    weigher = _weigher(engines.aimed(there.target.id))
    found = engines.Fire(weigher, there).weigh()
    parts: dict[str, Callable[[Any], Any]] = {"targets lost": lambda burst: burst.lost}
    if any(burst.crew for burst in found.weights):
        parts["crew lost"] = lambda burst: burst.crew
    parts["targets"] = lambda burst: burst.target
    if any(burst.machine != "ready" for burst in found.weights):
        parts["machine"] = lambda burst: burst.machine
    some = found.chance(lambda burst: burst.lost > 0)
    odds = Odds.of(
        "machine", found, parts=parts, tests={"at least one": lambda burst: burst.lost > 0},
        touched=_touched(there.battle, weigher), arguments=arguments,
        steps=[OddsStep("somebody is shot down", some, "wfb3:19.1-multi-wound")],
    )  # fmt: skip
    return _ordered(odds)


def _going(now: Progress) -> bool:
    return now.salvo is not None and now.salvo.going


def _weigher(wanted: Mapping[str, Any]) -> Weigher:
    return Weigher(chooser(wanted), MOST)


def _touched(battle: Battle, weigher: Weigher) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*battle.cited, *weigher.touched]))


ANSWERS: dict[str, Callable[[Arguments], Odds]] = {
    "shooting": plain.shooting, "blows": plain.blows, "volley": volley, "combat": combat, "charge": charge,
    "machine": machine, "stone": stone.weigh,
}  # fmt: skip

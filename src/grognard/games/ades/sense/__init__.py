"""A sound beginner's sense of the game: what an answer looks worth at a glance, and who stands better.

It sees what everyone at the table sees, asks the battle's own questions, and rolls nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.odds import fights as odds_fights
from grognard.games.ades.rolls import stats
from grognard.games.ades.scenarios import scenarios, tokens
from grognard.games.ades.shooting import shot_numbers
from grognard.kernel.questions import Number, Order, Pick, Place, Question, Split
from grognard.kernel.screen.sense import glance

Opinion = Callable[[Battle, Any, Any], float]


def score(battle: Battle, question: Question, answer: Any) -> float | None:
    """How good an answer looks at a glance."""
    return glance(battle, question, answer, place=_place, opinions=OPINIONS, usual=_usual)


def value(battle: Battle, seat: str) -> float:
    """ades:9.1.6-end  How well a side stands: scenario points, and what is left of the fighters."""
    other = battle.other(seat)
    ours, theirs = (sum(_standing(f) for f in battle.fighters.values() if f.seat == s) for s in (seat, other))
    lead = battle.sides[seat].ps - battle.sides[other].ps
    return max(-1.0, min(1.0, 0.5 * (ours - theirs) / (ours + theirs + 1.0) + 0.1 * lead))


def _standing(fighter: Fighter) -> float:
    if not fighter.alive:
        return 0.0
    return fighter.val * (0.4 + 0.6 * fighter.pv / fighter.profile.pv) * (0.7 if fighter.fear.routed else 1.0)


# ---------------------------------------------------------------------- places


def _place(battle: Battle, question: Place, name: str | None) -> float:
    if name is None:
        return 0.05
    kind, _, what = name.partition(":")
    if kind == "contact":
        return 2.0 - 0.1 * int(what.rpartition(":")[2])
    if question.name in ("deploy", "recall.place"):
        return _forward(battle, question, name)
    if question.name != "move":
        return 0.5
    return _going(battle, battle.fighters[question.about[0]], kind, what)


def _forward(battle: Battle, question: Place, name: str) -> float:
    """Near the middle of the table, crews beside their weapons."""
    x, y = getattr(question.judge, "anchors", {}).get(name, (0.0, 0.0))
    away = abs(x - battle.table.width / 2) + 2 * abs(y - battle.table.height / 2)
    return 2.0 if name.startswith("crew") else 1.0 - float(away) / (3 * battle.table.height)


def _going(battle: Battle, fighter: Fighter, kind: str, what: str) -> float:
    """Where a fighter goes: to what scores, or toward those it can fight."""
    shoots = bool(fighter.profile.weapons)
    if kind == "to":
        thing = battle.things[what]
        if thing.kind == "token":
            return 0.4 if thing.bearer or tokens.carried(battle, fighter) else 2.2
        held = sum(f.val for f in battle.army(fighter.seat) if scenarios.in_zone(battle, f, thing) and f is not fighter)
        return 2.0 - 0.01 * held
    if kind == "hold":
        on_goal = any(scenarios.in_zone(battle, fighter, t) for t in battle.things_of("objective"))
        return 1.6 if on_goal or shoots else 0.1
    if kind == "toward":
        foe = battle.fighters[what]
        near = battle.gap(fighter, foe) / (battle.table.height + 1.0)
        return (1.2 if shoots else 1.8) - 0.3 * near + 0.2 * _edge(battle, fighter, foe)
    return 0.3 if kind in ("up", "down") else 0.2


# ---------------------------------------------------------------------- fights


def _edge(battle: Battle, one: Fighter, two: Fighter) -> float:
    """How much better one fights than another, about -2 to 2."""
    first, second = _side(battle, one, 1), _side(battle, two, 1)
    return odds_fights.one_blow(first, second) - odds_fights.one_blow(second, first)


def _prey(battle: Battle, question: Pick, answer: Any) -> float:
    """Weak, valuable and hurt targets first."""
    if answer is None:
        return 0.0
    key = answer.partition(":")[2] if isinstance(answer, str) and answer.startswith("engage:") else answer
    foe = battle.fighters.get(key)
    if foe is None:
        return 0.4 if answer in ("walk", "run") else 0.2
    mine = battle.fighters.get(question.about[0]) if question.about else None
    edge = _edge(battle, mine, foe) if mine is not None else 0.0
    return 1.0 + foe.val / 100 + 0.2 * (foe.profile.pv - foe.pv) + 0.5 * edge


def _attack(battle: Battle, question: Number, answer: Any) -> float:
    """The sharing of dice that serves best against one foe; half and half against several."""
    fighter = battle.fighters[question.about[0]]
    foes = [battle.fighters[key] for key in question.data.get("foes", ())]
    dice = int(question.high)
    if len(foes) != 1 or not 0 < dice <= 4:
        return -abs(float(answer) - (dice + 1) // 2)
    one, two = _side(battle, fighter, dice), _side(battle, foes[0], 2)
    return float(min(odds_fights.worth(one, two, odds_fights.outcome(one, two, int(answer), b)) for b in (1, 2)))


def _side(battle: Battle, fighter: Fighter, dice: int) -> odds_fights.Side:
    att, defence, force, res = (int(stats.value(battle, fighter, s)) for s in ("ATT", "DEF", "FOR", "RES"))
    return odds_fights.Side(att, defence, force, res, max(1, fighter.pv), dice)


# ---------------------------------------------------------------------- actions

WORTH = {
    "steam": 9.0, "spend": 8.5, "nexus": 8.0, "power": 7.5, "cry": 7.0, "seize": 6.5, "seize-complex": 6.4,
    "fire-machine": 6.3, "artillery": 6.2, "cast": 6.0, "harass": 5.8, "shoot": 5.6, "breath": 5.5, "aim": 5.0,
    "run": 3.2, "walk": 3.0, "engage": 2.0, "trap": 1.5, "disengage": 0.5, "dodge": 0.4, "gift": -1.0, "drop": -1.0,
    "end": 0.0,
}  # fmt: skip


def _act(battle: Battle, question: Pick, answer: Any) -> float:
    """Shoot and cast what one can, charge where the odds are good, otherwise go where it matters."""
    fighter = battle.fighters[question.about[0]]
    if answer in ("charge", "engage"):
        far = assault.way(battle, fighter, answer).budget(battle.pose(fighter).level)
        near = [f for f in battle.enemies(fighter) if not f.hidden and battle.gap(fighter, f) <= far]
        best = max((_edge(battle, fighter, f) for f in near), default=-1.0)
        if battle.sides[fighter.seat].commander == fighter.id:
            best -= 1.0  # ades:5.2-no-pt  a Commander is not risked lightly
        return 4.0 + 2 * best + (0.5 if answer == "charge" else 0.0)
    if answer in ("shoot", "aim", "harass") and not _within_range(battle, fighter):
        return -0.5
    if answer == "walk" and any(scenarios.in_zone(battle, fighter, t) for t in battle.things_of("objective")):
        return -0.5
    if answer == "run" and (fighter.profile.weapons or _on_goal(battle, fighter)):
        return -0.5
    return WORTH.get(str(answer), -0.5)


def _within_range(battle: Battle, fighter: Fighter) -> bool:
    """ades:4.2.5.2-difficulty  Whether anybody is near enough to be hit at all."""
    return any(_hittable(battle, fighter, foe) for foe in battle.enemies(fighter))


def _hittable(battle: Battle, shooter: Fighter, foe: Fighter) -> bool:
    """ades:4.2.5.2-difficulty  Whether somebody is near enough for one of a fighter's weapons."""
    far = battle.gap(shooter, foe)
    return any(shot_numbers.difficulty(battle, weapon, far) is not None for weapon in shooter.profile.weapons)


def _mark(battle: Battle, question: Pick, answer: Any) -> float:
    """Whom to shoot at: nobody who is too far away to be hit."""
    shooter, foe = battle.fighters[question.about[0]], battle.fighters.get(answer)
    if foe is not None and shooter.profile.weapons and not _hittable(battle, shooter, foe):
        return -1.0
    return _prey(battle, question, answer)


def _on_goal(battle: Battle, fighter: Fighter) -> bool:
    return any(scenarios.in_zone(battle, fighter, t) for t in battle.things_of("objective"))


def _speak(battle: Battle, question: Pick, answer: Any) -> float:
    if answer in battle.cards:
        return 1.0 + 0.001 * sum(battle.fighters[key].val for key in battle.cards[answer].fighters)
    return {"refuse": 0.5}.get(str(answer), -1.0)


def _one_by_one(battle: Battle, question: Pick, answer: Any) -> float:
    return 1.0 / len(answer) if isinstance(answer, list) and answer else 1.0


def _yes(battle: Battle, question: Question, answer: Any) -> float:
    return 0.0 if answer is None else 1.0


def _no(battle: Battle, question: Question, answer: Any) -> float:
    return 1.0 if answer is None else 0.0


def _stays(battle: Battle, question: Pick, answer: Any) -> float:
    """Everybody helps."""
    return -float(len(answer)) if isinstance(answer, list) else 0.0 if answer is None else -1.0


def _low(battle: Battle, question: Number, answer: Any) -> float:
    return -float(answer)


def _high(battle: Battle, question: Question, answer: Any) -> float:
    if isinstance(answer, dict):
        return float(sum(answer.values()))
    return float(answer)


def _one_extra(battle: Battle, question: Number, answer: Any) -> float:
    return -abs(float(answer) - 1)


def _keep(battle: Battle, question: Pick, answer: Any) -> float:
    """The face that serves whoever keeps it: high for the striker, low for the struck."""
    faces = {o.key: o.value for o in question.options}
    struck = battle.fighters.get(question.data["target"])
    return -float(faces[answer]) if struck is not None and struck.seat == question.seat else float(faces[answer])


def _usual(question: Question, answer: Any) -> float:
    """Where there is no better idea: take what is offered first, share out all, in the order given."""
    if isinstance(question, Number):
        return -abs(float(answer) - question.low)
    if isinstance(question, Split):
        return float(sum(answer.values()))
    if isinstance(question, Order):
        return 1.0 if list(answer) == [o.key for o in question.options] else 0.0
    if answer is None or answer == []:
        return 0.2
    keys = [o.key for o in getattr(question, "options", ())]
    first = answer[0] if isinstance(answer, list) else answer
    return 1.0 - 0.01 * keys.index(first) if first in keys else 0.5


OPINIONS: dict[str, Opinion] = {
    "speak": _speak, "activate": _one_by_one, "act": _act, "assault.target": _prey, "shot.target": _mark,
    "cast.target": _yes, "pursuit": _prey, "assault.continue": _prey, "breath.target": _prey, "power.target": _prey,
    "nexus.target": _prey, "fight.attack": _attack, "fight.master": _low, "fight.fury": _no, "charge.strength": _no,
    "cast.extra": _one_extra, "cast.level": _high, "counter.extra": _one_extra, "reroll": _yes, "damage.reroll": _yes,
    "damage.keep": _keep, "token.where": _yes, "machine.stay": _stays, "crew.without": _stays,
    "points": _high, "fight.counter": _high, "fight.resolution": _high, "cover": _yes, "intercept": _yes,
    "titan.cancel": _no, "vigilance.react": _no, "force": _no, "steam.react": _yes, "token.drop": _no,
    "deploy.aboard": _no, "embark": _no, "gift.pv": _low, "fight.scenery": _low, "upkeep": _yes, "counter.who": _yes,
    "shot.reload": _yes, "fight.feint": _yes, "siege": _yes, "fight.steal": _yes,
}  # fmt: skip

"""Chapter 3.3, 9.1.6, 9.2.9, 9.2.10  Scenario points, and how a game ends."""

from __future__ import annotations

from typing import Any

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.scenarios import scenarios
from grognard.kernel.citing import cites


class GameOver(Exception):
    """The game is decided; the outcome stands in the battle."""


def finish(battle: Battle, winner: str | None, why: str, rule: str) -> None:
    score = {seat: side.ps for seat, side in battle.sides.items()}
    battle.outcome = {"winner": winner, "why": why, "rule": rule, "score": score}
    raise GameOver


def award(battle: Battle, gains: dict[str, int], rule: str, what: str) -> None:
    """ades:9.1.6-tie, ades:9.1.6-victory  Scenario points, then whether somebody has enough."""
    for seat, ps in gains.items():
        if ps and not battle.sides[seat].conceded:
            battle.sides[seat].ps += ps
            battle.tell("ps", rule, (seat,), gained=ps, now=battle.sides[seat].ps, objective=what)
    reached(battle)


def reached(battle: Battle) -> None:
    """ades:9.1.6-victory, ades:3.3-victory  Whoever first has the points wins at once; both at once is a draw."""
    goal = scenarios.threshold(battle)
    if not goal:
        return
    there = [seat for seat, side in battle.sides.items() if side.ps >= goal]
    if there:
        battle.cite("ades:3.3-victory", "ades:3.3")
        finish(battle, there[0] if len(there) == 1 else None, "over.victory", "ades:9.1.6-victory")


@cites
def compare(battle: Battle, why: str, rule: str) -> None:
    """ades:9.1.6-end  Most scenario points; equal is a draw."""
    first, second = (battle.sides[seat].ps for seat in battle.seats)
    winner = None if first == second else battle.seats[0] if first > second else battle.seats[1]
    finish(battle, winner, why, rule)


@cites
def end_of_turn(battle: Battle) -> None:
    """ades:3.3  What may end a game at the end of a turn: a side wiped out (ades:3.3-wipeout, ades:9.2.10) or given up
    (ades:3.3-concede), or the last turn over (ades:3.3-turns).

    Ruling: fighters who might still be recalled are eliminated like any others.
    """
    gone = [seat for seat in battle.seats if not any(f.alive for f in battle.fighters.values() if f.seat == seat)]
    quitter = next((seat for seat in battle.seats if battle.sides[seat].conceded), None)
    if quitter is not None:
        other = battle.sides[battle.other(quitter)]
        other.ps = max(other.ps, scenarios.threshold(battle))
        battle.cite("ades:9.2.9")
        compare(battle, "over.conceded", "ades:3.3-concede")
    if gone:
        battle.cite("ades:9.2.10", "ades:3.3-wipeout")
        scenarios.final_scores(battle)
        compare(battle, "over.wipeout", "ades:9.2.10")
    if battle.turn >= battle.turns:
        battle.cite("ades:3.3-turns")
        scenarios.final_scores(battle)
        compare(battle, "over.turns", "ades:3.3-turns")


def check_time(battle: Battle, phase: str) -> None:
    """ades:3.3-time  Ruling: time is counted in speech turns and combats, as agreed before the game."""
    limit = battle.house["time_limit"]
    if limit and battle.clock >= limit and battle.turn > 0:
        battle.cite("ades:3.3")
        compare(battle, "over.time", "ades:3.3-time")


def out_of_time(battle: Battle) -> bool:
    limit = battle.house["time_limit"]
    return bool(limit) and battle.clock >= limit


def after_elimination(battle: Battle, fallen: Fighter, killers: list[Fighter]) -> None:
    """ades:9.1.6-final, ades:9.2.3-kill  Objectives that are scored when somebody falls."""
    gains: dict[str, int] = {}
    for goal in scenarios.objectives(battle):
        if (
            goal.kind == "commander"
            and fallen.seat in battle.sides
            and battle.sides[fallen.seat].commander == fallen.id
        ):
            gains[battle.other(fallen.seat)] = gains.get(battle.other(fallen.seat), 0) + goal.ps
        if goal.kind == "neutral" and fallen.seat not in battle.sides:
            if len({k.seat for k in killers}) > 1:
                battle.cite("ades:9.2.3-kill")
            for seat in dict.fromkeys(k.seat for k in killers if k.seat in battle.sides):
                gains[seat] = gains.get(seat, 0) + goal.ps
    if gains:
        award(battle, gains, "ades:9.1.6-final", "objective.fallen")


def after_destruction(battle: Battle, thing: Thing, seat: str) -> None:
    """ades:9.1.6-final  Objectives that are scored when scenery is destroyed."""
    for goal in scenarios.objectives(battle):
        if goal.kind == "destroy" and thing.id == goal.thing and seat in battle.sides and seat == goal.seat_of(battle):
            award(battle, {seat: goal.ps}, "ades:9.1.6-final", "objective.destroyed")


def told(outcome: dict[str, Any]) -> dict[str, Any]:
    return {key: fact for key, fact in outcome.items() if key != "rule"}

"""Chapter 3: the Command phase: command points, then Battle-shock."""

from __future__ import annotations

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.mission import mission, objectives
from grognard.games.wh40k.rolls import random_values, rerolls, steps
from grognard.kernel.citing import cites
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally

BRAVERY = "wh40k:13.2.4-insane-bravery"


def gain(battle: Battle, seat: str, number: int, rule: str, *, automatic: bool = False) -> None:
    """wh40k:3.2.1-gain, wh40k:3.2.2-cap  Beyond the automatic gain at most 1 CP a round."""
    side = battle.sides[seat]
    if not automatic:
        number = max(0, min(number, 1 - side.cp_extra))
        side.cp_extra += number
        battle.cite("wh40k:3.2.2-cap")
    side.cp += number
    battle.tell("cp.gained", rule, (seat,), number=number, cp=side.cp)


@cites
def begin(battle: Battle) -> None:
    """wh40k:3.1-steps, wh40k:3.2.1-gain, wh40k:3.2.4-other  Both players gain 1 CP.

    wh40k:3.3.3-duration  The active player's units recover.
    """
    for seat in battle.seats:
        gain(battle, seat, 1, "wh40k:3.2.1-gain", automatic=True)
    for unit in battle.units.values():
        if unit.seat == battle.active and unit.shocked:
            unit.shocked = False
            battle.tell("shock.over", "wh40k:3.3.3-duration", (unit.id,))


@cites
def phase(battle: Battle) -> Script[None]:
    """wh40k:3.3.1-who  Every unit on the battlefield below half-strength tests.

    wh40k:1.15.1-in-battle  In any order. wh40k:23.23-shock-embarked  Nobody aboard does.
    """
    if battle.army(battle.active, "embarked"):
        battle.cite("wh40k:23.23-shock-embarked")
    while True:
        waiting = [u for u in battle.army(battle.active) if u.id not in battle.queue and battle.below_half(u)]
        if not waiting:
            return
        several = len(waiting) > 1
        battle.cite(*(["wh40k:1.15.1-in-battle"] if several else []))
        options = [option(u.id, u, about=u.named) for u in waiting]
        chosen = yield Pick(
            battle.active, "shock.unit", options, optional=several, aside=several, rule="wh40k:3.3.1-who",
            checkpoint=True,
        )  # fmt: skip
        unit = chosen or waiting[0]
        battle.queue = (*battle.queue, unit.id)
        yield from test(battle, unit)


def close(battle: Battle) -> Script[None]:
    """wh40k:23.46-control-order  Control first, then the score."""
    yield from objectives.settle(battle)
    mission.score(battle)


def leadership(battle: Battle, unit: Unit) -> Tally:
    """wh40k:11.1.5-ld  The best Leadership in a unit: the lowest."""
    return Tally(min(m.profile.Ld for m in battle.members(unit)), "Ld", "wh40k:11.1.5-ld")


def _resolve(battle: Battle, unit: Unit) -> Script[Tally]:
    """wh40k:11.4.3-random-other  The best Leadership: one that is rolled is rolled for each test, model by model."""
    found = []
    for model in battle.members(unit):
        dice = model.profile.rolled("Ld")
        number = model.profile.Ld
        if dice is not None:
            who = rerolls.Roller(unit.seat, (model.id,))
            number = yield from random_values.rolled(battle, who, "leadership", dice)
        found.append(number)
    return Tally(min(found), "Ld", "wh40k:11.1.5-ld")


@cites
def test(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:3.3.1-who, wh40k:3.3.2-test, wh40k:11.4.1-leadership-test, wh40k:1.12.1-d6
    2D6 of at least the best Leadership.

    wh40k:13.2.4-insane-bravery  Or a Stratagem.
    """
    need = yield from _resolve(battle, unit)
    if (yield from steps.shock(rerolls.Roller(unit.seat, (unit.id,)), need)):
        battle.tell("shock.passed", "wh40k:3.3.2-test", (unit.id,))
        return
    why = stratagems.refusal(battle, unit.seat, "insane-bravery", unit)
    if stratagems.sought(battle, why):
        options = [option("use", text="option.use")] if why is None else []
        brave = yield Pick(
            unit.seat, "insane-bravery", options, optional=True, barred=None if why is None else {"use": why},
            rule=BRAVERY, about=(unit.id,), aside=True, notes=(stratagems.note("insane-bravery"),),
        )  # fmt: skip
        if brave is not None:
            stratagems.pay(battle, unit.seat, "insane-bravery", unit.id)
            battle.tell("shock.passed", BRAVERY, (unit.id,))
            return
    unit.shocked = True
    battle.cite("wh40k:3.3.3-duration")
    battle.tell("shock.failed", "wh40k:3.3.2-test", (unit.id,))

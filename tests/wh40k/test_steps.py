"""The attack sequence as steps: the same functions rolled and weighed."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.wh40k.army.amounts import Amount, amount
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.rerolls import Roller
from grognard.games.wh40k.rolls.steps import Attack, Save
from grognard.kernel.odds.weigh import Distribution, Weigher, mix
from grognard.kernel.questions import Pick, Script
from grognard.kernel.words.tally import Tally

ANY = "wh40k:7.1-sequence"


def plain(value: int) -> Tally:
    return Tally(value, "number", ANY)


def attack(**more: Any) -> Attack:
    return Attack(Roller("red"), plain(3), plain(0), plain(4), plain(0), **more)


@pytest.mark.parametrize(
    ("strength", "toughness", "need"), [(8, 4, 2), (7, 4, 3), (4, 4, 4), (3, 4, 5), (2, 4, 6), (3, 5, 5), (5, 3, 3)]
)
def test_the_wound_table(strength: int, toughness: int, need: int) -> None:
    assert steps.wound_need(strength, toughness).value == need


@pytest.mark.parametrize("written", ["3", "D6", "2D6", "D3+1", "D6+3"])
def test_amounts_read_as_written(written: str) -> None:
    assert str(amount(written)) == written


def test_a_modifier_makes_no_critical() -> None:
    made = Weigher().run(lambda: steps.hits(Attack(Roller("red"), plain(3), plain(1), plain(4), plain(0)), 1))
    assert float(made.chance(lambda hit: hit.hits == 1)) == pytest.approx(5 / 6)
    assert float(made.chance(lambda hit: hit.criticals == 1)) == pytest.approx(1 / 6)


Squad = tuple[int, int]  # models left, wounds of the first


def one_attack(a: Attack, squad: Squad) -> Script[Squad]:
    """One whole attack on five three-wound models, from the battle's own steps."""
    if not squad[0]:
        return squad
    hit = yield from steps.hits(a, 1)
    landed = yield from steps.wounds(a, hit.hits)
    for _ in range(hit.wounds + landed.wounds + landed.critical):
        saved, _ = yield from steps.save(Roller("blue"), Save("armour", plain(4), plain(0)))
        if saved or not squad[0]:
            continue
        damage, _ = yield from rerolls.total(Roller("red"), "damage", Amount(1, 6, 1), ANY)
        lost = yield from steps.feel_no_pain(Roller("blue"), damage, 5)
        left = steps.suffer(squad[1], lost)
        squad = (squad[0], left) if left else (squad[0] - 1, 3 if squad[0] > 1 else 0)
    return squad


def test_the_reference_odds() -> None:
    """2D6+6 attacks, 3+, Sustained Hits 1, Lethal Hits, 4+, save 4+, D6+1, Feel No Pain 5+; five 3-wound models."""
    a = attack(sustained=Amount(0, 6, 1), sustained_rule=ANY, lethal=ANY)
    weigher = Weigher()
    memo: dict[Squad, Distribution[Squad]] = {}
    counts = weigher.run(lambda: rerolls.total(Roller("red"), "attacks", amount("2D6+6"), ANY)).map(
        lambda made: made[0]
    )
    start = Distribution.certain((5, 3))
    parts = [(share, weigher.chain(start, lambda s: one_attack(a, s), int(count), memo)) for count, share in counts]
    slain = mix(parts).map(lambda squad: 5 - squad[0])
    want = {0: 0.10290, 1: 0.25376, 2: 0.27979, 3: 0.19790, 4: 0.10312, 5: 0.06253}
    assert {n: float(slain.probability(n)) for n in want} == pytest.approx(want, abs=6e-6)


@pytest.mark.parametrize(("faces", "idle"), [((3, 6), True), ((3, 2), False)])
def test_a_command_reroll_of_nothing_but_successes_is_idle(faces: tuple[int, int], idle: bool) -> None:
    """wh40k:13.2.1-command-reroll  Any die may be re-rolled; nobody is bothered where all of them are good."""
    script = rerolls.dice(Roller("red", command=True), "hit", 2, ANY, need=3, worth=lambda face: face < 3)
    next(script)
    question = script.send(faces)
    assert isinstance(question, Pick) and question.name == "reroll.command"
    assert [o.key for o in question.options] == ["1", "2"]
    assert question.idle is idle

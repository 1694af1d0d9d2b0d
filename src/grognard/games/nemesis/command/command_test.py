"""nemesis:11  The command test: who activates first."""

from __future__ import annotations

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.rolls import rerolls
from grognard.games.nemesis.rolls.steps import D10
from grognard.kernel.questions import Pick, Roll, Script, option
from grognard.kernel.words.tally import Tally


def rank(battle: Battle) -> Script[None]:
    """nemesis:11  1D10 + the command points of one's heroes on the table; the highest activates first.

    nemesis:X.8-army-gone  Ruling: of several sides one that has nobody left rolls no more.
    """
    here = [seat for seat in battle.seats if not battle.sides[seat].gone]
    yield from _deceptions(battle, here)
    totals = dict.fromkeys(here, 0.0)
    ranked = yield from _contest(battle, here, totals)
    battle.order = (*ranked, *(seat for seat in battle.seats if seat not in here))
    battle.tell("command.order", "nemesis:11", ranked, order=ranked, totals=totals)
    for side in battle.sides.values():
        side.initiative_bonus = 0


def _deceptions(battle: Battle, seats: list[str]) -> Script[None]:
    """nemesis:A2.C.1-deception  Whoever has deceived may add 1; he does, unless he says otherwise."""
    rule = "nemesis:A2.C.1-deception"
    for seat in [s for s in seats if battle.sides[s].initiative_bonus]:
        options = [option("waive", text="option.deception.waive")]
        if (yield Pick(seat, "deception", options, optional=True, aside=True, rule=rule, about=(seat,))) is not None:
            battle.sides[seat].initiative_bonus = 0


def _contest(battle: Battle, seats: list[str], totals: dict[str, float]) -> Script[list[str]]:
    """nemesis:11, nemesis:5.1-PC  Ruling: ties are re-rolled between the tied; others act in descending order."""
    for seat in seats:
        plus = Tally(0, "command points", "nemesis:11")
        for hero in battle.heroes(seat):
            plus.add(hero.card.PC, hero.id, "nemesis:5.1-PC")
        plus.add(battle.sides[seat].initiative_bonus, "deception", "nemesis:A2.C.1-deception")
        (face,) = yield from rerolls.heed(battle, _command_die(seat, plus))
        totals[seat] = face + plus.value
        battle.sides[seat].initiative = int(totals[seat])
    ranked: list[str] = []
    reached = {seat: totals[seat] for seat in seats}
    for total in sorted(set(reached.values()), reverse=True):
        tied = [seat for seat in seats if reached[seat] == total]
        if len(tied) > 1:
            battle.tell("command.tie", "nemesis:11", tied, total=total)
            tied = yield from _contest(battle, tied, totals)
        ranked.extend(tied)
    return ranked


def _command_die(seat: str, plus: Tally) -> Script[tuple[int, ...]]:
    faces: tuple[int, ...] = yield Roll(
        seat, "command.test", D10, rule="nemesis:11", about=(seat,), plus=plus, sense="value"
    )
    return faces

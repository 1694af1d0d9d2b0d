"""Chapters 10.5, 15.3: frenzy."""

from __future__ import annotations

from grognard.games.wfb3.abilities.psychology import Frenzy, ImmuneToPsychology
from grognard.games.wfb3.abilities.troops import Berserker
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.rolls import stats, tests
from grognard.games.wfb3.table import seating, sections
from grognard.kernel.questions import Option, Pick, Script


def test(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:10.5-test, wfb3:10.5-leader, wfb3:15.3-frenzy  Before blows: more than its Cl makes a unit frenzied."""
    if unit.minds.frenzied or unit.rout.routed:
        return
    if battle.trait(unit, Berserker) is not None or unit.troops.were_of:
        unit.minds = unit.minds.but(frenzied=True)
        rule = "wfb3:15.9-frenzy" if unit.troops.were_of else "wfb3:15.3-frenzy"
        battle.tell("frenzied", rule, (unit.id,))
        seating.unwall(battle, unit)
        return
    if battle.trait(unit, Frenzy) is None or battle.trait(unit, ImmuneToPsychology) is not None:
        return
    value = stats.mental(battle, unit, "Cl", "frenzy")
    bonus = stats.leader_bonus(battle.leader(unit), "Cl")
    if bonus and unit.kind != "character":
        lent = sum(c.amount for c in value.changes if c.rule == "wfb3:11.1.2-leader-bonus")
        cut = next((c.amount for c in value.changes if c.rule == "wfb3:14.6.5-bonus-cap"), None)
        if cut is not None:
            lent = max(0, int(cut - value.changes[0].amount))
        options = [
            Option("add", 0, "option.frenzy.add"), Option("subtract", int(lent) + bonus, "option.frenzy.subtract"),
        ]  # fmt: skip
        less = yield Pick(unit.seat, "frenzy.leader", options, rule="wfb3:10.5-leader", about=(unit.id,))
        value.add(-less, "leader", "wfb3:10.5-leader")
    calm = yield from tests.against(battle, unit, value, "test.frenzy", "wfb3:10.5-test", (foe.id,))
    if not calm:
        unit.minds = unit.minds.but(frenzied=True)
        battle.tell("frenzied", "wfb3:10.5-test", (unit.id,))
        seating.unwall(battle, unit)


def cool_down(battle: Battle) -> None:
    """wfb3:10.5-duration  Frenzy lasts while there is contact; berserkers stay so."""
    for unit in [*battle.here(), *sections.inside(battle)]:
        if (
            unit.minds.frenzied
            and not battle.engaged(unit)
            and not unit.rout.pursuing
            and battle.trait(unit, Berserker) is None
        ):
            unit.minds = unit.minds.but(frenzied=False)
            battle.tell("calmed", "wfb3:10.5-duration", (unit.id,))

"""wfb3:7.6-sequence  One round of a combat, from the challenges to its result."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.charge import wedge
from grognard.games.wfb3.chariots import chariot_damage, chariots
from grognard.games.wfb3.combat import blows, casualties, challenges, indoor_blows, overlap, pistols, results, separate
from grognard.games.wfb3.combat.blows_progress import Clash
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.fire import fire_missiles
from grognard.games.wfb3.forces import PRESENT, Unit
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.psychology import stupidity
from grognard.games.wfb3.rolls import arms
from grognard.games.wfb3.table import contacts
from grognard.games.wfb3.troops import packs
from grognard.kernel.questions import Script


def fight_round(battle: Battle, fight: Sequence[Unit]) -> Script[None]:
    """wfb3:7.6-sequence  Challenges, blows in order of initiative, the result."""
    clash = yield from opening(battle, fight)
    while clash.going:
        yield from blows.exchange(battle, clash)
    yield from ending(battle, clash)


def opening(battle: Battle, fight: Sequence[Unit]) -> Script[Clash]:
    """wfb3:7.6-sequence  Everything before the blows; fights of spearheads are over with it."""
    units = [u for u in fight if u.where in PRESENT]
    for unit in units:
        yield from packs.before_round(battle, unit)
    score = Score(units)
    done = Clash(units, score, ())
    done.over = True
    if any(u.where == "building" for u in units):
        return (yield from indoor_blows.opening(battle, units))
    yield from challenges.issue(battle, units)
    for unit in units:
        yield from arms.choose(battle, unit)
        yield from pistols.choose(battle, unit)
        yield from stupidity.before_blows(battle, unit)
        yield from monsters.choose_shots(battle, unit)
    results.note_ranks(battle, units, score)
    if (spear := wedge.ready(battle, units)) is not None:
        yield from wedge.fight(battle, *spear, score)
        return done
    for key, wounds in (yield from chariots.impact(battle, units)).items():
        score.wounds[key] += wounds
    return blows.gathered(battle, units, score)


def ending(battle: Battle, clash: Clash) -> Script[None]:
    """Chapters 7.12, 7.13: everything after the blows: the result and what comes of it."""
    if clash.over:
        return
    units, score = [battle.units[key] for key in clash.units], clash.score
    if clash.inside:
        yield from indoor_blows.ending(battle, units, clash)
        return
    yield from fire_missiles.after_blows(battle, units, score.wounds)
    yield from challenges.cornered(battle, units, score)
    yield from chariot_damage.in_fight(battle, units, score)
    casualties.note_gaps(battle, clash.before)
    contacts.close_up(battle)
    overlap.tidy(battle)
    yield from separate.conclude(battle, units, score)
    challenges.clear(battle, units)
    pistols.spent(battle, units)

"""wfb3:20.8.5-on-foot  Crews that fight on foot beside their chariots have a combat result of their own."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.combat import results
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import Unit
from grognard.kernel.questions import Script


def conclude(battle: Battle, units: Sequence[Unit], score: Score) -> Script[None]:
    """wfb3:20.8.5-on-foot  The result of a fight; of two fights, where crews on foot fight beside their chariots."""
    crews = [u for u in units if _on_foot(u, units)]
    if not crews:
        yield from results.conclude(battle, units, score)
        return
    battle.cite("wfb3:20.8.5-on-foot")
    foes = [u for u in units if any(f.id == u.id for c in crews for f, _, _ in battle.foes(c))]
    others = [u for u in units if u not in crews]
    rounds = {u.id: u.combat.rounds for u in foes}
    for part, apart in ((others, crews), ([*crews, *foes], [u for u in others if u not in foes])):
        yield from results.conclude(battle, part, _share(part, apart, score))
    for unit in foes:
        unit.combat = unit.combat.but(rounds=min(unit.combat.rounds, rounds[unit.id] + 1))


def _on_foot(unit: Unit, units: Sequence[Unit]) -> bool:
    root = unit.id.removesuffix(".crew")
    return root != unit.id and any(u.kind == "chariot" and u.id.partition("-")[0] == root for u in units)


def _share(part: Sequence[Unit], apart: Sequence[Unit], score: Score) -> Score:
    """What of a round concerns some of those who fought: wounds done to the others do not count."""
    own = Score(part)
    out = {u.id for u in apart}
    for unit in part:
        lost = sum(n for (by, on), n in score.against.items() if by == unit.id and on in out)
        own.wounds[unit.id] = score.wounds.get(unit.id, 0) - lost
    own.ranks = {key: n for key, n in score.ranks.items() if key in own.wounds}
    own.extra = list(score.extra) if any(u.kind == "chariot" for u in part) else []
    return own

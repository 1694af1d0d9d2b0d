"""Chapter 15.F: Who won a round: the Combat Score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.melee import melee
from grognard.kernel.citing import cites
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.words.tally import Tally

if TYPE_CHECKING:
    from grognard.games.t9a.melee.combat_round import Tale


def standing(battle: Battle, tale: Tale, seat: str) -> list[Unit]:
    """A side's units still in the combat; one without foes gives no static bonus (t9a:15.G.c)."""
    there = [u for u in (battle.units[k] for k in tale.units) if u.seat == seat and u.where == "table"]
    if not all(battle.engaged(u) for u in there):
        battle.cite("t9a:15.G.c")
    return [u for u in there if battle.engaged(u)]


def of_side(battle: Battle, tale: Tale, seat: str) -> Tally:
    """t9a:15.F.a  One side's Combat Score, with every bonus of Table 7 (t9a:15.F.a.2, t9a:15.F.a.3, t9a:15.F.a.4)."""
    score = Tally(0, "Combat Score", "t9a:15.F.a")
    score.add(tale.lost[seat], "Health Points lost by the enemy", "t9a:15.F.a.1")
    over = sum(m.duel.overkill for m in battle.models.values() if m.seat == seat and m.unit in tale.units)
    score.add(min(3, over), "Overkill", "t9a:15.F.a.2")
    own = standing(battle, tale, seat)
    if any(u.charge.charging for u in own):
        score.add(1, "Charge", "t9a:15.F.a.3")
    score.add(max((battle.rank_bonus(u) for u in own), default=0), "Rank Bonus", "t9a:15.F.a.4")
    score.add(standards(battle, own), "Standards", "t9a:15.F.a.5")
    flank, rear = _where(battle, own)
    score.add(flank, "Flank attack", "t9a:15.F.a.6")
    score.add(rear, "Rear attack", "t9a:15.F.a.7")
    for unit in own:
        for effect in dict.fromkeys(e for pool in battle.pools(unit) for e in battle.effects(pool)):
            for name, op, amount in effect.stats:
                if name == "score" and op == "add":
                    score.add(amount, effect.name or effect.key, effect.rule)
    return score


def standards(battle: Battle, units: list[Unit]) -> int:
    """t9a:15.F.a.5, t9a:21.C.c.1
    Standard Bearers and Battle Standard Bearers engaged now; not one who refused a duel."""
    found = 0
    for unit in units:
        if unit.command.standard:
            battle.cite("t9a:21.C.c.1", "t9a:21.C.c")
            found += 1
        for model in battle.characters(unit):
            if battle.has(model.id, "battle-standard-bearer"):
                if model.duel.refused:
                    battle.cite("t9a:15.E.b-refuse", "t9a:15.F.a.5")
                    continue
                battle.cite("t9a:21.A.b.17")
                found += 1
    return found


def _where(battle: Battle, units: list[Unit]) -> tuple[int, int]:
    """t9a:15.F.a.6, t9a:15.F.a.7  Bonuses for flank and rear; one more where the unit has a Full Rank."""
    flank = rear = 0
    for unit in units:
        for _, _, theirs in battle.foes(unit):
            more = 1 if battle.full_ranks(unit) >= 1 else 0
            if theirs.is_flank:
                flank = max(flank, 1 + more)
            elif theirs is Edge.REAR:
                rear = max(rear, 2 + more)
    return flank, rear


@cites
def settle(battle: Battle, tale: Tale) -> list[str]:
    """t9a:15.F.a.8  Both sides' scores; the higher wins, equal scores are won by both (t9a:15.F.a, t9a:15.G.d)."""
    totals = {seat: of_side(battle, tale, seat) for seat in battle.seats}
    first, second = battle.seats
    margin = int(totals[first].value - totals[second].value)
    told: dict[str, Any] = {f"score_{seat}": totals[seat] for seat in battle.seats}
    battle.tell("combat.score", "t9a:15.F.a", tale.units, **told)
    tale.margin = abs(margin)
    if _split(battle, tale):
        battle.cite("t9a:15.G.d")
    if margin == 0:
        return [first, second]
    return [first if margin > 0 else second]


def _split(battle: Battle, tale: Tale) -> bool:
    groups = [g for g in melee.combats(battle) if any(u.id in tale.units for u in g)]
    return len(groups) > 1

"""t9a:21.F.a  Which Close Combat Weapon a model uses, and what it makes of its attacks."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import weapons_in_use
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option


def choose(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.F.a.1, t9a:15.D  Step 2 of a Round of Combat: those with several weapons name one and keep it for the
    combat.
    """
    for pool in battle.pools(unit):
        if pool in battle.models and battle.models[pool].role != "character" and pool != _speaker(battle, unit):
            continue
        profile = battle.pool_profile(pool)
        part = next((p for p in profile.parts if len(weapons_in_use.choices(battle, pool, p)) > 1), None)
        if part is None:
            continue
        master = weapons_in_use.granted(battle, pool, part, "weapon-master")
        names = weapons_in_use.choices(battle, pool, part)
        if weapons_in_use.chosen(battle, pool) and not master and not unit.fight.first_round:
            kept = {
                n: Refusal("refuse.weapon.kept", "t9a:21.F.a.1", {"weapon": weapons_in_use.chosen(battle, pool)})
                for n in names
            }
            yield Pick(unit.seat, "weapon.choose", [], optional=True, barred=kept, rule="t9a:21.F.a.1", about=(pool,))
            continue
        hand = Refusal("refuse.weapon.hand", "t9a:21.F.a-hand", also=("t9a:21.F.a.1",))
        pick = yield Pick(
            unit.seat,
            "weapon.choose",
            [option(n, text="option.weapon", data={"weapon": n}) for n in names],
            barred={} if "Hand Weapon" in names else {"Hand Weapon": hand},
            rule="t9a:21.G.b.19" if master else "t9a:21.F.a.1",
            about=(pool,),
        )
        if pool in battle.models and battle.models[pool].role == "character":
            battle.models[pool].weapon = pick
        else:
            unit.weapon = pick
        battle.tell("weapon.chosen", "t9a:21.F.a.1", (pool,), weapon=pick)


def _speaker(battle: Battle, unit: Unit) -> str:
    """Whose choice is that of all Rank-and-File: the common pool's; where it is empty, the first of the others'."""
    plain = [p for p in battle.pools(unit) if p not in battle.models or battle.models[p].role != "character"]
    return plain[0] if plain else ""

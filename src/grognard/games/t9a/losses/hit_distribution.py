"""t9a:7.E  Hits on a unit as a whole: on which of its Health Pools they fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses.attacks import Batch, Strike, resolve
from grognard.games.t9a.rolls import mixed_pools
from grognard.kernel.citing import cites
from grognard.kernel.questions import Pick, Script, Split, option


@cites
def distribute(
    battle: Battle, unit: Unit, hits: int, seat: str | None, *, only: Sequence[str] | None = None
) -> Script[dict[str, int]]:
    """t9a:7.E, t9a:3.B.a
    Hits on a unit as a whole: on the Rank-and-File pool, shared with Characters where they stand out (t9a:21.B.e).

    `seat` distributes (the attacker; None: nobody caused it, so the owner does). `only` bounds the pools (Stomps).
    """
    if unit.command.champion:
        battle.cite("t9a:21.C.a.3")
    plain, others = sharing(battle, unit)
    pools = [p for p in [*plain, *others] if only is None or p in only]
    if not pools or hits <= 0:
        return {}
    shares = {pools[0]: hits}
    if len(pools) > 1:
        shares = yield from _evenly(battle, unit, hits, pools, seat or unit.seat)
    if battle.shared is not None:
        for pool, count in shares.items():
            battle.shared[pool] = battle.shared.get(pool, 0) + count
    return shares


def sharing(battle: Battle, unit: Unit) -> tuple[list[str], list[str]]:
    """t9a:21.B.e, t9a:21.B.e-mixed, t9a:16.A.a-mixed, t9a:21.C.a.3
    The Rank-and-File pools, and the Characters that share hits
    with them.
    """
    same = mixed_pools.fellows(battle, unit)
    plain = [
        p for p in battle.pools(unit) if p not in battle.models or (battle.models[p].role == "extra" and p not in same)
    ]
    characters = [m.id for m in battle.characters(unit)]
    if not characters:
        return plain or list(unit.guests), []
    sheltered = [
        c
        for c in characters
        if plain
        and battle.rank_and_file(unit) >= 5
        and battle.pool_profile(c).size == unit.profile.size
        and battle.pool_profile(c).type == unit.profile.type
    ]
    exposed = [c for c in characters if c not in sheltered]
    battle.cite("t9a:21.B.e", *(["t9a:21.A.b.34"] if any(battle.pool_profile(c).is_platform for c in exposed) else []))
    if sheltered and exposed:
        battle.cite("t9a:21.B.e-mixed")
    if not plain and unit.command.champion:
        plain = [unit.command.champion]
    return plain, exposed


def _evenly(battle: Battle, unit: Unit, hits: int, pools: Sequence[str], seat: str) -> Script[dict[str, int]]:
    """t9a:21.B.e  As evenly as possible, with those of the same moment that have been shared out before: no model
    takes a second hit before all have one. The rest as the player chooses.
    """
    heads = {p: max(1, mixed_pools.heads(battle, p)) for p in pools}
    taken = {p: (battle.shared or {}).get(p, 0) for p in pools}
    level = 0
    while sum(max(0, heads[p] * (level + 1) - taken[p]) for p in pools) <= hits:
        level += 1
    shares = {p: max(0, heads[p] * level - taken[p]) for p in pools}
    rest = hits - sum(shares.values())
    room = {p: max(0, heads[p] * (level + 1) - max(taken[p], heads[p] * level)) for p in pools}
    if rest:
        options = [option(p, about=(p,)) for p in pools]
        limits = {p: (sure, sure + min(rest, room[p])) for p, sure in shares.items()}
        shares = yield Split(seat, "hits.share", options, hits, limits=limits, rule="t9a:21.B.e", about=(unit.id,))
    return shares


def hit_unit(
    battle: Battle,
    unit: Unit,
    strike: Strike,
    hits: int,
    *,
    sure: int = 0,
    cause: str = "",
    panic: bool = True,
    only: Sequence[str] | None = None,
) -> Script[dict[str, int]]:
    """Hits on a unit as a whole, distributed and resolved."""
    made = yield from shared(battle, unit, strike, hits, sure=sure, only=only)
    return (yield from resolve(battle, made, cause=cause or strike.by, panic=panic)) if made else {}


def shared(
    battle: Battle, unit: Unit, strike: Strike, hits: int, *, sure: int = 0, only: Sequence[str] | None = None
) -> Script[list[Batch]]:
    """t9a:7.E  Hits on a unit as a whole, distributed over its pools."""
    if hits <= 0 or unit.where != "table":
        return []
    shares = yield from distribute(battle, unit, hits, strike.seat if strike.by else None, only=only)
    battle.tell("attack.hits", strike.rule, (unit.id,), hits=hits)
    return batches(strike, (yield from poisoned_first(strike, shares, sure)), sure)


def poisoned_first(strike: Strike, shares: Mapping[str, int], sure: int) -> Script[Mapping[str, int]]:
    """t9a:7.E, t9a:21.G.b.5
    Of hits shared out the attacker says on whom those that wound without a roll fall first (the
    first of them, if he does not mind).
    """
    struck = [pool for pool, count in shares.items() if count]
    if not 0 < sure < sum(shares.values()) or len(struck) < 2:
        return shares
    options = [option(pool, about=(pool,)) for pool in struck]
    picked = yield Pick(strike.seat, "hits.sure", options, optional=True, aside=True, rule="t9a:7.E", about=struck)
    return shares if picked is None else {picked: shares[picked], **shares}


def batches(strike: Strike, shares: Mapping[str, int], sure: int = 0) -> list[Batch]:
    """Hits shared out over pools; the `sure` of them, which wound without a roll, on the first pools there are."""
    found = []
    for pool, count in shares.items():
        auto = min(sure, count)
        sure -= auto
        found.append(Batch(strike, pool, count, auto))
    return found

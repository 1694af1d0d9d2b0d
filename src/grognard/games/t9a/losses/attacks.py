"""Chapter 7: The attack sequence after the hits: to-wound rolls, armour saves, special saves, Health Points."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Loss
from grognard.games.t9a.losses import casualties
from grognard.games.t9a.rolls import mixed_pools, stats, steps, weapons_in_use
from grognard.games.t9a.table import terrain
from grognard.kernel.citing import cites
from grognard.kernel.data.amounts import Amount
from grognard.kernel.data.reading import slug
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally

ONE = Amount(plus=1)


class Strike(msgspec.Struct, frozen=True):
    """t9a:7.A  What hits are made of: who attacks, Strength, AP and the Attack Attributes they have.

    `wounds_on` serves attacks without Strength (t9a:7.F-nostr); `keys` are attributes by key; `close` is a Close
    Combat Attack.
    """

    seat: str
    by: str = ""  # the attacking unit
    pool: str = ""  # the attacking model's pool
    melee: bool = False
    close: bool = False
    strength: int = 0
    ap: int = 0
    wounds_on: int = 0
    keys: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()  # t9a:21.G.a  attributes that count against some only, as they are written
    multiple: tuple[str, ...] = ()  # every Multiple Wounds (X) they have, conditions included
    side: str = ""  # the side of the target the attacker fights, in melee
    rule: str = "t9a:7.A"
    why: tuple[tuple[str, int, str], ...] = ()


class Batch(msgspec.Struct, frozen=True):
    """Hits of one kind on one Health Pool; `sure` of them wound without a roll. `bracketed` have [ ] values."""

    strike: Strike
    pool: str
    hits: int
    sure: int = 0
    duel: bool = False
    like: str = ""  # t9a:7.E-majority  whose values the pool is struck on; nobody yet

    @property
    def struck(self) -> str:
        return self.like or self.pool


def classify(battle: Battle, strike: Strike) -> None:
    """t9a:7.A.a, t9a:7.A.b  Melee or Ranged (t9a:7.A-attacker)."""
    battle.cite("t9a:7.A", "t9a:7.A-attacker", "t9a:7.A.a" if strike.melee else "t9a:7.A.b", "t9a:7.A.c")


def disarm(battle: Battle, pool: str, keys: dict[str, str]) -> None:
    """t9a:21.D.b.4  Attributes a pool is immune to are lost by what is aimed at it."""
    for trait in battle.traits(pool, "immunity"):
        for word in trait.args:
            if keys.pop(slug(word), None) is not None:
                battle.cite(trait.rule, "t9a:21.D")


def immune(battle: Battle, pool: str, key: str) -> bool:
    """t9a:21.D.b.4  Whether what is aimed at a pool loses an attribute."""
    found = {key: ""}
    disarm(battle, pool, found)
    return not found


def keys_against(battle: Battle, strike: Strike, pool: str) -> dict[str, str]:
    """The attributes an attack has against a pool: Immunity (t9a:21.D.b.4) and water (t9a:20.B.g-doused) take some
    away.
    """
    found = dict.fromkeys(strike.keys, "")
    for text in strike.terms:
        battle.cite("t9a:21.G.a")
        trait = parse(text)[0]
        if trait.meets(*mixed_pools.words(battle, pool)):
            found[trait.key] = ""
    disarm(battle, pool, found)
    if strike.melee and "flaming-attacks" in found:
        wet = [
            u for u in (battle.pool_unit(pool), battle.units.get(strike.by)) if u is not None and u.block is not None
        ]
        if any(terrain.mostly_in(battle, u, "water") is not None for u in wet):
            battle.cite("t9a:20.B.g-doused", "t9a:20.B.g")
            del found["flaming-attacks"]
    return found


@cites
def resolve(
    battle: Battle, batches: Sequence[Batch], *, cause: str = "", panic: bool = True, tell: str = "attack.done"
) -> Script[dict[str, int]]:
    """t9a:7.B, t9a:7.B-simultaneous  Steps 4 to 10 for simultaneous hits; Health Points really lost, by unit."""
    live = [b for b in batches if b.hits > 0 and (b.duel or battle.pool_hp(b.pool) > 0)]
    wounded: list[tuple[Batch, int, int]] = []
    for batch in live:
        classify(battle, batch.strike)
        batch = yield from _likened(battle, batch)
        wounded.append((batch, *(yield from _wound(battle, batch))))
    saved: list[tuple[Batch, int, int]] = []
    for batch, plain, lethal in wounded:
        saved.append((batch, *(yield from _armour(battle, batch, plain, lethal))))
    losses: list[Loss] = []
    for batch, plain, lethal in saved:
        failed = yield from _special(battle, batch, plain, lethal)
        many = yield from _multiple(battle, batch, failed)
        if many:
            losses.append(Loss(batch.pool, many, batch.strike.by))
    return (yield from casualties.lose(battle, losses, cause=cause, panic=panic))


def harm(battle: Battle, batch: Batch) -> Script[int]:
    """t9a:7.B  What one batch alone takes from its pool: the steps of `resolve`, nobody else's dice between them.

    The battle stays as it is; hits do not touch each other, so many take as much as so many single ones.
    """
    classify(battle, batch.strike)
    batch = yield from _likened(battle, batch)
    plain, lethal = yield from _wound(battle, batch)
    plain, lethal = yield from _armour(battle, batch, plain, lethal)
    failed = yield from _special(battle, batch, plain, lethal)
    return (yield from _multiple(battle, batch, failed))


def _likened(battle: Battle, batch: Batch) -> Script[Batch]:
    """t9a:7.E-majority"""
    if batch.like:
        return batch
    like = yield from mixed_pools.likeness(battle, batch.pool, batch.strike.seat)
    return msgspec.structs.replace(batch, like=like)


def _wound(battle: Battle, batch: Batch) -> Script[tuple[int, int]]:
    """t9a:7.F  Wounds without and with Lethal Strike."""
    strike, pool = batch.strike, batch.struck
    keys = keys_against(battle, strike, pool)
    need = wound_need(battle, strike, pool)
    again = "flaming-attacks" in keys and bool(battle.has(pool, "flammable"))
    if again:
        battle.cite("t9a:21.D.b.5", "t9a:21.G.b.6", "t9a:21.D")
    about = [x for x in (strike.pool or strike.by, pool) if x]
    done, sixes = yield from steps.wounds(strike.seat, batch.hits - batch.sure, need, again, about)
    if batch.hits - batch.sure > 0:
        battle.cite("t9a:7.F-natural")
    lethal = sixes if "lethal-strike" in keys else 0
    if lethal:
        battle.tell("attack.lethal", "t9a:21.G.b.14", about, count=lethal)
    return done - lethal + batch.sure, lethal


def wound_need(battle: Battle, strike: Strike, pool: str) -> Tally:
    if strike.wounds_on:
        return Tally(strike.wounds_on, "wounds on", "t9a:7.F-nostr")
    resilience = stats.value(battle, pool, "res")
    battle.cite(*resilience.rules)
    strength = strength_of(battle, strike, pool)
    need = Tally(4, "to wound", "t9a:7.F")
    need.add(steps.to_wound(strength, int(resilience.value)) - 4, "strength against resilience", "t9a:7.F")
    if strike.pool in battle.models or strike.pool in battle.units:
        stats.for_roll(battle, need, stats.changes(battle, strike.pool, "to-wound"))
    return need.at_least(2, "a natural 1 fails", "t9a:7.F-natural").at_most(6, "a natural 6 wounds", "t9a:7.F-natural")


def strength_of(battle: Battle, strike: Strike, pool: str) -> int:
    """t9a:21.G.b.9  An attack's Strength against a pool: that of Toxic Attacks is always 3."""
    if "toxic-attacks" not in keys_against(battle, strike, pool):
        return strike.strength
    battle.cite("t9a:21.G.b.9")
    return 3


def penetration_of(battle: Battle, strike: Strike, pool: str) -> int:
    """t9a:21.G.b.9  An attack's Armour Penetration against a pool: that of Toxic Attacks is always 10."""
    return 10 if "toxic-attacks" in keys_against(battle, strike, pool) else strike.ap


def _armour(battle: Battle, batch: Batch, plain: int, lethal: int) -> Script[tuple[int, int]]:
    """t9a:7.G  Wounds left after armour saves, plain and lethal (whose AP is 10)."""
    strike, pool = batch.strike, batch.struck
    if plain + lethal == 0:
        return 0, 0
    owner = battle.pool_unit(pool)
    need = armour_need(battle, strike, pool)
    if plain and need.value <= 6:
        battle.cite("t9a:7.G-natural1")
    left = yield from steps.unsaved(owner.seat, plain, need, (pool,))
    return left, lethal


def armour_need(battle: Battle, strike: Strike, pool: str) -> Tally:
    """t9a:7.G  What a pool's armour needs to save from an attack (t9a:21.E.a)."""
    full = strike.melee and two_handed(battle, pool)
    arm = stats.armour(battle, pool, melee=strike.melee, two_handed=full)
    worn, ap = int(arm.value), penetration_of(battle, strike, pool)
    need = Tally(steps.to_save(0, 0), "armour save", "t9a:7.G").add(-worn, "armour", "t9a:7.G")
    battle.cite("t9a:7.G", *arm.rules)
    if battle.pool_profile(pool).suit:
        battle.cite("t9a:21.E.a")
    need.add(steps.to_save(worn, ap) - steps.to_save(worn, 0), "armour penetration", "t9a:7.G")
    stats.for_roll(battle, need, stats.changes(battle, pool, "armour-save"))
    return need.at_least(2, "never better than 2+", "t9a:7.G-natural1")


def two_handed(battle: Battle, pool: str) -> bool:
    """t9a:21.G.b.1  Whether the weapon in use takes both hands."""
    return any(t.key == "two-handed" for weapon in weapons_in_use.in_use(battle, pool) for t in weapon.traits)


def _special(battle: Battle, batch: Batch, plain: int, lethal: int) -> Script[int]:
    """t9a:7.H, t9a:7.H-one  At most one Special Save for each wound, chosen before the roll."""
    left = 0
    for count, is_lethal in ((plain, False), (lethal, True)):
        if not count:
            continue
        kind, need = yield from _chosen_save(battle, batch, is_lethal)
        owner = battle.pool_unit(batch.pool)
        if kind == "aegis":
            divine = "divine-attacks" in keys_against(battle, batch.strike, batch.struck)
            left += yield from steps.aegis(owner.seat, count, need, divine, (batch.pool,))
        elif kind == "fortitude":
            left += yield from steps.unsaved(owner.seat, count, need, (batch.pool,), "save.fortitude", "t9a:21.D.b.3")
        else:
            left += count
    return left


def special_saves(battle: Battle, batch: Batch, lethal: bool) -> dict[str, int]:
    """t9a:7.H, t9a:7.H-plus, t9a:21-duplicate
    The Special Saves a pool has against an attack: the best of each kind."""
    strike, pool = batch.strike, batch.struck
    keys = keys_against(battle, strike, pool)
    words = [
        *(k.replace("-", " ") for k in keys),
        "melee attacks" if strike.melee else "ranged attacks",
        "close combat attacks" if strike.close else "",
        *_named(strike),
    ]
    found: dict[str, int] = {}
    for kind in ("aegis", "fortitude"):
        if kind == "fortitude" and (lethal or "flaming-attacks" in keys):
            if battle.has(pool, kind):
                battle.cite("t9a:21.D.b.3", "t9a:21.G.b.14" if lethal else "t9a:21.G.b.6")
            continue
        held = battle.traits(pool, kind)
        if held:
            battle.cite("t9a:21.D", *(["t9a:21.D.a"] if any(t.against for t in held) else []))
        best = _best_save(battle, [t for t in held if t.meets(*words)])
        if best <= 6:
            found[kind] = best
    return found


def _named(strike: Strike) -> list[str]:
    """t9a:21.D.a  What else an attack may be called by a condition: by the chapter its rule stands in."""
    found = ["special attacks"] if strike.rule.startswith("t9a:21.H") else []
    if strike.rule.startswith("t9a:13"):
        found += ["spells", "spell"]
    elif strike.by and not strike.melee and strike.rule != "t9a:21.H.a.2":
        found.append("shooting attacks")
    return found


def _best_save(battle: Battle, traits: Sequence[Trait]) -> int:
    plain = [t for t in traits if not t.value.startswith("+")]
    plus = [t for t in traits if t.value.startswith("+")]
    if len(plain) > 1:
        battle.cite("t9a:21-duplicate")
    best = min((t.number() for t in plain), default=7)
    for trait in plus:
        battle.cite("t9a:7.H-plus")
        limit = next(
            (int(a.casefold().removeprefix("max").strip(" +")) for a in trait.args if "max" in a.casefold()), 2
        )
        best = min(best, max(limit, best - trait.number()))
    return best


def _chosen_save(battle: Battle, batch: Batch, lethal: bool) -> Script[tuple[str, int]]:
    saves = special_saves(battle, batch, lethal)
    if not saves:
        return "", 7
    battle.cite("t9a:7.H")
    if len(saves) == 1:
        kind = next(iter(saves))
        return kind, saves[kind]
    owner = battle.pool_unit(batch.pool)
    divine = "divine-attacks" in keys_against(battle, batch.strike, batch.struck)
    options = [
        option(k, text="option.save", data={"kind": k, "need": n, "again": divine and k == "aegis"})
        for k, n in saves.items()
    ]
    kind = yield Pick(owner.seat, "save.choose", options, rule="t9a:7.H-one", about=(batch.pool,))
    return kind, saves[kind]


def _multiple(battle: Battle, batch: Batch, failed: int) -> Script[int]:
    """t9a:21.G.b.11  Multiple Wounds, where their condition is met."""
    if not failed or not batch.strike.multiple:
        return failed
    found = [parse(text)[0] for text in batch.strike.multiple]
    met = [trait for trait in found if trait.meets(*mixed_pools.words(battle, batch.pool))]
    if any(trait.against for trait in found):
        battle.cite("t9a:21.G.a")
    if not met:
        return failed
    if any("multiple wounds" in (a.casefold() for a in t.args) for t in battle.traits(batch.pool, "immunity")):
        battle.cite("t9a:21.D.b.4")
        return failed
    most = int(stats.value(battle, batch.pool, "hp").value)
    each = yield from _copy(battle, batch, [_wounds_each(battle, batch, trait) for trait in met], most)
    about = [x for x in (batch.strike.pool or batch.strike.by, batch.pool) if x]
    many = yield from steps.multiplied(batch.strike.seat, failed, each, most, about)
    battle.cite("t9a:21.G.b.11")
    return many


def _wounds_each(battle: Battle, batch: Batch, trait: Trait) -> Amount:
    """t9a:21.G.b.11-clipped  X, and one more against flyers with Clipped Wings."""
    each = amount(trait.value)
    if any(a.casefold() == "clipped wings" for a in trait.args) and battle.has(batch.pool, "fly"):
        battle.cite("t9a:21.G.b.11-clipped")
        each = msgspec.structs.replace(each, plus=each.plus + 1)
    return each


def _copy(battle: Battle, batch: Batch, found: Sequence[Amount], most: int) -> Script[Amount]:
    """t9a:21-duplicate  Of several Multiple Wounds the highest, or, if dice are among them, the one the attacker says
    before they are rolled (if he does not mind, the highest on average, within the target's Health Points).
    """
    copies = {str(each): each for each in found}
    if len(found) > 1:
        battle.cite("t9a:21-duplicate")
    best = max(copies.values(), key=lambda each: each.mean_within(most))
    if len(copies) == 1 or all(each.fixed for each in found):
        return best
    options = [option(value, text="option.copy", data={"value": value}) for value in copies]
    about = (batch.strike.pool or batch.strike.by, batch.pool)
    picked = yield Pick(
        batch.strike.seat, "wounds.copy", options, optional=True, aside=True, rule="t9a:21-duplicate", about=about
    )
    return best if picked is None else copies[picked]

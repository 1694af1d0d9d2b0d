"""Chapter 4.3.4, 0-combat-pipeline  One combat: dice placed, blows exchanged, damage, casualties."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.combat import combat_dice, feints
from grognard.games.ades.combat.combat_dice import Hand, Strike
from grognard.games.ades.forces import Combat, Fighter, Thing
from grognard.games.ades.losses import casualties, damage
from grognard.games.ades.losses.damage import Source
from grognard.games.ades.rolls import characteristic_points, steps, tests
from grognard.games.ades.rolls.tests import Shift
from grognard.games.ades.scenarios import tokens
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Number, Pick, Script, Split, option

PIPELINE = "ades:0-combat-pipeline"
ATTACK, DEFEND = "ades:4.3.4.2.1", "ades:4.3.4.2.2-test"
Wounds = list[tuple[Fighter | Thing, int, Fighter, Source]]


def resolve(battle: Battle, combat: Combat) -> Script[None]:
    """ades:4.3.4-steps, ades:0-combat-pipeline  Placement, pass of arms, outcome."""
    one = battle.fighters[combat.one]
    foes = [battle.fighters[key] for key in combat.foes]
    battle.tell("combat", "ades:4.3.4-steps", combat.everyone, foes=list(combat.foes))
    battle.cite(PIPELINE)
    hands = yield from combat_dice.place(battle, one, foes)
    order = list(hands.values())
    for hand in order:
        yield from _attacks(battle, hand, hands)
    yield from feints.counter_attacks(battle, hands)
    yield from feints.feints(battle, hands)
    for hand in order:
        yield from _defend(battle, hand, hands)
    for hand in order:
        yield from _steal(battle, hand, hands)
    wounds: Wounds = []
    for hand in order:
        wounds += yield from _damage(battle, hand, hands)
    yield from _apply(battle, wounds)
    for fighter in (one, *foes):
        _after(battle, fighter)


def _after(battle: Battle, fighter: Fighter) -> None:
    """What lasted until the end of a fighter's next combat is over."""
    fighter.melee = fighter.melee.but(fought=True)
    fighter.stance = fighter.stance.but(charged=False)
    if fighter.assault.dived:
        fighter.assault = fighter.assault.but(dived=False)
        battle.cite("ades:7.4.1")
    if fighter.assault.charge_force:
        fighter.assault = fighter.assault.but(charge_force=0)


# ---------------------------------------------------------------------- blows


def swing(battle: Battle, hand: Hand, strike: Strike, foe: Hand | None, shifts: tuple[Shift, ...] = ()) -> Script[bool]:
    """ades:4.3.4.2.1  One attack die: ATT against DEF (0 for scenery)."""
    against = foe.defence if foe is not None else 0
    test = tests.make(
        battle, "attack", ATTACK, hand.fighter, "ATT", hand.attack, against, foe=foe.fighter if foe else None,
        shifts=shifts, lent=tests.RESOLUTION if strike.resolved else "",
    )  # fmt: skip
    if strike.resolved:
        battle.cite("ades:13.2-resolution-combat")
    done = yield from steps.attempt(test)
    tests.settle(battle, hand.fighter, done)
    strike.hit = done.passed
    if not done.passed and foe is not None:
        foe.missed[hand.fighter.id] = foe.missed.get(hand.fighter.id, 0) + 1
    return done.passed


def _attacks(battle: Battle, hand: Hand, hands: dict[str, Hand]) -> Script[None]:
    """ades:4.3.4.2.1, ades:13.2-enchainement-offensif  All attack tests; a sequence strike may add one."""
    battle.cite(ATTACK)
    if any(hand.strikes.values()):
        yield from _gather(battle, hand, "ATT")
    for key, strikes in hand.strikes.items():
        for strike in strikes:
            yield from swing(battle, hand, strike, hands.get(key))
    how, target = hand.chain
    if how == "offensive" and any(s.hit for s in hand.strikes.get(target, ())):
        more = Strike()
        hand.strikes[target].append(more)
        rule = "ades:13.2-enchainement-offensif"
        yield from swing(battle, hand, more, hands.get(target), ((-1, "sequence strike", rule),))


def _gather(battle: Battle, hand: Hand, stat: str) -> Script[None]:
    """ades:13.2-concentration-moments, ades:13.2-mutagene-use  Points for the tests of this combat that come now."""
    before = len(hand.fighter.effort.points)
    yield from characteristic_points.offer(battle, hand.fighter, (stat,), "damage" if stat == "RES" else "test")
    value = {"ATT": hand.attack, "DEF": hand.defence, "FOR": hand.force, "RES": hand.resistance}[stat]
    for _, count, rule in hand.fighter.effort.points[before:]:
        value.add(count, "points", rule)


def standing(hand: Hand, key: str) -> list[Strike]:
    """The successful attacks on a foe that nothing has stopped yet."""
    return [s for s in hand.strikes.get(key, ()) if s.hit and not s.stopped]


def _defend(battle: Battle, hand: Hand, hands: dict[str, Hand]) -> Script[None]:
    """ades:4.3.4.2.2-assign, ades:4.3.4.2.2-test
    Defence dice against attackers, one for each successful attack at most."""
    me = hand.fighter.id
    threats = {key: len(standing(other, me)) for key, other in hands.items() if standing(other, me)}
    total = min(hand.guard, sum(threats.values()))
    if not total:
        return
    battle.cite("ades:4.3.4.2.2-assign")
    yield from _gather(battle, hand, "DEF")
    shares = dict(threats)
    if total < sum(threats.values()) and len(threats) > 1:
        options = [option(key, about=(key,)) for key in threats]
        shares = yield Split(
            battle.chooser(hand.fighter), "fight.guard", options, total, limits={k: (0, n) for k, n in threats.items()},
            rule="ades:4.3.4.2.2-assign", about=(me,), also=(DEFEND,),
        )  # fmt: skip
    elif total < sum(threats.values()):
        shares = dict.fromkeys(threats, total)
    rule = "ades:13.2-resolution-combat"
    sure = yield from combat_dice.allot(battle, hand.fighter, "fight.resolution-on", rule, shares, hand.resolved_guard)
    parried: dict[str, int] = {}
    for key, count in shares.items():
        for number in range(count):
            if (yield from _parry(battle, hand, hands[key], resolved=number < sure.get(key, 0))):
                parried[key] = parried.get(key, 0) + 1
    for key, count in parried.items():
        yield from _turn_aside(battle, hand, standing(hands[key], me), count)
    yield from _second_parry(battle, hand, hands, shares, parried)


def stop(strikes: list[Strike], count: int) -> None:
    """So many attacks are stopped; those with Resolution last."""
    for strike in sorted(strikes, key=lambda s: s.resolved)[:count]:
        strike.stopped = True


def _turn_aside(battle: Battle, hand: Hand, strikes: list[Strike], count: int) -> Script[None]:
    """ades:4.3.4.2.2-test, ades:13.1-lames-dorsales
    The attacks that parries undo. Ruling: between back blades and other
    blows the defender chooses."""
    sharp = [s for s in strikes if s.blade]
    least, most = max(0, count - len(strikes) + len(sharp)), min(count, len(sharp))
    blades = most
    if least < most and hand.fighter.seat in battle.seats:
        rule, about = "ades:13.1-lames-dorsales", (hand.fighter.id,)
        blades = int((yield Number(hand.fighter.seat, "fight.parried-blades", least, most, rule=rule, about=about)))
    stop(sharp, blades)
    stop([s for s in strikes if not s.blade], count - blades)


def _parry(
    battle: Battle, hand: Hand, attacker: Hand, shifts: tuple[Shift, ...] = (), *, resolved: bool = False
) -> Script[bool]:
    """ades:4.3.4.2.2-test  DEF against the attacker's ATT."""
    if resolved:
        battle.cite("ades:13.2-resolution-combat")
    test = tests.make(
        battle, "defence", DEFEND, hand.fighter, "DEF", hand.defence, attacker.attack, foe=attacker.fighter,
        shifts=shifts, lent=tests.RESOLUTION if resolved else "",
    )  # fmt: skip
    done = yield from steps.attempt(test)
    tests.settle(battle, hand.fighter, done)
    return done.passed


def _second_parry(
    battle: Battle, hand: Hand, hands: dict[str, Hand], shares: dict[str, int], parried: dict[str, int]
) -> Script[None]:
    """ades:13.2-enchainement-defensif  After a parry against the foe named, one die more against anybody."""
    how, named = hand.chain
    if how != "defensive" or not parried.get(named):
        return
    rule = "ades:13.2-enchainement-defensif"
    me = hand.fighter.id
    open_ = {
        key: len(standing(other, me)) - max(0, shares.get(key, 0) - parried.get(key, 0))
        for key, other in hands.items() if standing(other, me)
    }  # fmt: skip
    able = [key for key, count in open_.items() if count > 0]
    if not able:
        return
    chosen = yield Pick(
        battle.chooser(hand.fighter), "fight.chain-guard", [option(key, about=(key,)) for key in able], rule=rule,
        about=(me,),
    )  # fmt: skip
    if (yield from _parry(battle, hand, hands[chosen], ((-1, "sequence strike", rule),))):
        yield from _turn_aside(battle, hand, standing(hands[chosen], me), 1)


def _steal(battle: Battle, hand: Hand, hands: dict[str, Hand]) -> Script[None]:
    """ades:9.2.2-steal  An attack nobody stopped may take a token instead of hurting."""
    thief = hand.fighter
    for key in hand.strikes:
        if key not in hands or thief.seat not in battle.seats:
            continue
        held = tokens.carried(battle, hands[key].fighter)
        room = thief.profile.pui - len(tokens.carried(battle, thief))
        if not held or not standing(hand, key):
            continue
        why = None
        if thief.summons.summoner:
            why = Refusal("refuse.summoned-token", "ades:9.2.4", {"fighter": thief.id}, ("ades:9.2.2-steal",))
        elif room <= 0:
            why = Refusal("refuse.token-capacity", "ades:9.2.2-capacity", {"fighter": thief.id}, ("ades:9.2.2-steal",))
        most = min(len(held), len(standing(hand, key)), max(1, room))
        taken = yield Pick(
            thief.seat, "fight.steal", [option(t.id, t, about=(t.id,)) for t in held if why is None], least=0,
            most=most, barred={} if why is None else {t.id: why for t in held}, rule="ades:9.2.2-steal",
            about=(thief.id, key),
        )  # fmt: skip
        for token in taken if isinstance(taken, tuple) else (taken,) if taken is not None else ():
            stop(standing(hand, key), 1)
            tokens.take(battle, thief, token, "ades:9.2.2-steal")


# ---------------------------------------------------------------------- damage


def _damage(battle: Battle, hand: Hand, hands: dict[str, Hand]) -> Script[Wounds]:
    """ades:4.3.4.2.3  A damage test for each attack that got through; all at once, with the values of the start."""
    found: Wounds = []
    counts = {key: len(standing(hand, key)) for key in hand.strikes if standing(hand, key)}
    if not counts:
        return found
    battle.cite("ades:4.3.4.2.3")
    yield from _gather(battle, hand, "FOR")
    for key in counts:
        if key in hands:
            yield from _gather(battle, hands[key], "RES")
    rule = "ades:13.2-coup-de-maitre"
    master = yield from _designate(battle, hand, counts, hand.master, "fight.master-target", rule, aside=True)
    left = _resolution_left(battle, hand)
    marked = yield from _designate(battle, hand, counts, left, "fight.resolution-for", "ades:13.2-resolution-for")
    hand.fighter.effort = hand.fighter.effort.but(resolved=hand.fighter.effort.resolved + sum(marked.values()))
    for key in counts:
        target: Fighter | Thing = hands[key].fighter if key in hands else battle.things[key]
        res = hands[key].resistance if key in hands else None
        for strike in standing(hand, key):
            mighty, sure = master.get(key, 0) > 0, marked.get(key, 0) > 0
            master[key] = master.get(key, 0) - mighty
            marked[key] = marked.get(key, 0) - sure
            how = Source(melee=True, attack=True, master=mighty, resolved=sure, res=res)
            if strike.blade:
                battle.cite("ades:13.1-lames-dorsales")
            force = strike.blade or hand.force
            rule = "ades:4.3.4.2.3"
            hurt = yield from damage.strike(battle, target, force, how, rule, by=hand.fighter, apply=False)
            if hurt.lost:
                found.append((target, hurt.lost, hand.fighter, how))
    return found


def _resolution_left(battle: Battle, hand: Hand) -> int:
    if battle.skills(hand.fighter).says("aguerri", "FOR") or battle.has(hand.fighter, "maudit"):
        return 0
    return max(0, battle.number(hand.fighter, "resolution") - hand.fighter.effort.resolved)


def _designate(
    battle: Battle, hand: Hand, counts: dict[str, int], many: int, name: str, rule: str, *, aside: bool = False
) -> Script[dict[str, int]]:
    """So many of the damage tests are singled out before they are rolled; what is paid for already, by the way."""
    total = min(many, sum(counts.values()))
    if total <= 0 or hand.fighter.seat not in battle.seats:
        return {}
    shares: dict[str, int] = yield Split(
        hand.fighter.seat, name, [option(key, about=(key,)) for key in counts], total,
        limits={key: (0, min(n, total)) for key, n in counts.items()}, exact=False, rule=rule, about=(hand.fighter.id,),
        aside=aside,
    )  # fmt: skip
    return dict(shares)


def _apply(battle: Battle, wounds: Wounds) -> Script[None]:
    """ades:4.3.4.2.4, ades:9.2.3-kill  Losses of both sides together, once all damage is known."""
    sums: dict[str, int] = {}
    hurt_by: dict[str, list[Fighter]] = {}
    for target, lost, by, how in wounds:
        if isinstance(target, Thing):
            casualties.wear(battle, target, lost, "ades:4.3.4.2.3", by.seat)
            continue
        damage.poison(battle, target, by) if how.attack else None
        sums[target.id] = sums.get(target.id, 0) + lost
        hurt_by.setdefault(target.id, []).append(by)
    if sums:
        battle.cite("ades:4.3.4.2.4")
    for key, lost in sums.items():
        killers = list(dict.fromkeys(hurt_by[key]))
        if len(killers) > 1:
            battle.cite("ades:9.2.3-kill")
        last = hurt_by[key][-1]
        yield from casualties.lose(battle, battle.fighters[key], lost, "ades:4.3.4.2.3", by=last, killers=killers)


# ---------------------------------------------------------------------- scenery


def batter(battle: Battle, fighter: Fighter, thing: Thing) -> Script[None]:
    """ades:9.2.6-fight  Two dice against DEF 0; Ruling: scenery rolls nothing."""
    battle.tell("siege", "ades:9.2.6-fight", (fighter.id, thing.id))
    hand = yield from combat_dice.alone(battle, fighter, thing)
    for strike in hand.strikes[thing.id]:
        yield from swing(battle, hand, strike, None)
    wounds = yield from _damage(battle, hand, {})
    yield from _apply(battle, wounds)

"""ades:4.3.4.1, ades:4.3.4-dice, ades:4.3.4-spread  Combat dice: how many, and how each fighter shares them out."""

from __future__ import annotations

from grognard.games.ades.abilities import Melee
from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.games.ades.rolls import characteristic_points, stats, tests
from grognard.kernel.questions import Number, Pick, Script, Split, option
from grognard.kernel.words.tally import Tally

DICE, SPREAD, ORDER = "ades:4.3.4-dice", "ades:4.3.4-spread", "ades:4.3.4.1"


class Strike:
    """One attack die on one foe: a back blade's FOR if it is one, and what became of it."""

    __slots__ = ("blade", "hit", "resolved", "stopped")

    def __init__(self, *, resolved: bool = False, blade: int = 0) -> None:
        self.resolved = resolved
        self.blade = blade
        self.hit = False
        self.stopped = False


class Hand:
    """ades:1.1.2.2-att, ades:1.1.2.2-for, ades:1.1.2.2-def
    A fighter's dice in one combat, and its characteristics as they were when the dice lay."""

    def __init__(self, fighter: Fighter) -> None:
        self.fighter = fighter
        self.strikes: dict[str, list[Strike]] = {}
        self.guard = 0
        self.master = 0
        self.resolved_guard = 0
        self.chain = ("", "")
        self.missed: dict[str, int] = {}  # failed attacks against it, by attacker
        self.attack = Tally(0, "ATT", "ades:1.1.2.2-att")
        self.defence = Tally(0, "DEF", "ades:1.1.2.2-def")
        self.force = Tally(0, "FOR", "ades:1.1.2.2-for")
        self.resistance = Tally(0, "RES", "ades:1.1.2.2-res")

    def measure(self, battle: Battle, foes: list[Fighter]) -> None:
        self.attack = stats.stat(battle, self.fighter, "ATT", foes=foes)
        self.defence = stats.stat(battle, self.fighter, "DEF", foes=foes)
        self.force = stats.stat(battle, self.fighter, "FOR", foes=foes)
        self.resistance = stats.stat(battle, self.fighter, "RES", foes=foes)


def order(battle: Battle, one: Fighter, foes: list[Fighter]) -> Script[list[Fighter]]:
    """ades:4.3.4.1, ades:13.2-bretteur  Lowest INI first, swashbucklers after all others.

    Ruling: whoever wins a tie counts as the quicker, and so places later (house rule: first).
    """
    everyone = [one, *foes]
    quick = [stats.stat(battle, f, "INI", foes=foes if f is one else [one]) for f in everyone]
    battle.cite(*(rule for tally in quick for rule in tally.rules))
    values = {f.id: tally.value for f, tally in zip(everyone, quick, strict=True)}
    last = [f for f in everyone if battle.has(f, "bretteur")]
    if last:
        battle.cite("ades:13.2-bretteur")
    battle.cite(ORDER)
    found: list[Fighter] = []
    for group in ([f for f in everyone if f not in last], last):
        ranked = yield from tests.ranked(battle, group, "INI", [values[f.id] for f in group])
        if battle.house["placement_ties"] == "first":
            found += sorted(ranked, key=lambda f: values[f.id])
        else:
            found += reversed(ranked)
    return found


def pool(battle: Battle, fighter: Fighter, foes: int) -> Tally:
    """ades:4.3.4-dice, ades:13.2-stacking  1, 1 for each adversary, and what skills add; one held twice adds once."""
    near = battle.contacts(fighter) if battle.house["extra_limb"] == "everybody" else battle.foes_of(fighter)
    facts = Melee(foes, len(near), fighter.assault.charger, fighter.melee.fury)
    total = Tally(1, "base die", DICE).add(foes, "adversaries", DICE)
    for key, held in battle.skills(fighter).by_key.items():
        one = held[0].skill
        more = (one if len(held) == 1 or one.takes != "number" else type(one)(battle.number(fighter, key))).dice(facts)
        if more:
            battle.cite(*held[0].rules)
            total.add(more, one.name, one.rule)
    if fighter.melee.fury:
        total.add(1, "War fury", "ades:13.2-furie-guerriere")
    return total


def place(battle: Battle, one: Fighter, foes: list[Fighter]) -> Script[dict[str, Hand]]:
    """ades:4.3.4.1  Everybody places dice openly, in order; then the values for the combat are fixed."""
    hands: dict[str, Hand] = {}
    for fighter in (yield from order(battle, one, foes)):
        against = foes if fighter is one else [one]
        hands[fighter.id] = yield from _lay(battle, fighter, against)
    for fighter in (one, *foes):
        hands[fighter.id].measure(battle, foes if fighter is one else [one])
        battle.cite(*hands[fighter.id].attack.rules)
    return hands


def _lay(battle: Battle, fighter: Fighter, foes: list[Fighter]) -> Script[Hand]:
    """One fighter's dice: fury, master strikes, sequence, points, attack and defence, Resolution."""
    hand = Hand(fighter)
    if fighter.seat == NEUTRAL:
        _neutral(battle, hand, foes)
        _show(battle, hand)
        return hand
    dice = yield from _prepare(battle, hand, len(foes))
    yield from _chain(battle, hand, foes)
    extra, sharp = blades(battle, fighter)
    fewest, rule = least(battle, fighter, dice)
    attack = int((yield Number(
        fighter.seat, "fight.attack", fewest, dice, rule=rule, about=(fighter.id,),
        data={"dice": dice, "blades": extra, "foes": [f.id for f in foes]}, also=(DICE, ORDER))))  # fmt: skip
    hand.guard = dice - attack
    things = _things(battle, fighter)
    yield from _spread(battle, hand, foes, things, attack, extra, sharp)
    yield from _resolve(battle, hand, attack)
    _show(battle, hand)
    return hand


def _prepare(battle: Battle, hand: Hand, foes: int) -> Script[int]:
    """ades:4.3.4-dice  What is said before dice are placed: fury, the charge, points, master strikes. The dice left."""
    fighter = hand.fighter
    if battle.has(fighter, "furie-guerriere") and not fighter.melee.fury:
        chosen = yield Pick(
            fighter.seat, "fight.fury", [option("use", text="option.fury")], optional=True,
            rule="ades:13.2-furie-guerriere", about=(fighter.id,),
        )  # fmt: skip
        fighter.melee = fighter.melee.but(fury=chosen is not None)
    force = yield from characteristic_points.charge_strength(battle, fighter, fighter.assault.charge_force)
    fighter.assault = fighter.assault.but(charge_force=force)
    yield from characteristic_points.offer(battle, fighter, ("ATT", "FOR", "DEF", "RES"), "placement")
    total = pool(battle, fighter, foes)
    dice = int(total.value)
    battle.tell("dice", DICE, (fighter.id,), dice=total)
    if battle.has(fighter, "coup-de-maitre"):
        hand.master = int((yield Number(
            fighter.seat, "fight.master", 0, dice, rule="ades:13.2-coup-de-maitre", about=(fighter.id,))))  # fmt: skip
    return dice - hand.master


def blades(battle: Battle, fighter: Fighter) -> tuple[int, int]:
    """ades:13.1-lames-dorsales  How many attack dice its back blades add, and their FOR."""
    held = battle.skills(fighter).by_key.get("back-blades", [])
    return (held[0].skill.number, held[0].skill.second) if held else (0, 0)


def least(battle: Battle, fighter: Fighter, dice: int) -> tuple[int, str]:
    """ades:13.2-charge-bestiale, ades:13.2-furie-guerriere  Dice that must attack, and by which rule."""
    if fighter.melee.fury:
        battle.cite("ades:13.2-furie-guerriere")
        return dice, "ades:13.2-furie-guerriere"
    if battle.has(fighter, "charge-bestiale") and fighter.assault.charger:
        return min(1, dice), "ades:13.2-charge-bestiale"
    return 0, DICE


def _things(battle: Battle, fighter: Fighter) -> list[Thing]:
    """ades:9.2.6-fight  Scenery an engaged fighter may strike at too."""
    return [
        t for t in battle.things.values()
        if t.alive and t.placed and t.start_pv and t.seat != fighter.seat and battle.touches_thing(fighter, t)
    ]  # fmt: skip


def _spread(
    battle: Battle, hand: Hand, foes: list[Fighter], things: list[Thing], attack: int, blades: int, force: int
) -> Script[None]:
    """ades:4.3.4-spread  No foe gets two dice more than another; scenery may be given some of them first."""
    fighter = hand.fighter
    for thing in things:
        given = 0
        if attack:
            given = int((yield Number(fighter.seat, "fight.scenery", 0, attack, rule="ades:9.2.6-fight",
                                      about=(fighter.id, thing.id))))  # fmt: skip
        if given:
            hand.strikes[thing.id] = [Strike() for _ in range(given)]
            attack -= given
    total = attack + blades
    each, over = divmod(total, len(foes))
    counts = {f.id: each for f in foes}
    battle.cite(SPREAD)
    if over:
        chosen = yield Pick(
            fighter.seat, "fight.spread", [option(f.id, about=(f.id,)) for f in foes], least=over, most=over,
            rule=SPREAD, about=(fighter.id,), also=(DICE,),
        )  # fmt: skip
        for key in chosen if isinstance(chosen, tuple) else (chosen,):
            counts[key] += 1
    sharp = yield from allot(battle, fighter, "fight.blades", "ades:13.1-lames-dorsales", counts, blades)
    for key, count in counts.items():
        blade = sharp.get(key, 0)
        hand.strikes[key] = [Strike(blade=force) for _ in range(blade)]
        hand.strikes[key] += [Strike() for _ in range(count - blade)]
        if blade:
            battle.cite("ades:13.1-lames-dorsales")


def allot(
    battle: Battle, fighter: Fighter, name: str, rule: str, room: dict[str, int], many: int
) -> Script[dict[str, int]]:
    """On whom so many special dice are turned, where there is a choice; what is not said goes where there is room."""
    many = min(many, sum(room.values()))
    open_ = {key: count for key, count in room.items() if count}
    found: dict[str, int] = dict.fromkeys(open_, 0)
    if 0 < many < sum(open_.values()) and len(open_) > 1:
        found |= yield Split(
            fighter.seat, name, [option(key, about=(key,)) for key in open_], many,
            limits={key: (0, min(count, many)) for key, count in open_.items()}, exact=False, rule=rule,
            about=(fighter.id,),
        )  # fmt: skip
    left = many - sum(found.values())
    for key in sorted(open_, key=lambda k: -open_[k]):
        more = min(left, open_[key] - found[key])
        found[key] += more
        left -= more
    return found


def _chain(battle: Battle, hand: Hand, foes: list[Fighter]) -> Script[None]:
    """ades:13.2-enchainement  One adversary is named, for attack or for defence."""
    fighter = hand.fighter
    if not battle.has(fighter, "enchainement"):
        return
    options = [
        option(f"{how}:{f.id}", (how, f.id), text=f"option.chain-{how}", about=(f.id,), data={"target": f.id})
        for f in foes for how in ("offensive", "defensive")
    ]  # fmt: skip
    chosen = yield Pick(
        fighter.seat, "fight.chain", options, optional=True, rule="ades:13.2-enchainement", about=(fighter.id,)
    )
    if chosen is not None:
        hand.chain = chosen


def _resolve(battle: Battle, hand: Hand, attack: int) -> Script[None]:
    """ades:13.2-resolution-combat  Dice with Resolution are marked as they are placed."""
    fighter = hand.fighter
    left = battle.number(fighter, "resolution") - fighter.effort.resolved
    room = {"ATT": attack, "DEF": hand.guard}
    limits = {k: (0, min(left, n)) for k, n in room.items() if n and not battle.skills(fighter).says("aguerri", k)}
    if left <= 0 or not limits:
        return
    shares = yield Split(
        fighter.seat, "fight.resolution", [option(k, text=f"option.resolution-{k.lower()}") for k in limits],
        min(left, sum(n for _, n in limits.values())), limits=limits, exact=False, rule="ades:13.2-resolution-combat",
        about=(fighter.id,),
    )  # fmt: skip
    fighter.effort = fighter.effort.but(resolved=fighter.effort.resolved + sum(shares.values()))
    hand.resolved_guard = shares.get("DEF", 0)
    plain = {key: [s for s in strikes if not s.blade] for key, strikes in hand.strikes.items()}
    room = {key: len(strikes) for key, strikes in plain.items()}
    rule = "ades:13.2-resolution-combat"
    marked = yield from allot(battle, fighter, "fight.resolution-on", rule, room, shares.get("ATT", 0))
    for key, count in marked.items():
        for strike in plain[key][:count]:
            strike.resolved = True


def _neutral(battle: Battle, hand: Hand, foes: list[Fighter]) -> None:
    """ades:9.2.3-dice  All dice in attack, the most valuable foes first, within the spread."""
    total = int(pool(battle, hand.fighter, len(foes)).value)
    each, over = divmod(total, len(foes))
    ranked = sorted(foes, key=lambda f: (-f.val, f.id))
    for number, foe in enumerate(ranked):
        hand.strikes[foe.id] = [Strike() for _ in range(each + (number < over))]
    battle.cite("ades:9.2.3-dice", SPREAD)


def _show(battle: Battle, hand: Hand) -> None:
    battle.tell(
        "placed", ORDER, (hand.fighter.id,), attack={k: len(s) for k, s in hand.strikes.items()}, defence=hand.guard,
        master=hand.master,
    )  # fmt: skip


def alone(battle: Battle, fighter: Fighter, thing: Thing) -> Script[Hand]:
    """ades:9.2.6-fight  As many dice as against one adversary, all in attack, against scenery."""
    hand = Hand(fighter)
    dice = yield from _prepare(battle, hand, 1)
    extra, sharp = blades(battle, fighter)
    hand.strikes[thing.id] = [Strike(blade=sharp) for _ in range(extra)] + [Strike() for _ in range(dice)]
    yield from _resolve(battle, hand, dice)
    hand.measure(battle, [])
    return hand

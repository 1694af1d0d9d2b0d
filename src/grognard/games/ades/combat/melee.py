"""Chapter 4.3  The Combat phase: the Dominant, melees, their separation into combats, and who designates which."""

from __future__ import annotations

from itertools import combinations

from grognard.games.ades.battle import NEUTRAL, Battle
from grognard.games.ades.combat import fights, pursuit
from grognard.games.ades.forces import Combat, Fighter, Thing
from grognard.games.ades.rolls import stats, tests
from grognard.games.ades.scenarios import game_end
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Pick, Script, option

SPLIT = "ades:4.3.2-constraint"


def phase(battle: Battle) -> Script[None]:
    """ades:4.3.1, ades:4.3.3  Melees one after the other, combats by turns to speak, until all is fought."""
    if battle.stage == 0:
        for fighter in battle.fighters.values():
            fighter.melee = fighter.melee.but(fought=False, pursuits=0)
            fighter.assault = fighter.assault.but(assassinated=False)
        battle.melees, battle.combats = 0, ()
        battle.stage = 1 if melees(battle) or sieges(battle) else 9
    if battle.stage == 1:
        battle.dominant = yield from dominant(battle)
        battle.tell("dominant", "ades:4.3.1", (battle.dominant,))
        battle.stage = 2
    if battle.stage == 2:
        battle.speaker = yield Pick(
            battle.dominant, "combat.first", [option(s, s) for s in battle.seats], rule="ades:4.3.3", checkpoint=True
        )
        battle.stage = 3
    while battle.stage == 3:
        _forget(battle)
        if battle.combats:
            yield from designate(battle)
        elif melees(battle):
            yield from next_melee(battle)
        else:
            battle.stage = 4
    while battle.stage == 4:
        if not sieges(battle):
            battle.stage = 9
        else:
            yield from siege(battle)


def dominant(battle: Battle) -> Script[str]:
    """ades:4.3.1  Most scenario points, then most value eliminated, then dice."""
    first, second = (battle.sides[seat] for seat in battle.seats)
    for one, two in ((first.ps, second.ps), (first.killed, second.killed)):
        if one != two:
            return first.id if one > two else second.id
    order = yield from tests.arbitrate(battle, [(seat, seat) for seat in battle.seats])
    return order[0]


# ---------------------------------------------------------------------- melees


def graph(battle: Battle) -> dict[str, list[str]]:
    """ades:4.3.2-melee  Enemy contacts between fighters who have not fought in this phase."""
    able = [f for f in battle.on_table() if not f.melee.fought]
    found = {f.id: [e.id for e in battle.foes_of(f) if not e.melee.fought] for f in able}
    return {key: foes for key, foes in found.items() if foes}


def melees(battle: Battle) -> list[list[str]]:
    """ades:4.3.2-melee  Everybody joined by contacts between enemies."""
    links = graph(battle)
    left = list(links)
    found = []
    while left:
        group, fringe = [], [left[0]]
        while fringe:
            key = fringe.pop()
            if key in group:
                continue
            group.append(key)
            fringe += links[key]
        ordered = [key for key in links if key in group]
        found.append(ordered)
        left = [key for key in left if key not in group]
    return found


@cites
def next_melee(battle: Battle) -> Script[None]:
    """ades:4.3.2-melee  The Dominant picks the first (ades:4.3.1), then players alternate (ades:4.3.3-next-melee)."""
    seat = battle.dominant if battle.melees % 2 == 0 else battle.other(battle.dominant)
    found = melees(battle)
    options = [option(g[0], g, about=tuple(g), text="option.melee", data={"fighters": g}) for g in found]
    rule = "ades:4.3.1" if battle.melees == 0 else "ades:4.3.3-next-melee"
    group: list[str] = yield Pick(seat, "melee", options, rule=rule, checkpoint=True)
    battle.melees += 1
    battle.tell("melee", "ades:4.3.2-melee", tuple(group), who=list(group))
    battle.combats = tuple((yield from split(battle, group)))


# ---------------------------------------------------------------------- separating a melee


def splitter(battle: Battle, group: list[str]) -> Script[str]:
    """ades:4.3.2-splitter  The best discipline and the sum of PUI on each side; the higher separates the melee."""
    fighters = [battle.fighters[key] for key in group]
    sides = {seat: [f for f in fighters if f.seat == seat] for seat in battle.seats}
    present = [seat for seat in battle.seats if sides[seat]]
    if len(present) == 1:
        return present[0]
    totals: list[float] = []
    best: list[Fighter] = []
    for seat in present:
        values = [(stats.discipline(battle, f), f) for f in sides[seat]]
        top = max(values, key=lambda pair: pair[0].value)
        battle.cite(*top[0].rules)
        best.append(top[1])
        totals.append(top[0].value + sum(stats.pui(battle, f) for f in sides[seat]))
    battle.tell("splitter", "ades:4.3.2-splitter", tuple(present), totals=dict(zip(present, totals, strict=True)))
    if totals[0] != totals[1]:
        return present[0] if totals[0] > totals[1] else present[1]
    order = yield from tests.ranked(battle, best, "DIS", [0.0, 0.0])
    return order[0].seat


def stars(links: dict[str, list[str]], left: list[str], key: str) -> list[Combat]:
    """ades:4.3.2-constraint  The combats one fighter may be in such that nobody else is left without an adversary."""
    found: list[Combat] = []
    seen: list[frozenset[str]] = []
    for centre in [key, *(k for k in links[key] if k in left)]:
        near = [k for k in links[centre] if k in left]
        for count in range(1, len(near) + 1):
            for leaves in combinations(near, count):
                members = frozenset((centre, *leaves))
                if key not in members or (count == 1 and members in seen):
                    continue
                rest = [k for k in left if k not in members]
                if all(any(n in rest for n in links[k]) for k in rest):
                    seen.append(members)
                    found.append(Combat(centre, leaves))
    return found


def split(battle: Battle, group: list[str]) -> Script[list[Combat]]:
    """ades:4.3.2-constraint, ades:9.2.3-split  Who fights whom: everybody in exactly one combat, with an adversary."""
    whole = graph(battle)
    links = {key: [k for k in whole[key] if k in group] for key in group}
    seat = ""
    left = list(group)
    made: list[Combat] = []
    while left:
        choices = stars(links, left, left[0])
        chosen = choices[0]
        if len(choices) > 1:
            if not seat:
                seat = yield from splitter(battle, group)
            options = [_combat(c) for c in choices]
            chosen = yield Pick(seat, "split", options, rule=SPLIT, about=(left[0],), also=("ades:4.3.2-melee",))
        made.append(chosen)
        left = [key for key in left if key not in chosen.everyone]
    battle.cite("ades:4.3.2-melee")
    if any(battle.fighters[key].seat == NEUTRAL for key in group):
        battle.cite("ades:9.2.3-split")
    battle.tell("split", SPLIT, tuple(group), combats=[list(c.everyone) for c in made])
    return made


# ---------------------------------------------------------------------- combats


def _forget(battle: Battle) -> None:
    """Combats that cannot be fought any more, because somebody is gone, fall away."""
    kept = []
    for combat in battle.combats:
        one = battle.fighters[combat.one]
        foes = tuple(k for k in combat.foes if _still(battle, one, battle.fighters[k]))
        if not one.melee.fought and foes:
            kept.append(Combat(combat.one, foes))
    battle.combats = tuple(kept)


def _still(battle: Battle, one: Fighter, foe: Fighter) -> bool:
    return not foe.melee.fought and foe in battle.foes_of(one)


def _combat(combat: Combat) -> Option:
    """A combat to choose: one fighter against all its adversaries."""
    return option(combat.key, combat, about=combat.everyone, text="option.combat", data={"foes": list(combat.foes)})


def designate(battle: Battle) -> Script[None]:
    """ades:4.3.3  The speaker designates a combat of the melee, which is fought at once; then the other speaks."""
    options = [_combat(c) for c in battle.combats]
    combat: Combat = yield Pick(battle.speaker, "combat", options, rule="ades:4.3.3", checkpoint=True)
    battle.combats = tuple(c for c in battle.combats if c != combat)
    yield from fight(battle, combat)
    battle.speaker = battle.other(battle.speaker)


@cites
def fight(battle: Battle, combat: Combat) -> Script[None]:
    """ades:4.3.4-steps  One combat with its outcome: casualties and pursuits."""
    yield from fights.resolve(battle, combat)
    battle.clock += 1
    game_end.check_time(battle, "combat")
    yield from pursuit.after(battle, combat)


# ---------------------------------------------------------------------- fighting scenery


def _targets(battle: Battle, fighter: Fighter) -> list[Thing]:
    """ades:9.2.6-fight, ades:12.3-pv  Scenery with life points in contact that is not one's own."""
    found = [t for t in battle.things.values() if t.alive and t.placed and t.seat != fighter.seat]
    found = [t for t in found if (t.start_pv or t.kind == "nexus") and battle.touches_thing(fighter, t)]
    if any(not t.start_pv for t in found):
        battle.cite("ades:12.3-pv")
    return [t for t in found if t.start_pv]


def sieges(battle: Battle) -> list[tuple[Fighter, Thing]]:
    """ades:9.2.6-fight  Free fighters who have not fought and touch scenery they may fight.

    Ruling: not while routed.
    """
    found = []
    for fighter in battle.on_table():
        if (
            fighter.seat in battle.seats
            and not fighter.melee.fought
            and battle.free(fighter)
            and not fighter.fear.routed
        ):
            found += [(fighter, thing) for thing in _targets(battle, fighter)]
    return found


def siege(battle: Battle) -> Script[None]:
    """ades:9.2.6-fight  One after the other they may strike at it; declining, a fighter leaves it alone."""
    fighter = sieges(battle)[0][0]
    things = [t for f, t in sieges(battle) if f is fighter]
    chosen: Thing | None = yield Pick(
        fighter.seat, "siege", [option(t.id, t, about=(t.id,)) for t in things], optional=True, rule="ades:9.2.6-fight",
        about=(fighter.id,), checkpoint=True,
    )  # fmt: skip
    if chosen is not None:
        yield from fights.batter(battle, fighter, chosen)
    fighter.melee = fighter.melee.but(fought=True)

"""Chapters 3, 5.1, 11.1.2, 14.5: the values of units with everything that changes them, each with its rule."""

from __future__ import annotations

from grognard.games.wfb3.abilities.psychology import Hatred
from grognard.games.wfb3.abilities.trades import Ethereal
from grognard.games.wfb3.abilities.troops import Daemon, Undead
from grognard.games.wfb3.army import vehicles
from grognard.games.wfb3.army.profiles import armour_points, encumbrance, half_up
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import spells_in_effect
from grognard.games.wfb3.rolls.modifiers import LEADERSHIP
from grognard.games.wfb3.table import crews, sections
from grognard.kernel.citing import cites
from grognard.kernel.geometry.units import inches
from grognard.kernel.words.tally import Tally

#: wfb3:14.8-general-radius  How far a general steadies his troops (inches).
GENERAL = 12


def mental(battle: Battle, unit: Unit, stat: str, purpose: str = "") -> Tally:
    """wfb3:11.1.2-unit-value, wfb3:11.1.2-leader-bonus, wfb3:7.4.1-minus1, wfb3:8.1-mixed
    Ld, Int, Cl or WP of a unit: its lowest, with its leader's bonus.

    `purpose`: manoeuvre, rout, rally, restrain, …: some bonuses serve for one thing only.
    """
    values = [getattr(m.profile, stat) for m in _minds(battle, unit)] or [getattr(unit.profile, stat)]
    if unit.kind in ("monster", "chariot"):
        values = _driver(battle, unit, stat) or values
    tally = Tally(min(values), stat, "wfb3:11.1.2-unit-value")
    if len(dict.fromkeys(values)) > 1:
        tally.set(min(values), "lowest", "wfb3:10.2-combine" if stat == "Cl" else "wfb3:8.1-mixed")
    if stat == "Ld":
        _lost_standards(unit, battle.models.get(unit.id), tally)
    leader = battle.leader(unit)
    bonus = leader_bonus(leader, stat) if leader is not None and unit.kind != "character" else 0
    own = getattr(leader.profile, stat) - (leader.hero.ld_less if stat == "Ld" else 0) if leader is not None else 0
    lent = _general(battle, unit, tally.value) if stat == "Ld" and purpose in ("rout", "rally") else None
    if lent is not None and (_raised(tally.value, *lent[:2]), lent[0]) > (_raised(tally.value, bonus, own), bonus):
        _lend(tally, *lent)
    elif bonus and leader is not None:
        _lend(tally, bonus, own, "leader", "wfb3:11.1.2-leader-bonus")
        battle.cite("wfb3:14.5-mental-bonus", "wfb3:14.6.5-bonus-cap")
        if stat == "Cl":
            battle.cite("wfb3:14.6.5-shared-psychology")
    if stat == "Ld":
        _leadership(battle, unit, purpose, tally)
    elif stat == "Cl":
        spells_in_effect.mental(battle, unit, stat, tally)
    tally.at_most(10, "most", "wfb3:8.1-roll")
    if unit.combat.disordered:
        tally.add(-1, "disordered", "wfb3:7.4.1-minus1")
    if purpose == "stop":
        tally.add(-1, "stop", "wfb3:8.5.6-stop")
    return tally.at_least(0, "least", "wfb3:3.1-zero")


def rooted(unit: Unit) -> bool:
    """wfb3:3.1-zero  Whether a unit can do nothing at all in the way of movement."""
    return (unit.mount or unit.profile).M == 0 and unit.kind not in ("chariot", "altar")


def _lost_standards(unit: Unit, alone: Model | None, tally: Tally) -> None:
    """wfb3:12.3-ld-penalty, wfb3:16.1-lost  What lost standards take from a unit's own Ld, before anybody lends it his.

    A banner the enemy once had costs two until it is won back, even if its captors have dropped it since.
    """
    if unit.standards.banner in ("lost", "captured"):
        taken = unit.standards.banner == "captured" or unit.standards.banner_taken
        tally.add(-2 if taken else -1, "banner-captured" if taken else "banner-lost", "wfb3:12.3-ld-penalty")
    lost = alone.hero.ld_less if alone is not None and unit.kind == "character" else unit.standards.great_loss
    if lost:
        tally.add(-lost, "army-standard", "wfb3:16.1-lost")


def _driver(battle: Battle, unit: Unit, stat: str) -> list[int]:
    """wfb3:18.4.4-driver, wfb3:20.5-driver  Beasts and cars are as steady as whoever drives them."""
    driver = crews.driver(battle, unit)
    if driver is None:
        return []
    battle.cite("wfb3:18.4.4-driver" if unit.kind == "monster" else "wfb3:20.5-driver")
    return [getattr(driver.profile, stat)]


def _minds(battle: Battle, unit: Unit) -> list[Model]:
    """wfb3:15.1-pack-tests  Whose values count: everybody's, of a pack its leading handler's."""
    leader = battle.leader(unit)
    if unit.kind == "pack" and leader is not None and leader.role == "handler":
        battle.cite("wfb3:15.1-pack-tests")
        return [leader]
    other = battle.units.get(unit.drill.mixed)
    if other is not None and other.where == "table":
        return [*battle.ordinary(unit), *battle.ordinary(other)]
    return battle.ordinary(unit)


def _leadership(battle: Battle, unit: Unit, purpose: str, tally: Tally) -> None:
    """What only Ld knows: shame, music, hatred, standards and altars."""
    if unit.minds.ld_loss:
        tally.add(-unit.minds.ld_loss, "refused", "wfb3:7.15.3-refuse")
    if purpose == "manoeuvre" and front_musician(battle, unit):
        tally.add(1, "musician", "wfb3:12.6-musician")
    if purpose == "rout" and _hates_a_foe(battle, unit):
        tally.add(1, "hatred", "wfb3:10.6-break")
    for change in LEADERSHIP:
        change(battle, unit, purpose, tally)
    spells_in_effect.mental(battle, unit, "Ld", tally)


def _lend(tally: Tally, bonus: int, cap: int, what: str, rule: str) -> None:
    """wfb3:14.6.5-bonus-cap  Never above ten nor the lender's own value, never below the troops' own."""
    most = _raised(tally.value, bonus, cap)
    tally.add(bonus, what, rule)
    if tally.value > most:
        tally.at_most(most, "cap", "wfb3:14.6.5-bonus-cap")


def _raised(base: float, bonus: int, cap: int) -> float:
    """wfb3:14.6.5-bonus-cap  What a value comes to with a bonus lent by somebody whose own value is this."""
    return min(base + bonus, max(base, min(10, cap)))


def leader_bonus(leader: Model | None, stat: str) -> int:
    """wfb3:14.5-mental-bonus  What a character lends; ordinary leaders lend nothing."""
    if leader is None or leader.role != "character":
        return 0
    lent = dict(leader.hero.bonus).get(stat, 0)
    return max(0, lent - leader.hero.ld_less) if stat == "Ld" else lent


def _general(battle: Battle, unit: Unit, base: float) -> tuple[int, int, str, str] | None:
    """wfb3:14.8-general-radius, wfb3:14.8.1-second-radius
    The Ld bonus and Ld of the general where the unit's leader is within 12" of him, or of a second within his reach.

    Ruling: a general who has joined a unit without leading it is near its leader too.
    """
    best: tuple[int, int, str, str] | None = None
    for home in battle.units.values():
        if home.seat != unit.seat or not (home.character.general or home.character.second_radius):
            continue
        chief = battle.models.get(home.id, None)
        if chief is None or not chief.alive or unit.leader == chief.id:
            continue
        far = GENERAL if home.character.general else home.character.second_radius
        if not home.character.general:
            battle.cite("wfb3:14.8.1-seconds")
            if not _same_race(battle, chief, unit):
                continue
        here, there = sections.spot(battle, chief), _command_point(battle, unit)
        if here is None or there is None:
            continue
        if (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2 <= (inches(far) + 0.03) ** 2:
            who = (
                ("general", "wfb3:14.8-general-radius")
                if home.character.general
                else ("second", "wfb3:14.8.1-second-radius")
            )
            found = (leader_bonus(chief, "Ld"), chief.profile.Ld - chief.hero.ld_less, *who)
            better = best is None or _raised(base, *found[:2]) > _raised(base, *best[:2])
            best = found if better else best
    return best


@cites
def _same_race(battle: Battle, chief: Model, unit: Unit) -> bool:
    """wfb3:14.8.1-second-race  The race of most of its members, its leader apart; some seconds command all races."""
    if any(isinstance(trait, Undead | Daemon | Ethereal) for trait in chief.profile.abilities):
        return True
    races = [m.profile.race for m in battle.members(unit) if m.id != unit.leader] or [unit.profile.race]
    return max(dict.fromkeys(races), key=races.count) == chief.profile.race


def _command_point(battle: Battle, unit: Unit) -> tuple[float, float] | None:
    """wfb3:14.8-general-radius, wfb3:11.1.3-leaderless
    Where a unit's leader is; without one, the middle of its front."""
    leader = battle.leader(unit)
    if leader is not None and (at := sections.spot(battle, leader)) is not None:
        return at
    battle.cite("wfb3:11.1.3-leaderless")
    if unit.where == "building":
        return sections.spot(battle, battle.models[unit.models[0]])
    return unit.block.front if unit.block is not None else None


def front_musician(battle: Battle, unit: Unit) -> bool:
    """wfb3:12.6-musician  Whether a living musician plays in the front rank."""
    musician = battle.role(unit, "musician")
    return musician is not None and in_front(battle, unit, musician)


def in_front(battle: Battle, unit: Unit, model: Model) -> bool:
    """Whether a model stands in the front rank."""
    if unit.block is None or model.id not in unit.models:
        return False
    place = unit.block.places[unit.models.index(model.id)]
    return place.rank == 0


def _hates_a_foe(battle: Battle, unit: Unit) -> bool:
    """wfb3:10.6-break  Whether a unit fights enemies it hates; beside others those must have decided the round."""
    traits = [t for t in battle.traits(unit) if isinstance(t, Hatred)]
    hated = [any(t.hates(foe.profile.race) for t in traits) for foe, _, _ in battle.foes(unit)]
    return any(hated) and (all(hated) or unit.combat.hated_won == battle.clock)


def move(battle: Battle, unit: Unit) -> Tally:
    """wfb3:5.1-encumbrance, wfb3:5.4-slowest  Inches of a normal move: the slowest member, armour counted."""
    best: Tally | None = None
    for model in battle.members(unit):
        if model.role == "altar" and unit.kind != "altar":
            continue
        carrier = model.mount or model.profile
        points = armour_points(model.profile, model.kit, model.mount)
        tally = _car(battle, model) if model.ride.car is not None else Tally(carrier.M, "M", "wfb3:3-profile")
        table = "wfb3:5.1-mounted-table" if model.mount is not None else "wfb3:5.1-foot-table"
        lost = encumbrance(points)
        if lost:
            tally.add(-lost, "armour", "wfb3:5.1-encumbrance")
            tally.set(tally.value, "table", table)
        if best is not None and tally.value != best.value:
            battle.cite("wfb3:5.4-slowest")
        if best is None or tally.value < best.value:
            best = tally
    if best is None:
        best = Tally(unit.profile.M, "M", "wfb3:3-profile")
    if unit.kind == "pack":
        battle.cite("wfb3:15.1-pack-speed")
    if any(m.role == "altar" for m in battle.members(unit)):
        best.set(half_up(best.value / 2), "altar", "wfb3:16.2-altar-guards")
    spells_in_effect.move(battle, unit, best)
    if unit.drill.formation == "testudo":
        best.set(half_up(best.value / 2), "testudo", "wfb3:5.7.7-testudo")
    battle.cite(*best.rules)
    return best


def _car(battle: Battle, model: Model) -> Tally:
    """wfb3:20.2-team, wfb3:20.8.1-damage-table
    A chariot's move; where the pole has snapped, that of its crew on foot."""
    assert model.ride.car is not None
    if "pole" in model.ride.marks and model.ride.crew:
        return Tally(min(battle.models[k].profile.M for k in model.ride.crew), "on-foot", "wfb3:20.8.1-damage-table")
    return vehicles.speed(model.ride.car, model.ride.team)


def doubled(battle: Battle, unit: Unit, purpose: str) -> Tally:
    """wfb3:7.1-double, wfb3:8.2-initial
    Twice the move; flails slow charges and pursuits down (wfb3:13.5.5-flail-speed)."""
    tally = move(battle, unit)
    rules = {"charge": "wfb3:7.1-double", "pursuit": "wfb3:8.5-pursue", "flee": "wfb3:7.2.3-flee"}
    if purpose in ("charge", "pursuit") and unit.mount is None and "flail" in unit.kit.weapons:
        battle.cite("wfb3:13.5.5-flail-speed")
        return tally.times(1, "flail", "wfb3:13.5.5-flail-speed")
    if purpose == "rout" and unit.mount is None and "flail" in unit.kit.weapons:
        battle.cite("wfb3:13.5.5-flail-rout")
        return tally.times(1, "flail", "wfb3:13.5.5-flail-rout")
    battle.cite(rules.get(purpose, "wfb3:8.2-initial"))
    if unit.kind == "pack" and purpose in ("charge", "pursuit"):
        tally = Tally(unit.profile.M, "beasts", "wfb3:15.1-pack-speed")
        battle.cite("wfb3:15.1-pack-speed")
    return tally.times(2, purpose, rules.get(purpose, "wfb3:8.2-initial"))

"""wfb3:12, 7.12-standard  Banners: what they are worth, how they fall, are taken up, lost and captured."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import great_standards, stats
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.questions import Option, Pick, Roll, Script


def flies(battle: Battle, unit: Unit) -> int:
    """wfb3:12.2-banner-bonus, 7.12-standard  1 for a unit whose living bearer stands in the front rank."""
    bearer = battle.role(unit, "standard")
    if bearer is None or unit.banner != "held" or not stats.in_front(battle, unit, bearer):
        return 0
    battle.cite("wfb3:12.2-banner-bonus")
    return 1


def dropped_in_rout(battle: Battle, unit: Unit, causes: tuple[str, ...], melee: bool) -> None:
    """wfb3:12.7-rout-loses-banner, 12.7-rout-captured, 12.7-rout-models

    Routers drop banner, instrument and trophies.
    """
    if battle.house["simple_banner"]:
        battle.cite("wfb3:27.4-banner")
    elif unit.banner in ("held", "dropped"):
        if melee and causes and battle.units[causes[0]].seat != unit.seat:
            unit.banner = "captured"
            captor = battle.units[causes[0]]
            captor.trophies = (*captor.trophies, unit.id)
            battle.tell("banner.captured", "wfb3:12.7-rout-captured", (unit.id, captor.id))
        else:
            unit.banner = "lost"
            battle.tell("banner.lost", "wfb3:12.7-rout-loses-banner", (unit.id,))
    if melee and causes and battle.units[causes[0]].seat != unit.seat:
        great_standards.captured(battle, unit, battle.units[causes[0]])
    for trophy in unit.trophies:
        battle.units[trophy].banner = "lost"
        battle.cite("wfb3:12.7-rout-loses-banner")
    unit.trophies = ()
    for model in battle.members(unit):
        if model.role == "musician" or (model.role == "standard" and not battle.house["simple_banner"]):
            model.role = ""
            battle.cite("wfb3:12.7-rout-models")


def after_round(battle: Battle, victors: Sequence[Unit], beaten: Sequence[Unit]) -> Script[None]:
    """wfb3:12.3-pick-up, 12.3-capture-fight  Banners whose bearers fell this round."""
    for unit in victors:
        if unit.banner == "dropped" and unit.where == "table":
            taken = next((m for m in battle.ordinary(unit) if not m.role), None)
            if taken is not None:
                taken.role = "standard"
                unit.banner = "held"
                battle.tell("banner.up", "wfb3:12.3-pick-up", (unit.id,))
    for unit in beaten:
        if unit.banner != "dropped" or unit.where != "table":
            continue
        if battle.house["simple_banner"]:
            battle.cite("wfb3:27.4-banner")
            unit.banner = "held"
            continue
        foe = next((f for f, _, _ in battle.foes(unit) if f.where == "table"), None)
        if foe is None:
            unit.banner = "lost"
            battle.tell("banner.lost", "wfb3:12.3-capture-declined", (unit.id,))
            continue
        yield from _fight_for_it(battle, unit, foe)


def _fight_for_it(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:12.3-capture-fight, 12.3-capture-drawn, 12.3-capture-declined

    One more round between the two, for the banner.
    """
    from grognard.games.wfb3 import combat, results, rout

    options = [Option("try", True, "option.banner.try"), Option("leave", False, "option.banner.leave")]
    tries = yield Pick(foe.seat, "banner.capture", options, rule="wfb3:12.3-capture-fight", about=(foe.id, unit.id))
    if not tries:
        unit.banner = "lost"
        battle.tell("banner.lost", "wfb3:12.3-capture-declined", (unit.id,))
        return
    battle.tell("banner.fight", "wfb3:12.3-capture-fight", (foe.id, unit.id))
    pair = [unit, foe]
    score = results.Score(pair)
    results.note_ranks(battle, pair, score)
    yield from combat.blows(battle, pair, score)
    if unit.where != "table" or foe.where != "table":
        unit.banner = "lost" if foe.where != "table" else "captured"
        return
    ours, theirs = (results.total(battle, [u], score).value for u in pair)
    if ours == theirs:
        unit.banner = "lost"
        battle.tell("banner.lost", "wfb3:12.3-capture-drawn", (unit.id,))
        return
    loser = unit if ours < theirs else foe
    if loser is unit:
        unit.banner = "captured"
        foe.trophies = (*foe.trophies, unit.id)
        battle.tell("banner.captured", "wfb3:12.3-carry-captured", (unit.id, foe.id))
        battle.cite("wfb3:12.3-ld-penalty")
    else:
        unit.banner = "held"
        taken = next((m for m in battle.ordinary(unit) if not m.role), None)
        if taken is not None:
            taken.role = "standard"
    passed = yield from rout.rout_test(battle, loser, "wfb3:12.3-capture-fight")
    if not passed:
        winner = foe if loser is unit else unit
        yield from rout.begin(battle, loser, (winner.id,), melee=True)
        yield from rout.broken(battle, loser, (winner.id,))


def chased(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:27.4-banner  Optional: who routs and pursues a unit takes its banner on 2 or more, on a 1 it is lost."""
    if not battle.house["simple_banner"] or unit.banner not in ("held", "dropped"):
        return
    (face,) = yield Roll(foe.seat, "banner.taken", 6, rule="wfb3:27.4-banner", about=(foe.id, unit.id), cuts=(2,))
    unit.banner = "captured" if face >= 2 else "lost"
    if face >= 2:
        foe.trophies = (*foe.trophies, unit.id)
    battle.tell("banner.captured" if face >= 2 else "banner.lost", "wfb3:27.4-banner", (unit.id, foe.id))

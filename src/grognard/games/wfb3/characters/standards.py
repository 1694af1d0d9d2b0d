"""wfb3:7.12-standard  Banners: what they are worth, how they fall, are taken up, lost and captured."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.abilities.troops import Undead
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.characters import army_standards
from grognard.games.wfb3.combat import blows, results, striking
from grognard.games.wfb3.combat.score import Score
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.table import indoor_fights, seating
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Pick, Roll, Script


def flies(battle: Battle, unit: Unit) -> int:
    """wfb3:12.2-banner-bonus, wfb3:7.12-standard, wfb3:12.1-undead
    1 for a unit whose living bearer stands in the front rank."""
    if unit.kind == "chariot":
        leads = (
            unit.standards.banner == "held"
            and unit.leader in unit.models
            and bool(battle.models[unit.leader].ride.crew)
        )
        battle.cite("wfb3:20.1-units", *(["wfb3:12.2-banner-bonus"] if leads else []))
        return int(leads)
    bearer = battle.role(unit, "standard")
    if bearer is None or unit.standards.banner != "held" or not _shown(battle, unit, bearer):
        return 0
    battle.cite("wfb3:12.2-banner-bonus")
    if battle.trait(unit, Undead) is not None:
        battle.cite("wfb3:12.1-undead")
    return 1


def _shown(battle: Battle, unit: Unit, bearer: Model) -> bool:
    """wfb3:12.2-banner-bonus  Whether a bearer stands where it is fought: in the front rank, indoors in such a room."""
    if unit.where == "building":
        return bearer.id in indoor_fights.fighting(battle, unit)
    return stats.in_front(battle, unit, bearer)


def dropped_in_rout(battle: Battle, unit: Unit, causes: tuple[str, ...], melee: bool) -> None:
    """wfb3:12.7-rout-loses-banner, wfb3:12.7-rout-captured, wfb3:12.7-rout-models
    Routers drop banner, instrument and trophies.
    """
    if battle.house["simple_banner"]:
        battle.cite("wfb3:27.4-banner")
    elif unit.standards.banner in ("held", "dropped"):
        if melee and causes and battle.units[causes[0]].seat != unit.seat:
            captor = battle.units[causes[0]]
            take(battle, unit, captor)
            battle.tell("banner.captured", "wfb3:12.7-rout-captured", (unit.id, captor.id))
        else:
            unit.standards = unit.standards.but(banner="lost")
            battle.tell("banner.lost", "wfb3:12.7-rout-loses-banner", (unit.id,))
    foe = battle.units[causes[0]] if melee and causes and battle.units[causes[0]].seat != unit.seat else None
    army_standards.dropped_in_rout(battle, unit, foe)
    for trophy in unit.standards.trophies:
        if battle.units[trophy].standards.banner == "captured":
            battle.units[trophy].standards = battle.units[trophy].standards.but(banner="lost")
        battle.cite("wfb3:12.7-rout-loses-banner")
    unit.standards = unit.standards.but(trophies=(), let_fall=())
    for model in battle.members(unit):
        model.trophy = ""
        if model.role == "musician" or (model.role == "standard" and not battle.house["simple_banner"]):
            model.role = ""
            battle.cite("wfb3:12.7-rout-models")


@cites
def take(battle: Battle, unit: Unit, captor: Unit) -> None:
    """wfb3:12.3-carry-captured  A banner is carried off by some model of the unit that took it."""
    unit.standards = unit.standards.but(banner="captured", banner_taken=True)
    captor.standards = captor.standards.but(trophies=(*captor.standards.trophies, unit.id))
    _carry(battle, captor, unit.id)


def take_great(battle: Battle, home: Unit, captor: Unit) -> None:
    """wfb3:16.1-capture  An army standard is carried off like a banner."""
    captor.standards = captor.standards.but(trophies=(*captor.standards.trophies, home.id))
    _carry(battle, captor, home.id)


def _carry(battle: Battle, captor: Unit, trophy: str) -> None:
    plain = [m for m in battle.ordinary(captor) if not m.role and not m.trophy]
    if plain and captor.where == "table":
        plain[-1].trophy = trophy
        if captor.kind != "character":
            seating.swap_in(battle, captor)


def after_round(battle: Battle, victors: Sequence[Unit], beaten: Sequence[Unit]) -> Script[list[Unit]]:
    """wfb3:12.3-pick-up, wfb3:12.3-capture-fight, wfb3:12.5-recover
    Banners whose bearers fell: the winners take theirs up, those of the beaten are fought for. Who is pushed back
    in the end is returned.
    """
    for unit in victors:
        if unit.where in PRESENT:
            _pick_up(battle, unit)
    pushed: list[Unit] = []
    for unit in beaten:
        losers = [unit]
        if unit.where in PRESENT:
            for banner in _fallen(battle, unit):
                losers = yield from dispute(battle, unit, banner)
        pushed += [u for u in losers if u.where in PRESENT and not u.rout.routed and u not in pushed]
    return pushed


def _fallen(battle: Battle, unit: Unit) -> list[str]:
    own = [unit.id] if unit.standards.banner == "dropped" else []
    return [*own, *unit.standards.let_fall]


def _pick_up(battle: Battle, unit: Unit) -> None:
    """wfb3:12.3-pick-up  Another model takes the banner up at once."""
    for banner in _fallen(battle, unit):
        if banner == unit.id:
            _hoist(battle, unit)
        else:
            _carry(battle, unit, banner)
        battle.tell("banner.up", "wfb3:12.3-pick-up", (unit.id, banner))
    unit.standards = unit.standards.but(let_fall=())


def _hoist(battle: Battle, unit: Unit) -> None:
    taken = next((m for m in battle.ordinary(unit) if not m.role), None)
    if taken is not None:
        taken.role = "standard"
        unit.standards = unit.standards.but(banner="held")
        if unit.block is not None:
            seating.swap_in(battle, unit)


def dispute(battle: Battle, unit: Unit, banner: str) -> Script[list[Unit]]:
    """One fallen banner of a beaten unit, its own or one it had taken; who is pushed back after it.

    Ruling: where several have beaten it, each in turn may be the one that tries.
    """
    if battle.house["simple_banner"]:
        battle.cite("wfb3:27.4-banner")
        _pick_up(battle, unit)
        return [unit]
    foes = [f for f, _, _ in battle.foes(unit) if f.where in PRESENT]
    options = [Option("try", True, "option.banner.try"), Option("leave", False, "option.banner.leave")]
    for foe in foes:
        tries = yield Pick(
            foe.seat, "banner.capture", options, optional=True, nay="leave", rule="wfb3:12.3-capture-fight",
            about=(foe.id, unit.id, banner),
        )  # fmt: skip
        if tries:
            return (yield from _fight_for_it(battle, unit, [foe, *(f for f in foes if f is not foe)], banner))
    _abandon(battle, unit, banner, "wfb3:12.3-capture-declined")
    return [unit]


def _abandon(battle: Battle, unit: Unit, banner: str, rule: str) -> None:
    """wfb3:12.3-capture-drawn, wfb3:12.3-capture-declined  Nobody holds it: lost, not captured."""
    if battle.units[banner].standards.great == "dropped":
        army_standards.lose(battle, battle.units[banner], unit)
        return
    battle.units[banner].standards = battle.units[banner].standards.but(banner="lost")
    _gone(unit, banner)
    battle.tell("banner.lost", rule, (banner, unit.id))


def _gone(unit: Unit, banner: str) -> None:
    unit.standards = unit.standards.but(
        let_fall=tuple(b for b in unit.standards.let_fall if b != banner),
        trophies=tuple(b for b in unit.standards.trophies if b != banner),
    )


def _fight_for_it(battle: Battle, unit: Unit, foes: list[Unit], banner: str) -> Script[list[Unit]]:
    """wfb3:12.3-capture-fight, wfb3:12.3-capture-drawn  One more round between them; its losers test for rout.

    Ruling: the test is taken before the loss of the banner counts; then the loser of the last decided round is pushed.
    """
    foe, party = foes[0], [unit, *foes]
    battle.tell("banner.fight", "wfb3:12.3-capture-fight", (foe.id, unit.id))
    score = Score(party)
    score.after = tuple(f.id for f in foes)
    for one in party:
        one.combat = one.combat.but(won=NEVER)  # nobody has followed up since the round before
    results.note_ranks(battle, party, score)
    there = [u.id for u in party]
    yield from blows.blows(
        battle, party, score, [g for u in party for g in striking.groups(battle, u) if g.foe in there]
    )
    left = [f for f in foes if f.where in PRESENT]
    if unit.where not in PRESENT or not left:
        if left:
            _won(battle, unit, foe if foe in left else left[0], banner)
        return [unit] if unit.where in PRESENT else left
    ours, theirs = (results.total(battle, side, score) for side in ([unit], left))
    battle.tell(
        "combat.drawn" if ours.value == theirs.value else "combat.won",
        "wfb3:7.13.1-draw" if ours.value == theirs.value else "wfb3:7.12-score",
        tuple(there),
        **({} if ours.value == theirs.value else {"winner": unit.seat if ours.value > theirs.value else foe.seat}),
        first=ours,
        second=theirs,
    )
    if ours.value == theirs.value:
        _abandon(battle, unit, banner, "wfb3:12.3-capture-drawn")
        return [unit]
    losers, winners = ([unit], left) if ours.value < theirs.value else (left, [unit])
    held = []
    for loser in losers:
        held.append((yield from rout.rout_test(battle, loser, "wfb3:12.3-capture-fight")))
    if losers == [unit]:
        _won(battle, unit, foe if foe in left else left[0], banner)
    else:
        _pick_up(battle, unit)
        unit.combat = unit.combat.but(won=battle.clock)
        battle.tell("banner.kept", "wfb3:12.3-capture-fight", (banner, unit.id))
    for loser, passed in zip(losers, held, strict=True):
        if not passed:
            names = tuple(u.id for u in winners)
            yield from rout.begin(battle, loser, names, melee=True)
            yield from rout.broken(battle, loser, names)
    return losers


def _won(battle: Battle, unit: Unit, foe: Unit, banner: str) -> None:
    """wfb3:12.3-carry-captured, wfb3:12.3-ld-penalty, wfb3:12.5-recover  The winner of the fight has the banner."""
    owner = battle.units[banner]
    if owner.standards.great == "dropped":
        army_standards.take(battle, owner, unit, foe)
        take_great(battle, owner, foe)
        return
    if owner.standards.great == "captured":
        _gone(unit, banner)
        army_standards.retaken(battle, owner, foe)
        return
    if owner is unit:
        take(battle, unit, foe)
        battle.tell("banner.captured", "wfb3:12.3-carry-captured", (unit.id, foe.id))
        battle.cite("wfb3:12.3-ld-penalty")
        return
    _gone(unit, banner)
    owner.standards = owner.standards.but(banner="recovered", banner_taken=False)
    if owner is foe:
        _hoist(battle, foe)
    battle.tell("banner.recovered", "wfb3:12.5-recover", (banner, foe.id))


def chased(battle: Battle, unit: Unit, foe: Unit) -> Script[None]:
    """wfb3:27.4-banner  Optional: who routs and pursues a unit takes its banner on 2 or more, on a 1 it is lost."""
    if not battle.house["simple_banner"] or unit.standards.banner not in ("held", "dropped"):
        return
    (face,) = yield Roll(foe.seat, "banner.taken", 6, rule="wfb3:27.4-banner", about=(foe.id, unit.id), cuts=(2,))
    if face >= 2:
        take(battle, unit, foe)
    else:
        unit.standards = unit.standards.but(banner="lost")
    battle.tell("banner.captured" if face >= 2 else "banner.lost", "wfb3:27.4-banner", (unit.id, foe.id))

"""Chapter 22, chapter 20.1, nemesis:7-commander-lost
Courage and fear: who tests, with which value, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.games.nemesis.battle import ABILITIES, Battle
from grognard.games.nemesis.forces import Model, Unit
from grognard.games.nemesis.rolls.fearless import ABSENT, knows_no_fear, stands_firm, troopers
from grognard.games.nemesis.rolls.rerolls import MIRROR, heed, holds, spend, tester
from grognard.games.nemesis.rolls.stats import has_courage, stat, typical
from grognard.games.nemesis.rolls.steps import Tester, under
from grognard.games.nemesis.table import engagements
from grognard.kernel.citing import cites
from grognard.kernel.elsewhere import elsewhere
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally

TEST = "nemesis:22-test"
SCARY = "nemesis:22.2-scary"
HALF = "nemesis:20.1-half"
BOTH = "nemesis:20.1-both"
WHEN = "nemesis:22.1-when"
CLASS = "nemesis:A1-class"

#: The word on a card for a model that causes fear without being undead (the book's "effrayante").
FRIGHTENING = "frightening"

#: A change to C: how much, what it is, which rule.
Mod = tuple[int, str, str]


class Lead(NamedTuple):
    """Someone whose C may be tested: the regiment's own troopers, its champion or the hero within."""

    model: Model
    value: Tally
    who: Tester
    rule: str


# ---------------------------------------------------------------------- one test


def test(
    battle: Battle, unit: Unit, name: str, rule: str, *, mods: Sequence[Mod] = (), flight: bool = False,
    model: Model | None = None,
) -> Script[bool]:  # fmt: skip
    """nemesis:22-test  1D10 equal to or under C; `rule` is what calls for it, `flight` that failing means fleeing.

    With `model` that one tests alone, else the unit as one (nemesis:5.1-group-test). All that calls for it comes here
    (nemesis:22-triggers).
    """
    about = (model.id,) if model is not None else (unit.id,)
    dash = not any(map(has_courage, [model] if model is not None else troopers(battle, unit)))
    if dash or (flight and stands_firm(battle, unit)):
        battle.cite(*(("nemesis:5.1-C",) if dash else ()))
        battle.tell("courage.firm", ABSENT if dash else rule, about)
        return True
    lead = yield from _choose_lead(battle, unit, rule, flight, model)
    value = lead.value
    for amount, what, cause in mods:
        value.add(amount, what, cause)
    value.at_least(0, "floor", "nemesis:X.12-floors")
    battle.cite("nemesis:22-triggers", rule, lead.rule)
    if model is None and unit.regiment:
        battle.cite("nemesis:5.1-group-test")
    who = msgspec.structs.replace(lead.who, about=about)
    rolled = yield from heed(battle, under(who, name, value, TEST))
    spend(battle, lead.model, rolled.used)
    if not rolled.passed and model is None:
        unit.courage_failed = True
    battle.tell("courage.passed" if rolled.passed else "courage.failed", rule, about, courage=value, face=rolled.face)
    return rolled.passed


def _choose_lead(battle: Battle, unit: Unit, rule: str, flight: bool, model: Model | None) -> Script[Lead]:
    """nemesis:6-champion, nemesis:6-hero  The regiment's own C, or its champion's, or the hero's, as the owner likes.

    Whoever is worse in every way is not asked about.
    """
    leads = [_lead(battle, model, TEST, flight)] if model is not None else _leads(battle, unit, flight)
    worth = [a for place, a in enumerate(leads) if not any(_better(b, a, i < place) for i, b in enumerate(leads))]
    options = [
        option(lead.model.id, lead, text="option.courage-of", about=(lead.model.id,), data={"model": lead.model.id})
        for lead in worth
    ]
    chosen: Lead = yield Pick(unit.seat, "courage.whose", options, rule=rule, about=(unit.id,))
    return chosen


def _lead(battle: Battle, model: Model, rule: str, flight: bool) -> Lead:
    who = tester(battle, model, kinds=("stat", "flight") if flight else ("stat",))
    battle.flag(model, "rerolls_flight")
    twice = battle.flag(model, "best_of_two_courage")
    return Lead(model, stat(battle, model, "C"), msgspec.structs.replace(who, best_of_two=bool(twice)), rule)


def _leads(battle: Battle, unit: Unit, flight: bool) -> list[Lead]:
    own = [m for m in troopers(battle, unit) if has_courage(m) and not m.champion] or troopers(battle, unit)
    leads = [_lead(battle, typical(battle, own, "C"), "nemesis:5.1-group-test", flight)]
    for member in battle.standing(unit):
        if member is leads[0].model or not has_courage(member):
            continue
        if member.champion:
            leads.append(_lead(battle, member, "nemesis:6-champion", flight))
        elif member.id == unit.hero:
            leads.append(_lead(battle, member, "nemesis:6-hero", flight))
    return leads


def _better(one: Lead, other: Lead, first: bool) -> bool:
    """Whether one is at least as good in every way, and better or the first of equals."""
    if one is other or any(source not in one.who.again for source in other.who.again):
        return False
    mine, his = (one.value.value, one.who.best_of_two), (other.value.value, other.who.best_of_two)
    if mine[0] < his[0] or mine[1] < his[1]:
        return False
    return first or mine != his or len(one.who.again) > len(other.who.again)


# ---------------------------------------------------------------------- fear


def fear_test(battle: Battle, unit: Unit, causers: list[Unit], *, charging: bool) -> Script[str]:
    """nemesis:22.1-when  A unit faces fear: "brave", "immune", "failed" or "failed-big" (2+ taller). Sets flags only.

    nemesis:22.1-multi  When charged, one test per turn, against the largest fear-causer; its result stands.
    nemesis:22.1-size  The difference in size counts, unless the unit causes fear itself.
    """
    source = _dreaded(battle, unit, causers)
    if source is None:
        if not any(_scary(battle, c) for c in causers):
            return "brave"
        battle.cite(WHEN)
        return "immune"
    mine = _size(battle, unit)
    big = source.card.size >= mine + 2
    if charging or unit.fear_tested is None:
        mods: list[Mod] = []
        if not _own_terror(battle, unit):
            mods = [(mine - source.card.size, "size", "nemesis:22.1-size")]
            battle.cite("nemesis:22.1-size")
        flight = big and not charging and not battle.engaged(unit)
        if not charging and battle.engaged(unit):
            battle.cite("nemesis:16.3-engaged-target")
        battle.cite(f"nemesis:22.1-{'charger-fails' if charging else 'charged'}{'-big' if big else ''}")
        brave = yield from test(battle, unit, "fear", WHEN, mods=mods, flight=flight)
        if not charging:
            unit.fear_tested = brave
    else:
        battle.cite("nemesis:22.1-multi")
        brave = unit.fear_tested
    if len(causers) > 1:
        battle.cite("nemesis:22.1-multi")
    if brave:
        return "brave"
    return _afraid(battle, unit, battle.unit_of(source), big, charging)


def _afraid(battle: Battle, unit: Unit, causer: Unit, big: bool, charging: bool) -> str:
    """nemesis:22.1-charger-fails, nemesis:22.1-charger-fails-big, nemesis:22.1-charged, nemesis:22.1-charged-big
    What a failure does.

    Ruling: one failed test makes a unit run once; a frightening enemy who then catches it fights a shaken one.
    """
    about = (unit.id, causer.id)
    if charging:
        unit.stunned = unit.stunned or big
        battle.tell("fear.charger", f"nemesis:22.1-charger-fails{'-big' if big else ''}", about, stunned=big)
        return "failed-big" if big else "failed"
    if big and not battle.engaged(unit) and not unit.fleeing:
        battle.tell("fear.terror", "nemesis:22.1-charged-big", about)
        return "failed-big"
    if big:
        battle.cite("nemesis:22.1-charged-big")
    _shake(battle, unit, causer)
    return "failed"


def _shake(battle: Battle, unit: Unit, causer: Unit) -> None:
    """nemesis:22.1-charged  -1 to combat rolls and courage while the combat with the causer lasts."""
    unit.shaken = True
    unit.shaken_by = tuple(dict.fromkeys((*unit.shaken_by, causer.id)))
    battle.tell("fear.shaken", "nemesis:22.1-charged", (unit.id, causer.id))


def caught(battle: Battle, unit: Unit, causer: Unit) -> None:
    """nemesis:22.1-charged, nemesis:22.1-charged-big
    Who fled in terror and is caught by what frightens it fights shaken."""
    if _dreaded(battle, unit, [causer]) is not None:
        _shake(battle, unit, causer)


def terror(battle: Battle, model: Model) -> str:
    """nemesis:22.1-when, nemesis:A1.21-undead
    The rule by which a model causes fear: an ability, a word on its card; or ""."""
    trait = holds(battle, model, "causes_fear")
    if trait is not None:
        if CLASS not in battle.cited:
            battle.cite(CLASS, ABILITIES)
        return trait.rule
    return WHEN if model.card.has_keyword(FRIGHTENING) else ""


def _scary(battle: Battle, unit: Unit) -> list[Model]:
    """The fear-causers of a unit, the largest first."""
    return sorted((m for m in battle.standing(unit) if terror(battle, m)), key=lambda m: -m.card.size)


def _own_terror(battle: Battle, unit: Unit) -> list[str]:
    """nemesis:22.2-scary  By which rules a unit causes fear itself. Ruling: its troopers decide."""
    return [rule for m in troopers(battle, unit) if (rule := terror(battle, m))]


@cites
def _size(battle: Battle, unit: Unit) -> int:
    """nemesis:5.3  The size of a unit's troopers."""
    card = battle.card_of(unit)
    return card.size if card is not None else 1


def _dreaded(battle: Battle, unit: Unit, causers: list[Unit]) -> Model | None:
    """nemesis:22.2-absent, nemesis:22.2-scary, nemesis:A1.19-fearless, nemesis:A1.20-loyalty, nemesis:A1-mirror
    The largest model whose fear the unit must face."""
    scary = sorted((m for c in causers for m in _scary(battle, c)), key=lambda m: -m.card.size)
    if not scary:
        return None
    battle.cite(*(terror(battle, model) for model in scary))
    if knows_no_fear(battle, unit):
        return None
    own = _own_terror(battle, unit)
    if not own:
        return scary[0]
    others = [m for m in scary if terror(battle, m) not in own or terror(battle, m) == WHEN]
    if len(others) < len(scary):
        battle.cite(MIRROR)
    if others:
        battle.cite(SCARY)
    return next((m for m in others if m.card.size > _size(battle, unit)), None)


# ---------------------------------------------------------------------- when an army loses heart


@elsewhere
def flee(battle: Battle, unit: Unit, causes: Sequence[str], rule: str) -> Script[None]:
    """nemesis:X.1-flight  A unit flees from the causes; it is a move, past enemies who may strike and kill in turn."""
    raise NotImplementedError


def commander_check(battle: Battle) -> Script[None]:
    """nemesis:7-commander-lost  At the start of a turn an army without its commander tests, unit by unit, or flees."""
    rule = "nemesis:7-commander-lost"
    for seat in battle.order:
        commander = battle.sides[seat].commander
        if commander is None:
            continue
        battle.cite(rule)
        if battle.models[commander].on_table:
            continue
        for unit in battle.army(seat):
            if unit.models and not (yield from test(battle, unit, "courage", rule, flight=True)):
                yield from flee(battle, unit, (), rule)
    engagements.part(battle)


def half_losses(battle: Battle) -> Script[None]:
    """nemesis:20.1-half, nemesis:20.1-flee
    Regiments that lost half their models this turn test courage or flee at once."""
    spared = _outdone(battle)
    for seat in battle.order:
        for unit in battle.army(seat):
            if unit.regiment and unit.lost_this_turn:
                battle.cite(HALF, "nemesis:X.9-fractions")
            if not (unit.regiment and unit.models and _halved(unit)):
                continue
            if unit.id in spared:
                battle.tell("losses.outdone", BOTH, (unit.id,), lost=unit.lost_this_turn)
            elif not (yield from test(battle, unit, "courage", HALF, flight=True)):
                causes = tuple(u for u in engagements.rivals(battle, unit) if battle.units[u].models)
                yield from flee(battle, unit, causes, "nemesis:20.1-flee")
    engagements.part(battle)


def _halved(unit: Unit) -> bool:
    """nemesis:20.1-half, nemesis:X.9-fractions
    Half or more of the models it had at the start of the turn, unrounded."""
    return unit.lost_this_turn > 0 and 2 * unit.lost_this_turn >= unit.start_strength


def _outdone(battle: Battle) -> list[str]:
    """nemesis:20.1-both  Where all units of a combat lost half, only the one with most victims tests; level: nobody."""
    spared: list[str] = []
    for combat in engagements.groups(battle):
        units = [battle.units[key] for key in combat]
        if len(units) < 2 or not all(map(_halved, units)):
            continue
        most = max(u.lost_this_turn for u in units)
        worst = [u for u in units if u.lost_this_turn == most]
        spared += [u.id for u in units if u.lost_this_turn < most or len(worst) > 1]
    return spared

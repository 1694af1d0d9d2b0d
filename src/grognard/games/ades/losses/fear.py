"""Chapter 6  Fear: challenges before assaults, rout, flight and rallying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import WAITING, Fighter
from grognard.games.ades.losses import casualties
from grognard.games.ades.rolls import stats, tests
from grognard.kernel.questions import Pick, Script, option
from grognard.kernel.words.tally import Tally

CHALLENGE = "ades:6.1-challenge"
ROUTED = "ades:6.2-effects"
RALLY = 4  # ades:6.3-test


def fright(battle: Battle, source: Fighter, resister: Fighter, charging: bool) -> tuple[str, Tally] | None:
    """ades:6-frightening, ades:13.2-cri-de-guerre, ades:13.2-hyperien  The fear one causes another, and by what.

    The characteristic is PEU; COU for a Hyperian facing Darkness.
    """
    found: list[tuple[str, Tally]] = []
    if stats.has_stat(battle, source, "PEU"):
        found.append(("PEU", stats.stat(battle, source, "PEU")))
    if battle.has(source, "cri-de-guerre"):
        battle.cite("ades:13.2-cri-de-guerre")
    if charging and battle.has(source, "cri-de-guerre"):
        found.append(("PEU", Tally(battle.number(source, "cri-de-guerre"), "war cry", "ades:13.2-cri-de-guerre")))
    dark = resister.profile.path == "Darkness" or battle.has(resister, "immortel-tenebres")
    if battle.has(source, "hyperien") and dark:
        found.append(("COU", stats.stat(battle, source, "COU")))
    return max(found, key=lambda pair: pair[1].value) if found else None


def immune(battle: Battle, resister: Fighter, source: Fighter, fear: tuple[str, Tally]) -> bool:
    """ades:6-frightening, ades:6.1-won, ades:13.2-mort-vivant-noimmunity, ades:13.2-hyperien-immunity
    Whether a fear does not touch a fighter."""
    how, peu = fear
    if how == "COU":
        return _hyperian_proof(battle, resister, source, peu)
    if battle.immune(resister, "PEU") or battle.immune_from(resister, source):
        if battle.has(resister, "hyperien"):
            battle.cite("ades:13.2-hyperien-immunity")
        return True
    if resister.fear.resisted >= peu.value:
        battle.cite("ades:6.1-won")
        return True
    if cry := battle.number(resister, "cri-de-guerre"):
        battle.cite("ades:13.2-cri-de-guerre")
        if cry >= peu.value:
            return True
    if stats.has_stat(battle, resister, "PEU"):
        if stats.undead(battle, source) and not stats.undead(battle, resister):
            battle.cite("ades:13.2-mort-vivant-noimmunity")
            return False
        if stats.stat(battle, resister, "PEU").value >= peu.value:
            battle.cite("ades:6-frightening")
            return True
    return False


def _hyperian_proof(battle: Battle, resister: Fighter, source: Fighter, peu: Tally) -> bool:
    """ades:13.2-hyperien, ades:13.2-immortel-tenebres  Immunity to fear does not help those of Darkness."""
    if battle.uses(resister, "immunite", "Hyperian"):
        battle.cite("ades:13.2-hyperien-immunity")
        return True
    battle.cite("ades:13.2-hyperien")
    if battle.has(resister, "immortel-tenebres"):
        battle.cite("ades:13.2-immortel-tenebres")
    return resister.fear.resisted >= peu.value


def worst(battle: Battle, resister: Fighter, sources: list[Fighter], charging: bool) -> Fighter | None:
    """ades:6.1-trigger  Ruling: one challenge for each resister, by the most frightening it is not immune to."""
    found: tuple[float, Fighter] | None = None
    for source in sources:
        fear = fright(battle, source, resister, charging)
        if fear is None or immune(battle, resister, source, fear):
            continue
        if found is None or fear[1].value > found[0]:
            found = (fear[1].value, source)
    return found[1] if found else None


def challenge(battle: Battle, source: Fighter, resister: Fighter, charging: bool) -> Script[bool]:
    """ades:6.1-challenge  PEU against COU, begun by the frightening fighter; whether the resister loses."""
    fear = fright(battle, source, resister, charging)
    assert fear is not None
    how, peu = fear
    own = stats.stat(battle, source, how).value if how in source.profile.stats else 0
    more = [(int(peu.value - own), "war cry", "ades:13.2-cri-de-guerre")] if peu.value != own else []
    battle.cite("ades:6.1-trigger", "ades:6-frightening", *peu.rules)
    won = yield from tests.duel(battle, "fear", CHALLENGE, source, how, resister, "COU", plus=more)
    if won:
        battle.tell("fear.lost", CHALLENGE, (resister.id, source.id), peu=peu)
        rout(battle, resister, source)
        return True
    resister.fear = resister.fear.but(resisted=max(resister.fear.resisted, int(peu.value)))
    battle.tell("fear.resisted", "ades:6.1-won", (resister.id, source.id), peu=peu)
    return False


def rout(battle: Battle, fighter: Fighter, source: Fighter | None) -> None:
    """ades:6.2-effects, ades:13.2-mort-vivant-ephemere  Routed: -1 to everything but MOU until it rallies."""
    if fighter.fear.routed:
        return
    fighter.fear = fighter.fear.but(routed=True)
    battle.tell("routed", ROUTED, (fighter.id,))
    if source is not None and stats.undead(battle, source):
        fighter.fear = fighter.fear.but(fading=4)
        battle.tell("fading", "ades:13.2-mort-vivant-ephemere", (fighter.id, source.id))
    casualties.lost_commander(battle, fighter)


def may_flee(battle: Battle, fighter: Fighter) -> bool:
    """ades:6.1-target-lost, ades:13.2-fanatisme  Only who waits, and touches no enemy (Ruling); fanatics never."""
    if battle.uses(fighter, "fanatisme"):
        return False
    return fighter.state == WAITING and battle.free(fighter)


class Flight(NamedTuple):
    """ades:6.1-target-lost  Somebody who will flee, and from whom."""

    who: Fighter
    source: Fighter


def against_targets(
    battle: Battle, met: Sequence[tuple[Fighter, list[Fighter]]], targets: list[Fighter], charging: bool
) -> Script[list[Flight]]:
    """ades:6.1-trigger, ades:6.1-target-lost
    The fear of those who come into contact, for the routed too; who will flee.

    `met`: the assailants, and whom each of them will touch.
    """
    fleeing = []
    for target in targets:
        source = worst(battle, target, [who for who, foes in met if target in foes], charging)
        if source is None:
            continue
        lost = yield from challenge(battle, source, target, charging)
        if not lost:
            continue
        battle.cite("ades:6.1-target-lost")
        if may_flee(battle, target):
            options = [option("stay", text="option.fear-stay"), option("flee", text="option.fear-flee")]
            chosen = yield Pick(
                battle.chooser(source, target),
                "fear.choice",
                options,
                rule="ades:6.1-target-lost",
                about=(target.id, source.id),
            )
            if chosen == "flee":
                fleeing.append(Flight(target, source))
    return fleeing


def against_assailant(battle: Battle, assailant: Fighter, targets: list[Fighter]) -> Script[bool]:
    """ades:6.1-assailant-lost, ades:13.2-fanatisme  The targets' fear; whether the assault goes on."""
    source = worst(battle, assailant, targets, False)
    if source is None:
        return True
    if not (yield from challenge(battle, source, assailant, False)):
        return True
    if battle.uses(assailant, "fanatisme"):
        return True
    battle.tell("assault.afraid", "ades:6.1-assailant-lost", (assailant.id, source.id))
    return False


# ---------------------------------------------------------------------- running away


# ---------------------------------------------------------------------- rallying


def rally(battle: Battle, fighter: Fighter, right: int = 0, rule: str = "ades:6.3-test") -> Script[None]:
    """ades:6.3-test, ades:6.3-auto-fail  COU or DIS against 4; nobody rallies face to face with what it fears."""
    foes = battle.foes_of(fighter)
    for foe in foes:
        fear = fright(battle, foe, fighter, False)
        if fear is not None and not immune(battle, fighter, foe, fear):
            battle.tell("rally.impossible", "ades:6.3-auto-fail", (fighter.id, foe.id))
            return
    choices = [s for s in ("COU", "DIS") if stats.has_stat(battle, fighter, s)]
    if not choices:
        return
    options = tests.stat_options(battle, fighter, choices, lambda name: RALLY)
    stat = yield Pick(battle.chooser(fighter), "rally.stat", options, rule="ades:6.3-test", about=(fighter.id,))
    shifts = [(right, "rallying cry", "ades:13.2-cri-de-ralliement")] if right else []
    passed = yield from tests.test(battle, "rally", rule, fighter, stat, RALLY, shifts=shifts)
    if passed:
        fighter.fear = fighter.fear.but(routed=False, fading=0)
    battle.tell("rallied" if passed else "rally.failed", "ades:6.3-test", (fighter.id,))

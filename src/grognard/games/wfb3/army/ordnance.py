"""wfb3:19.1-crew-cost, wfb3:23.1.2-fire-missiles  Machines, braziers and torches in army lists."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.abilities.troops import FearsFire
from grognard.games.wfb3.army import machine_table
from grognard.games.wfb3.army.machine_table import CHAPTER, Ordered
from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.army.weapons import WEAPONS
from grognard.kernel.data import reading as read
from grognard.kernel.errors import BadInput
from grognard.kernel.words.tally import Tally

#: wfb3:23.1.1-torches  Missile weapons that need both hands.
BOTH_HANDS = ("bow", "short bow", "long bow", "crossbow", "repeating crossbow", "arquebus", "blunderbuss", "blowpipe")


def gear(said: dict[str, Any], where: str) -> dict[str, Any]:
    """wfb3:19.2-units, wfb3:23.1.2-fire-missiles  Machines, training and braziers of a line of a list."""
    wanted = said.get("machines") or []
    listed = [wanted] if isinstance(wanted, str | dict) else read.listing(wanted, f"{where}.machines")
    ordered = tuple(
        machine_table.read_engine({"engine": entry} if isinstance(entry, str) else entry, f"{where}.machines[{n}]")
        for n, entry in enumerate(listed)
    )
    crews = tuple(read.words(said.get("crews") or [], f"{where}.crews")) or tuple(
        dict.fromkeys(o.engine.kind for o in ordered)
    )
    for kind in crews:
        if kind not in CHAPTER:
            raise BadInput(
                "{where}.crews: {kind} is none of {known} (wfb3:19.3.3-replace)", where=where, kind=kind,
                known=", ".join(CHAPTER),
            )  # fmt: skip
    fire, brazier = bool(said.get("fire_missiles")), bool(said.get("brazier"))
    if fire and not said.get("missiles"):
        raise BadInput("{where}: fire missiles need a missile weapon (wfb3:23.1.2-fire-missiles)", where=where)
    return {"machines": ordered, "crews": crews, "fire_missiles": fire, "brazier": brazier}


def charge(total: Tally, made: dict[str, Any], count: int, where: str) -> None:
    """wfb3:19.1-crew-cost, wfb3:19.1-profile, wfb3:23.1.2-fire-missiles  What they add to the price of a unit."""
    for one in made["machines"]:
        total.add(one.engine.points, f"{one.engine.kind} {one.engine.crew}", one.engine.rule("table"))
    if made["crews"]:
        total.add(machine_table.GUNNER * count, "gunners", "wfb3:19.1-crew-cost")
    if made["fire_missiles"]:
        total.add(float(count), "fire missiles", "wfb3:23.1.2-fire-missiles")
        total.add(2.0 * made["brazier"], "brazier", "wfb3:23.1.2-fire-missiles")


def findings(count: int, ordered: tuple[Ordered, ...]) -> tuple[int, bool]:
    """wfb3:19.1-full-crew, wfb3:19.6-table  How many crewmen a unit lacks, and whether a ballista of it is too big."""
    needed = sum(o.engine.crew for o in ordered)
    return max(0, needed - count), any(o.engine.kind == "ballista" and o.engine.crew > 3 for o in ordered)


def check_torches(kit: Kit, profile: Profile, where: str) -> None:
    """wfb3:23.1.1-torches  Who may carry torches: nobody afraid of fire, nobody who needs both hands."""
    if not kit.torches:
        return
    both = [w for w in kit.weapons if WEAPONS[w].two_handed] + [m for m in kit.missiles if m in BOTH_HANDS]
    if both:
        raise BadInput(
            "{where}: torches are not for those who need both hands for a {weapon} (wfb3:23.1.1-torches)",
            where=where, weapon=both[0],
        )  # fmt: skip
    if profile.has(FearsFire) is not None:
        raise BadInput("{where}: {creature} fear fire and carry no torches (wfb3:23.1.1-torches)", where=where,
                       creature=profile.name)  # fmt: skip

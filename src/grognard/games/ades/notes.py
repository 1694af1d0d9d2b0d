"""What whoever decides should know: what powers do and cost, what an action is, what a die would have to show."""

from __future__ import annotations

from grognard.games.ades import steps
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.profiles import Do, Nexus, Power
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Note

#: ades:4.2.7, 8.4  What the effects of a power are told by; the others are told by their own name alone.
COUNTED = ("damage", "heal", "lose", "rout", "drain", "remove-nexus", "move")


def formula(power: Power, level: int) -> tuple[Note, ...]:
    """ades:8.4-cost, 8.4-level, 8.4-frequency  Its price and level, whom it is for, what it does and for how long."""
    price = Note("note.formula" if power.frequency else "note.formula-unique", {"cost": power.cost, "level": level})
    return (price, *meant(power, "zone"), *deeds(power))


def ability(power: Power) -> tuple[Note, ...]:
    """ades:1.1.2.10, 4.2.7  What kind of action an ability or artefact is, whom it is for and what it does."""
    often = "note.power" if power.frequency else "note.power-unique"
    return (Note(often, {"action": f"word.{power.action}"}), *meant(power, "seen"), *deeds(power))


def nexus(kind: Nexus) -> tuple[Note, ...]:
    """ades:12.3, 12.4-procedure  The trial, the sacrifice, and what it does."""
    stat, hard = kind.trial
    price = kind.sacrifice
    facts = {"number": price.number, "stats": signed(price), "skill": list(price.words)}
    paid = () if price.kind == "none" else (Note(f"note.sacrifice-{price.kind}", facts),)
    return (Note("note.trial", {"stat": stat, "against": hard}), *paid, *meant(kind.power, "seen"), *deeds(kind.power))


def meant(power: Power, reach: str) -> tuple[Note, ...]:
    """ades:8.4-range, 8.4-area  Whom a power may be aimed at, how far off, and how far round it works."""
    found = []
    if power.target in ("friend", "enemy", "any"):
        far = f"note.on-{power.target}"
        found.append(Note(far, {"cm": power.range}) if power.range else Note(f"{far}-{reach}"))
    if power.area:
        found.append(Note("note.around" if power.target in ("self", "around") else "note.area", {"cm": power.area}))
    if power.only:
        found.append(Note("note.only", {"only": power.only}))
    return tuple(found)


def deeds(power: Power) -> tuple[Note, ...]:
    """What a power does, and how long it lasts."""
    found = [deed(do) for do in power.does]
    if power.duration:
        found.append(Note("note.duration", {"turns": power.duration}, "ades:8.4-duration"))
    return tuple(found)


def deed(do: Do) -> Note:
    if do.kind == "stats":
        return Note("note.do-stats", {"stats": signed(do)})
    if do.words:
        return Note(f"note.do-{do.kind}", {"words": list(do.words)})
    return Note(f"note.do-{do.kind}", {"number": do.number} if do.kind in COUNTED else {})


def signed(do: Do) -> list[str]:
    """Characteristics with what is added to them: ATT +1."""
    return [f"{name} {count:+d}" for name, count in do.stats]


# ---------------------------------------------------------------------- actions and tactics


def action(battle: Battle, group: list[Fighter], kind: str, nature: str) -> tuple[Note, ...]:
    """ades:4.2.2-actions, 1.1.16  What an action is and how far it leads whoever of a group goes least far."""
    from grognard.games.ades import assault, movement, tactics

    found = [Note(f"note.{nature}", rule="ades:4.2.2-actions")]
    facts: dict[str, object] = {}
    if kind in WALKS:
        ways = [movement.way_for(battle, fighter, WALKS[kind]) for fighter in group]
    else:
        ways = [assault.way(battle, fighter, kind) for fighter in group] if kind in assault.RULES else []
    if ways:
        reach = min(way.budget(battle.pose(fighter).level) for way, fighter in zip(ways, group, strict=True))
        facts["cm"] = round(reach / MM_PER_CM, 2)
    if kind.startswith("force-"):
        found.append(cost(battle, group[0].seat, tactics.TACTICS["force"][2]))
    if kind == "cast":
        facts["um"] = group[0].um
    if kind in TOLD:
        found.insert(0, Note(f"note.act-{kind}", facts))
    return tuple(found)


#: The moves that end in contact with nobody, and how one goes.
WALKS = {"walk": "walk", "run": "run", "dodge": "dodge", "disengage": "disengage", "harass": "run"}
#: Actions that have more to say than their name.
TOLD = (
    *WALKS, "charge", "engage", "disengage-assault", "shoot", "aim", "artillery", "cast", "force-run", "force-charge",
    "force-engage",
)  # fmt: skip


def cost(battle: Battle, seat: str, price: int) -> Note:
    """ades:5.3.1, 13.2-autorite  What a tactic costs, and what there is to pay it with."""
    from grognard.games.ades import tactics

    facts = {"cost": price, "pt": battle.sides[seat].pt}
    with battle.cited_apart():
        chief = tactics.authority(battle, seat, price)
    if chief is None:
        return Note("note.cost", facts, "ades:5.3.1")
    return Note("note.cost-authority", facts | {"who": chief.id}, "ades:13.2-autorite")


def face(need: float) -> str:
    """ades:1.1.3-truc, 1.1.3-auto  The face a die must show: 4+, or that it succeeds or fails in any case."""
    return "word.always" if need <= 1 else "word.never" if need >= steps.NEVER else f"{need:g}+"

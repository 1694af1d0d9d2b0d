"""What whoever decides should know: what powers do, cost and are for."""

from __future__ import annotations

from grognard.games.ades.army.profiles import Do, Nexus, Power
from grognard.kernel.questions import Note

#: ades:4.2.7, 8.4  What the effects of a power are told by; the others are told by their own name alone.
COUNTED = ("damage", "heal", "lose", "rout", "drain", "remove-nexus", "move")


def formula(power: Power, level: int) -> tuple[Note, ...]:
    """ades:8.4-cost, ades:8.4-level, ades:8.4-frequency
    Its price and level, whom it is for, what it does and for how long."""
    price = Note("note.formula" if power.frequency else "note.formula-unique", {"cost": power.cost, "level": level})
    return (price, *meant(power, "zone"), *deeds(power))


def ability(power: Power) -> tuple[Note, ...]:
    """ades:1.1.2.10, ades:4.2.7  What kind of action an ability or artefact is, whom it is for and what it does."""
    often = "note.power" if power.frequency else "note.power-unique"
    return (Note(often, {"action": f"word.{power.action}"}), *meant(power, "seen"), *deeds(power))


def nexus(kind: Nexus) -> tuple[Note, ...]:
    """ades:12.3, ades:12.4-procedure  The trial, the sacrifice, and what it does."""
    stat, hard = kind.trial
    price = kind.sacrifice
    facts = {"number": price.number, "stats": signed(price), "skill": list(price.words)}
    paid = () if price.kind == "none" else (Note(f"note.sacrifice-{price.kind}", facts),)
    return (Note("note.trial", {"stat": stat, "against": hard}), *paid, *meant(kind.power, "seen"), *deeds(kind.power))


def meant(power: Power, reach: str) -> tuple[Note, ...]:
    """ades:8.4-range, ades:8.4-area  Whom a power may be aimed at, how far off, and how far round it works."""
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

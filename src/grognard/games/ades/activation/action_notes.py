"""What an action is and how far it leads, for whoever chooses one."""

from __future__ import annotations

from grognard.games.ades.assault import assault
from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.movement import movement
from grognard.games.ades.tactics import tactics
from grognard.kernel.geometry.units import MM_PER_CM
from grognard.kernel.questions import Note

#: The moves that end in contact with nobody, and how one goes.
WALKS = {"walk": "walk", "run": "run", "dodge": "dodge", "disengage": "disengage", "harass": "run"}
#: Actions that have more to say than their name.
TOLD = (
    *WALKS, "charge", "engage", "disengage-assault", "shoot", "aim", "artillery", "cast", "force-run", "force-charge",
    "force-engage",
)  # fmt: skip


def action(battle: Battle, group: list[Fighter], kind: str, nature: str) -> tuple[Note, ...]:
    """ades:4.2.2-actions, ades:1.1.16  What an action is and how far it leads whoever of a group goes least far."""
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
        found.append(tactics.cost(battle, group[0].seat, tactics.TACTICS["force"][2]))
    if kind == "cast":
        facts["um"] = group[0].powers.um
    if kind in TOLD:
        found.insert(0, Note(f"note.act-{kind}", facts))
    return tuple(found)

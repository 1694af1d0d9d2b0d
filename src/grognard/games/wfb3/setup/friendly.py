"""wfb3:2-friendly-setup  A friendly game: the host has laid the terrain, the guest picks his side of the table."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.kernel.questions import Option, Pick, Script

RULE = "wfb3:2-friendly-setup"


def phase(battle: Battle) -> Script[None]:
    """The second player chooses a long edge; the first has the other."""
    host, guest = battle.seats
    options = [Option(edge, edge, f"option.edge.{edge}") for edge in ("north", "south")]
    edge = yield Pick(guest, "table.side", options, rule=RULE, checkpoint=True)
    battle.sides[guest].edge = edge
    battle.sides[host].edge = "south" if edge == "north" else "north"
    battle.tell("table.side", RULE, (guest,), edge=edge)

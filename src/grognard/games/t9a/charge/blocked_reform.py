"""t9a:11.E.k-move  The Combat Reform of a unit charged along a Blocked Path."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import blocked_path
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import regained_contact
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import reforms, seating
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.shapes import Point
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.questions import Place, Script

RULE = "t9a:11.E.k-move"


def met(battle: Battle, unit: Unit, target: Unit, made: Contact) -> Script[None]:
    """t9a:11.E.k-move, t9a:11.E.k-fallback  The charged unit reforms to meet the charger.

    Ruling: its owner makes the Combat Reform: he may set it anywhere along the charger's front, and its Characters
    anywhere in it, where as many models touch; in other ranks and files, where those are needed, as he likes. In the
    middle, if he does not mind.
    """
    judge = MeetingJudge(battle, unit, target, made)
    about = (target.id, unit.id)
    found: Contact | None = yield Place(
        target.seat, "combat-reform.where", (target.id,), judge, optional=True, aside=True, rule=RULE, about=about
    )
    if found is not None:
        battle.put(target, found.target)
        side = found.side.name.lower()
        battle.tell("unit.combat-reformed", RULE, (target.id,), files=found.target.files, side=side)


class MeetingJudge:
    """t9a:11.E.k-move  A unit lifted and set against the charger's front: the side fixed before, its ranks and files
    if that can be, most models in contact.
    """

    def __init__(self, battle: Battle, unit: Unit, target: Unit, made: Contact) -> None:
        self.battle, self.unit, self.target, self.made = battle, unit, target, made
        self.kept = made.target.files == battle.block(target).files

    def decode(self, wire: Any) -> Contact:
        battle, target, made = self.battle, self.target, self.made
        facts = {"unit": target.id, "target": self.unit.id}
        laid = self._read(wire)
        if self.kept and laid.files != made.target.files:
            raise Refused(Refusal("refuse.blocked-path.shape", RULE, facts))
        refusal = ground.standing(battle, target, laid, ignoring=(self.unit.id,), linger=target.linger)
        if refusal is not None:
            raise Refused(msgspec.structs.replace(refusal, also=(*refusal.also, RULE)))
        touch = meeting(made.charger, Edge.FRONT, laid, made.side)
        got = float(len(touch.ours) + len(touch.theirs))
        if not touch.pairs or (self.kept and got < made.score[0]):
            raise Refused(Refusal("refuse.charge.contact", RULE, facts | {"got": got, "best": made.score[0]}))
        return msgspec.structs.replace(made, target=laid, score=(got,))

    def _read(self, wire: Any) -> Block:
        bad = Refused(Refusal("refuse.not-a-path", RULE, {"why": "spot"}))
        if not isinstance(wire, dict) or not set(wire) <= {"files", "shift", "seats", "side"}:
            raise bad
        files, shift = wire.get("files", self.made.target.files), wire.get("shift", 0.0)
        if isinstance(files, bool) or not isinstance(files, int):
            raise bad
        if isinstance(shift, bool) or not isinstance(shift, int | float):
            raise bad
        side = self.made.side
        if wire.get("side", side.name.lower()) != side.name.lower():
            facts = {"unit": self.target.id, "side": side.name.lower()}
            raise Refused(Refusal("refuse.blocked-path.side", RULE, facts))
        wants = reforms.read_seats(self.battle, self.target, wire.get("seats") or {}, RULE)
        shaped = seating.formed(self.battle, self.target, files, wants)
        if files == self.made.target.files and not wants:
            shaped = self.made.target
        stood = blocked_path.laid(shaped, side, self.made.charger, float(shift))
        return regained_contact.lined_up(stood, self.made.charger, side, Edge.FRONT)

    def encode(self, wire: Any) -> Any:
        self._read(wire)
        return dict(wire)

    def file_counts(self) -> tuple[int, ...]:
        """As many as it had, where it can stand so."""
        return (self.made.target.files,) if self.kept else seating.file_counts(self.battle, self.target)

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        """Along the charger's front, to where the hand is."""
        shift = {"shift": round(-self.made.charger.boundary.local(to)[0], 3)}
        return shift | ({} if files is None else {"files": files})

    def stages(self, wire: Any) -> list[Block]:
        return [self._read(wire)]

    def proposals(self) -> list[str]:
        return ["best"]

    def propose(self, name: str) -> Any:
        middle = self.made.target.boundary.middle(self.made.side)
        return {"shift": round(-self.made.charger.boundary.local(middle)[0], 3)}

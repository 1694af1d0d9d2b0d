"""wh40k:18.4-detachment  The rules Detachments may have, each a registered class, by the name on the card."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from grognard.kernel.questions import Pick, Script, option

if TYPE_CHECKING:
    from grognard.games.wh40k.battle import Battle
    from grognard.games.wh40k.forces import Model, Unit

RULE = "wh40k:18.4-detachment"


class DetachmentRule:
    """What a Detachment does for its army, with the answer of one that does nothing."""

    name: ClassVar[str]
    #: wh40k:3.2.2-cap  Command points its army gains as a battle round starts, within the limit of all such gains.
    command_points: ClassVar[int] = 0

    def may_act(self, battle: Battle, seat: str) -> bool:
        """Whether it has anything to do as a battle round starts."""
        return self.command_points > 0

    def act(self, battle: Battle, seat: str) -> Script[None]:
        """What it does as a battle round starts."""
        yield from ()


class IronDiscipline(DetachmentRule):
    """At the start of a battle round one Battle-shocked unit of the army recovers."""

    name = "Iron Discipline"

    def _shocked(self, battle: Battle, seat: str) -> list[Unit]:
        return [u for u in battle.army(seat) if u.shocked]

    def may_act(self, battle: Battle, seat: str) -> bool:
        return bool(self._shocked(battle, seat))

    def act(self, battle: Battle, seat: str) -> Script[None]:
        units = self._shocked(battle, seat)
        if not units:
            return
        options = [option(u.id, u, about=u.named) for u in units]
        unit: Unit | None = yield Pick(seat, "detachment.steady", options, optional=True, rule=RULE)
        if unit is not None:
            unit.shocked = False
            battle.tell("detachment.steadied", RULE, (unit.id,))


class AshenRegrowth(DetachmentRule):
    """At the start of a battle round one wounded model of the army regains a wound."""

    name = "Ashen Regrowth"

    def _wounded(self, battle: Battle, seat: str) -> list[Model]:
        return [m for m in battle.on_table() if m.seat == seat and m.w < m.profile.W]

    def may_act(self, battle: Battle, seat: str) -> bool:
        return bool(self._wounded(battle, seat))

    def act(self, battle: Battle, seat: str) -> Script[None]:
        models = self._wounded(battle, seat)
        if not models:
            return
        options = [option(m.id, m, about=(m.id,)) for m in models]
        model: Model | None = yield Pick(seat, "detachment.heal", options, optional=True, rule=RULE)
        if model is not None:
            model.w += 1
            battle.tell("detachment.healed", RULE, (model.id,), left=model.w)


class SupplyLines(DetachmentRule):
    """wh40k:3.2.2-cap  At the start of a battle round the army gains a command point."""

    name = "Supply Lines"
    command_points = 1


RULES: dict[str, DetachmentRule] = {rule.name: rule for rule in (IronDiscipline(), AshenRegrowth(), SupplyLines())}

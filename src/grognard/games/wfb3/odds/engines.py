"""Chapter 19: A war machine's shot weighed: where it falls, whom it strikes, whether they stand.

Hours of the clock and sums of dice have finitely many places to fall, so that even what scatters is exact.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from grognard.games.wfb3.army.machine_table import ENGINES
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.cases import given
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import artillery
from grognard.games.wfb3.odds.rounds import fallen, fate
from grognard.games.wfb3.odds.scene import SPOT, TABLE, Arguments, creatures, house_of, named_unit, standing
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.table import machines
from grognard.games.wfb3.turn import shooting
from grognard.kernel.errors import BadInput
from grognard.kernel.geometry.units import MM_PER_INCH
from grognard.kernel.odds.courses import Courses
from grognard.kernel.odds.weigh import Distribution, Weigher
from grognard.kernel.questions import Place, Question, Script

#: The base of a machine that is laid out (mm), and how far behind its muzzle the crew stands (inches).
BASE = (40.0, 60.0)
BEHIND = BASE[1] / MM_PER_INCH + 0.1


class Burst(NamedTuple):
    """What a shot came to: models lost by the target and by the crew, and what became of target and machine."""

    lost: int
    crew: int
    target: str
    machine: str


class Nothing:
    """Nothing is handed from one stage of a shot to the next."""

    def copy(self) -> Nothing:
        return self

    def key(self) -> Hashable:
        return None


class Emplacement(NamedTuple):
    """A battle, the machine that fires, and its target."""

    battle: Battle
    machine: Machine
    target: Unit


def emplacement(arguments: Arguments) -> Emplacement:
    """The situation of a question."""
    if arguments.get("given") is None:
        battle = given.create(_laid_out(arguments), house_of(arguments))
        (machine,) = battle.machines.values()
        return Emplacement(battle, machine, battle.units["target"])
    battle = given.create(arguments["given"], house_of(arguments))
    wanted = arguments.get("from")
    held = [m for m in battle.machines.values() if wanted in (m.id, m.holder)]
    if not held:
        known = ", ".join(battle.machines)
        raise BadInput("{name} names one of {known}, not {value}", name="from", known=known, value=wanted)
    return Emplacement(battle, held[0], named_unit(battle, arguments, "to"))


def _laid_out(arguments: Arguments) -> dict[str, Any]:
    kind = arguments["engine"]
    sizes = [crew for name, crew in ENGINES if name == kind]
    crew = arguments["crew"] or sizes[0]
    x, y = SPOT
    units = {
        "crew": {
            "side": "red", "creature": "Human", "count": crew, "files": crew, "at": [x, y - BEHIND],
            "machines": [{"engine": kind, "crew": crew, "base": list(BASE)}],
        },
        "target": standing(arguments, "target", y + arguments["distance"]),
    }  # fmt: skip
    place = {f"crew-{kind}": {"at": [x, y - BASE[1] / MM_PER_INCH / 2]}}
    return {
        "phase": "shooting", "table": TABLE, "units": units, "machines": place,
        "creatures": creatures(arguments, ("target",)),
    }  # fmt: skip


def aimed(target: str) -> dict[str, Any]:
    """How the odds desk answers what is asked of a crew: everything is aimed at the middle of its target."""

    def at(question: Question) -> Any:
        assert isinstance(question, Place)
        wire = question.judge.propose(f"at:{target}")
        if wire is None:
            raise BadInput("{target} is not where it could be aimed at ({rule})", target=target, rule=question.rule)
        return wire

    return {"machine.aim": at, "machine.line": at, "machine.target": target}


class Fire:
    """wfb3:19.3.3-crew-loss, wfb3:8.1-shooting  One shot of a machine, and the test of those who lost a quarter."""

    def __init__(self, weigher: Weigher, there: Emplacement) -> None:
        refusal = machines.fire_refusal(there.battle, there.machine)
        if refusal is not None:
            raise BadInput("{machine} cannot fire ({rule})", machine=there.machine.id, rule=refusal.rule)
        self.machine = there.machine.id
        self.target = there.target.id
        self.crew = there.machine.holder
        crew = there.battle.units[self.crew]
        self.models = there.target.models, crew.models
        self.start = Courses.of(weigher, there.battle, Nothing())

    def weigh(self) -> Distribution[Burst]:
        return self.start.then(self._fire).end(self._settle)

    def _fire(self, battle: Battle, now: Nothing) -> Script[Nothing]:
        yield from artillery.fire(battle, battle.machines[self.machine])
        return now

    def _settle(self, battle: Battle, now: Nothing) -> Script[Burst]:
        yield from shooting.aftermath(battle)
        lost, crew = (fallen(battle, models) for models in self.models)
        return Burst(lost, crew, fate(battle, battle.units[self.target]), battle.machines[self.machine].status)

"""What the table offers beside the questions: reach, which units are seen and in what Cover, odds of what is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grognard.games.t9a import cover, sight
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.moves import MoveJudge, ReformJudge
from grognard.kernel.battle import Battle as KernelBattle
from grognard.kernel.formation.block import Place as Spot
from grognard.kernel.questions import Place
from grognard.kernel.scene import Scene
from grognard.kernel.tools import Reach, Seen, Tools


class T9aTools(Tools):
    """The Ninth Age at the table; everything may be measured (t9a:2.B)."""

    def reach(self, battle: KernelBattle, scene: Scene, question: Place, mover: str) -> Reach | None:
        """t9a:12.D.b, 12.D.c  The rate of the move."""
        judge = question.judge
        return Reach(mover, round(judge.limit, 3)) if isinstance(judge, MoveJudge | ReformJudge) else None

    def sight(self, battle: KernelBattle, viewers: Sequence[str]) -> list[Seen] | None:
        """t9a:4.B, 14.C.d  Which units these models see; in Cover where every one of them would shoot at it so."""
        assert isinstance(battle, Battle)
        eyes = list(_eyes(battle, viewers))
        found: list[Seen] = []
        for target in battle.on_table():
            seeing = [
                (name, cover.cover(battle, unit, spot, target))
                for name, unit, spot in eyes
                if unit.seat != target.seat and sight.model_sees(battle, unit, spot, target)
            ]
            if seeing:
                best = min((made for _, made in seeing), key=lambda made: made.penalty)
                by = tuple(name for name, _ in seeing)
                found.append(Seen(_middle(battle, target), best.penalty > 0, by, best.rule))
        return found


def names(unit: Unit) -> tuple[str, ...]:
    """The models of a unit as they stand in its block: the Rank-and-File by number, then whoever has a pool."""
    return (*(f"{unit.id}.{number + 1}" for number in range(unit.troops)), *unit.guests)


def _eyes(battle: Battle, viewers: Sequence[str]) -> Iterator[tuple[str, Unit, Spot]]:
    for unit in battle.on_table():
        for name, spot in zip(names(unit), battle.block(unit).places, strict=False):
            if name in viewers:
                yield name, unit, spot


def _middle(battle: Battle, unit: Unit) -> str:
    """The model in the middle of a unit's front, which stands for it on the screen."""
    x, y = battle.block(unit).front
    spots = zip(names(unit), battle.block(unit).places, strict=False)
    return min(spots, key=lambda pair: (pair[1].pose.x - x) ** 2 + (pair[1].pose.y - y) ** 2)[0]

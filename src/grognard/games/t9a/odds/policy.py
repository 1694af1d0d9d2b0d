"""How the odds desk answers the decisions inside a volley or a round: as a sensible owner would."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.battle import Battle
from grognard.kernel.questions import Pick, Question, Split

Choose = Callable[[Question], Any]
#: What attacks are aimed at where there is a choice.
TROOPS, CHAMPION, CHARACTER = "troops", "champion", "character"
AIMS = (TROOPS, CHAMPION, CHARACTER)
#: What is used only if the question says so.
USES = ("crush", "duel")


def chooser(battle: Battle, aim: str = TROOPS, uses: Sequence[str] = (), weapons: Sequence[str] = ()) -> Choose:
    """Who answers: the best save, failed tests taken again, Characters move up to fight; named weapons, else the
    first; attacks at `aim`. Nothing else that is optional is done.
    """
    preferred = [
        *weapons,
        *(unit.weapon for unit in battle.units.values()),
        *(m.weapon for m in battle.models.values()),
    ]
    roles = {key: model.role for key, model in battle.models.items()}

    def choose(question: Question) -> Any:
        first = question.candidates(1)[0]
        if isinstance(question, Split):
            return _aimed(question, aim, roles) if question.name == "attacks.allocate" else first
        if not isinstance(question, Pick):
            return first
        if question.name in ("weapon.choose", "shoot.weapon"):
            return next((name for name in preferred if name in question.keys), first)
        if question.name == "save.choose":
            return max(question.options, key=lambda o: (7 - o.data["need"]) / 6 * _lasting(o.data)).key
        if question.name == "special.copy":
            return max(question.keys, key=lambda value: amount(value).mean)
        if question.name in ("discipline.again", "make.way"):
            return first
        if question.name.split(".")[0] in uses:
            return first
        if question.least == 0:
            return None if question.most == 1 else []
        return first

    return choose


def _lasting(save: Mapping[str, Any]) -> float:
    """t9a:21.G.b.3  How often a save that was made is still made where it must be rolled again."""
    return (7 - save["need"]) / 6 if save["again"] else 1.0


def _aimed(question: Split, aim: str, roles: dict[str, str]) -> dict[str, int]:
    """t9a:15.D.d  All attacks at one kind of enemy where one is in reach, else at the Rank-and-File."""
    keys = [o.key for o in question.options]
    wanted = [key for key in keys if roles.get(key, TROOPS) == aim]
    plain = [key for key in keys if roles.get(key, TROOPS) == TROOPS]
    target = (wanted or plain or keys)[0]
    return {key: question.total if key == target else 0 for key in keys}

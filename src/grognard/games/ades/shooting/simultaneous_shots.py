"""ades:4.2.2-group  Shots of a group are simultaneous: what they take is taken when all have been rolled."""

from __future__ import annotations

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter
from grognard.games.ades.losses import casualties, damage
from grognard.games.ades.losses.damage import Source
from grognard.kernel.questions import Script


class Salvo:
    """The losses of shots made together, until they are taken."""

    def __init__(self) -> None:
        self.hits: list[tuple[Fighter, int, Source, Fighter, str]] = []

    def add(self, target: Fighter, lost: int, how: Source, by: Fighter, rule: str) -> None:
        if lost:
            self.hits.append((target, lost, how, by, rule))

    def settle(self, battle: Battle) -> Script[None]:
        """Everybody struck loses what all shots took from it; whoever hurt one that falls has killed it."""
        hits, self.hits = self.hits, []
        for target in dict.fromkeys(hit[0] for hit in hits):
            mine = [hit for hit in hits if hit[0] is target]
            for _, _, how, by, _ in mine:
                if how.attack:
                    damage.poison(battle, target, by)
            killers = list(dict.fromkeys(hit[3] for hit in mine))
            lost = sum(hit[1] for hit in mine)
            yield from casualties.lose(battle, target, lost, mine[-1][4], by=killers[-1], killers=killers)

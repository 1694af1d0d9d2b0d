"""Chapter 10: what troubles or steadies the minds of creatures."""

from __future__ import annotations

from functools import cached_property

from grognard.games.wfb3.abilities.base import ABILITIES, Special


class Mind(Special):
    """wfb3:14.6.5-shared-psychology  What a leader shares with those he leads."""


@ABILITIES.register
class Animosity(Mind):
    name, french, rule = "Animosity", "Animosité", "wfb3:10.3-who"


@ABILITIES.register
class SagaAnimosity(Mind):
    name, french, rule = "Saga Animosity", "Animosité des sagas", "wfb3:10.4-saga"


@ABILITIES.register
class Frenzy(Mind):
    name, french, rule = "Frenzy", "Frénésie", "wfb3:10.5-test"


@ABILITIES.register
class Hatred(Mind):
    """Hatred (orc, goblin): the races hated."""

    name, french, rule = "Hatred", "Haine", "wfb3:10.6-charge"
    takes = "(...)"

    def hates(self, race: str) -> bool:
        return race in self.words or "all" in self.words


@ABILITIES.register
class CausesFear(Mind):
    """Causes Fear, Causes Fear (8"), Causes Fear (8" +1), Causes Fear (goblin): distance, modifier, whom."""

    name, french, rule = "Causes Fear", "Provoque la peur", "wfb3:10.8-charged"
    takes = ("", "(...)")

    def check(self) -> None:
        for word in self.parts:
            if word.endswith('"') and not word[:-1].isdigit():
                raise ValueError(word)
            if word.startswith("+") and not word[1:].isdigit():
                raise ValueError(word)

    @cached_property
    def parts(self) -> list[str]:
        """Its words one by one; a distance and a modifier may stand together as in the book: 15" +2."""
        return [part.strip() for word in self.words for part in word.replace('"', '",').split(",") if part.strip()]

    @property
    def radius(self) -> int:
        """wfb3:10.8-radius  Inches around the creature; 0 without a distance."""
        return next((int(w[:-1]) for w in self.parts if w.endswith('"')), 0)

    @property
    def plus(self) -> int:
        """wfb3:10.8-modifier"""
        return next((int(w[1:]) for w in self.parts if w.startswith("+")), 0)

    def frightens(self, race: str) -> bool:
        races = [w for w in self.parts if not w.endswith('"') and not w.startswith("+")]
        return not races or race in races


@ABILITIES.register
class Stupidity(Mind):
    name, french, rule = "Stupidity", "Stupidité", "wfb3:10.9-test"


@ABILITIES.register
class ImmuneToPsychology(Mind):
    name, french, rule = "Immune to Psychology", "Immunisé à la psychologie", "wfb3:17.3-immune"

"""Tiny Némésis battles set up by hand, and a way to play one script of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grognard.games.nemesis.army.profiles import parse_card
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Model, Side, Unit
from grognard.games.nemesis.house import HOUSE_RULES
from grognard.kernel.geometry.base import Pose
from grognard.kernel.geometry.terrain import Table
from grognard.kernel.geometry.units import cm
from grognard.kernel.questions import OPEN, Question, Roll, Script

ARCHER = {"name": "Archer", "M": 10, "HC": 2, "F": 2, "R": 5, "S": 1, "HT": 4, "C": 6,
          "ranged": [{"name": "long bow", "F": 3, "DT": 9, "P": 50}]}  # fmt: skip
SKELETON = {"name": "Skeleton", "M": 10, "HC": 2, "F": 3, "R": 7, "S": 1, "C": None, "abilities": ["Undead"]}
HALBERDIER = {"name": "Halberdier", "M": 10, "HC": 4, "F": 4, "R": 6, "S": 2, "C": 6}
CAPTAIN = {"name": "Captain", "type": "hero", "M": 10, "HC": 5, "F": 4, "R": 6, "S": 3, "C": 8, "A": 2, "PC": 2}


class Field:
    """A battle built by hand; positions in cm."""

    def __init__(self, **house: Any) -> None:
        switches = {name: rule.default for name, rule in HOUSE_RULES.items()} | house
        self.battle = Battle(("red", "blue"), Table(cm(120), cm(120)), switches, "for-miter")
        self.battle.turn = 2
        for seat in ("red", "blue"):
            side = Side(seat, seat, "")
            side.started = 1
            self.battle.sides[seat] = side

    def unit(
        self, seat: str, name: str, card: dict[str, Any], *places: tuple[float, float], facing: float = 0.0,
        but: dict[str, Any] | None = None,
    ) -> Unit:  # fmt: skip
        """A unit of that card but for some of its lines; a regiment where it has several places."""
        profile = parse_card(card | (but or {}))
        regiment = len(places) > 1
        ids = tuple(f"{name}{n}" for n in range(1, len(places) + 1)) if regiment else (name,)
        unit = Unit(name, seat, name, ids, regiment)
        self.battle.units[name] = unit
        for model_id, (x, y) in zip(ids, places, strict=True):
            body = self.battle.bodies.add(profile.outline, Pose(cm(x), cm(y), facing))
            self.battle.models[model_id] = Model(model_id, seat, name, profile, body)
        return unit

    def __getitem__(self, name: str) -> Model:
        return self.battle.models[name]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.battle.events]


def play(script: Script[Any], dice: Iterable[int] = (), answers: dict[str, Any] | None = None) -> Any:
    """Run a script: faces in order, answers by the name of the question (a list is used up one by one)."""
    faces, given = list(dice), dict(answers or {})
    reply: Any = None
    while True:
        try:
            ask = script.send(reply)
        except StopIteration as stop:
            assert not faces, f"dice left over: {faces}"
            return stop.value
        if isinstance(ask, Roll):
            assert len(faces) >= ask.count, f"no dice left for {ask.name}"
            reply, faces = tuple(faces[: ask.count]), faces[ask.count :]
            continue
        assert isinstance(ask, Question)
        forced = ask.forced()
        wire = forced if forced is not OPEN else given.get(ask.name, OPEN)
        assert wire is not OPEN, f"unanswered: {ask}"
        reply = ask.decode(wire)

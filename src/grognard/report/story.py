"""What the report tells of a match: its turns, each with its map, its events and who was lost in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from grognard.kernel.events import Event
from grognard.kernel.match.match import Match
from grognard.kernel.screen.scene import Figure, Scene

#: Events that are told by headings and tables, not by sentences.
SILENT = ("roll", "phase")
#: What is said of models and units that do not come back.
GONE = ("dead", "destroyed", "gone")


class Phase(NamedTuple):
    """What happened in one phase, and whose it was where phases are somebody's."""

    name: str
    side: str
    events: list[Event]


class Chapter(NamedTuple):
    """One turn: what happened by phase, how the table looked at its end, who was lost in it."""

    turn: int
    phases: list[Phase]
    scene: Scene
    fallen: list[Figure]


class Loss(NamedTuple):
    """A unit's models at the start, or when they were first seen, and at the end."""

    unit: str
    name: str
    side: str
    start: int
    end: int


def chapters(match: Match, seat: str | None) -> list[Chapter]:
    """The turns of a match that keeps its history and its times, as far as a seat may see."""
    turns: dict[int, list[Phase]] = {}
    last: dict[int, int] = {}
    side = ""
    for event, moment in zip(match.events, match.times, strict=True):
        last[moment.turn] = max(last.get(moment.turn, 0), moment.answers)
        if event.kind == "phase":
            side = next((name for name in event.about if name in match.battle.seats), "")
        if event.visible_to(seat):
            turns.setdefault(moment.turn, []).append(Phase(moment.phase, side, [event]))
    if last:
        last[max(last)] = len(match.answers)
    found: list[Chapter] = []
    for turn in sorted(turns):
        scene = match.at(last[turn]).scene(seat)
        fallen = _fallen(found[-1].scene, scene) if found else []
        found.append(Chapter(turn, _by_phase(turns[turn]), scene, fallen))
    return found


def _by_phase(told: list[Phase]) -> list[Phase]:
    """The events worth a sentence, phase by phase in the order they were played."""
    found: list[Phase] = []
    for name, side, events in told:
        if events[0].kind in SILENT:
            continue
        if not found or found[-1][:2] != (name, side):
            found.append(Phase(name, side, []))
        found[-1].events.extend(events)
    return found


def _left(scene: Scene) -> dict[str, Figure]:
    """Who is neither lost nor gone, whether on the table, aboard something or still to come."""
    gone = {unit.id for unit in scene.units if any(state.code in GONE for state in unit.states)}
    return {
        figure.id: figure
        for figure in scene.models
        if figure.pose is not None
        or (figure.unit not in gone and not any(state.code in GONE for state in figure.states))
    }


def _fallen(before: Scene, after: Scene) -> list[Figure]:
    """Who was there and no longer is, as they last were."""
    still = _left(after)
    return [figure for key, figure in _left(before).items() if key not in still]


def losses(told: list[Chapter]) -> list[Loss]:
    """Every unit's models, by side: all that ever were there, and those left."""
    ever: dict[str, dict[str, Figure]] = {}
    names: dict[str, str] = {}
    for chapter in told:
        names |= {unit.id: unit.name for unit in chapter.scene.units}
        for figure in _left(chapter.scene).values():
            ever.setdefault(_home(figure, ever), {})[figure.id] = figure
    left = _left(told[-1].scene) if told else {}
    found = [
        Loss(unit, names.get(unit, unit), next(iter(models.values())).side, len(models), sum(m in left for m in models))
        for unit, models in ever.items()
    ]
    return sorted(found, key=lambda loss: loss.side)


def _home(figure: Figure, ever: Mapping[str, Mapping[str, Figure]]) -> str:
    """The unit a model is counted with: the first it was in."""
    return next((unit for unit, models in ever.items() if figure.id in models), figure.unit)

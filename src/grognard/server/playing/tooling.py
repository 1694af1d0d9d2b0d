"""Checking, bodies, proposals, reach, sight, measuring, numbers and odds: what a page asks while a player ponders.

All of it happens on copies of the match. What concerns the seat's own question is tried on the truth, as answering
would; what looks around the table uses a copy in which the seat's unknowns are guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from grognard.kernel.errors import BadInput, Refused
from grognard.kernel.formation.preview import Warned
from grognard.kernel.match.match import Match
from grognard.kernel.placing.judges import Measured
from grognard.kernel.questions import Note, Place, Question, Roll
from grognard.kernel.words.tally import Tally
from grognard.kernel.words.texts import LANGUAGES, told
from grognard.server.http.endpoints import Trouble
from grognard.server.jobs import jobs
from grognard.server.jobs.workers import Allowance, Workers
from grognard.server.playing import messages, telling
from grognard.server.playing.sitting import Stale
from grognard.server.playing.tables import Table
from grognard.server.storage.storage import Seat

Found = dict[str, Any]


class Desk(NamedTuple):
    """Where odds are weighed, for whom, and within what."""

    workers: Workers
    visitor: str
    allowed: Allowance


async def use(table: Table, seat: Seat, message: messages.Anything, desk: Desk) -> Found:
    """What a tool says, as the message that answers it."""
    version = getattr(message, "version", None)
    if version is not None and not table.sitting.holds(version, seat.seat):
        raise Stale("the match has gone on; this answer was to an earlier question")
    if isinstance(message, messages.Odds):
        return {**await _odds(table, seat, message, desk), "id": message.id}
    task, eyes = _task(seat, message)
    return {**await table.with_twin(eyes, task), "id": message.id}


async def _odds(table: Table, seat: Seat, message: messages.Odds, desk: Desk) -> Found:
    """wherever the odds are weighed, on what the seat may know; one at a time for a table."""
    async with table.weighing:
        raw = await table.packed(seat.sees, lambda twin: _question(twin, seat, message.name))
        job = (raw, seat.seat, seat.sees, message.option)
        found: Found = msgspec.json.decode(await desk.workers.run(desk.visitor, desk.allowed, jobs.weigh_option, *job))
        return found


def _task(seat: Seat, message: messages.Anything) -> tuple[Callable[[Match], Found], str | None]:
    """What to do, and whose eyes to use: None for the truth."""
    own, looking = None, seat.sees
    if isinstance(message, messages.Check):
        return lambda match: _check(match, seat, message), own
    if isinstance(message, messages.Propose):
        return lambda match: _propose(match, seat, message), own
    if isinstance(message, messages.Body):
        return lambda match: _body(match, seat, message), own
    if isinstance(message, messages.Reach):
        return lambda match: _reach(match, seat, message), own
    if isinstance(message, messages.Sight):
        return lambda match: _sight(match, seat, message), looking
    if isinstance(message, messages.Around):
        return lambda match: _around(match, seat, message), looking
    if isinstance(message, messages.Numbers):
        return lambda match: _numbers(match, seat, message), looking
    assert isinstance(message, messages.Measure)
    return lambda match: _measure(match, seat, message), looking


def _question(match: Match, seat: Seat, name: str = "") -> Question | Roll:
    if seat.role == "spectator":
        raise Trouble(403, "spectator", "spectators only watch")
    question = match.question(seat.seat)
    if name and question.name != name:
        raise Stale("the match has gone on; this answer was to an earlier question")
    return question


def _placing(match: Match, seat: Seat, name: str, mover: str = "") -> Place:
    question = _question(match, seat, name)
    if not isinstance(question, Place):
        raise BadInput("nothing is being placed now")
    if mover and mover not in question.movers:
        raise BadInput("{name} does not move now", name=mover)
    return question


def _may_measure(match: Match) -> None:
    refusal = match.ruleset.tools.no_measuring(match.house)
    if refusal is not None:
        raise Refused(refusal, match.ruleset.say(refusal.code, refusal.data))


def _verdict(match: Match, seat: Seat, question: Question | Roll, wire: Any) -> Found:
    """Whether an answer is legal, and why not."""
    refusal = question.refusal(wire)
    shown = (
        None if refusal is None else telling.refusal_plain(match.ruleset, refusal, telling.names_of(match, seat.sees))
    )
    return {"type": "checked", "ok": refusal is None, "refusal": shown}


def _check(match: Match, seat: Seat, message: messages.Check) -> Found:
    question, value = _question(match, seat, message.name), message.value
    if isinstance(question, Place):
        for mover in message.settled:
            value = match.ruleset.tools.settled(match.battle, question, value, mover)
    verdict = _verdict(match, seat, question, value)
    placed = value if isinstance(question, Place) and isinstance(question.judge, Measured) else None
    if verdict["ok"] and isinstance(question, Place):
        placed = question.encode(value)
    return {**verdict, **_drawn(match, seat, question, placed)}


def _drawn(match: Match, seat: Seat, question: Question | Roll, wire: Any) -> Found:
    """A placement, how a screen shows it where it does not name its models one by one, and how far they go."""
    if not isinstance(question, Place):
        return {"placement": wire, "ghost": None}
    ghost = match.ruleset.tools.ghosts(match.scene(seat.sees), question, wire)
    far: Mapping[str, float] = {}
    if wire is not None and isinstance(question.judge, Measured):
        with suppress(Refused):  # of what cannot be read nothing is known
            far = question.judge.lengths(wire)
    notes = telling.noted(match.ruleset, _warnings(question, wire), telling.names_of(match, seat.sees))
    far = {mover: round(mm, 3) for mover, mm in far.items()}
    return {"placement": wire, "ghost": ghost, "far": far, "notes": notes}


def _warnings(question: Place, wire: Any) -> Sequence[Note]:
    """What the judge of a placement it takes has to say of it all the same."""
    if wire is None or not isinstance(question.judge, Warned):
        return ()
    try:
        return question.judge.warns(wire)
    except Refused:  # it is not taken; the refusal says why
        return ()


def _propose(match: Match, seat: Seat, message: messages.Propose) -> Found:
    question = _placing(match, seat, message.name)
    wire = question.judge.propose(message.proposal) if message.proposal in question.judge.proposals() else None
    if wire is None:
        nothing = _nothing("no such placement was found; try another, or find a place by hand")
        return {"type": "checked", "ok": False, "refusal": nothing, "placement": None}
    return {"type": "checked", "ok": True, "refusal": None, **_drawn(match, seat, question, wire)}


def _body(match: Match, seat: Seat, message: messages.Body) -> Found:
    question = _placing(match, seat, message.name, message.mover)
    wire = _carried(match, seat, question, message)
    if wire is None:
        nothing = _nothing("nobody can be set down there as one body")
        return {"type": "checked", "ok": False, "refusal": nothing, "placement": None}
    verdict = _verdict(match, seat, question, wire)
    return {**verdict, **_drawn(match, seat, question, wire)}


def _carried(match: Match, seat: Seat, question: Place, message: messages.Body) -> Any:
    """Everybody with the mover, afresh or from a placement half made."""
    tools, battle, scene = match.ruleset.tools, match.battle, match.scene(seat.sees)
    mover, spot, facing, level = message.mover, (message.x, message.y), message.facing, message.level
    if message.kept is not None:
        wire = tools.carried_on(battle, scene, question, message.kept, mover, spot, facing, level, message.files)
        if wire is not None:
            return wire
    return tools.body(battle, scene, question, mover, spot, facing, level=level, files=message.files)


def _nothing(sentence: str) -> Found:
    text = {language: told(BadInput(sentence), language) for language in LANGUAGES}
    return {"code": "none", "rule": "", "also": [], "text": text, "mover": None}


def _reach(match: Match, seat: Seat, message: messages.Reach) -> Found:
    _may_measure(match)
    question = _placing(match, seat, "", message.mover)
    found = match.ruleset.tools.reach(match.battle, match.scene(seat.sees), question, message.mover)
    if found is None:
        return {"type": "reach", "mover": message.mover, "left_mm": None, "outline": None}
    return {"type": "reach", **msgspec.to_builtins(found)}


def _sight(match: Match, seat: Seat, message: messages.Sight) -> Found:
    known = {figure.id for figure in match.scene(seat.sees).models if figure.pose is not None}
    for viewer in message.from_:
        if viewer not in known:
            raise BadInput("{name} is not on the table", name=viewer[:80])
    seen = match.ruleset.tools.sight(match.battle, message.from_)
    shown = None if seen is None else [msgspec.to_builtins(each) for each in seen if each.id in known]
    return {"type": "sight", "from": message.from_, "seen": shown}


def _around(match: Match, seat: Seat, message: messages.Around) -> Found:
    """Arcs are seen by the eye; ranges are measured, and left out where that is forbidden."""
    troop = next((unit for unit in match.scene(seat.sees).units if unit.id == message.unit), None)
    if troop is None:
        raise BadInput("{name} is not on the table", name=message.unit[:80])
    tools = match.ruleset.tools
    may_measure = tools.no_measuring(match.house) is None
    shown = [area for area in tools.around(match.battle, troop.id, troop.models) if may_measure or area.kind == "arc"]
    return {"type": "around", "unit": troop.id, "areas": msgspec.to_builtins(shown)}


def _numbers(match: Match, seat: Seat, message: messages.Numbers) -> Found:
    """What a model's characteristics are now, each with its account."""
    figures = match.scene(seat.sees).models
    if not any(figure.id == message.model and figure.pose is not None for figure in figures):
        raise BadInput("{name} is not on the table", name=message.model[:80])
    numbers = match.ruleset.tools.numbers
    tallies = numbers(match.battle, message.model)
    doubts = [] if seat.sees is None else list(match.ruleset.doubts(match.battle, seat.sees))
    ways = [numbers(battle, message.model) for battle in doubts] or [tallies]
    shown = {
        label: _number([way[label] for way in ways if label in way] or [tally]) for label, tally in tallies.items()
    }
    return {"type": "numbers", "model": message.model, "numbers": shown}


def _number(ways: Sequence[Tally]) -> Found:
    """A number by its least account; `may` are the others it may be for all the seat knows."""
    least = min(ways, key=lambda tally: tally.value)
    others = [value for value in dict.fromkeys(tally.value for tally in ways) if value != least.value]
    return {"value": least.value, "why": least.why(), **({"may": sorted(others)} if others else {})}


def _measure(match: Match, seat: Seat, message: messages.Measure) -> Found:
    _may_measure(match)
    start, end = (where if isinstance(where, str) else (where[0], where[1]) for where in (message.from_, message.to))
    found = match.ruleset.tools.measure(match.battle, match.scene(seat.sees), start, end)
    return {"type": "measure", "from": message.from_, "to": message.to, **msgspec.to_builtins(found)}

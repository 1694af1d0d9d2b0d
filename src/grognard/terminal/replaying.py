"""`grognard replay`: whether a file reproduces itself, and any moment of it."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from grognard import games
from grognard.kernel.errors import BadInput, GrognardError, Word
from grognard.kernel.events import canonical
from grognard.kernel.match import saves, shelf
from grognard.kernel.match.match import Match
from grognard.kernel.match.story import from_answers
from grognard.kernel.words import texts
from grognard.terminal.asking import Asker, proposals_of
from grognard.terminal.desk import OK, WRONG, Desk, read_bytes
from grognard.terminal.sentences import result_line
from grognard.terminal.table import Screen, seat_named


def replay(
    desk: Desk, path: Path, at: int | None, events: bool, chart: bool, seat: str | None, sealed: bool = False
) -> int:  # fmt: skip
    """Verify a save or replay file, and its sealed dice where that is asked for, then show what was asked for."""
    raw = read_bytes(path, saves.MAX_BYTES)
    try:
        why = _unplayable(raw)
        if why is not None and not (chart or sealed or at is not None):
            return _tell(desk, raw, why, seat)
        header, answers = saves.parse(raw)
        rulesets = {header.game: games.find(header.game)}
        saves.load(raw, rulesets, upto=0)  # a file for other rules is bad input, not a replay that differs
    except BadInput as error:
        raise BadInput("{path}: {error}", path=path, error=error) from None
    if at is not None and not 0 <= at <= len(answers):
        raise BadInput("the file holds {count} answers; --at {at} is not among them", count=len(answers), at=at)
    try:
        match = saves.load(raw, rulesets)
    except GrognardError as error:
        desk.wrong(texts.told(error, desk.language))
        return WRONG
    shelf.hold(match.shelf)
    code = _verify(desk, raw, match, saves.load(raw, rulesets))
    if sealed and code == OK:
        code = _verify_dice(desk, match)
    shown = match if at is None else saves.load(raw, rulesets, upto=at)
    viewer = None if seat is None else seat_named(shown, seat)
    if events:
        _list_events(desk, shown, viewer)
    if chart or at is not None:
        _moment(desk, shown, viewer)
    return code


def _unplayable(raw: bytes) -> BadInput | None:
    """Why a file can be read but not played: it is a seat's, or its rules are not ours."""
    header, _, _ = saves.read(raw)
    ruleset = games.RULESETS.get(header.game)
    if ruleset is None:  # nobody's file: told as such
        return None
    if ruleset.version != header.rules:
        facts = {"game": ruleset.title, "rules": header.rules}
        return BadInput("version {rules} of the rules of {game} can no longer be played", **facts)
    if header.left_out:
        return BadInput("this file holds what {seat} may know", seat=header.seen_by or Word("nobody"))
    return None


def _tell(desk: Desk, raw: bytes, why: BadInput, seat: str | None) -> int:
    """What happened by the file's own words, or else what was answered and rolled."""
    header, answers, story = saves.read(raw)
    known = header.seen_by if seat is None else seat
    told = [entry for entry in story or from_answers(answers) if entry.visible_to(known)]
    desk.line("{why}; it cannot be verified or shown on the table.", why=why)
    if story:
        desk.line("What happened, as the file tells it ({count} events):", count=len(told))
    else:
        desk.line("The file is too old to tell what happened; what was answered and rolled ({count}):", count=len(told))
    for entry in told:
        text = entry.text.get(desk.language) or entry.text.get("en", "")
        desk.out.print(Text.assemble((f"{entry.answer:>5}  ", "dim"), text), soft_wrap=True)
    return OK


def _verify(desk: Desk, raw: bytes, match: Match, twin: Match) -> int:
    """Say whether the match saves to the very bytes it was read from, and tells the same story twice."""
    again, raw = saves.save(match).encode(), saves.bare(raw)  # its story is for those who cannot play it
    if again != raw:
        pairs = zip(raw.split(b"\n"), again.split(b"\n"), strict=False)
        line = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 0)
        desk.wrong(desk.say("the replay differs from its file from line {line} on", line=line))
        return WRONG
    if canonical(match.events) != canonical(twin.events):
        desk.wrong(desk.say("the same answers told two stories; this is a bug of the game"))
        return WRONG
    facts = {"game": match.ruleset.title, "answers": len(match.answers), "events": len(match.events)}
    desk.line("{game}: {answers} answers, {events} events; the file reproduces itself byte for byte.", **facts)
    if match.over and match.result is not None:
        names = match.ruleset.named(match.battle, desk.language)
        desk.out.print(result_line(match.ruleset, match.result, names, desk.language), soft_wrap=True)
    return OK


def _verify_dice(desk: Desk, match: Match) -> int:
    """Say whether the revealed seed is the one that was sealed, and rolled what the match rolled."""
    seal = match.seal
    if seal is None or not seal.seed:
        running = desk.say("the seed is told when the match is over")
        desk.wrong(desk.say("the file has no seal of its dice") if seal is None else running)
        return WRONG
    rolls = [(e.about[0], e.data["sides"], tuple(e.data["faces"])) for e in match.events if e.kind == "roll"]
    drawn = len(seal.drawn(rolls))
    if not seal.verified(rolls):
        desk.wrong(desk.say("the seed does not fit the seal, or did not roll these dice"))
        return WRONG
    desk.line("The dice are those that were sealed: {count} rolls, seal {seal}.", count=drawn, seal=seal.seal)
    for words in seal.words:
        desk.line("Added by {words}", words=words)
    return OK


def _list_events(desk: Desk, match: Match, seat: str | None) -> None:
    screen = Screen(desk, match)
    for number, event in enumerate(match.events_for(seat), 1):
        line = Text.assemble((f"{number:>5}  ", "dim"), screen.sentence(match, event))
        desk.out.print(line, soft_wrap=True)


def _moment(desk: Desk, match: Match, seat: str | None) -> None:
    """The map, and what is being asked then."""
    screen = Screen(desk, match)
    question = next((q for q in match.pending if seat in (None, q.seat)), None)
    desk.out.print(screen.map(match, seat, question.about if question else ()))
    if question is not None:
        names = match.ruleset.named(match.battle, desk.language)
        asker = Asker(desk, match.ruleset)
        desk.out.print(asker.show(question, names, screen.scene(match, seat), proposals_of(question)))

"""Setting a table: the match, who sits at it, and what a screen of it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from grognard.check.answers import declinable, declined
from grognard.kernel.data.plain import documents
from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event
from grognard.kernel.match.dice import Dice
from grognard.kernel.match.match import Match
from grognard.kernel.questions import Pick, Question, Roll
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.screen.scene import Clock
from grognard.kernel.words.texts import LANGUAGES
from grognard.muster import read_army
from grognard.players import PLAYERS, Player, player
from grognard.terminal.chart import Chart
from grognard.terminal.desk import Desk
from grognard.terminal.scene import Letters, Scene, scene_of
from grognard.terminal.sentences import tell

#: Who a person at the keyboard is, among the players.
PERSON = ("me", "human", "moi")
MAX_SEED = 2**63
#: The largest map, and the rows of a terminal left for what stands beside it.
COLUMNS, ROWS = 110, 36
LEAST_ROWS, BESIDES = 14, 18


def new_match(
    ruleset: Ruleset, scenario: str | None, armies: str, seed: int, house: Sequence[str], dice: Dice, history: str
) -> Match:  # fmt: skip
    """A match ready to play; wrong names are told."""
    if not 0 <= seed < MAX_SEED:
        raise BadInput("a seed lies between 0 and {most}, not {seed}", most=MAX_SEED - 1, seed=_short(seed))
    if scenario is not None and scenario not in ruleset.scenarios:
        known = ", ".join(ruleset.scenarios) or "-"
        raise BadInput("{game} has no scenario {name}; it has {known}", game=ruleset.id, name=scenario, known=known)
    chosen = tuple(part.strip() for part in armies.split(",") if part.strip())
    lists = tuple(name if name in ruleset.armies() else read_army(ruleset, name) for name in chosen)
    setup = ruleset.default_setup(scenario, lists, seed)
    return Match(ruleset, setup, house=house_rules(ruleset, house), dice=dice, history=history, timed=True)


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**20 else "…"


def house_rules(ruleset: Ruleset, words: Sequence[str]) -> dict[str, Any]:
    """`name=value` words as house rules."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadInput("{word} is not a house rule; write name=value", word=word)
        held = documents(value, name)
        found[name] = held[0].value if held else None
    return found


class Umpire:
    """A game master where no person plays: rules as is usual, and leaves alone what may be left alone."""

    def choose(self, match: Match, question: Question | Roll) -> Any:
        if declinable(question):
            return declined(question)
        return question.options[0].key if isinstance(question, Pick) else question.sample(Random(0))


def seat_players(match: Match, written: str, seed: int, side: str | None = None) -> dict[str, Player | None]:
    """Who plays each seat; None is a person. The last name does for all further seats; the first sits at `side`.

    A game master's seat is a person's where one plays, else an Umpire's.
    """
    seats = list(match.battle.seats)
    names = [part.strip() for part in written.split(",") if part.strip()]
    if not 1 <= len(names) <= len(seats):
        known = ", ".join(seats)
        raise BadInput("there are {count} sides ({known}); name a player for each", count=len(seats), known=known)
    names += names[-1:] * (len(seats) - len(names))
    if side is not None:
        shift = seats.index(seat_named(match, side))
        seats = seats[shift:] + seats[:shift]
    found = {seat: _player(name, seed + place) for place, (seat, name) in enumerate(zip(seats, names, strict=True))}
    chairs = {seat: found[seat] for seat in match.battle.seats}
    if match.ruleset.referee:
        chairs[match.ruleset.referee] = None if None in found.values() else Umpire()
    return chairs


def _player(name: str, seed: int) -> Player | None:
    if name in PERSON:
        return None
    if name not in PLAYERS:
        raise BadInput("there is no player {name}; there are {known}", name=name, known=f"me, {', '.join(PLAYERS)}")
    return player(name, seed)


def seat_named(match: Match, name: str) -> str:
    """A seat by its id or the name it is shown by."""
    shown = [match.ruleset.named(match.battle, language) for language in LANGUAGES]
    for number, seat in enumerate(match.battle.seats, 1):
        if name.casefold() in (seat.casefold(), str(number), *(names.get(seat, seat).casefold() for names in shown)):
            return seat
    raise BadInput("there is no side {name}; there are {known}", name=name, known=", ".join(match.battle.seats))


class Screen:
    """What one looks at while a match is played or shown."""

    def __init__(self, desk: Desk, match: Match) -> None:
        self.desk = desk
        self.ruleset = match.ruleset
        rows = max(LEAST_ROWS, desk.out.height - BESIDES) if desk.out.is_terminal else ROWS
        columns = min(desk.out.width, COLUMNS)
        self.chart = Chart(Letters(match.battle.seats), match.ruleset.unit_mm, columns, min(rows, ROWS))

    def scene(self, match: Match, seat: str | None) -> Scene | None:
        return scene_of(match.scene(seat))

    def map(self, match: Match, seat: str | None, lit: Iterable[str] = ()) -> RenderableType:
        """Round and phase, the map and its legend, as the seat sees them."""
        scene = self.scene(match, seat)
        head = Text(self._head(match.scene(seat).clock), "bold")
        if scene is None:
            return head
        names = self.ruleset.named(match.battle, self.desk.language)
        return Group(head, self.chart.draw(scene, lit), self.chart.legend(scene, names, self.desk.language))

    def _head(self, clock: Clock) -> str:
        parts = [self.ruleset.title]
        if clock.turn:
            parts.append(self.desk.say("turn {number}", number=clock.turn))
        parts += [self.ruleset.say(step.text, {}, self.desk.language) for step in clock.phases if step.now]
        return " · ".join(parts)

    def sentence(self, match: Match, event: Event) -> Text:
        return tell(self.ruleset, event, self.ruleset.named(match.battle, self.desk.language), self.desk.language)

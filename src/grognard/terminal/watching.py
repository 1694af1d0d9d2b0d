"""`grognard watch`: computer against computer, live, or many games and a table of results."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event
from grognard.kernel.match import saves
from grognard.kernel.match.match import Match
from grognard.players import Player, play
from grognard.terminal.desk import OK, Desk, write_text
from grognard.terminal.sentences import result_line
from grognard.terminal.table import Screen

#: How many sentences stand under the map.
LINES = 8
#: Makes the match of a seed and its players.
Make = Callable[[int], tuple[Match, dict[str, Player]]]


def computers(players: Mapping[str, Player | None]) -> dict[str, Player]:
    """The players, none of whom is a person."""
    found = {seat: player for seat, player in players.items() if player is not None}
    if len(found) < len(players):
        raise BadInput("people do not play in watch; use play")
    return found


def watch_one(desk: Desk, make: Make, seed: int, speed: float, out: Path | None) -> int:
    """One game, as it happens."""
    match, players = make(seed)
    screen = Screen(desk, match)
    if desk.out.is_terminal:
        _live(desk, match, players, screen, speed)
    else:
        _tell_all(desk, match, players, screen)
    names = match.ruleset.named(match.battle, desk.language)
    if match.result is not None:
        desk.out.print(result_line(match.ruleset, match.result, names, desk.language), soft_wrap=True)
    _keep(desk, match, out)
    return OK


def _live(desk: Desk, match: Match, players: Mapping[str, Player], screen: Screen, speed: float) -> None:
    """The map and the newest sentences; `speed` events a second, 0 as fast as it goes."""
    newest: deque[Text] = deque(maxlen=LINES)
    pause = 1 / speed if speed else 0.0

    def picture(lit: tuple[str, ...]) -> RenderableType:
        lines = [Text(line.plain, no_wrap=True, overflow="ellipsis", spans=line.spans) for line in newest]
        return Group(screen.map(match, None, lit), *lines)

    with Live(console=desk.out, auto_refresh=False, screen=False, vertical_overflow="crop") as live:

        def show(event: Event) -> None:
            newest.append(screen.sentence(match, event))
            live.update(picture(event.about), refresh=True)
            time.sleep(pause)

        for event in match.events:
            show(event)
        play(match, players, on_event=show)


def _tell_all(desk: Desk, match: Match, players: Mapping[str, Player], screen: Screen) -> None:
    """Where nobody looks at a terminal: every sentence, then the map."""

    def tell(event: Event) -> None:
        desk.out.print(screen.sentence(match, event), soft_wrap=True)

    for event in match.events:
        tell(event)
    play(match, players, on_event=tell)
    desk.out.print(screen.map(match, None))


def _keep(desk: Desk, match: Match, out: Path | None) -> None:
    if out is not None:
        write_text(out, saves.finished(match))
        desk.line("Replay written to {name}.", name=out)


# ---------------------------------------------------------------------- many games


def watch_many(desk: Desk, make: Make, seed: int, games: int, players: str, out: Path | None) -> int:
    """Games with the seeds from `seed` on, and who won how often."""
    wins: Counter[str | None] = Counter()
    answers = 0
    match: Match | None = None
    started = time.perf_counter()
    with desk.progress() as progress:
        task = progress.add_task(desk.say("Playing"), total=games)
        for number in range(games):
            match, seated = make(seed + number)
            play(match, seated)
            wins[(match.result or {}).get("winner")] += 1
            answers += len(match.answers)
            if out is not None:
                write_text(out.with_stem(f"{out.stem}-{number + 1}"), saves.finished(match))
            progress.advance(task)
    taken = time.perf_counter() - started
    if match is not None:
        desk.out.print(_results(desk, match, wins, players))
        desk.line("{games} games, {answers} answers each on average.", games=games, answers=round(answers / games))
        desk.err.print(desk.say("{seconds} s a game", seconds=f"{taken / games:.2f}"), soft_wrap=True)
    return OK


def _results(desk: Desk, match: Match, wins: Counter[str | None], players: str) -> Table:
    names = match.ruleset.named(match.battle, desk.language)
    who = [part.strip() for part in players.split(",") if part.strip()]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("Side", "Player", "Won"):
        table.add_column(desk.say(head), justify="right" if head == "Won" else "left")
    table.add_column("%", justify="right")
    total = wins.total()
    for place, seat in enumerate(match.battle.seats):
        won = wins[seat]
        table.add_row(names.get(seat, seat), who[place % len(who)], str(won), f"{100 * won / total:.0f}")
    table.add_row(desk.say("Drawn"), "", str(wins[None]), f"{100 * wins[None] / total:.0f}")
    return table

"""Setting up what `play` and `watch` were asked for."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grognard import games
from grognard.kernel.errors import BadInput
from grognard.kernel.match import saves, shelf
from grognard.kernel.match.dice import ByHand, Dice, Seeded
from grognard.kernel.match.match import Match
from grognard.players import Player
from grognard.terminal.desk import Desk, read_bytes
from grognard.terminal.playing import Sitting
from grognard.terminal.table import new_match, seat_players
from grognard.terminal.watching import computers, watch_many, watch_one


class Chosen(NamedTuple):
    """What was chosen on the command line."""

    game: str
    scenario: str | None
    armies: str
    seed: int
    house: tuple[str, ...]
    players: str

    def match(self, seed: int, dice: Dice, history: str) -> Match:
        ruleset = games.find(self.game)
        return new_match(ruleset, self.scenario, self.armies, seed, self.house, dice, history)


def play(desk: Desk, chosen: Chosen, side: str | None, dice: str, save: Path | None) -> int:
    """A new match, or the one in the file."""
    if save is not None and not save.parent.is_dir():
        raise BadInput("there is no folder {name}", name=str(save.parent))
    source: Dice = ByHand() if dice == "by-hand" else Seeded(f"dice {chosen.seed}")
    if save is not None and save.exists():
        match = _resumed(chosen.game, save, source, chosen.seed)
        desk.line("Playing on from {name}: {count} answers so far.", name=save, count=len(match.answers))
    else:
        match = chosen.match(chosen.seed, source, "all")
    players = seat_players(match, chosen.players, chosen.seed, side)
    return Sitting(desk, match, players, save).run()


def _resumed(game: str, path: Path, dice: Dice, seed: int) -> Match:
    raw = read_bytes(path, saves.MAX_BYTES)
    try:
        header, answers = saves.parse(raw)
    except BadInput as error:
        raise BadInput("{path}: {error}", path=path, error=error) from None
    if header.game != game:
        raise BadInput("{name} holds a match of {other}, not of {game}", name=str(path), other=header.game, game=game)
    if isinstance(dice, Seeded):  # other dice than those already rolled
        dice = Seeded(f"dice {seed} after {len(answers)}")
    match = saves.load(raw, {game: games.find(game)}, dice=dice)
    shelf.hold(match.shelf)
    return match


def watch(desk: Desk, chosen: Chosen, speed: float, count: int, out: Path | None) -> int:
    """One game live, or many and who won."""
    if out is not None and not out.parent.is_dir():
        raise BadInput("there is no folder {name}", name=str(out.parent))
    if out is not None and out.is_dir():
        raise BadInput("{name} is a folder, not a file", name=str(out))

    def make(seed: int) -> tuple[Match, dict[str, Player]]:
        match = chosen.match(seed, Seeded(f"dice {seed}"), "last")
        return match, computers(seat_players(match, chosen.players, seed))

    if count > 1:
        return watch_many(desk, make, chosen.seed, count, chosen.players, out)
    return watch_one(desk, make, chosen.seed, speed, out)

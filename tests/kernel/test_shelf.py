"""Matches are played with the cards they were begun with, whatever becomes of the game's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grognard.cli import run
from grognard.games import RULESETS
from grognard.kernel.errors import BadInput
from grognard.kernel.events import canonical
from grognard.kernel.match import saves, shelf
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.players import RandomPlayer

#: A card file each game's starter armies need.
NEEDED = {
    "nemesis": "cult.yaml", "ades": "hyena.yaml", "wh40k": "iron-compact.datasheets.yaml",
    "t9a": "free-cities.book.yaml", "wfb3": "bestiary.yaml",
}  # fmt: skip
each_game = pytest.mark.parametrize("game", RULESETS)


def begun(game: str, answers: int = 30) -> Match:
    """A match of the game's own cards, begun."""
    ruleset = RULESETS[game]
    match = Match(ruleset, ruleset.default_setup(None, (), 1), dice=Seeded(1), history="none")
    players = {seat: RandomPlayer(f"{seat} 1") for seat in match.battle.seats}
    while match.pending and len(match.answers) < answers:
        question = match.pending[0]
        match.answer(players[question.seat].choose(match, question), question.seat)
    return match


def change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the games' own cards be others, as in a later version."""
    monkeypatch.setattr(shelf, "own_hash", lambda folder: "later")


@each_game
def test_the_cards_of_today_are_kept_for_later(game: str) -> None:
    """Saves without cards that were written until now open when the cards will have changed."""
    folder = RULESETS[game].folder / "cards"
    kept = [shelf.released(folder, file.name.split(".")[0]) for file in (folder.parent / "shelves").iterdir()]
    assert kept and all(one is not None and shelf.hash_of(one.files) == one.hash for one in kept)


@each_game
def test_a_save_brings_its_cards_along(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(game)
    text = saves.save(match)
    change(monkeypatch)
    again = saves.load(text, RULESETS)
    assert again.shelf is not None and saves.save(again) == text
    assert canonical(again.events) == canonical(match.events)
    with shelf.held(again.shelf):
        again.answer(RandomPlayer("1").choose(again, again.pending[0]), again.pending[0].seat)


@each_game
def test_cards_really_come_from_the_shelf(game: str) -> None:
    """The same save with other cards in it is another battle, or none: nothing is read from the game's own folder."""
    match = begun(game, 0)
    header, answers = saves.parse(saves.save(match))
    assert header.sheets is not None
    other = {name: text for name, text in header.sheets.items() if name != NEEDED[game]}
    changed = saves.Header(
        header.grognard, header.game, header.rules, shelf.hash_of(other), header.house, header.setup, header.ask_all,
        None, other,
    )  # fmt: skip
    with pytest.raises(BadInput, match="cannot be replayed"):
        saves.resume(changed, answers, RULESETS)


def test_cards_that_are_not_those_it_names() -> None:
    header, _, rest = saves.save(begun("nemesis", 0)).partition("\n")
    told = json.loads(header)
    told["sheets"]["cult.yaml"] += "#"
    told["cards"] = "0" * 16
    with pytest.raises(BadInput, match="not those it was played with"):
        saves.load(json.dumps(told) + "\n" + rest, RULESETS)


def test_strangers_cards_read_no_files(tmp_path: Path) -> None:
    """`!file` in a card that somebody brought along reads nothing of ours."""
    (tmp_path / "secret.yaml").write_text("secret: 1\n")
    header, answers = saves.parse(saves.save(begun("nemesis", 0)))
    assert header.sheets is not None
    files = {**header.sheets, "cult.yaml": f"cards: !file {tmp_path}/secret.yaml\n"}
    changed = saves.Header(1, "nemesis", header.rules, shelf.hash_of(files), header.house, header.setup, sheets=files)
    with pytest.raises(BadInput, match=r"cult\.yaml"):
        saves.resume(changed, answers, RULESETS)


def test_bare_saves_stay_bare_and_open_by_what_was_released(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = begun("nemesis")
    match.bare = True
    text = saves.save(match)
    assert '"sheets"' not in text
    change(monkeypatch)
    file = tmp_path / "old.jsonl"
    file.write_text(text)
    if shelf.released(RULESETS["nemesis"].folder / "cards", json.loads(text.partition("\n")[0])["cards"]) is None:
        pytest.skip("the cards have changed since they were last kept")
    assert saves.save(saves.load(text, RULESETS)) == text
    assert run(["replay", str(file)]) == 0
    monkeypatch.setattr(saves, "released", lambda folder, known_as: None)
    assert run(["replay", str(file)]) == 2
    assert "cards" in capsys.readouterr().err
    shelf.hold(None)

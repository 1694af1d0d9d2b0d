"""The battle report: one file that holds everything, in two languages, with luck that adds up."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import combinations

import pytest

from grognard.games import RULESETS
from grognard.kernel.events import Event
from grognard.kernel.match.dice import Seal, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.screen.svg import breadth
from grognard.players import RandomPlayer, play
from grognard.report import render
from grognard.report.chart import chart
from grognard.report.luck import lucks, totals, trial_of, trials_of
from grognard.report.story import chapters, losses
from tests.kernel.toy import TOY

NEMESIS = RULESETS["nemesis"]
VOID = ("meta", "br", "link")


@cache
def battle() -> Match:
    setup = NEMESIS.default_setup("for-miter", ("realm-300", "undead-300"), 3)
    match = Match(NEMESIS, setup, dice=Seeded(3), timed=True)
    play(match, {seat: RandomPlayer(seat) for seat in match.battle.seats})
    return match


class Balanced(HTMLParser):
    """Fails on tags that do not close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["en", "fr"])
def test_one_file_with_everything(language: str) -> None:
    match = battle()
    page = render(match, None, language, Seal("ab" * 32, "cd" * 32))
    parser = Balanced()
    parser.feed(page)
    parser.close()
    assert parser.open == [] and "script" not in parser.seen
    turns = {moment.turn for moment in match.times}
    assert parser.seen.count("svg") == len(turns), "a map per turn"
    assert not re.search(r"""(src|href)=(?!["']?(#|data:))""", page), "nothing is fetched from elsewhere"
    words = {"en": ("Losses", "Scores", "Luck", "Turn 1"), "fr": ("Pertes", "Scores", "Chance", "Tour 1")}[language]
    for word in (*words, "ab" * 32, "cd" * 32):
        assert word in page
    for name in match.ruleset.named(match.battle, language).values():
        assert "{" not in name
    assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S), "every fact is told"


def test_losses_add_up() -> None:
    match = battle()
    found = losses(chapters(match, None))
    left = sum(figure.pose is not None for figure in match.scene(None).models)
    assert sum(loss.end for loss in found) == left
    assert sum(loss.start for loss in found) >= 38


def test_scores_say_once_what_they_count() -> None:
    """One kind of score is named by the heading; the time before the first turn is no turn."""
    page = render(battle(), None, "en")
    table = page[page.index("<h2>Scores") : page.index("<h2>Luck")]
    assert table.startswith("<h2>Scores (points eliminated)</h2>")
    assert table.count("points eliminated") == 1
    assert "<td>Before the battle</td>" in table and "<td>Turn 1</td>" in table


def test_names_on_the_map_stand_on_it_and_apart() -> None:
    """No name of a unit covers another, nor runs over the edge of the table."""
    scene = chapters(battle(), None)[1].scene
    found = re.findall(
        r'<text class="label" x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)"[^>]*>([^<]+)', chart(scene, {}, str)
    )
    spots = [
        (float(x), float(y), breadth(unescape(name), float(size), bold=True) / 2, float(size))
        for x, y, size, name in found
    ]
    assert len(spots) >= 8
    for x, y, half, size in spots:
        assert half <= x <= scene.table.width - half and size <= y <= scene.table.height
    for one, other in combinations(spots, 2):
        assert abs(one[1] - other[1]) >= one[3] - 0.2 or abs(one[0] - other[0]) >= one[2] + other[2] - 0.2


def test_luck_adds_up() -> None:
    match = battle()
    rolls = [event for event in match.events if event.kind == "roll"]
    each = lucks(match.events)
    assert sum(luck.dice for luck in each) == sum(len(event.data["faces"]) for event in rolls)
    assert sum(luck.rolled for luck in totals(each)) == sum(sum(event.data["faces"]) for event in rolls)
    for luck in each:
        assert luck.expected == Fraction(luck.dice * 11, 2), "Némésis rolls D10s"
        assert 0 <= luck.chance <= luck.tests and abs(luck.deviations) < 8


def test_dice_of_different_sides_have_no_average_in_common() -> None:
    """The total of all rolls says how lucky they were, not what a D6 and a D100 come to on average."""
    rolls = [
        Event("roll", "x", ("red",), {"name": "hit", "sides": 6, "faces": [3, 4], "sense": "value"}),
        Event("roll", "x", ("red",), {"name": "table", "sides": 100, "faces": [50], "sense": "value"}),
    ]
    each = lucks(rolls)
    assert [luck.sides for luck in each] == [6, 100]
    assert [luck.sides for luck in totals(each)] == [0]
    assert [luck.sides for luck in totals(each[:1])] == [6]


@pytest.mark.parametrize(
    ("data", "passed", "chance"),
    [
        ({"sides": 6, "faces": [4], "sense": "high", "need": 4}, True, Fraction(1, 2)),
        ({"sides": 6, "faces": [4], "sense": "high", "need": 4, "plus": -1}, False, Fraction(1, 3)),
        ({"sides": 10, "faces": [3], "sense": "over", "need": 3}, False, Fraction(7, 10)),
        ({"sides": 10, "faces": [3], "sense": "under", "need": 3, "plus": 5}, True, Fraction(3, 10)),
        ({"sides": 6, "faces": [3, 4], "sense": "high", "need": 7}, True, Fraction(21, 36)),
    ],
)
def test_how_likely_a_test_was(data: dict[str, object], passed: bool, chance: Fraction) -> None:
    found = trial_of(Event("roll", "x", ("red",), {"name": "x", **data}))
    assert found is not None and (found.passed, found.chance) == (passed, chance)


def test_each_of_several_dice_is_a_test() -> None:
    """Where each die is compared by itself their sum means nothing."""
    data = {"name": "x", "sides": 6, "faces": [1, 5, 6], "sense": "high", "need": 5, "plus": 1, "each": True}
    found = trials_of(Event("roll", "x", ("red",), data))
    assert [(trial.passed, trial.chance) for trial in found] == [(p, Fraction(1, 2)) for p in (False, True, True)]


def test_a_number_is_no_test() -> None:
    assert trial_of(Event("roll", "x", ("red",), {"name": "x", "sides": 6, "faces": [3], "sense": "value"})) is None


def test_a_seat_reads_only_what_it_may_know() -> None:
    match = Match(TOY, TOY.default_setup(), dice=Seeded(1), timed=True)
    match.answer("left", "red")
    mine, theirs = render(match, "red", "en"), render(match, "blue", "en")
    assert mine != theirs and len(mine) > len(theirs)


def test_names_are_text_not_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    wicked = '<script>alert("1")</script>'
    monkeypatch.setattr(type(TOY), "names", lambda self, battle: dict.fromkeys(battle.seats, wicked))
    match = Match(TOY, TOY.default_setup(), dice=Seeded(1), timed=True)
    play(match, {seat: RandomPlayer(seat) for seat in match.battle.seats})
    page = render(match, None, "en")
    assert "<script" not in page and "&lt;script" in page


def test_a_phase_says_whose_it_is_and_a_round_is_called_one() -> None:
    wh40k = RULESETS["wh40k"]
    match = Match(wh40k, wh40k.default_setup(None, (), 3), dice=Seeded(3), timed=True)
    player = RandomPlayer(3)
    while not (match.times and match.times[-1].turn == 1 and match.times[-1].phase == "movement"):
        question = match.pending[0]
        match.answer(player.choose(match, question), question.seat)
    page = render(match, None, "fr")
    assert "<h2>Round 1</h2>" in page
    names = match.ruleset.named(match.battle, "fr")
    assert any(f"<b>Phase de Commandement · {names[seat]}.</b>" in page for seat in match.battle.seats)


def test_whoever_waits_off_the_table_is_not_lost_and_whoever_dies_from_there_is() -> None:
    """Models aboard, in reserve or still to be set up at the end of a turn, as in Warhammer 40,000."""
    ruleset = RULESETS["wh40k"]
    match = Match(ruleset, ruleset.default_setup(None, (), 3), dice=Seeded(3), timed=True)
    play(match, {seat: RandomPlayer(seat) for seat in match.battle.seats})
    told = chapters(match, None)
    found = losses(told)
    alive = [figure for figure in match.scene(None).models if not any(said.code == "dead" for said in figure.states)]
    assert sum(loss.end for loss in found) == len(alive)
    assert sum(loss.start for loss in found) == len(match.scene(None).models)
    assert sum(len(chapter.fallen) for chapter in told) == sum(loss.start - loss.end for loss in found)


def test_woods_are_green_on_the_map_and_ruins_are_not() -> None:
    ruleset = RULESETS["wh40k"]
    scene = ruleset.scene(ruleset.create(ruleset.default_setup(None, (), 3), ruleset.house_rules_from({})), None)
    drawn, seen = chart(scene, {}, str), []
    for kind, colour in (("woods", "#cfe0c3"), ("ruins", "#d8cfc0")):
        for piece in (piece for piece in scene.terrain if piece.kind == kind):
            assert re.search(f'fill="{colour}"[^>]*><title>{re.escape(piece.name)}<', drawn), piece.name
            seen.append(kind)
    assert {*seen} == {"woods", "ruins"}

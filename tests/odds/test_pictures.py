"""Pictures of odds: what stands in them and where, the same to the byte; and a PNG of one."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from resvg_py import svg_to_bytes

from grognard import odds
from grognard.games import RULESETS
from grognard.kernel.errors import BadInput
from grognard.kernel.odds.odds import Odds
from grognard.kernel.odds.weigh import Distribution
from grognard.kernel.screen.svg import breadth, drawing, tag, text, wrapped
from grognard.odds.colours import COLOURS, bar_colour, mixed, on, shade
from grognard.odds.panel import Panel, between
from grognard.odds.picture import FORMATS, WIDTH, picture
from tests.cli.toy import TOY

SVG = "{http://www.w3.org/2000/svg}"
COUNTS = Distribution({0: 1, 1: 3, 2: 4, 3: 2}, 10)
WORDS = Distribution({"destroyed at once and for good": 3, "knocked out": 2, "R&D <unharmed>": 4}, 9)


def root(svg: str) -> ET.Element:
    return ET.fromstring(svg.encode())


def told(svg: str) -> list[str]:
    return [one.text or "" for one in root(svg).iter(f"{SVG}text")]


def bars(svg: str) -> list[tuple[str, float]]:
    """Colour and height of every bar: what is filled and stands on the floor, but for the marks of the legend."""
    found = [one.attrib for one in root(svg).iter(f"{SVG}rect")]
    return [(one["fill"], float(one["height"])) for one in found if "x" in one and one.get("height") != "12"
            and "rx" not in one]  # fmt: skip


def samples() -> Iterator[tuple[str, Odds | list[odds.Line]]]:
    many = Distribution({value: 1 + 40 * (value == 20) for value in range(50)}, 90)
    pairs = Distribution({(1, "a"): 1, (2, "b"): 3}, 4)
    yield "counts", odds.ask(TOY, "shot", aim=1)
    yield "word", odds.ask(TOY, "word", aim=1)
    yield "compared", odds.compare(TOY, "shot", {}, "aim", [0, 1])
    yield "many", Odds.of("many", many)
    yield "sure", Odds.of("sure", Distribution({2: 1}, 1))
    yield "two parts", Odds.of("pair", pairs, parts={"a": lambda pair: pair[0], "b": lambda pair: pair[1]})
    yield "words", Odds.of("words", WORDS)
    yield "far", Odds.of("far", Distribution({value * 1000: 1 for value in range(14)}, 14))
    yield "a grid", odds.ask(RULESETS["ades"], "fight", first_dice=3, second_dice=2)


SAMPLES = dict(samples())


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_kind_of_answer_is_drawn_and_stays_in_the_picture(name: str, language: str) -> None:
    svg = picture(SAMPLES[name], title="A title " * 12, caption="a caption " * 40, language=language)
    assert svg == picture(SAMPLES[name], title="A title " * 12, caption="a caption " * 40, language=language)
    height = float(root(svg).attrib["height"])
    boxes = list(placed(root(svg)))
    assert len(boxes) >= 8
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= WIDTH and 0 <= top < bottom <= height


@pytest.mark.parametrize("name", SAMPLES)
def test_no_words_cover_others(name: str) -> None:
    boxes = list(placed(root(picture(SAMPLES[name], caption="a caption"))))
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def placed(whole: ET.Element) -> Iterator[tuple[float, float, float, float]]:
    """Where every line of words is drawn: left, top, right and bottom."""
    for parent in whole.iter():
        shift = re.fullmatch(r"translate\((\S+) (\S+)\)", parent.get("transform", ""))
        across, down = map(float, shift.groups()) if shift else (0.0, 0.0)
        for one in parent.findall(f"{SVG}text"):
            size, x, y = (float(one.attrib[key]) for key in ("font-size", "x", "y"))
            long = breadth(one.text or "", size, bold=one.get("font-weight") == "bold")
            start = {"start": 0.0, "middle": -long / 2, "end": -long}[one.get("text-anchor", "start")]
            if one.get("transform"):  # upright: what went to the right goes up
                left, right, top, bottom = x - size * 0.7, x + size * 0.2, y - start - long, y - start
            else:
                left, right, top, bottom = x + start, x + start + long, y - size * 0.7, y + size * 0.2
            yield left + across, top + down, right + across, bottom + down


def test_bars_are_as_high_as_their_chances() -> None:
    svg = picture(Odds.of("counts", COUNTS))
    heights = [height for _, height in bars(svg)]
    assert len(heights) == 4
    assert heights == pytest.approx([heights[0] * share for share in (1, 3, 4, 2)], abs=0.3)
    found = told(svg)
    assert {"10.0 %", "30.0 %", "40.0 %", "20.0 %", "≥ 1: 90.00 %", "≥ 2: 60.00 %", "mean 1.7"} <= set(found)
    assert {"Exactly", "At least", "Chance", "outcome", "counts"} <= set(found)
    assert "Au moins" in told(picture(Odds.of("counts", COUNTS), language="fr"))


def test_one_grid_serves_both_scales() -> None:
    """40 % of the left stands as high as 80 % of the right, and the line ends at its own scale."""
    panel = Panel("outcome", (("", COUNTS),), "en", 864)
    assert panel.step == 8 and panel.up(40, panel.step) == panel.up(100, 20)
    (spots,) = root(picture(Odds.of("counts", COUNTS))).iter(f"{SVG}polyline")
    heights = [float(spot.split(",")[1]) for spot in spots.attrib["points"].split()]
    assert heights == pytest.approx([panel.up(share, 20) for share in (90, 60, 20)], abs=0.1)


def test_compared_answers_stand_in_groups_and_are_named() -> None:
    others = [odds.Line(f"aim = {n}", Odds.of("x", COUNTS)) for n in range(12)]
    svg = picture(others)
    assert len({colour for colour, _ in bars(svg)}) == 12
    assert "aim = 11 (mean 1.7)" in told(svg) and "At least" not in told(svg)
    assert [colour for colour, _ in bars(picture(others[:2]))][::4] == [COLOURS[0], COLOURS[1]]


def test_words_under_the_bars_are_wrapped_and_escaped() -> None:
    svg = picture(Odds.of("words", WORDS))
    assert {"destroyed at once and", "for good", "R&D <unharmed>"} <= set(told(svg))
    long = Distribution({"x" * 60: 1, "y": 1}, 2)
    assert 'transform="rotate(-90' in picture(Odds.of("long", long)).split("x" * 60)[0].rsplit("<text", 1)[1]


def test_tails_nobody_would_see_are_left_out() -> None:
    tail = Distribution({value: 10_000 if value < 5 else 1 for value in range(30)}, 50_025)
    assert 5 <= len(bars(picture(Odds.of("tail", tail)))) < 30
    assert len(bars(picture(SAMPLES["many"]))) == 50


def test_the_grid_marks_the_best_choice_and_answers() -> None:
    answer = SAMPLES["a grid"]
    assert isinstance(answer, Odds) and answer.grid is not None
    found = told(picture(answer))
    assert sum(word.startswith("▸ ") for word in found) == len(answer.grid.rows)
    assert f"★ {answer.grid.rows[answer.grid.choice]}" in found


def test_colours() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert (shade(1), shade(0), shade(-1)) == ("#2f7fc1", "#f7f7f7", "#e08214")
    assert on("#ffffff") == "#222222" and on("#000000") == "#ffffff"
    assert len({bar_colour(order) for order in range(12)}) == 12


def test_where_a_number_lies_between_ticks() -> None:
    assert [between([1, 2, 4], number) for number in (0, 1, 1.5, 3, 4, 9)] == [0, 0, 0.5, 1.5, 2, 2]


# ---------------------------------------------------------------------- words and fonts


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize(
    "words", ["How many of a unit does a volley fell?", "Crown Archer, distance = 20", "Où frappe l'Élu ? ≥ 3: 63.70 %",
              "★ 4 : 1", "▸ 1.49 / 2.03", "WAMMOO", "illicit"]
)  # fmt: skip
def test_words_are_no_broader_than_they_are_taken_to_be(words: str, bold: bool) -> None:
    """What covers the page beyond them covers nothing of them; what begins earlier does."""
    size = 40.0

    def drawn(covered: float) -> bytes:
        cover = tag("rect", x=covered, width=2000, height=60, fill="#ffffff")
        return svg_to_bytes(
            svg_string=drawing(2000, 60, "", [text(0, 45, words, size, fill="#000000", bold=bold), cover])
        )

    whole = breadth(words, size, bold=bold)
    assert drawn(whole) == drawn(2000)
    assert drawn(whole * 0.85) != drawn(2000)


def test_wrapping() -> None:
    assert wrapped("one two three", 10, breadth("one two", 10)) == ["one two", "three"]
    assert wrapped("one\ntwo", 10, 1000) == ["one", "two"]
    assert wrapped("unbreakable word", 10, 1) == ["unbreakable", "word"]


# ---------------------------------------------------------------------- files


def test_files(tmp_path: Path) -> None:
    one = SAMPLES["counts"]
    for kind in FORMATS:
        odds.write_picture(one, tmp_path / f"one{kind}", title="A title", caption="a caption")
    assert (tmp_path / "one.svg").read_text(encoding="utf-8") == picture(one, title="A title", caption="a caption")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match=r"\.png or \.svg"):
        odds.write_picture(one, tmp_path / "one.gif")


def test_without_the_renderer_an_svg_is_drawn_and_a_png_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    odds.write_picture(SAMPLES["counts"], tmp_path / "one.svg")
    with pytest.raises(BadInput, match=r"pip install 'grognard\[pictures\]'"):
        odds.write_picture(SAMPLES["counts"], tmp_path / "one.png")
    assert (tmp_path / "one.svg").exists() and not (tmp_path / "one.png").exists()


def test_without_a_font_a_png_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resvg_py.svg_to_bytes", lambda svg_string, zoom=1: b"blank")
    with pytest.raises(BadInput, match="needs a font"):
        odds.write_picture(SAMPLES["counts"], tmp_path / "one.png")


def test_halves_are_told_as_numbers() -> None:
    halves = Distribution({Fraction(k, 2): 1 for k in range(4)}, 4)
    assert {"0", "0.5", "1", "1.5", "mean 0.75"} <= set(told(picture(Odds.of("halves", halves))))

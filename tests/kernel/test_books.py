"""Tallies that say why, texts in two languages, rulebooks and their coverage."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.kernel.data.rulebook import Rulebook
from grognard.kernel.errors import BadInput
from grognard.kernel.events import Event, canonical
from grognard.kernel.questions import Roll, option
from grognard.kernel.words import texts
from grognard.kernel.words.tally import Tally
from grognard.kernel.words.wording import fields
from tests.kernel.toy import FOLDER, TOY

# ---------------------------------------------------------------------- tally


def test_a_tally_keeps_the_account() -> None:
    tally = Tally(4, "aim", "toy:5.3").add(1, "short", "toy:5.1").times(2, "double", "toy:5").add(0, "nothing", "x")
    assert tally.value == 10
    assert tally.rules == ("toy:5.3", "toy:5.1", "toy:5")
    assert tally.why()[1] == {"what": "short", "op": "add", "amount": 1, "rule": "toy:5.1"}
    assert canonical(tally.why())
    assert repr(tally) == "Tally(10: aim 4 short +1 double x2)"


def test_bounds_are_noted_only_where_they_bite() -> None:
    tally = Tally(4, "aim", "a").at_least(2, "floor", "b").at_most(9, "cap", "c")
    assert "".join(tally.rules) == "a"
    assert tally.at_least(6, "floor", "b").value == 6
    assert tally.at_most(5, "cap", "c").value == 5
    assert tally.set(1, "set", "d").value == 1
    assert "".join(tally.rules) == "abcd"


# ---------------------------------------------------------------------- events and texts


def test_events_are_seen_by_their_seats_and_the_referee() -> None:
    told = Event("x", "toy:1", seats=("red",))
    assert told.visible_to("red") and told.visible_to(None) and not told.visible_to("blue")
    assert Event("x", "toy:1").visible_to("blue")


def test_one_byte_form() -> None:
    assert canonical({"b": 1, "a": [1.5, None]}) == b'{"a":[1.5,null],"b":1}'


def test_battles_write_tallies_out() -> None:
    battle = TOY.create(TOY.default_setup(), TOY.house_rules_from({}))
    battle.tell("struck", "toy:5.4", ("red",), need=Tally(7, "strike", "toy:5.3").add(1, "wall", "toy:4.3"), lost=1)
    assert battle.events[-1].data["need"]["value"] == 8
    battle.cite("toy:6")
    assert list(battle.cited) == ["toy:5.4", "toy:5.3", "toy:4.3", "toy:6"]


def test_sentences_show_names_numbers_and_lists() -> None:
    sentences = {"x": "{who} moves {far} with {what} for {why}, {missing}"}
    data = {"who": "red", "far": 2.50, "what": ["blue", 3], "why": {"value": 7, "why": []}}
    said = texts.say(sentences, "x", data, names={"red": "Red", "blue": "Blue"})
    assert said == "Red moves 2.5 with Blue, 3 for 7, {missing}"
    assert texts.say(sentences, "no.such.code", {}) == "no.such.code"


def test_a_fact_that_is_a_code_is_told_by_its_sentence() -> None:
    codes = {"over": "Over: {why}", "why.time": "time is up", "why.fell": "{who} fell", "why.deep": "because {why}"}
    names = {"red": "The Reds"}
    assert texts.say(codes, "over", {"why": "why.time"}) == "Over: time is up"
    assert texts.say(codes, "over", {"why": "why.fell", "who": "red"}, names=names) == "Over: The Reds fell"
    assert texts.say(codes, "over", {"why": "why.fell"}) == "Over: why.fell"  # what it wants to tell is not known
    assert texts.say(codes, "over", {"why": "why.deep"}) == "Over: why.deep"
    assert texts.say(codes, "over", {"why": "elsewhere"}) == "Over: elsewhere"


def test_events_and_questions_become_sentences() -> None:
    battle = TOY.create(TOY.default_setup(), TOY.house_rules_from({}))
    names = TOY.names(battle)
    event = Event("struck", "toy:5.4", ("red", "blue"), {"lost": 2})
    assert TOY.tell(event, names) == "Red strikes Blue, who loses 2"
    rolled = Event("roll", "toy:5.3", ("red", "blue"), {"name": "strike.roll", "faces": [3, 4]})
    assert TOY.tell(rolled, names) == "strike against Blue: 3, 4"
    roll = Roll("red", "strike.roll", 6, rule="toy:5.3", about=("blue",))
    assert TOY.prompt(roll, names) == "Red strikes Blue: roll"
    assert TOY.label(option("left", text="side.left"), names) == "left"
    assert TOY.label(option("red"), names) == "Red"


def test_french_is_read_from_the_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "grognard.po").write_text('msgid "left"\nmsgstr "gauche"\n\nmsgid "right"\nmsgstr ""\n', encoding="utf-8")
    monkeypatch.setattr(texts, "LOCALES", tmp_path)
    texts.catalogue.cache_clear()
    try:
        assert texts.gettext("left", "fr") == "gauche"
        assert texts.gettext("right", "fr") == "right"
        assert texts.say({"x": "left"}, "x", {}, "fr") == "gauche"
        assert texts.gettext("left", "en") == texts.gettext("left", "de") == "left"
    finally:
        texts.catalogue.cache_clear()


def test_the_kernel_speaks_french() -> None:
    known = texts.catalogue("fr")
    for code, template in texts.KERNEL_TEXTS.items():
        assert template in known, code
        assert fields(template) == fields(known[template]), code


# ---------------------------------------------------------------------- rulebook


def test_rules_by_id_and_language() -> None:
    book = TOY.rulebook
    assert book is TOY.rulebook
    assert book.rule("toy:2").title("en") == "Bids" and book.rule("toy:2").title("fr") == "Les enchères"
    with pytest.raises(BadInput, match=r"there is no rule toy:5.9$"):
        book.rule("toy:5.9")
    with pytest.raises(BadInput, match=r"there is no rule wh40k:4.1; did you mean toy:4.1\?"):
        book.rule("wh40k:4.1")


def test_search_wants_every_word() -> None:
    assert [rule.id for rule in TOY.rulebook.search("CARD down")] == ["toy:2"]
    assert TOY.rulebook.search("dragon") == []


def test_coverage_counts_advice_apart() -> None:
    told = TOY.rulebook.coverage(["toy:1", "toy:1", "toy:99"])
    assert told["total"] == len(TOY.rulebook.rules)
    assert (told["covered"], told["advice"], told["unknown"]) == (2, 1, ["toy:99"])
    assert "toy:2" in told["missing"] and "toy:7" not in told["missing"]


def test_rulebooks_with_faults_are_told(tmp_path: Path) -> None:
    text = (FOLDER / "rulebook.csv").read_text(encoding="utf-8")
    path = tmp_path / "rulebook.csv"
    path.write_text(text.replace("summary", "synopsis", 1), encoding="utf-8")
    with pytest.raises(BadInput, match=r"rulebook.csv: the column summary is missing"):
        Rulebook.read(path)
    path.write_text(text.replace("toy:2.1", "toy:2"), encoding="utf-8")
    with pytest.raises(BadInput, match="the rule toy:2 stands there twice"):
        Rulebook.read(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="column id is missing"):
        Rulebook.read(path)

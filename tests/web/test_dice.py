"""The dice of a match in the browser: sealed with the players' own words, or rolled by hand and entered."""

from __future__ import annotations

from tests.web.conftest import Open, Server
from tests.web.table import play_on


def test_words_of_their_own_in_the_dice(sit: Open, server: Server) -> None:
    """Each player is shown the seal and may add words, or none; at the end both pages find the dice to be those."""
    made = server.match(players=["human", "human"], dice="words")
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"], language="fr")
    for seat in (red, blue):
        assert seat.settle(("words",)) == "words"
        assert made["seal"] in seat.text(".decision")
    red.page.locator(".decision [data-words]").fill("rain on the moor")
    red.press("Enter")
    red.settle(("waiting",))
    blue.settle(("words",))
    assert "moor" not in blue.text("body")
    blue.page.locator(".decision [data-words]").fill("42")
    blue.press("Enter")
    play_on(red, blue)
    for seat in (red, blue):
        seat.click(".decision summary")
        assert seat.text(".decision [data-words]").endswith("red: rain on the moor")
        seat.click("[data-seal]")
        seat.page.wait_for_selector("[data-verdict=fits]")


def test_words_of_two_people_at_one_screen(sit: Open) -> None:
    """From the start page: the screen goes from one to the other, and then the battle begins."""
    me = sit()
    me.page.locator("[data-seat='1']").select_option("beside")
    me.page.locator("[data-dice]").select_option("words")
    me.click("[data-start]")
    for _ in range(2):
        me.settle(("words",))
        before = me.now
        me.click(".decision [data-confirm]")
        me.settle(("words", "asked"), before)
    me.settle()


def test_own_dice_are_entered(sit: Open, server: Server) -> None:
    """Where people roll themselves, the page asks for the faces; one that no die has is not taken."""
    made = server.match(dice="hand", players=["human", "human"])
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"])
    asked = next(s for s in (red, blue) if s.settle(("asked", "waiting")) == "asked")
    assert asked.fact("kind") == "roll"
    before = asked.now
    asked.page.locator(".faces button[aria-label='9']").click()
    asked.settle(("asked", "waiting"), before)
    other = next(s for s in (red, blue) if s.settle(("asked", "waiting")) == "asked")
    assert other.fact("kind") == "roll"
    before = other.now
    other.press("2")
    other.settle(("asked", "waiting"), before)
    red.page.wait_for_function("() => document.querySelectorAll('.entry.roll').length === 2")
    red.click("#tab-match")
    assert "nothing is sealed" in red.text(".menu")
    assert red.count(".menu code") == 0

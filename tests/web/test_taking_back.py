"""Taking back, between two people at one screen and in two browsers."""

from __future__ import annotations

from tests.web.conftest import Open, Server


def test_taking_back_at_one_screen(sit: Open, server: Server) -> None:
    """Whoever sits beside has been asked by word of mouth: the newest decision goes, whoever took it."""
    me = sit("+".join(server.match(players=["human", "human"])["links"].values()))
    me.settle()
    me.answer_by_mouse()
    decider = me.text(".decision .eyebrow")
    for _ in range(20):
        before, asked = me.now, me.text(".decision h2")
        me.answer_by_mouse()
        if me.text(".decision .eyebrow") != decider:
            break
    assert me.text(".decision .eyebrow") != decider, "the screen has turned"
    later = me.now
    assert me.text("[data-back]").startswith("Back to before")
    me.click("[data-undo]")
    me.settle(since=later)
    assert (me.text(".decision h2"), me.text(".decision .eyebrow")) == (asked, decider)
    assert before[1] == me.fact("question")


def test_a_wish_to_take_back_is_answered(sit: Open, server: Server) -> None:
    """The other is asked; a refusal is told to whoever wished, and consent takes it back."""
    made = server.match(players=["human", "human"])
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"])
    for _ in range(30):
        if red.settle(("asked", "waiting")) == "asked" and red.count("[data-undo=ask]"):
            break
        (red if red.fact("stage") == "asked" else blue).answer_by_mouse()
        for seat in (red, blue):
            seat.page.wait_for_timeout(100)
    red.click("[data-undo=ask]")
    blue.click("[data-undo=refuse]")
    red.page.wait_for_selector(".notice")
    told = red.text("[data-back]")
    assert told.startswith("Back to before: ")
    red.click("[data-undo=ask]")
    blue.page.wait_for_selector("[data-undo=agree]")
    assert blue.text(".ask [data-back]") == told, "both are told how far back it goes"
    before = red.now
    blue.click("[data-undo=agree]")
    red.settle(since=before)

"""The guided first battle: every note when its thing is there, through a whole first turn."""

from __future__ import annotations

from tests.web.conftest import Open
from tests.web.table import Seat

#: So many answers lead from the start well into the first turn.
ENOUGH = 40


def _note(me: Seat) -> str:
    """The note that is up, if there is one."""
    me.page.wait_for_timeout(150)
    return str(me.page.locator("[data-guide]").first.get_attribute("data-guide")) if me.count("[data-guide]") else ""


def test_notes_come_when_their_things_are_there(sit: Open) -> None:
    """What glows is told of when something glows, declining where it can be declined, the command phase though nobody
    is asked in it; each phase in its turn.
    """
    me = sit()
    me.click("[data-guided]")
    me.page.wait_for_selector("[data-guide=welcome]")
    seen: list[str] = []
    for _ in range(ENOUGH):
        if me.settle() == "over" or "guide.orders" in seen:
            break
        while note := _note(me):
            assert note not in seen
            if note == "pick":
                assert me.count("svg[role=application] .lit") > 0
            if note == "pass":
                assert me.count(".decision [data-option='']") == 1
            seen.append(note)
            me.click("[data-guide] >> text=Got it")
        me.answer_by_mouse()
    phases = [note for note in seen if note.startswith("guide.") and not note.startswith("guide.on.")]
    assert phases == [f"guide.{phase}" for phase in ("deployment", "start", "command", "movement", "orders")]
    assert {"welcome", "pick", "deploy", "pass", "undo", "why"} <= {*seen}


def test_enter_on_the_table_is_no_answer_to_a_note(sit: Open) -> None:
    """Whoever clicked a note away and then confirms by Enter does not click the next one away unread."""
    me = sit()
    me.click("[data-guided]")
    me.page.wait_for_selector("[data-guide=welcome]")
    me.settle()
    me.click("[data-guide] >> text=Got it")
    me.page.wait_for_selector("[data-guide]:not([data-guide=welcome])")
    note = _note(me)
    me.press("Enter")
    assert _note(me) == note

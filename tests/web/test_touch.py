"""With a finger: the first tap points at an option, the second chooses it; the verdict stays in sight."""

from __future__ import annotations

from tests.web.conftest import Open, Server
from tests.web.table import Seat
from tests.web.test_numbers import asked_to_move

#: Whether all of an element lies within the window.
IN_SIGHT = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
}"""

#: What is too small to be met by a finger, with the room around it that takes no room.
SMALL = """() => [...document.querySelectorAll("button, summary, [role=tab], a[href]")]
  .filter((e) => e.getClientRects().length && !e.closest(".sr"))
  .map((e) => {
    const box = e.getBoundingClientRect(), around = getComputedStyle(e, "::after");
    const [high, wide] = around.position === "absolute" ? [-parseFloat(around.top), -parseFloat(around.left)] : [0, 0];
    return [e.getAttribute("aria-label") || e.textContent.trim(), box.width + 2 * wide, box.height + 2 * high];
  })
  .filter(([, width, height]) => width < 22 || height < 24)"""


def until(me: Seat, question: str) -> None:
    while me.settle() == "asked" and me.fact("question") != question:
        me.answer_by_mouse()
    assert me.fact("question") == question


def test_the_first_tap_points_and_the_second_chooses(sit: Open, server: Server) -> None:
    me = sit(server.match()["links"]["red"], width=820, height=1180, touch=True)
    until(me, "move.unit")
    before = me.now
    assert me.page.evaluate(SMALL) == []
    first, second = me.page.locator(".decision .option").nth(0), me.page.locator(".decision .option").nth(1)
    first.tap()
    me.page.wait_for_selector(".option.pointed >> text=Tap again to choose")
    assert me.count(".model.pointed") > 0, "what it is about is lit"
    second.tap()
    me.page.wait_for_timeout(400)
    assert me.now == before
    assert me.count("text=Tap again to choose") == 1
    second.tap()
    me.settle(since=before)
    assert me.fact("question") == "move.models"


def test_a_lit_model_is_tapped_twice(sit: Open, server: Server) -> None:
    me = sit(server.match()["links"]["red"], width=820, height=1180, touch=True)
    until(me, "move.unit")
    before = me.now
    model = me.page.locator(".model.lit").first.bounding_box()
    spot = (model["x"] + model["width"] / 2, model["y"] + model["height"] / 2)
    me.page.touchscreen.tap(*spot)
    me.page.wait_for_selector(".tip >> text=Tap again")
    assert me.count(".option.pointed") == 1
    me.page.wait_for_timeout(400)
    assert me.now == before
    me.page.locator(".decision .option:not(.pointed)").first.tap()
    me.page.wait_for_selector(".tip", state="detached")
    me.page.touchscreen.tap(*spot)
    me.page.wait_for_selector(".tip >> text=Tap again")
    me.page.touchscreen.tap(*spot)
    me.settle(since=before)
    assert me.fact("question") == "move.models"
    assert me.count(".tip") == 0


def test_what_has_nothing_to_show_is_chosen_at_once(sit: Open, server: Server) -> None:
    """To pass, and options about nothing on the table; keys and the mouse choose at once as ever."""
    me = sit(server.match()["links"]["red"], width=820, height=1180, touch=True)
    until(me, "move.unit")
    before = me.now
    me.page.locator(".decision [data-option='']").tap()
    me.settle(("asked", "waiting"), before)


def test_the_verdict_is_in_sight_after_a_pull(sit: Open, server: Server) -> None:
    """On a telephone, with the page where it begins: what the rules say and the button are seen without scrolling."""
    me = sit(server.match()["links"]["red"], width=390, height=844, touch=True)
    asked_to_move(me)
    me.page.evaluate("scrollTo(0, 0)")
    box = me.page.locator("[data-grab]").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = me.page.context.new_cdp_session(me.page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]), ("touchMove", [{"x": x, "y": y - 4}]),
        ("touchMove", [{"x": x, "y": y - 9}]), ("touchEnd", []),
    ):  # fmt: skip
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    me.verdict()
    assert me.page.evaluate("scrollY") == 0
    assert me.page.evaluate(IN_SIGHT, ".verdict")
    assert me.page.evaluate(IN_SIGHT, "[data-confirm]")

"""Ranked blocks on the table: set down and carried by mouse, and by a finger on a tablet."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Open, Server
from tests.web.gallery import Wanderer
from tests.web.table import Seat

PLAN = {
    "game": "wfb3", "scenario": "pitched-battle", "armies": ["marchers-1000", "greenskins-1000"],
    "players": ["human", "random"], "house": {}, "seed": 3,
}  # fmt: skip
ENOUGH = 60


def models_of(me: Seat) -> int:
    """How many models the unit has whose placement is asked for."""
    return int(me.page.evaluate("() => document.querySelectorAll('[data-ghost]').length"))


def until_moving(me: Seat) -> None:
    """The quickest answers, until a unit on the table is to be moved."""
    for _ in range(ENOUGH):
        me.settle()
        if me.fact("question") == "move.path":
            return
        if me.fact("question") in ("move.unit", "move.kind"):
            before = me.now
            me.click(".decision [data-option]:not([data-option=''])")
            me.settle(("asked", "waiting"), before)
        else:
            me.answer_by_mouse()
    raise AssertionError("no unit is ever moved")


def drag(page: Any, x: float, y: float, by: tuple[float, float]) -> None:
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0] / 2, y + by[1] / 2, steps=3)
    page.mouse.move(x + by[0], y + by[1], steps=3)


def test_a_block_is_set_down_and_carried_by_mouse(sit: Open, server: Server) -> None:
    """Every model of the unit has its ghost; a place outside the zone is refused with its rule."""
    me = sit(server.match(**PLAN)["links"]["red"])
    me.settle()
    assert me.fact("question") == "deploy.unit"
    me.page.mouse.click(*me.spot(0.5, 0.5))
    assert not me.verdict()
    assert me.count(".verdict button") == 1
    outside = models_of(me)
    for share in (0.3, 0.5, 0.7):
        me.page.mouse.click(*me.spot(share, 0.88))
        if me.verdict():
            break
    assert models_of(me) == outside > 5
    stood = me.page.locator("[data-ghost]").first.bounding_box()
    me.page.mouse.click(*me.spot(share + 0.02, 0.88))
    assert me.verdict()
    me.page.mouse.click(*me.spot(share, 0.88))
    assert me.verdict()
    again = me.page.locator("[data-ghost]").first.bounding_box()
    assert abs(again["x"] - stood["x"]) + abs(again["y"] - stood["y"]) < 1, "its middle stands where the click was"
    before = me.now
    me.click("[data-confirm]")
    me.settle(("asked", "waiting"), before)

    until_moving(me)
    box = me.page.locator("[data-model][data-grab]").first.bounding_box()
    drag(me.page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, (12, -26))
    assert me.verdict()
    assert me.count("[data-ghost]") == me.count("[data-model][data-grab]")
    assert me.count("polyline.trail") == me.count("[data-ghost]")
    me.page.mouse.up()
    before = me.now
    me.click("[data-confirm]")
    me.settle(("asked", "waiting"), before)
    assert me.count(".entry") > 0


def test_a_block_is_set_down_and_carried_by_a_finger(sit: Open, server: Server) -> None:
    me = sit(server.match(**PLAN)["links"]["red"], width=820, height=1100, touch=True)
    me.settle()
    for share in (0.3, 0.5, 0.7):
        me.page.touchscreen.tap(*me.spot(share, 0.88))
        if me.verdict():
            break
    before = me.now
    me.page.locator("[data-confirm]").tap()
    me.settle(("asked", "waiting"), before)

    until_moving(me)
    box = me.page.locator("[data-model][data-grab]").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = me.page.context.new_cdp_session(me.page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]), ("touchMove", [{"x": x + 4, "y": y - 8}]),
        ("touchMove", [{"x": x + 8, "y": y - 18}]), ("touchEnd", []),
    ):  # fmt: skip
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert me.verdict()
    assert me.count("[data-ghost]") == me.count("[data-model][data-grab]")


def test_a_block_stands_in_as_many_files_as_wished(sit: Open, server: Server) -> None:
    """Wider and narrower by keys and buttons, at the same place; what is carried on keeps its files."""
    me = sit(server.match(game="t9a", scenario=None, armies=[], house={}, seed=3)["links"]["red"])
    before = Wanderer(me, 1)
    for _ in range(ENOUGH):
        me.settle()
        deploying = me.fact("kind") == "place" and me.fact("question").startswith("deploy")
        if deploying and me.count("[data-proposal]") and set_down_with_files(me):
            break
        before.answer()
    assert me.verdict()

    def files() -> int:
        return int(me.text(".pair:has([data-files]) .nums").split()[0])

    stood, models = files(), models_of(me)
    me.press(";")
    assert me.verdict()
    assert files() > stood
    me.click("[data-files=fewer]")
    me.click("[data-files=fewer]")
    assert me.verdict()
    narrow = files()
    assert narrow < stood
    drag(me.page, *middle(me), (30, 0))
    me.page.mouse.up()
    assert me.verdict()
    assert (files(), models_of(me)) == (narrow, models)


def set_down_with_files(me: Seat) -> bool:
    """Whether the unit is one with files, set down where it may stand as it is and wider."""
    for share in (0.5, 0.3, 0.7, 0.4, 0.6):
        me.page.mouse.click(*me.spot(share, 0.9))
        legal = me.verdict()
        if not me.count("[data-files]"):
            return False
        if legal:
            me.press(";")
            wider = me.verdict()
            me.click("[data-files=fewer]")
            if wider and me.verdict():
                return True
    return False


def middle(me: Seat) -> tuple[float, float]:
    """The middle of the first ghost on the screen."""
    box = me.page.locator("[data-ghost]").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

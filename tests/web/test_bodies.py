"""Units of single models on the table: carried as one body, corrected one by one, wheeled, raised to a floor."""

from __future__ import annotations

import math
from typing import Any

from tests.web.conftest import Open, Server
from tests.web.table import Seat
from tests.web.test_blocks import drag

PLAN = {
    "game": "wh40k", "scenario": "only-war", "armies": [], "players": ["human", "random"], "house": {}, "seed": 5,
}  # fmt: skip
ENOUGH = 80


def until_deployed(me: Seat, unit: str) -> None:
    """The quickest answers, until this unit is to be set up."""
    for _ in range(ENOUGH):
        me.settle()
        if me.fact("question") == "deploy" and unit in me.text(".decision h2"):
            return
        wanted = me.page.locator(".decision [data-option]", has_text=unit)
        if me.fact("question") == "deploy.unit" and wanted.count():
            before = me.now
            wanted.first.click()
            me.settle(("asked", "waiting"), before)
        else:
            me.answer_by_mouse()
    raise AssertionError(f"{unit} is never set up")


def spots(me: Seat) -> list[tuple[float, float]]:
    """Where the ghosts are on the screen, by model."""
    boxes = me.page.locator("[data-ghost]").evaluate_all(
        "all => all.map((g) => [g.dataset.ghost, g.getBoundingClientRect()])"
        ".map(([id, b]) => [id, b.x + b.width / 2, b.y + b.height / 2])"
    )
    return [(x, y) for _, x, y in sorted(boxes)]


def ruin_of(me: Seat) -> tuple[float, float]:
    """The middle of a ruin in the lower half of the picture."""
    found: Any = me.page.evaluate(
        "() => [...document.querySelectorAll('.piece.ruin')].filter((p) => p.textContent.includes('▤'))"
        ".map((p) => { const b = p.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })"
        ".sort((a, b) => b[1] - a[1])[0]"
    )
    return found[0], found[1]


def test_a_body_is_raised_wheeled_and_corrected(sit: Open, server: Server) -> None:
    me = sit(server.match(**PLAN)["links"]["red"])
    until_deployed(me, "Pathfinders")
    x, y = ruin_of(me)
    me.page.mouse.click(x, y)
    assert me.verdict()
    assert me.count("[data-ghost]") == 5
    assert me.count(".ghosts text.level") == 0
    me.press("k")
    assert me.verdict()
    assert me.page.locator(".ghosts text.level").all_text_contents() == ["▲1"] * 5
    me.press("j")
    assert me.verdict()
    assert me.count(".ghosts text.level") == 0

    me.page.mouse.click(*me.spot(0.5, 0.9))
    assert me.verdict()
    before = spots(me)
    for _ in range(6):
        me.press("d")
    assert me.verdict()
    turned = spots(me)
    middle = [sum(each) / 5 for each in zip(*before, strict=True)]
    again = [sum(each) / 5 for each in zip(*turned, strict=True)]
    assert math.dist(middle, again) < 2
    for (ax, ay), (bx, by) in zip(before, turned, strict=True):  # a quarter to the right
        assert abs((bx - middle[0]) + (ay - middle[1])) < 2
        assert abs((by - middle[1]) - (ax - middle[0])) < 2

    me.press("s")
    drag(me.page, *turned[0], (9, 0))
    me.page.mouse.up()
    assert me.verdict()
    alone = spots(me)
    assert math.dist(alone[0], turned[0]) > 5
    assert all(math.dist(a, b) < 1 for a, b in zip(alone[1:], turned[1:], strict=True))
    me.press("s")
    drag(me.page, *alone[2], (-60, 0))
    me.page.mouse.up()
    assert me.verdict()
    moved = spots(me)
    shift = moved[2][0] - alone[2][0], moved[2][1] - alone[2][1]
    assert shift[0] < -30
    for a, b in zip(alone, moved, strict=True):  # what was corrected stays as it is to the rest
        assert math.dist((a[0] + shift[0], a[1] + shift[1]), b) < 1


def test_a_pull_is_judged_again_when_the_server_comes_back(sit: Open, server: Server) -> None:
    me = sit(server.match(**PLAN)["links"]["red"])
    until_deployed(me, "Pathfinders")
    me.page.mouse.click(*me.spot(0.5, 0.9))
    assert me.verdict()
    me.forgiving = True
    server.kill()
    try:
        drag(me.page, *spots(me)[0], (40, 0))
        me.page.mouse.up()
        me.page.wait_for_selector(".decision .notice")
        assert me.page.locator("[data-confirm]").is_disabled(), "nobody has judged what is drawn"
    finally:
        server.start()
    me.page.wait_for_selector(".verdict .good")
    assert me.count("[data-ghost]") == 5
    before = me.now
    me.click("[data-confirm]")
    me.settle(("asked", "waiting"), before)

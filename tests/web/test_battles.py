"""Whole battles in the browser: by mouse, by keyboard, in two browsers, at one screen, through a killed server."""

from __future__ import annotations

import re

from tests.web.conftest import Open, Server
from tests.web.table import ENOUGH, Seat, play_on


def test_a_whole_battle_by_mouse(sit: Open) -> None:
    """From the start page to the sealed dice checked in the page: nothing but clicks and drags."""
    me = sit()
    me.click("text=House rules")
    cap = me.page.get_by_label(re.compile("Last turn of a mission"))
    cap.fill("1")
    cap.blur()
    me.page.locator("[data-seat='1']").select_option("random")
    me.click("[data-start]")
    placed = moved = False
    for _ in range(ENOUGH):
        if me.settle() == "over":
            break
        if me.fact("question") == "deploy.place" and not placed:
            deploy_by_click(me)
            placed = True
        elif me.fact("question") == "move.models" and me.count("[data-model][data-grab]") and not moved:
            moved = True
            move_by_drag(me)
        elif me.fact("question") == "move.unit" and not moved:
            before = me.now
            me.page.locator(".model.lit").first.click()
            me.settle(("asked", "waiting"), before)
        else:
            me.answer_by_mouse()
    assert placed
    assert moved
    assert me.over
    assert me.count(".entry") > 20
    me.click(".decision summary")
    me.click("[data-seal]")
    me.page.wait_for_selector("[data-verdict]")
    assert me.page.locator("[data-verdict]").get_attribute("data-verdict") == "fits"


def deploy_by_click(me: Seat) -> None:
    """A click sets the body down as ghosts; one model dragged out of the zone is refused with its rule."""
    stand_somewhere(me)
    box = me.page.locator("[data-ghost]").first.bounding_box()
    if me.count("text=Adjust single models"):
        me.click("text=Adjust single models")
        me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        me.page.mouse.down()
        me.page.mouse.move(*me.spot(0.5, 0.2), steps=5)
        me.page.mouse.up()
        assert not me.verdict()
        assert me.count(".verdict button")
        assert me.page.locator("[data-confirm]").is_disabled()
        me.click("text=Start again")
        stand_somewhere(me)
    before = me.now
    me.click("[data-confirm]")
    me.settle(("asked", "waiting"), before)


def stand_somewhere(me: Seat) -> None:
    for share in (0.35, 0.5, 0.65, 0.2):
        me.page.mouse.click(*me.spot(share, 0.93))
        if me.verdict():
            return
    raise AssertionError("there is no room")


def move_by_drag(me: Seat) -> None:
    """Drag one model: the body follows it as ghosts; then a step of it is confirmed, or it stays."""
    box = me.page.locator("[data-model][data-grab]").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x, y - 12, steps=3)
    me.page.mouse.move(x + 4, y - 20, steps=3)
    legal = me.verdict()
    me.page.mouse.up()
    assert me.count("[data-ghost]") >= 1
    before = me.now
    if legal and me.verdict():
        me.click("[data-confirm]")
    else:
        me.click(".decision [data-option='']")
    me.settle(("asked", "waiting", "over"), before)


def test_a_whole_battle_by_keyboard(sit: Open, server: Server) -> None:
    """Keys alone: numbers, brackets, arrows, Enter; what is asked is announced to a screen reader."""
    made = server.match()
    me = sit(made["links"]["red"])
    carried = False
    for _ in range(ENOUGH):
        if me.settle() == "over":
            break
        spoken = me.page.locator("[role=status][aria-live=polite]").first.inner_text()
        assert spoken.strip()
        if me.fact("question") == "move.unit" and not carried:
            before = me.now
            me.press("2")
            me.settle(("asked",), before)
        if me.fact("question") == "move.models" and not carried:
            carried = True
            me.press("ArrowUp", "ArrowUp")
            me.verdict()
            assert me.count("[data-ghost]") >= 1
            me.press("n")
            one = me.page.locator(".ghost.held").get_attribute("data-ghost")
            me.press("n", "Shift+ArrowUp")
            me.verdict()
            assert me.page.locator(".ghost.held").get_attribute("data-ghost") != one, "each model can be adjusted"
            me.press("Escape")
            assert me.count("[data-ghost]") == 0
        me.answer_by_keyboard()
    assert carried
    assert me.over
    me.press("?")
    assert me.page.locator("dialog[open]").get_by_text("choose the option with that number").is_visible()
    me.press("Escape")
    me.press("l")
    me.page.wait_for_function("() => document.activeElement.id === 'log'")


def test_two_people_in_two_browsers(sit: Open, server: Server) -> None:
    """Each is asked only their own questions; to take back after the other has acted needs the other's consent."""
    made = server.match(players=["human", "human"])
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"])
    onlooker = sit(made["spectator"])
    seats = [red, blue]
    for _ in range(6):
        asked = [s for s in seats if s.settle(("asked", "waiting")) == "asked"]
        assert len(asked) == 1
        other = next(s for s in seats if s is not asked[0])
        assert other.count(".decision .option") == 0
        assert "Waiting for" in other.text(".decision h2")
        asked[0].answer_by_mouse()
        red.page.wait_for_timeout(200)
    assert onlooker.count(".decision .option") == 0
    asker = next(s for s in seats if s.count("[data-undo=ask]"))
    helper = next(s for s in seats if s is not asker)
    before = asker.now
    asker.click("[data-undo=ask]")
    helper.click("[data-undo=refuse]")
    asker.page.wait_for_selector("[data-undo=ask]")
    assert asker.now == before
    asker.click("[data-undo=ask]")
    helper.click("[data-undo=agree]")
    asker.settle(("asked", "waiting"), before)
    play_on(*seats)
    onlooker.settle(("over",))


def test_two_people_at_one_screen(sit: Open, server: Server) -> None:
    """The screen turns to whoever must decide; the sides are named."""
    made = server.match(players=["human", "human"])
    me = sit("+".join(made["links"].values()))
    deciders = []
    for _ in range(8):
        me.settle()
        deciders.append(me.text(".decision .eyebrow"))
        me.answer_by_mouse()
    assert len(set(deciders)) == 2
    play_on(me)


def test_reload_and_a_killed_server(sit: Open, server: Server) -> None:
    """Nothing is lost by a reload, nor by SIGKILL: the page comes back to the same question by itself."""
    made = server.match()
    me = sit(made["links"]["red"])
    for _ in range(5):
        me.settle()
        me.answer_by_mouse()
    me.settle()
    before, entries = me.now, me.count(".entry")
    me.page.reload()
    me.settle()
    assert me.now == before
    assert me.count(".entry") == entries
    me.forgiving = True  # the browser itself complains of refused connections
    server.kill()
    me.page.wait_for_selector(".lost")
    server.start()
    me.page.wait_for_selector(".lost", state="detached")
    assert me.now == before
    me.answer_by_mouse()
    me.settle()
    assert me.count(".entry") >= entries

"""Half-made answers outlive a reload, and a look at the past; what is pointed at is what is there."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Open, Server
from tests.web.table import Seat
from tests.web.test_blocks import PLAN
from tests.web.test_numbers import asked_to_move


def reload(me: Seat) -> None:
    me.page.reload()
    me.settle()


def test_ghosts_are_there_again_after_a_reload(sit: Open, server: Server) -> None:
    """As they were, judged afresh; and gone with the question they were an answer to."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    me.click("[data-proposal]")
    assert me.verdict()
    me.press("e")
    assert me.verdict()
    drawn = me.page.locator("[data-ghost]").first.get_attribute("transform")
    ghosts = me.count("[data-ghost]")
    assert ghosts
    reload(me)
    assert me.verdict()
    assert me.count("[data-ghost]") == ghosts
    assert me.page.locator("[data-ghost]").first.get_attribute("transform") == drawn
    before = me.now
    me.click("[data-confirm]")
    me.settle(since=before)
    reload(me)
    assert me.count("[data-ghost]") == 0


def test_ghosts_of_a_block_are_there_again(sit: Open, server: Server) -> None:
    """Their answer names no models."""
    me = sit(server.match(**PLAN)["links"]["red"])
    while me.settle() == "asked" and me.fact("kind") != "place":
        me.answer_by_mouse()
    for share in (0.3, 0.5, 0.7):
        me.page.mouse.click(*me.spot(share, 0.88))
        if me.verdict():
            break
    ghosts = me.count("[data-ghost]")
    assert ghosts
    reload(me)
    assert me.verdict()
    assert me.count("[data-ghost]") == ghosts


def plan(game: str) -> dict[str, Any]:
    return {"game": game, "scenario": None, "armies": [], "house": {}, "players": ["human", "random"], "seed": 5}


def test_a_pile_is_there_again_after_a_reload(sit: Open, server: Server) -> None:
    me = sit(server.match(**plan("ades"))["links"]["red"])
    while me.settle() == "asked" and me.fact("kind") != "order":
        me.answer_by_mouse()

    def pile() -> list[str]:
        return [str(entry.get_attribute("data-entry")) for entry in me.page.locator("[data-entry]").all()]

    before = pile()
    me.page.locator("[data-entry] button:enabled").first.click()
    laid = pile()
    assert laid != before
    reload(me)
    assert pile() == laid


def test_ticks_are_there_again_after_a_reload(sit: Open, server: Server) -> None:
    me = sit(server.match(**plan("t9a"))["links"]["red"])
    while me.settle() == "asked" and not me.count(".decision .option[aria-pressed]"):
        me.answer_by_mouse()
    me.page.locator(".decision .option").nth(1).click()
    reload(me)
    assert me.page.locator(".decision .option").nth(1).get_attribute("aria-pressed") == "true"
    assert me.page.locator(".decision .option").nth(0).get_attribute("aria-pressed") == "false"


def test_escape_in_the_past_comes_back_to_the_ghosts(sit: Open, server: Server) -> None:
    """The way back to now drops nothing that was begun there."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    me.click("[data-proposal]")
    assert me.verdict()
    ghosts = me.count("[data-ghost]")
    me.page.locator(".entry .text").nth(2).click()
    me.settle(("past",))
    me.press("Escape")
    me.settle()
    assert me.count("[data-ghost]") == ghosts
    me.press("Escape")
    assert me.count("[data-ghost]") == 0


def test_a_tip_goes_with_its_model(sit: Open, server: Server) -> None:
    """A pointer left where a model stood tells nothing of who has gone."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    box = me.page.locator("[data-grab]").first.bounding_box()
    me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    me.page.wait_for_selector(".tip")
    before = me.now
    me.press("1")
    assert me.verdict()
    me.press("Enter")
    me.settle(since=before)
    assert me.count(".tip") == 0

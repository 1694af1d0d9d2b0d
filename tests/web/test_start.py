"""The start page: the first visit, plans, army lists, matches to come back to."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Open, Server


def test_a_first_visit_is_asked_within_a_minute(sit: Open) -> None:
    """One click on the start page leads to a decision; the guided battle has a note for it."""
    me = sit()
    me.click("[data-guided]")
    me.page.wait_for_selector("[data-guide=welcome]")
    me.settle()
    me.click("text=Got it")
    me.page.wait_for_selector("[data-guide]:not([data-guide=welcome])")
    me.click("text=No more notes")
    assert me.count("[data-guide]") == 0


def test_a_game_named_on_the_command_line_is_chosen(sit: Open) -> None:
    """`grognard play wh40k` opens the page with that game picked."""
    me = sit()
    me.page.goto(f"{me.address}/#/game/wh40k")
    me.page.reload()
    me.page.wait_for_selector("input[type=radio][value=wh40k]:checked", state="attached")


def test_armies_that_come_late_change_no_choice(sit: Open) -> None:
    """Whoever is quicker than the line keeps what they chose on the start page."""
    me = sit()
    held: list[Any] = []
    me.page.route("**/armies", lambda route: held.append(route))
    me.page.reload()
    for field, wanted in (("[data-seat='1']", "beside"), ("[data-dice]", "words")):
        me.page.locator(field).select_option(wanted)
    me.page.wait_for_timeout(200)
    assert me.page.locator("[data-start]").is_disabled()
    held[0].continue_()
    me.page.wait_for_selector("[data-start]:enabled")
    assert me.page.locator("[data-seat='1']").input_value() == "beside"
    assert me.page.locator("[data-dice]").input_value() == "words"


def test_an_army_list_of_ones_own(sit: Open) -> None:
    """It begins as the army that was chosen; what is wrong is told, in another language too; then it plays."""
    me = sit()
    me.page.wait_for_selector("[data-start]:enabled")
    me.page.locator(".side select").first.select_option("own list")
    area = me.page.locator("textarea")
    me.page.wait_for_function("() => document.querySelector('textarea').value.includes('units:')")
    text = area.input_value()
    area.fill(text.replace("count: 7", "count: 77"))
    me.click("text=Check the list")
    assert "cannot be played" in me.text(".side .bad")
    me.click("button[lang=fr]")
    me.page.wait_for_selector("text=Cette liste ne peut pas être jouée")
    me.forgiving = True  # the browser itself tells of the refused match
    me.click("[data-start]")
    refused = me.page.locator(".setup > [role=alert]")
    refused.wait_for()
    assert "nemesis:" not in refused.inner_text()
    assert "L'armée coûte" in refused.inner_text()
    assert refused.locator("button").count() >= 1, "its rule can be read"
    me.forgiving = False
    me.click("button[lang=en]")
    assert "The army costs" in refused.inner_text(), "it is told again in the other language"
    area.fill(text.replace("The Border Patrol", "The Moor Watch"))
    me.click("[data-start]")
    me.settle()
    assert "The Moor Watch" in me.text(".armies")


def test_who_came_by_a_link_finds_back_and_shares(sit: Open, server: Server) -> None:
    """The start page remembers the match with its sides; a link for spectators is made for those who have none."""
    made = server.match(players=["human", "human"])
    blue = sit(made["links"]["blue"])
    blue.settle(("asked", "waiting"))
    blue.page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    blue.click("#tab-match")
    blue.click("[data-link]")
    link = str(blue.page.wait_for_function("() => window.copied").json_value())
    token = link.rsplit("/", 1)[1]
    assert token not in (made["spectator"], *made["links"].values())
    onlooker = sit(token)
    onlooker.settle(("waiting",))
    assert onlooker.count(".decision .option") == 0
    blue.open()
    found = blue.page.locator(".rest li").first
    assert "The Border Patrol" in found.inner_text()
    found.locator("a").click()
    blue.settle(("asked", "waiting"))

"""Invitations at the page: made with the match, taken by the first, told as taken to the next, made anew, moved."""

from __future__ import annotations

from tests.web.conftest import Open, Server
from tests.web.table import Seat

CLIPBOARD = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"


def host(sit: Open, language: str = "en") -> Seat:
    """Whoever makes a match against somebody with a link, in the menu of the match."""
    me = sit(language=language)
    me.page.wait_for_selector("[data-start]:enabled")
    me.page.locator("[data-seat='1']").select_option("link")
    me.click("[data-start]")
    me.settle(("asked", "waiting"))
    me.click("#tab-match")
    me.page.evaluate(CLIPBOARD)
    return me


def link(me: Seat, button: str) -> str:
    me.page.evaluate("window.copied = null")
    me.click(f".menu {button}")
    return str(me.page.wait_for_function("() => window.copied").json_value())


def test_the_first_sits_and_the_second_is_told(sit: Open) -> None:
    me = host(sit)
    row = me.page.locator(".menu [data-seat=blue]")
    assert "still open" in row.inner_text()
    address = link(me, "[data-link=blue]")
    assert "#/join/" in address
    guest = sit()
    guest.page.goto(address)
    guest.settle(("asked", "waiting"))
    assert "#/seat/" in guest.page.url and address.rsplit("/", 1)[1] not in guest.page.url
    me.page.wait_for_selector(".menu [data-seat=blue][data-state=taken]")
    assert "somebody sits here" in row.inner_text() and row.locator("button").count() == 0
    late = sit(language="fr")
    late.forgiving = True  # the browser itself tells of the refusal
    late.page.goto(address)
    late.page.wait_for_selector("main [role=alert]")
    assert late.text("main [role=alert]").startswith("Cette place est déjà prise")
    guest.page.goto(address)
    guest.settle(("asked", "waiting"))


def test_a_link_made_anew(sit: Open) -> None:
    me = host(sit, "fr")
    old = link(me, "[data-link=blue]")
    new = link(me, "[data-anew=blue]")
    assert old != new
    late = sit()
    late.forgiving = True
    late.page.goto(old)
    late.page.wait_for_selector("main [role=alert]")
    assert "withdrawn" in late.text("main [role=alert]")
    me.page.goto(new)
    me.page.wait_for_selector("text=Vous avez fait ce lien vous-même")
    guest = sit()
    guest.page.goto(new)
    guest.settle(("asked", "waiting"))


def test_playing_on_elsewhere(sit: Open, server: Server) -> None:
    """The seat moves to another window; the first one says why it stands still."""
    made = server.match(players=["human", "human"])
    me = sit(made["links"]["red"])
    me.settle(("asked", "waiting"))
    me.page.evaluate(CLIPBOARD)
    me.click("#tab-match")
    address = link(me, "[data-move]")
    other = sit()
    other.page.goto(address)
    other.settle(("asked", "waiting"))
    me.page.wait_for_selector("text=This link leads here no longer")

"""The page around the table: its language, looking back, every width, names for a screen reader."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from tests.web.conftest import Open, Server
from tests.web.table import Seat


def test_french_without_a_reload(sit: Open, server: Server) -> None:
    """Everything on the page changes its language at once: prompt, options, log, panels."""
    made = server.match()
    me = sit(made["links"]["red"])
    me.settle()
    me.answer_by_mouse()
    me.settle()
    english = me.text(".decision h2"), me.text("[role=tab]"), me.text(".entry .text")
    me.page.evaluate("window.stillHere = true")
    me.click("button[lang=fr]")
    me.page.wait_for_selector("html[lang=fr]")
    french = me.text(".decision h2"), me.text("[role=tab]"), me.text(".entry .text")
    assert me.page.evaluate("window.stillHere") is True
    assert all(one != other for one, other in zip(english, french, strict=True))
    assert "À vous de décider".casefold() in me.text(".decision").casefold()
    me.click("button[lang=en]")
    assert me.text(".decision h2") == english[0]
    fresh = sit(language="fr")
    fresh.page.wait_for_selector("text=Bataille rapide")


def test_looking_back_and_a_replay_file(sit: Open, server: Server) -> None:
    """The timeline shows the table as it was; the file of the match opens as a match again; the report is a page."""
    made = server.match(players=["random", "random"])
    token = made["spectator"]
    me = sit(token)
    me.settle(("over",))
    follows_through_every_change(me)
    held: list[Any] = []
    me.page.route("**/moments/*", lambda route: held.append(route))
    me.page.locator(".entry .text").nth(12).click()
    me.settle(("past",))
    assert me.count("[data-model]") > 0, "the table stays in sight until the other moment has come"
    me.page.wait_for_timeout(300)
    held[0].continue_()
    me.page.wait_for_function("() => document.querySelectorAll('[data-model]').length === 0")
    me.page.unroute("**/moments/*")
    me.click("text=Back to now")
    me.settle(("over",))
    with urllib.request.urlopen(f"{server.address}/api/seats/{token}/report?lang=fr", timeout=60) as response:
        assert b"<html" in response.read(4000)
    with urllib.request.urlopen(f"{server.address}/api/seats/{token}/save", timeout=60) as response:
        replay = response.read()
    me.open()
    me.page.locator("input[type=file]").set_input_files(
        {"name": "battle.replay.jsonl", "mimeType": "application/x-ndjson", "buffer": replay}
    )
    me.settle(("over",))
    me.open()
    me.page.wait_for_selector("text=Matches from this browser")
    me.forgiving = True  # the browser itself tells of the refused upload
    me.page.locator("input[type=file]").set_input_files(
        {"name": "nonsense.jsonl", "mimeType": "application/x-ndjson", "buffer": b"nonsense"}
    )
    me.page.wait_for_selector("[role=alert]")


def follows_through_every_change(me: Seat) -> None:
    """The log stays at its end whatever language or size the page takes on."""
    for width, height, language in ((390, 844, "fr"), (390, 844, "en"), (1280, 820, "en")):
        me.page.set_viewport_size({"width": width, "height": height})
        me.click(f"button[lang={language}]")
        me.page.wait_for_timeout(150)
        left = me.page.evaluate(
            "(() => { const log = document.querySelector('#log');"
            " return log.scrollHeight - log.scrollTop - log.clientHeight; })()"
        )
        assert left < 5, (width, language)


@pytest.mark.parametrize("width", [1440, 1024, 768])
def test_nothing_is_cut_off(sit: Open, server: Server, width: int) -> None:
    """At no width does the page scroll sideways, and what must be decided is in reach."""
    made = server.match()
    for language in ("en", "fr"):
        me = sit(made["links"]["red"], language=language, width=width, height=900)
        me.settle()
        assert wider(me) <= 0
        assert me.page.locator(".decision .option").first.is_visible()
        me.open()
        me.page.wait_for_selector("[data-start]")
        assert wider(me) <= 0


def wider(me: Seat) -> Any:
    return me.page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_names_and_roles(sit: Open, server: Server) -> None:
    """Every button, field and picture of the table has a name a screen reader can say."""
    made = server.match()
    me = sit(made["links"]["red"])
    me.settle()
    nameless = me.page.evaluate(
        """() => [...document.querySelectorAll("button, a[href], input, select, textarea, [role=log], svg[role]")]
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length || e.title))
        .map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert json.dumps(nameless) == "[]"

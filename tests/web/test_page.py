"""The browser table, used as people use it, against a real server."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

import pytest

from tests.web.conftest import Open, Server
from tests.web.table import Seat

ENOUGH = 400


def play_on(*seats: Seat, by: str = "mouse") -> None:
    """Until it is over."""
    for _ in range(ENOUGH):
        for seat in seats:
            if seat.settle(("asked", "over", "waiting")) == "asked":
                getattr(seat, f"answer_by_{by}")()
        if len(seats) == 1:
            seats[0].settle()
        if all(seat.over for seat in seats):
            return
    raise AssertionError("the battle does not end")


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
            me.press("1")
            me.settle(("asked",), before)
        if me.fact("question") == "move.models" and not carried:
            carried = True
            me.press("ArrowUp", "ArrowUp")
            me.verdict()
            assert me.count("[data-ghost]") >= 1
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


def test_words_of_their_own_in_the_dice(sit: Open, server: Server) -> None:
    """Each player is shown the seal and may add words, or none; at the end both pages find the dice to be those."""
    made = server.match(players=["human", "human"], dice="words")
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"], language="fr")
    for seat in (red, blue):
        assert seat.settle(("words",)) == "words"
        assert made["seal"] in seat.text(".decision")
    red.page.locator(".decision [data-words]").fill("rain on the moor")
    red.press("Enter")
    red.settle(("waiting",))
    blue.settle(("words",))
    assert "moor" not in blue.text("body")
    blue.page.locator(".decision [data-words]").fill("42")
    blue.press("Enter")
    play_on(red, blue)
    for seat in (red, blue):
        seat.click(".decision summary")
        assert seat.text(".decision [data-words]").endswith("red: rain on the moor")
        seat.click("[data-seal]")
        seat.page.wait_for_selector("[data-verdict=fits]")


def test_words_of_two_people_at_one_screen(sit: Open) -> None:
    """From the start page: the screen goes from one to the other, and then the battle begins."""
    me = sit()
    me.page.locator("[data-seat='1']").select_option("beside")
    me.page.locator("[data-dice]").select_option("words")
    me.click("[data-start]")
    for _ in range(2):
        me.settle(("words",))
        before = me.now
        me.click(".decision [data-confirm]")
        me.settle(("words", "asked"), before)
    me.settle()


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


def test_own_dice_are_entered(sit: Open, server: Server) -> None:
    """Where people roll themselves, the page asks for the faces; one that no die has is not taken."""
    made = server.match(dice="hand", players=["human", "human"])
    red, blue = sit(made["links"]["red"]), sit(made["links"]["blue"])
    asked = next(s for s in (red, blue) if s.settle(("asked", "waiting")) == "asked")
    assert asked.fact("kind") == "roll"
    before = asked.now
    asked.page.locator(".faces button[aria-label='9']").click()
    asked.settle(("asked", "waiting"), before)
    other = next(s for s in (red, blue) if s.settle(("asked", "waiting")) == "asked")
    assert other.fact("kind") == "roll"
    before = other.now
    other.press("2")
    other.settle(("asked", "waiting"), before)
    red.page.wait_for_function("() => document.querySelectorAll('.entry.roll').length === 2")
    red.click("#tab-match")
    assert "nothing is sealed" in red.text(".menu")
    assert red.count(".menu code") == 0


def test_looking_back_and_a_replay_file(sit: Open, server: Server) -> None:
    """The timeline shows the table as it was; the file of the match opens as a match again; the report is a page."""
    made = server.match(players=["random", "random"])
    token = made["spectator"]
    me = sit(token)
    me.settle(("over",))
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
    area.fill(text.replace("The Border Patrol", "The Moor Watch"))
    me.click("[data-start]")
    me.settle()
    assert "The Moor Watch" in me.text(".armies")

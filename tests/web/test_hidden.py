"""Two browsers and a hidden pile: what is face down reaches no other browser, neither on the page nor under it."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from tests.web.conftest import Open, Server
from tests.web.table import Seat

#: What differs between any two matches: their names, secret links, seals and times.
OWN = re.compile(r'"(match|seal|token|time|made|hash|commitment|address)": ?("[^"]*"|[0-9.]+|null)')

#: Two people who lay piles.
PILES: dict[str, Any] = {
    "game": "ades", "scenario": "clash", "armies": ["lion-wardens-300", "hyena-hunters-300"],
    "players": ["human", "human"], "house": {}, "seed": 11,
}  # fmt: skip


def overhear(seat: Seat) -> list[str]:
    """Everything a page is told over its line, from now on."""
    heard: list[str] = []
    seat.page.on("websocket", lambda line: line.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


def differing(frames: list[str]) -> list[set[str]]:
    """In what each state differs from the one before it, but for the log, of which each carries what is new."""
    states = [json.loads(frame) for frame in frames]
    assert all(state["type"] == "state" and not state["log"] for state in states[1:])
    parts = [{key: value for key, value in state.items() if key not in ("since", "log")} for state in states]
    return [{key for key in before if before[key] != after[key]} for before, after in pairwise(parts)]


def pile(seat: Seat) -> list[str]:
    """The keys of the pile as the page has them."""
    entries = seat.page.locator(".decision [data-entry]")
    return [str(entries.nth(i).get_attribute("data-entry")) for i in range(entries.count())]


def to_the_piles(*seats: Seat) -> None:
    """Answer until both are asked for their piles."""
    for _ in range(12):
        stages = [seat.settle(("asked", "waiting")) for seat in seats]
        if [seat.fact("question") for seat in seats] == ["pile"] * len(seats):
            return
        pairs = zip(seats, stages, strict=True)
        asked = next(s for s, stage in pairs if stage == "asked" and s.fact("question") != "pile")
        asked.answer_by_mouse()
        asked.page.wait_for_timeout(150)
    raise AssertionError("nobody asks for a pile")


def play(sit: Open, server: Server, turned: bool) -> dict[str, Any]:
    """Red lays a pile (the other way round, if so told), then blue; what blue and an onlooker have heard and see."""
    made = server.match(**PILES, dice="hand")
    red, blue, onlooker = (sit() for _ in range(3))
    heard = {"red": overhear(red), "blue": overhear(blue), "onlooker": overhear(onlooker)}
    red.open(made["links"]["red"])
    blue.open(made["links"]["blue"])
    onlooker.open(made["spectator"])
    to_the_piles(red, blue)
    order = pile(red)
    if turned:
        red.page.locator(f".decision [data-entry='{order[0]}'] button").nth(1).click()
    laid = pile(red)
    onlooker.page.wait_for_timeout(400)
    before, known = red.now, {who: len(heard[who]) for who in ("blue", "onlooker")}
    red.click("[data-confirm]")
    red.settle(("asked", "waiting"), before)
    onlooker.page.wait_for_timeout(400)
    for who, heard_so_far in known.items():
        assert differing(heard[who][heard_so_far - 1 :]) == [{"waiting"}], "others hear that a pile is laid, no more"
    before = blue.now
    blue.click("[data-confirm]")
    blue.settle(("asked", "waiting"), before)
    onlooker.page.wait_for_timeout(400)
    said = {who: [OWN.sub(r'"\1":""', frame) for frame in frames] for who, frames in heard.items()}
    return {"laid": laid, "said": said, "seen": {"blue": blue.text("main"), "onlooker": onlooker.text("main")}}


def test_a_pile_laid_face_down_stays_hidden(sit: Open, server: Server) -> None:
    """Two matches that differ only in the order of red's pile look the same to everybody else."""
    one, two = play(sit, server, turned=False), play(sit, server, turned=True)
    assert one["laid"] != two["laid"]
    assert sorted(one["laid"]) == sorted(two["laid"])
    for who in ("blue", "onlooker"):
        assert one["said"][who], who
        assert one["said"][who] == two["said"][who], who
        assert one["seen"][who] == two["seen"][who], who
    assert one["said"]["red"] != two["said"]["red"]


def test_a_curtain_between_two_piles(sit: Open, server: Server) -> None:
    """At one screen nobody sees how the other lays the pile: the screen is handed over behind a curtain."""
    made = server.match(**PILES)
    me = sit("+".join(made["links"].values()))
    while me.settle() == "asked" and me.fact("question") != "pile":
        if me.count(".curtain"):
            me.click(".curtain button")
        me.answer_by_mouse()
    before = me.now
    me.click("[data-confirm]")
    me.page.wait_for_selector(".curtain")
    me.settle()
    assert me.fact("question") == "pile"
    me.click(".curtain button")
    me.click("[data-confirm]")
    me.settle(since=before)
    assert me.count(".curtain") == 0
    while me.settle() == "asked" and me.fact("question") == "pile":
        me.click("[data-confirm]")
    assert me.count(".entry") > 0
    onlooker = sit(made["spectator"])
    onlooker.settle(("waiting",))
    onlooker.page.wait_for_selector(".entry")
    lines = [page.text("body").splitlines() for page in (me, onlooker)]
    told = [[line for line in page if "pile" in line and "Back to before" not in line] for page in lines]
    assert told[0] == told[1], "with everybody looking nothing is told that onlookers may not know"

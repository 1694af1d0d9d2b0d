"""Scores and pools say why, names do not cover each other, and a player chooses what is asked."""

from __future__ import annotations

import json
from typing import Any

from tests.web.conftest import Open, Server
from tests.web.table import Seat

#: Pairs of names on the table that cover each other, without those that must be shown (what is looked at).
COVERED = """() => {
  const boxes = [...document.querySelectorAll(".labels text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
  const found = [];
  for (const [i, [one, a]] of boxes.entries()) {
    for (const [other, b] of boxes.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 5) found.push(`${one} / ${other}`);
    }
  }
  return found;
}"""


def test_a_pool_says_why(sit: Open, server: Server) -> None:
    me = sit(server.match()["links"]["red"], language="fr")
    for _ in range(60):
        me.settle()
        if me.text(".turn").startswith("Tour"):
            break
        me.answer_by_mouse()
    counts = me.page.locator(".armies section").first.locator(".counts button")
    counts.last.click()
    me.page.wait_for_selector("dialog[open] table")
    assert "Points de commandement" in me.text("dialog[open] caption")
    assert me.count("dialog[open] tr td.amount") >= 1
    me.page.keyboard.press("Escape")
    me.page.wait_for_selector("dialog[open]", state="detached")
    assert me.count(".sides button") == 2, "every score of the head line is one to ask about"


def test_names_do_not_cover_each_other(sit: Open, server: Server) -> None:
    """The crowded end of a deployment, on three widths."""
    plan: dict[str, Any] = {
        "game": "ades",
        "scenario": None,
        "armies": [],
        "house": {},
        "players": ["human", "random"],
        "seed": 5,
    }
    token = server.match(**plan)["links"]["red"]
    me = sit(token)
    for _ in range(40):
        me.settle()
        if me.count(".model") > 18:
            break
        me.answer_by_mouse()
    for width, height in ((1440, 900), (820, 1180), (390, 844)):
        me.page.set_viewport_size({"width": width, "height": height})
        me.page.wait_for_timeout(300)
        assert me.count(".labels text") > 3
        assert me.page.evaluate(COVERED) == [], width


def test_who_wants_to_be_asked_everything_is(sit: Open, server: Server) -> None:
    me = sit(server.match()["links"]["red"])
    me.settle()
    me.click("#tab-match")
    box = me.page.get_by_label("Ask me even where hardly anybody would answer")
    box.check()
    me.page.reload()
    me.settle()
    me.click("#tab-match")
    assert box.is_checked()
    box.uncheck()
    me.page.reload()
    me.settle()
    me.click("#tab-match")
    assert not box.is_checked()


def asked_to_move(me: Seat) -> None:
    """Play on until the page asks how the first unit moves."""
    while me.settle() == "asked" and me.fact("question") != "move.unit":
        me.answer_by_mouse()
    before = me.now
    me.click(".decision .option")
    me.settle(since=before)
    assert me.fact("question") == "move.models"


def test_one_may_look_elsewhere_while_asked(sit: Open, server: Server) -> None:
    """What a question is about comes into sight once; then the table stays where it was pulled to."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    for _ in range(4):
        me.press("+")
    felt = me.page.locator("[data-felt]")
    for way in (-160, 320, -480):
        before = felt.bounding_box()["x"]
        me.page.mouse.move(640, 420)
        me.page.mouse.down()
        me.page.mouse.move(640 + way, 420 + way / 2, steps=4)
        me.page.mouse.up()
        me.page.wait_for_timeout(100)
        assert abs(felt.bounding_box()["x"] - before - way) < 3


def test_a_late_verdict_is_about_nothing_else(sit: Open, server: Server) -> None:
    """What the rules say of a move that was taken back meanwhile is not shown as the next unit's."""
    me = sit()
    late: list[tuple[Any, Any]] = []
    slow = False

    def listen(here: Any) -> None:
        there = here.connect_to_server()
        there.on_message(
            lambda said: late.append((here, said)) if slow and '"checked"' in str(said) else here.send(said)
        )

    me.page.route_web_socket("**/live*", listen)
    me.open(server.match()["links"]["red"])
    asked_to_move(me)
    slow = True
    grip = me.page.locator("[data-grab]").first.bounding_box()
    me.page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    me.page.mouse.down()
    me.page.mouse.move(640, 420)
    me.page.mouse.up()
    while not late:
        me.page.wait_for_timeout(20)
    before = me.now
    me.press("u")
    me.settle(since=before)
    before = me.now
    me.page.locator(".decision .option").nth(1).click()
    me.settle(since=before)
    assert me.fact("question") == "move.models"
    slow = False
    for here, said in late:
        here.send(said)
    me.page.wait_for_timeout(200)
    assert me.count("[data-ghost]") == 0
    me.click("[data-proposal]")
    assert me.verdict()


def test_a_refusal_is_told_whatever_else_happens(sit: Open, server: Server) -> None:
    """A state that comes between an answer and its refusal is somebody else's doing and settles nothing."""
    me = sit()
    states: list[Any] = []

    def listen(here: Any) -> None:
        there = here.connect_to_server()

        def asked(said: Any) -> None:
            message = json.loads(said)
            if message["type"] != "answer":
                there.send(said)
                return
            here.send(states[-1])
            here.send(
                json.dumps({"type": "error", "id": message["id"], "code": "no", "text": "by no means", "rule": ""})
            )

        def answered(said: Any) -> None:
            states.extend([said] if '"state"' in str(said) else [])
            here.send(said)

        here.on_message(asked)
        there.on_message(answered)

    me.page.route_web_socket("**/live*", listen)
    me.open(server.match()["links"]["red"])
    me.settle()
    me.press("1", "Enter")
    me.page.wait_for_selector("text=by no means")


def test_a_half_made_move_waits_while_one_looks_back(sit: Open, server: Server) -> None:
    """The past is looked at without the ghosts of now; they are there again afterwards."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    me.click("[data-proposal]")
    assert me.verdict()
    ghosts = me.count("[data-ghost]")
    assert ghosts
    me.page.locator(".entry .text").nth(2).click()
    me.settle(("past",))
    assert me.count("[data-ghost]") == 0
    me.click("text=Back to now")
    me.settle()
    assert me.count("[data-ghost]") == ghosts
    assert me.verdict()


def test_a_ghost_stays_where_it_is_let_go(sit: Open, server: Server) -> None:
    """Grabbed beside its middle and let go: the click that ends a pull is no click on the table."""
    me = sit(server.match()["links"]["red"])
    asked_to_move(me)
    me.click("[data-proposal]")
    assert me.verdict()
    held = me.page.locator("[data-ghost]").first
    box = held.bounding_box()
    grip = (box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.7)
    me.page.mouse.move(*grip)
    me.page.mouse.down()
    me.page.mouse.move(grip[0] + 12, grip[1] + 6, steps=3)
    assert me.verdict()
    before = held.bounding_box()
    me.page.mouse.up()
    me.page.wait_for_timeout(150)
    me.verdict()
    assert held.bounding_box() == before


def test_sight_and_tape_by_keys(sit: Open, server: Server) -> None:
    """The tools follow the arrows from unit to unit, and say what their lines show; no tape where forbidden."""
    me = sit(server.match(house={"turn_cap": 1, "allow_premeasure": True})["links"]["red"])
    asked_to_move(me)
    me.press("Escape", "v", "ArrowUp")
    me.page.wait_for_selector("[data-sightings]")
    assert "in sight of" in me.text("[data-sightings]").casefold()
    assert me.count(".tools .ray") >= int(me.page.locator("[data-sightings]").get_attribute("data-sightings") or 0)
    me.press("m", "ArrowUp")
    me.page.wait_for_selector(".tools .tape", state="attached")
    assert "cm" in me.text(".table [role=status]")
    other = sit(server.match()["links"]["red"])
    other.settle()
    other.press("m")
    assert other.count("[aria-label='Measure (M)']") == 0
    assert other.count(".table.measure") == 0

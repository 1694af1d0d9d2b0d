"""Scores and pools say why, names do not cover each other, and a player chooses what is asked."""

from __future__ import annotations

from tests.web.conftest import Open, Server

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
    plan = {"game": "ades", "scenario": None, "armies": [], "house": {}, "players": ["human", "random"], "seed": 5}
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


def test_one_may_look_elsewhere_while_asked(sit: Open, server: Server) -> None:
    """What a question is about comes into sight once; then the table stays where it was pulled to."""
    me = sit(server.match()["links"]["red"])
    while me.settle() == "asked" and me.fact("question") != "move.unit":
        me.answer_by_mouse()
    before = me.now
    me.click(".decision .option")
    me.settle(since=before)
    assert me.fact("question") == "move.models"
    for _ in range(4):
        me.press("+")
    felt = me.page.locator("[data-felt]")
    for way in (-160, 320, -480):
        before_x = felt.bounding_box()["x"]
        me.page.mouse.move(640, 420)
        me.page.mouse.down()
        me.page.mouse.move(640 + way, 420 + way / 2, steps=4)
        me.page.mouse.up()
        me.page.wait_for_timeout(100)
        assert abs(felt.bounding_box()["x"] - before_x - way) < 3

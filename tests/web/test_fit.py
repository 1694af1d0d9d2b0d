"""Fit for people: text that can be read, notes that hide nothing, cards that are not cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.web.conftest import Open, Server

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
#: Texts of the page whose contrast with what they stand on is below what WCAG AA asks, by their element.
FAINT = """() => {
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (c) => c.slice(0, 3).map((v) => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const read = (text) => {
    const n = (text.match(/[\\d.]+/g) || []).map(Number);
    const [r, g, b, a] = text.startsWith("color(") ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3]] : n;
    return [r, g, b, a ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      const image = e === document.body ? null : style.backgroundImage.match(/rgba?\\([^)]*\\)/);
      const colour = image ? [...read(image[0]).slice(0, 3), 1] : read(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const faint = {};
  for (const e of document.querySelectorAll("body *")) {
    const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join("");
    if (!text || !e.getClientRects().length || e.closest("svg, .sr, :disabled")) continue;
    const style = getComputedStyle(e);
    let seen = 1;
    for (let n = e; n; n = n.parentElement) seen *= Number(getComputedStyle(n).opacity);
    const below = ground(e);
    const [r, g, b, a] = read(style.color);
    const [one, other] = [light(over([r, g, b, a * seen], below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint[`${e.tagName} ${text.slice(0, 40)}`] = ratio.toFixed(2);
  }
  return faint;
}"""
#: Tables on cards that are wider than their card.
CUT = "() => [...document.querySelectorAll('.card .scroll')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"

#: Cells of tables on cards that begin elsewhere than the head of their column, by the pixels between them.
ASKEW = """() => [...document.querySelectorAll(".card table")].flatMap((table) => {
  const begin = (cell) => cell.getBoundingClientRect().left + parseFloat(getComputedStyle(cell).paddingLeft);
  const heads = [...table.tHead.rows[0].cells].map(begin);
  const rows = [...table.tBodies[0].rows].filter((row) => row.cells.length === heads.length && row.cells.length > 1);
  const off = rows.flatMap((row) => [...row.cells].map((cell, i) => begin(cell) - heads[i]));
  return off.filter((pixels) => Math.abs(pixels) > 1);
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(sit: Open, server: Server, theme: str) -> None:
    """Contrast of all texts of the start page, of the table, of a card and of the past, by day and by night."""
    made = server.match(players=["random", "random"])
    me = sit()
    me.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    me.page.wait_for_selector("[data-start]")
    assert me.page.evaluate(FAINT) == {}
    me.open(made["spectator"])
    me.settle(("over",))
    me.click(".armies .unit")
    me.page.wait_for_selector(".open .card")
    assert me.page.evaluate(FAINT) == {}
    me.page.locator(".entry .text").nth(12).click()
    me.settle(("past",))
    me.page.wait_for_selector(".looking", state="detached")
    assert me.page.evaluate(FAINT) == {}


def test_the_last_phase_stands_clear(sit: Open, server: Server) -> None:
    """The ends of the line of phases fade; the phase that is now does not."""
    me = sit(server.match(players=["random", "random"])["spectator"], width=900, height=800)
    me.settle(("over",))
    me.page.wait_for_timeout(900)
    clear = """() => {
      const bar = document.querySelector(".clock ol").getBoundingClientRect();
      const now = document.querySelector(".clock .now").getBoundingClientRect();
      return now.left >= bar.left + 17 && now.right <= bar.right - 17;
    }"""
    assert me.page.evaluate(clear)


def test_a_note_that_was_read_stays_read(sit: Open) -> None:
    """A guided battle taken up again goes on where its reader was; on a narrow screen notes hide no models."""
    me = sit()
    me.click("[data-guided]")
    me.page.wait_for_selector("[data-guide=welcome]")
    me.settle()
    assert me.page.locator("main [data-guide]").count() == 1
    me.page.set_viewport_size({"width": 800, "height": 1000})
    me.page.wait_for_selector(".panel [data-guide]")
    me.click("text=Got it")
    me.page.reload()
    me.settle()
    me.page.wait_for_selector("[data-guide]")
    assert me.count("[data-guide=welcome]") == 0
    me.click("text=No more notes")
    me.page.reload()
    me.settle()
    assert me.count("[data-guide]") == 0


@pytest.mark.parametrize("game", ["t9a", "wh40k"])
def test_no_card_is_cut(sit: Open, server: Server, game: str) -> None:
    """The card of every unit fits the rail beside the table, in both languages."""
    armies = [army["id"] for army in server.get(f"/api/games/{game}/armies")][:2]
    made = server.match(game=game, scenario=None, armies=armies, house={}, players=["human", "human"])
    for language in ("en", "fr"):
        me = sit(made["spectator"], language=language)
        me.settle(("waiting",))
        for place in range(me.count(".armies .unit")):
            me.page.locator(".armies .unit").nth(place).click()
            me.page.wait_for_selector(".card")
            assert me.page.evaluate(CUT) == 0, (language, me.text(".armies .open"))
            assert me.page.evaluate(ASKEW) == [], (language, me.text(".armies .open"))
            me.page.locator(".armies .unit").nth(place).click()


@pytest.mark.parametrize("replay", ["nemesis-2", "t9a-2"])
def test_the_cards_of_the_fallen_can_be_read(sit: Open, replay: str) -> None:
    """Units that are gone, and leaders who are with others or fell there, open a card like any other."""
    me = sit()
    me.page.locator("input[type=file]").set_input_files(GOLDEN / f"{replay}.jsonl")
    me.settle(("over",))
    assert me.count(".armies .gone") > 0
    for place in range(me.count(".armies .unit")):
        me.page.locator(".armies .unit").nth(place).click()
        me.page.locator(".armies li").nth(place).locator(".card").first.wait_for()
        assert me.count(".armies .open") == 1


def test_nobody_is_asked_what_has_one_answer(sit: Open, server: Server) -> None:
    """Of a formation only units that could lead, ride or wait are asked about, whatever was said before."""
    made = server.match(
        game="wh40k",
        scenario=None,
        armies=["ash-brood-1000", "iron-compact-1000"],
        house={},
        players=["human", "random"],
    )
    me = sit(made["links"]["red"])
    asked = 0
    for _ in range(40):
        me.settle()
        if me.fact("question").startswith("deploy"):
            break
        if me.fact("question").startswith("formation."):
            asked += 1
            options = me.page.locator(".decision .option").all_inner_texts()
            assert len(options) > 1, json.dumps([me.text(".decision h2"), options])
            before = me.now
            me.press("1")
            me.settle(("asked", "waiting"), before)
            continue
        me.answer_by_keyboard()
    assert asked >= 5

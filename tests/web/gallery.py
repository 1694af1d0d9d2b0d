"""Pictures of every screen, in both languages, at three widths, by day and by night, to be looked at: make screens.

The pictures go to build/screens, each as SCREEN-WIDTH-LANGUAGE.png; what is wider than its window is told. Name
games, or screens of the module screens, to take only those: python -m tests.web.gallery start wh40k.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

from tests.web import screens
from tests.web.conftest import FLAGS, Server
from tests.web.table import Seat

GAMES = ("nemesis", "ades", "wh40k", "t9a", "wfb3")
FOLDER = Path("build/screens")
#: Width, height, language, light: both languages at every width, each width by day and by night.
VARIANTS = (
    (1400, 900, "en", "light"),
    (1400, 900, "fr", "dark"),
    (820, 1180, "fr", "light"),
    (820, 1180, "en", "dark"),
    (390, 844, "en", "light"),
    (390, 844, "fr", "dark"),
)
#: The same battles every time the pictures are taken.
SEED = 11
#: Answers given by one wanderer at most.
LONGEST = 260
#: What sticks out of the window, or is cut in a box of its own without a way to scroll.
CUT = """() => {
  const out = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) out.push(`the page by ${wide}`);
  for (const e of document.querySelectorAll("button, h1, h2, h3, label, legend, p, dt, dd, td, th, a, select")) {
    if (!e.getClientRects().length || e.closest("svg, .sr")) continue;
    const style = getComputedStyle(e);
    const hides = !["visible", "auto"].includes(style.overflowX) && e.clientWidth > 0;
    if (hides && e.scrollWidth > e.clientWidth + 1)
      out.push(`${e.tagName} ${e.textContent.trim().slice(0, 50)}`);
  }
  return out;
}"""


class Studio:
    """A server, a browser, and pictures of what it shows."""

    def __init__(self, server: Server, browser: Any) -> None:
        self.server = server
        self.browser = browser

    @contextmanager
    def sit(self, token: str = "") -> Iterator[Seat]:
        context = self.browser.new_context(
            viewport={"width": 1400, "height": 900}, locale="en-GB", reduced_motion="reduce"
        )
        seat = Seat(context.new_page(), self.server.address)
        seat.open(token)
        yield seat
        for said in seat.complaints:
            print("complaint:", said)
        context.close()

    def match(self, game: str = "nemesis", **plan: Any) -> Any:
        """A match of the smallest army against the smallest of another faction, the same every time."""
        armies = sorted(self.server.get(f"/api/games/{game}/armies"), key=lambda army: army["points"])
        other = next((army for army in armies if army["faction"] != armies[0]["faction"]), armies[1])
        usual: dict[str, Any] = {"scenario": None, "armies": [armies[0]["id"], other["id"]], "house": {}, "seed": SEED}
        return self.server.match(**{"game": game, **usual, **plan})

    def wander(self, me: Seat, found: Callable[[], bool]) -> bool:
        """Try whatever is offered until something is found; whether it ever was."""
        wanderer = Wanderer(me, 5)
        for _ in range(LONGEST):
            stage = me.settle()
            if found():
                return True
            if stage == "over":
                return False
            wanderer.answer()
        return False

    def take(self, me: Seat, name: str, tab: str = "") -> None:
        """The same screen in every variant, with a tab of its panel where it has that; afterwards it is as it was."""
        for width, height, language, theme in VARIANTS:
            self._turn(me, width, height, language, theme)
            if tab:
                me.page.evaluate(f"document.querySelector('#tab-{tab}')?.click()")
                me.page.wait_for_timeout(200)
            for cut in me.page.evaluate(CUT):
                print(f"cut: {name} {width} {language}: {cut}")
            modal = me.page.evaluate("document.querySelector('dialog[open], .curtain') !== null")
            me.page.screenshot(path=FOLDER / f"{name}-{width}-{language}.png", full_page=width < 1000 and not modal)
        self._turn(me, 1400, 900, "en", "light")

    def take_dialog(self, me: Seat, opener: Any, name: str) -> None:
        """What a click opens; afterwards it is closed."""
        opener.click()
        me.page.wait_for_selector("dialog[open]")
        me.page.wait_for_timeout(500)
        self.take(me, name)
        me.press("Escape")

    def take_page(self, me: Seat, path: str, name: str) -> None:
        """A page without switches, which is asked for in each language."""
        for width, height, language, theme in VARIANTS:
            self._turn(me, width, height, language, theme)
            me.page.goto(f"{self.server.address}{path}?lang={language}")
            me.page.screenshot(path=FOLDER / f"{name}-{width}-{language}.png", full_page=True)

    def _turn(self, me: Seat, width: int, height: int, language: str, theme: str) -> None:
        me.page.set_viewport_size({"width": width, "height": height})
        me.page.emulate_media(color_scheme=theme)
        me.page.evaluate(f"document.querySelector('button[lang={language}]')?.click()")
        me.page.wait_for_timeout(350)


class Wanderer:
    """Somebody who tries whatever the page offers, so that as many kinds of questions as possible come up."""

    def __init__(self, me: Seat, seed: int) -> None:
        self.me = me
        self.rng = Random(seed)

    def answer(self) -> None:
        me, before = self.me, self.me.now
        kind = me.fact("kind")
        if kind == "place":
            self._place()
        elif kind == "pick" and me.count(".decision .option[aria-pressed]"):
            self._several()
        elif kind == "pick" and not self._passes(0.25):
            self._any(".decision .option")
        elif kind == "number" and me.count(".decision [data-option]"):
            self._any(".decision [data-option]")
        elif kind == "roll":
            me.roll(str(self.rng.randrange(1, 7)))
        elif kind != "pick":
            me.click(".decision [data-confirm]")
        me.settle(("asked", "over", "waiting"), before)

    def _any(self, selector: str) -> None:
        options = self.me.page.locator(selector)
        options.nth(self.rng.randrange(options.count())).click()

    def _passes(self, chance: float) -> bool:
        passing = ".decision [data-option='']"
        if not self.me.count(passing) or self.rng.random() > chance:
            return False
        self.me.click(passing)
        return True

    def _several(self) -> None:
        """Tick one after another; stop somewhere where that is enough."""
        me, enough, free = self.me, ".decision .btn.primary:enabled", ".decision .option[aria-pressed=false]:enabled"
        while me.count(free):
            self._any(free)
            if me.count(enough) and self.rng.random() < 0.5:
                break
        me.click(enough)

    def _place(self) -> None:
        me = self.me
        buttons = list(range(me.count("[data-proposal]")))
        self.rng.shuffle(buttons)
        for place in buttons[:5]:
            me.page.locator("[data-proposal]").nth(place).click()
            if me.verdict():
                me.click("[data-confirm]")
                return
        if not self._passes(1.0):
            me.propose_by_mouse()


def questions(studio: Studio, game: str) -> None:
    """Every kind of question that comes up in a battle, when it comes first and with an answer tried; then its end."""
    made = studio.match(game)
    with studio.sit(next(iter(made["links"].values()))) as me:
        seen: list[str] = []

        def new() -> bool:
            question = me.fact("question")
            if question and question not in seen:
                if me.fact("kind") == "place":
                    me.click("[data-proposal]")
                    me.verdict()
                studio.take(me, f"{game}-{len(seen):02d}-{question}")
                seen.append(question)
            return False

        studio.wander(me, new)
        if me.over:
            studio.take(me, f"{game}-over")
        print(game, len(seen), "kinds of questions")


def main(wanted: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        studio = Studio(server, browser)
        try:
            for name in wanted or (*screens.ALL, *GAMES):
                if name in GAMES:
                    questions(studio, name)
                else:
                    screens.ALL[name](studio)
                print("taken:", name, flush=True)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main(sys.argv[1:])

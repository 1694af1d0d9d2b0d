"""A person at the table: what the page asks, and how it is answered by mouse or by keyboard."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

SLOW = 120_000
#: So many answers end any short battle.
ENOUGH = 400
#: So many suggestions are gone through at most.
SUGGESTIONS = 60
#: The page is settled: somebody is asked, waits, or it is over; and it is another moment than before.
SETTLED = """([stages, version, question]) => {
  const d = document.querySelector(".decision");
  if (!d || !stages.includes(d.dataset.stage)) return false;
  return version === null || d.dataset.version !== version || d.dataset.question !== question;
}"""


class Seat:
    """One page in one browser window."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.forgiving = False
        page.set_default_timeout(SLOW)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)

    def _console(self, message: Any) -> None:
        if message.type == "error" and not self.forgiving:
            self.complaints.append(message.text)

    def open(self, token: str = "") -> None:
        self.page.goto(f"{self.address}/#/seat/{token}" if token else f"{self.address}/")

    # ------------------------------------------------------------------ reading

    def settle(self, stages: tuple[str, ...] = ("asked", "over"), since: tuple[str, str] | None = None) -> str:
        """Wait until the page asks something new (or whatever else is waited for); the stage it is in."""
        version, question = since or (None, None)
        try:
            self.page.wait_for_function(SETTLED, arg=[list(stages), version, question])
        except Exception as error:
            raise AssertionError(f"the page does not go on: {self.text('.decision')}") from error
        return self.fact("stage")

    def fact(self, name: str) -> str:
        return str(self.page.locator(".decision").get_attribute(f"data-{name}") or "")

    @property
    def now(self) -> tuple[str, str]:
        return self.fact("version"), self.fact("question")

    @property
    def over(self) -> bool:
        return self.fact("stage") == "over"

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())

    # ------------------------------------------------------------------ by mouse

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """A place on the screen: shares of the table from its left and its top edge."""
        box = self.page.locator("[data-felt]").bounding_box()
        return box["x"] + box["width"] * x, box["y"] + box["height"] * y

    def answer_by_mouse(self) -> None:
        """The quickest legal answer: pass where one may, else the first option or suggestion."""
        before = self.now
        kind = self.fact("kind")
        if self.count(".decision [data-option='']"):
            self.click(".decision [data-option='']")
        elif kind == "place":
            self.propose_by_mouse()
        elif kind == "pick" and self.count(".decision .option[aria-pressed]"):
            self.click(".decision .option")
            self.click(".decision .btn.primary")
        elif kind in ("pick", "number"):
            self.click(".decision [data-option]")
        elif kind == "roll":
            self.roll("4")
        else:
            self.click(".decision [data-confirm]")
        self.settle(("asked", "over", "waiting"), before)

    def roll(self, face: str) -> None:
        """Enter the same face for every die, until the page asks something else."""
        before = self.now
        while self.count(".faces button") and self.now == before:
            if self.count(".decision [data-confirm]:enabled"):
                self.click(".decision [data-confirm]")
            else:
                with suppress(Exception):  # the page may have gone on in the meantime
                    self.page.locator(f".faces button[aria-label='{face}']").click(timeout=2000)
            self.page.wait_for_timeout(60)

    def propose_by_mouse(self) -> None:
        """Go through the suggestions until one is legal, and take it."""
        for place in range(self.count("[data-proposal]")):
            button = self.page.locator("[data-proposal]").nth(place)
            for _ in range(int(button.get_attribute("data-steps") or 1)):
                button.click()
                if self.verdict():
                    self.click("[data-confirm]")
                    return
        raise AssertionError("no suggestion is legal")

    def verdict(self) -> bool:
        """Whether what is tried is legal, once the rules have spoken."""
        self.page.wait_for_function(
            "() => document.querySelector('.verdict p') && document.querySelector('.verdict').dataset.working === 'no'"
        )
        return self.count(".verdict .good") == 1

    # ------------------------------------------------------------------ by keyboard

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def answer_by_keyboard(self) -> None:
        """The same with keys alone."""
        before = self.now
        kind = self.fact("kind")
        if self.fact("passable") == "yes" and kind in ("pick", "place"):
            self.press("0")
        elif kind == "place":
            for _ in range(SUGGESTIONS):
                self.press("]")
                if self.verdict():
                    break
            self.press("Enter")
        elif kind == "pick" and self.count(".decision .option[aria-pressed]"):
            self.press("1", "Enter")
        elif kind == "pick":
            self.press("1")
        elif kind == "number":
            low = self.page.locator(".decision [data-option]").first.get_attribute("data-option")
            self.press(str(low))
        else:
            self.press("Enter")
        self.settle(("asked", "over", "waiting"), before)


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

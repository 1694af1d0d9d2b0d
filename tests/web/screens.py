"""Every screen that is not a question of a game: the start page, the table's tools and dialogs, the report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.web.table import Seat

if TYPE_CHECKING:
    from tests.web.gallery import Studio

ENOUGH = 300
WRONG_LIST = "name: My warband\nfaction: nobody\nunits:\n  - {card: dragon, models: 400}\n"


def start(studio: Studio) -> None:
    """The start page at the first visit, with each game chosen, an own list, matches to go on with, a dead link."""
    with studio.sit() as me:
        me.page.wait_for_selector("[data-start]:enabled")
        studio.take(me, "start-first")
        for place, game in enumerate(("nemesis", "ades", "wh40k", "t9a", "wfb3")):
            me.page.locator(".games label").nth(place).click()
            me.page.wait_for_selector("[data-start]:enabled")
            if place == 0:
                me.click(".add")
            me.page.evaluate("document.querySelectorAll('.setup details').forEach((d) => (d.open = true))")
            studio.take(me, f"start-{game}")
        me.page.locator(".side select").first.select_option("own list")
        me.page.locator("textarea").fill(WRONG_LIST)
        me.click("text=Check the list")
        me.page.wait_for_selector(".side .bad")
        studio.take(me, "start-own-list")
        for _ in range(2):
            me.open()
            me.page.reload()
            me.page.wait_for_selector("[data-quick]:enabled")
            me.click("[data-quick]")
            me.settle()
        me.open()
        me.page.wait_for_selector("[data-start]:enabled")
        studio.take(me, "start-again")
    with studio.sit("nobody") as me:
        me.page.wait_for_selector(".failed")
        me.complaints.clear()
        studio.take(me, "start-no-seat")


def guided(studio: Studio) -> None:
    """Every note of the guided first battle."""
    with studio.sit() as me:
        me.page.wait_for_selector("[data-guided]:enabled")
        me.click("[data-guided]")
        seen: set[str] = set()
        for _ in range(ENOUGH):
            if me.settle() == "over":
                break
            me.page.wait_for_timeout(120)
            while me.count("[data-guide]"):
                note = str(me.page.locator("[data-guide]").first.get_attribute("data-guide"))
                if note in seen:
                    break
                seen.add(note)
                studio.take(me, f"guide-{len(seen):02d}-{note}")
                if not me.count("[data-guide] >> text=Got it"):
                    break
                me.click("[data-guide] >> text=Got it")
                me.page.wait_for_timeout(120)
            if me.fact("question") == "move.unit" and me.count(".decision .option") > 1:
                before = me.now
                me.click(".decision .option")
                me.settle(("asked", "waiting"), before)
            else:
                me.answer_by_mouse()
        print("notes:", sorted(seen))


def beside(studio: Studio) -> None:
    """Two people at one screen: words for the dice, then the curtain between them."""
    made = studio.match(players=["human", "human"], dice="words")
    with studio.sit("+".join(made["links"].values())) as me:
        me.settle(("words",))
        studio.take(me, "words")
    made = studio.match("ades", players=["human", "human"])
    with studio.sit("+".join(made["links"].values())) as me:
        studio.wander(me, lambda: me.count(".curtain") > 0)
        studio.take(me, "curtain")


def apart(studio: Studio) -> None:
    """Two people with a link each: waiting, links to share, a wish to take back."""
    made = studio.match(players=["human", "human"])
    tokens = list(made["links"].values())
    with studio.sit(tokens[0]) as red, studio.sit(tokens[1]) as blue:
        seats = [red, blue]
        for _ in range(6):
            asked = next(seat for seat in seats if seat.settle(("asked", "waiting")) == "asked")
            asked.answer_by_mouse()
            red.page.wait_for_timeout(200)
        idle = next(seat for seat in seats if seat.settle(("asked", "waiting")) == "waiting")
        studio.take(idle, "waiting")
        asker = next(seat for seat in seats if seat.count("[data-undo=ask]"))
        asker.click("[data-undo=ask]")
        other = next(seat for seat in seats if seat is not asker)
        other.page.wait_for_selector("[data-undo=agree]")
        studio.take(asker, "undo-asks")
        studio.take(other, "undo-asked")
        asker.page.evaluate("document.querySelector('#tab-match').click()")
        studio.take(asker, "match-menu")
    with studio.sit() as me:  # whoever made the match has its links
        me.page.wait_for_selector("[data-start]:enabled")
        me.page.locator("[data-seat='1']").select_option("link")
        me.click("[data-start]")
        me.settle(("asked", "waiting"))
        me.page.evaluate("document.querySelector('#tab-match').click()")
        studio.take(me, "match-links")


def dice(studio: Studio) -> None:
    """Dice of their own, one and many at a time."""
    made = studio.match("wh40k", players=["human", "human"], dice="hand")
    with studio.sit("+".join(made["links"].values())) as me:
        me.settle()
        studio.take(me, "own-dice")


def tools(studio: Studio) -> None:
    """Keys, a rule, why a number, odds, measuring, sight, a refused drag, a card."""
    made = studio.match("wh40k")
    with studio.sit(made["links"]["red"]) as me:
        me.settle()
        me.press("?")
        studio.take(me, "help")
        me.press("Escape")
        studio.take_dialog(me, me.page.locator(".decision header button").first, "rule")
        studio.wander(me, lambda: me.fact("question") == "deploy")
        me.click("[data-proposal]")
        me.verdict()
        me.page.mouse.click(*me.spot(0.5, 0.5))
        me.verdict()
        studio.take(me, "placing-refused")
        me.press("Escape")
        studio.wander(me, lambda: me.fact("question") in ("shoot.unit", "charge.unit"))
        me.press("m")
        me.page.mouse.move(*me.spot(0.3, 0.8))
        me.page.mouse.down()
        me.page.mouse.move(*me.spot(0.6, 0.4), steps=4)
        me.page.mouse.up()
        studio.take(me, "measuring")
        me.press("Escape", "v")
        me.page.locator("[data-model]").first.click(force=True)
        me.page.wait_for_timeout(1200)
        studio.take(me, "sight")
        me.press("Escape")
        me.page.locator(".armies .unit").nth(1).click()
        me.page.wait_for_selector(".card")
        studio.take(me, "card", tab="armies")


def past(studio: Studio) -> None:
    """A finished battle: its end, its dice checked, why a roll, why a score, looking back."""
    made = studio.match(players=["captain", "captain"])
    with studio.sit(made["spectator"]) as me:
        me.page.set_default_timeout(120_000)
        me.settle(("over",))
        studio.take(me, "over")
        me.page.locator(".decision summary").first.click()
        me.page.locator("[data-seal]").first.click()
        me.page.wait_for_selector("[data-verdict]")
        studio.take(me, "seal")
        studio.take_dialog(me, me.page.locator(".entry .why").last, "why-roll")
        studio.take_dialog(me, me.page.locator(".sides button").first, "why-score")
        me.page.locator(".entry .text").nth(60).click()
        me.settle(("past",))
        me.page.wait_for_selector(".looking", state="detached")
        studio.take(me, "looking-back")
        studio.take_page(me, f"/api/seats/{made['spectator']}/report", "report")


def _asked(me: Seat, names: tuple[str, ...]) -> bool:
    return me.fact("question") in names


def looks(studio: Studio) -> None:
    """Odds of an attack about to be made, in every game that has come to one."""
    wanted = {
        "nemesis": ("order.target", "attempt.target", "charge.react"), "ades": ("shot.target", "assault.target"),
        "wh40k": ("shoot.target", "charge.targets"), "t9a": ("charge.declare", "shoot.target"),
        "wfb3": ("shoot.target", "charge.declare"),
    }  # fmt: skip
    for game, names in wanted.items():
        made = studio.match(game)
        with studio.sit(next(iter(made["links"].values()))) as me:
            if not studio.wander(me, partial(_asked, me, names)):
                print("no odds seen in", game)
                continue
            me.page.locator(".decision .option").first.hover()
            me.page.wait_for_timeout(1800)
            studio.take(me, f"odds-{game}")


ALL = {screens.__name__: screens for screens in (start, guided, beside, apart, dice, tools, past, looks)}

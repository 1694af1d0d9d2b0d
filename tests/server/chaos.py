"""Cuts, full disks, kills and restores, and a count of what was tried, acknowledged and lost: `make chaos`.

Whoever answers notes what was said to every answer: acknowledged, refused because of the storage, or unsure. Afterwards
the database is read by itself: every acknowledged answer stands there once, none that was refused does, those that were
unsure once or not at all, and the match replays.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from grognard.server.playing.sitting import Sitting
from grognard.server.storage.storage import Act, Store
from tests.server import client
from tests.server.client import Message, Page, some_answers
from tests.server.conftest import Running
from tests.server.proxy import LATE, WHERE, Cut, Proxy

#: Messages of one answer to PostgreSQL: from the client and from the server.
SENT, GOT = 17, 20
TAKEN, REFUSED, UNSURE = "accepted", "refused", "unsure"
STORAGE = ("storage-away", "storage-full", "storage-busy", "storage-locked", "storage-damaged")


class Tried(NamedTuple):
    """An answer and what was said to it."""

    said: str
    name: str
    value: Any


def every_cut(away: float = 0.0) -> list[Cut]:
    """Every moment of one answer at which the way to the database can be cut."""
    sent = [Cut(number, where, False, away) for number in range(SENT) for where in WHERE]
    got = [Cut(number, where, True, away) for number in range(GOT) for where in WHERE if where != "late"]
    return sent + got


def committing(cuts: Sequence[Cut]) -> list[Cut]:
    """Those about the commit itself."""
    return [cut for cut in cuts if cut.number >= (GOT - 2 if cut.from_server else SENT - 1)]


class Player:
    """Answers for every seat of matches, through whatever happens, and notes what was said."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.tried: list[Tried] = []
        self.told: Message = {}  # the last answer

    def answer(self, page: Page) -> None:
        """Answer what is asked until it is acknowledged, or somebody else's turn."""
        version = page.state["version"]
        while page.state["version"] == version and page.state["pending"]:
            self.once(page)

    def once(self, page: Page) -> None:
        """Answer what is asked, whatever is said to it."""
        question = page.state["pending"][0]
        for value in some_answers(question, self.rng):
            if self._one(page, question, value):
                return
        raise AssertionError(f"no answer to {question['name']} was allowed")

    def _one(self, page: Page, question: Message, value: Any) -> bool:
        """Give one answer; whether there is nothing more to try at this question for now."""
        got = self.told = page.answer(value, question)
        if got["type"] == "accepted":
            self.tried.append(Tried(TAKEN, question["name"], _settled(page, value)))
            page.until(lambda state: state["version"] >= got["version"])
            return True
        if got["code"] in STORAGE or got["code"] == "storage-unsure":
            said = UNSURE if got["code"] == "storage-unsure" else REFUSED
            self.tried.append(Tried(said, question["name"], _settled(page, value)))
            page.socket.ping().wait(5)
            time.sleep(0.1)
            return True
        if got["code"] == "stale":  # an unsure one had been taken
            before = page.state["version"]
            page.until(lambda state: state["version"] > before)
            return True
        return False


def _settled(page: Page, value: Any) -> Any:
    """What is compared; a proposal is written down as the placement it stands for."""
    return "…" if isinstance(value, dict) else value


def kept_answers(acts: Sequence[Act]) -> list[tuple[str, Any]]:
    return [(act.answers[0].name, act.answers[0].value) for act in acts if act.by == "player" and act.answers]


def judged(tried: Sequence[Tried], kept: Sequence[tuple[str, Any]]) -> str:
    """What is wrong with what is kept of what was tried, in order; empty where nothing is."""
    places = {0}
    for one in tried:
        fits = {place + 1 for place in places if place < len(kept) and _same(one, kept[place])}
        if one.said == TAKEN:
            places = fits
        elif one.said == UNSURE:
            places |= fits
        if not places:
            return f"{one.name} was acknowledged and is lost"
    return "" if len(kept) in places else f"{len(kept) - max(places)} answers are kept that nobody was told of"


def _same(one: Tried, kept: tuple[str, Any]) -> bool:
    return one.name == kept[0] and (one.value == "…" or msgspec.json.encode(one.value) == msgspec.json.encode(kept[1]))


def examined(database: str, match: str, tried: Sequence[Tried]) -> str:
    """Read a match by oneself: what is wrong with it."""
    store = Store(database)
    try:
        kept, acts = store.load(match)
        if len(acts) != kept.version:
            return f"{kept.version} acts were counted, {len(acts)} are there"
        Sitting(store, match)
        return judged(tried, kept_answers(acts))
    finally:
        store.close()


def level(pages: Sequence[Page]) -> list[Page]:
    """Let all hear what the one that knows most has heard; those that are asked something."""
    client.level(pages)
    return [page for page in pages if page.state["pending"]]


def take_turns(player: Player, pages: Sequence[Page], answers: int, disturbed: Callable[[], object] = str) -> None:
    """So many answers, or to the end; before each something is done."""
    until = len(player.tried) + answers
    while len(player.tried) < until and (asked := level(pages)):
        disturbed()
        player.answer(player.rng.choice(asked))


def played_through(
    running: Running, rng: Random, disturbed: Callable[[], None], answers: int, game: str = "toy"
) -> tuple[str, list[Tried]]:
    """A match of two people; before each of so many answers something is done to the storage."""
    made = running.visitor.match(game=game, players=["human", "human"])
    player = Player(rng)
    with running.visitor.sit(made["links"]["red"]) as red, running.visitor.sit(made["links"]["blue"]) as blue:
        take_turns(player, (red, blue), answers, disturbed)
    return made["id"], player.tried


def with_cuts(running: Running, proxy: Proxy, database: str, cuts: Sequence[Cut], rng: Random) -> Counter[str]:
    """Play while the way to the database is cut at each of these places; what came of it."""
    left = list(cuts)
    count: Counter[str] = Counter()

    def disturbed() -> None:
        if left:
            proxy.set(left.pop())

    while left:
        match, tried = played_through(running, rng, disturbed, 40)
        proxy.set(None)
        wrong = examined(database, match, tried)
        count.update(one.said for one in tried)
        count["matches"] += 1
        count["lost"] += bool(wrong)
        assert not wrong, (wrong, tried)
    count["cuts"] = proxy.cuts
    return count


def waits(cut: Cut) -> float:
    """How long after a cut everything that is under way has arrived."""
    return 3 * LATE if cut.where == "late" else 0.0


def shuffled(cuts: Sequence[Cut], rng: Random, count: int) -> Iterator[Cut]:
    """So many of them, each in its turn, in any order."""
    held: list[Cut] = []
    for _ in range(count):
        held = held or rng.sample(list(cuts), len(cuts))
        yield held.pop()

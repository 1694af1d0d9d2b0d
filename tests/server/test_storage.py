"""What is kept: acts in order, one winner where two write at once, nothing half."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from grognard.games import RULESETS
from grognard.kernel.errors import BadInput
from grognard.kernel.match.dice import Sealed, Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.match.record import Answer
from grognard.kernel.match.saves import Header
from grognard.kernel.questions import Question
from grognard.server.http.matches import header_of
from grognard.server.playing.dice import PERSON
from grognard.server.playing.sitting import EVERYTHING, Sitting
from grognard.server.storage import postgres
from grognard.server.storage.storage import Act, Asked, Conflict, Store, address, digest

HEADER = Header(1, "toy", "1", "x", {}, {"b": 1, "a": 2})


def new(store: Store) -> str:
    links = [("t1", "red", "seat"), ("t2", "", "spectator")]
    return store.create(HEADER, {"red": "human"}, "sealed", "00" * 32, [Answer("red", "roll", [3], True)], False, links)


def test_acts_come_back_as_they_were(database: str) -> None:
    store = Store(database)
    name = new(store)
    act = Act((Answer("red", "q", {"z": 1, "a": [2.5]}), Answer("red", "r", [1, 2], True)), "red", "player")
    assert store.append(name, 1, act, False) == 2
    assert store.append(name, 2, Act(back_to=1), True) == 3
    kept, acts = Store(database).load(name)
    assert (kept.version, kept.over, kept.header) == (3, True, HEADER)
    assert list(kept.header.setup) == ["b", "a"], "keys keep their order"
    assert acts[1:] == [act, Act(back_to=1)]
    assert list(acts[1].answers[0].value) == ["z", "a"]
    assert store.acts_since(name, 2) == [Act(back_to=1)]


def test_of_two_writers_one_wins(database: str) -> None:
    stores = [Store(database) for _ in range(4)]
    name = new(stores[0])
    won: list[int] = []

    def write(store: Store, number: int) -> None:
        for version in range(1, 21):
            try:
                store.append(name, version, Act((Answer("red", "q", number),)), False)
                won.append(number)
            except Conflict:
                pass

    threads = [threading.Thread(target=write, args=(store, place)) for place, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept, acts = stores[0].load(name)
    assert kept.version == len(acts) == len(won) + 1 == 21


def test_a_wish_lapses_when_the_match_goes_on(database: str) -> None:
    store = Store(database)
    name = new(store)
    wish = Asked("red", 1, 0)
    store.ask(name, wish)
    assert store.versions([name]) == {name: (1, wish, None)}
    store.append(name, 1, Act(), False)
    assert store.versions([name]) == {name: (2, Asked(), None)}
    with pytest.raises(Conflict):
        store.ask(name, wish)


def test_seats_by_their_links(database: str) -> None:
    store = Store(database)
    name = new(store)
    seat = store.seat("t1")
    assert seat is not None and (seat.match, seat.seat, seat.sees) == (name, "red", "red")
    spectator = store.seat("t2")
    assert spectator is not None and spectator.sees == ""
    assert store.seat("t3") is None and store.seat(digest("t1")) is None
    assert store.set_automatic(seat, "react", True).automatic == {"react": True}
    again = store.seat("t1")
    assert again is not None and again.automatic == {"react": True}


def test_sqlite_is_durable(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "m.db"))
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    new(store)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}, "seeds are for the owner only"


@pytest.mark.parametrize(
    "wrong", ["mysql://x/y", "sqlite://", "sqlite:///", "postgresql://nobody@127.0.0.1:1/none", "/no/such/folder/m.db"]
)
def test_databases_that_cannot_be_used(wrong: str) -> None:
    with pytest.raises(BadInput):
        Store(wrong)


def test_without_its_driver_a_postgresql_says_what_to_install(tmp_path: Path) -> None:
    """In a process of its own that cannot import it: SQLite serves, and the driver's errors are nobody's trouble."""
    said = """
import sys
sys.modules["psycopg"] = None
from grognard.kernel.errors import BadInput
from grognard.server.playing import news
from grognard.server.storage import postgres, trouble
from grognard.server.storage.storage import Store
Store(sys.argv[1])
assert not postgres.INSTALLED and trouble.kind_of(OSError()) == ""
try:
    Store("postgresql://nobody@127.0.0.1:1/none")
except BadInput as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", said, str(tmp_path / "x.db")], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "PostgreSQL needs one more package: pip install 'grognard[postgres]'\n"
    assert (tmp_path / "x.db").is_file() and postgres.INSTALLED


def test_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert address(None) == f"sqlite:///{tmp_path}/grognard/matches.db"
    assert address("postgres://u@h/d") == "postgresql+psycopg://u@h/d"
    assert address(str(tmp_path / "x.db")) == f"sqlite:///{tmp_path}/x.db"


@pytest.mark.parametrize("wanted", ["", "this kind", "everything"])
def test_people_are_asked_idle_questions_only_on_demand(database: str, wanted: str) -> None:
    units = {side: {"side": side, "card": "Skeleton", "at": [60, y]} for side, y in (("red", 20), ("blue", 90))}
    match = Match(RULESETS["nemesis"], {"given": {"turn": 1, "phase": "movement", "units": units}}, dice=Seeded(1))
    store = Store(database)
    chairs = [(f"{seat} link", seat, "seat") for seat in match.battle.seats]
    people = dict.fromkeys(match.battle.seats, PERSON)
    sitting = Sitting(store, store.create(header_of(match), people, "sealed", "00" * 32, match.answers, False, chairs))
    (question,) = sitting.match.pending
    assert isinstance(question, Question)
    question.idle = True
    if wanted:
        seat = store.seat(f"{question.seat} link")
        assert seat is not None
        sitting.set_automatic(seat, EVERYTHING if wanted == "everything" else question.name, False)
    sitting.settle()
    assert (question in sitting.match.pending) is bool(wanted)
    assert sitting.hushed == ({} if wanted else {question.seat: {question.name: None}})


@pytest.mark.parametrize("alone", [True, False])
def test_what_is_decided_is_asked_only_where_others_could_tell(database: str, alone: bool) -> None:
    """Who leads a unit rides and waits with it: alone one is not asked about him again, beside people one is."""
    ruleset = RULESETS["wh40k"]
    match = Match(
        ruleset, ruleset.default_setup(None, ("ash-brood-1000", "iron-compact-1000"), 1), dice=Sealed(bytes(32))
    )
    store = Store(database)
    players = {seat: PERSON if seat == "red" or not alone else "random" for seat in match.battle.seats}
    chairs = [(f"{seat} link", seat, "seat") for seat in match.battle.seats]
    sitting = Sitting(store, store.create(header_of(match), players, "sealed", "00" * 32, match.answers, False, chairs))
    sitting.settle()
    decided: list[str] = []
    while getattr(sitting.match.battle, "phase", "") != "deployment":
        question = sitting.match.pending[0]
        assert isinstance(question, Question)
        decided += [question.name] if question.decided and question.seat == "red" else []
        sitting.answer(question.seat, sitting.told_version(question.seat), question.name, question.candidates()[0])
    assert bool(decided) is not alone

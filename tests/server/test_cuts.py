"""An acknowledged answer is never lost, wherever the way to PostgreSQL is cut, and none counts twice."""

from __future__ import annotations

import time
from random import Random

import pytest

from grognard.kernel.match.record import Answer
from grognard.server.storage import database
from grognard.server.storage.storage import Act, Conflict, Store
from grognard.server.storage.trouble import StorageTrouble
from tests.server import chaos
from tests.server.conftest import Serve
from tests.server.proxy import Cut, Proxy
from tests.server.test_storage import new

CUTS = chaos.every_cut()


def write(store: Store, name: str, version: int, value: object) -> str:
    try:
        assert store.append(name, version, Act((Answer("red", "q", value),), "red", "player"), False) == version + 1
        return chaos.TAKEN
    except StorageTrouble as trouble:
        return chaos.UNSURE if trouble.unsure else chaos.REFUSED


def try_each(proxy: Proxy, directly: str, cuts: list[Cut]) -> dict[str, int]:
    """One act a cut; each is kept exactly where it was said to be."""
    through, beside = Store(proxy.address), Store(directly)
    name, version, said = new(beside), 1, dict.fromkeys((chaos.TAKEN, chaos.REFUSED, chaos.UNSURE), 0)
    for number, cut in enumerate(cuts):
        through.versions([name])  # a connection is made before the cut is counted
        proxy.set(cut)
        before, what = proxy.cuts, write(through, name, version, number)
        assert proxy.cuts == before + 1, f"{cut} fell into the write"
        said[what] += 1
        time.sleep(max(cut.away, chaos.waits(cut) if what != chaos.TAKEN else 0))
        proxy.set(None)
        kept, acts = beside.load(name)
        ours = [act for act in acts[1:] if act.answers[0].value == number]
        assert len(acts) == kept.version
        assert len(ours) in {chaos.TAKEN: (1,), chaos.REFUSED: (0,), chaos.UNSURE: (0, 1)}[what], (cut, what)
        version = kept.version
    return said


def test_a_commit_that_is_cut_is_looked_up(proxy: Proxy, postgresql: str) -> None:
    """Wherever the commit is cut, short of the database being away, it is known what became of it."""
    said = try_each(proxy, postgresql, [*chaos.committing(CUTS), *CUTS[::9]])
    assert said[chaos.UNSURE] == said[chaos.REFUSED] == 0, "the way was open again: nobody need hear of it"


def test_what_became_of_a_commit_is_not_guessed(proxy: Proxy, postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database is away nobody claims to know."""
    monkeypatch.setattr(database, "PAUSES", (0.01,))
    cuts = [cut for cut in chaos.committing(chaos.every_cut(away=1.0)) if cut.where in ("before", "after")]
    said = try_each(proxy, postgresql, cuts)
    assert said[chaos.UNSURE] >= len(cuts) - 1 and not said[chaos.REFUSED], said


def test_one_writes_and_two_are_told_so(proxy: Proxy, postgresql: str) -> None:
    """After a cut commit that did land, the version is taken: whoever comes second is told."""
    through, beside = Store(proxy.address), Store(postgresql)
    name = new(beside)
    proxy.set(Cut(chaos.SENT - 1, "after"))
    assert write(through, name, 1, "first") == chaos.TAKEN
    with pytest.raises(Conflict):
        beside.append(name, 1, Act((Answer("red", "q", "second"),)), False)


@pytest.mark.long
@pytest.mark.parametrize("away", [0.0, 1.5])
def test_every_moment_of_a_write(proxy: Proxy, postgresql: str, away: float) -> None:
    try_each(proxy, postgresql, chaos.every_cut(away))


def test_answers_through_cuts(serve: Serve, proxy: Proxy, postgresql: str) -> None:
    """The whole server: a dozen cuts, some with the database away for two seconds."""
    rng = Random(1)
    running = serve(proxy.address, poll=0.2)
    cuts = [*chaos.shuffled(chaos.committing(CUTS), rng, 6), *chaos.shuffled(CUTS, rng, 4)]
    cuts += [cut._replace(away=2.0) for cut in chaos.shuffled(CUTS, rng, 3)]
    count = chaos.with_cuts(running, proxy, postgresql, cuts, rng)
    assert count["cuts"] >= 10 and count[chaos.TAKEN] > 10 and not count["lost"], count


@pytest.mark.long
def test_two_hundred_cuts(serve: Serve, proxy: Proxy, postgresql: str) -> None:
    rng = Random(2)
    running = serve(proxy.address, poll=0.2)
    cuts = list(chaos.shuffled([*CUTS, *chaos.every_cut(away=1.0)], rng, 210))
    count = chaos.with_cuts(running, proxy, postgresql, cuts, rng)
    assert count["cuts"] >= 200 and not count["lost"], count

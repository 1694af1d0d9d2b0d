"""Ten minutes of whatever can go wrong with the storage: `make chaos`, or `python -m tests.server.storm MINUTES SEED`.

In turn: the way to PostgreSQL is cut at any moment, the disk of an SQLite is full, servers are killed, backups are
taken from running servers and restored. Prints what was tried, acknowledged and lost; leaves with 1 where anything was.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import psycopg
from websockets.exceptions import ConnectionClosed

import grognard.games
from grognard.games import RULESETS
from grognard.server.settings import Settings
from grognard.server.storage import keeping
from grognard.server.storage.storage import Store
from tests.kernel.toy import TOY
from tests.server import chaos, postgres
from tests.server.client import Visitor
from tests.server.conftest import PLENTY, Running
from tests.server.proxy import Proxy
from tests.server.test_kill import Nursery, play_until_killed

#: The size of the disk that fills up (bytes), where we may mount one.
DISK = 2 * 1024 * 1024


@contextmanager
def server(database: str) -> Iterator[Running]:
    running = Running(Settings(database=database, limits=PLENTY, workers=0, poll=0.2)).start()
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A folder on a small disk of its own; None where that is not allowed."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "grognard", folder]
        if subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode:
            yield None
            return
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def cuts(cluster: str, rng: Random) -> Counter[str]:
    """Twenty cuts, some with the database away for a second, some for longer than anybody tries again."""
    name = f"c{rng.randrange(10**9)}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    database = cluster.replace("/postgres", f"/{name}")
    proxy = Proxy(database)
    try:
        with server(proxy.address) as running:
            every = [*chaos.every_cut(), *chaos.every_cut(away=1.0)]
            chosen = [*rng.sample(every, 17), *rng.sample(chaos.every_cut(away=4.0), 3)]
            return chaos.with_cuts(running, proxy, database, chosen, rng)
    finally:
        proxy.close()


def full_disks(rng: Random) -> Counter[str]:
    """A disk fills up in the middle of a match, several times, and is emptied again."""
    count: Counter[str] = Counter()
    with small_disk() as disk:
        if disk is None:
            return Counter({"full disks (not allowed here)": 0})
        database, filler = f"sqlite:///{disk / 'm.db'}", disk / "filler"
        with server(database) as running:

            def disturbed() -> None:
                if filler.exists():
                    filler.unlink()
                elif rng.random() < 0.4:
                    fill(filler)
                    count["full disks"] += 1

            made = running.visitor.match(game="nemesis", players=["human", "human"], seed=rng.randrange(1000))
            player = chaos.Player(rng)
            with running.visitor.sit(made["links"]["red"]) as red, running.visitor.sit(made["links"]["blue"]) as blue:
                while len(player.tried) < 60 and (asked := chaos.level((red, blue))):
                    disturbed()
                    player.once(rng.choice(asked))
            filler.unlink(missing_ok=True)
            wrong = chaos.examined(database, made["id"], player.tried)
    count.update(one.said for one in player.tried)
    count["lost"] += bool(wrong)
    assert not wrong, wrong
    return count


def fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as raw:
        for size in (64 * 1024, 4096):
            with suppress(OSError):
                while True:
                    raw.write(bytes(size))


def kills(nursery: Nursery, rng: Random) -> Counter[str]:
    """Servers on one database are killed in the middle of a match."""
    count: Counter[str] = Counter()
    made: dict[str, dict[str, str]] = {}
    said: dict[int, tuple[str, str]] = {}
    for _ in range(10):
        child, address = nursery.start()
        visitor = Visitor(address)
        killer = threading.Timer(rng.uniform(0.05, 0.6), os.kill, (child, signal.SIGKILL))
        try:
            made = made or visitor.match(game="nemesis", players=["human", "random"], seed=rng.randrange(1000))
            with visitor.sit(made["links"]["red"]) as page:
                lost = page.state["version"] < max(said, default=0)
                count["lost"] += lost
                assert not lost, "an acknowledged answer is gone"
                killer.start()
                play_until_killed(page, rng, said)
            made, said, before = {}, {}, len(said)
            count[chaos.TAKEN] += before
        except (ConnectionClosed, EOFError, OSError):
            pass
        finally:
            visitor.close()
            if not killer.is_alive() and not killer.finished.is_set():
                os.kill(child, signal.SIGKILL)
            killer.join() if killer.ident else None
        count["kills"] += 1
    count[chaos.TAKEN] += len(said)
    return count


def restores(rng: Random) -> Counter[str]:
    """A backup of a running server, restored: every answer acknowledged before it was begun is there."""
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/m.db"
        with server(database) as running:

            def disturbed() -> None:
                if rng.random() < 0.2:
                    number = count["restores"]
                    count["restores"] += 1
                    keeping.keep(database, Path(folder, f"{number}.backup"))
                    keeping.restore(Path(folder, f"{number}.backup"), f"sqlite:///{folder}/r{number}.db")

            match, tried = chaos.played_through(running, rng, disturbed, 30, "nemesis")
            count.update(one.said for one in tried)
            for number in range(count["restores"]):
                kept, steps = Store(f"sqlite:///{folder}/r{number}.db").load(match)
                told = chaos.kept_answers(steps)
                wrong = len(steps) != kept.version or chaos.judged(tried[: len(told)], told) != ""
                count["lost"] += wrong
                assert not wrong, "a restored match is not what was backed up"
    return count


def main(minutes: float, seed: int) -> int:
    grognard.games.RULESETS = {"toy": TOY, **{game: RULESETS[game] for game in RULESETS}}
    rng, end, total = Random(seed), time.monotonic() + 60 * minutes, Counter[str]()
    print(f"seed {seed}, {minutes:g} minutes", flush=True)
    with postgres.cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        nursery = Nursery(f"{folder}/k.db")
        storms: dict[str, Callable[[], Counter[str]]] = {
            "cuts": lambda: cuts(cluster, rng), "full disks": lambda: full_disks(rng),
            "kills": lambda: kills(nursery, rng), "restores": lambda: restores(rng),
        }  # fmt: skip
        try:
            while time.monotonic() < end:
                for name, storm in storms.items():
                    if time.monotonic() >= end:
                        break
                    began = time.monotonic()
                    count = storm()
                    total += count
                    told = ", ".join(f"{key} {value}" for key, value in sorted(count.items()))
                    print(f"{name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
        except AssertionError as error:
            print(f"LOST: {error}")
            return 1
        finally:
            nursery.close()
    tried = total[chaos.TAKEN] + total[chaos.REFUSED] + total[chaos.UNSURE]
    print(
        f"{total['cuts']} cuts, {total['full disks']} full disks, {total['kills']} kills, "
        f"{total['restores']} restores: {tried} answers tried, {total[chaos.TAKEN]} acknowledged, "
        f"{total[chaos.REFUSED]} refused, {total[chaos.UNSURE]} unsure, {total['lost']} lost"
    )
    return 1 if total["lost"] else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10, int(sys.argv[2]) if len(sys.argv) > 2 else 1))

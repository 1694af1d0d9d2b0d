"""Grows servers to be killed: everything is imported once, then each server is a process of its own.

Reads "start" lines, answers with the process and the port of a new server on the database it was given.
"""

from __future__ import annotations

import os
import sys
import tempfile

import uvicorn

from grognard.games import RULESETS
from grognard.kernel.match.dice import Seeded
from grognard.kernel.match.match import Match
from grognard.kernel.warm import warm as warm_kernels
from grognard.players import RandomPlayer, play
from grognard.server import commands
from grognard.server.app import make
from grognard.server.settings import Settings


def warm() -> None:
    """Import and compile what a match needs, once for all servers to come."""
    warm_kernels()
    ruleset = RULESETS["nemesis"]
    match = Match(ruleset, ruleset.default_setup(None, (), 1), dice=Seeded(1), history="last")
    play(match, {seat: RandomPlayer(seat) for seat in match.battle.seats})
    match.scene(None)
    with tempfile.TemporaryDirectory() as folder:
        uvicorn.Config(make(Settings(database=f"{folder}/m.db")), ws="websockets-sansio").load()


def main() -> None:
    database = sys.argv[1]
    warm()
    for _ in sys.stdin:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)

            def ready(address: str, writer: int = writer) -> None:
                os.write(writer, address.encode())
                os.close(writer)

            commands.run("127.0.0.1", 0, database, (), ready, workers=0)
            os._exit(0)
        os.close(writer)
        address = os.read(reader, 200).decode()
        os.close(reader)
        print(child, address, flush=True)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()

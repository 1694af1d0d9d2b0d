"""One of several server processes: `python -m grognard.server.hosting.process FD`, begun by processes.py."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
import threading

from grognard.kernel.warm import warm
from grognard.server.app import Server
from grognard.server.hosting.processes import READY, Duty
from grognard.server.hosting.stopping import Polite
from grognard.server.http import logs
from grognard.server.http.doors import configuration


def main(place: int) -> None:
    duty: Duty = pickle.load(sys.stdin.buffer)
    logs.set_up(duty.log_level, duty.log_json, duty.number)
    server = Server(duty.settings, keep=duty.keep, number=duty.number, folder=duty.folder)
    listener = socket.socket(fileno=place)

    def ready() -> None:
        os.write(sys.stdout.fileno(), READY)
        for task in (_tethered, warm):
            threading.Thread(target=task, daemon=True).start()

    Polite(configuration(server.app(), duty.settings), server.live.leave, ready).run(sockets=[listener])


def _tethered() -> None:
    """Leave when whoever began this process is gone without a word."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(int(sys.argv[1]))

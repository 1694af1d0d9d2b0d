"""`grognard play` and `grognard serve`: the table in the browser, for oneself or for others."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn

from grognard.kernel.errors import BadInput
from grognard.kernel.warm import warm
from grognard.server.app import make
from grognard.server.guard import LOCAL
from grognard.server.settings import Settings

MAX_MESSAGE = 1024 * 1024
Say = Callable[..., None]


def bound(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("{host}:{port} cannot be used: {reason}", host=host, port=port, reason=reason) from None
    return listener


def address_of(listener: socket.socket, host: str) -> str:
    """The address of the page."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}/"


def allowed_hosts(host: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names a server answers to: its own and those given; any where it listens to everyone and none is given."""
    local = host in LOCAL
    if not names and not local:
        return ()
    return tuple(dict.fromkeys((*LOCAL, host, *names)))


class Announcing(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run(
    host: str, port: int, database: str | None, names: Sequence[str], ready: Callable[[str], None], **settings: Any
) -> int:  # fmt: skip
    """Serve until stopped; `ready` is told the address of the page."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    app = make(Settings(database=database, hosts=allowed_hosts(host, names), **settings))
    listener = bound(host, port)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, date_header=True, proxy_headers=False,
        ws="websockets-sansio", ws_max_size=MAX_MESSAGE, ws_max_queue=16, timeout_graceful_shutdown=3, lifespan="on",
        h11_max_incomplete_event_size=64 * 1024,
    )  # fmt: skip

    def announce() -> None:
        ready(address_of(listener, host))
        threading.Thread(target=warm, daemon=True).start()  # so that the first move does not wait for compilers

    server = Announcing(config, announce)
    server.run(sockets=[listener])
    return 0


def play(port: int, browser: bool, database: str | None, say: Say, game: str | None = None) -> int:
    """The table for oneself: on this machine only, opened in the browser, with a game already chosen."""

    def ready(address: str) -> None:
        say("The table is at {address} (Ctrl+C ends it).", address=address)
        if browser:
            webbrowser.open(f"{address}#/game/{game}" if game else address)

    return run("127.0.0.1", port, database, (), ready)


def serve(host: str, port: int, database: str | None, names: Sequence[str], say: Say) -> int:
    """The table for others."""
    return run(host, port, database, names, lambda address: say("Serving at {address}.", address=address))

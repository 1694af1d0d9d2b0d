"""`grognard play` and `grognard serve`: the table in the browser, for oneself or for others."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

from grognard.kernel.errors import BadInput
from grognard.kernel.warm import warm
from grognard.server.app import Server
from grognard.server.hosting import processes
from grognard.server.hosting.hosted import Hosted, Upkeep
from grognard.server.hosting.stopping import Polite
from grognard.server.http import logs
from grognard.server.http.doors import configuration
from grognard.server.http.guard import LOCAL, base_path
from grognard.server.settings import Settings

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


def shown_address(listener: socket.socket, host: str, base: str) -> str:
    """Where the page is, as it is told."""
    path = base_path(base)
    return address_of(listener, host) + path.lstrip("/") + "/" * bool(path)


def run(
    host: str, port: int, database: str | None, names: Sequence[str], ready: Callable[[str], None],
    log_level: str = "warning", log_json: bool = False, keep: Upkeep | None = None, **settings: Any,
) -> int:  # fmt: skip
    """Serve until stopped; `ready` is told the address of the page."""
    held = Settings(database=database, hosts=allowed_hosts(host, names), **settings)
    return _run_alone(held, host, port, ready, log_level, log_json, keep)


def _run_alone(
    held: Settings, host: str, port: int, ready: Callable[[str], None], log_level: str, log_json: bool,
    keep: Upkeep | None,
) -> int:  # fmt: skip
    logs.set_up(log_level, log_json)
    server = Server(held, keep)
    listener = bound(host, port)

    def announce() -> None:
        ready(shown_address(listener, host, held.base))
        threading.Thread(target=warm, daemon=True).start()  # so that the first move does not wait for compilers

    Polite(configuration(server.app(), held), server.live.leave, announce).run(sockets=[listener])
    return 0


def play(port: int, browser: bool, database: str | None, say: Say, game: str | None = None) -> int:
    """The table for oneself: on this machine only, opened in the browser, with a game already chosen."""

    def ready(address: str) -> None:
        say("The table is at {address} (Ctrl+C ends it).", address=address)
        if browser:
            webbrowser.open(f"{address}#/game/{game}" if game else address)

    return run("127.0.0.1", port, database, (), ready)


def serve(hosted: Hosted, say: Say) -> int:
    """The table for others."""

    def ready(address: str) -> None:
        say("Serving at {address}.", address=address)

    settings = hosted.settings(allowed_hosts(hosted.host, hosted.names))
    if hosted.workers == 1:
        how = (hosted.log_level, hosted.log_json, hosted.keep)
        return _run_alone(settings, hosted.host, hosted.port, ready, *how)
    logs.set_up(hosted.log_level, hosted.log_json)
    with bound(hosted.host, hosted.port) as listener:
        address = shown_address(listener, hosted.host, hosted.base)
        return processes.run(hosted, settings, listener, lambda: ready(address))

"""A connection that dies without a word: the page notices, and begins anew."""

from __future__ import annotations

import re
from typing import Any

from tests.web.conftest import Open, Server


def test_a_silent_connection_is_begun_anew(sit: Open, server: Server) -> None:
    """The first connection swallows everything after the first answer; what was decided meanwhile is there again."""
    me = sit()
    lines: list[Any] = []

    def line(route: Any) -> None:
        dead = not lines
        beyond = route.connect_to_server()
        lines.append(route)

        def heard(message: Any) -> None:
            if not dead or ('"type":"state"' in str(message) and len(swallowed) == 0):
                route.send(message)
            swallowed.append(message)

        swallowed: list[Any] = []
        beyond.on_message(heard)
        route.on_message(lambda message: beyond.send(message))

    me.page.route_web_socket(re.compile("/live"), line)
    me.page.clock.install()
    me.open(server.match()["links"]["red"])
    me.page.clock.run_for(3_000)
    me.settle()
    before = me.now
    assert len(lines) == 1
    me.page.clock.run_for(70_000)
    me.page.wait_for_timeout(500)
    me.page.clock.run_for(5_000)
    assert len(lines) == 2
    me.settle()
    assert me.now == before
    me.answer_by_mouse()
    me.settle(("asked", "over", "waiting"), before)

"""What the processes of one server tell each other of themselves, so that any of them can tell /metrics of all.

Each listens on a socket in a private folder and says its lines to whoever connects.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

log = logging.getLogger("grognard.server")
#: Seconds for a neighbour to say how it does; one that is busy is left out.
PATIENCE = 1.0
_SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")


class Gossip:
    """One process among its neighbours: `number` of all that have a socket in the folder."""

    def __init__(self, folder: Path, number: int, lines: Callable[[], Iterable[str]]) -> None:
        self.place = folder / str(number)
        self._lines = lines
        self._server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        self.place.unlink(missing_ok=True)  # one that was killed leaves its own behind
        self._server = await asyncio.start_unix_server(self._tell, self.place)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self.place.unlink(missing_ok=True)

    async def _tell(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write("\n".join(self._lines()).encode())
            await writer.drain()
        writer.close()

    async def heard(self) -> list[tuple[str, list[str]]]:
        """The lines of every process, this one's too, by number."""
        places = sorted(self.place.parent.iterdir(), key=lambda place: place.name)
        told = await asyncio.gather(*(_ask(place) for place in places if place != self.place))
        own = (self.place.name, list(self._lines()))
        return sorted([own, *(one for one in told if one is not None)])


async def _ask(place: Path) -> tuple[str, list[str]] | None:
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_unix_connection(place)
            try:
                return place.name, (await reader.read()).decode().splitlines()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None


def merged(told: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    """Prometheus' lines of several processes as one page: each sample says whose it is, each kind stands together."""
    kinds: dict[str, list[str]] = {}
    for number, lines in told:
        kind = ""
        for line in lines:
            if line.startswith("#"):
                kind = line
                kinds.setdefault(kind, [])
            elif found := _SAMPLE.fullmatch(line):
                name, labels, value = found.groups()
                own = f'process="{number}"' + (f",{labels}" if labels else "")
                kinds[kind].append(f"{name}{{{own}}} {value}")
    for kind, samples in kinds.items():
        yield kind
        yield from samples

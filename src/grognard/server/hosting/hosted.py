"""Everything a server can be told: one structure, whatever it is read from."""

from __future__ import annotations

from typing import Literal

import msgspec

from grognard.kernel.errors import BadInput
from grognard.server.settings import Limits, Settings

USUAL = Settings()


class TableSettings(msgspec.Struct, frozen=True):
    """`[tables]`: what one process holds and does at once."""

    #: seconds after which a match nobody looks at leaves memory, and how many there are at most
    idle_seconds: float = USUAL.idle
    most: int = USUAL.most_tables
    #: seconds between two looks at what others did to the database
    poll_seconds: float = USUAL.poll
    #: threads for what people wait for, and for computers that think
    hands: int = USUAL.hands
    thinkers: int = USUAL.thinkers
    #: long jobs (odds, new matches, files, reports) that run at once, each in a process of its own
    job_processes: int = USUAL.workers


class Upkeep(msgspec.Struct, frozen=True):
    """`[keep]`: how long matches are kept. 0 days are for ever."""

    #: days without an answer after which a match that is not over is removed
    abandoned_days: float = 0.0
    #: days after its end when a match is written into the folder `archive` and removed from the database
    finished_days: float = 0.0
    archive: str = ""
    #: hours between two looks
    hours: float = 1.0

    def check(self) -> Upkeep:
        """BadInput where finished matches would go nowhere."""
        if self.finished_days and not self.archive:
            raise BadInput("keep.finished_days needs keep.archive, the folder that finished matches are written to")
        return self


class Hosted(msgspec.Struct, frozen=True):
    """One server: its addresses, its database, what it logs, and how much of everything there may be."""

    host: str = "127.0.0.1"
    port: int = 8017
    #: a file, or postgresql://…; nothing is the user's data folder
    database: str = ""
    #: names the server may be called by; none: any, where it listens to others
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    proxy_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    base: str = ""
    #: server processes on one address
    workers: int = 1
    #: seconds for what is under way when the server is stopped
    shutdown_seconds: float = USUAL.shutdown
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    log_json: bool = False
    tables: TableSettings = TableSettings()
    keep: Upkeep = Upkeep()
    limits: Limits = Limits()

    def settings(self, hosts: tuple[str, ...]) -> Settings:
        """As one process takes them."""
        held = self.tables
        return Settings(
            database=self.database or None, hosts=hosts, proxies=self.proxies, proxy_header=self.proxy_header,
            base=self.base, idle=held.idle_seconds, most_tables=held.most, poll=held.poll_seconds, hands=held.hands,
            thinkers=held.thinkers, workers=held.job_processes, shutdown=self.shutdown_seconds, limits=self.limits,
        )  # fmt: skip

"""What a server can be told when it is started."""

from __future__ import annotations

from pathlib import Path

import msgspec

STATIC = Path(__file__).resolve().parent / "static"


class Limits(msgspec.Struct, frozen=True):
    """How much one visitor may ask for: a burst, and how many a second after that."""

    requests: tuple[float, float] = (400, 80)
    matches: tuple[float, float] = (40, 0.5)
    messages: tuple[float, float] = (200, 50)
    bad_messages: int = 100
    #: open pages of one visitor, his requests under way, his connections, and the connections of all
    connections: int = 64
    at_once: int = 32
    tcp_connections: int = 200
    all_connections: int = 4000
    #: seconds for the head of a request, for its whole body, of silence between requests, and to take what is sent
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    idle_seconds: float = 30.0
    stall_seconds: float = 60.0
    #: long jobs (odds, musters, new matches, files, reports) of one visitor that run or wait, and of all
    jobs: int = 8
    all_jobs: int = 200
    #: seconds of work and bytes of memory of such a job
    odds_seconds: float = 5.0
    making_seconds: float = 10.0
    file_seconds: float = 30.0
    report_seconds: float = 60.0
    job_memory: int = 1024**3
    body: int = 1024 * 1024
    upload: int = 16 * 1024 * 1024
    message: int = 256 * 1024


class Settings(msgspec.Struct, frozen=True):
    """One server. `hosts` are the names it may be called by; none means any."""

    database: str | None = None
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()  # addresses of proxies that say who calls
    proxy_header: str = "x-forwarded-for"  # in which header they say it
    base: str = ""  # the path under which the server stands
    static: Path = STATIC
    idle: float = 600.0
    most_tables: int = 400
    poll: float = 2.0
    hands: int = 4
    thinkers: int = 1
    workers: int = 2  # processes for long jobs; 0: none, they are done in one thread
    shutdown: float = 10.0  # seconds for what is under way when the server is stopped
    limits: Limits = Limits()

"""What each kind of long job may take, and what is said of one that wanted more."""

from __future__ import annotations

from typing import NamedTuple

from grognard.server.http.endpoints import Trouble
from grognard.server.jobs.workers import Allowance
from grognard.server.settings import Limits


class Allowances(NamedTuple):
    """One for every kind of job."""

    odds: Allowance
    muster: Allowance
    creation: Allowance
    file: Allowance
    report: Allowance

    @classmethod
    def of(cls, limits: Limits) -> Allowances:
        """By the settings of a server."""
        memory, odds, making = limits.job_memory, f"{limits.odds_seconds:g}", f"{limits.making_seconds:g}"
        file, report = f"{limits.file_seconds:g}", f"{limits.report_seconds:g}"
        return cls(
            Allowance(limits.odds_seconds, memory, lambda: Trouble(
                400, "too-wide",
                "too wide to weigh exactly within {seconds} s: ask about fewer models, attacks or dice", seconds=odds,
            )),
            Allowance(limits.making_seconds, memory, lambda: Trouble(
                400, "too-long",
                "this army list takes more than {seconds} s or more memory than it may; make it smaller",
                seconds=making,
            )),
            Allowance(limits.making_seconds, memory, lambda: Trouble(
                400, "too-long",
                "this match takes more than {seconds} s or more memory than it may to set up; make it smaller",
                seconds=making,
            )),
            Allowance(limits.file_seconds, memory, lambda: Trouble(
                400, "too-long", "this file takes more than {seconds} s or more memory than it may to be played",
                seconds=file,
            )),
            Allowance(limits.report_seconds, memory, lambda: Trouble(
                400, "too-long", "the report of this match takes more than {seconds} s or more memory than it may",
                seconds=report,
            )),
        )  # fmt: skip

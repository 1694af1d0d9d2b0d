"""Worked examples as data, run by one runner: see docs/cases.md."""

from grognard.check.case import Case, Failure, Outcome
from grognard.check.coverage import cases_by_rule, coverage, game_coverage
from grognard.check.read import Reading, find_files, read_file, read_string
from grognard.check.report import failure_text, outcome_text, report_json, report_text, summary
from grognard.check.run import run_all, run_case, run_file
from grognard.check.schema import schema

__all__ = [
    "Case",
    "Failure",
    "Outcome",
    "Reading",
    "cases_by_rule",
    "coverage",
    "failure_text",
    "find_files",
    "game_coverage",
    "outcome_text",
    "read_file",
    "read_string",
    "report_json",
    "report_text",
    "run_all",
    "run_case",
    "run_file",
    "schema",
    "summary",
]

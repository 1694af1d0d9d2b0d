"""The battle report: one HTML file with a map per turn, the story, losses, scores and luck."""

from grognard.report.page import render

__all__ = ["render"]

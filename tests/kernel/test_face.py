"""What `import grognard` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import grognard


def test_every_name_is_there() -> None:
    for name in grognard.__all__:
        assert getattr(grognard, name) is not None
        assert name in dir(grognard)
        assert f"{name} " in str(grognard.__doc__) or f"{name}`" in str(grognard.__doc__) or name in (
            "Refusal", "Ruleset", "players",
        ), name  # fmt: skip


def test_an_unknown_name_says_so() -> None:
    with pytest.raises(AttributeError, match="module grognard has no Dragon"):
        _ = grognard.Dragon


def test_importing_it_loads_no_game_and_nothing_heavy() -> None:
    """A control: asking for a match loads the kernel."""
    loaded = (
        "import sys, grognard; {ask}; print('numpy' in sys.modules or 'grognard.kernel.match.match' in sys.modules)"
    )
    for ask, heavy in (("grognard.__version__", "False"), ("grognard.Match", "True")):
        ran = subprocess.run([sys.executable, "-c", loaded.format(ask=ask)], capture_output=True, text=True, check=True)
        assert ran.stdout.strip() == heavy

"""The one way kernels are compiled: numba, cached on disk, strict floating point."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def _cache_folder() -> str:
    """A folder named after the kernels' sources.

    Numba notices a change in a function's own file only, and would go on using what it compiled
    from an older version of a function called from another file. It lies beside the sources, or in the user's
    cache where those cannot be written to.
    """
    here = Path(__file__).parent
    sources = [(path.name, path.read_bytes()) for path in sorted(here.parent.rglob("*.py"))]
    kernels = b"".join(text for name, text in sources if name == "units.py" or b"import compiled" in text)
    beside = here / "__pycache__"
    home = beside if os.access(beside if beside.exists() else here, os.W_OK) else Path.home() / ".cache" / "grognard"
    return str(home / f"kernels-{hashlib.sha256(kernels).hexdigest()[:12]}")


_FOLDER = _cache_folder()
_CONFIG: Any = numba.config


def compiled(function: F) -> F:
    """The function as machine code, compiled once per version of the kernels."""
    usual = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = _FOLDER
    try:
        return cast(F, numba.njit(cache=True)(function))
    finally:
        _CONFIG.CACHE_DIR = usual

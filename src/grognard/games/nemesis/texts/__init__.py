"""English templates of everything Némésis says, by code; each module of this folder holds one chapter's."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from grognard.kernel.errors import ScriptError


def _gather() -> dict[str, str]:
    """The TEXTS of every module in this folder; one code with two texts is a mistake."""
    found: dict[str, str] = {}
    for module in sorted(info.name for info in iter_modules(__path__)):
        for code, text in import_module(f"{__name__}.{module}").TEXTS.items():
            if found.setdefault(code, text) != text:
                raise ScriptError(f"texts/{module}.py: {code} already has another text")
    return found


TEXTS: dict[str, str] = _gather()
